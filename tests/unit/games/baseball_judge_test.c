/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties of judging and of chance: over all pairs of codes where they are few, over random ones
 * where they are many; and how many guesses a player needs who guesses at random among what is
 * still possible, which tells faults of the judge and of the randomness at once.
 */
#include "unit/games/baseball_field.h"
#include "unit/games/baseball_reference.h"
#include "unit/games/chance.h"
#include "unit/test.h"

#include <math.h>
#include <stdlib.h>

enum { CODES_MAX = 30240, PAIRS = 300000 };

static struct baseball_rules rules_of(int digits)
{
    return (struct baseball_rules){.digits = (uint8_t)digits, .symbols = BASEBALL_SYMBOLS};
}

static int all_codes(const struct baseball_rules *rules, uint32_t *codes)
{
    int count = 0;
    for (uint32_t code = 0; code < 100000; code++)
        if (baseball_is_code(rules, code)) codes[count++] = code;
    return count;
}

typedef void each_pair(const struct baseball_rules *rules, uint32_t a, uint32_t b, struct rng *rng);

/* Every pair with three digits; random ones with four and five. */
static void with_pairs(each_pair *call)
{
    static uint32_t codes[CODES_MAX];
    struct game_seed seed = {{1}};
    struct rng rng;
    rng_init(&rng, &seed, "pairs");
    struct baseball_rules rules = rules_of(3);
    int count = all_codes(&rules, codes);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) call(&rules, codes[a], codes[b], &rng);
    for (int digits = 4; digits <= 5; digits++) {
        rules = rules_of(digits);
        for (int i = 0; i < PAIRS; i++)
            call(&rules, baseball_draw_code(&rules, &rng), baseball_draw_code(&rules, &rng), &rng);
    }
}

static int judged(const struct baseball_rules *rules, uint32_t secret, uint32_t guess)
{
    struct baseball_judged is = baseball_judge(rules, secret, guess);
    return 10 * is.strikes + is.balls;
}

static void check_counts(const struct baseball_rules *rules, uint32_t a, uint32_t b,
                         struct rng *unused)
{
    (void)unused;
    char secret[BASEBALL_DIGITS_MAX + 1], guess[BASEBALL_DIGITS_MAX + 1];
    struct baseball_judged is = baseball_judge(rules, a, b);
    int equal = 0, common = 0;
    baseball_write_code(rules, a, secret);
    baseball_write_code(rules, b, guess);
    for (int i = 0; i < rules->digits; i++) {
        equal += secret[i] == guess[i];
        common += strchr(secret, guess[i]) != NULL;
    }
    assert_int_equal(is.strikes, equal);
    assert_int_equal(is.strikes + is.balls, common);
    assert_int_equal(10 * is.strikes + is.balls, reference_judge(secret, guess));
    assert_false(is.strikes == rules->digits - 1 && is.balls == 1);
    assert_int_equal(is.strikes == rules->digits, a == b);
    assert_int_equal(judged(rules, b, a), 10 * is.strikes + is.balls);
}

static void strikes_are_equal_places_and_with_balls_common_digits_both_ways(void **unused)
{
    (void)unused;
    with_pairs(check_counts);
}

/* The code with every digit d written as names[d], its places in another order. */
static uint32_t changed(const struct baseball_rules *rules, uint32_t code, const uint8_t *names,
                        const uint8_t *places)
{
    uint32_t value = 0;
    for (int i = 0; i < rules->digits; i++)
        value = value * 10 + names[baseball_digit(rules, code, places[i])];
    return value;
}

static void check_renaming(const struct baseball_rules *rules, uint32_t a, uint32_t b,
                           struct rng *rng)
{
    uint8_t names[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, places[5] = {0, 1, 2, 3, 4};
    rng_shuffle(rng, names, 10);
    rng_shuffle(rng, places, rules->digits);
    assert_int_equal(judged(rules, a, b), judged(rules, changed(rules, a, names, places),
                                                 changed(rules, b, names, places)));
}

static void renaming_digits_and_moving_places_changes_no_judgement(void **unused)
{
    (void)unused;
    with_pairs(check_renaming);
}

/* Fourteen answers with four digits, as many secrets each for every guess. */
static void every_guess_splits_the_secrets_of_four_digits_alike(void **unused)
{
    (void)unused;
    static uint32_t codes[CODES_MAX];
    struct baseball_rules rules = rules_of(4);
    int count = all_codes(&rules, codes), first[50] = {0};
    assert_int_equal(count, 5040);
    for (int g = 0; g < count; g += 97) {
        int split[50] = {0};
        for (int s = 0; s < count; s++) split[judged(&rules, codes[s], codes[g])]++;
        if (g == 0) memcpy(first, split, sizeof first);
        assert_memory_equal(split, first, sizeof first);
    }
    static const struct {
        int answer, secrets;
    } known[] = {{40, 1},  {22, 6},   {13, 8},   {4, 9},    {30, 24},  {21, 72},  {12, 216},
                 {3, 264}, {20, 180}, {11, 720}, {2, 1260}, {10, 480}, {1, 1440}, {0, 360}};
    int sum = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(first[known[i].answer], known[i].secrets);
        sum += known[i].secrets;
    }
    assert_int_equal(sum, 5040);
}

/* ---- chance ---------------------------------------------------------------------------------- */

static void secrets_and_orders_of_hints_are_drawn_uniformly(void **unused)
{
    (void)unused;
    enum { GAMES = 60000, DIGITS = 5 };
    static int digit_at[DIGITS][10], neighbours[100], hint_at[DIGITS][DIGITS], both[50];
    struct field field = {0};
    for (uint32_t seed = 0; seed < GAMES; seed++) {
        field_open(&field, &(struct field_spec){.seats = 1, .digits = DIGITS, .seed = seed});
        const struct baseball_state *state = &field.state;
        int last = -1;
        for (int place = 0; place < DIGITS; place++) {
            int digit = baseball_digit(&state->rules, state->secret, place);
            digit_at[place][digit]++;
            if (last >= 0) neighbours[last * 10 + digit]++;
            last = digit;
            hint_at[place][state->hint_at[place]]++;
        }
        /* The order of hints tells nothing of the secret. */
        both[state->hint_at[0] * 10 + baseball_digit(&state->rules, state->secret, 0)]++;
    }
    for (int place = 0; place < DIGITS; place++) {
        assert_true(distance_from_uniform(digit_at[place], 10) < 5);
        assert_true(distance_from_uniform(hint_at[place], DIGITS) < 5);
    }
    int pairs[90], count = 0; /* a digit never stands beside itself */
    for (int i = 0; i < 100; i++)
        if (i / 10 != i % 10) pairs[count++] = neighbours[i];
    assert_true(distance_from_uniform(pairs, 90) < 5);
    assert_true(distance_from_uniform(both, 50) < 5);
    field_close(&field);
}

/* ---- who guesses at random among what is possible -------------------------------------------- */

/* A code of this player's own making: nibbles, and the set of digits. */
struct own_code {
    uint32_t number, nibbles;
    uint16_t set;
};

static void write_own(uint32_t number, int digits, struct own_code *out)
{
    *out = (struct own_code){.number = number};
    for (int i = 0; i < digits; i++, number /= 10) {
        out->nibbles |= number % 10 << (4 * i);
        out->set |= (uint16_t)(1u << number % 10);
    }
}

static bool allows(const struct own_code *secret, const struct own_code *guess, int digits,
                   struct baseball_judged told)
{
    uint32_t differing = secret->nibbles ^ guess->nibbles;
    int strikes = 0, common = 0;
    for (int i = 0; i < digits; i++) strikes += (differing >> (4 * i) & 15) == 0;
    if (strikes != told.strikes) return false;
    for (uint32_t set = secret->set & guess->set; set; set &= set - 1) common++;
    return common == told.strikes + told.balls;
}

struct guesser {
    int digits, count;
    struct own_code all[CODES_MAX], left[CODES_MAX];
};

static void keep_what_it_allows(struct guesser *guesser, const struct own_code *from, int count,
                                const struct own_code *guess, struct baseball_judged told)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (allows(&from[i], guess, guesser->digits, told)) guesser->left[kept++] = from[i];
    guesser->count = kept;
}

static int play_alone(struct guesser *guesser, int codes, uint32_t seed, struct rng *rng)
{
    struct field field = {0};
    field_play(&field,
               &(struct field_spec){
                   .seats = 1, .digits = guesser->digits, .guesses = FIELD_NONE, .seed = seed});
    const struct own_code *from = guesser->all;
    guesser->count = codes;
    while (field.state.phase == BASEBALL_PLAYING) {
        char text[BASEBALL_DIGITS_MAX + 1];
        assert_true(guesser->count > 0); /* the secret is always consistent with the log */
        struct own_code guess = from[rng_below(rng, (uint32_t)guesser->count)];
        baseball_write_code(&field.state.rules, guess.number, text);
        assert_int_equal(field_guess(&field, 0, text), 0);
        keep_what_it_allows(guesser, from, guesser->count, &guess,
                            baseball_judge(&field.state.rules, field.state.secret, guess.number));
        from = guesser->left;
    }
    int guesses = field.state.player[0].guesses;
    field_close(&field);
    return guesses;
}

static void needs_on_average(int digits, double expected, double tolerance)
{
    enum { GAMES = 20000 };
    static uint32_t codes[CODES_MAX];
    struct guesser *guesser = calloc(1, sizeof *guesser);
    struct baseball_rules rules = rules_of(digits);
    struct game_seed seed = {{(uint8_t)digits, 3}};
    struct rng rng;
    assert_non_null(guesser);
    rng_init(&rng, &seed, "guesser");
    int count = all_codes(&rules, codes);
    guesser->digits = digits;
    for (int i = 0; i < count; i++) write_own(codes[i], digits, &guesser->all[i]);
    double sum = 0;
    for (uint32_t game = 0; game < GAMES; game++) sum += play_alone(guesser, count, game, &rng);
    print_message("%d digits: %.3f guesses on average\n", digits, sum / GAMES);
    if (fabs(sum / GAMES - expected) > tolerance)
        fail_msg("%.3f guesses on average, expected %.3f", sum / GAMES, expected);
    free(guesser);
}

static void a_random_consistent_player_needs_5_238_guesses_with_three_digits(void **unused)
{
    (void)unused;
    needs_on_average(3, 5.238, 0.03);
}

static void a_random_consistent_player_needs_5_474_guesses_with_four_digits(void **unused)
{
    (void)unused;
    needs_on_average(4, 5.474, 0.03);
}

static void a_random_consistent_player_needs_5_958_guesses_with_five_digits(void **unused)
{
    (void)unused;
    needs_on_average(5, 5.958, 0.05);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(strikes_are_equal_places_and_with_balls_common_digits_both_ways),
        cmocka_unit_test(renaming_digits_and_moving_places_changes_no_judgement),
        cmocka_unit_test(every_guess_splits_the_secrets_of_four_digits_alike),
        cmocka_unit_test(secrets_and_orders_of_hints_are_drawn_uniformly),
        cmocka_unit_test(a_random_consistent_player_needs_5_238_guesses_with_three_digits),
        cmocka_unit_test(a_random_consistent_player_needs_5_474_guesses_with_four_digits),
        cmocka_unit_test(a_random_consistent_player_needs_5_958_guesses_with_five_digits));
}
