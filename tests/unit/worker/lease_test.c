/* SPDX-License-Identifier: Apache-2.0
 *
 * Leases, interruptions and a Redis that forgets (rules 2, 3, 4 and 7).
 */
#include "unit/worker/one_rig.h"

static void wave(uint64_t counter)
{
    rig_act(&rig, GATE1, 11, 1, counter, TOY_WAVE, 5);
}

static void tick(void)
{
    struct event event = {.kind = EVENT_TICK};
    rig_event(&rig, &event);
}

static void a_refusal_and_a_view_leave_while_the_lease_is_fresh(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 700);
    wave(9);
    rig_watch(&rig, GATE2, 21, 9);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
    assert_non_null(rig_last_to(&rig, GATE2, ENV_UPDATE));
}

static void a_stale_lease_lets_nothing_out_that_no_append_vouches_for(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 1500);
    assert_true(rig_noted(&rig, "lease.lapsed"));
    wave(9);
    rig_watch(&rig, GATE2, 21, 9);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    assert_int_equal(rig_count(&rig, ENV_ATTACHED), 0);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 0);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 300);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
    assert_int_equal(rig_count(&rig, ENV_ATTACHED), 1);
    assert_non_null(rig_last_to(&rig, GATE2, ENV_UPDATE));
}

static void a_worker_says_which_shards_it_does_not_reach(void **state)
{
    (void)state;
    const uint32_t untold = ~1u; /* it knows the first alone */
    rig_wait(&rig, 300);
    assert_int_equal(rig.said_of_itself.shards_away, untold);
    rig.answers = RIG_REFUSES; /* it is there, and takes no writes */
    rig_wait(&rig, 1500);
    assert_int_equal(rig.said_of_itself.shards_away, untold | 1);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 600);
    assert_int_equal(rig.said_of_itself.shards_away, untold);
    rig_store_reset(&rig, false);
    rig_wait(&rig, 300);
    assert_int_equal(rig.said_of_itself.shards_away, untold | 1);
    rig_store_reset(&rig, true);
    rig_wait(&rig, 300);
    assert_int_equal(rig.said_of_itself.shards_away, untold);
}

static void after_a_pause_every_room_is_looked_at_before_anything_leaves(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_sleep(&rig, 3000);
    wave(9);
    assert_int_equal(rig.sent_count, 0);
    assert_int_equal(rig_waiting(&rig, STORE_TAIL), 1);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
}

static void a_fresh_lease_alone_does_not_show_that_a_room_is_still_ours(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_sleep(&rig, 3000);
    wave(9);
    while (rig_waiting(&rig, STORE_LEASE)) rig_release(&rig, 1);
    assert_int_equal(rig_waiting(&rig, STORE_TAIL), 1);
    wave(9);
    assert_int_equal(rig.sent_count, 0);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 2);
}

static void a_room_that_was_looked_at_still_waits_for_the_lease(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 1500);
    struct model_view view = rig_stored(&rig, ROOM);
    struct store_reply tail = {
        .status = ST_OK, .epoch = view.epoch, .owner = rig.instance, .position = view.position};
    rig_answer(&rig, STORE_TAIL, &tail);
    wave(9);
    assert_int_equal(rig.sent_count, 0);
    while (rig.op_count) rig_release(&rig, 1);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
}

static void ask_for_the_whole(void)
{
    struct envelope resync = {.kind = ENV_RESYNC, .u.resync.room = ROOM};
    rig_envelope(&rig, GATE1, &resync);
}

/* A view that waits for the lease stands before the answer to an act, which its append vouches for
 * when it is confirmed and no longer when that view is superseded. */
static void what_stood_behind_a_view_that_waited_needs_the_lease_too(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 1500);
    struct model_view view = rig_stored(&rig, ROOM);
    struct store_reply end = {
        .status = ST_OK, .epoch = view.epoch, .owner = rig.instance, .position = view.position};
    rig_answer(&rig, STORE_TAIL, &end);
    ask_for_the_whole();
    wave(2);
    end.position++;
    rig_answer(&rig, STORE_APPEND, &end);
    ask_for_the_whole();
    assert_int_equal(rig.sent_count, 0);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 300);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
}

static void a_pause_in_which_another_took_over_shows_nobody_anything(void **state)
{
    (void)state;
    struct rig other;
    rig_open(&other, &world, 2);
    rig.answers = RIG_HOLDS;
    wave(9);
    rig_forget(&rig);
    wave(2); /* held: its append is under way and lost */
    rig.op_count = 0;
    assert_int_equal(rig_adopt(&other, ROOM, rig_stored(&rig, ROOM).epoch), ST_OK);
    rig.answers = RIG_ANSWERS;
    rig_sleep(&rig, 5000);
    tick();
    rig_wait(&rig, 300);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 0);
    assert_string_equal(rig_last(&rig, ENV_MOVED)->u.moved.to_url, "inbox2");
    rig_close(&other);
}

/* Nobody there does anything, so no append would find it out. */
static void a_room_that_another_took_is_let_go_of_although_nothing_happens_in_it(void **state)
{
    (void)state;
    struct rig other;
    rig_open(&other, &world, 2);
    rig_wait(&rig, 300);
    rig_forget(&rig);
    assert_int_equal(rig_adopt(&other, ROOM, rig_stored(&rig, ROOM).epoch), ST_OK);
    rig_wait(&rig, 300);
    assert_true(rig_noted(&rig, "room.fenced"));
    assert_string_equal(rig_last(&rig, ENV_MOVED)->u.moved.to_url, "inbox2");
    rig_close(&other);
}

/* It concerns all rooms at once: one step that composed the views of all of them would be the next
 * pause. */
static void a_lapse_composes_no_view_before_the_room_is_known_to_be_ours(void **state)
{
    (void)state;
    struct worker_stats stats;
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 1500);
    assert_int_equal(rig_waiting(&rig, STORE_TAIL), 1);
    worker_core_stats(rig.core, &stats);
    assert_int_equal(stats.held, 0);
    rig_forget(&rig);
    while (rig.op_count) rig_release(&rig, 1);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 1);
}

static void after_a_lapse_the_next_view_is_whole(void **state)
{
    (void)state;
    rig_sleep(&rig, 3000);
    tick();
    rig_wait(&rig, 300);
    const struct envelope *update = NULL;
    for (int i = rig.sent_count - 1; i >= 0; i--)
        if (rig.sent[i].envelope.kind == ENV_UPDATE) update = &rig.sent[i].envelope;
    assert_non_null(update);
    assert_int_equal(update->u.update.base, 0);
    assert_int_equal(update->u.update.private_count, 2);
}

/* ---- a Redis that forgets -------------------------------------------------------------------- */

static void crash(void)
{
    rig_store_reset(&rig, false);
    model_store_crash(world.store);
    rig_wait(&rig, 100);
    rig_store_reset(&rig, true);
    rig_wait(&rig, 300);
}

static void what_redis_forgot_is_given_to_it_again(void **state)
{
    (void)state;
    model_store_sync(world.store);
    for (uint64_t c = 2; c <= 5; c++) wave(c);
    uint64_t position = rig_stored(&rig, ROOM).position;
    crash();
    assert_true(rig_noted(&rig, "room.repaired"));
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
    wave(6);
    assert_true(rig_last(&rig, ENV_ANSWER)->u.answer.ok);
}

/* What is written is carried out, and the store cannot vouch for it. */
static void cannot_vouch(instant_ms ms)
{
    for (instant_ms passed = 0; passed < ms; passed += 10) {
        rig.answers = RIG_HOLDS;
        rig_wait(&rig, 10);
        while (rig.op_count > 0) {
            rig.answers = rig.ops[0].kind == STORE_TAIL ? RIG_ANSWERS : RIG_LOSES;
            rig_release(&rig, 1);
            rig.answers = RIG_HOLDS;
        }
    }
}

static void a_redis_that_forgot_while_it_could_not_vouch_for_a_lease_is_noticed(void **state)
{
    (void)state;
    uint64_t before = position();
    cannot_vouch(1500);
    assert_true(rig_noted(&rig, "lease.lapsed"));
    model_store_forget(world.store);
    cannot_vouch(400);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 800);
    assert_int_equal(position(), before);
}

static void a_restart_that_nobody_noticed_shows_in_the_run_id(void **state)
{
    (void)state;
    model_store_sync(world.store);
    for (uint64_t c = 2; c <= 5; c++) wave(c);
    uint64_t position = rig_stored(&rig, ROOM).position;
    model_store_crash(world.store);
    rig_wait(&rig, 600);
    assert_true(rig_noted(&rig, "store.another"));
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

/* Deadlines stand in Redis' time; after a jump back they would come late by as much. */
static void deadlines_are_told_again_when_the_clock_of_redis_jumps(void **state)
{
    (void)state;
    rig_wait(&rig, 300);
    struct model_view before = rig_stored(&rig, ROOM);
    instant_ms left = before.deadline.due_in_ms - world.redis;
    world.redis -= 60 * 1000;
    rig_wait(&rig, 2 * WORKER_LEASE_RENEW_MS);
    struct model_view after = rig_stored(&rig, ROOM);
    assert_true(after.deadline.armed && after.deadline.number == before.deadline.number);
    assert_true(after.deadline.due_in_ms <= world.redis + left);
    assert_int_equal(after.position, before.position);
}

static void an_append_that_finds_a_shorter_log_repairs_it(void **state)
{
    (void)state;
    model_store_sync(world.store);
    wave(2);
    wave(3);
    model_store_crash(world.store);
    rig_forget(&rig);
    wave(4);
    assert_true(rig_noted(&rig, "room.repaired"));
    assert_true(rig_last(&rig, ENV_ANSWER)->u.answer.ok);
    assert_int_equal(rig_last(&rig, ENV_ANSWER)->u.answer.counter, 4);
}

static void a_redis_that_forgot_our_take_is_asked_again_and_loses_nothing(void **state)
{
    (void)state;
    struct rig other;
    rig_open(&other, &world, 2);
    model_store_sync(world.store);
    assert_int_equal(rig_adopt(&other, ROOM, rig_stored(&rig, ROOM).epoch), ST_OK);
    rig_attach(&other, GATE1, 11, 1, 1);
    rig_act(&other, GATE1, 11, 1, 2, TOY_WAVE, 5);
    uint64_t position = rig_stored(&other, ROOM).position, epoch = rig_stored(&other, ROOM).epoch;
    model_store_crash(world.store);
    assert_true(rig_stored(&other, ROOM).epoch < epoch);
    rig_wait(&other, 1000);
    assert_true(rig_noted(&other, "room.forgotten"));
    assert_true(rig_stored(&other, ROOM).epoch > epoch);
    assert_true(rig_stored(&other, ROOM).position >= position);
    rig_forget(&other);
    rig_act(&other, GATE1, 11, 1, 3, TOY_WAVE, 5);
    assert_true(rig_last(&other, ENV_ANSWER)->u.answer.ok);
    assert_int_equal(rig_last(&other, ENV_ANSWER)->u.answer.epoch, rig_stored(&other, ROOM).epoch);
    rig_close(&other);
}

static void a_log_that_is_not_ours_freezes_the_room_and_is_loaded(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    wave(2);
    struct store_reply reply = {.status = ST_MISMATCH,
                                .position = rig.ops[0].position,
                                .hash = {{0x55}}};
    rig_answer(&rig, STORE_APPEND, &reply);
    assert_int_equal(rig_waiting(&rig, STORE_TAKE), 1);
    wave(3); /* while it is frozen: nothing happens */
    assert_int_equal(rig.sent_count, 0);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 10);
    assert_true(rig_noted(&rig, "room.differs"));
    wave(2);
    assert_true(rig_last(&rig, ENV_ANSWER)->u.answer.ok);
}

static void the_confirmed_tail_is_kept_for_five_seconds_and_until_the_next_snapshot(void **state)
{
    (void)state;
    model_store_sync(world.store);
    for (uint64_t c = 2; c <= 40; c++) {
        rig_wait(&rig, 200);
        wave(c);
    }
    uint64_t position = rig_stored(&rig, ROOM).position;
    crash();
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(a_refusal_and_a_view_leave_while_the_lease_is_fresh),
                     ON_A_RIG(a_stale_lease_lets_nothing_out_that_no_append_vouches_for),
                     ON_A_RIG(a_worker_says_which_shards_it_does_not_reach),
                     ON_A_RIG(after_a_pause_every_room_is_looked_at_before_anything_leaves),
                     ON_A_RIG(a_fresh_lease_alone_does_not_show_that_a_room_is_still_ours),
                     ON_A_RIG(a_room_that_was_looked_at_still_waits_for_the_lease),
                     ON_A_RIG(what_stood_behind_a_view_that_waited_needs_the_lease_too),
                     ON_A_RIG(a_pause_in_which_another_took_over_shows_nobody_anything),
                     ON_A_RIG(a_room_that_another_took_is_let_go_of_although_nothing_happens_in_it),
                     ON_A_RIG(a_lapse_composes_no_view_before_the_room_is_known_to_be_ours),
                     ON_A_RIG(after_a_lapse_the_next_view_is_whole),
                     ON_A_RIG(what_redis_forgot_is_given_to_it_again),
                     ON_A_RIG(a_redis_that_forgot_while_it_could_not_vouch_for_a_lease_is_noticed),
                     ON_A_RIG(a_restart_that_nobody_noticed_shows_in_the_run_id),
                     ON_A_RIG(deadlines_are_told_again_when_the_clock_of_redis_jumps),
                     ON_A_RIG(an_append_that_finds_a_shorter_log_repairs_it),
                     ON_A_RIG(a_redis_that_forgot_our_take_is_asked_again_and_loses_nothing),
                     ON_A_RIG(a_log_that_is_not_ours_freezes_the_room_and_is_loaded),
                     ON_A_RIG(
                         the_confirmed_tail_is_kept_for_five_seconds_and_until_the_next_snapshot));
}
