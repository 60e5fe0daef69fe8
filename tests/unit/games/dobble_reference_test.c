/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine agrees with a slow reference: over thousands of random games of every mini-game, and
 * on the plane of order 2 (seven cards of three pictures) over everything that can be claimed.
 */
#include "unit/games/dobble_match.h"
#include "unit/games/dobble_reference.h"
#include "unit/test.h"

#include "base/hash.h"
#include "base/map.h"

struct pair {
    struct dobble_state state;
    struct dref ref;
    uint64_t now;
};

static void agree(const struct pair *pair, const char *after)
{
    const char *difference = dref_differs(&pair->ref, &pair->state);
    if (difference)
        fail_msg("after %s the engine and the reference differ in %s", after, difference);
}

static enum status apply(struct pair *pair, const struct game_input *input,
                         struct game_refusal *refusal)
{
    struct game_events events = {0};
    struct game_context context = {.now = pair->now};
    enum status status = dobble_game.apply(&pair->state, input, &context, &events, refusal);
    game_events_fini(&events);
    return status;
}

/* True when it was accepted. */
static bool both_claim(struct pair *pair, int seat, const struct dobble_action *action,
                       uint32_t rtt_ms)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct game_refusal refusal;
    struct game_input input = {.kind = GAME_ACTION, .seat = seat, .rtt_ms = rtt_ms};
    input.action = slice_of(bytes, dobble_write_action(action, bytes));
    bool accepted = apply(pair, &input, &refusal) == ST_OK;
    int reason = dref_act(&pair->ref, seat, action, rtt_ms, pair->now);
    if ((accepted ? 0 : (int)refusal.code) != reason)
        fail_msg("the engine says %u, the reference %d", refusal.code, reason);
    agree(pair, "a claim");
    return accepted;
}

static void both_clock(struct pair *pair)
{
    struct game_refusal refusal;
    pair->now = dobble_deadline(&pair->state);
    assert_int_equal(apply(pair, &(struct game_input){.kind = GAME_CLOCK}, &refusal), ST_OK);
    dref_clock(&pair->ref, pair->now);
    agree(pair, "the clock");
}

static void both_presence(struct pair *pair, int seat, bool connected)
{
    struct game_refusal refusal;
    struct game_input input = {.kind = GAME_PRESENCE, .seat = seat, .connected = connected};
    assert_int_equal(apply(pair, &input, &refusal), ST_OK);
    dref_presence(&pair->ref, seat, connected, pair->now);
    agree(pair, "a presence");
}

static void set_up(struct pair *pair, const struct match_options *options)
{
    struct match match = {0};
    match_set_up(&match, options);
    pair->state = match.state;
    pair->now = match.now;
    match_close(&match);
    dref_start(&pair->ref, &pair->state);
    agree(pair, "the deal");
}

/* ---- random games ---------------------------------------------------------------------------- */

static struct match_options options_of(uint32_t number)
{
    static const int lockouts[] = {-1, 1000, 2000};
    return (struct match_options){
        .mini_game = 1 + (int)number % 5,
        .seats = 2 + (int)number / 5 % 7,
        .deck_55 = number / 35 % 2,
        .light = number / 70 % 2,
        .rounds = 3 + 2 * (int)(number / 140 % 3),
        .lockout_ms = lockouts[number / 420 % 3],
        .gives_card = number / 2 % 2,
        .end_at_first = number / 3 % 2,
        .practice = number % 30 == 29,
        .order = number % 11 == 10   ? 3
                 : number % 13 == 12 ? 5
                                     : 0,
        .seed = number,
    };
}

static void random_claim(struct pair *pair, struct rng *rng, int seat)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct dobble_action action;
    int kind = rng_below(rng, 100) < 80 ? 0 : 1;
    size_t len = dobble_random_action(&pair->state, seat, kind, rng, bytes);
    uint64_t now = pair->now + rng_below(rng, rng_below(rng, 4) ? 60 : 900);
    while (dobble_deadline(&pair->state) <= now) both_clock(pair);
    pair->now = now;
    if (len == 0 || !dobble_read_action(slice_of(bytes, len), &action)) return;
    both_claim(pair, seat, &action, rng_below(rng, 300));
}

enum { GAMES = 2500 / TEST_ONE_IN };

static void the_reference_agrees_over_thousands_of_random_games(void **unused)
{
    (void)unused;
    int finished = 0, played = 0;
    for (uint32_t number = 0; number < GAMES; number++) {
        struct pair pair;
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 9}};
        struct rng rng;
        rng_init(&rng, &seed, "reference");
        struct match_options options = options_of(number);
        if (options.order == 3 && options.seats > 4) options.seats = 4;
        set_up(&pair, &options);
        uint32_t flaky = number % 3 == 0 ? 15 : 120;
        for (int step = 0; step < 500 && pair.state.phase != DOBBLE_FINISHED; step++) {
            int seat = (int)rng_below(&rng, pair.state.seats);
            if (rng_below(&rng, flaky) == 0)
                both_presence(&pair, seat, rng_below(&rng, 2));
            else if (rng_below(&rng, 30) == 0)
                both_clock(&pair);
            else
                random_claim(&pair, &rng, seat);
        }
        finished += pair.state.phase == DOBBLE_FINISHED;
        played += pair.state.ending == DOBBLE_PLAYED;
    }
    print_message("%d ended, %d of them by the rules alone\n", finished, played);
    assert_true(finished > GAMES * 8 / 10 && played > GAMES * 3 / 10);
}

/* ---- everything that can be claimed ---------------------------------------------------------- */

struct search {
    struct map128 seen;
    long states, ends, claims;
};

/* How often time may still pass and presence change on the way, and how many wrong claims a game
 * that is gone into may have. */
struct budget {
    uint8_t clocks, changes, wrong;
};

static bool is_new(struct search *search, const struct pair *pair, struct budget budget)
{
    static char mark;
    struct buf bytes = {0};
    dobble_encode(&pair->state, &bytes);
    buf_put_u64(&bytes, pair->now);
    buf_put_u8(&bytes, budget.clocks);
    buf_put_u8(&bytes, budget.changes);
    struct id128 key = hash_128(buf_slice(&bytes));
    buf_fini(&bytes);
    if (map128_get(&search->seen, key)) return false;
    map128_put(&search->seen, key, &mark);
    return true;
}

static void explore(struct search *search, const struct pair *from, struct budget budget);

static bool too_wrong(const struct dobble_state *state, struct budget budget)
{
    uint32_t wrong = 0;
    for (int seat = 0; seat < state->seats; seat++) wrong += state->seat[seat].wrong;
    return wrong > budget.wrong;
}

static void try(struct search *search, const struct pair *from, int seat,
                const struct dobble_action *action, struct budget budget)
{
    struct pair pair = *from;
    search->claims++;
    uint32_t rtt_ms = seat == 0 ? 0 : 100; /* the later seats have the longer way */
    if (both_claim(&pair, seat, action, rtt_ms) && !too_wrong(&pair.state, budget) &&
        is_new(search, &pair, budget))
        explore(search, &pair, budget);
}

/* No card, each open one, and one that is not: which of the hidden ones makes no difference. */
static int cards_to_name(const struct dobble_state *state, uint8_t out[8])
{
    int count = 0;
    out[count++] = DOBBLE_NO_CARD;
    for (int s = 0; s < state->seats; s++)
        if (state->seat[s].pile.len) out[count++] = (uint8_t)dobble_top(&state->seat[s].pile);
    if (state->centre.len) out[count++] = (uint8_t)dobble_top(&state->centre);
    if (state->draw.len) out[count++] = state->draw.card[0];
    return count;
}

static void try_pairs(struct search *search, const struct pair *from, int seat,
                      struct budget budget)
{
    uint8_t card[8];
    int count = cards_to_name(&from->state, card);
    for (int mine = 0; mine < count; mine++)
        for (int base = 0; base < count; base++)
            for (int target = 0; target <= from->state.seats + 1; target++)
                for (int art = 0; art <= 7; art++)
                    try(search, from, seat,
                        &(struct dobble_action){.claim = {.card = {card[mine], card[base]},
                                                          .target = (uint8_t)target,
                                                          .art = (uint8_t)art}},
                        budget);
}

static void try_triples(struct search *search, const struct pair *from, int seat,
                        struct budget budget)
{
    for (int a = 1; a <= 7; a++)
        for (int b = a; b <= 7; b++)
            for (int c = b; c <= 7; c++)
                for (int art = 0; art <= 7; art++)
                    try(search, from, seat,
                        &(struct dobble_action){.triplet = true,
                                                .claim = {.card = {(uint8_t)a, (uint8_t)b,
                                                                   (uint8_t)c},
                                                          .art = (uint8_t)art}},
                        budget);
}

static void explore(struct search *search, const struct pair *from, struct budget budget)
{
    search->states++;
    search->ends += from->state.phase == DOBBLE_FINISHED;
    if (from->state.phase == DOBBLE_FINISHED) return;
    for (int seat = 0; seat < from->state.seats; seat++) {
        if (from->state.rules.mini_game == DOBBLE_TRIPLET)
            try_triples(search, from, seat, budget);
        else
            try_pairs(search, from, seat, budget);
        if (budget.changes == 0) continue;
        struct budget left = budget;
        left.changes--;
        struct pair pair = *from;
        both_presence(&pair, seat, pair.state.seat[seat].away_since != INSTANT_NEVER);
        if (is_new(search, &pair, left)) explore(search, &pair, left);
    }
    if (budget.clocks == 0) return;
    struct budget left = budget;
    left.clocks--;
    struct pair pair = *from;
    both_clock(&pair);
    if (is_new(search, &pair, left)) explore(search, &pair, left);
}

static void explore_all(const char *name, struct match_options options, struct budget budget,
                        int seeds)
{
    struct search search = {0};
    options.order = 2;
    for (int seed = 0; seed < seeds; seed++) {
        struct pair pair;
        options.seed = (uint32_t)seed;
        set_up(&pair, &options);
        both_clock(&pair);
        explore(&search, &pair, budget);
    }
    print_message("%s: %ld states, %ld ends, %ld claims\n", name, search.states, search.ends,
                  search.claims);
    assert_true(search.ends > 0);
    map128_fini(&search.seen);
}

static void the_reference_agrees_on_all_that_can_be_claimed_with_seven_cards(void **unused)
{
    (void)unused;
    struct budget each_wrong_once = {.wrong = 2}, rounds = {.clocks = 4};
    explore_all("tower", (struct match_options){.mini_game = DOBBLE_TOWER}, each_wrong_once, 2);
    explore_all("gift", (struct match_options){.mini_game = DOBBLE_POISONED_GIFT}, each_wrong_once,
                2);
    explore_all("well", (struct match_options){.mini_game = DOBBLE_WELL}, each_wrong_once, 2);
    explore_all("triplet", (struct match_options){.mini_game = DOBBLE_TRIPLET}, each_wrong_once, 4);
    explore_all("hot potato", (struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3},
                rounds, 1);
}

static void the_reference_agrees_with_a_window_and_with_cards_given_back(void **unused)
{
    (void)unused;
    struct budget windows = {.clocks = 5}, rounds = {.clocks = 9};
    explore_all("tower, light", (struct match_options){.mini_game = DOBBLE_TOWER, .light = true},
                windows, 1);
    explore_all("hot potato, light",
                (struct match_options){.mini_game = DOBBLE_HOT_POTATO, .light = true, .rounds = 3},
                rounds, 1);
    explore_all("tower, cards given back",
                (struct match_options){.mini_game = DOBBLE_TOWER, .gives_card = true},
                (struct budget){.wrong = 2}, 2);
}

static void the_reference_agrees_when_people_come_and_go(void **unused)
{
    (void)unused;
    struct budget twice = {.clocks = 2, .changes = 2}, once = {.clocks = 1, .changes = 1};
    explore_all("tower, absence", (struct match_options){.mini_game = DOBBLE_TOWER}, twice, 1);
    explore_all("well, absence", (struct match_options){.mini_game = DOBBLE_WELL}, twice, 1);
    explore_all("well of three, absence",
                (struct match_options){.mini_game = DOBBLE_WELL, .seats = 3}, once, 1);
    explore_all("hot potato, absence", (struct match_options){.mini_game = DOBBLE_HOT_POTATO},
                twice, 1);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_reference_agrees_over_thousands_of_random_games),
                     cmocka_unit_test(
                         the_reference_agrees_on_all_that_can_be_claimed_with_seven_cards),
                     cmocka_unit_test(the_reference_agrees_with_a_window_and_with_cards_given_back),
                     cmocka_unit_test(the_reference_agrees_when_people_come_and_go));
}
