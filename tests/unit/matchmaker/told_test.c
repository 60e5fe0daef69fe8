/* SPDX-License-Identifier: Apache-2.0
 *
 * Of whom a worker hears among hundreds: few, and all that it has to know.
 */
#include "unit/matchmaker/bench.h"

enum { MANY = 300 };

static struct rules plays[2] = {{"toy", 1}, {"toy", 2}};

static struct id128 worker(int number)
{
    return (struct id128){{0x40, (uint8_t)(number >> 8), (uint8_t)number}};
}

/* What the worker of that number is answered; so many versions it plays from its start. */
static const struct reply *heard_of(int number, int play_count, bool draining)
{
    char url[32];
    snprintf(url, sizeof url, "ipc://n%d", number);
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    beat.self = (struct member){.kind = SERVICE_WORKER,
                                .instance = worker(number),
                                .inbox_url = url,
                                .control_url = url,
                                .build = "test",
                                .rooms_max = 100,
                                .draining = draining,
                                .plays = plays,
                                .play_count = play_count};
    return bench_answer(&bench, bench_request(&bench, &beat));
}

static int workers_in(const struct reply *reply, const struct id128 *of)
{
    int count = 0;
    for (int i = 0; i < reply->member_count; i++)
        if (reply->members[i].kind == SERVICE_WORKER)
            count += !of || id128_equal(reply->members[i].instance, *of);
    return count;
}

static int many_are_there(void **state)
{
    bench_set_up(state);
    bench.w1_alive = bench.w2_alive = false;
    for (int i = 0; i < MANY; i++) heard_of(i, 1, false);
    return 0;
}

static void it_hears_of_a_few_that_could_take_its_rooms(void **state)
{
    (void)state;
    for (int i = 0; i < MANY; i++) {
        const struct reply *reply = heard_of(i, 1, false);
        assert_in_range(workers_in(reply, NULL), 8, 16);
        struct id128 itself = worker(i);
        assert_int_equal(workers_in(reply, &itself), 0);
    }
}

static void each_is_told_of_to_as_many_as_any_other(void **state)
{
    (void)state;
    int told[MANY] = {0};
    for (int i = 0; i < MANY; i++) {
        const struct reply *reply = heard_of(i, 1, false);
        for (int k = 0; k < MANY; k++) {
            struct id128 other = worker(k);
            told[k] += workers_in(reply, &other);
        }
    }
    /* But for the examples of their sort, of whom everybody hears. */
    for (int k = 2; k < MANY; k++) assert_in_range(told[k], 6, 10);
}

static void one_that_leaves_hears_of_more_and_of_none_that_leave_too(void **state)
{
    (void)state;
    heard_of(151, 1, true);
    const struct reply *reply = heard_of(150, 1, true);
    struct id128 leaving = worker(151), next = worker(152);
    assert_in_range(workers_in(reply, NULL), 60, 80);
    assert_int_equal(workers_in(reply, &next), 1);
    for (int i = 0; i < reply->member_count; i++)
        if (reply->members[i].draining)
            assert_true(id128_equal(reply->members[i].instance, leaving)); /* an example */
}

/* By what all can play it is decided which rules a game starts by. */
static void one_that_plays_other_rules_is_told_of_wherever_it_stands(void **state)
{
    (void)state;
    heard_of(MANY, 2, false);
    struct id128 newer = worker(MANY);
    for (int i = 0; i < MANY; i += 7)
        assert_int_equal(workers_in(heard_of(i, 1, false), &newer), 1);
    heard_of(MANY, 2, true); /* it still plays them, and now it leaves */
    assert_int_equal(workers_in(heard_of(3, 1, false), &newer), 1);
}

static void who_is_alone_of_its_sort_hears_of_the_others(void **state)
{
    (void)state;
    const struct reply *reply = heard_of(MANY, 2, false);
    assert_in_range(workers_in(reply, NULL), 8, 16);
    for (int i = 0; i < reply->member_count; i++)
        if (reply->members[i].kind == SERVICE_WORKER)
            assert_in_range(reply->members[i].play_count, 0, 1);
}

static void an_operator_hears_of_all(void **state)
{
    (void)state;
    struct request status = {.kind = REQ_STATUS, .id = {{6}}};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &status));
    assert_int_equal(workers_in(reply, NULL), MANY + 2);
}

int main(void)
{
#define MANY_TEST(name) cmocka_unit_test_setup_teardown(name, many_are_there, bench_tear_down)
    return RUN_TESTS(MANY_TEST(it_hears_of_a_few_that_could_take_its_rooms),
                     MANY_TEST(each_is_told_of_to_as_many_as_any_other),
                     MANY_TEST(one_that_leaves_hears_of_more_and_of_none_that_leave_too),
                     MANY_TEST(one_that_plays_other_rules_is_told_of_wherever_it_stands),
                     MANY_TEST(who_is_alone_of_its_sort_hears_of_the_others),
                     MANY_TEST(an_operator_hears_of_all));
}
