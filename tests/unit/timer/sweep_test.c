/* SPDX-License-Identifier: Apache-2.0
 *
 * What a timer knows of the deadlines to come: the set of the store, and hints.
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

static void only_what_is_near_is_kept(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 100; i++) yard_room(&yard, i, 0, 1, 60000 + 1000 * i);
    yard_pass(&yard, 600);
    assert_int_equal(stats(0).tracked, 0);
    assert_int_equal(yard.sent_count, 0);
    assert_in_range(stats(0).sweeps, 5, 8); /* nothing is near: it looks now and then */
}

static void what_was_late_before_the_timer_came_is_fired_at_once(void **unused)
{
    (void)unused;
    yard_reset_store(&yard, 0, false);
    room_id room = yard_room(&yard, 1, 0, 1, 0);
    yard_pass(&yard, 5000);
    assert_int_equal(yard_fires(&yard, room), 0);
    yard_reset_store(&yard, 0, true);
    yard_pass(&yard, 5);
    assert_int_equal(yard_fires(&yard, room), 1);
}

static void a_hint_brings_a_deadline_forward(void **unused)
{
    (void)unused;
    room_id room = yard_room(&yard, 1, 1, 1, 60000);
    yard_pass(&yard, TIMER_IDLE_MS);
    uint64_t sweeps = stats(0).sweeps;
    while (stats(0).sweeps == sweeps) yard_pass(&yard, 1); /* the next sweep is far off */
    yard_pass(&yard, 5);
    yard_rearm(&yard, room, 1, 2, 20);
    struct envelope hint = {.kind = ENV_HINT,
                            .u.deadline = {.room = room, .number = 2, .due_in_ms = 20}};
    instant_ms due = yard.now + 20;
    yard_from_worker(&yard, 0, 1, &hint);
    yard_pass(&yard, 60);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_in_range(yard_fire(&yard, room, 0), due, due + 1);
}

static void a_hint_that_was_lost_costs_one_pause_between_sweeps(void **unused)
{
    (void)unused;
    room_id room = yard_room(&yard, 1, 1, 1, 60000);
    yard_pass(&yard, TIMER_IDLE_MS);
    instant_ms due = yard.now + 20;
    yard_rearm(&yard, room, 1, 2, 20);
    yard_pass(&yard, 20 + TIMER_IDLE_MS);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_in_range(yard_fire(&yard, room, 0), due, due + TIMER_IDLE_MS);
}

static void a_hint_without_an_entry_in_the_set_is_forgotten(void **unused)
{
    (void)unused;
    room_id room = yard_room(&yard, 1, 1, 1, 60000);
    struct envelope hint = {.kind = ENV_HINT,
                            .u.deadline = {.room = room, .number = 9, .due_in_ms = 90}};
    yard_pass(&yard, TIMER_IDLE_MS);
    yard_from_worker(&yard, 0, 1, &hint);
    assert_int_equal(stats(0).tracked, 1);
    yard_pass(&yard, 2 * TIMER_IDLE_MS);
    assert_int_equal(stats(0).tracked, 0);
    assert_in_range(yard_fires(&yard, room), 0, 2);
    assert_int_equal(yard_places(&yard, room), 0);
}

static void a_hint_of_later_or_of_no_shard_is_passed_over(void **unused)
{
    (void)unused;
    struct envelope hint = {.kind = ENV_HINT,
                            .u.deadline = {.number = 1, .due_in_ms = TIMER_AHEAD_MS + 1}};
    yard_from_worker(&yard, 0, 1, &hint);
    hint.u.deadline = (struct env_deadline){.room = room_id_make(1, 1), .number = 1};
    yard_from_worker(&yard, 0, 1, &hint);
    assert_int_equal(stats(0).tracked, 0);
    assert_int_equal(stats(0).hints, 2);
}

static void many_deadlines_of_one_instant_take_several_pages(void **unused)
{
    (void)unused;
    enum { ROOMS = 1500 };
    static room_id rooms[ROOMS];
    instant_ms due = yard.now + 500;
    for (uint32_t i = 0; i < ROOMS; i++)
        rooms[i] = yard_room(&yard, i, (int)i % YARD_WORKERS, 1, 500);
    yard_pass(&yard, 800);
    assert_int_equal(yard.sent_count, ROOMS);
    for (int i = 0; i < ROOMS; i++) {
        assert_int_equal(yard_fires(&yard, rooms[i]), 1);
        assert_in_range(yard_fire(&yard, rooms[i], 0), due, due + 2);
    }
    assert_int_equal(stats(0).tracked, 0);
}

static void the_stuck_do_not_hide_the_others(void **unused)
{
    (void)unused;
    yard.moods[3] = WORKER_SILENT;
    for (uint32_t i = 0; i < 1200; i++) yard_room(&yard, i, 3, 1, 0);
    yard_pass(&yard, 1000);
    instant_ms due = yard.now + 300;
    room_id room = yard_room(&yard, 5000, 0, 1, 300);
    yard_pass(&yard, 400);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_in_range(yard_fire(&yard, room, 0), due, due + 5);
}

static void a_store_that_is_away_is_read_again(void **unused)
{
    (void)unused;
    assert_null(timer_core_unready(yard.timers[0], yard.now));
    yard.store_away = true;
    room_id room = yard_room(&yard, 1, 0, 1, 100);
    yard_pass(&yard, 6000);
    assert_int_equal(yard_fires(&yard, room), 0);
    assert_non_null(timer_core_unready(yard.timers[0], yard.now));
    assert_in_range(stats(0).sweeps, 40, 70); /* ten a second, no storm */
    yard.store_away = false;
    yard_pass(&yard, TIMER_RETRY_MS + 5);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_null(timer_core_unready(yard.timers[0], yard.now));
    yard_reset_store(&yard, 0, false);
    assert_non_null(timer_core_unready(yard.timers[0], yard.now));
}

/* The clocks have been compared when answers were quick. */
static void a_slow_answer_makes_nothing_late(void **unused)
{
    (void)unused;
    yard_pass(&yard, 5 * TIMER_IDLE_MS);
    yard.store_ms = 40;
    instant_ms due = yard.now + 170;
    room_id room = yard_room(&yard, 1, 1, 1, 170);
    yard_pass(&yard, 300);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_in_range(yard_fire(&yard, room, 0), due, due + 2);
}

/* Answers every page with as many rooms as it may hold; the pages asked for meanwhile. */
static int answer_pages(room_id *last)
{
    static struct store_due due[STORE_DUE_MAX];
    uint64_t tags[TIMER_PAGES_MAX];
    int pages = 0, more = 0;
    for (size_t i = 0; i < yard.out[0].count; i++) {
        if (yard.out[0].list[i].kind == EFFECT_STORE) tags[pages++] = yard.out[0].list[i].op.tag;
    }
    for (int p = 0; p < pages; p++) {
        for (int i = 0; i < STORE_DUE_MAX; i++) {
            due[i] = (struct store_due){
                .room = ++*last, .number = 1, .due_in_ms = 50, .owner_url = "", .epoch = 5};
        }
        struct store_reply reply = {
            .kind = STORE_DUE, .tag = tags[p], .due = due, .due_count = STORE_DUE_MAX};
        struct event page = {.kind = EVENT_STORE, .store = &reply};
        timer_core_step(yard.timers[0], &page, yard.now, &yard.out[0]);
        more++;
    }
    return more;
}

static void the_table_is_bounded(void **unused)
{
    (void)unused;
    room_id last = 0;
    yard_reset_store(&yard, 0, false);
    struct event up = {.kind = EVENT_STORE_RESET, .store_up = true};
    timer_core_step(yard.timers[0], &up, yard.now, &yard.out[0]);
    int pages = 0, more;
    while ((more = answer_pages(&last)) > 0) pages += more;
    assert_int_equal(pages, TIMER_TRACKED_MAX / STORE_DUE_MAX);
    assert_int_equal(stats(0).tracked, TIMER_TRACKED_MAX);
    struct timer_queues queues;
    timer_core_queues(yard.timers[0], &queues);
    assert_int_equal(queues.tracked.depth, TIMER_TRACKED_MAX);
    assert_int_equal(queues.tracked.bound, TIMER_TRACKED_MAX);
    assert_int_equal(queues.tracked.refused, 0);
    /* A hint is one too many: its room is found by a later sweep. */
    struct envelope hint = {.kind = ENV_HINT};
    hint.u.deadline = (struct env_deadline){.room = last + 1, .number = 1, .due_in_ms = 10};
    yard_from_worker(&yard, 0, 1, &hint);
    assert_int_equal(stats(0).tracked, TIMER_TRACKED_MAX);
    timer_core_queues(yard.timers[0], &queues);
    assert_int_equal(queues.tracked.refused, 1);
}

static void an_answer_of_an_older_sweep_is_passed_over(void **unused)
{
    (void)unused;
    struct store_due due = {.room = 1, .number = 1, .owner_url = ""};
    struct store_reply reply = {.kind = STORE_DUE, .tag = 0, .due = &due, .due_count = 1};
    struct event event = {.kind = EVENT_STORE, .store = &reply};
    yard_event(&yard, 0, &event);
    assert_int_equal(stats(0).tracked, 0);
}

#define ALONE(name) cmocka_unit_test_setup_teardown(name, one, stop)

int main(void)
{
    return RUN_TESTS(ALONE(only_what_is_near_is_kept),
                     ALONE(what_was_late_before_the_timer_came_is_fired_at_once),
                     ALONE(a_hint_brings_a_deadline_forward),
                     ALONE(a_hint_that_was_lost_costs_one_pause_between_sweeps),
                     ALONE(a_hint_without_an_entry_in_the_set_is_forgotten),
                     ALONE(a_hint_of_later_or_of_no_shard_is_passed_over),
                     ALONE(many_deadlines_of_one_instant_take_several_pages),
                     ALONE(the_stuck_do_not_hide_the_others),
                     ALONE(a_store_that_is_away_is_read_again),
                     ALONE(a_slow_answer_makes_nothing_late), ALONE(the_table_is_bounded),
                     ALONE(an_answer_of_an_older_sweep_is_passed_over));
}
