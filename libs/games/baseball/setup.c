/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting up. All randomness of a game is drawn here, from one stream per purpose: the order of
 * hints tells nothing of the secret.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"

int baseball_hints_for(int digits)
{
    return digits > 3 ? digits - 2 : 1;
}

int baseball_guesses_most(const struct baseball_rules *rules)
{
    return rules->guess_limit ? rules->guess_limit : BASEBALL_GUESSES_MAX;
}

static void set_rules(struct baseball_rules *rules, const struct game_options *options, int symbols,
                      int digits)
{
    const int32_t *value = options->value;
    bool limited = value[BASEBALL_OPT_GUESS_LIMIT] != 0;
    *rules = (struct baseball_rules){
        .digits = (uint8_t)digits,
        .symbols = (uint8_t)symbols,
        .guess_limit = (uint8_t)(limited ? value[BASEBALL_OPT_GUESSES] : 0),
        .hints_most = (uint8_t)(value[BASEBALL_OPT_HINTS] ? baseball_hints_for(digits) : 0),
        .time_limit_s = (uint16_t)(value[BASEBALL_OPT_TIME_LIMIT] * 60),
    };
}

void baseball_setup_small(struct baseball_state *state, const struct game_setup *setup, int symbols,
                          int digits)
{
    struct rng rng;
    CHECK(setup->seats >= 1 && setup->seats <= BASEBALL_SEATS_MAX);
    CHECK(digits >= 2 && digits <= BASEBALL_DIGITS_MAX);
    CHECK(symbols > digits && symbols <= BASEBALL_SYMBOLS);
    memset(state, 0, sizeof *state);
    set_rules(&state->rules, setup->options, symbols, digits);
    state->seats = (uint8_t)setup->seats;
    state->phase = BASEBALL_COUNTDOWN;
    state->starts = setup->now + BASEBALL_COUNTDOWN_MS;
    uint32_t limit_s = state->rules.time_limit_s ? state->rules.time_limit_s : BASEBALL_LONGEST_S;
    state->ends = state->starts + limit_s * UINT64_C(1000);

    rng_init(&rng, setup->seed, "baseball secret");
    state->secret = baseball_draw_code(&state->rules, &rng);
    rng_init(&rng, setup->seed, "baseball hints");
    for (int i = 0; i < digits; i++) state->hint_at[i] = (uint8_t)i;
    rng_shuffle(&rng, state->hint_at, (size_t)digits);

    for (int seat = 0; seat < state->seats; seat++) state->player[seat].standing = BASEBALL_AT_IT;
    state->quiet_since = INSTANT_NEVER;
    baseball_note_absence(state,
                          &(struct game_context){.now = setup->now, .connected = setup->connected});
}

void baseball_setup(void *state, const struct game_setup *setup)
{
    baseball_setup_small(state, setup, BASEBALL_SYMBOLS,
                         setup->options->value[BASEBALL_OPT_DIGITS]);
}
