/* SPDX-License-Identifier: Apache-2.0
 *
 * Small drills of what the rooms are kept in: Redis killed, frozen, refusing writes; and replicas
 * promoted by Sentinels.
 */
#include "drill/brief.h"

#include "unit/test.h"

static struct drill_yard yard;

static int open_own(void **state)
{
    (void)state;
    return brief_open(&yard, DRILL_OWN_REDIS);
}

static int open_sentinels(void **state)
{
    (void)state;
    return brief_open(&yard, DRILL_SENTINELS);
}

static int tear_down(void **state)
{
    (void)state;
    drill_yard_close(&yard);
    return 0;
}

static void a_killed_redis_costs_nothing_while_the_workers_live(void **state)
{
    (void)state;
    brief_carry_out(&yard, "redis-kill", 2);
}

static void one_that_writes_through_may_be_killed_together_with_them(void **state)
{
    (void)state;
    brief_carry_out(&yard, "redis-owners-kill", 1);
}

static void a_frozen_redis_pauses_rooms_that_say_so(void **state)
{
    (void)state;
    brief_carry_out(&yard, "redis-freeze", 1);
}

static void a_redis_with_a_full_disk_pauses_rooms_that_say_so(void **state)
{
    (void)state;
    brief_carry_out(&yard, "redis-full", 1);
}

static void a_redis_without_memory_pauses_rooms_that_say_so(void **state)
{
    (void)state;
    brief_carry_out(&yard, "redis-memory", 1);
}

static void a_promoted_replica_lacks_nothing_for_long(void **state)
{
    (void)state;
    brief_carry_out(&yard, "promotion", 2);
}

#define TEST(name) cmocka_unit_test(name)

/* An argument chooses tests: a name with * and ?. */
int main(void)
{
    int failed = RUN_TESTS_BETWEEN(open_own, tear_down,
                                   TEST(a_killed_redis_costs_nothing_while_the_workers_live),
                                   TEST(one_that_writes_through_may_be_killed_together_with_them),
                                   TEST(a_frozen_redis_pauses_rooms_that_say_so),
                                   TEST(a_redis_with_a_full_disk_pauses_rooms_that_say_so),
                                   TEST(a_redis_without_memory_pauses_rooms_that_say_so));
    return failed + RUN_TESTS_BETWEEN(open_sentinels, tear_down,
                                      TEST(a_promoted_replica_lacks_nothing_for_long));
}
