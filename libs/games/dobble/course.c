/* SPDX-License-Identifier: Apache-2.0
 *
 * The course of a game: countdown, playing, hint, round end, pause, and the ends.
 *
 *   countdown --3 s--> playing --45 s without a success--> hint --2 s--> playing, or the end (B21)
 *       ^                |   `-- one holder left (hotPotato) --> roundEnd --3 s--> countdown
 *       |                |                                                          or the end
 *       `--- back --- paused <-- fewer than two connected for 10 s; after 60 s the end (B15)
 */
#include "games/dobble/dobble.h"

int dobble_count_part(const struct dobble_state *state, enum dobble_part part)
{
    int count = 0;
    for (int seat = 0; seat < state->seats; seat++) count += state->seat[seat].part == part;
    return count;
}

bool dobble_in_game(const struct dobble_state *state, int seat)
{
    return state->seat[seat].part == DOBBLE_IN || state->seat[seat].part == DOBBLE_ESCAPED;
}

static int in_game(const struct dobble_state *state)
{
    return dobble_count_part(state, DOBBLE_IN) + dobble_count_part(state, DOBBLE_ESCAPED);
}

void dobble_count_present(struct dobble_state *state, instant_ms now)
{
    int present = 0;
    for (int seat = 0; seat < state->seats; seat++)
        present += dobble_in_game(state, seat) && state->seat[seat].away_since == INSTANT_NEVER;
    if (present >= (state->rules.practice ? 1 : 2))
        state->few_since = INSTANT_NEVER;
    else if (state->few_since == INSTANT_NEVER)
        state->few_since = now;
}

/* Locks and windows belong to a round (B16); a phase without an end has length 0. */
static void enter(struct dobble_step *step, enum dobble_phase phase, instant_ms length)
{
    struct dobble_state *state = step->state;
    state->phase = (uint8_t)phase;
    state->phase_started = step->context->now;
    state->phase_ends = length ? step->context->now + length : INSTANT_NEVER;
    state->hint_at =
        phase == DOBBLE_PLAYING ? step->context->now + DOBBLE_HINT_AFTER_MS : INSTANT_NEVER;
    if (phase == DOBBLE_COUNTDOWN || phase == DOBBLE_PAUSED) state->face_up = 0;
    if (phase != DOBBLE_ROUND_END && phase != DOBBLE_FINISHED) return;
    for (int seat = 0; seat < state->seats; seat++) state->seat[seat].locked_until = 0;
}

void dobble_begin_countdown(struct dobble_step *step)
{
    enter(step, DOBBLE_COUNTDOWN, DOBBLE_COUNTDOWN_MS);
    dobble_tell_countdown(step->events, step->state->round);
}

void dobble_show(struct dobble_step *step)
{
    struct dobble_state *state = step->state;
    instant_ms now = step->context->now;
    enter(step, DOBBLE_PLAYING, 0);
    state->face_up = 1;
    for (int s = 0; s < state->seats && state->rules.mini_game != DOBBLE_TRIPLET; s++)
        state->seat[s].top_since = state->seat[s].pile.len ? now : 0;
    for (int p = 0; p < DOBBLE_PLACES; p++) state->open_since[p] = state->open[p] ? now : 0;
    state->centre_since = state->centre.len ? now : 0;
    dobble_tell_shown(step->events, state->round);
}

void dobble_begin_hint(struct dobble_step *step)
{
    step->state->hints++;
    enter(step, DOBBLE_HINT, DOBBLE_HINT_MS);
    dobble_tell_hint_shown(step->events);
}

void dobble_end_hint(struct dobble_step *step)
{
    dobble_tell_hint_over(step->events);
    if (step->state->hints >= DOBBLE_HINTS_MAX)
        dobble_finish(step, DOBBLE_UNFOUND);
    else
        enter(step, DOBBLE_PLAYING, 0);
}

void dobble_pause(struct dobble_step *step)
{
    enter(step, DOBBLE_PAUSED, DOBBLE_PAUSE_MS);
    dobble_tell_paused(step->events);
}

/* A round is void when somebody's absence or four hints ended it: no penalty then (B6, B21). */
static void note_round(struct dobble_step *step, bool is_void)
{
    struct dobble_state *state = step->state;
    int loser = 0;
    while (!is_void && state->seat[loser].part != DOBBLE_IN) loser++;
    int cards = is_void ? 0 : state->seat[loser].pile.len;
    state->seat[loser].penalty = (uint16_t)(state->seat[loser].penalty + cards);
    state->last_round.round = state->round;
    state->last_round.is_void = is_void;
    state->last_round.loser = (uint8_t)loser;
    state->last_round.cards = (uint8_t)cards;
    dobble_tell_round_ended(step->events, state);
}

void dobble_finish(struct dobble_step *step, enum dobble_ending ending)
{
    struct dobble_state *state = step->state;
    bool in_round = state->rules.mini_game == DOBBLE_HOT_POTATO && state->phase != DOBBLE_ROUND_END;
    if (in_round) note_round(step, true);
    state->ending = (uint8_t)ending;
    state->few_since = INSTANT_NEVER;
    enter(step, DOBBLE_FINISHED, 0);
    dobble_tell_finished(step->events, ending);
}

void dobble_end_round_end(struct dobble_step *step)
{
    struct dobble_state *state = step->state;
    if (state->round == state->rules.rounds) {
        dobble_finish(step, DOBBLE_PLAYED);
        return;
    }
    state->round++;
    dobble_deal_round(state);
    dobble_begin_countdown(step);
}

static void settle_hot_potato(struct dobble_step *step, enum dobble_ending why)
{
    struct dobble_state *state = step->state;
    if (in_game(state) < 2) {
        dobble_finish(step, DOBBLE_TOO_FEW);
    } else if (state->phase != DOBBLE_ROUND_END && dobble_count_part(state, DOBBLE_IN) < 2) {
        note_round(step, why == DOBBLE_TOO_FEW);
        enter(step, DOBBLE_ROUND_END, DOBBLE_ROUND_END_MS);
    }
}

static void settle_well(struct dobble_step *step, enum dobble_ending why)
{
    const struct dobble_state *state = step->state;
    if (state->rules.end_at_first && dobble_count_part(state, DOBBLE_EMPTIED) > 0)
        dobble_finish(step, DOBBLE_PLAYED);
    else if (dobble_count_part(state, DOBBLE_IN) < 2)
        dobble_finish(step, why);
}

void dobble_settle(struct dobble_step *step, enum dobble_ending why)
{
    struct dobble_state *state = step->state;
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER:
    case DOBBLE_POISONED_GIFT:
        if (state->centre.len == 0) dobble_finish(step, why); /* B3 */
        break;
    case DOBBLE_WELL: settle_well(step, why); break;
    case DOBBLE_HOT_POTATO: settle_hot_potato(step, why); break;
    case DOBBLE_TRIPLET:
        if (state->draw.len == 0 && dobble_triple(state) < 0) dobble_finish(step, why);
        break;
    }
    if (state->phase != DOBBLE_FINISHED) dobble_count_present(state, step->context->now);
}

/* The cards go to the unused ones: there is no centre in hotPotato, and the well's is not fed
 * (B5, B24). */
void dobble_forfeit(struct dobble_step *step, int s)
{
    struct dobble_state *state = step->state;
    struct dobble_seat *seat = &state->seat[s];
    seat->part = DOBBLE_FORFEITED;
    seat->place = 0;
    seat->locked_until = 0;
    seat->top_since = 0;
    dobble_move(&state->unused, &seat->pile);
    dobble_tell_forfeited(step->events, s);
}
