/* SPDX-License-Identifier: Apache-2.0 */
#include "game/rng.h"
#include "unit/test.h"

#include <math.h>

static const struct game_seed seed = {{1, 2, 3, 4}};

/* Chi-square of counts against equal chances, as a distance from its mean in standard deviations.
 * Five would happen once in millions of seeds, and the seed is fixed. */
static double distance_from_uniform(const int *counts, int cells, int drawn, int freedom)
{
    double expected = (double)drawn / cells, sum = 0;
    for (int i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (sum - freedom) / sqrt(2.0 * freedom);
}

static void one_seed_and_purpose_is_one_stream(void **unused)
{
    (void)unused;
    struct rng a, b;
    rng_init(&a, &seed, "deck");
    rng_init(&b, &seed, "deck");
    for (int i = 0; i < 1000; i++) assert_int_equal(rng_u32(&a), rng_u32(&b));
    assert_memory_equal(&a, &b, sizeof a);
}

static int equal_draws(struct rng *a, struct rng *b)
{
    int equal = 0;
    for (int i = 0; i < 1000; i++) equal += rng_u32(a) == rng_u32(b);
    return equal;
}

static void another_purpose_or_seed_is_another_stream(void **unused)
{
    (void)unused;
    struct game_seed other = seed;
    other.byte[31] ^= 1;
    struct rng a, b;
    rng_init(&a, &seed, "deck");
    rng_init(&b, &seed, "seats");
    assert_true(equal_draws(&a, &b) < 2);
    rng_init(&a, &seed, "deck");
    rng_init(&b, &other, "deck");
    assert_true(equal_draws(&a, &b) < 2);
}

/* ChaCha20 keyed with BLAKE2b-256("deck"), itself keyed with the seed; computed apart from this
 * code. Other numbers would break the replay of every stored game. */
static void the_stream_is_the_one_it_always_was(void **unused)
{
    (void)unused;
    static const uint32_t first[] = {0xa04bf8cc, 0x4259d685, 0x059a83ad, 0x7c5c913b};
    struct rng rng;
    rng_init(&rng, &seed, "deck");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(rng_u32(&rng), first[i]);
}

static void the_stream_does_not_repeat_at_the_end_of_a_block(void **unused)
{
    (void)unused;
    struct rng rng;
    rng_init(&rng, &seed, "deck");
    uint32_t block[16];
    for (int i = 0; i < 16; i++) block[i] = rng_u32(&rng);
    int equal = 0;
    for (int i = 0; i < 16; i++) equal += rng_u32(&rng) == block[i];
    assert_int_equal(equal, 0);
    assert_int_equal(rng.block, 2);
}

static void below_is_uniform_also_where_the_bound_divides_nothing(void **unused)
{
    (void)unused;
    static const uint32_t bounds[] = {2, 3, 7, 24, 26, 57, 100};
    struct rng rng;
    rng_init(&rng, &seed, "uniform");
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        enum { DRAWN = 200000 };
        int counts[100] = {0};
        for (int i = 0; i < DRAWN; i++) {
            uint32_t value = rng_below(&rng, bounds[b]);
            assert_true(value < bounds[b]);
            counts[value]++;
        }
        double distance = distance_from_uniform(counts, (int)bounds[b], DRAWN, (int)bounds[b] - 1);
        assert_true(fabs(distance) < 5);
    }
}

/* With 3 * 2^30 as bound, a plain remainder would give the lowest quarter of the range twice as
 * often as it should: a third of the results too many below 2^30. */
static void below_has_no_bias_from_the_remainder(void **unused)
{
    (void)unused;
    enum { DRAWN = 100000 };
    struct rng rng;
    rng_init(&rng, &seed, "remainder");
    int counts[3] = {0};
    for (int i = 0; i < DRAWN; i++) counts[rng_below(&rng, 3u << 30) >> 30]++;
    assert_true(fabs(distance_from_uniform(counts, 3, DRAWN, 2)) < 5);
}

static void below_one_is_zero(void **unused)
{
    (void)unused;
    struct rng rng;
    rng_init(&rng, &seed, "one");
    for (int i = 0; i < 100; i++) assert_int_equal(rng_below(&rng, 1), 0);
}

static void a_shuffle_puts_every_item_in_every_place_equally_often(void **unused)
{
    (void)unused;
    enum { ITEMS = 26, SHUFFLES = 50000 };
    static int counts[ITEMS * ITEMS];
    struct rng rng;
    rng_init(&rng, &seed, "shuffle");
    for (int i = 0; i < SHUFFLES; i++) {
        uint8_t items[ITEMS];
        for (int k = 0; k < ITEMS; k++) items[k] = (uint8_t)k;
        rng_shuffle(&rng, items, ITEMS);
        for (int place = 0; place < ITEMS; place++) counts[items[place] * ITEMS + place]++;
    }
    /* Rows and columns have fixed sums. */
    double distance =
        distance_from_uniform(counts, ITEMS * ITEMS, ITEMS * SHUFFLES, (ITEMS - 1) * (ITEMS - 1));
    assert_true(fabs(distance) < 5);
}

static void a_shuffle_of_four_gives_all_orders_equally_often(void **unused)
{
    (void)unused;
    enum { SHUFFLES = 120000 };
    int counts[256] = {0}, orders[24], found = 0;
    struct rng rng;
    rng_init(&rng, &seed, "orders");
    for (int i = 0; i < SHUFFLES; i++) {
        uint8_t items[4] = {0, 1, 2, 3};
        rng_shuffle(&rng, items, 4);
        counts[items[0] | items[1] << 2 | items[2] << 4 | items[3] << 6]++;
    }
    for (int i = 0; i < 256; i++)
        if (counts[i] && found < 24) orders[found++] = counts[i];
    assert_int_equal(found, 24);
    assert_true(fabs(distance_from_uniform(orders, 24, SHUFFLES, 23)) < 5);
}

static void a_shuffle_keeps_all_items(void **unused)
{
    (void)unused;
    uint8_t items[200], seen[200] = {0};
    for (int i = 0; i < 200; i++) items[i] = (uint8_t)i;
    struct rng rng;
    rng_init(&rng, &seed, "keep");
    rng_shuffle(&rng, items, 200);
    for (int i = 0; i < 200; i++) seen[items[i]]++;
    for (int i = 0; i < 200; i++) assert_int_equal(seen[i], 1);
    rng_shuffle(&rng, items, 1);
    rng_shuffle(&rng, NULL, 0);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(one_seed_and_purpose_is_one_stream),
                     cmocka_unit_test(another_purpose_or_seed_is_another_stream),
                     cmocka_unit_test(the_stream_is_the_one_it_always_was),
                     cmocka_unit_test(the_stream_does_not_repeat_at_the_end_of_a_block),
                     cmocka_unit_test(below_is_uniform_also_where_the_bound_divides_nothing),
                     cmocka_unit_test(below_has_no_bias_from_the_remainder),
                     cmocka_unit_test(below_one_is_zero),
                     cmocka_unit_test(a_shuffle_puts_every_item_in_every_place_equally_often),
                     cmocka_unit_test(a_shuffle_of_four_gives_all_orders_equally_often),
                     cmocka_unit_test(a_shuffle_keeps_all_items));
}
