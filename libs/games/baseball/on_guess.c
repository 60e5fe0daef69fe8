/* SPDX-License-Identifier: Apache-2.0
 *
 * guess: any code, consistent with what the player knows or not. One that the player has made
 * before is refused without counting, since ranks go by the count.
 */
#include "games/baseball/baseball.h"

/* The how-manieth guess of the player this was; 0 for none. */
static int made_before(const struct baseball_player *player, uint32_t code)
{
    for (int i = 0; i < player->guesses; i++)
        if (player->code[i] == code) return i + 1;
    return 0;
}

enum status baseball_on_guess(struct baseball_step *step)
{
    struct baseball_state *state = step->state;
    struct baseball_player *player = &state->player[step->seat];
    struct slice text = slice_of(step->action->text, step->action->text_len);
    uint32_t code;
    int32_t param;
    enum baseball_reason reason = baseball_read_code(&state->rules, text, &code, &param);
    if (reason == BASEBALL_CHAR) return baseball_refuse(step, reason);
    if (reason != 0) return baseball_refuse_with(step, reason, param);
    int before = made_before(player, code);
    if (before) return baseball_refuse_with(step, BASEBALL_REPEAT, before);

    player->code[player->guesses++] = code;
    baseball_tell_guessed(step->events, state, step->seat);
    if (code == state->secret)
        baseball_end(step, BASEBALL_SOLVED);
    else if (player->guesses == baseball_guesses_most(&state->rules))
        baseball_end(step, BASEBALL_EXHAUSTED);
    return ST_OK;
}
