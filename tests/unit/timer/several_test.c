/* SPDX-License-Identifier: Apache-2.0
 *
 * Several timers share the rooms; one comes, leaves or dies.
 */
#include "unit/test.h"

#include "unit/timer/yard.h"

static struct yard yard;

static int one(void **unused)
{
    (void)unused;
    yard_open(&yard, 1);
    return 0;
}

static int two(void **unused)
{
    (void)unused;
    yard_open(&yard, 2);
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    yard_close(&yard);
    return 0;
}

static struct timer_stats stats(int timer)
{
    return timer_core_stats(yard.timers[timer]);
}

static void two_timers_split_the_rooms(void **unused)
{
    (void)unused;
    enum { ROOMS = 200 };
    static room_id rooms[ROOMS];
    for (uint32_t i = 0; i < ROOMS; i++) rooms[i] = yard_room(&yard, i, 0, 1, 300 + i);
    yard_pass(&yard, 1000);
    int shares[YARD_TIMERS] = {0};
    for (int i = 0; i < yard.sent_count; i++) shares[yard.sent[i].timer]++;
    assert_int_equal(yard.sent_count, ROOMS);
    assert_in_range(shares[0], 60, 140);
    assert_int_equal(stats(0).covers + stats(1).covers, 0);
    for (int i = 0; i < ROOMS; i++) assert_int_equal(yard_fires(&yard, rooms[i]), 1);
}

static void a_slow_store_does_not_make_the_twin_cover_what_is_done(void **unused)
{
    (void)unused;
    yard.store_ms = 70;
    for (uint32_t i = 0; i < 100; i++) yard_room(&yard, i, 0, 1, 600 + 5 * i);
    yard_pass(&yard, 1600);
    assert_int_equal(yard.sent_count, 100);
    assert_int_equal(stats(0).covers + stats(1).covers, 0);
}

static void the_twin_covers_what_a_dead_timer_leaves(void **unused)
{
    (void)unused;
    enum { ROOMS = 100 };
    static room_id rooms[ROOMS];
    instant_ms due = yard.now + 300;
    for (uint32_t i = 0; i < ROOMS; i++) rooms[i] = yard_room(&yard, i, 0, 1, 300);
    yard_pass(&yard, 250);
    timer_core_close(yard.timers[0]);
    yard.timers[0] = NULL;
    yard.matchmaker_away = true; /* nobody tells the twin */
    yard_pass(&yard, 300);
    for (int i = 0; i < ROOMS; i++) {
        assert_int_equal(yard_fires(&yard, rooms[i]), 1);
        assert_in_range(yard_fire(&yard, rooms[i], 0), due,
                        due + TIMER_COVER_MS + TIMER_SWEEP_MS + 10);
    }
    assert_in_range(stats(1).covers, 30, 70);
}

/* What the twin waits for is a sweep that lists it late: it fires with that one, not some time
 * after. */
static void a_cover_leaves_with_the_sweep_that_shows_the_need(void **unused)
{
    (void)unused;
    enum { ROOMS = 200, STORE_MS = 8, SEEN_MS = TIMER_COVER_MS / 2 };
    static room_id rooms[ROOMS];
    instant_ms due = yard.now + 300;
    yard.store_ms = STORE_MS;
    for (uint32_t i = 0; i < ROOMS; i++) rooms[i] = yard_room(&yard, i, 0, 1, 300 + i);
    yard_pass(&yard, 250);
    timer_core_close(yard.timers[0]);
    yard.timers[0] = NULL;
    yard.matchmaker_away = true;
    yard_pass(&yard, 600);
    for (instant_ms i = 0; i < ROOMS; i++)
        assert_in_range(yard_fire(&yard, rooms[i], 0), due + i,
                        due + i + SEEN_MS + TIMER_SWEEP_MS + 2 * STORE_MS);
}

static void dies(int timer)
{
    timer_core_close(yard.timers[timer]);
    yard.timers[timer] = NULL;
}

static void tell_gone(int timer)
{
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = yard_timer_url(timer)};
    yard_event(&yard, 1 - timer, &gone);
}

/* Its pipe has closed: nobody waits for the matchmaker, nor for what is late already. */
static void a_twin_that_is_seen_to_die_leaves_its_share_at_once(void **unused)
{
    (void)unused;
    enum { ROOMS = 200, NOTICED_MS = 20 };
    static room_id rooms[ROOMS];
    instant_ms due = yard.now + 260;
    for (uint32_t i = 0; i < ROOMS; i++) rooms[i] = yard_room(&yard, i, 0, 1, 260 + i);
    yard_pass(&yard, 250);
    assert_true(yard.watches[1][0] && yard.watches[0][1]);
    dies(0);
    yard.matchmaker_away = true;
    yard_pass(&yard, NOTICED_MS);
    tell_gone(0);
    yard_pass(&yard, 600);
    assert_int_equal(stats(1).timers, 1);
    assert_int_equal(stats(1).covers, 0);
    for (instant_ms i = 0; i < ROOMS; i++) {
        assert_int_equal(yard_fires(&yard, rooms[i]), 1);
        assert_in_range(yard_fire(&yard, rooms[i], 0), due + i,
                        i < NOTICED_MS ? due + NOTICED_MS : due + i + 1);
    }
}

/* Its port refused us, but the matchmaker goes on hearing it. */
static void a_timer_taken_for_dead_shares_again_when_it_is_heard_on(void **unused)
{
    (void)unused;
    yard.watches[1][0] = false; /* that pipe was closed with the news */
    tell_gone(0);
    assert_int_equal(stats(1).timers, 1);
    yard_pass(&yard, TIMER_SILENT_MS - 20);
    assert_int_equal(stats(1).timers, 1);
    yard_pass(&yard, TIMER_HEARTBEAT_MS + 40);
    assert_int_equal(stats(1).timers, 2);
    assert_true(yard.watches[1][0]);
}

static void a_timer_that_is_listed_no_more_is_not_watched(void **unused)
{
    (void)unused;
    assert_true(yard.watches[1][0]);
    dies(0);
    yard_pass(&yard, TIMER_HEARTBEAT_MS + 10);
    assert_false(yard.watches[1][0]);
}

static const struct effect *find(const struct effects *out, enum effect_kind kind)
{
    for (size_t i = 0; i < out->count; i++)
        if (out->list[i].kind == kind) return &out->list[i];
    return NULL;
}

static void a_timer_takes_a_share_when_it_has_read_the_set(void **unused)
{
    (void)unused;
    struct timer_config config = {.instance = {{9}},
                                  .inbox_url = "ipc://t",
                                  .build = "test",
                                  .matchmakers = {"ipc://m"},
                                  .matchmaker_count = 1,
                                  .shard_count = 1};
    struct timer_core *core = timer_core_open(&config, 1000);
    struct effects out = {0};
    struct event tick = {.kind = EVENT_TICK};
    struct event up = {.kind = EVENT_STORE_RESET, .store_up = true};
    timer_core_step(core, &tick, 1000, &out);
    assert_null(find(&out, EFFECT_REQUEST));
    timer_core_step(core, &up, 1001, &out);
    assert_null(find(&out, EFFECT_REQUEST));
    struct store_reply none = {.kind = STORE_DUE, .tag = find(&out, EFFECT_STORE)->op.tag};
    none.next_due_in_ms = INT64_MAX;
    struct event read = {.kind = EVENT_STORE, .store = &none};
    timer_core_step(core, &read, 1002, &out);
    assert_int_equal(find(&out, EFFECT_REQUEST)->request.kind, REQ_HEARTBEAT);
    effects_fini(&out);
    timer_core_close(core);
}

static void a_timer_that_fell_silent_loses_its_share(void **unused)
{
    (void)unused;
    assert_int_equal(stats(1).timers, 2);
    timer_core_close(yard.timers[0]);
    yard.timers[0] = NULL;
    yard_pass(&yard, TIMER_HEARTBEAT_MS + 10);
    assert_int_equal(stats(1).timers, 1);
    room_id room = yard_room(&yard, 1, 0, 1, 200);
    yard_pass(&yard, 400);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_int_equal(stats(1).covers, 0);
}

static void heartbeats_come_at_their_pace(void **unused)
{
    (void)unused;
    int before = yard.heartbeats;
    yard_pass(&yard, 10 * TIMER_HEARTBEAT_MS);
    assert_in_range(yard.heartbeats - before, 9, 11);
    yard.matchmaker_away = true;
    before = yard.heartbeats;
    yard_pass(&yard, 10 * TIMER_HEARTBEAT_MS);
    assert_in_range(yard.heartbeats - before, 9, 11);
}

static void a_timer_that_leaves_says_so_first(void **unused)
{
    (void)unused;
    struct event drain = {.kind = EVENT_DRAIN};
    yard_event(&yard, 0, &drain);
    assert_true(yard.draining_told[0]);
    assert_false(yard.left[0]);
    assert_non_null(timer_core_unready(yard.timers[0], yard.now));
    yard_pass(&yard, 3);
    assert_true(yard.left[0]);
    yard_pass(&yard, TIMER_HEARTBEAT_MS);
    assert_int_equal(stats(1).timers, 1);
}

static void a_timer_leaves_though_no_matchmaker_answers(void **unused)
{
    (void)unused;
    struct event drain = {.kind = EVENT_DRAIN};
    timer_core_step(yard.timers[0], &drain, yard.now, &yard.out[0]); /* its heartbeat is lost */
    yard_pass(&yard, TIMER_DRAIN_MS - 10);
    assert_false(yard.left[0]);
    yard_pass(&yard, 20);
    assert_true(yard.left[0]);
}

#define ALONE(name) cmocka_unit_test_setup_teardown(name, one, stop)

#define BOTH(name) cmocka_unit_test_setup_teardown(name, two, stop)

int main(void)
{
    return RUN_TESTS(BOTH(two_timers_split_the_rooms),
                     BOTH(a_slow_store_does_not_make_the_twin_cover_what_is_done),
                     BOTH(a_cover_leaves_with_the_sweep_that_shows_the_need),
                     cmocka_unit_test(a_timer_takes_a_share_when_it_has_read_the_set),
                     BOTH(the_twin_covers_what_a_dead_timer_leaves),
                     BOTH(a_timer_that_fell_silent_loses_its_share),
                     BOTH(a_twin_that_is_seen_to_die_leaves_its_share_at_once),
                     BOTH(a_timer_taken_for_dead_shares_again_when_it_is_heard_on),
                     BOTH(a_timer_that_is_listed_no_more_is_not_watched),
                     ALONE(heartbeats_come_at_their_pace), BOTH(a_timer_that_leaves_says_so_first),
                     ALONE(a_timer_leaves_though_no_matchmaker_answers));
}
