/* SPDX-License-Identifier: Apache-2.0
 *
 * A deadline is fired when it is due, again when nobody answers, and the room is placed in the end.
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

static void a_deadline_is_fired_when_it_is_due_and_once(void **unused)
{
    (void)unused;
    instant_ms due = yard.now + 1000;
    room_id room = yard_room(&yard, 1, 2, 7, 1000);
    yard_pass(&yard, 2000);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_in_range(yard_fire(&yard, room, 0), due, due + 2);
    assert_int_equal(yard.sent[0].worker, 2);
    assert_int_equal(yard.sent[0].number, 7);
    assert_int_equal(stats(0).tracked, 0); /* the owner's append has ended it */
    assert_int_equal(stats(0).lateness_ms.counts[0] + stats(0).lateness_ms.counts[1], 1);
    assert_int_equal(stats(0).repeats, 0);
}

static void an_unanswered_fire_is_repeated_with_growing_pauses_and_then_placed(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_SILENT;
    instant_ms due = yard.now + 300;
    room_id room = yard_room(&yard, 1, 0, 1, 300);
    yard_pass(&yard, 300 + 1005);
    static const instant_ms after[] = {0, 100, 300, 700, 1000};
    assert_int_equal(yard_fires(&yard, room), 5);
    for (int i = 0; i < 5; i++)
        assert_in_range(yard_fire(&yard, room, i), due + after[i], due + after[i] + 2);
    assert_int_equal(yard_places(&yard, room), 1);
    struct model_view view;
    assert_true(model_store_look(yard.store, room, &view));
    assert_true(yard.sent[yard.sent_count - 1].number ==
                view.epoch); /* the placement names the epoch */
    yard_pass(&yard, 1000);
    assert_int_equal(yard_places(&yard, room), 2);
    assert_int_equal(yard_fires(&yard, room), 6);
}

static void a_room_without_an_owner_is_placed_at_once(void **unused)
{
    (void)unused;
    room_id room = yard_room(&yard, 1, -1, 1, 300);
    yard_pass(&yard, 295);
    assert_int_equal(yard_places(&yard, room), 0);
    yard_pass(&yard, 10);
    assert_int_equal(yard_places(&yard, room), 1);
    assert_int_equal(yard_fires(&yard, room), 0);
    yard_take(&yard, room, 3);
    yard_pass(&yard, TIMER_IDLE_MS);
    assert_int_equal(yard_fires(&yard, room), 1); /* as soon as it has one */
}

static void placements_of_a_turn_are_one_request(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 300; i++) yard_room(&yard, i, -1, 1, 0);
    yard_pass(&yard, TIMER_IDLE_MS + 10);
    assert_int_equal(yard.sent_count, 300);
    assert_int_equal(yard.place_requests, 1);
}

static void an_early_fire_comes_again_when_the_rest_has_passed(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_EARLY;
    yard.remaining = 430;
    room_id room = yard_room(&yard, 1, 0, 1, 300);
    yard_pass(&yard, 310);
    assert_int_equal(yard_fires(&yard, room), 1);
    instant_ms answered = yard_fire(&yard, room, 0) + 2;
    yard.moods[0] = WORKER_HANDLES;
    yard_pass(&yard, 1000);
    assert_int_equal(yard_fires(&yard, room), 2);
    assert_in_range(yard_fire(&yard, room, 1), answered + 430, answered + 431);
}

static void an_over_that_is_listed_still_is_fired_again_later(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_OVER;
    room_id room = yard_room(&yard, 1, 0, 1, 0);
    yard_pass(&yard, TIMER_IDLE_MS + 500);
    assert_int_equal(yard_fires(&yard, room), 1);
    yard_pass(&yard, TIMER_OVER_MS);
    assert_int_equal(yard_fires(&yard, room), 2);
    assert_int_equal(yard_places(&yard, room), 0); /* its worker lives */
}

static void a_worker_that_is_not_the_owner_makes_the_set_be_read_again(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_NOT_OWNER;
    room_id room = yard_room(&yard, 1, 0, 1, 300);
    yard_pass(&yard, 299);
    yard_take(&yard, room, 2); /* after the last sweep */
    yard_pass(&yard, 20);
    assert_int_equal(yard_fires(&yard, room), 2);
    assert_int_equal(yard.sent[1].worker, 2);
    assert_int_equal(yard_places(&yard, room), 0);
}

static void a_room_whose_owner_denies_it_is_placed(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_NOT_OWNER;
    room_id room = yard_room(&yard, 1, 0, 1, 300);
    yard_pass(&yard, 325);
    assert_int_equal(yard_fires(&yard, room), 1);
    assert_int_equal(yard_places(&yard, room), 1);
    yard_pass(&yard, 500);
    assert_int_equal(yard_places(&yard, room), 1);
}

static void a_new_owner_is_fired_at_once(void **unused)
{
    (void)unused;
    yard.moods[0] = WORKER_SILENT;
    room_id room = yard_room(&yard, 1, 0, 1, 300);
    yard_pass(&yard, 510);
    assert_int_equal(yard_fires(&yard, room), 2);
    yard_take(&yard, room, 1);
    instant_ms taken = yard.now;
    yard_pass(&yard, 2 * TIMER_SWEEP_MS);
    assert_int_equal(yard_fires(&yard, room), 3);
    assert_int_equal(yard.sent[2].worker, 1);
    assert_in_range(yard_fire(&yard, room, 2), taken, taken + TIMER_SWEEP_MS + 3);
    assert_int_equal(yard_places(&yard, room), 0);
}

static void a_deadline_that_moved_before_it_was_due_is_not_fired(void **unused)
{
    (void)unused;
    room_id room = yard_room(&yard, 1, 0, 1, 500);
    yard_pass(&yard, 460); /* it is tracked by now */
    assert_int_equal(stats(0).tracked, 1);
    yard_rearm(&yard, room, 0, 2, 10000);
    yard_pass(&yard, 1000);
    assert_int_equal(yard_fires(&yard, room), 0);
    assert_int_equal(stats(0).tracked, 0);
}

#define ALONE(name) cmocka_unit_test_setup_teardown(name, one, stop)

int main(void)
{
    return RUN_TESTS(ALONE(a_deadline_is_fired_when_it_is_due_and_once),
                     ALONE(an_unanswered_fire_is_repeated_with_growing_pauses_and_then_placed),
                     ALONE(a_room_without_an_owner_is_placed_at_once),
                     ALONE(placements_of_a_turn_are_one_request),
                     ALONE(an_early_fire_comes_again_when_the_rest_has_passed),
                     ALONE(an_over_that_is_listed_still_is_fired_again_later),
                     ALONE(a_worker_that_is_not_the_owner_makes_the_set_be_read_again),
                     ALONE(a_room_whose_owner_denies_it_is_placed),
                     ALONE(a_new_owner_is_fired_at_once),
                     ALONE(a_deadline_that_moved_before_it_was_due_is_not_fired));
}
