/* SPDX-License-Identifier: Apache-2.0
 *
 * A Redis that has lost rooms altogether gets them again from their owner, who has them whole
 * (rule 4); but never one that was deleted, and of two owners the later one's counts.
 */
#include "unit/worker/two_rigs.h"

#include "base/hash.h"

static bool there(void)
{
    struct model_view view;
    return model_store_look(world.store, ROOM, &view);
}

static void wave(struct rig *rig, uint64_t counter)
{
    rig_act(rig, GATE1, 11, 1, counter, TOY_WAVE, 5);
}

static struct worker_stats stats_of(const struct rig *rig)
{
    struct worker_stats stats;
    worker_core_stats(rig->core, &stats);
    return stats;
}

static void a_lost_room_is_written_again_and_its_game_goes_on(void **state)
{
    (void)state;
    wave(&first, 2);
    struct model_view before = rig_stored(&first, ROOM);
    model_store_forget(world.store);
    rig_forget(&first);
    wave(&first, 3); /* its append finds nothing there */

    struct model_view after = rig_stored(&first, ROOM);
    assert_true(after.epoch > before.epoch && id128_equal(after.owner, first.instance));
    assert_true(after.position == before.position + 1);
    assert_true(after.snapshot_position == after.position && after.deadline.armed);
    const struct env_answer *answer = &rig_last(&first, ENV_ANSWER)->u.answer;
    assert_true(answer->ok && answer->counter == 3 && answer->epoch == after.epoch);
    const struct env_update *update = &rig_last_to(&first, GATE1, ENV_UPDATE)->u.update;
    assert_true(update->base == 0 && update->version.epoch == after.epoch); /* another epoch */
    wave(&first, 4);
    assert_true(rig_last(&first, ENV_ANSWER)->u.answer.ok);

    /* And it is all there for the next owner. */
    assert_int_equal(rig_adopt(&second, ROOM, after.epoch), ST_OK);
    assert_false(rig_noted(&second, "room.set_aside"));
    rig_attach(&second, GATE1, 11, 1, 1);
    assert_int_equal(rig_last(&second, ENV_ATTACHED)->u.attached.counter, 4);
}

static void rooms_in_which_nothing_happens_are_missed_by_the_lease(void **state)
{
    (void)state;
    assert_int_equal(rig_create(&first, rig_room(1)), ST_OK);
    model_store_forget(world.store);
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_true(there());
    assert_int_equal(rig_stored(&first, rig_room(1)).position, 0);
    assert_true(rig_noted(&first, "store.another"));
    rig_wait(&first, WORKER_TALLY_MS);
    int lines = 0;
    for (int i = 0; i < first.notes; i++) lines += strcmp(first.note[i], "rooms.restored") == 0;
    assert_int_equal(lines, 1); /* for both */
    assert_int_equal(stats_of(&first).restored, 2);
}

/* A replica long behind, a copy from a minute ago: nothing can be added to what it has. */
static void a_store_set_back_behind_the_kept_tail_is_given_the_whole_room(void **state)
{
    (void)state;
    model_store_sync(world.store);
    uint64_t counter = 2;
    for (int s = 0; s < 10; s++) {
        for (int i = 0; i < 15; i++) wave(&first, counter++);
        rig_wait(&first, 1000);
    }
    struct model_view before = rig_stored(&first, ROOM);
    model_store_crash(world.store);
    assert_true(rig_stored(&first, ROOM).position + WORKER_SNAPSHOT_ENTRIES < before.position);
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    struct model_view after = rig_stored(&first, ROOM);
    assert_true(after.position == before.position && after.epoch > before.epoch);
    assert_int_equal(after.snapshot_position, after.position);
    wave(&first, counter);
    assert_true(rig_last(&first, ENV_ANSWER)->u.answer.ok);
    assert_int_equal(rig_last(&first, ENV_ANSWER)->u.answer.counter, counter);
}

static void nothing_leaves_before_the_room_is_stored_again(void **state)
{
    (void)state;
    model_store_forget(world.store);
    first.answers = RIG_HOLDS;
    wave(&first, 2);
    while (rig_waiting(&first, STORE_APPEND)) rig_release(&first, 1);
    assert_int_equal(rig_waiting(&first, STORE_RESTORE), 1);
    wave(&first, 3);
    rig_attach(&first, GATE2, 21, 3, 0);
    rig_wait(&first, WORKER_PAUSED_MS + 10);
    for (int i = 0; i < first.sent_count; i++) /* that it has to wait is no secret */
        assert_int_equal(first.sent[i].envelope.kind, ENV_PAUSED);
    while (rig_waiting(&first, STORE_RESTORE)) rig_release(&first, 1);
    assert_int_equal(rig_last(&first, ENV_ANSWER)->u.answer.counter, 2);
    assert_false(rig_last(&first, ENV_PAUSED)->u.paused.paused);
    assert_non_null(rig_last_to(&first, GATE2, ENV_MOVED));
}

static void an_answer_that_gets_lost_does_not_write_it_twice(void **state)
{
    (void)state;
    model_store_forget(world.store);
    first.answers = RIG_HOLDS;
    wave(&first, 2);
    while (rig_waiting(&first, STORE_APPEND)) rig_release(&first, 1);
    first.answers = RIG_LOSES;
    rig_wait(&first, 30);
    uint64_t epoch = rig_stored(&first, ROOM).epoch;
    first.answers = RIG_ANSWERS;
    rig_store_reset(&first, false);
    rig_store_reset(&first, true);
    rig_wait(&first, 1000);
    assert_true(rig_stored(&first, ROOM).epoch == epoch);
    assert_int_equal(rig_last(&first, ENV_ANSWER)->u.answer.counter, 2);
    assert_int_equal(rig_last(&first, ENV_ANSWER)->u.answer.epoch, epoch);
}

static void lose_at(enum store_op_kind kind)
{
    while (rig_waiting(&first, kind) == 0) {
        assert_true(first.op_count > 0);
        rig_release(&first, 1);
    }
    model_store_forget(world.store);
    first.answers = RIG_ANSWERS;
    rig_wait(&first, 500);
}

static void drain(struct member *member)
{
    *member = (struct member){.kind = SERVICE_WORKER,
                              .instance = second.instance,
                              .inbox_url = "inbox2",
                              .control_url = "control2",
                              .build = "",
                              .rooms_max = 8};
    first.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = member, .member_count = 1};
    rig_wait(&first, 300);
    first.answers = RIG_HOLDS;
    struct event event = {.kind = EVENT_DRAIN};
    rig_event(&first, &event);
    rig_wait(&first, 20);
}

static void hand_over(void)
{
    const struct reply *reply = rig_reply(&second, rig_request(&second, &first.asked));
    struct event event = {.kind = EVENT_REPLY, .token = first.asked_token, .reply = reply};
    rig_event(&first, &event);
    rig_wait(&first, 50);
}

static void a_hand_over_survives_a_loss_before_the_release(void **state)
{
    (void)state;
    struct member member;
    drain(&member);
    lose_at(STORE_RELEASE);
    hand_over();
    assert_true(first.exited);
    assert_true(id128_equal(rig_stored(&first, ROOM).owner, second.instance));
    rig_attach(&second, GATE1, 11, 1, 1);
    wave(&second, 2);
    assert_true(rig_last(&second, ENV_ANSWER)->u.answer.ok);
}

static void a_hand_over_survives_a_loss_after_the_release(void **state)
{
    (void)state;
    struct member member;
    drain(&member);
    first.answers = RIG_ANSWERS;
    rig_wait(&first, 100);
    assert_true(id128_is_zero(rig_stored(&first, ROOM).owner));
    model_store_forget(world.store);
    hand_over(); /* the successor finds nothing */
    assert_false(first.exited);
    rig_wait(&first, 500);
    hand_over();
    assert_true(first.exited);
    assert_true(id128_equal(rig_stored(&first, ROOM).owner, second.instance));
}

static void a_deleted_room_does_not_rise_again(void **state)
{
    (void)state;
    struct store_reply reply;
    struct store_op take = {.kind = STORE_TAKE,
                            .room = ROOM,
                            .epoch = rig_stored(&first, ROOM).epoch,
                            .instance = GATE2,
                            .owner_url = "elsewhere"};
    model_store_step(world.store, &take, world.redis, &first.arena, &reply);
    struct store_op delete = {
        .kind = STORE_DELETE, .room = ROOM, .epoch = reply.epoch, .instance = GATE2};
    model_store_step(world.store, &delete, world.redis, &first.arena, &reply);
    assert_int_equal(reply.status, ST_OK);

    wave(&first, 2);
    assert_false(there());
    assert_true(rig_last(&first, ENV_MOVED)->u.moved.gone);
    assert_null(rig_last(&first, ENV_ANSWER));
    assert_int_equal(stats_of(&first).lost, 1);
    rig_wait(&first, WORKER_TALLY_MS + WORKER_HEARTBEAT_MS);
    assert_true(rig_noted(&first, "rooms.lost"));
}

static void a_room_whose_code_is_anothers_by_now_is_lost(void **state)
{
    (void)state;
    model_store_forget(world.store);
    assert_int_equal(rig_create(&second, ROOM + 1), ST_OK); /* the same code */
    wave(&first, 2);
    assert_true(rig_last(&first, ENV_MOVED)->u.moved.gone);
    assert_int_equal(stats_of(&first).lost, 1);
    assert_false(there());
    assert_true(id128_equal(rig_stored(&first, ROOM + 1).owner, second.instance));
}

/* The second worker owns the room and has played on; the first one has not heard of it. */
static void set_first_back(void)
{
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    rig_attach(&second, GATE1, 11, 1, 1);
    wave(&second, 2);
    assert_true(rig_last(&second, ENV_ANSWER)->u.answer.ok);
    rig_forget(&first);
    rig_forget(&second);
    model_store_forget(world.store);
}

static void of_two_owners_the_later_ones_room_counts(void **state)
{
    (void)state;
    set_first_back();
    rig_wait(&first, 300); /* it is the first to notice */
    assert_true(id128_equal(rig_stored(&first, ROOM).owner, first.instance));
    rig_wait(&second, 300);
    assert_true(id128_equal(rig_stored(&first, ROOM).owner, second.instance));
    wave(&first, 2);
    assert_true(rig_noted(&first, "room.fenced"));
    assert_string_equal(rig_last(&first, ENV_MOVED)->u.moved.to_url, "inbox2");
    assert_null(rig_last(&first, ENV_ANSWER));
    rig_attach(&second, GATE1, 11, 1, 1);
    assert_int_equal(rig_last(&second, ENV_ATTACHED)->u.attached.counter, 2);
}

static void the_earlier_owner_finds_the_later_ones_room_and_lets_go(void **state)
{
    (void)state;
    set_first_back();
    rig_wait(&second, 300);
    struct model_view risen = rig_stored(&first, ROOM);
    assert_true(id128_equal(risen.owner, second.instance));
    rig_wait(&first, 300);
    assert_true(rig_noted(&first, "room.fenced"));
    assert_string_equal(rig_last(&first, ENV_MOVED)->u.moved.to_url, "inbox2");
    assert_true(rig_stored(&first, ROOM).epoch == risen.epoch);
}

/* Plays to the end: each says 1 in turn. The store has on disk what was before the last move. */
static void play_out(void)
{
    uint64_t counters[2] = {2, 1};
    for (int i = 0; i < 40 && !rig_noted(&first, "game.finished"); i++) {
        int seat = i % 2;
        struct envelope envelope = {.kind = ENV_ACT};
        uint8_t bytes[] = {TOY_SAY, 1};
        const struct envelope *view = rig_last(&first, ENV_UPDATE);
        envelope.u.act = (struct env_act){.room = ROOM,
                                          .client = 11 + (uint64_t)seat,
                                          .generation = 1 + (uint32_t)seat,
                                          .counter = counters[seat],
                                          .made_for = view ? view->u.update.game_version : 1,
                                          .bytes = slice_of(bytes, 2)};
        model_store_sync(world.store);
        rig_envelope(&first, GATE1, &envelope);
        if (rig_last(&first, ENV_ANSWER)->u.answer.ok) counters[seat]++;
    }
    assert_true(rig_noted(&first, "game.finished"));
}

static void a_game_that_ended_just_before_the_loss_is_archived_after_it(void **state)
{
    (void)state;
    first.swallows = STORE_FINISH;
    play_out();
    int count = 0;
    assert_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
    model_store_forget(world.store);
    first.swallows = 0;
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_true(there());
    assert_non_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
    assert_true(count > 3); /* the start entry was still kept: it is whole */

    /* And again, as long as it has just ended. */
    int again = 0;
    model_store_forget(world.store);
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_non_null(model_store_game(world.store, ROOM, 1, world.redis, &again));
    assert_int_equal(again, count);
    rig_wait(&first, WORKER_TAIL_MS);
    rig_detach(&first, GATE1, 12); /* with what is confirmed now it is dropped */
    model_store_forget(world.store);
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_true(there());
    assert_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
}

/* A replica that is promoted lacks the last writes: the log is repaired, then the archive. */
static void an_archive_that_redis_forgot_is_made_again(void **state)
{
    (void)state;
    play_out();
    int count = 0, again = 0;
    assert_non_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
    model_store_crash(world.store);
    assert_null(model_store_game(world.store, ROOM, 1, world.redis, &again));
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_true(rig_noted(&first, "room.repaired"));
    assert_non_null(model_store_game(world.store, ROOM, 1, world.redis, &again));
    assert_int_equal(again, count);
}

int main(void)
{
    return RUN_TESTS(ON_RIGS(a_lost_room_is_written_again_and_its_game_goes_on),
                     ON_RIGS(rooms_in_which_nothing_happens_are_missed_by_the_lease),
                     ON_RIGS(a_store_set_back_behind_the_kept_tail_is_given_the_whole_room),
                     ON_RIGS(nothing_leaves_before_the_room_is_stored_again),
                     ON_RIGS(an_answer_that_gets_lost_does_not_write_it_twice),
                     ON_RIGS(a_hand_over_survives_a_loss_before_the_release),
                     ON_RIGS(a_hand_over_survives_a_loss_after_the_release),
                     ON_RIGS(a_deleted_room_does_not_rise_again),
                     ON_RIGS(a_room_whose_code_is_anothers_by_now_is_lost),
                     ON_RIGS(of_two_owners_the_later_ones_room_counts),
                     ON_RIGS(the_earlier_owner_finds_the_later_ones_room_and_lets_go),
                     ON_RIGS(a_game_that_ended_just_before_the_loss_is_archived_after_it),
                     ON_RIGS(an_archive_that_redis_forgot_is_made_again));
}
