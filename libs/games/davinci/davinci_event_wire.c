/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: the part everybody gets, and for a drawn tile its number for the seat that drew it. No
 * event carries a number that does not lie open, nor anything whose length depends on one.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"
#include "davinci.pb-c.h"

typedef Madang__V1__Davinci__Event wire_event;
#define KIND(name) MADANG__V1__DAVINCI__EVENT__KIND_##name

/* An event is numbers, at most nine, each at most 6 bytes long with its tag, within a message: none
 * is longer, and its size need not be asked before it is packed. */
enum { EVENT_BYTES_MAX = 64, MINE_BYTES_MAX = 8 };

static void tell(struct game_events *events, const wire_event *event, int seat, int face)
{
    uint8_t shared[EVENT_BYTES_MAX], mine[MINE_BYTES_MAX];
    size_t shared_len = madang__v1__davinci__event__pack(event, shared);
    CHECK(shared_len <= sizeof shared);
    size_t mine_len = 0;
    if (face != DAVINCI_FACE_HIDDEN) {
        Madang__V1__Davinci__MineEvent own = MADANG__V1__DAVINCI__MINE_EVENT__INIT;
        own.face = (Madang__V1__Davinci__Face)face;
        mine_len = madang__v1__davinci__mine_event__pack(&own, mine);
    }
    game_events_add(events, slice_of(shared, shared_len), seat, slice_of(mine, mine_len));
}

static void tell_all(struct game_events *events, const wire_event *event)
{
    tell(events, event, -1, DAVINCI_FACE_HIDDEN);
}

void davinci_tell_picked(struct game_events *events, int seat, bool automatic)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Picked body = MADANG__V1__DAVINCI__PICKED__INIT;
    body.seat = (uint32_t)seat;
    body.automatic = automatic;
    event.kind_case = KIND(PICKED);
    event.picked = &body;
    tell_all(events, &event);
}

void davinci_tell_dealt(struct game_events *events)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Dealt body = MADANG__V1__DAVINCI__DEALT__INIT;
    event.kind_case = KIND(DEALT);
    event.dealt = &body;
    tell_all(events, &event);
}

void davinci_tell_drawn(struct game_events *events, int seat, int tile, bool automatic)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Drawn body = MADANG__V1__DAVINCI__DRAWN__INIT;
    body.seat = (uint32_t)seat;
    body.color = (Madang__V1__Davinci__Color)(davinci_color_of(tile) + 1);
    body.automatic = automatic;
    event.kind_case = KIND(DRAWN);
    event.drawn = &body;
    tell(events, &event, seat, davinci_face_of(tile));
}

void davinci_tell_guessed(struct game_events *events, const struct davinci_told *told)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Guessed body = MADANG__V1__DAVINCI__GUESSED__INIT;
    body.seat = told->by;
    body.target = told->target;
    body.position = told->position;
    body.said = (Madang__V1__Davinci__Face)told->said;
    body.correct = told->correct;
    body.automatic = told->automatic;
    body.color = (Madang__V1__Davinci__Color)(told->color + 1);
    event.kind_case = KIND(GUESSED);
    event.guessed = &body;
    tell_all(events, &event);
}

void davinci_tell_went_on(struct game_events *events, int seat)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__WentOn body = MADANG__V1__DAVINCI__WENT_ON__INIT;
    body.seat = (uint32_t)seat;
    event.kind_case = KIND(WENT_ON);
    event.went_on = &body;
    tell_all(events, &event);
}

void davinci_tell_inserted(struct game_events *events, int seat, int position, int color,
                           int open_face, bool automatic)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Inserted body = MADANG__V1__DAVINCI__INSERTED__INIT;
    body.seat = (uint32_t)seat;
    body.position = (uint32_t)position;
    body.color = (Madang__V1__Davinci__Color)(color + 1);
    body.face = (Madang__V1__Davinci__Face)open_face;
    body.automatic = automatic;
    event.kind_case = KIND(INSERTED);
    event.inserted = &body;
    tell_all(events, &event);
}

void davinci_tell_revealed(struct game_events *events, int seat, int position, int face,
                           bool automatic)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Revealed body = MADANG__V1__DAVINCI__REVEALED__INIT;
    body.seat = (uint32_t)seat;
    body.position = (uint32_t)position;
    body.face = (Madang__V1__Davinci__Face)face;
    body.automatic = automatic;
    event.kind_case = KIND(REVEALED);
    event.revealed = &body;
    tell_all(events, &event);
}

void davinci_tell_eliminated(struct game_events *events, int seat)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Eliminated body = MADANG__V1__DAVINCI__ELIMINATED__INIT;
    body.seat = (uint32_t)seat;
    event.kind_case = KIND(ELIMINATED);
    event.eliminated = &body;
    tell_all(events, &event);
}

void davinci_tell_turn(struct game_events *events, int seat, int turn)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__TurnBegan body = MADANG__V1__DAVINCI__TURN_BEGAN__INIT;
    body.seat = (uint32_t)seat;
    body.turn = (uint32_t)turn;
    event.kind_case = KIND(TURN_BEGAN);
    event.turn_began = &body;
    tell_all(events, &event);
}

void davinci_tell_finished(struct game_events *events, int winner)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__Finished body = MADANG__V1__DAVINCI__FINISHED__INIT;
    body.winner = (uint32_t)winner;
    event.kind_case = KIND(FINISHED);
    event.finished = &body;
    tell_all(events, &event);
}

void davinci_tell_switched(struct game_events *events)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__PenaltySwitched body = MADANG__V1__DAVINCI__PENALTY_SWITCHED__INIT;
    event.kind_case = KIND(PENALTY_SWITCHED);
    event.penalty_switched = &body;
    tell_all(events, &event);
}

void davinci_tell_joker_opened(struct game_events *events, int seat)
{
    wire_event event = MADANG__V1__DAVINCI__EVENT__INIT;
    Madang__V1__Davinci__JokerOpened body = MADANG__V1__DAVINCI__JOKER_OPENED__INIT;
    body.seat = (uint32_t)seat;
    event.kind_case = KIND(JOKER_OPENED);
    event.joker_opened = &body;
    tell_all(events, &event);
}
