/* SPDX-License-Identifier: Apache-2.0
 *
 * hint: one more digit of the secret and its place, in an order that is the same for everybody
 * (N3). It names which of the player's hints is meant, so that tapping twice burns one.
 */
#include "games/baseball/baseball.h"

enum status baseball_on_hint(struct baseball_step *step)
{
    struct baseball_state *state = step->state;
    struct baseball_player *player = &state->player[step->seat];
    int most = state->rules.hints_most;
    if (most == 0) return baseball_refuse(step, BASEBALL_HINTS_OFF);
    if (player->hints == most) return baseball_refuse_with(step, BASEBALL_NO_HINT_LEFT, most);
    if (step->action->number != player->hints + 1u)
        return baseball_refuse_with(step, BASEBALL_HINT_NUMBER, player->hints + 1);

    player->hints++;
    baseball_tell_hinted(step->events, state, step->seat);
    return ST_OK;
}
