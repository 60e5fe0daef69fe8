/* SPDX-License-Identifier: Apache-2.0
 *
 * A take or a making of which the store could not say whether it was carried out: the room may be
 * this worker's and nobody else's, so it is asked again until that is known.
 */
#include "unit/worker/two_rigs.h"

enum { GIVES_UP_MS = 2000 };

/* Whoever asked has heard that it failed. */
static uint64_t adopt_in_vain(enum rig_answers answers)
{
    uint64_t epoch = rig_stored(&first, ROOM).epoch;
    second.answers = answers;
    assert_int_equal(rig_adopt(&second, ROOM, epoch), ST_UNAVAILABLE);
    rig_wait(&second, GIVES_UP_MS);
    const struct reply *reply = &second.replies[second.reply_count - 1].reply;
    assert_int_equal(reply->kind, REQ_WORKER_ADOPT);
    assert_int_equal(reply->adopted[0].status, ST_UNAVAILABLE);
    return epoch;
}

static void assert_played_by(struct rig *owner)
{
    assert_true(id128_equal(rig_stored(owner, ROOM).owner, owner->instance));
    rig_attach(owner, GATE1, 11, 1, 1);
    rig_act(owner, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(rig_count(owner, ENV_ANSWER), 1);
}

static void a_room_whose_take_was_carried_out_after_all_is_played_here(void **state)
{
    (void)state;
    adopt_in_vain(RIG_LOSES);
    assert_true(id128_equal(rig_stored(&second, ROOM).owner, second.instance));
    second.answers = RIG_ANSWERS;
    rig_wait(&second, 2 * WORKER_RETRY_MAX_MS);
    assert_played_by(&second);
}

static void a_room_that_another_has_taken_meanwhile_is_let_go(void **state)
{
    (void)state;
    uint64_t epoch = adopt_in_vain(RIG_REFUSES);
    struct rig third;
    rig_open(&third, &world, 3);
    rig_wait(&third, 300);
    assert_int_equal(rig_adopt(&third, ROOM, epoch), ST_OK);
    second.answers = RIG_ANSWERS;
    rig_wait(&second, 2 * WORKER_RETRY_MAX_MS);
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.rooms, 0);
    assert_played_by(&third);
    rig_close(&third);
}

static void a_room_that_was_made_after_all_is_there(void **state)
{
    (void)state;
    const room_id room = ROOM + ((room_id)34 << 32); /* another code, on the same shard */
    second.answers = RIG_LOSES;
    rig_create(&second, room);
    rig_wait(&second, GIVES_UP_MS);
    const struct reply *reply = &second.replies[second.reply_count - 1].reply;
    assert_int_equal(reply->kind, REQ_WORKER_CREATE);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_true(id128_equal(rig_stored(&second, room).owner, second.instance));
    second.answers = RIG_ANSWERS;
    rig_wait(&second, 2 * WORKER_RETRY_MAX_MS);
    assert_true(rig_noted(&second, "room.created"));
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.rooms, 1);
}

int main(void)
{
    return RUN_TESTS(ON_RIGS(a_room_whose_take_was_carried_out_after_all_is_played_here),
                     ON_RIGS(a_room_that_another_has_taken_meanwhile_is_let_go),
                     ON_RIGS(a_room_that_was_made_after_all_is_there));
}
