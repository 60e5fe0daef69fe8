/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting up and dealing. All randomness of a game is drawn here, from one stream per purpose:
 * who starts tells nothing of a pile, and a pile nothing of the other. Afterwards every draw
 * takes a front.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"

int davinci_start_tiles(const struct game_options *options, int seats)
{
    int chosen = options->value[DAVINCI_OPT_START_TILES];
    if (chosen != 0) return chosen;
    return seats == 4 ? 3 : 4;
}

static void shuffle_pile(struct davinci_state *state, const struct game_seed *seed, int color)
{
    struct rng rng;
    rng_init(&rng, seed, color == DAVINCI_BLACK ? "davinci black pile" : "davinci white pile");
    for (int n = 0; n < state->rules.numbers; n++)
        state->pile[color][n] = (uint8_t)davinci_tile_of(color, n + 1);
    state->pile_len[color] = state->rules.numbers;
    rng_shuffle(&rng, state->pile[color], state->rules.numbers);
}

static void shuffle_merged(struct davinci_state *state, const struct game_seed *seed)
{
    struct rng rng;
    rng_init(&rng, seed, "davinci merged order");
    state->merged_len = (uint8_t)(2 * state->rules.numbers);
    for (int i = 0; i < state->merged_len; i++)
        state->merged[i] = i < state->rules.numbers ? DAVINCI_BLACK : DAVINCI_WHITE;
    rng_shuffle(&rng, state->merged, state->merged_len);
}

int davinci_take(struct davinci_state *state, int color)
{
    CHECK(state->pile_len[color] > 0);
    int tile = state->pile[color][0];
    state->pile_len[color]--;
    memmove(state->pile[color], state->pile[color] + 1, state->pile_len[color]);
    state->pile[color][state->pile_len[color]] = 0;
    if (state->merged_len > 0) {
        CHECK(state->merged[0] == color);
        state->merged_len--;
        memmove(state->merged, state->merged + 1, state->merged_len);
        state->merged[state->merged_len] = 0;
    }
    return tile;
}

static void deal_one(struct davinci_state *state, int seat, int color)
{
    int tile = davinci_take(state, color);
    davinci_row_insert(state, seat, davinci_row_place(state, seat, tile), tile, false);
}

/* A place among `len` items for one more. */
static void put_between(uint8_t *items, uint8_t *len, int place, int item)
{
    memmove(items + place + 1, items + place, (size_t)(*len - place));
    items[place] = (uint8_t)item;
    (*len)++;
}

/* Each joker goes into its own colour's pile; in the merged order its colour gets one more place
 * of its own (a token put anywhere into a uniform order leaves the order uniform). */
static void mix_jokers(struct davinci_state *state)
{
    struct rng rng;
    rng_init(&rng, &state->joker_seed, "davinci joker places");
    for (int color = DAVINCI_BLACK; state->rules.jokers && color <= DAVINCI_WHITE; color++) {
        int place = (int)rng_below(&rng, state->pile_len[color] + 1u);
        put_between(state->pile[color], &state->pile_len[color], place,
                    davinci_tile_of(color, DAVINCI_FACE_JOKER));
        if (!state->rules.choose_colors) {
            place = (int)rng_below(&rng, state->merged_len + 1u);
            put_between(state->merged, &state->merged_len, place, color);
        }
    }
    memset(&state->joker_seed, 0, sizeof state->joker_seed);
}

void davinci_deal(struct davinci_state *state)
{
    for (int i = 0; i < state->seats; i++) {
        int seat = (state->first + i) % state->seats;
        if (!state->rules.choose_colors) {
            for (int k = 0; k < state->rules.start_tiles; k++)
                deal_one(state, seat, state->merged[0]);
            continue;
        }
        for (int k = 0; k < state->pick[seat].black; k++) deal_one(state, seat, DAVINCI_BLACK);
        for (int k = 0; k < state->pick[seat].white; k++) deal_one(state, seat, DAVINCI_WHITE);
    }
    /* Entry numbers of the first hand go left to right: the order of dealing is nobody's
     * business. */
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++)
            state->row[seat].at[i].entry = (uint8_t)(i + 1);
    memset(state->pick, 0, sizeof state->pick);
    mix_jokers(state);
}

void davinci_pick_limits(const struct davinci_state *state, int most[2])
{
    most[DAVINCI_BLACK] = most[DAVINCI_WHITE] = state->rules.numbers;
    for (int seat = 0; seat < state->seats; seat++) {
        most[DAVINCI_BLACK] -= state->pick[seat].black;
        most[DAVINCI_WHITE] -= state->pick[seat].white;
    }
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++)
        if (most[color] > state->rules.start_tiles) most[color] = state->rules.start_tiles;
}

static void set_rules(struct davinci_rules *rules, const struct game_options *options)
{
    const int32_t *value = options->value;
    *rules = (struct davinci_rules){
        .jokers = value[DAVINCI_OPT_JOKERS] != 0,
        .white_left = value[DAVINCI_OPT_TIE_ORDER] != 0,
        .choose_colors = value[DAVINCI_OPT_CHOOSE_COLORS] != 0,
        .reveal_own = value[DAVINCI_OPT_EMPTY_POOL] != 0,
        .turn_seconds = (uint8_t)value[DAVINCI_OPT_TURN_SECONDS],
        .helper = value[DAVINCI_OPT_HELPER] != 0,
        .history = value[DAVINCI_OPT_HISTORY] != 0,
    };
}

void davinci_setup_small(struct davinci_state *state, const struct game_setup *setup, int numbers,
                         int start_tiles)
{
    CHECK(setup->seats >= 2 && setup->seats <= DAVINCI_SEATS_MAX);
    CHECK(numbers >= 1 && numbers <= DAVINCI_NUMBERS && start_tiles * setup->seats <= 2 * numbers);
    memset(state, 0, sizeof *state);
    set_rules(&state->rules, setup->options);
    state->rules.numbers = (uint8_t)numbers;
    state->rules.start_tiles = (uint8_t)start_tiles;
    state->seats = (uint8_t)setup->seats;
    state->turn_tile = DAVINCI_NO_TILE;
    state->winner = DAVINCI_NO_SEAT;

    struct rng rng;
    rng_init(&rng, setup->seed, "davinci first player");
    uint32_t drawn = rng_below(&rng, (uint32_t)setup->seats);
    state->first = (uint8_t)(setup->starter >= 0 ? (uint32_t)setup->starter : drawn);
    shuffle_pile(state, setup->seed, DAVINCI_BLACK);
    shuffle_pile(state, setup->seed, DAVINCI_WHITE);
    rng_init(&rng, setup->seed, "davinci jokers");
    for (size_t i = 0; i < sizeof state->joker_seed.byte; i++)
        state->joker_seed.byte[i] = (uint8_t)rng_below(&rng, 256);
    if (state->rules.choose_colors) {
        davinci_enter(state, DAVINCI_CHOOSE_START, setup->now, false);
        return;
    }
    shuffle_merged(state, setup->seed);
    davinci_deal(state);
    state->current = state->first;
    state->turn = 1;
    davinci_enter(state, davinci_pool_len(state) > 0 ? DAVINCI_DRAW : DAVINCI_GUESS, setup->now,
                  false);
}

void davinci_setup(void *state, const struct game_setup *setup)
{
    davinci_setup_small(state, setup, DAVINCI_NUMBERS,
                        davinci_start_tiles(setup->options, setup->seats));
}
