/* SPDX-License-Identifier: Apache-2.0
 *
 * A store that forgot may not know a room that lives: until its owner has had the time to write it
 * again nobody is told that it does not exist.
 */
#include "unit/matchmaker/bench.h"
#include "unit/test.h"
#include "wire/reason.h"

static int set_up(void **state)
{
    bench_set_up(state);
    bench_run(&bench, 1000, EFFECT_EXIT, NO_KIND);
    return 0;
}

static const struct reply *ask_unknown(enum request_kind kind)
{
    struct request request = {.kind = kind, .id = {{5}}, .code = "000012"};
    uint64_t token = bench_request(&bench, &request);
    const struct effect *question = bench_question(&bench);
    assert_true(id128_equal(question->op.instance, (struct id128){{9}}));
    struct store_reply none = {.kind = STORE_FIND, .tag = question->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct reply *reply = bench_answer(&bench, token);
    assert_non_null(reply);
    return reply;
}

static void an_unknown_room_of_a_store_that_remembers_us_does_not_exist(void **state)
{
    (void)state;
    assert_int_equal(ask_unknown(REQ_RESOLVE)->status, ST_UNKNOWN);
    assert_int_equal(ask_unknown(REQ_LOOK_UP)->reason, REASON_NO_SUCH_ROOM);
}

static void a_store_that_has_forgotten_our_lease_is_given_time(void **state)
{
    (void)state;
    bench.pulsed = 0;
    const struct reply *reply = ask_unknown(REQ_RESOLVE); /* before any pulse has shown it */
    assert_true(reply->status == ST_OK && reply->pending);
    reply = ask_unknown(REQ_LOOK_UP);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_int_equal(reply->reason, REASON_BUSY);
    bench_run(&bench, MATCHMAKER_REPAIR_MS - MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    assert_true(ask_unknown(REQ_RESOLVE)->pending);
    bench_run(&bench, 2 * MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    assert_int_equal(ask_unknown(REQ_RESOLVE)->status, ST_UNKNOWN);
}

static void a_pulse_shows_it_too(void **state)
{
    (void)state;
    bench.pulsed -= 1; /* set back to an older copy */
    bench_run(&bench, 2 * MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    assert_true(ask_unknown(REQ_RESOLVE)->pending);
}

int main(void)
{
#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, bench_tear_down)
    return RUN_TESTS(ON_BENCH(an_unknown_room_of_a_store_that_remembers_us_does_not_exist),
                     ON_BENCH(a_store_that_has_forgotten_our_lease_is_given_time),
                     ON_BENCH(a_pulse_shows_it_too));
}
