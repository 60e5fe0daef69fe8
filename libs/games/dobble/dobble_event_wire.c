/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: the part everybody gets, and for a wrong claim its picture for the seat that tapped it.
 * No event names a card that did not lie open before.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"
#include "dobble.pb-c.h"

typedef Madang__V1__Dobble__Event wire_event;
#define KIND(name) MADANG__V1__DOBBLE__EVENT__KIND_##name

/* An event is numbers, at most four, each at most 11 bytes long with its tag, within two messages:
 * none is longer, and its size need not be asked before it is packed. */
enum { EVENT_BYTES_MAX = 64, MINE_BYTES_MAX = 8 };

static void tell(struct game_events *events, const wire_event *event, int seat, struct slice mine)
{
    uint8_t shared[EVENT_BYTES_MAX];
    size_t len = madang__v1__dobble__event__pack(event, shared);
    CHECK(len <= sizeof shared);
    game_events_add(events, slice_of(shared, len), seat, mine);
}

/* One event of a kind, its body's fields set by what follows, to everybody. */
#define TELL(KIND_NAME, Type, TYPE, field, ...)                               \
    do {                                                                      \
        wire_event event = MADANG__V1__DOBBLE__EVENT__INIT;                   \
        Madang__V1__Dobble__##Type body = MADANG__V1__DOBBLE__##TYPE##__INIT; \
        __VA_ARGS__;                                                          \
        event.kind_case = KIND(KIND_NAME);                                    \
        event.field = &body;                                                  \
        tell(events, &event, -1, (struct slice){0});                          \
    } while (0)

void dobble_tell_shown(struct game_events *events, int round)
{
    TELL(SHOWN, Shown, SHOWN, shown, body.round = (uint32_t)round);
}

void dobble_tell_found(struct game_events *events, int seat, const struct dobble_claim *claim)
{
    TELL(FOUND, Found, FOUND, found, body.seat = (uint32_t)seat; body.target = claim->target;
         body.art = claim->art);
}

void dobble_tell_wrong(struct game_events *events, int seat, instant_ms locked_until,
                       bool gave_card, int art)
{
    wire_event event = MADANG__V1__DOBBLE__EVENT__INIT;
    Madang__V1__Dobble__Wrong body = MADANG__V1__DOBBLE__WRONG__INIT;
    Madang__V1__Dobble__MineEvent own = MADANG__V1__DOBBLE__MINE_EVENT__INIT;
    uint8_t mine[MINE_BYTES_MAX];
    body.seat = (uint32_t)seat;
    body.locked_until = locked_until;
    body.gave_card = gave_card;
    event.kind_case = KIND(WRONG);
    event.wrong = &body;
    own.art = (uint32_t)art;
    own.wrong = true; /* also the first picture makes a message */
    tell(events, &event, seat, slice_of(mine, madang__v1__dobble__mine_event__pack(&own, mine)));
}

void dobble_tell_beaten(struct game_events *events, int seat)
{
    TELL(BEATEN, Beaten, BEATEN, beaten, body.seat = (uint32_t)seat);
}

void dobble_tell_escaped(struct game_events *events, int seat, int place)
{
    TELL(ESCAPED, Escaped, ESCAPED, escaped, body.seat = (uint32_t)seat;
         body.place = (uint32_t)place);
}

void dobble_tell_emptied(struct game_events *events, int seat, int place)
{
    TELL(EMPTIED, Emptied, EMPTIED, emptied, body.seat = (uint32_t)seat;
         body.place = (uint32_t)place);
}

void dobble_tell_round_ended(struct game_events *events, const struct dobble_state *state)
{
    Madang__V1__Dobble__RoundResult result = MADANG__V1__DOBBLE__ROUND_RESULT__INIT;
    result.round = state->last_round.round;
    result.is_void = state->last_round.is_void;
    result.loser = state->last_round.loser;
    result.cards = state->last_round.cards;
    TELL(ROUND_ENDED, RoundEnded, ROUND_ENDED, round_ended, body.result = &result);
}

void dobble_tell_forfeited(struct game_events *events, int seat)
{
    TELL(FORFEITED, Forfeited, FORFEITED, forfeited, body.seat = (uint32_t)seat);
}

void dobble_tell_hint_shown(struct game_events *events)
{
    TELL(HINT_SHOWN, HintShown, HINT_SHOWN, hint_shown, );
}

void dobble_tell_hint_over(struct game_events *events)
{
    TELL(HINT_OVER, HintOver, HINT_OVER, hint_over, );
}

void dobble_tell_paused(struct game_events *events)
{
    TELL(PAUSED, Paused, PAUSED, paused, );
}

void dobble_tell_countdown(struct game_events *events, int round)
{
    TELL(COUNTDOWN_BEGAN, CountdownBegan, COUNTDOWN_BEGAN, countdown_began,
         body.round = (uint32_t)round);
}

void dobble_tell_finished(struct game_events *events, int ending)
{
    TELL(FINISHED, Finished, FINISHED, finished, body.ending = (Madang__V1__Dobble__Ending)ending);
}
