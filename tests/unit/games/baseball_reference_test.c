/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine agrees with a slow reference: over thousands of random games, and with four digits of
 * which a code takes two over everything that can be done.
 */
#include "unit/games/baseball_field.h"
#include "unit/games/baseball_reference.h"
#include "unit/test.h"

#include "base/hash.h"
#include "base/map.h"

struct pair {
    struct baseball_state state;
    struct reference ref;
};

static void agree(const struct pair *pair)
{
    const char *difference = reference_disagrees(&pair->ref, &pair->state);
    if (difference) fail_msg("the engine and the reference differ in %s", difference);
}

static enum status apply(struct pair *pair, const struct game_input *input, uint64_t now,
                         seat_mask connected, struct game_refusal *refusal)
{
    struct game_events events = {0};
    struct game_context context = {.now = now, .connected = connected};
    enum status status = baseball_game.apply(&pair->state, input, &context, &events, refusal);
    game_events_fini(&events);
    return status;
}

/* One action to both. Fails when they disagree; true when it was accepted. */
static bool both(struct pair *pair, int seat, const struct baseball_action *action, uint64_t now,
                 seat_mask connected)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct game_refusal refusal;
    struct game_input input = {.kind = GAME_ACTION, .seat = seat};
    input.action = slice_of(bytes, baseball_write_action(action, bytes));
    enum status status = apply(pair, &input, now, connected, &refusal);
    int reason = reference_try(&pair->ref, seat, action, now, connected);
    if ((status == ST_OK ? 0 : (int)refusal.code) != reason)
        fail_msg("the engine says %u, the reference %d", refusal.code, reason);
    agree(pair);
    return status == ST_OK;
}

static void both_clock(struct pair *pair, uint64_t now, seat_mask connected)
{
    struct game_refusal refusal;
    apply(pair, &(struct game_input){.kind = GAME_CLOCK, .seat = -1}, now, connected, &refusal);
    reference_time(&pair->ref, now);
    agree(pair);
}

static void both_presence(struct pair *pair, int seat, uint64_t now, seat_mask connected)
{
    struct game_refusal refusal;
    struct game_input input = {.kind = GAME_PRESENCE,
                               .seat = seat,
                               .connected = connected >> seat & 1};
    apply(pair, &input, now, connected, &refusal);
    reference_present(&pair->ref, now, connected);
    agree(pair);
}

/* ---- random games ---------------------------------------------------------------------------- */

struct course {
    struct pair pair;
    struct rng rng;
    uint64_t now;
    seat_mask connected;
};

static void begin(struct course *course, uint32_t number)
{
    struct field field = {0};
    struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 9}};
    rng_init(&course->rng, &seed, "reference");
    field_open(&field, &(struct field_spec){.seats = 1 + (int)number % 12,
                                            .digits = 3 + (int)(number / 12 % 3),
                                            .guesses = number / 36 % 2 ? FIELD_NONE : 0,
                                            .minutes = number / 72 % 2 ? 3 : 0,
                                            .no_hints = number / 144 % 3 == 0,
                                            .seed = number});
    course->pair.state = field.state;
    course->now = field.now;
    course->connected = field.connected;
    reference_begin(&course->pair.ref, &field.state);
    field_close(&field);
}

/* Mostly a little later; sometimes just before, at or after the deadline, which comes first. */
static void move_on(struct course *course)
{
    uint64_t until = reference_until(&course->pair.ref);
    uint64_t now = course->now + rng_below(&course->rng, 400);
    if (rng_below(&course->rng, 150) == 0) now = until - 1 + rng_below(&course->rng, 3);
    if (now < course->now) now = course->now;
    while (!course->pair.ref.over && reference_until(&course->pair.ref) <= now)
        both_clock(&course->pair, reference_until(&course->pair.ref), course->connected);
    course->now = now;
}

static void step(struct course *course)
{
    struct rng *rng = &course->rng;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct baseball_action action;
    int seat = (int)rng_below(rng, course->pair.state.seats);
    move_on(course);
    if (rng_below(rng, 10) == 0) {
        course->connected ^= (seat_mask)(1u << seat);
        both_presence(&course->pair, seat, course->now, course->connected);
        return;
    }
    if (rng_below(rng, 20) == 0) { /* nobody asked for it */
        both_clock(&course->pair, course->now, course->connected);
        return;
    }
    int kind = rng_below(rng, 100) < 85 ? 0 : 1;
    size_t len = baseball_random_action(&course->pair.state, seat, kind, rng, bytes);
    if (len && baseball_read_action(slice_of(bytes, len), &action))
        both(&course->pair, seat, &action, course->now, course->connected);
}

enum { GAMES = 3000 / TEST_ONE_IN };

static void the_reference_agrees_over_thousands_of_random_games(void **unused)
{
    (void)unused;
    int ends[4] = {0}, shared = 0;
    for (uint32_t number = 0; number < GAMES; number++) {
        struct course course;
        begin(&course, number);
        for (int i = 0; i < 600 && !course.pair.ref.over; i++) step(&course);
        ends[course.pair.state.cause]++;
        if (!course.pair.ref.over) continue;
        for (int rank = 1, seats; rank <= course.pair.ref.seats; rank++) {
            seats = 0;
            for (int seat = 0; seat < course.pair.ref.seats; seat++)
                seats += reference_rank(&course.pair.ref, seat) == rank;
            shared += seats > 1;
        }
    }
    print_message("%d all ended, %d time limit, %d absence, %d not over; %d shared ranks\n",
                  ends[1], ends[2], ends[3], ends[0], shared);
    for (int cause = 1; cause <= 3; cause++) assert_true(ends[cause] > GAMES / 30);
    assert_true(shared > 0);
}

/* ---- everything that can be done ------------------------------------------------------------- */

enum { SYMBOLS = 4, DIGITS = 2, CODES = 12, LATER_MS = 100 };

struct search {
    struct map128 seen;
    long states, ends;
    int codes;               /* of each player: the first so many from the secret on */
    bool presence;           /* people go and come back too */
    const char *code[CODES]; /* the secret first */
};

static bool is_new(struct search *search, const struct pair *pair, seat_mask connected)
{
    static char mark;
    struct buf bytes = {0};
    baseball_encode(&pair->state, &bytes);
    buf_put_u16(&bytes, connected);
    struct id128 key = hash_128(buf_slice(&bytes));
    buf_fini(&bytes);
    if (map128_get(&search->seen, key)) return false;
    map128_put(&search->seen, key, &mark);
    return true;
}

static void explore(struct search *search, const struct pair *from, seat_mask connected);

/* Time stands still in the countdown, and again in the game. */
static uint64_t now_of(const struct pair *pair)
{
    return pair->ref.started ? FIELD_START + LATER_MS : FIELD_NOW;
}

static void try(struct search *search, const struct pair *from, int seat,
                const struct baseball_action *action, seat_mask connected)
{
    struct pair pair = *from;
    if (both(&pair, seat, action, now_of(from), connected) && is_new(search, &pair, connected))
        explore(search, &pair, connected);
}

static void try_player(struct search *search, const struct pair *from, int seat,
                       seat_mask connected)
{
    struct baseball_action action = {.kind = BASEBALL_ACT_GUESS, .text_len = DIGITS};
    for (int i = 0; i < search->codes; i++) {
        memcpy(action.text, search->code[i], DIGITS);
        try(search, from, seat, &action, connected);
    }
    int made = from->ref.player[seat].guesses;
    for (int kind = BASEBALL_ACT_HINT; kind <= BASEBALL_ACT_GIVE_UP; kind++)
        for (int number = 0; number <= made + 1; number++)
            try(search, from, seat,
                &(struct baseball_action){.kind = (enum baseball_action_kind)kind,
                                          .number = (uint32_t)number},
                connected);
}

static void try_world(struct search *search, const struct pair *from, seat_mask connected)
{
    struct pair pair = *from;
    both_clock(&pair, baseball_deadline(&pair.state) - 1, connected);
    both_clock(&pair, baseball_deadline(&pair.state), connected);
    if (is_new(search, &pair, connected)) explore(search, &pair, connected);
    for (int seat = 0; search->presence && seat < from->state.seats; seat++) {
        seat_mask other = connected ^ (seat_mask)(1u << seat);
        pair = *from;
        both_presence(&pair, seat, now_of(from), other);
        if (is_new(search, &pair, other)) explore(search, &pair, other);
    }
}

/* Every action of every seat, the clock, people going and coming; states that were seen are not
 * entered again. */
static void explore(struct search *search, const struct pair *from, seat_mask connected)
{
    search->states++;
    search->ends += from->ref.over;
    for (int seat = 0; seat < from->state.seats; seat++) try_player(search, from, seat, connected);
    if (!from->ref.over) try_world(search, from, connected);
}

static const char *const all_codes[CODES] = {"01", "02", "03", "10", "12", "13",
                                             "20", "21", "23", "30", "31", "32"};

struct variant {
    int seats, codes, secret;
    bool mirrored; /* the hints in the other order */
    bool presence;
};

static void explore_variant(struct variant variant)
{
    struct search search = {.codes = variant.codes, .presence = variant.presence};
    struct game_options options;
    struct game_seed seed = {{1}};
    struct pair pair;
    game_options_default(&baseball_game, &options);
    options.value[BASEBALL_OPT_GUESSES] = 5;
    seat_mask all = (seat_mask)((1u << variant.seats) - 1);
    baseball_setup_small(&pair.state,
                         &(struct game_setup){.options = &options,
                                              .seats = variant.seats,
                                              .seed = &seed,
                                              .starter = -1,
                                              .now = FIELD_NOW,
                                              .connected = all},
                         SYMBOLS, DIGITS);
    for (int i = 0; i < CODES; i++) search.code[i] = all_codes[(variant.secret + i) % CODES];
    const char *secret = search.code[0];
    pair.state.secret = (uint32_t)(10 * (secret[0] - '0') + secret[1] - '0');
    pair.state.hint_at[0] = variant.mirrored;
    pair.state.hint_at[1] = !variant.mirrored;
    assert_null(baseball_audit(&pair.state));
    reference_begin(&pair.ref, &pair.state);
    explore(&search, &pair, all);
    print_message("%d players, %d codes, secret %s: %ld states, %ld ends\n", variant.seats,
                  variant.codes, secret, search.states, search.ends);
    assert_true(search.ends > 20);
    map128_fini(&search.seen);
}

static void the_reference_agrees_on_all_that_one_can_do_with_twelve_codes(void **unused)
{
    (void)unused;
    explore_variant((struct variant){.seats = 1, .codes = 12, .secret = 0});
}

static void the_reference_agrees_on_all_that_one_can_do_whatever_the_secret(void **unused)
{
    (void)unused;
    for (int secret = 0; secret < CODES; secret++)
        explore_variant((struct variant){
            .seats = 1, .codes = 6, .secret = secret, .mirrored = secret % 2, .presence = true});
}

static void the_reference_agrees_on_all_that_two_can_do(void **unused)
{
    (void)unused;
    explore_variant((struct variant){.seats = 2, .codes = 3, .secret = 5, .presence = true});
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(the_reference_agrees_over_thousands_of_random_games),
        cmocka_unit_test(the_reference_agrees_on_all_that_one_can_do_with_twelve_codes),
        cmocka_unit_test(the_reference_agrees_on_all_that_one_can_do_whatever_the_secret),
        cmocka_unit_test(the_reference_agrees_on_all_that_two_can_do));
}
