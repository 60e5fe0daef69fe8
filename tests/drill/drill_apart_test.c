/* SPDX-License-Identifier: Apache-2.0
 *
 * Small drills of services on machines of their own: ways cut, clocks that differ by a day.
 */
#include "drill/brief.h"

#include "unit/test.h"

static struct drill_yard yard;

static int set_up(void **state)
{
    (void)state;
    return brief_open(&yard, DRILL_APART);
}

static int tear_down(void **state)
{
    (void)state;
    drill_yard_close(&yard);
    return 0;
}

static void services_that_are_cut_off_from_each_other_lose_nothing(void **state)
{
    (void)state;
    brief_carry_out(&yard, "cut", 3);
}

static void workers_with_clocks_a_day_apart_take_over_from_each_other(void **state)
{
    (void)state;
    brief_carry_out(&yard, "clock", 2);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        set_up, tear_down, cmocka_unit_test(services_that_are_cut_off_from_each_other_lose_nothing),
        cmocka_unit_test(workers_with_clocks_a_day_apart_take_over_from_each_other));
}
