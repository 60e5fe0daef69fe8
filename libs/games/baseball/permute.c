/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: another world that one viewer cannot tell from this one. Another secret
 * that answers the viewer's guesses and hints alike, another order of hints to come, other guesses
 * of everybody else that ended for them as they did.
 */
#include "games/baseball/baseball.h"

enum { TRIES = 96 };

static bool answers_alike(const struct baseball_state *state, int viewer, uint32_t secret)
{
    const struct baseball_rules *rules = &state->rules;
    if (viewer < 0) return true;
    const struct baseball_player *player = &state->player[viewer];
    for (int i = 0; i < player->guesses; i++) {
        struct baseball_judged was = baseball_judge(rules, state->secret, player->code[i]);
        struct baseball_judged is = baseball_judge(rules, secret, player->code[i]);
        if (was.strikes != is.strikes || was.balls != is.balls) return false;
    }
    for (int i = 0; i < player->hints; i++)
        if (baseball_digit(rules, state->secret, state->hint_at[i]) !=
            baseball_digit(rules, secret, state->hint_at[i]))
            return false;
    return true;
}

static bool change_secret(struct baseball_state *state, int viewer, struct rng *rng)
{
    for (int i = 0; i < TRIES; i++) {
        uint32_t secret = baseball_draw_code(&state->rules, rng);
        if (secret == state->secret || !answers_alike(state, viewer, secret)) continue;
        state->secret = secret;
        return true;
    }
    return false;
}

static bool change_hints(struct baseball_state *state, int viewer, struct rng *rng)
{
    int known = viewer < 0 ? 0 : state->player[viewer].hints;
    rng_shuffle(rng, state->hint_at + known, (size_t)(state->rules.digits - known));
    return known + 1 < state->rules.digits;
}

/* As many others; the last is the new secret for who solved it. */
static bool change_guesses(const struct baseball_state *state, struct baseball_player *player,
                           struct rng *rng)
{
    for (int i = 0; i < player->guesses; i++) {
        bool solving = player->standing == BASEBALL_SOLVED && i == player->guesses - 1;
        bool taken;
        do {
            player->code[i] = solving ? state->secret : baseball_draw_code(&state->rules, rng);
            taken = !solving && player->code[i] == state->secret;
            for (int k = 0; k < i; k++) taken = taken || player->code[k] == player->code[i];
        } while (taken);
    }
    return player->guesses > 0;
}

bool baseball_permute_hidden(void *data, int viewer_seat, struct rng *rng)
{
    struct baseball_state *state = data;
    if (state->phase == BASEBALL_FINISHED) return false;
    bool changed = change_secret(state, viewer_seat, rng);
    changed |= change_hints(state, viewer_seat, rng);
    for (int seat = 0; seat < state->seats; seat++)
        if (seat != viewer_seat) changed |= change_guesses(state, &state->player[seat], rng);
    return changed;
}
