/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens at each bound of a worker: "busy" while there is still memory, nothing that grows
 * while Redis is away, and all of it over when Redis is back.
 */
#include "unit/worker/one_rig.h"

#include <stdio.h>

enum { HOUR_MS = 3600 * 1000, BACKLOG_MAX = 6 << 10 };

static struct worker_queues queues(void)
{
    struct worker_queues now;
    worker_core_queues(rig.core, &now);
    return now;
}

static void wave(uint64_t counter)
{
    rig_wait(&rig, 60); /* below the seat's rate limit */
    rig_act(&rig, GATE1, 11, 1, counter, TOY_WAVE, 5);
}

static uint32_t refused_attach(void)
{
    const struct envelope *refused = rig_last(&rig, ENV_ATTACH_REFUSED);
    return refused ? refused->u.attach_refused.why.code : 0;
}

/* ---- all rooms together ---------------------------------------------------------------------- */

static int open_small(void **state)
{
    rig_limits.backlog_bytes_max = BACKLOG_MAX;
    int failed = open_rig(state);
    rig_limits.backlog_bytes_max = 0;
    return failed;
}

static void a_worker_that_is_behind_refuses_actions_before_its_memory_grows(void **state)
{
    (void)state;
    uint64_t counter = 2;
    rig.answers = RIG_HOLDS;
    rig_forget(&rig);
    while (rig_count(&rig, ENV_ANSWER) == 0) wave(counter++);
    assert_int_equal(answer()->why.code, REASON_BUSY);
    assert_int_equal(queues().backlog.refused, 1);
    assert_true(queues().unconfirmed.depth < WORKER_UNCONFIRMED_MAX); /* no bound of the room's */
    assert_int_equal(queues().unconfirmed.refused, 0);
    uint64_t full = queues().backlog.depth;
    assert_in_range(full, BACKLOG_MAX, 2 * BACKLOG_MAX);
    for (int i = 0; i < 100; i++) wave(counter);
    assert_in_range(queues().backlog.depth, full, full + 2048); /* who is connected may change */
    rig_attach(&rig, GATE2, 31, 3, 0);
    assert_int_equal(refused_attach(), REASON_BUSY);
    assert_in_range(queues().backlog.refused, 90, 102); /* a view that is made anew makes room */

    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 1100);
    assert_int_equal(queues().backlog.depth, 0);
    rig_forget(&rig);
    wave(counter - 1); /* what was busy was not done */
    assert_true(answer()->ok);
}

/* ---- one room -------------------------------------------------------------------------------- */

static void too_much_unconfirmed_is_busy_and_counted(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_forget(&rig);
    for (uint64_t c = 2; c < 2 + WORKER_UNCONFIRMED_MAX + 3; c++) wave(c);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 3);
    assert_int_equal(queues().unconfirmed.depth, WORKER_UNCONFIRMED_MAX);
    assert_int_equal(queues().unconfirmed.refused, 3);
    assert_int_equal(queues().backlog.refused, 0);
}

static void a_tail_that_no_snapshot_shortens_is_bounded(void **state)
{
    (void)state;
    rig.swallows = STORE_SNAPSHOT;
    uint64_t counter = 2;
    do {
        rig_forget(&rig);
        wave(counter++);
    } while (answer()->ok && counter < 2 * WORKER_KEPT_MAX);
    assert_int_equal(answer()->why.code, REASON_BUSY);
    assert_in_range(queues().kept.depth, WORKER_KEPT_MAX - WORKER_UNCONFIRMED_SPARE,
                    WORKER_KEPT_MAX);
    assert_int_equal(queues().kept.refused, 1);
}

static void say_rtt(uint32_t rtt_ms)
{
    struct envelope envelope = {.kind = ENV_RTT};
    envelope.u.rtt = (struct env_rtt){ROOM, 11, rtt_ms};
    rig_envelope(&rig, GATE1, &envelope);
}

/* A room whose round trips are shown: what is nobody's log, and changes for ever. */
static int open_showing_rtt(void **state)
{
    (void)state;
    char code[WIRE_CODE_LEN + 1];
    struct request request = {.kind = REQ_WORKER_CREATE, .id = {{1}}, .game = "toy", .room = ROOM};
    request.options[request.option_count++] = (struct option_pair){"rtt", 1};
    code_write(room_id_bits(ROOM), code);
    request.code = code;
    world_open(&world);
    rig_open(&rig, &world, 1);
    rig_request(&rig, &request);
    rig_attach(&rig, GATE1, 11, 1, 0);
    return 0;
}

static void views_that_wait_for_redis_do_not_grow(void **state)
{
    (void)state;
    uint64_t early = 0;
    rig_store_reset(&rig, false);
    for (instant_ms passed = 0; passed < HOUR_MS; passed += WORKER_PRESENCE_MS + 100) {
        say_rtt(50 + passed % 7);
        rig_wait(&rig, WORKER_PRESENCE_MS + 100);
        if (passed < HOUR_MS / 10) early = queues().backlog.depth;
    }
    /* While the room may be another's none is composed at all. */
    assert_true(queues().backlog.depth <= early + early / 4);
    assert_true(queues().held.depth <= WORKER_FRAMES_MAX + 4);
    rig_store_reset(&rig, true);
    rig_wait(&rig, 1100);
    assert_int_equal(queues().backlog.depth, 0);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.sections & SECTION_PRESENCE,
                     SECTION_PRESENCE);
}

static void who_comes_to_watch_and_goes_leaves_no_view_behind(void **state)
{
    (void)state;
    rig_store_reset(&rig, false);
    rig_wait(&rig, 2 * WORKER_LEASE_MS); /* nothing leaves without a lease */
    rig_watch(&rig, GATE1, 100, 9);
    uint64_t one = queues().backlog.depth;
    for (uint64_t client = 101; client < 400; client++) {
        rig_detach(&rig, GATE1, client - 1);
        rig_watch(&rig, GATE1, client, 9);
    }
    /* What was said to each, and the one view of the one who is there. */
    assert_true(queues().backlog.depth < one + 300 * 1024);
    rig_forget(&rig);
    for (uint64_t client = 400; client < 2000; client++) {
        rig_detach(&rig, GATE1, client - 1);
        rig_watch(&rig, GATE1, client, 9);
        if (client % 100 == 0) rig_forget(&rig);
    }
    assert_int_equal(refused_attach(), REASON_BUSY);
    assert_in_range(queues().held.depth, WORKER_HELD_MAX, WORKER_HELD_MAX + WORKER_HELD_SPARE);
    assert_true(queues().held.refused > 1000);
    rig_store_reset(&rig, true);
    rig_wait(&rig, 1100);
    assert_int_equal(queues().held.depth, 0);
    rig_watch(&rig, GATE1, 3000, 9);
    assert_int_equal(rig_last(&rig, ENV_ATTACHED)->u.attached.client, 3000);
}

static void a_room_has_so_many_watchers_and_no_more(void **state)
{
    (void)state;
    for (uint64_t client = 0; client < WORKER_WATCHERS_MAX; client++)
        rig_watch(&rig, GATE2, 500 + client, 20);
    assert_int_equal(queues().watchers.depth, WORKER_WATCHERS_MAX);
    rig_watch(&rig, GATE2, 900, 20);
    assert_int_equal(refused_attach(), REASON_ROOM_FULL);
    assert_int_equal(queues().watchers.refused, 1);
    rig_detach(&rig, GATE2, 500);
    rig_watch(&rig, GATE2, 900, 20);
    assert_int_equal(rig_last(&rig, ENV_ATTACHED)->u.attached.client, 900);
}

/* ---- what others ask of the worker ----------------------------------------------------------- */

static void a_worker_that_is_full_says_so(void **state)
{
    (void)state;
    for (int i = 1; i < 8; i++) assert_int_equal(rig_create(&rig, rig_room(i)), ST_OK);
    assert_int_equal(queues().rooms.depth, queues().rooms.bound);
    assert_int_equal(rig_create(&rig, rig_room(20)), ST_FULL);
    assert_int_equal(rig.replies[rig.reply_count - 1].reply.reason, REASON_NO_CAPACITY);
    assert_int_equal(rig_adopt(&rig, rig_room(21), 4), ST_FULL);
    assert_int_equal(queues().rooms.refused, 2);
}

static int open_wide(void **state)
{
    rig_limits.rooms_max = 2 * WORKER_ADOPTIONS_MAX;
    int failed = open_rig(state);
    rig_limits.rooms_max = 8;
    return failed;
}

static void adoptions_beyond_the_bound_are_refused_and_the_others_go_on(void **state)
{
    (void)state;
    struct request request = {.kind = REQ_WORKER_ADOPT};
    rig.answers = RIG_HOLDS;
    request.rooms = arena_alloc(&rig.arena, sizeof *request.rooms);
    request.room_count = 1;
    uint64_t first = 0, last = 0;
    for (int i = 0; i <= WORKER_ADOPTIONS_MAX; i++) {
        request.id = (struct id128){{3, (uint8_t)i}};
        request.rooms[0].room = rig_room(100 + i);
        last = rig_request(&rig, &request);
        if (first == 0) first = last;
    }
    assert_int_equal(rig_reply(&rig, last)->status, ST_FULL);
    assert_int_equal(queues().adoptions.refused, 1);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 10);
    assert_non_null(rig_reply(&rig, first));
    assert_int_equal(queues().adoptions.depth, 0);
    assert_int_equal(queues().takes.depth, 0);
}

static void a_stranger_too_many_is_not_heard(void **state)
{
    (void)state;
    char url[32];
    struct envelope envelope = {.kind = ENV_RESYNC};
    envelope.u.resync.room = ROOM;
    struct event event = {.kind = EVENT_ENVELOPES, .list = &envelope, .count = 1, .peer_url = url};
    uint32_t known = (uint32_t)queues().peers.depth;
    for (uint32_t i = known; i <= WORKER_PEERS_MAX; i++) {
        event.peer = (struct id128){{0xf0, (uint8_t)i, (uint8_t)(i >> 8)}};
        snprintf(url, sizeof url, "stranger%u", i);
        rig_event(&rig, &event);
        rig_forget(&rig);
    }
    assert_int_equal(queues().peers.depth, WORKER_PEERS_MAX);
    assert_int_equal(queues().peers.refused, 1);
    wave(2);
    assert_true(answer()->ok); /* those who are known are */
}

#define ON_A_SMALL_RIG(name) cmocka_unit_test_setup_teardown(name, open_small, close_rig)

int main(void)
{
    return RUN_TESTS(
        ON_A_SMALL_RIG(a_worker_that_is_behind_refuses_actions_before_its_memory_grows),
        ON_A_RIG(too_much_unconfirmed_is_busy_and_counted),
        ON_A_RIG(a_tail_that_no_snapshot_shortens_is_bounded),
        cmocka_unit_test_setup_teardown(views_that_wait_for_redis_do_not_grow, open_showing_rtt,
                                        close_rig),
        ON_A_RIG(who_comes_to_watch_and_goes_leaves_no_view_behind),
        ON_A_RIG(a_room_has_so_many_watchers_and_no_more), ON_A_RIG(a_worker_that_is_full_says_so),
        cmocka_unit_test_setup_teardown(adoptions_beyond_the_bound_are_refused_and_the_others_go_on,
                                        open_wide, close_rig),
        ON_A_RIG(a_stranger_too_many_is_not_heard));
}
