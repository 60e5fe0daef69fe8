/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there, and who is dead.
 */
#include "unit/matchmaker/bench.h"

static void a_process_that_refuses_a_redial_is_dead_at_once(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    const struct effect *owned = bench_find(&bench, EFFECT_STORE, STORE_OWNED);
    assert_non_null(owned);
    assert_true(id128_equal(owned->op.instance, W1));
}

static void a_silent_worker_is_dead_after_its_lease_and_not_before(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 500, EFFECT_STORE, STORE_OWNED));
}

/* Gateways hear it with their next heartbeat, and ask where the rooms are now. */
static void a_dead_worker_is_listed_as_dead(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{9}}};
    beat.self = (struct member){.kind = SERVICE_GATEWAY,
                                .instance = {{0x77}},
                                .inbox_url = "ipc://g",
                                .control_url = "",
                                .build = "test"};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &beat));
    int dead = 0;
    for (int i = 0; i < reply->member_count; i++) {
        const struct member *member = &reply->members[i];
        if (member->silent_ms != MEMBER_DEAD) continue;
        assert_true(id128_equal(member->instance, W1));
        dead++;
    }
    assert_int_equal(dead, 1);
}

/* Whoever it is: an operator wants to know that one of two gateways has died. Gateways are told of
 * workers alone. */
static void an_operator_is_told_of_all_the_dead(void **state)
{
    (void)state;
    static const struct id128 timer = {{0x78}};
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{9}}};
    beat.self = (struct member){.kind = SERVICE_TIMER,
                                .instance = timer,
                                .inbox_url = "ipc://t",
                                .control_url = "",
                                .build = "test"};
    bench_request(&bench, &beat);
    bench_run(&bench, 3000, EFFECT_EXIT, NO_KIND); /* the workers are heard, and it is not */
    struct request status = {.kind = REQ_STATUS, .id = {{10}}};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &status));
    assert_int_equal(reply->member_count, 4);
    int dead = 0;
    for (int i = 0; i < reply->member_count; i++) {
        if (reply->members[i].silent_ms != MEMBER_DEAD) continue;
        assert_true(id128_equal(reply->members[i].instance, timer));
        dead++;
    }
    assert_int_equal(dead, 1);
    beat.self.kind = SERVICE_GATEWAY;
    beat.self.instance = (struct id128){{0x79}};
    reply = bench_answer(&bench, bench_request(&bench, &beat));
    for (int i = 0; i < reply->member_count; i++)
        assert_int_not_equal(reply->members[i].kind, SERVICE_TIMER);
}

static void our_own_pause_makes_nobody_dead(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    bench.now += 5000;
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 500, EFFECT_STORE, STORE_OWNED));
}

static void silence_does_not_count_while_the_store_is_away(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    bench.store_silent = true;
    assert_false(bench_run(&bench, 5000, EFFECT_STORE, STORE_OWNED));
}

static void when_most_seem_dead_the_watcher_waits_one_lease_more(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = bench.w2_alive = false;
    assert_false(bench_run(&bench, 2000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
}

static void hear_at_c1(struct id128 instance)
{
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    request.self = (struct member){.kind = SERVICE_WORKER,
                                   .instance = instance,
                                   .inbox_url = "ipc://w1",
                                   .control_url = "ipc://c1",
                                   .build = "test",
                                   .rooms_max = 100};
    bench_request(&bench, &request);
}

static void a_restart_at_the_same_address_is_the_end_of_the_former_instance(void **state)
{
    (void)state;
    hear_at_c1((struct id128){{3}});
    const struct effect *owned = bench_find(&bench, EFFECT_STORE, STORE_OWNED);
    assert_non_null(owned);
    assert_true(id128_equal(owned->op.instance, W1));
}

static bool watches(enum effect_kind kind)
{
    const struct effect *effect = bench_find(&bench, kind, NO_KIND);
    if (effect) assert_string_equal(effect->url, "ipc://c1");
    return effect != NULL;
}

static void the_process_at_c1_dies(void)
{
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench.w1_alive = false;
    bench_step(&bench, &gone);
}

/* The former one leaves the list a minute later, and they have one address. */
static void a_worker_that_was_started_again_is_watched_as_long_as_it_lives(void **state)
{
    (void)state;
    the_process_at_c1_dies();
    hear_at_c1((struct id128){{3}});
    assert_true(watches(EFFECT_WATCH));
    for (instant_ms passed = 0; passed < MATCHMAKER_FORGET_MS + 1000; passed += 250) {
        hear_at_c1((struct id128){{3}});
        assert_false(bench_run(&bench, 250, EFFECT_UNWATCH, NO_KIND));
    }
    the_process_at_c1_dies();
    assert_true(bench_run(&bench, MATCHMAKER_FORGET_MS + 1000, EFFECT_UNWATCH, NO_KIND));
    assert_true(watches(EFFECT_UNWATCH));
}

static void who_was_taken_for_dead_and_is_heard_again_is_watched_again(void **state)
{
    (void)state;
    the_process_at_c1_dies();
    assert_false(watches(EFFECT_WATCH));
    bench_heartbeat(&bench, W1);
    assert_true(watches(EFFECT_WATCH));
    bench_heartbeat(&bench, W1);
    assert_false(watches(EFFECT_WATCH));
}

/* It stands in the list of all matchmakers, perhaps under a name that it does not know. */
static void a_matchmaker_that_hears_itself_is_no_second_one(void **state)
{
    (void)state;
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    request.self = (struct member){.kind = SERVICE_MATCHMAKER,
                                   .instance = SELF,
                                   .inbox_url = "",
                                   .control_url = "tcp://matchmaker-0:7100",
                                   .build = "test"};
    bench_request(&bench, &request);
    struct request ask = {.kind = REQ_HEARTBEAT, .id = {{8}}};
    ask.self = (struct member){.kind = SERVICE_GATEWAY,
                               .instance = {{0x77}},
                               .inbox_url = "ipc://g",
                               .control_url = "",
                               .build = "test"};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &ask));
    int matchmakers = 0;
    for (int i = 0; i < reply->member_count; i++)
        matchmakers += reply->members[i].kind == SERVICE_MATCHMAKER;
    assert_int_equal(matchmakers, 1);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(a_process_that_refuses_a_redial_is_dead_at_once),
                     BENCH_TEST(a_silent_worker_is_dead_after_its_lease_and_not_before),
                     BENCH_TEST(a_dead_worker_is_listed_as_dead),
                     BENCH_TEST(an_operator_is_told_of_all_the_dead),
                     BENCH_TEST(our_own_pause_makes_nobody_dead),
                     BENCH_TEST(silence_does_not_count_while_the_store_is_away),
                     BENCH_TEST(when_most_seem_dead_the_watcher_waits_one_lease_more),
                     BENCH_TEST(a_restart_at_the_same_address_is_the_end_of_the_former_instance),
                     BENCH_TEST(a_worker_that_was_started_again_is_watched_as_long_as_it_lives),
                     BENCH_TEST(who_was_taken_for_dead_and_is_heard_again_is_watched_again),
                     BENCH_TEST(a_matchmaker_that_hears_itself_is_no_second_one));
}
