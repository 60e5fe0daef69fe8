/* SPDX-License-Identifier: Apache-2.0
 *
 * The course of a game: countdown, playing, the ends of players and of the game, absence.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"

seat_mask baseball_at_it(const struct baseball_state *state)
{
    uint32_t mask = 0;
    for (int seat = 0; seat < state->seats; seat++)
        mask |= (uint32_t)(state->player[seat].standing == BASEBALL_AT_IT) << seat;
    return (seat_mask)mask;
}

uint32_t baseball_tenths(const struct baseball_state *state, int seat)
{
    const struct baseball_player *player = &state->player[seat];
    if (player->standing == BASEBALL_AT_IT) return 0;
    return (uint32_t)((player->ended - state->starts) / BASEBALL_TENTH_MS);
}

/* When absence ends the game; INSTANT_NEVER while somebody who is at it is there. */
static instant_ms quiet_end(const struct baseball_state *state)
{
    return state->quiet_since == INSTANT_NEVER ? INSTANT_NEVER
                                               : state->quiet_since + BASEBALL_ABSENCE_MS;
}

instant_ms baseball_deadline(const struct baseball_state *state)
{
    _Static_assert((int)BASEBALL_ABSENCE_MS > (int)BASEBALL_COUNTDOWN_MS,
                   "nobody is missed before the start");
    switch ((enum baseball_phase)state->phase) {
    case BASEBALL_COUNTDOWN: return state->starts;
    case BASEBALL_PLAYING: return quiet_end(state) < state->ends ? quiet_end(state) : state->ends;
    case BASEBALL_FINISHED: break;
    }
    return INSTANT_NEVER;
}

void baseball_note_absence(struct baseball_state *state, const struct game_context *context)
{
    bool somebody = (baseball_at_it(state) & context->connected) != 0;
    if (somebody || state->phase == BASEBALL_FINISHED)
        state->quiet_since = INSTANT_NEVER;
    else if (state->quiet_since == INSTANT_NEVER)
        state->quiet_since = context->now;
}

static void end_player(struct baseball_step *step, int seat, enum baseball_standing standing,
                       instant_ms at)
{
    struct baseball_player *player = &step->state->player[seat];
    player->standing = (uint8_t)standing;
    player->ended = at;
    baseball_tell_ended(step->events, step->state, seat);
}

/* Who is still at it by then is out of time (N5). */
static void finish(struct baseball_step *step, enum baseball_cause cause, instant_ms at)
{
    struct baseball_state *state = step->state;
    for (int seat = 0; seat < state->seats; seat++)
        if (state->player[seat].standing == BASEBALL_AT_IT)
            end_player(step, seat, BASEBALL_TIME_OVER, at);
    state->phase = BASEBALL_FINISHED;
    state->cause = (uint8_t)cause;
    state->left = step->context->left & (seat_mask)((1u << state->seats) - 1);
    state->quiet_since = INSTANT_NEVER;
    baseball_tell_finished(step->events, cause);
}

void baseball_end(struct baseball_step *step, enum baseball_standing standing)
{
    struct baseball_state *state = step->state;
    CHECK(state->player[step->seat].standing == BASEBALL_AT_IT);
    end_player(step, step->seat, standing, step->context->now);
    if (baseball_at_it(state) == 0)
        finish(step, BASEBALL_ALL_ENDED, step->context->now);
    else
        baseball_note_absence(state, step->context);
}

/* A fire before the deadline, or after the end, changes nothing. However late it comes, what it
 * does happened at the deadline. */
void baseball_on_clock(struct baseball_step *step)
{
    struct baseball_state *state = step->state;
    instant_ms deadline = baseball_deadline(state);
    if (step->context->now < deadline) return;
    switch ((enum baseball_phase)state->phase) {
    case BASEBALL_COUNTDOWN:
        state->phase = BASEBALL_PLAYING;
        baseball_tell_started(step->events);
        break;
    case BASEBALL_PLAYING:
        finish(step, deadline == state->ends ? BASEBALL_TIME_LIMIT : BASEBALL_ABSENCE, deadline);
        break;
    case BASEBALL_FINISHED: break;
    }
}
