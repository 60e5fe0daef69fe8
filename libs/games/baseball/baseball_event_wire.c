/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: that a player has made a guess or used a hint, for everybody; which, and what it was
 * worth, for that player's seat alone.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"
#include "baseball.pb-c.h"

typedef Madang__V1__Baseball__Event wire_event;
typedef Madang__V1__Baseball__MineEvent wire_mine;
#define KIND(name) MADANG__V1__BASEBALL__EVENT__KIND_##name
#define MINE(name) MADANG__V1__BASEBALL__MINE_EVENT__KIND_##name

enum { EVENT_BYTES_MAX = 64 };

static void tell(struct game_events *events, const wire_event *event, int seat,
                 const wire_mine *own)
{
    uint8_t shared[EVENT_BYTES_MAX], mine[EVENT_BYTES_MAX];
    size_t mine_len = 0;
    CHECK(madang__v1__baseball__event__get_packed_size(event) <= sizeof shared);
    size_t shared_len = madang__v1__baseball__event__pack(event, shared);
    if (own) {
        CHECK(madang__v1__baseball__mine_event__get_packed_size(own) <= sizeof mine);
        mine_len = madang__v1__baseball__mine_event__pack(own, mine);
    }
    game_events_add(events, slice_of(shared, shared_len), seat, slice_of(mine, mine_len));
}

void baseball_tell_started(struct game_events *events)
{
    wire_event event = MADANG__V1__BASEBALL__EVENT__INIT;
    Madang__V1__Baseball__Started body = MADANG__V1__BASEBALL__STARTED__INIT;
    event.kind_case = KIND(STARTED);
    event.started = &body;
    tell(events, &event, -1, NULL);
}

void baseball_tell_guessed(struct game_events *events, const struct baseball_state *state, int seat)
{
    const struct baseball_player *player = &state->player[seat];
    uint32_t code = player->code[player->guesses - 1];
    struct baseball_judged judged = baseball_judge(&state->rules, state->secret, code);
    char text[BASEBALL_DIGITS_MAX + 1];
    baseball_write_code(&state->rules, code, text);

    wire_event event = MADANG__V1__BASEBALL__EVENT__INIT;
    Madang__V1__Baseball__Guessed body = MADANG__V1__BASEBALL__GUESSED__INIT;
    body.seat = (uint32_t)seat;
    body.guesses = player->guesses;
    event.kind_case = KIND(GUESSED);
    event.guessed = &body;
    wire_mine mine = MADANG__V1__BASEBALL__MINE_EVENT__INIT;
    Madang__V1__Baseball__Judged own = MADANG__V1__BASEBALL__JUDGED__INIT;
    own.code = text;
    own.strikes = (uint32_t)judged.strikes;
    own.balls = (uint32_t)judged.balls;
    mine.kind_case = MINE(JUDGED);
    mine.judged = &own;
    tell(events, &event, seat, &mine);
}

void baseball_tell_hinted(struct game_events *events, const struct baseball_state *state, int seat)
{
    const struct baseball_player *player = &state->player[seat];
    int place = state->hint_at[player->hints - 1];

    wire_event event = MADANG__V1__BASEBALL__EVENT__INIT;
    Madang__V1__Baseball__Hinted body = MADANG__V1__BASEBALL__HINTED__INIT;
    body.seat = (uint32_t)seat;
    body.hints = player->hints;
    event.kind_case = KIND(HINTED);
    event.hinted = &body;
    wire_mine mine = MADANG__V1__BASEBALL__MINE_EVENT__INIT;
    Madang__V1__Baseball__Revealed own = MADANG__V1__BASEBALL__REVEALED__INIT;
    own.position = (uint32_t)place;
    own.digit = (uint32_t)baseball_digit(&state->rules, state->secret, place);
    mine.kind_case = MINE(REVEALED);
    mine.revealed = &own;
    tell(events, &event, seat, &mine);
}

void baseball_tell_ended(struct game_events *events, const struct baseball_state *state, int seat)
{
    wire_event event = MADANG__V1__BASEBALL__EVENT__INIT;
    Madang__V1__Baseball__Ended body = MADANG__V1__BASEBALL__ENDED__INIT;
    body.seat = (uint32_t)seat;
    body.standing = (Madang__V1__Baseball__Standing)state->player[seat].standing;
    body.time_tenths = baseball_tenths(state, seat);
    event.kind_case = KIND(ENDED);
    event.ended = &body;
    tell(events, &event, -1, NULL);
}

void baseball_tell_finished(struct game_events *events, enum baseball_cause cause)
{
    wire_event event = MADANG__V1__BASEBALL__EVENT__INIT;
    Madang__V1__Baseball__Finished body = MADANG__V1__BASEBALL__FINISHED__INIT;
    body.cause = (Madang__V1__Baseball__Cause)cause;
    event.kind_case = KIND(FINISHED);
    event.finished = &body;
    tell(events, &event, -1, NULL);
}
