/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine agrees with a slow reference: over thousands of random games, and on tiny sets of
 * tiles over everything that can be said and done.
 */
#include "unit/games/davinci_expect.h"
#include "unit/games/davinci_reference.h"
#include "unit/test.h"

#include "base/hash.h"
#include "base/map.h"

struct pair {
    struct davinci_state state;
    struct reference ref;
};

/* One action to both. Fails when they disagree; true when it was accepted. */
static bool both(struct pair *pair, int seat, const struct davinci_action *action, uint64_t now,
                 seat_mask hurried)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct game_events events = {0};
    struct game_refusal refusal;
    struct game_context context = {.now = now, .hurried = hurried};
    struct game_input input = {.kind = GAME_ACTION, .seat = seat};
    bool choosing = pair->state.phase == DAVINCI_CHOOSE_START;
    input.action = slice_of(bytes, davinci_write_action(action, bytes));
    enum status status = davinci_game.apply(&pair->state, &input, &context, &events, &refusal);
    game_events_fini(&events);
    pair->ref.rules = &pair->state.rules;
    int reason = reference_act(&pair->ref, seat, action, false, now, hurried);
    if ((status == ST_OK ? 0 : (int)refusal.code) != reason)
        fail_msg("the engine says %u, the reference %d", refusal.code, reason);
    if (choosing && pair->state.phase != DAVINCI_CHOOSE_START)
        reference_learn_jokers(&pair->ref, &pair->state);
    const char *difference = reference_differs(&pair->ref, &pair->state);
    if (difference) fail_msg("the engine and the reference differ in %s", difference);
    return status == ST_OK;
}

/* The clock to the engine; to the reference what it does, as automatic actions. */
static void both_clock(struct pair *pair, seat_mask hurried)
{
    struct davinci_state before = pair->state;
    struct game_events events = {0};
    struct game_refusal refusal;
    struct game_context context = {.now = pair->state.deadline, .hurried = hurried};
    pair->ref.rules = &pair->state.rules;
    assert_int_equal(davinci_game.apply(&pair->state, &(struct game_input){.kind = GAME_CLOCK},
                                        &context, &events, &refusal),
                     ST_OK);
    game_events_fini(&events);
    for (int i = 0; i < before.seats; i++) {
        int seat = (before.first + i) % before.seats;
        struct davinci_action action;
        if (!(davinci_to_act(&before) >> seat & 1)) continue;
        davinci_automatic(&before, seat, &action);
        assert_int_equal(reference_act(&pair->ref, seat, &action, true, context.now, hurried), 0);
    }
    if (before.phase == DAVINCI_CHOOSE_START) reference_learn_jokers(&pair->ref, &pair->state);
    const char *difference = reference_differs(&pair->ref, &pair->state);
    if (difference)
        fail_msg("after the clock the engine and the reference differ in %s", difference);
}

static void set_up(struct pair *pair, uint32_t number)
{
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 2 + (int)number % 3,
                                                .jokers = number / 3 % 2,
                                                .white_left = number / 6 % 2,
                                                .no_choice = number / 12 % 2,
                                                .none = number / 24 % 2,
                                                .start_tiles = number / 48 % 2 ? 3 : 0,
                                                .seed = number});
    pair->state = table.state;
    table_close(&table);
    reference_start(&pair->ref, &pair->state);
}

enum { GAMES = 3000 / TEST_ONE_IN };

static void the_reference_agrees_over_thousands_of_random_games(void **unused)
{
    (void)unused;
    int finished = 0;
    for (uint32_t number = 0; number < GAMES; number++) {
        struct pair pair;
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 7}};
        struct rng rng;
        rng_init(&rng, &seed, "reference");
        set_up(&pair, number);
        uint64_t now = TABLE_NOW;
        seat_mask hurried = 0;
        for (int step = 0; step < 300 && pair.state.phase != DAVINCI_FINISHED; step++) {
            uint8_t bytes[GAME_ACTION_BYTES_MAX];
            struct davinci_action action;
            int seat = (int)rng_below(&rng, pair.state.seats);
            if (rng_below(&rng, 40) == 0) hurried ^= (seat_mask)(1u << seat);
            if (rng_below(&rng, 12) == 0) {
                now = pair.state.deadline;
                both_clock(&pair, hurried);
                continue;
            }
            size_t len = davinci_random_action(&pair.state, seat, rng_below(&rng, 100) < 85 ? 0 : 1,
                                               &rng, bytes);
            if (len == 0 || !davinci_read_action(slice_of(bytes, len), &action)) continue;
            now += rng_below(&rng, 5);
            both(&pair, seat, &action, now, hurried);
        }
        finished += pair.state.phase == DAVINCI_FINISHED;
    }
    assert_true(finished > GAMES * 5 / 6);
}

/* ---- everything that can be done ------------------------------------------------------------- */

struct search {
    struct map128 seen;
    long states, ends;
    int numbers;
};

static bool is_new(struct search *search, const struct davinci_state *state)
{
    static char mark;
    struct buf bytes = {0};
    davinci_encode(state, &bytes);
    struct id128 key = hash_128(buf_slice(&bytes));
    buf_fini(&bytes);
    if (map128_get(&search->seen, key)) return false;
    map128_put(&search->seen, key, &mark);
    return true;
}

static void explore(struct search *search, const struct pair *from);

static void try(struct search *search, const struct pair *from, int seat,
                struct davinci_action action)
{
    struct pair pair = *from;
    if (both(&pair, seat, &action, TABLE_NOW, 0) && is_new(search, &pair.state))
        explore(search, &pair);
}

static void try_guesses(struct search *search, const struct pair *from, int seat)
{
    for (uint32_t target = 0; target < from->state.seats; target++)
        for (uint32_t index = 0; index < from->state.row[target].len; index++)
            for (int said = 1; said <= search->numbers + 1; said++)
                try(search, from, seat,
                    (struct davinci_action){.kind = DAVINCI_ACT_GUESS,
                                            .target = target,
                                            .index = index,
                                            .face = said > search->numbers ? DAVINCI_FACE_JOKER
                                                                           : said});
}

/* Every action of every seat; states that were seen are not entered again. */
static void explore(struct search *search, const struct pair *from)
{
    search->states++;
    search->ends += from->state.phase == DAVINCI_FINISHED;
    if (from->state.phase == DAVINCI_FINISHED) return;
    for (int seat = 0; seat < from->state.seats; seat++) {
        for (uint32_t black = 0; black <= from->state.rules.start_tiles + 1u; black++)
            try(search, from, seat,
                (struct davinci_action){.kind = DAVINCI_ACT_CHOOSE_START,
                                        .black = black,
                                        .white = from->state.rules.start_tiles - black});
        for (int color = -1; color <= 1; color++)
            try(search, from, seat,
                (struct davinci_action){.kind = DAVINCI_ACT_DRAW, .color = color});
        try_guesses(search, from, seat);
        try(search, from, seat, (struct davinci_action){.kind = DAVINCI_ACT_CONTINUE});
        try(search, from, seat, (struct davinci_action){.kind = DAVINCI_ACT_STOP});
        for (uint32_t i = 0; i <= from->state.row[seat].len + 1u; i++) {
            try(search, from, seat,
                (struct davinci_action){.kind = DAVINCI_ACT_STOP, .joker = true, .index = i});
            try(search, from, seat,
                (struct davinci_action){.kind = DAVINCI_ACT_PLACE_JOKER, .index = i});
            try(search, from, seat,
                (struct davinci_action){.kind = DAVINCI_ACT_REVEAL_OWN, .index = i});
        }
    }
}

/* The order of a pile of `numbers` tiles, by the number of the order. */
static void set_order(struct davinci_state *state, int color, int number)
{
    uint8_t left[DAVINCI_NUMBERS];
    int numbers = state->rules.numbers;
    for (int i = 0; i < numbers; i++) left[i] = (uint8_t)davinci_tile_of(color, i + 1);
    for (int i = 0; i < numbers; i++) {
        int at = number % (numbers - i);
        number /= numbers - i;
        state->pile[color][i] = left[at];
        memmove(left + at, left + at + 1, (size_t)(numbers - i - 1 - at));
    }
}

struct variant {
    int numbers, start, orders; /* orders of each pile: numbers! for all */
    bool jokers, none;
    bool even; /* everybody picks as many black as white; else all picks are tried */
};

static void explore_variant(struct search *search, struct variant variant)
{
    struct game_options options;
    game_options_default(&davinci_game, &options);
    options.value[DAVINCI_OPT_JOKERS] = variant.jokers;
    options.value[DAVINCI_OPT_EMPTY_POOL] = !variant.none;
    options.value[DAVINCI_OPT_HISTORY] = 0;
    search->numbers = variant.numbers;
    for (int order = 0; order < variant.orders * variant.orders; order++) {
        struct pair pair;
        struct game_seed seed = {{(uint8_t)order, 0x5e}};
        struct game_setup setup = {
            .options = &options, .seats = 2, .seed = &seed, .starter = order % 2, .now = TABLE_NOW};
        davinci_setup_small(&pair.state, &setup, variant.numbers, variant.start);
        set_order(&pair.state, DAVINCI_BLACK, order % variant.orders);
        set_order(&pair.state, DAVINCI_WHITE, order / variant.orders);
        assert_null(davinci_audit(&pair.state));
        reference_start(&pair.ref, &pair.state);
        struct davinci_action half = {.kind = DAVINCI_ACT_CHOOSE_START};
        half.black = half.white = (uint32_t)variant.start / 2;
        for (int seat = 0; variant.even && seat < 2; seat++)
            assert_true(both(&pair, seat, &half, TABLE_NOW, 0));
        explore(search, &pair);
    }
    print_message("numbers 0 to %d, %d each%s%s: %ld states, %ld ends\n", variant.numbers - 1,
                  variant.start, variant.jokers ? ", jokers" : "", variant.none ? ", none" : "",
                  search->states, search->ends);
    assert_true(search->ends > 100);
    map128_fini(&search->seen);
}

static void the_reference_agrees_on_all_that_can_happen_with_numbers_0_to_2(void **unused)
{
    (void)unused;
    /* Every order of both piles, and for one of them every pick. */
    explore_variant(&(struct search){0}, (struct variant){3, 2, 6, .even = true});
    explore_variant(&(struct search){0}, (struct variant){3, 2, 1, .even = false});
}

static void the_reference_agrees_on_all_that_can_happen_with_two_jokers(void **unused)
{
    (void)unused;
    explore_variant(&(struct search){0}, (struct variant){2, 1, 2, .jokers = true});
}

static void the_reference_agrees_on_all_that_can_happen_without_a_penalty(void **unused)
{
    (void)unused;
    explore_variant(&(struct search){0}, (struct variant){2, 1, 2, .none = true});
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(the_reference_agrees_over_thousands_of_random_games),
        cmocka_unit_test(the_reference_agrees_on_all_that_can_happen_with_numbers_0_to_2),
        cmocka_unit_test(the_reference_agrees_on_all_that_can_happen_with_two_jokers),
        cmocka_unit_test(the_reference_agrees_on_all_that_can_happen_without_a_penalty));
}
