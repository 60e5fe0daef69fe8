/* SPDX-License-Identifier: Apache-2.0
 *
 * Random actions for the conformance suite and for bots of tests: legal ones, near misses and
 * garbage.
 */
#include "games/baseball/baseball.h"

static void type(const struct baseball_rules *rules, uint32_t code, struct baseball_action *out)
{
    char text[BASEBALL_DIGITS_MAX + 1];
    baseball_write_code(rules, code, text);
    out->kind = BASEBALL_ACT_GUESS;
    out->text_len = rules->digits;
    memcpy(out->text, text, out->text_len);
}

static bool made_before(const struct baseball_player *player, uint32_t code)
{
    for (int i = 0; i < player->guesses; i++)
        if (player->code[i] == code) return true;
    return false;
}

/* Mostly any new code, sometimes the secret so that games end in every way, sometimes a hint. */
static void legal(const struct baseball_state *state, int seat, struct rng *rng,
                  struct baseball_action *out)
{
    const struct baseball_player *player = &state->player[seat];
    uint32_t dice = rng_below(rng, 100), code = state->secret;
    if (dice < 15 && player->hints < state->rules.hints_most) {
        out->kind = BASEBALL_ACT_HINT;
        out->number = player->hints + 1u;
        return;
    }
    if (dice >= 98) {
        out->kind = BASEBALL_ACT_GIVE_UP;
        out->number = player->guesses;
        return;
    }
    while (dice < 90 && (code == state->secret || made_before(player, code)))
        code = baseball_draw_code(&state->rules, rng);
    type(&state->rules, code, out);
}

/* Too short, too long, a digit twice, no digit, one that was made before; numbers around theirs. */
static void near_miss(const struct baseball_state *state, int seat, struct rng *rng,
                      struct baseball_action *out)
{
    const struct baseball_player *player = &state->player[seat];
    uint32_t code = baseball_draw_code(&state->rules, rng);
    switch (rng_below(rng, 7)) {
    case 0:
        out->kind = BASEBALL_ACT_HINT;
        out->number = player->hints + rng_below(rng, 3);
        return;
    case 1:
        out->kind = BASEBALL_ACT_GIVE_UP;
        out->number = player->guesses + 1u;
        return;
    case 2:
        if (player->guesses) code = player->code[rng_below(rng, player->guesses)];
        type(&state->rules, code, out);
        return;
    case 3:
        type(&state->rules, code, out);
        out->text_len--;
        return;
    case 4:
        type(&state->rules, code, out);
        out->text[out->text_len++] = '0';
        return;
    case 5:
        type(&state->rules, code, out);
        out->text[rng_below(rng, state->rules.digits)] = (uint8_t)rng_below(rng, 256);
        return;
    default:
        type(&state->rules, code, out);
        out->text[0] = out->text[out->text_len - 1];
        return;
    }
}

size_t baseball_random_action(const void *data, int seat, int kind, struct rng *rng, uint8_t *bytes)
{
    const struct baseball_state *state = data;
    struct baseball_action action = {.number = 0};
    bool can = state->phase == BASEBALL_PLAYING && baseball_at_it(state) >> seat & 1;
    if (kind == 0 && !can) return 0;
    if (kind == 2) {
        size_t len = 1 + rng_below(rng, 24);
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_below(rng, 256);
        return len;
    }
    if (kind == 0)
        legal(state, seat, rng, &action);
    else
        near_miss(state, seat, rng, &action);
    return baseball_write_action(&action, bytes);
}
