/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "bench/latency.h"
#include "unit/test.h"

static struct latency histogram, other;

static int empty(void **unused)
{
    (void)unused;
    histogram = other = (struct latency){0};
    return 0;
}

static void nothing_added_reads_as_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(latency_at(&histogram, 500000), 0);
    assert_int_equal(latency_mean(&histogram), 0);
}

static void small_values_are_exact(void **unused)
{
    (void)unused;
    for (uint64_t us = 1; us <= 100; us++) latency_add(&histogram, us);
    assert_int_equal(latency_at(&histogram, 500000), 50);
    assert_int_equal(latency_at(&histogram, 990000), 99);
    assert_int_equal(latency_at(&histogram, 1000000), 100);
    assert_int_equal(latency_at(&histogram, 0), 1);
    assert_int_equal(latency_mean(&histogram), 50);
}

static void what_is_read_is_at_most_one_percent_above(void **unused)
{
    (void)unused;
    for (int shift = 0; shift < 36; shift++)
        for (uint64_t i = 0; i < 50; i++) {
            uint64_t us = (1ULL << shift) + hash_mix64(i) % (1ULL << shift);
            histogram = (struct latency){0};
            latency_add(&histogram, us);
            latency_add(&histogram, LATENCY_US_MAX); /* so that the greatest is another */
            uint64_t read = latency_at(&histogram, 500000);
            assert_true(read >= us && read - us <= us / 100);
        }
}

static void the_greatest_is_read_as_it_was(void **unused)
{
    (void)unused;
    latency_add(&histogram, 1000001);
    assert_int_equal(latency_at(&histogram, 999000), 1000001);
    latency_add(&histogram, UINT64_MAX); /* beyond the last slot: counted in it */
    assert_int_equal(histogram.count, 2);
    assert_int_equal(histogram.most_us, UINT64_MAX);
    assert_int_equal(latency_at(&histogram, 1000000), LATENCY_US_MAX);
}

static void two_processes_add_up_to_one(void **unused)
{
    (void)unused;
    struct latency all = {0};
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t us = hash_mix64(i) % 5000000;
        latency_add(i % 2 ? &histogram : &other, us);
        latency_add(&all, us);
    }
    latency_merge(&histogram, &other);
    assert_memory_equal(&histogram, &all, sizeof all);
}

#define EMPTY(test) cmocka_unit_test_setup(test, empty)

int main(void)
{
    return RUN_TESTS(EMPTY(nothing_added_reads_as_nothing), EMPTY(small_values_are_exact),
                     EMPTY(what_is_read_is_at_most_one_percent_above),
                     EMPTY(the_greatest_is_read_as_it_was), EMPTY(two_processes_add_up_to_one));
}
