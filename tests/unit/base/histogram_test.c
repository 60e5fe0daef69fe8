/* SPDX-License-Identifier: Apache-2.0 */
#include "base/histogram.h"
#include "unit/test.h"

static void a_value_counts_in_the_first_bucket_that_is_wide_enough(void **unused)
{
    (void)unused;
    static const struct histogram_bounds bounds = {3, {1, 10, 100}};
    struct histogram of = {.sum = 0};
    static const uint64_t values[] = {0, 1, 2, 10, 11, 100, 101, 5000};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        histogram_add(&of, &bounds, values[i]);
    for (int i = 0; i < 4; i++) assert_int_equal(of.counts[i], 2);
    assert_int_equal(of.sum, 5225);
}

static void bounds_rise(void **unused)
{
    (void)unused;
    static const struct histogram_bounds *const all[] = {
        &histogram_action_ms, &histogram_outage_ms, &histogram_match_ms,
        &histogram_call_us,   &histogram_batch,
    };
    for (size_t h = 0; h < sizeof all / sizeof *all; h++) {
        assert_in_range(all[h]->count, 2, HISTOGRAM_BOUNDS_MAX);
        for (int i = 1; i < all[h]->count; i++) assert_true(all[h]->at[i - 1] < all[h]->at[i]);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_value_counts_in_the_first_bucket_that_is_wide_enough),
                     cmocka_unit_test(bounds_rise));
}
