/* SPDX-License-Identifier: Apache-2.0
 *
 * chooseStart: everybody picks how many black and white tiles to begin with, at the same time
 * (D5). Arrival order decides what still fits; what is dealt depends on the picks alone (D6).
 */
#include "games/davinci/davinci.h"

/* The last pick deals and begins the first turn. */
static void complete(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    if (davinci_to_act(state) != 0) return;
    davinci_deal(state);
    davinci_tell_dealt(step->events);
    state->phase = DAVINCI_DRAW;
    davinci_begin_turn(step, state->first);
}

enum status davinci_on_choose_start(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    const struct davinci_action *action = step->action;
    struct davinci_pick *pick = &state->pick[step->seat];
    if (state->phase != DAVINCI_CHOOSE_START) return davinci_refuse(step, DAVINCI_WRONG_PHASE);
    if (pick->made) {
        if (pick->black == action->black && pick->white == action->white) return ST_OK;
        return davinci_refuse(step, DAVINCI_ALREADY_PICKED);
    }
    uint32_t each = state->rules.start_tiles;
    if (action->black > each || action->white > each || action->black + action->white != each)
        return davinci_refuse_with(step, DAVINCI_SUM, (int32_t)each);
    int most[2];
    davinci_pick_limits(state, most);
    if ((int)action->black > most[DAVINCI_BLACK] || (int)action->white > most[DAVINCI_WHITE]) {
        step->refusal->params[0] = most[DAVINCI_BLACK];
        step->refusal->params[1] = most[DAVINCI_WHITE];
        step->refusal->param_count = 2;
        return davinci_refuse(step, DAVINCI_TOO_MANY);
    }
    *pick = (struct davinci_pick){1, (uint8_t)action->black, (uint8_t)action->white};
    davinci_tell_picked(step->events, step->seat, step->automatic);
    complete(step);
    return ST_OK;
}
