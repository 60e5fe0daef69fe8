/* SPDX-License-Identifier: Apache-2.0
 *
 * guess: name the number of one hidden tile of a living opponent. What cannot be is allowed (D28).
 */
#include "games/davinci/davinci.h"

static enum status judge(struct davinci_step *step)
{
    const struct davinci_state *state = step->state;
    const struct davinci_action *action = step->action;
    if (state->phase != DAVINCI_GUESS) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    if (action->target >= state->seats) return davinci_refuse(step, DAVINCI_NO_SUCH_PLAYER);
    if ((int)action->target == step->seat) return davinci_refuse(step, DAVINCI_OWN_TILE);
    if (!davinci_alive(state, (int)action->target)) return davinci_refuse(step, DAVINCI_ELIMINATED);
    if (action->index >= state->row[action->target].len)
        return davinci_refuse(step, DAVINCI_NO_SUCH_TILE);
    if (state->row[action->target].at[action->index].open)
        return davinci_refuse(step, DAVINCI_REVEALED);
    if (action->face == DAVINCI_FACE_JOKER)
        return state->rules.jokers ? ST_OK : davinci_refuse(step, DAVINCI_NO_JOKERS);
    if (action->face < 1 || action->face > state->rules.numbers)
        return davinci_refuse(step, DAVINCI_VALUE_RANGE);
    return ST_OK;
}

static void remember(struct davinci_state *state, const struct davinci_told *told)
{
    if (!state->rules.history) return;
    if (state->told_len == DAVINCI_HISTORY_MAX)
        memmove(state->told, state->told + 1, --state->told_len * sizeof state->told[0]);
    state->told[state->told_len++] = *told;
}

static void hit(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    int target = (int)step->action->target;
    davinci_row_open(state, target, (int)step->action->index);
    state->progress = 1;
    if (!davinci_settle(step, target))
        davinci_enter(state, DAVINCI_AFTER_CORRECT, step->context->now,
                      davinci_is_hurried(step->context, step->seat));
}

/* The penalty: the turn tile enters the row open, or an own tile is revealed, or nothing. */
static void miss(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    bool hurried = davinci_is_hurried(step->context, step->seat);
    int tile = state->turn_tile;
    if (tile == DAVINCI_NO_TILE) {
        if (state->rules.reveal_own || state->penalty_switched)
            davinci_enter(state, DAVINCI_REVEAL_OWN, step->context->now, hurried);
        else
            davinci_end_turn(step, 0);
        return;
    }
    state->progress = 1;
    if (davinci_is_joker(tile)) {
        davinci_tell_joker_opened(step->events, step->seat);
        davinci_enter(state, DAVINCI_PLACE_JOKER, step->context->now, hurried);
        return;
    }
    int place = davinci_row_place(state, step->seat, tile);
    state->turn_tile = DAVINCI_NO_TILE;
    int entry = davinci_row_insert(state, step->seat, place, tile, true);
    davinci_tell_inserted(step->events, step->seat, place, davinci_color_of(tile),
                          davinci_face_of(tile), step->automatic);
    davinci_end_turn(step, entry);
}

enum status davinci_on_guess(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    const struct davinci_action *action = step->action;
    enum status status = judge(step);
    if (status != ST_OK) return status;
    struct davinci_tile *tile = &state->row[action->target].at[action->index];
    struct davinci_told told = {
        .by = (uint8_t)step->seat,
        .target = (uint8_t)action->target,
        .position = (uint8_t)action->index,
        .entry = tile->entry,
        .color = (uint8_t)davinci_color_of(tile->tile),
        .said = (uint8_t)action->face,
        .correct = davinci_face_of(tile->tile) == action->face,
        .automatic = step->automatic,
        .turn = state->turn,
    };
    if (!step->automatic) {
        state->guesses[step->seat]++;
        state->correct[step->seat] += told.correct;
    }
    remember(state, &told);
    davinci_tell_guessed(step->events, &told);
    if (told.correct) {
        hit(step);
    } else {
        uint16_t bit = (uint16_t)(1u << action->face);
        if (!(tile->refuted & bit)) state->progress = 1;
        tile->refuted |= bit;
        miss(step);
    }
    return ST_OK;
}
