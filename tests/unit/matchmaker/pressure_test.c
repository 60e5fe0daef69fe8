/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens at each bound of a matchmaker: whoever is one too many hears so at once, and those
 * before it are served.
 */
#include "unit/matchmaker/bench.h"
#include "wire/reason.h"

#include <stdio.h>

static struct matchmaker_queues queues(void)
{
    struct matchmaker_queues now;
    matchmaker_core_queues(bench.core, &now);
    return now;
}

static struct id128 numbered(uint8_t kind, uint32_t number)
{
    return (struct id128){{kind, (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16)}};
}

static void beat_both(struct member as)
{
    for (int w = 0; w < 2; w++) {
        struct request beat = {.kind = REQ_HEARTBEAT, .id = {{7}}, .self = as};
        beat.self.kind = SERVICE_WORKER;
        beat.self.instance = w ? W2 : W1;
        beat.self.inbox_url = w ? "ipc://w2" : "ipc://w1";
        beat.self.control_url = w ? "ipc://c2" : "ipc://c1";
        beat.self.build = "test";
        beat.self.rooms_max = 100;
        bench_request(&bench, &beat);
    }
}

static void full_workers_are_told_of_in_these_words(void **state)
{
    (void)state;
    beat_both((struct member){.rooms = 100});
    struct request create = {.kind = REQ_CREATE, .id = {{6}}, .game = "toy"};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &create));
    assert_non_null(reply);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_int_equal(reply->reason, REASON_NO_CAPACITY);
    bench_heartbeat(&bench, W2); /* one has room again */
    bench_request(&bench, &create);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE));
}

/* Everything is started again at once: others come in a moment. */
static void workers_that_all_leave_are_not_full(void **state)
{
    (void)state;
    beat_both((struct member){.draining = true});
    struct request create = {.kind = REQ_CREATE, .id = {{6}}, .game = "toy"};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &create));
    assert_non_null(reply);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_int_equal(reply->reason, REASON_BUSY);
}

static void questions_beyond_the_bound_are_busy(void **state)
{
    (void)state;
    struct request look = {.kind = REQ_LOOK_UP, .code = "000012"};
    uint32_t open = (uint32_t)queues().pending.depth;
    for (uint32_t i = open; i < MATCHMAKER_PENDING_MAX; i++) {
        look.id = numbered(5, i);
        assert_null(bench_answer(&bench, bench_request(&bench, &look)));
    }
    uint64_t tag = bench_question(&bench)->op.tag;
    assert_int_equal(queues().pending.depth, MATCHMAKER_PENDING_MAX);
    look.id = numbered(5, MATCHMAKER_PENDING_MAX);
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &look));
    assert_int_equal(reply->reason, REASON_BUSY);
    assert_true(queues().pending.refused >= 1);
    struct store_reply none = {.kind = STORE_FIND, .tag = tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    assert_null(bench_answer(&bench, bench_request(&bench, &look))); /* asked of the store */
}

static void tickets_beyond_the_bound_are_busy_and_go_when_nobody_asks(void **state)
{
    (void)state;
    struct request ticket = {.kind = REQ_TICKET, .game = "toy"};
    for (uint32_t i = 0; i <= MATCHMAKER_TICKETS_MAX; i++) {
        ticket.id = ticket.ticket = numbered(8, i);
        uint64_t token = bench_request(&bench, &ticket);
        const struct reply *reply = bench_answer(&bench, token);
        if (i < MATCHMAKER_TICKETS_MAX) continue;
        assert_int_equal(reply->status, ST_FULL);
        assert_int_equal(reply->reason, REASON_BUSY);
    }
    assert_int_equal(queues().tickets.depth, MATCHMAKER_TICKETS_MAX);
    assert_int_equal(queues().tickets.refused, 1);
    bench.now += MATCHMAKER_TICKET_SILENT_MS + 100;
    bench_run(&bench, 100, EFFECT_EXIT, NO_KIND);
    assert_int_equal(queues().tickets.depth, 0);
}

static void so_many_wait_for_a_room_and_the_rest_ask_again(void **state)
{
    (void)state;
    struct request resolve = {.kind = REQ_RESOLVE, .code = "000012"};
    uint64_t token = 0;
    for (uint32_t i = 0; i <= MATCHMAKER_WAITERS_MAX; i++) {
        resolve.id = numbered(4, i);
        token = bench_request(&bench, &resolve);
        struct store_reply found = {.kind = STORE_FIND,
                                    .tag = bench_question(&bench)->op.tag,
                                    .room = room_id_make(code_bits("000012"), 77),
                                    .owner_url = "",
                                    .epoch = 40};
        bench_store(&bench, &found);
        if (i < MATCHMAKER_WAITERS_MAX) assert_null(bench_answer(&bench, token));
    }
    assert_true(bench_answer(&bench, token)->pending);
    assert_int_equal(queues().waiters.depth, MATCHMAKER_WAITERS_MAX);
    assert_int_equal(queues().waiters.refused, 1);
    assert_int_equal(queues().placements.depth, 1);
}

/* A gateway that is one too many is answered and not listed; so is a worker. */
static void members_beyond_the_bound_are_not_listed(void **state)
{
    (void)state;
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    beat.self = (struct member){
        .kind = SERVICE_GATEWAY, .inbox_url = "ipc://g", .control_url = "", .build = "test"};
    uint32_t known = (uint32_t)queues().members.depth;
    for (uint32_t i = known; i <= WIRE_MEMBERS_MAX; i++) {
        beat.self.instance = numbered(0x60, i);
        assert_int_equal(bench_answer(&bench, bench_request(&bench, &beat))->status, ST_OK);
    }
    assert_int_equal(queues().members.depth, WIRE_MEMBERS_MAX);
    assert_int_equal(queues().members.refused, 1);
}

static void kill_workers(uint8_t kind, uint32_t count)
{
    char url[32];
    for (uint32_t i = 0; i < count; i++) {
        struct request beat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
        snprintf(url, sizeof url, "ipc://%u-%u", kind, i);
        beat.self = (struct member){.kind = SERVICE_WORKER,
                                    .instance = numbered(kind, i),
                                    .inbox_url = url,
                                    .control_url = url,
                                    .build = "test",
                                    .rooms_max = 100};
        bench_request(&bench, &beat);
        struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = url};
        bench_step(&bench, &gone);
    }
}

/* Their rooms are placed all the same, as somebody asks for them. */
static void rooms_of_so_many_dead_workers_are_gone_through_at_a_time(void **state)
{
    (void)state;
    kill_workers(0x70, 300);
    bench_run(&bench, 61 * 1000, EFFECT_EXIT, NO_KIND); /* they leave the list */
    assert_in_range(queues().members.depth, 2, 10);
    kill_workers(0x71, 300);
    assert_int_equal(queues().sweeps.depth, MATCHMAKER_SWEEPS_MAX);
    assert_int_equal(queues().sweeps.refused, 600 - MATCHMAKER_SWEEPS_MAX);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(full_workers_are_told_of_in_these_words),
                     BENCH_TEST(workers_that_all_leave_are_not_full),
                     BENCH_TEST(questions_beyond_the_bound_are_busy),
                     BENCH_TEST(tickets_beyond_the_bound_are_busy_and_go_when_nobody_asks),
                     BENCH_TEST(so_many_wait_for_a_room_and_the_rest_ask_again),
                     BENCH_TEST(members_beyond_the_bound_are_not_listed),
                     BENCH_TEST(rooms_of_so_many_dead_workers_are_gone_through_at_a_time));
}
