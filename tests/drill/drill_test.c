/* SPDX-License-Identifier: Apache-2.0
 *
 * One drill of each kind, small: a crowd on one cluster, and a verdict after each. Nothing may be
 * lost, doubled, stalled or shown that is not in the log; how long it took is told and not asked.
 */
#include "drill/brief.h"
#include "unit/test.h"

static struct drill_yard yard;

static int set_up(void **state)
{
    (void)state;
    return brief_open(&yard, DRILL_OWN_REDIS);
}

static int tear_down(void **state)
{
    (void)state;
    drill_yard_close(&yard);
    return 0;
}

static void carry_out(const char *name, int times)
{
    brief_carry_out(&yard, name, times);
}

static void killed_workers_cost_nothing(void **state)
{
    (void)state;
    carry_out("worker-kill", 2);
}

static void killed_gateways_cost_nothing(void **state)
{
    (void)state;
    carry_out("gateway-kill", 2);
}

static void killed_timers_stop_no_room(void **state)
{
    (void)state;
    carry_out("timer-kill", 2);
}

static void killed_matchmakers_stop_no_room(void **state)
{
    (void)state;
    carry_out("matchmaker-kill", 2);
}

static void a_frozen_worker_that_wakes_harms_nothing(void **state)
{
    (void)state;
    carry_out("worker-freeze", 2);
}

static void frozen_gateways_cost_nothing(void **state)
{
    (void)state;
    carry_out("gateway-freeze", 1);
}

static void frozen_timers_stop_no_room(void **state)
{
    (void)state;
    carry_out("timer-freeze", 1);
}

static void frozen_matchmakers_stop_no_room(void **state)
{
    (void)state;
    carry_out("matchmaker-freeze", 1);
}

static void a_worker_told_to_leave_leaves_no_room_behind(void **state)
{
    (void)state;
    carry_out("worker-drain", 2);
}

static void a_worker_with_another_clock_changes_no_deadline(void **state)
{
    (void)state;
    carry_out("worker-clock", 2);
}

static void who_does_not_read_disturbs_nobody(void **state)
{
    (void)state;
    carry_out("deaf-clients", 1);
}

static void everything_is_started_again_while_people_play(void **state)
{
    (void)state;
    carry_out("rolling-restart", 1);
}

#define TEST(name) cmocka_unit_test(name)

/* An argument chooses tests: a name with * and ?. */
int main(void)
{
    return RUN_TESTS_BETWEEN(set_up, tear_down, TEST(killed_workers_cost_nothing),
                             TEST(killed_gateways_cost_nothing), TEST(killed_timers_stop_no_room),
                             TEST(killed_matchmakers_stop_no_room),
                             TEST(a_frozen_worker_that_wakes_harms_nothing),
                             TEST(frozen_gateways_cost_nothing), TEST(frozen_timers_stop_no_room),
                             TEST(frozen_matchmakers_stop_no_room),
                             TEST(a_worker_told_to_leave_leaves_no_room_behind),
                             TEST(a_worker_with_another_clock_changes_no_deadline),
                             TEST(who_does_not_read_disturbs_nobody),
                             TEST(everything_is_started_again_while_people_play));
}
