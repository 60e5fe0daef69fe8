/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms leave in order: hand-over to another worker (rule 17), put away, deleted.
 */
#include "unit/worker/two_rigs.h"

static void know_successor(struct member *member)
{
    *member = (struct member){.kind = SERVICE_WORKER,
                              .instance = second.instance,
                              .inbox_url = "inbox2",
                              .control_url = "control2",
                              .build = "",
                              .rooms_max = 8};
    first.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = member, .member_count = 1};
    rig_wait(&first, 300);
    rig_forget(&first);
}

static void drain(void)
{
    struct event event = {.kind = EVENT_DRAIN};
    rig_event(&first, &event);
    rig_wait(&first, 50);
}

/* What the first worker asks goes to the second, and the answer back. */
static void pass_on_request(void)
{
    assert_int_equal(first.asked.kind, REQ_WORKER_ADOPT);
    assert_string_equal(first.asked_url, "control2");
    const struct reply *reply = rig_reply(&second, rig_request(&second, &first.asked));
    assert_non_null(reply);
    struct event event = {.kind = EVENT_REPLY, .token = first.asked_token, .reply = reply};
    rig_event(&first, &event);
    rig_wait(&first, 50);
}

enum { MANY = 2 * WORKER_STOPS_MAX + 10 };

static int open_wide(void **state)
{
    rig_limits.rooms_max = 2 * MANY;
    int failed = open_rigs(state);
    rig_limits.rooms_max = 8;
    return failed;
}

static void many_rooms_go_a_few_at_a_time_until_none_is_left(void **state)
{
    (void)state;
    struct member member;
    for (int i = 1; i < MANY; i++) assert_int_equal(rig_create(&first, rig_room(i)), ST_OK);
    know_successor(&member);
    member.rooms_max = 2 * MANY;
    rig_wait(&first, 300);
    drain();
    int requests = 0, handed = 0;
    while (!first.exited) {
        assert_in_range(first.asked.room_count, 1, WORKER_STOPS_MAX);
        handed += first.asked.room_count;
        requests++;
        pass_on_request();
    }
    assert_int_equal(handed, MANY);
    assert_in_range(requests, 3, 6);
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.live, MANY);
}

/* Rule 21: the cluster was stopped in the middle of a game and started again an hour later. */
static void a_game_that_nobody_could_take_goes_on_with_the_time_it_had(void **state)
{
    (void)state;
    rig_wait(&first, 2000);
    drain();
    assert_true(first.exited);
    struct model_view before = rig_stored(&first, ROOM);
    assert_true(id128_is_zero(before.owner));
    world.redis += 3600 * 1000;
    assert_int_equal(rig_adopt(&second, ROOM, before.epoch), ST_OK);
    struct model_view after = rig_stored(&second, ROOM);
    size_t last = (size_t)(after.position - after.trimmed - 1);
    struct room_entry_head resumed;
    assert_int_equal(after.position, before.position + 1);
    assert_int_equal(room_entry_head(after.entries[last], &resumed), ST_OK);
    assert_int_equal(resumed.kind, ROOM_RESUMED);

    struct envelope envelope = {.kind = ENV_FIRE};
    envelope.u.deadline = (struct env_deadline){.room = ROOM, .number = after.deadline.number};
    rig_envelope(&second, TIMER, &envelope);
    const struct env_fire_answer *answer = &rig_last(&second, ENV_FIRE_ANSWER)->u.fire_answer;
    assert_false(answer->over);
    assert_in_range(answer->remaining_ms, TOY_TURN_MS - 2500, TOY_TURN_MS - 1500);
}

static void a_drained_room_goes_to_the_named_successor_and_the_game_goes_on(void **state)
{
    (void)state;
    struct member member;
    know_successor(&member);
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    drain();
    assert_true(id128_is_zero(rig_stored(&first, ROOM).owner));
    assert_int_equal(rig_stored(&first, ROOM).snapshot_position, rig_stored(&first, ROOM).position);
    assert_null(rig_last(&first, ENV_MOVED));
    pass_on_request();
    const struct env_moved *moved = &rig_last_to(&first, GATE1, ENV_MOVED)->u.moved;
    assert_string_equal(moved->to_url, "inbox2");
    assert_int_equal(moved->epoch, rig_stored(&first, ROOM).epoch);
    assert_true(first.exited);

    rig_attach(&second, GATE1, 11, 1, 1);
    rig_act(&second, GATE1, 11, 1, 3, TOY_WAVE, 5);
    assert_true(rig_last(&second, ENV_ANSWER)->u.answer.ok);
}

static void an_orderly_hand_over_costs_nobody_time_and_tells_no_outage(void **state)
{
    (void)state;
    struct member member;
    know_successor(&member);
    uint64_t position = rig_stored(&first, ROOM).position;
    drain();
    pass_on_request();
    assert_int_equal(rig_stored(&second, ROOM).position, position);
}

static void what_arrives_meanwhile_is_not_applied_and_told_where_to_go(void **state)
{
    (void)state;
    struct member member;
    know_successor(&member);
    uint64_t position = rig_stored(&first, ROOM).position;
    drain();
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    rig_watch(&first, GATE2, 21, 9);
    assert_int_equal(rig_stored(&first, ROOM).position, position);
    assert_int_equal(rig_count(&first, ENV_ANSWER), 0);
    pass_on_request();
    assert_non_null(rig_last_to(&first, GATE2, ENV_MOVED));
    rig_forget(&first);
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_string_equal(rig_last(&first, ENV_MOVED)->u.moved.to_url, "inbox2");
}

static void answer_tail(void)
{
    struct arena arena = {0};
    struct store_op look = {.kind = STORE_TAIL, .room = ROOM};
    struct store_reply tail;
    model_store_step(world.store, &look, world.redis, &arena, &tail);
    rig_answer(&first, STORE_TAIL, &tail);
    arena_fini(&arena);
}

/* The store had carried it out but could not say so; nobody who takes a room that was released has
 * to wait for a lease. */
static void nothing_is_shown_of_a_room_whose_release_may_have_been_carried_out(void **state)
{
    (void)state;
    first.answers = RIG_HOLDS;
    drain();
    rig_release(&first, first.op_count);
    first.answers = RIG_LOSES;
    rig_release(&first, first.op_count);
    assert_true(id128_is_zero(rig_stored(&first, ROOM).owner));
    first.answers = RIG_HOLDS;
    while (!rig_noted(&first, "lease.lapsed")) rig_wait(&first, 10);
    answer_tail(); /* it is nobody's yet */
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    first.answers = RIG_ANSWERS;
    first.swallows = STORE_RELEASE;
    rig_forget(&first);
    rig_release(&first, first.op_count);
    rig_wait(&first, 2 * WORKER_LEASE_RENEW_MS);
    assert_int_equal(rig_count(&first, ENV_UPDATE), 0);
}

static void a_drain_confirms_what_is_under_way_first(void **state)
{
    (void)state;
    first.answers = RIG_HOLDS;
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    drain();
    assert_int_equal(rig_waiting(&first, STORE_RELEASE), 0);
    rig_release(&first, first.op_count);
    assert_int_equal(rig_count(&first, ENV_ANSWER), 1);
    assert_int_equal(rig_waiting(&first, STORE_SNAPSHOT), 1);
    assert_int_equal(rig_waiting(&first, STORE_RELEASE), 0);
    rig_release(&first, first.op_count);
    assert_int_equal(rig_waiting(&first, STORE_RELEASE), 1);
}

static void without_a_successor_the_matchmaker_is_left_to_place_it(void **state)
{
    (void)state;
    drain();
    const struct env_moved *moved = &rig_last(&first, ENV_MOVED)->u.moved;
    assert_true(id128_is_zero(moved->to));
    assert_false(moved->gone);
    assert_true(first.exited);
}

static void a_successor_that_does_not_answer_leaves_it_to_the_matchmaker_too(void **state)
{
    (void)state;
    struct member member;
    know_successor(&member);
    drain();
    struct reply failed = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    struct event event = {.kind = EVENT_REPLY, .token = first.asked_token, .reply = &failed};
    rig_event(&first, &event);
    rig_wait(&first, 50);
    assert_true(id128_is_zero(rig_last(&first, ENV_MOVED)->u.moved.to));
    assert_true(first.exited);
}

static void while_draining_no_room_is_made_or_taken(void **state)
{
    (void)state;
    first.answers = RIG_HOLDS;
    drain();
    assert_int_equal(rig_create(&first, rig_room(1)), ST_UNAVAILABLE);
    struct request request = {.kind = REQ_WORKER_ADOPT, .id = {{3}}};
    assert_int_equal(rig_reply(&first, rig_request(&first, &request))->status, ST_UNAVAILABLE);
}

static int open_crowded(void **state)
{
    rig_limits.rooms_max = 64;
    return open_rigs(state);
}

static int close_crowded(void **state)
{
    rig_limits.rooms_max = 8;
    return close_rigs(state);
}

/* That wait for Redis: to keep a snapshot, or to let them go. */
static int stopped(void)
{
    return rig_waiting(&first, STORE_SNAPSHOT) + rig_waiting(&first, STORE_RELEASE);
}

/* Whoever takes the rooms has others to serve. */
static void rooms_stop_one_after_the_other_and_not_all_at_once(void **state)
{
    (void)state;
    enum { ROOMS = 40, STEP_MS = 20 };
    struct member member;
    for (int i = 1; i < ROOMS; i++) assert_int_equal(rig_create(&first, rig_room(i)), ST_OK);
    know_successor(&member);
    first.answers = RIG_HOLDS; /* nothing goes on */
    struct event event = {.kind = EVENT_DRAIN};
    rig_event(&first, &event);
    int before = stopped();
    assert_in_range(before, WORKER_STOPS_AT_ONCE / 2, WORKER_STOPS_AT_ONCE);
    rig_wait(&first, STEP_MS);
    assert_in_range(stopped() - before, 1, WORKER_STOPS_A_S * STEP_MS / 1000);
    rig_wait(&first, 500);
    assert_int_equal(stopped(), WORKER_STOPS_MAX);
}

static void at_the_end_of_the_grace_the_rest_is_left_and_counted(void **state)
{
    (void)state;
    first.answers = RIG_HOLDS;
    drain();
    rig_wait(&first, 4500);
    assert_false(first.exited);
    rig_wait(&first, 600);
    assert_true(first.exited);
    assert_true(rig_noted(&first, "drain.left"));
}

/* ---- put away and deleted (ruling P8) -------------------------------------------------------- */

static void fire(struct rig *rig, room_id room)
{
    struct envelope envelope = {.kind = ENV_FIRE};
    envelope.u.deadline =
        (struct env_deadline){.room = room, .number = rig_stored(rig, room).deadline.number};
    rig_envelope(rig, TIMER, &envelope);
}

static void attach(struct rig *rig, room_id room, uint32_t generation)
{
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){.room = room,
                                            .client = 41,
                                            .player = person(4),
                                            .name = "Yuna",
                                            .generation = generation,
                                            .intent = ATTACH_SEAT};
    rig_envelope(rig, GATE1, &envelope);
}

static void detach(struct rig *rig, room_id room)
{
    struct envelope envelope = {.kind = ENV_DETACH};
    envelope.u.client = (struct env_client){room, 41};
    rig_envelope(rig, GATE1, &envelope);
}

static void a_lobby_without_visitors_is_put_away_and_in_the_end_deleted(void **state)
{
    (void)state;
    room_id room = rig_room(1);
    assert_int_equal(rig_create(&second, room), ST_OK);
    attach(&second, room, 0);
    detach(&second, room);
    rig_wait(&second, 10 * 60 * 1000 + 100);
    fire(&second, room);
    assert_true(rig_noted(&second, "room.put_away"));
    struct model_view view = rig_stored(&second, room);
    assert_true(id128_is_zero(view.owner));
    assert_true(view.deadline.armed);

    world.redis += 24ull * 3600 * 1000;
    assert_int_equal(rig_adopt(&second, room, view.epoch), ST_OK);
    fire(&second, room);
    assert_true(rig_noted(&second, "room.deleted"));
    assert_false(model_store_look(world.store, room, &view));
}

static void a_room_that_was_fetched_for_nobody_is_put_away_again(void **state)
{
    (void)state;
    room_id room = rig_room(1);
    assert_int_equal(rig_create(&second, room), ST_OK);
    rig_wait(&second, 10 * 60 * 1000 + 100);
    fire(&second, room);
    uint64_t epoch = rig_stored(&second, room).epoch;
    assert_int_equal(rig_adopt(&second, room, epoch), ST_OK);
    assert_false(id128_is_zero(rig_stored(&second, room).owner));
    rig_wait(&second, WORKER_VISIT_MS + 100);
    assert_true(id128_is_zero(rig_stored(&second, room).owner));
    assert_true(rig_stored(&second, room).deadline.armed);
}

static void a_room_that_was_fetched_for_a_refused_reconnect_is_put_away_again(void **state)
{
    (void)state;
    room_id room = rig_room(1);
    assert_int_equal(rig_create(&second, room), ST_OK);
    for (int windows = 0; windows < 2; windows++) {
        attach(&second, room, 0);
        detach(&second, room);
    }
    rig_wait(&second, 10 * 60 * 1000 + 100);
    fire(&second, room);
    assert_true(id128_is_zero(rig_stored(&second, room).owner));
    assert_int_equal(rig_adopt(&second, room, rig_stored(&second, room).epoch), ST_OK);
    rig_forget(&second);
    attach(&second, room, 1);
    assert_int_equal(rig_count(&second, ENV_ATTACH_REFUSED), 1);
    rig_wait(&second, WORKER_VISIT_MS + 100);
    assert_true(id128_is_zero(rig_stored(&second, room).owner));
}

int main(void)
{
    return RUN_TESTS(
        ON_RIGS(a_drained_room_goes_to_the_named_successor_and_the_game_goes_on),
        cmocka_unit_test_setup_teardown(many_rooms_go_a_few_at_a_time_until_none_is_left, open_wide,
                                        close_rigs),
        ON_RIGS(a_game_that_nobody_could_take_goes_on_with_the_time_it_had),
        ON_RIGS(an_orderly_hand_over_costs_nobody_time_and_tells_no_outage),
        ON_RIGS(what_arrives_meanwhile_is_not_applied_and_told_where_to_go),
        ON_RIGS(nothing_is_shown_of_a_room_whose_release_may_have_been_carried_out),
        ON_RIGS(a_drain_confirms_what_is_under_way_first),
        ON_RIGS(without_a_successor_the_matchmaker_is_left_to_place_it),
        ON_RIGS(a_successor_that_does_not_answer_leaves_it_to_the_matchmaker_too),
        ON_RIGS(while_draining_no_room_is_made_or_taken),
        cmocka_unit_test_setup_teardown(rooms_stop_one_after_the_other_and_not_all_at_once,
                                        open_crowded, close_crowded),
        ON_RIGS(at_the_end_of_the_grace_the_rest_is_left_and_counted),
        ON_RIGS(a_lobby_without_visitors_is_put_away_and_in_the_end_deleted),
        ON_RIGS(a_room_that_was_fetched_for_nobody_is_put_away_again),
        ON_RIGS(a_room_that_was_fetched_for_a_refused_reconnect_is_put_away_again));
}
