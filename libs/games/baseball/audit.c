/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of every state: codes are codes, nobody has a guess twice or after an end, only who
 * solved it has named the secret. decode accepts nothing else, so a damaged save cannot reach an
 * assertion of the engine later.
 */
#include "games/baseball/baseball.h"

#define SOUND(condition, sentence)         \
    do {                                   \
        if (!(condition)) return sentence; \
    } while (0)

/* Far beyond any game and far from overflow. */
#define INSTANT_MAX (UINT64_C(1) << 53)

static const char *audit_rules(const struct baseball_state *state)
{
    const struct baseball_rules *rules = &state->rules;
    SOUND(rules->digits >= 2 && rules->digits <= BASEBALL_DIGITS_MAX, "a code has 2 to 5 digits");
    SOUND(rules->symbols > rules->digits && rules->symbols <= BASEBALL_SYMBOLS,
          "there are more digits than a code takes, and ten at most");
    SOUND(rules->guess_limit == 0 || (rules->guess_limit >= 5 && rules->guess_limit <= 20),
          "5 to 20 guesses, or no limit");
    SOUND(rules->guess_limit > 0 || rules->time_limit_s > 0, "nothing limits the game");
    SOUND(rules->time_limit_s <= BASEBALL_LONGEST_S, "a game takes an hour at most");
    SOUND(rules->hints_most == 0 || rules->hints_most == baseball_hints_for(rules->digits),
          "hints go by the digits");
    SOUND(state->seats >= 1 && state->seats <= BASEBALL_SEATS_MAX, "there are 1 to 12 seats");
    SOUND(state->phase >= BASEBALL_COUNTDOWN && state->phase <= BASEBALL_FINISHED, "no such phase");
    return NULL;
}

static const char *audit_time(const struct baseball_state *state)
{
    uint32_t limit_s = state->rules.time_limit_s ? state->rules.time_limit_s : BASEBALL_LONGEST_S;
    SOUND(state->starts >= BASEBALL_COUNTDOWN_MS && state->starts <= INSTANT_MAX,
          "a start in no possible time");
    SOUND(state->ends == state->starts + limit_s * UINT64_C(1000), "the end is not the limit's");
    if (state->quiet_since == INSTANT_NEVER) return NULL;
    SOUND(state->phase != BASEBALL_FINISHED, "a finished game waits for nobody");
    SOUND(state->quiet_since >= state->starts - BASEBALL_COUNTDOWN_MS &&
              state->quiet_since < state->ends,
          "an absence outside of the game");
    return NULL;
}

static const char *audit_secret(const struct baseball_state *state)
{
    uint32_t places = 0;
    SOUND(baseball_is_code(&state->rules, state->secret), "the secret is no code");
    for (int i = 0; i < state->rules.digits; i++) {
        SOUND(state->hint_at[i] < state->rules.digits && !(places >> state->hint_at[i] & 1),
              "hints tell a place twice");
        places |= 1u << state->hint_at[i];
    }
    return NULL;
}

static const char *audit_log(const struct baseball_state *state,
                             const struct baseball_player *player)
{
    bool solved = player->standing == BASEBALL_SOLVED;
    for (int i = 0; i < player->guesses; i++) {
        bool last = i == player->guesses - 1;
        SOUND(baseball_is_code(&state->rules, player->code[i]), "a guess is no code");
        SOUND((player->code[i] == state->secret) == (solved && last),
              "the secret is the last guess of who solved it, and nobody else's");
        for (int k = 0; k < i; k++)
            SOUND(player->code[k] != player->code[i], "a guess is there twice");
    }
    SOUND(!solved || player->guesses > 0, "solved without a guess");
    return NULL;
}

static const char *audit_player(const struct baseball_state *state,
                                const struct baseball_player *player)
{
    int most = baseball_guesses_most(&state->rules);
    bool at_it = player->standing == BASEBALL_AT_IT;
    SOUND(player->standing >= BASEBALL_AT_IT && player->standing <= BASEBALL_TIME_OVER,
          "no such standing");
    SOUND(player->hints <= state->rules.hints_most, "too many hints");
    SOUND(player->guesses <= most, "too many guesses");
    SOUND(player->standing == BASEBALL_SOLVED ||
              (player->guesses == most) == (player->standing == BASEBALL_EXHAUSTED),
          "exhausted is who has no guess left");
    SOUND(at_it ? player->ended == 0
                : player->ended >= state->starts && player->ended <= state->ends,
          "an end outside of the game");
    if (state->phase == BASEBALL_COUNTDOWN)
        SOUND(at_it && player->guesses == 0 && player->hints == 0, "played before the start");
    return audit_log(state, player);
}

static const char *audit_end(const struct baseball_state *state)
{
    bool over = state->phase == BASEBALL_FINISHED;
    instant_ms at = INSTANT_NEVER;
    SOUND((baseball_at_it(state) == 0) == over, "the game is over when nobody is at it");
    for (int seat = 0; seat < state->seats; seat++) {
        if (state->player[seat].standing != BASEBALL_TIME_OVER) continue;
        SOUND(at == INSTANT_NEVER || at == state->player[seat].ended, "time is over for all alike");
        at = state->player[seat].ended;
    }
    SOUND(state->left >> state->seats == 0 && (over || state->left == 0), "no such seat left");
    if (!over) {
        SOUND(state->cause == 0 && at == INSTANT_NEVER, "an end before the end");
        return NULL;
    }
    SOUND(state->cause >= BASEBALL_ALL_ENDED && state->cause <= BASEBALL_ABSENCE, "no such cause");
    SOUND((at == INSTANT_NEVER) == (state->cause == BASEBALL_ALL_ENDED),
          "the game ends early for who is still at it");
    SOUND((at == state->ends) == (state->cause == BASEBALL_TIME_LIMIT),
          "the time limit is when the time is over");
    return NULL;
}

const char *baseball_audit(const void *data)
{
    static const char *(*const audits[])(const struct baseball_state *) = {
        audit_rules,
        audit_time,
        audit_secret,
    };
    const struct baseball_state *state = data;
    for (size_t i = 0; i < sizeof audits / sizeof audits[0]; i++) {
        const char *fault = audits[i](state);
        if (fault) return fault;
    }
    for (int seat = 0; seat < state->seats; seat++) {
        const char *fault = audit_player(state, &state->player[seat]);
        if (fault) return fault;
    }
    return audit_end(state);
}
