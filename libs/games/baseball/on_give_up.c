/* SPDX-License-Identifier: Apache-2.0
 *
 * give up: an end like the others, without a rank. It names how many guesses its player had made:
 * who gives up on an older screen is asked again.
 */
#include "games/baseball/baseball.h"

enum status baseball_on_give_up(struct baseball_step *step)
{
    int made = step->state->player[step->seat].guesses;
    if (step->action->number != (uint32_t)made)
        return baseball_refuse_with(step, BASEBALL_GUESSES_MADE, made);
    baseball_end(step, BASEBALL_GAVE_UP);
    return ST_OK;
}
