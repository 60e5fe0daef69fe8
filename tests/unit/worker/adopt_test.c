/* SPDX-License-Identifier: Apache-2.0
 *
 * A room changes its owner: adoption, its time, what survives; and how it is created.
 */
#include "room/archive.h"
#include "unit/worker/two_rigs.h"

static uint64_t counters[2]; /* next of each seat */

static int open_counting(void **state)
{
    int failed = open_rigs(state);
    counters[0] = 2;
    counters[1] = 1;
    return failed;
}

/* The hash of the state that the newest entry in Redis names. */
static struct room_entry_head newest(void)
{
    struct model_view view = rig_stored(&second, ROOM);
    struct room_entry_head head;
    size_t last = (size_t)(view.position - view.trimmed - 1);
    assert_int_equal(room_entry_head(view.entries[last], &head), ST_OK);
    return head;
}

static void the_same_request_creates_once_and_is_answered_again(void **state)
{
    (void)state;
    uint64_t epoch = rig_stored(&first, ROOM).epoch;
    assert_int_equal(rig_create(&first, ROOM), ST_OK);
    assert_int_equal(rig_stored(&first, ROOM).epoch, epoch);
    int at = first.reply_count - 1;
    assert_int_equal(first.replies[at].reply.placed.epoch, epoch);
}

static void another_request_for_the_same_room_is_told_that_it_exists(void **state)
{
    (void)state;
    struct request request = {
        .kind = REQ_WORKER_CREATE, .id = {{99}}, .game = "toy", .code = "000000", .room = ROOM};
    assert_int_equal(rig_reply(&first, rig_request(&first, &request))->status, ST_EXISTS);
    request.room = ROOM + 1; /* the same code */
    assert_int_equal(rig_reply(&first, rig_request(&first, &request))->status, ST_EXISTS);
}

static void a_create_beyond_the_capacity_or_of_no_game_is_refused(void **state)
{
    (void)state;
    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(rig_room(1)), code);
    struct request request = {.kind = REQ_WORKER_CREATE,
                              .id = {{99}},
                              .game = "chess",
                              .code = code,
                              .room = rig_room(1)};
    const struct reply *reply = rig_reply(&second, rig_request(&second, &request));
    assert_int_equal(reply->reason, REASON_UNKNOWN_GAME);
    for (int i = 1; i <= 12; i++)
        assert_int_equal(rig_create(&second, rig_room(i)), i <= 8 ? ST_OK : ST_FULL);
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.rooms, 8);
}

static void a_create_whose_answer_is_lost_is_repeated(void **state)
{
    (void)state;
    room_id room = rig_room(1);
    second.answers = RIG_LOSES;
    assert_int_equal(rig_create(&second, room), ST_UNAVAILABLE);
    second.answers = RIG_ANSWERS;
    rig_wait(&second, 100);
    assert_int_equal(second.replies[second.reply_count - 1].reply.status, ST_OK);
}

static void the_new_owner_goes_on_from_the_same_state(void **state)
{
    (void)state;
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    struct model_view before = rig_stored(&first, ROOM);
    assert_int_equal(rig_adopt(&second, ROOM, before.epoch), ST_OK);
    struct model_view after = rig_stored(&second, ROOM);
    assert_true(after.epoch > before.epoch);
    assert_int_equal(after.position, before.position + 1); /* "resumed" */
    assert_int_equal(newest().kind, ROOM_RESUMED);
    assert_false(rig_noted(&second, "room.set_aside"));
}

static void the_new_owner_tells_gateways_where_the_room_is_now(void **state)
{
    (void)state;
    struct member gates[] = {
        {.kind = SERVICE_GATEWAY, .instance = GATE1, .inbox_url = "gate1", .control_url = ""},
        {.kind = SERVICE_GATEWAY, .instance = GATE2, .inbox_url = "gate2", .control_url = ""},
        {.kind = SERVICE_TIMER, .instance = TIMER, .inbox_url = "timer", .control_url = ""},
    };
    second.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = gates, .member_count = 3};
    rig_wait(&second, WORKER_HEARTBEAT_MS);
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_int_equal(rig_count(&second, ENV_MOVED), 2);
    const struct env_moved *moved = &rig_last_to(&second, GATE2, ENV_MOVED)->u.moved;
    assert_true(moved->room == ROOM && moved->epoch == rig_stored(&second, ROOM).epoch);
    assert_string_equal(moved->to_url, "inbox2");

    /* Of a room where nobody sits connected nobody needs to hear. */
    rig_create(&first, rig_room(1));
    assert_int_equal(rig_adopt(&second, rig_room(1), rig_stored(&first, rig_room(1)).epoch), ST_OK);
    assert_int_equal(rig_count(&second, ENV_MOVED), 2);
}

static void a_gateway_heard_of_later_is_told_of_rooms_that_wait_for_their_players(void **state)
{
    (void)state;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_int_equal(rig_count(&second, ENV_MOVED), 0);
    struct member gate = {
        .kind = SERVICE_GATEWAY, .instance = GATE1, .inbox_url = "gate1", .control_url = ""};
    second.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = &gate, .member_count = 1};
    rig_wait(&second, 2 * WORKER_HEARTBEAT_MS);
    assert_int_equal(rig_count(&second, ENV_MOVED), 1); /* once */
    assert_true(rig_last_to(&second, GATE1, ENV_MOVED)->u.moved.room == ROOM);
    rig_attach(&second, GATE1, 11, 1, 1);
    rig_attach(&second, GATE1, 12, 2, 2);
    gate.instance = GATE2;
    rig_forget(&second);
    rig_wait(&second, 2 * WORKER_HEARTBEAT_MS);
    assert_int_equal(rig_count(&second, ENV_MOVED), 0); /* nobody is awaited any more */
}

static void reset(const struct member *gate, bool known)
{
    struct event event = {.kind = EVENT_PEER_RESET, .peer_url = gate->inbox_url};
    if (known) event.peer = gate->instance;
    rig_forget(&second);
    rig_event(&second, &event);
}

/* Its stream broke, and with it perhaps the news: nobody there would come in by himself. */
static void a_gateway_whose_stream_broke_is_told_again_of_rooms_that_wait(void **state)
{
    (void)state;
    struct member gates[] = {
        {.kind = SERVICE_GATEWAY, .instance = GATE1, .inbox_url = "gate1", .control_url = ""},
        {.kind = SERVICE_GATEWAY, .instance = GATE2, .inbox_url = "gate2", .control_url = ""},
    };
    second.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = gates, .member_count = 2};
    rig_wait(&second, WORKER_HEARTBEAT_MS);
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    reset(&gates[1], true);
    assert_int_equal(rig_count(&second, ENV_MOVED), 1);
    const struct env_moved *moved = &rig_last_to(&second, GATE2, ENV_MOVED)->u.moved;
    assert_true(moved->room == ROOM && moved->epoch == rig_stored(&second, ROOM).epoch);
    reset(&gates[0], false); /* it was never heard from: its address alone is known */
    assert_int_equal(rig_count(&second, ENV_MOVED), 1);
    assert_non_null(rig_last_to(&second, GATE1, ENV_MOVED));

    rig_attach(&second, GATE1, 11, 1, 1);
    rig_attach(&second, GATE1, 12, 2, 2);
    reset(&gates[1], true);
    assert_int_equal(rig_count(&second, ENV_MOVED), 0); /* nobody is awaited any more */
}

static void an_action_answered_by_the_former_owner_gets_that_answer_from_the_new_one(void **state)
{
    (void)state;
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    uint64_t seq = rig_last(&first, ENV_ANSWER)->u.answer.seq;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    rig_attach(&second, GATE2, 31, 1, 1);
    assert_int_equal(rig_last(&second, ENV_ATTACHED)->u.attached.generation, 1);
    uint64_t position = rig_stored(&second, ROOM).position;
    rig_act(&second, GATE2, 31, 1, 2, TOY_WAVE, 5);
    const struct env_answer *answer = &rig_last(&second, ENV_ANSWER)->u.answer;
    assert_true(answer->ok);
    assert_int_equal(answer->seq, seq);
    assert_int_equal(rig_stored(&second, ROOM).position, position);
}

static void the_former_owner_can_write_nothing_and_says_where_the_room_is(void **state)
{
    (void)state;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    uint64_t position = rig_stored(&second, ROOM).position;
    rig_forget(&first);
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(rig_stored(&second, ROOM).position, position);
    assert_int_equal(rig_count(&first, ENV_ANSWER), 0);
    assert_string_equal(rig_last(&first, ENV_MOVED)->u.moved.to_url, "inbox2");
    assert_true(rig_noted(&first, "room.fenced"));
}

static void a_request_that_names_a_later_owner_ends_what_was_held_here(void **state)
{
    (void)state;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    uint64_t epoch = rig_stored(&second, ROOM).epoch;
    assert_int_equal(rig_adopt(&first, ROOM, epoch), ST_UNAVAILABLE);
    assert_true(rig_noted(&first, "room.fenced"));
    assert_int_equal(rig_adopt(&first, ROOM, epoch), ST_OK); /* asked again: taken anew */
    assert_true(rig_stored(&first, ROOM).epoch > epoch);
}

static void a_take_with_an_older_epoch_names_the_present_one(void **state)
{
    (void)state;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch - 1), ST_FENCED);
    const struct reply *reply = &second.replies[second.reply_count - 1].reply;
    assert_int_equal(reply->adopted[0].epoch, rig_stored(&first, ROOM).epoch);
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.rooms, 0);
}

/* Rule 18: time counts up to the former owner's last sign of life, and not after. */
static void an_outage_between_two_owners_is_nobodys_time(void **state)
{
    (void)state;
    rig_wait(&first, 6000);
    instant_ms at = newest().at;
    world.redis += 3600 * 1000; /* an hour in which nobody owned it */
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_in_range(newest().at - at, 5700, 6100);
}

static void time_never_passes_the_pending_deadline_unless_the_room_was_released(void **state)
{
    (void)state;
    rig_wait(&first, 3 * TOY_TURN_MS); /* nobody fires */
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    struct model_view view = rig_stored(&second, ROOM);
    size_t last = (size_t)(view.position - view.trimmed - 1);
    struct room_entry_head clock, resumed;
    assert_int_equal(room_entry_head(view.entries[last - 1], &clock), ST_OK);
    assert_int_equal(room_entry_head(view.entries[last], &resumed), ST_OK);
    assert_int_equal(clock.kind, ROOM_CLOCK);
    assert_int_equal(resumed.kind, ROOM_RESUMED);
    assert_int_equal(resumed.at, clock.at);
}

static void whoever_does_not_come_back_within_the_grace_is_detached(void **state)
{
    (void)state;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    rig_attach(&second, GATE1, 11, 1, 1);
    uint64_t position = rig_stored(&second, ROOM).position;
    rig_wait(&second, WORKER_GATEWAY_GRACE_MS - 500);
    assert_int_equal(rig_stored(&second, ROOM).position, position);
    rig_wait(&second, 1000);
    assert_int_equal(rig_stored(&second, ROOM).position, position + 1);
    assert_int_equal(newest().kind, ROOM_DETACH);
}

static void a_snapshot_shortens_the_resume_and_gives_the_same_room(void **state)
{
    (void)state;
    uint64_t counter = 2;
    for (int i = 0; i < WORKER_SNAPSHOT_ENTRIES + 10; i++) {
        rig_wait(&first, 100);
        rig_act(&first, GATE1, 11, 1, counter++, TOY_WAVE, 5);
    }
    struct model_view view = rig_stored(&first, ROOM);
    assert_true(view.snapshot_position > 0);
    assert_int_equal(view.trimmed, 0); /* a game runs: its log stays whole */
    assert_int_equal(rig_adopt(&second, ROOM, view.epoch), ST_OK);
    assert_false(rig_noted(&second, "room.set_aside"));
    rig_attach(&second, GATE1, 11, 1, 1);
    rig_act(&second, GATE1, 11, 1, counter, TOY_WAVE, 5);
    assert_true(rig_last(&second, ENV_ANSWER)->u.answer.ok);
}

/* Plays to the end: each says 1 in turn. */
static void play_out(void)
{
    for (int i = 0; i < 40 && !rig_noted(&first, "game.finished"); i++) {
        int seat = i % 2;
        rig_wait(&first, 30);
        struct envelope envelope = {.kind = ENV_ACT};
        uint8_t bytes[] = {TOY_SAY, 1};
        const struct envelope *view = rig_last(&first, ENV_UPDATE);
        envelope.u.act = (struct env_act){.room = ROOM,
                                          .client = 11 + (uint64_t)seat,
                                          .generation = 1 + (uint32_t)seat,
                                          .counter = counters[seat],
                                          .made_for = view ? view->u.update.game_version : 1,
                                          .bytes = slice_of(bytes, 2)};
        rig_envelope(&first, GATE1, &envelope);
        if (rig_last(&first, ENV_ANSWER)->u.answer.ok) counters[seat]++;
    }
    assert_true(rig_noted(&first, "game.finished"));
}

static void assert_archived(uint32_t number)
{
    int count = 0;
    uint64_t position;
    const struct slice *game = model_store_game(world.store, ROOM, number, world.redis, &count);
    assert_non_null(game);
    assert_int_equal(archive_verify(game[0], game + 1, count - 1, &position), ARCHIVE_GOOD);
}

static void a_finished_game_is_archived_and_the_log_trimmed(void **state)
{
    (void)state;
    uint64_t before = rig_stored(&first, ROOM).position;
    play_out();
    struct model_view view = rig_stored(&first, ROOM);
    int count = 0;
    assert_non_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
    assert_int_equal(count, 1 + 1 + (int)(view.position - before)); /* record, start, game */
    assert_int_equal(view.trimmed, view.position - 1);              /* the last entry stays */
    assert_int_equal(view.snapshot_position, view.position);
}

static void a_game_whose_end_was_not_archived_is_archived_by_the_next_owner(void **state)
{
    (void)state;
    first.swallows = STORE_FINISH;
    play_out();
    int count = 0;
    assert_null(model_store_game(world.store, ROOM, 1, world.redis, &count));
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_archived(1);
}

/* Whatever came behind them: a rematch, people who come in. */
static void games_that_ended_unarchived_are_archived_each_for_itself(void **state)
{
    (void)state;
    first.swallows = STORE_FINISH;
    play_out();
    rig_forget(&first);
    rig_command(&first, GATE1, 11, 1, counters[0]++, RIG_START);
    assert_true(rig_noted(&first, "game.started"));
    play_out();
    rig_attach(&first, GATE1, 13, 3, 0);
    uint64_t end = rig_stored(&first, ROOM).position;
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_archived(1);
    assert_archived(2);
    assert_true(rig_stored(&second, ROOM).trimmed < end);
}

static void a_game_that_ended_before_a_rematch_began_is_archived_too(void **state)
{
    (void)state;
    first.swallows = STORE_FINISH;
    play_out();
    rig_forget(&first);
    rig_command(&first, GATE1, 11, 1, counters[0]++, RIG_START);
    assert_true(rig_noted(&first, "game.started"));
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_archived(1);
}

#define READY(name) ON_RIGS_OPENED(name, open_counting)

int main(void)
{
    return RUN_TESTS(READY(the_same_request_creates_once_and_is_answered_again),
                     READY(another_request_for_the_same_room_is_told_that_it_exists),
                     READY(a_create_beyond_the_capacity_or_of_no_game_is_refused),
                     READY(a_create_whose_answer_is_lost_is_repeated),
                     READY(the_new_owner_goes_on_from_the_same_state),
                     READY(the_new_owner_tells_gateways_where_the_room_is_now),
                     READY(a_gateway_heard_of_later_is_told_of_rooms_that_wait_for_their_players),
                     READY(a_gateway_whose_stream_broke_is_told_again_of_rooms_that_wait),
                     READY(
                         an_action_answered_by_the_former_owner_gets_that_answer_from_the_new_one),
                     READY(the_former_owner_can_write_nothing_and_says_where_the_room_is),
                     READY(a_request_that_names_a_later_owner_ends_what_was_held_here),
                     READY(a_take_with_an_older_epoch_names_the_present_one),
                     READY(an_outage_between_two_owners_is_nobodys_time),
                     READY(time_never_passes_the_pending_deadline_unless_the_room_was_released),
                     READY(whoever_does_not_come_back_within_the_grace_is_detached),
                     READY(a_snapshot_shortens_the_resume_and_gives_the_same_room),
                     READY(a_finished_game_is_archived_and_the_log_trimmed),
                     READY(a_game_whose_end_was_not_archived_is_archived_by_the_next_owner),
                     READY(games_that_ended_unarchived_are_archived_each_for_itself),
                     READY(a_game_that_ended_before_a_rematch_began_is_archived_too));
}
