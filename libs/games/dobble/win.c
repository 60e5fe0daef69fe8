/* SPDX-License-Identifier: Apache-2.0
 *
 * What a right claim does: cards change places, in each mini-game in its own way, and the winner's
 * figures rise.
 */
#include "games/dobble/dobble.h"

static instant_ms later(instant_ms a, instant_ms b)
{
    return a > b ? a : b;
}

/* B17: since when the younger of the compared cards lies open. */
static instant_ms open_since(const struct dobble_state *state, int seat,
                             const struct dobble_claim *claim)
{
    instant_ms since = 0;
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER:
    case DOBBLE_WELL: return later(state->seat[seat].top_since, state->centre_since);
    case DOBBLE_HOT_POTATO:
        return later(state->seat[seat].top_since, state->seat[claim->target - 1].top_since);
    case DOBBLE_POISONED_GIFT:
        return later(state->seat[claim->target - 1].top_since, state->centre_since);
    case DOBBLE_TRIPLET:
        for (int i = 0; i < DOBBLE_TRIPLE; i++)
            since = later(since, state->open_since[dobble_place_of(state, claim->card[i])]);
        break;
    }
    return since;
}

static void count(struct dobble_state *state, int s, const struct dobble_claim *claim,
                  instant_ms at, instant_ms now)
{
    struct dobble_seat *seat = &state->seat[s];
    bool fast = at - open_since(state, s, claim) < DOBBLE_FAST_MS;
    if (!fast)
        seat->fast = 0;
    else if (seat->fast < DOBBLE_FAST_HITS)
        seat->fast++;
    if (seat->fast == DOBBLE_FAST_HITS) seat->suspected = 1;
    seat->correct++;
    if (seat->locked_until <= now) seat->locked_until = 0; /* long over: not sent on and on */
    seat->won = *claim;
    state->hints = 0;
    state->hint_at = now + DOBBLE_HINT_AFTER_MS;
}

/* Tower and gift: the centre card goes to a pile, the next one is turned up. */
static void take_centre(struct dobble_state *state, struct dobble_seat *to, instant_ms now)
{
    dobble_push(&to->pile, dobble_pop(&state->centre));
    to->top_since = state->centre_since;
    state->centre_since = 0;
    if (state->draw.len > 0) {
        dobble_push(&state->centre, dobble_pop(&state->draw));
        state->centre_since = now;
    }
}

/* Above every place there is: of those who escaped, some may have forfeited since. */
static uint8_t next_place(const struct dobble_state *state)
{
    int last = 0;
    for (int seat = 0; seat < state->seats; seat++)
        if (state->seat[seat].place > last) last = state->seat[seat].place;
    return (uint8_t)(last + 1);
}

static void put_into_well(struct dobble_state *state, struct dobble_seat *seat, instant_ms now)
{
    dobble_push(&state->centre, dobble_pop(&seat->pile));
    state->centre_since = seat->top_since;
    seat->top_since = seat->pile.len ? now : 0;
    if (seat->pile.len > 0) return;
    seat->place = next_place(state);
    seat->part = DOBBLE_EMPTIED;
    seat->locked_until = 0;
}

static void pass_potato(struct dobble_state *state, struct dobble_seat *seat,
                        struct dobble_seat *target)
{
    dobble_move(&target->pile, &seat->pile);
    target->top_since = seat->top_since;
    seat->top_since = 0;
    seat->place = next_place(state);
    seat->part = DOBBLE_ESCAPED;
    seat->locked_until = 0;
}

static void take_triple(struct dobble_state *state, struct dobble_seat *seat,
                        const struct dobble_claim *claim, instant_ms now)
{
    for (int i = 0; i < DOBBLE_TRIPLE; i++) {
        int place = dobble_place_of(state, claim->card[i]);
        dobble_push(&seat->pile, claim->card[i]);
        state->open[place] = DOBBLE_NO_CARD;
        state->open_since[place] = 0;
    }
    dobble_fill_places(state, now);
}

void dobble_win(struct dobble_step *step, int s, const struct dobble_claim *claim, instant_ms at)
{
    struct dobble_state *state = step->state;
    struct dobble_seat *seat = &state->seat[s];
    struct dobble_seat *target = claim->target ? &state->seat[claim->target - 1] : seat;
    instant_ms now = step->context->now;
    count(state, s, claim, at, now);
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER: take_centre(state, seat, now); break;
    case DOBBLE_WELL: put_into_well(state, seat, now); break;
    case DOBBLE_HOT_POTATO: pass_potato(state, seat, target); break;
    case DOBBLE_POISONED_GIFT: take_centre(state, target, now); break;
    case DOBBLE_TRIPLET: take_triple(state, seat, claim, now); break;
    }
    dobble_tell_found(step->events, s, claim);
    if (seat->part == DOBBLE_ESCAPED) dobble_tell_escaped(step->events, s, seat->place);
    if (seat->part == DOBBLE_EMPTIED) dobble_tell_emptied(step->events, s, seat->place);
}
