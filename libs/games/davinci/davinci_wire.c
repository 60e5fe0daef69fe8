/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions: bytes to our struct and back.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"
#include "davinci.pb-c.h"
#include "game/scratch.h"

typedef Madang__V1__Davinci__Action wire_action;
#define KIND(name) MADANG__V1__DAVINCI__ACTION__KIND_##name

/* Our enums are written with the numbers of the wire's. */
#define REASON(name) MADANG__V1__DAVINCI__DAVINCI_REASON__DAVINCI_REASON_##name
_Static_assert((int)DAVINCI_FINISHED == (int)MADANG__V1__DAVINCI__PHASE__PHASE_FINISHED, "phases");
_Static_assert((int)DAVINCI_OVER == (int)REASON(FINISHED), "reasons");
_Static_assert((int)DAVINCI_REVEALED == (int)REASON(REVEALED), "reasons");
_Static_assert((int)DAVINCI_FACE_JOKER == (int)MADANG__V1__DAVINCI__FACE__FACE_JOKER, "faces");
_Static_assert((int)DAVINCI_WHITE + 1 == (int)MADANG__V1__DAVINCI__COLOR__COLOR_WHITE, "colours");
_Static_assert((int)DAVINCI_ACT_REVEAL_OWN == (int)KIND(REVEAL_OWN), "kinds of actions");

static bool take(const wire_action *wire, struct davinci_action *out)
{
    *out = (struct davinci_action){.kind = (enum davinci_action_kind)wire->kind_case, .color = -1};
    switch (wire->kind_case) {
    case KIND(CHOOSE_START):
        out->black = wire->choose_start->black;
        out->white = wire->choose_start->white;
        return true;
    case KIND(DRAW):
        out->color = (int)wire->draw->color - 1;
        return out->color >= -1 && out->color <= DAVINCI_WHITE;
    case KIND(GUESS):
        out->target = wire->guess->target;
        out->index = wire->guess->index;
        out->face = (int)wire->guess->face;
        return true;
    case KIND(STOP):
        out->joker = wire->stop->joker != NULL;
        out->index = out->joker ? wire->stop->joker->index : 0;
        return true;
    case KIND(PLACE_JOKER): out->index = wire->place_joker->index; return true;
    case KIND(REVEAL_OWN): out->index = wire->reveal_own->index; return true;
    case KIND(GO_ON): return true;
    default: return false;
    }
}

bool davinci_read_action(struct slice bytes, struct davinci_action *out)
{
    struct game_scratch scratch;
    ProtobufCAllocator allocator = {game_scratch_alloc, game_scratch_free, &scratch};
    scratch.used = 0;
    if (bytes.len > GAME_ACTION_BYTES_MAX) return false;
    wire_action *wire = madang__v1__davinci__action__unpack(&allocator, bytes.len,
                                                            bytes.at ? bytes.at : scratch.bytes);
    return wire && take(wire, out);
}

/* Three numbers at most, of at most 6 bytes with their tags: far below the bound. */
size_t davinci_write_action(const struct davinci_action *action, uint8_t *bytes)
{
    wire_action wire = MADANG__V1__DAVINCI__ACTION__INIT;
    Madang__V1__Davinci__ChooseStart choose = MADANG__V1__DAVINCI__CHOOSE_START__INIT;
    Madang__V1__Davinci__Draw draw = MADANG__V1__DAVINCI__DRAW__INIT;
    Madang__V1__Davinci__Guess guess = MADANG__V1__DAVINCI__GUESS__INIT;
    Madang__V1__Davinci__Continue go_on = MADANG__V1__DAVINCI__CONTINUE__INIT;
    Madang__V1__Davinci__Stop stop = MADANG__V1__DAVINCI__STOP__INIT;
    Madang__V1__Davinci__JokerPlace joker = MADANG__V1__DAVINCI__JOKER_PLACE__INIT;
    Madang__V1__Davinci__PlaceJoker place = MADANG__V1__DAVINCI__PLACE_JOKER__INIT;
    Madang__V1__Davinci__RevealOwn reveal = MADANG__V1__DAVINCI__REVEAL_OWN__INIT;
    wire.kind_case = (Madang__V1__Davinci__Action__KindCase)action->kind;
    switch (action->kind) {
    case DAVINCI_ACT_CHOOSE_START:
        choose.black = action->black;
        choose.white = action->white;
        wire.choose_start = &choose;
        break;
    case DAVINCI_ACT_DRAW:
        draw.color = (Madang__V1__Davinci__Color)(action->color + 1);
        wire.draw = &draw;
        break;
    case DAVINCI_ACT_GUESS:
        guess.target = action->target;
        guess.index = action->index;
        guess.face = (Madang__V1__Davinci__Face)action->face;
        wire.guess = &guess;
        break;
    case DAVINCI_ACT_CONTINUE: wire.go_on = &go_on; break;
    case DAVINCI_ACT_STOP:
        joker.index = action->index;
        stop.joker = action->joker ? &joker : NULL;
        wire.stop = &stop;
        break;
    case DAVINCI_ACT_PLACE_JOKER:
        place.index = action->index;
        wire.place_joker = &place;
        break;
    case DAVINCI_ACT_REVEAL_OWN:
        reveal.index = action->index;
        wire.reveal_own = &reveal;
        break;
    }
    size_t len = madang__v1__davinci__action__pack(&wire, bytes);
    CHECK(len <= GAME_ACTION_BYTES_MAX);
    return len;
}

const struct game_messages davinci_messages = {
    .action = &madang__v1__davinci__action__descriptor,
    .view = &madang__v1__davinci__view__descriptor,
    .mine = &madang__v1__davinci__mine__descriptor,
    .event = &madang__v1__davinci__event__descriptor,
    .mine_event = &madang__v1__davinci__mine_event__descriptor,
};
