/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions: bytes to our struct and back.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"
#include "baseball.pb-c.h"
#include "game/scratch.h"

typedef Madang__V1__Baseball__Action wire_action;
#define KIND(name) MADANG__V1__BASEBALL__ACTION__KIND_##name

/* Our enums are written with the numbers of the wire's. */
#define REASON(name)   MADANG__V1__BASEBALL__BASEBALL_REASON__BASEBALL_REASON_##name
#define STANDING(name) MADANG__V1__BASEBALL__STANDING__STANDING_##name
_Static_assert((int)BASEBALL_FINISHED == (int)MADANG__V1__BASEBALL__PHASE__PHASE_FINISHED,
               "phases");
_Static_assert((int)BASEBALL_ABSENCE == (int)MADANG__V1__BASEBALL__CAUSE__CAUSE_ABSENCE, "causes");
_Static_assert((int)BASEBALL_EXHAUSTED == (int)STANDING(EXHAUSTED), "standings");
_Static_assert((int)BASEBALL_TIME_OVER == (int)STANDING(TIME_OVER), "standings");
_Static_assert((int)BASEBALL_REPEAT == (int)REASON(REPEAT), "reasons");
_Static_assert((int)BASEBALL_OVER == (int)REASON(FINISHED), "reasons");
_Static_assert((int)BASEBALL_ACT_GIVE_UP == (int)KIND(GIVE_UP), "kinds of actions");

static bool take(const wire_action *wire, struct baseball_action *out)
{
    out->kind = (enum baseball_action_kind)wire->kind_case;
    out->number = 0;
    out->text_len = 0;
    switch (wire->kind_case) {
    case KIND(GUESS):
        out->text_len = wire->guess->code.len;
        CHECK(out->text_len <= sizeof out->text);
        if (out->text_len) memcpy(out->text, wire->guess->code.data, out->text_len);
        return true;
    case KIND(HINT): out->number = wire->hint->number; return true;
    case KIND(GIVE_UP): out->number = wire->give_up->guesses; return true;
    default: return false;
    }
}

bool baseball_read_action(struct slice bytes, struct baseball_action *out)
{
    struct game_scratch scratch;
    ProtobufCAllocator allocator = {game_scratch_alloc, game_scratch_free, &scratch};
    scratch.used = 0;
    if (bytes.len > GAME_ACTION_BYTES_MAX) return false;
    wire_action *wire = madang__v1__baseball__action__unpack(&allocator, bytes.len,
                                                             bytes.at ? bytes.at : scratch.bytes);
    return wire && take(wire, out);
}

size_t baseball_write_action(const struct baseball_action *action, uint8_t *bytes)
{
    wire_action wire = MADANG__V1__BASEBALL__ACTION__INIT;
    Madang__V1__Baseball__Guess guess = MADANG__V1__BASEBALL__GUESS__INIT;
    Madang__V1__Baseball__Hint hint = MADANG__V1__BASEBALL__HINT__INIT;
    Madang__V1__Baseball__GiveUp give_up = MADANG__V1__BASEBALL__GIVE_UP__INIT;
    uint8_t text[GAME_ACTION_BYTES_MAX];
    wire.kind_case = (Madang__V1__Baseball__Action__KindCase)action->kind;
    switch (action->kind) {
    case BASEBALL_ACT_GUESS:
        memcpy(text, action->text, action->text_len);
        guess.code = (ProtobufCBinaryData){action->text_len, text};
        wire.guess = &guess;
        break;
    case BASEBALL_ACT_HINT:
        hint.number = action->number;
        wire.hint = &hint;
        break;
    case BASEBALL_ACT_GIVE_UP:
        give_up.guesses = action->number;
        wire.give_up = &give_up;
        break;
    }
    CHECK(madang__v1__baseball__action__get_packed_size(&wire) <= GAME_ACTION_BYTES_MAX);
    return madang__v1__baseball__action__pack(&wire, bytes);
}

const struct game_messages baseball_messages = {
    .action = &madang__v1__baseball__action__descriptor,
    .view = &madang__v1__baseball__view__descriptor,
    .mine = &madang__v1__baseball__mine__descriptor,
    .event = &madang__v1__baseball__event__descriptor,
    .mine_event = &madang__v1__baseball__mine_event__descriptor,
};
