/* SPDX-License-Identifier: Apache-2.0
 *
 * draw: the front of a pile becomes the turn tile. It stays aside until the turn ends.
 */
#include "games/davinci/davinci.h"

enum status davinci_on_draw(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    int color = step->action->color;
    if (state->phase != DAVINCI_DRAW) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    if (!state->rules.choose_colors) {
        if (color >= 0) return davinci_refuse(step, DAVINCI_NO_COLOR_CHOICE);
        color = state->merged[0];
    }
    if (color < 0) return davinci_refuse(step, DAVINCI_COLOR_NEEDED);
    if (state->pile_len[color] == 0)
        return davinci_refuse_with(step, DAVINCI_COLOR_EMPTY, color + 1);
    state->turn_tile = (uint8_t)davinci_take(state, color);
    davinci_tell_drawn(step->events, step->seat, state->turn_tile, step->automatic);
    davinci_enter(state, DAVINCI_GUESS, step->context->now,
                  davinci_is_hurried(step->context, step->seat));
    return ST_OK;
}
