/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of every state: tiles are conserved, rows are sorted, and each phase has what it
 * needs to go on. decode accepts nothing else, so a damaged save cannot reach an assertion of the
 * engine later.
 */
#include "games/davinci/davinci.h"

#define SOUND(condition, sentence)         \
    do {                                   \
        if (!(condition)) return sentence; \
    } while (0)

/* Far beyond any game and far from overflow. */
#define INSTANT_MAX (UINT64_C(1) << 53)
enum { PHASE_MS_MAX = 60000 + GAME_RETURN_MS, COUNT_MAX = 1 << 30 };

static bool is_flag(uint8_t value)
{
    return value <= 1;
}

static bool choosing(const struct davinci_state *state)
{
    return state->phase == DAVINCI_CHOOSE_START;
}

static const char *audit_rules(const struct davinci_state *state)
{
    const struct davinci_rules *rules = &state->rules;
    SOUND(is_flag(rules->jokers) && is_flag(rules->white_left) && is_flag(rules->choose_colors) &&
              is_flag(rules->reveal_own) && is_flag(rules->helper) && is_flag(rules->history),
          "a switch is neither on nor off");
    SOUND(rules->turn_seconds >= 1 && rules->turn_seconds <= 60, "a guess takes 1 to 60 s");
    SOUND(rules->numbers >= 1 && rules->numbers <= DAVINCI_NUMBERS, "there are 1 to 12 numbers");
    SOUND(state->seats >= 2 && state->seats <= DAVINCI_SEATS_MAX, "there are 2 to 4 seats");
    SOUND(rules->start_tiles >= 1 && rules->start_tiles <= rules->numbers &&
              rules->start_tiles * state->seats <= 2 * rules->numbers,
          "the start tiles must be there to deal");
    SOUND(state->phase >= DAVINCI_CHOOSE_START && state->phase <= DAVINCI_FINISHED,
          "no such phase");
    SOUND(state->first < state->seats && state->current < state->seats, "no such seat to move");
    SOUND(is_flag(state->extended) && is_flag(state->penalty_switched) && is_flag(state->progress),
          "a mark is neither set nor unset");
    return NULL;
}

static const char *audit_time(const struct davinci_state *state)
{
    SOUND(state->phase_started <= INSTANT_MAX, "a phase began in no possible time");
    if (state->phase == DAVINCI_FINISHED) {
        SOUND(state->deadline == INSTANT_NEVER, "a finished game waits for nothing");
        return NULL;
    }
    SOUND(state->deadline > state->phase_started, "a deadline lies after its phase begins");
    SOUND(state->deadline - state->phase_started <= PHASE_MS_MAX, "a deadline is too far away");
    return NULL;
}

static bool tile_exists(const struct davinci_state *state, int tile)
{
    if (tile >= DAVINCI_TILES_MAX) return false;
    if (davinci_is_joker(tile)) return state->rules.jokers && !choosing(state);
    return davinci_face_of(tile) <= state->rules.numbers;
}

/* Every tile once, over pool, rows and turn tile. */
static const char *audit_tiles(const struct davinci_state *state)
{
    uint8_t all[2 * DAVINCI_PILE_MAX + DAVINCI_SEATS_MAX * DAVINCI_ROW_MAX + 1];
    int count = 0;
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++)
        for (int i = 0; i < state->pile_len[color]; i++) {
            all[count] = state->pile[color][i];
            SOUND(tile_exists(state, all[count]), "no such tile");
            SOUND(davinci_color_of(all[count]) == color, "a tile lies in the other colour's pile");
            count++;
        }
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++) all[count++] = state->row[seat].at[i].tile;
    if (state->turn_tile != DAVINCI_NO_TILE) all[count++] = state->turn_tile;
    uint32_t seen = 0;
    for (int i = 0; i < count; i++) {
        SOUND(tile_exists(state, all[i]), "no such tile");
        SOUND(!(seen >> all[i] & 1), "a tile is there twice");
        seen |= 1u << all[i];
    }
    int jokers = state->rules.jokers && !choosing(state) ? 2 : 0;
    SOUND(count == 2 * state->rules.numbers + jokers, "a tile is missing");
    return NULL;
}

static const char *audit_merged(const struct davinci_state *state)
{
    if (state->rules.choose_colors) {
        SOUND(state->merged_len == 0, "a merged order beside chosen colours");
        return NULL;
    }
    int of_color[2] = {0, 0};
    for (int i = 0; i < state->merged_len; i++) {
        SOUND(state->merged[i] <= DAVINCI_WHITE, "no such colour in the merged order");
        of_color[state->merged[i]]++;
    }
    SOUND(of_color[DAVINCI_BLACK] == state->pile_len[DAVINCI_BLACK] &&
              of_color[DAVINCI_WHITE] == state->pile_len[DAVINCI_WHITE],
          "the merged order disagrees with the piles");
    return NULL;
}

static const char *audit_tile(const struct davinci_state *state, const struct davinci_tile *tile)
{
    uint32_t sayable = (2u << state->rules.numbers) - 2;
    if (state->rules.jokers) sayable |= 1u << DAVINCI_FACE_JOKER;
    SOUND(is_flag(tile->open), "a tile is neither open nor hidden");
    SOUND(!tile->open || tile->refuted == 0, "an open tile keeps refuted values");
    SOUND((tile->refuted & ~sayable) == 0, "a refuted value that nobody can say");
    SOUND(!(tile->refuted >> davinci_face_of(tile->tile) & 1), "the true value is refuted");
    SOUND(tile->entry > state->rules.start_tiles || !davinci_is_joker(tile->tile),
          "a joker in a first hand");
    return NULL;
}

/* Sorted, and entry numbers are 1 to the length in some order. */
static const char *audit_row(const struct davinci_state *state, int seat)
{
    const struct davinci_row *row = &state->row[seat];
    uint32_t entries = 0;
    int key = 0;
    for (int i = 0; i < row->len; i++) {
        const struct davinci_tile *tile = &row->at[i];
        const char *fault = audit_tile(state, tile);
        if (fault) return fault;
        SOUND(tile->entry >= 1 && tile->entry <= row->len && !(entries >> tile->entry & 1),
              "entry numbers are not 1 to the length");
        entries |= 1u << tile->entry;
        if (davinci_is_joker(tile->tile)) continue;
        int next =
            davinci_key(&state->rules, davinci_color_of(tile->tile), davinci_face_of(tile->tile));
        SOUND(next > key, "a row is not sorted");
        key = next;
    }
    SOUND(choosing(state) ? row->len == 0 : row->len >= state->rules.start_tiles,
          "a row has the wrong length");
    return NULL;
}

static const char *audit_picks(const struct davinci_state *state)
{
    int made = 0, black = 0, white = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        const struct davinci_pick *pick = &state->pick[seat];
        SOUND(is_flag(pick->made), "a pick is neither made nor missing");
        SOUND(pick->black + pick->white == (pick->made ? state->rules.start_tiles : 0),
              "a pick has the wrong sum");
        made += pick->made;
        black += pick->black;
        white += pick->white;
    }
    SOUND(black <= state->rules.numbers && white <= state->rules.numbers, "picks exceed a colour");
    SOUND(choosing(state) ? made < state->seats && state->rules.choose_colors : made == 0,
          "picks outside of their phase");
    return NULL;
}

static const char *audit_eliminations(const struct davinci_state *state)
{
    uint32_t gone = 0;
    for (int i = 0; i < state->out_count; i++) {
        int seat = state->out[i];
        SOUND(seat < state->seats && !(gone >> seat & 1) && !davinci_alive(state, seat),
              "an elimination that did not happen");
        gone |= 1u << seat;
    }
    int alive = davinci_alive_count(state);
    SOUND(alive + state->out_count == state->seats, "an elimination is not noted");
    if (state->phase != DAVINCI_FINISHED) {
        SOUND(alive >= 2 && davinci_alive(state, state->current), "nobody to go on with");
        SOUND(state->winner == DAVINCI_NO_SEAT && state->left == 0, "a winner before the end");
        return NULL;
    }
    SOUND(alive == 1 && state->winner < state->seats && davinci_alive(state, state->winner),
          "the winner is who has something hidden");
    SOUND(state->left >> state->seats == 0, "no such seat left");
    return NULL;
}

static const char *audit_phase(const struct davinci_state *state)
{
    bool held = state->turn_tile != DAVINCI_NO_TILE;
    bool pool = davinci_pool_len(state) > 0;
    SOUND(choosing(state) ? state->turn == 0 && state->current == 0
                          : state->turn >= 1 && state->turn <= COUNT_MAX,
          "no such turn");
    switch ((enum davinci_phase)state->phase) {
    case DAVINCI_CHOOSE_START: SOUND(!held, "a tile drawn before the deal"); break;
    case DAVINCI_DRAW: SOUND(!held && pool, "nothing to draw, or drawn already"); break;
    case DAVINCI_GUESS:
    case DAVINCI_AFTER_CORRECT: SOUND(held || !pool, "a guess without drawing"); break;
    case DAVINCI_PLACE_JOKER:
        SOUND(held && davinci_is_joker(state->turn_tile), "no joker to place");
        break;
    case DAVINCI_REVEAL_OWN:
        SOUND(!held && !pool, "a penalty while there was a turn tile");
        SOUND(state->rules.reveal_own || state->penalty_switched, "a penalty that is off");
        break;
    case DAVINCI_FINISHED: break;
    }
    return NULL;
}

/* D11: idle turns are counted under `none` alone, and never up to the switch. */
static const char *audit_counts(const struct davinci_state *state)
{
    SOUND(!state->rules.reveal_own || !state->penalty_switched, "a switch to what is on");
    SOUND(state->idle_turns == 0 ||
              (!state->rules.reveal_own && !state->penalty_switched && !choosing(state)),
          "idle turns are not counted here");
    SOUND(state->idle_turns < DAVINCI_IDLE_ROUNDS * DAVINCI_SEATS_MAX, "too many idle turns");
    for (int seat = 0; seat < state->seats; seat++)
        SOUND(state->correct[seat] <= state->guesses[seat] && state->guesses[seat] <= COUNT_MAX,
              "impossible statistics");
    if (state->newest_entry == 0) {
        SOUND(state->newest_seat == 0, "a newest tile of nobody");
        return NULL;
    }
    SOUND(state->newest_seat < state->seats &&
              state->newest_entry <= state->row[state->newest_seat].len,
          "no such newest tile");
    return NULL;
}

static const char *audit_history(const struct davinci_state *state)
{
    SOUND(state->rules.history || state->told_len == 0, "history is kept though it is off");
    for (int i = 0; i < state->told_len; i++) {
        const struct davinci_told *told = &state->told[i];
        SOUND(told->by < state->seats && told->target < state->seats && told->by != told->target,
              "a guess by or about nobody");
        SOUND(told->entry >= 1 && told->entry <= state->row[told->target].len &&
                  told->position < state->row[told->target].len,
              "a guess about no tile");
        SOUND(told->color <= DAVINCI_WHITE && told->said >= 1 && told->said <= DAVINCI_FACE_JOKER,
              "a guess of nothing");
        SOUND(is_flag(told->correct) && is_flag(told->automatic),
              "a guess neither right nor wrong");
        SOUND(told->turn >= 1 && told->turn <= state->turn, "a guess of a turn to come");
    }
    return NULL;
}

const char *davinci_audit(const void *data)
{
    static const char *(*const audits[])(const struct davinci_state *) = {
        audit_rules,        audit_time,  audit_tiles,  audit_merged,  audit_picks,
        audit_eliminations, audit_phase, audit_counts, audit_history,
    };
    const struct davinci_state *state = data;
    for (size_t i = 0; i < sizeof audits / sizeof audits[0]; i++) {
        const char *fault = audits[i](state);
        if (fault) return fault;
    }
    for (int seat = 0; seat < state->seats; seat++) {
        const char *fault = audit_row(state, seat);
        if (fault) return fault;
    }
    return NULL;
}
