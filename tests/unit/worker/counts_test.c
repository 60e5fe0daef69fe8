/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker counts for metrics.
 */
#include "unit/worker/one_rig.h"

#include "game/registry.h"

static const struct worker_counts *counts(void)
{
    return worker_core_counts(rig.core);
}

static struct worker_stats stats(void)
{
    struct worker_stats out;
    worker_core_stats(rig.core, &out);
    return out;
}

static int toy(void)
{
    return game_place(game_find(slice_text("toy")));
}

static uint64_t sum(const struct histogram *of)
{
    uint64_t total = 0;
    for (int i = 0; i <= HISTOGRAM_BOUNDS_MAX; i++) total += of->counts[i];
    return total;
}

static void wave(uint64_t counter)
{
    rig_act(&rig, GATE1, 11, 1, counter, TOY_WAVE, 5);
}

static void an_action_is_timed_until_redis_has_it(void **state)
{
    (void)state;
    uint64_t before = counts()->durable_ms.sum, actions = sum(&counts()->durable_ms);
    rig.answers = RIG_HOLDS;
    wave(2);
    rig_wait(&rig, 40);
    assert_int_equal(sum(&counts()->durable_ms), actions);
    assert_int_equal(stats().oldest_unconfirmed_ms, 40);
    rig_release(&rig, 1);
    assert_int_equal(sum(&counts()->durable_ms), actions + 1);
    assert_int_equal(counts()->durable_ms.sum, before + 40);
    assert_int_equal(stats().oldest_unconfirmed_ms, 0);
}

static void actions_repeats_and_refusals_are_counted_apart(void **state)
{
    (void)state;
    struct worker_counts before = *counts();
    wave(2);
    wave(2);
    wave(9);
    assert_int_equal(counts()->actions[toy()], before.actions[toy()] + 1);
    assert_int_equal(counts()->repeated, before.repeated + 1);
    const uint64_t *refusals = counts()->refusals;
    assert_int_equal(refusals[REASON_OUT_OF_ORDER], before.refusals[REASON_OUT_OF_ORDER] + 1);
    assert_int_equal(refusals[REASON_NONE], before.refusals[REASON_NONE]);
}

static void what_no_action_did_is_not_timed(void **state)
{
    (void)state;
    uint64_t actions = sum(&counts()->durable_ms), end = position();
    rig_detach(&rig, GATE1, 12);
    rig_wait(&rig, 1);
    assert_true(position() > end);
    assert_int_equal(sum(&counts()->durable_ms), actions);
}

static void rooms_stand_under_their_game_and_phase(void **state)
{
    (void)state;
    assert_int_equal(counts()->games_started[toy()], 1);
    assert_int_equal(stats().by_game[toy()][WORKER_ROOM_PLAYING], 1);
    assert_int_equal(rig_create(&rig, rig_room(1)), ST_OK);
    assert_int_equal(stats().by_game[toy()][WORKER_ROOM_WAITING], 1);
    rig.answers = RIG_HOLDS;
    struct request request = {.kind = REQ_WORKER_ADOPT, .id = {{9}}};
    request.rooms = (struct room_epoch[]){{.room = rig_room(2), .epoch = 1}};
    request.room_count = 1;
    rig_request(&rig, &request);
    assert_int_equal(stats().by_game[GAME_REGISTRY_MAX][WORKER_ROOM_MOVING], 1);
    assert_int_equal(stats().rooms, 3);
}

static void a_room_that_cannot_be_written_to_is_timed(void **state)
{
    (void)state;
    assert_int_equal(sum(&counts()->paused_ms), 0);
    rig_store_reset(&rig, false);
    rig_wait(&rig, 250);
    rig_store_reset(&rig, true);
    rig_wait(&rig, 1000);
    assert_int_equal(sum(&counts()->paused_ms), 1);
    assert_in_range(counts()->paused_ms.sum, 250, 1250);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(an_action_is_timed_until_redis_has_it),
                     ON_A_RIG(actions_repeats_and_refusals_are_counted_apart),
                     ON_A_RIG(what_no_action_did_is_not_timed),
                     ON_A_RIG(rooms_stand_under_their_game_and_phase),
                     ON_A_RIG(a_room_that_cannot_be_written_to_is_timed));
}
