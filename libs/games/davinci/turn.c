/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases, turns, eliminations and the end.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"

static uint32_t phase_ms(const struct davinci_state *state, enum davinci_phase phase)
{
    switch (phase) {
    case DAVINCI_CHOOSE_START: return DAVINCI_CHOOSE_MS;
    case DAVINCI_GUESS: return state->rules.turn_seconds * 1000u;
    default: return DAVINCI_STEP_MS;
    }
}

/* A seat that was given up plays at the pace of one that missed three turns: nobody is coming
 * back to think. */
bool davinci_is_hurried(const struct game_context *context, int seat)
{
    return ((context->hurried | context->left) >> seat & 1) != 0;
}

void davinci_enter(struct davinci_state *state, enum davinci_phase phase, instant_ms now,
                   bool hurried)
{
    state->phase = (uint8_t)phase;
    state->phase_started = now;
    if (phase == DAVINCI_FINISHED)
        state->deadline = INSTANT_NEVER;
    else
        state->deadline = now + (hurried ? GAME_HURRY_MS : phase_ms(state, phase));
}

void davinci_begin_turn(struct davinci_step *step, int seat)
{
    struct davinci_state *state = step->state;
    state->current = (uint8_t)seat;
    state->turn++;
    state->extended = 0;
    state->progress = 0;
    davinci_enter(state, davinci_pool_len(state) > 0 ? DAVINCI_DRAW : DAVINCI_GUESS,
                  step->context->now, davinci_is_hurried(step->context, seat));
    davinci_tell_turn(step->events, seat, state->turn);
}

/* D11: under `none` a table that only repeats itself would never end. */
static void count_idle(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    if (state->rules.reveal_own || state->penalty_switched) return;
    state->idle_turns = (uint8_t)(state->progress ? 0 : state->idle_turns + 1);
    if (state->idle_turns < DAVINCI_IDLE_ROUNDS * davinci_alive_count(state)) return;
    state->idle_turns = 0;
    state->penalty_switched = 1;
    davinci_tell_switched(step->events);
}

void davinci_end_turn(struct davinci_step *step, int newest_entry)
{
    struct davinci_state *state = step->state;
    CHECK(state->turn_tile == DAVINCI_NO_TILE);
    state->newest_seat = newest_entry > 0 ? state->current : 0;
    state->newest_entry = (uint8_t)newest_entry;
    count_idle(step);
    int seat = state->current;
    do {
        seat = (seat + 1) % state->seats;
    } while (!davinci_alive(state, seat));
    davinci_begin_turn(step, seat);
}

static void finish(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    for (int seat = 0; seat < state->seats; seat++)
        if (davinci_alive(state, seat)) state->winner = (uint8_t)seat;
    state->left = step->context->left & (seat_mask)((1u << state->seats) - 1);
    davinci_enter(state, DAVINCI_FINISHED, step->context->now, false);
    davinci_tell_finished(step->events, state->winner);
}

bool davinci_settle(struct davinci_step *step, int seat)
{
    struct davinci_state *state = step->state;
    if (davinci_alive(state, seat)) return false;
    state->out[state->out_count++] = (uint8_t)seat;
    davinci_tell_eliminated(step->events, seat);
    if (davinci_alive_count(state) > 1) return false;
    finish(step);
    return true;
}

seat_mask davinci_to_act(const struct davinci_state *state)
{
    if (state->phase == DAVINCI_FINISHED) return 0;
    if (state->phase != DAVINCI_CHOOSE_START) return (seat_mask)(1u << state->current);
    uint32_t mask = 0;
    for (int seat = 0; seat < state->seats; seat++)
        mask |= (uint32_t)!state->pick[seat].made << seat;
    return (seat_mask)mask;
}
