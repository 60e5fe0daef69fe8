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

/* The store finds the room, and nobody who owns it: true if a worker is asked to take it. */
static bool is_placed(void)
{
    struct request request = {.kind = REQ_RESOLVE, .id = {{5}}, .code = "000012"};
    uint64_t token = bench_request(&bench, &request);
    struct store_reply found = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room_id_make(code_bits("000012"), 77),
                                .owner_url = "",
                                .epoch = 40};
    bench_store(&bench, &found);
    bool placed = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT) != NULL;
    assert_true(placed || bench_answer(&bench, token)->pending);
    return placed;
}

/* Who has taken it since may live, with all that was acknowledged. */
static void a_room_is_given_to_nobody_before_its_owner_could_write_it_again(void **state)
{
    (void)state;
    bench.pulsed -= 1;
    bench_run(&bench, 2 * MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    assert_false(is_placed());
    bench_run(&bench, MATCHMAKER_REPAIR_MS, EFFECT_EXIT, NO_KIND);
    assert_true(is_placed());
}

/* The store says that the dead worker owns the room; true if another is asked to take it. */
static bool is_swept(void)
{
    room_id room = room_id_make(code_bits("000012"), 77);
    uint64_t epoch = 40;
    struct slice summary = {0};
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag,
                               .rooms = &room,
                               .epochs = &epoch,
                               .summaries = &summary,
                               .room_count = 1};
    bench_store(&bench, &page);
    return bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT) != NULL;
}

static void nor_is_one_of_a_worker_that_is_swept(void **state)
{
    (void)state;
    bench.pulsed -= 1;
    bench_run(&bench, 2 * MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench.w1_alive = false;
    bench_step(&bench, &gone);
    instant_ms from = bench.now;
    while (!is_swept()) assert_true(bench_run(&bench, 4000, EFFECT_STORE, STORE_OWNED));
    assert_in_range(bench.now - from, MATCHMAKER_REPAIR_MS - 500, MATCHMAKER_REPAIR_MS + 2000);
}

int main(void)
{
#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, bench_tear_down)
    return RUN_TESTS(ON_BENCH(an_unknown_room_of_a_store_that_remembers_us_does_not_exist),
                     ON_BENCH(a_store_that_has_forgotten_our_lease_is_given_time),
                     ON_BENCH(a_pulse_shows_it_too),
                     ON_BENCH(a_room_is_given_to_nobody_before_its_owner_could_write_it_again),
                     ON_BENCH(nor_is_one_of_a_worker_that_is_swept));
}
