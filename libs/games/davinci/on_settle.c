/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows a guess: go on or stop after a hit; place an open joker or reveal an own tile
 * after a miss.
 */
#include "games/davinci/davinci.h"

enum status davinci_on_continue(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    if (state->phase != DAVINCI_AFTER_CORRECT) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    davinci_tell_went_on(step->events, step->seat);
    davinci_enter(state, DAVINCI_GUESS, step->context->now,
                  davinci_is_hurried(step->context, step->seat));
    return ST_OK;
}

/* The turn tile enters the row and the turn ends. */
static void put(struct davinci_step *step, int place, bool open)
{
    struct davinci_state *state = step->state;
    int tile = state->turn_tile;
    state->turn_tile = DAVINCI_NO_TILE;
    int entry = davinci_row_insert(state, step->seat, place, tile, open);
    bool shown = open || MUTANT(hidden_tile_told);
    davinci_tell_inserted(step->events, step->seat, place, davinci_color_of(tile),
                          shown ? davinci_face_of(tile) : DAVINCI_FACE_HIDDEN, step->automatic);
    davinci_end_turn(step, entry);
}

/* D9: a hidden joker enters in the same step, with the same events and deadlines, as a hidden
 * number. */
enum status davinci_on_stop(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    const struct davinci_action *action = step->action;
    if (state->phase != DAVINCI_AFTER_CORRECT) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    int tile = state->turn_tile;
    bool joker = tile != DAVINCI_NO_TILE && davinci_is_joker(tile);
    if (action->joker && !joker) return davinci_refuse(step, DAVINCI_NO_JOKER_HELD);
    int len = state->row[step->seat].len;
    if (joker && (!action->joker || action->index > (uint32_t)len))
        return davinci_refuse_with(step, DAVINCI_JOKER_PLACE, len);
    if (tile == DAVINCI_NO_TILE)
        davinci_end_turn(step, 0);
    else
        put(step, joker ? (int)action->index : davinci_row_place(state, step->seat, tile), false);
    return ST_OK;
}

enum status davinci_on_place_joker(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    if (state->phase != DAVINCI_PLACE_JOKER) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    int len = state->row[step->seat].len;
    if (step->action->index > (uint32_t)len)
        return davinci_refuse_with(step, DAVINCI_JOKER_PLACE, len);
    put(step, (int)step->action->index, true);
    return ST_OK;
}

enum status davinci_on_reveal_own(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    uint32_t index = step->action->index;
    if (state->phase != DAVINCI_REVEAL_OWN) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    if (index >= state->row[step->seat].len) return davinci_refuse(step, DAVINCI_NO_SUCH_TILE);
    if (state->row[step->seat].at[index].open) return davinci_refuse(step, DAVINCI_REVEALED);
    davinci_row_open(state, step->seat, (int)index);
    state->progress = 1;
    davinci_tell_revealed(step->events, step->seat, (int)index,
                          davinci_face_of(state->row[step->seat].at[index].tile), step->automatic);
    if (!davinci_settle(step, step->seat)) davinci_end_turn(step, 0);
    return ST_OK;
}
