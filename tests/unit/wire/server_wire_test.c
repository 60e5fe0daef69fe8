/* SPDX-License-Identifier: Apache-2.0
 *
 * What gateways say to browsers, there and back.
 */
#include "unit/test.h"
#include "wire/client_wire.h"
#include "wire/reason.h"

#include <string.h>

/* ---- server frames --------------------------------------------------------------------------- */

static void back(const struct server_frame *frame, struct arena *arena, struct server_frame *out)
{
    struct buf bytes = {0};
    server_frame_encode(frame, &bytes);
    assert_int_equal(server_frame_decode(buf_slice(&bytes), arena, out), ST_OK);
    memset(bytes.at, 0xee, bytes.len);
    buf_fini(&bytes);
    assert_int_equal(out->kind, frame->kind);
}

static void a_room_frame_comes_back_and_absent_parts_stay_absent(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct server_event events[WIRE_EVENTS_MAX] = {
        {.seq = 8, .shared = slice_text("s"), .mine = slice_text("m")},
        {.seq = 9, .room = slice_text("r")},
    };
    struct server_frame frame = {.kind = SERVER_ROOM}, out;
    frame.u.room = (struct server_room){.version = {100, 9},
                                        .room_time = 12345,
                                        .game_version = 6,
                                        .game = slice_text("game"),
                                        .mine = slice_text("mine"),
                                        .events = events,
                                        .event_count = 2};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.room.version.epoch, 100);
    assert_int_equal(out.u.room.version.seq, 9);
    assert_int_equal(out.u.room.since, 0);
    assert_int_equal(out.u.room.room_time, 12345);
    assert_int_equal(out.u.room.game_version, 6);
    assert_int_equal(out.u.room.room.len + out.u.room.presence.len, 0);
    assert_true(slice_equal(out.u.room.game, slice_text("game")));
    assert_true(slice_equal(out.u.room.mine, slice_text("mine")));
    assert_int_equal(out.u.room.event_count, 2);
    assert_int_equal(out.u.room.events[0].seq, 8);
    assert_int_equal(out.u.room.events[1].seq, 9);
    assert_true(slice_equal(out.u.room.events[0].mine, slice_text("m")));
    assert_true(slice_equal(out.u.room.events[1].room, slice_text("r")));
    assert_int_equal(out.u.room.events[1].shared.len, 0);
    frame.u.room.event_count = WIRE_EVENTS_MAX;
    back(&frame, &arena, &out);
    assert_int_equal(out.u.room.event_count, WIRE_EVENTS_MAX);
    arena_fini(&arena);
}

static void a_refusal_is_there_only_where_something_was_refused(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct server_frame frame = {.kind = SERVER_ANSWER}, out;
    frame.u.answer = (struct server_answer){
        .generation = 2,
        .counter = 5,
        .why = {.domain = "toy", .code = 4, .params = {-1, 2, 3, 4}, .param_count = 4},
        .seq = 8};
    back(&frame, &arena, &out);
    assert_false(out.u.answer.ok);
    assert_string_equal(out.u.answer.why.domain, "toy");
    assert_int_equal(out.u.answer.why.params[0], -1);
    assert_int_equal(out.u.answer.why.param_count, 4);
    frame.u.answer.ok = true;
    back(&frame, &arena, &out);
    assert_true(out.u.answer.ok);
    assert_int_equal(out.u.answer.why.code, 0);
    assert_int_equal(out.u.answer.seq, 8);
    frame = (struct server_frame){.kind = SERVER_REFUSED};
    frame.u.refused =
        (struct server_refused){{.code = REASON_TOO_MANY_TRIES, .params = {6}, .param_count = 1},
                                true};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.refused.why.code, REASON_TOO_MANY_TRIES);
    assert_int_equal(out.u.refused.why.params[0], 6);
    assert_string_equal(out.u.refused.why.domain, "");
    assert_true(out.u.refused.retry);
    arena_fini(&arena);
}

static void a_welcome_describes_every_option(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct client_option options[2] = {
        {.key = "size",
         .kind = 2,
         .choices = {{3, "three"}, {4, "four"}},
         .choice_count = 2,
         .default_value = 4,
         .depends_key = ""},
        {.key = "limit",
         .kind = 3,
         .min = -5,
         .max = 20,
         .depends_key = "size",
         .depends_value = 3},
    };
    struct client_game games[2] = {
        {.id = "toy",
         .seats_min = 2,
         .seats_max = 4,
         .rules_version = 9,
         .options = options,
         .option_count = 2,
         .solo_key = "alone"},
        {.id = "bare", .seats_min = 1, .seats_max = 1},
    };
    struct server_frame frame = {.kind = SERVER_WELCOME}, out;
    frame.u.welcome = (struct server_welcome){CLIENT_PROTOCOL, slice_text("token"), games, 2, "b"};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.welcome.game_count, 2);
    const struct client_game *toy = &out.u.welcome.games[0];
    assert_string_equal(toy->id, "toy");
    assert_int_equal(toy->rules_version, 9);
    assert_string_equal(toy->solo_key, "alone");
    assert_string_equal(toy->options[0].choices[1].key, "four");
    assert_int_equal(toy->options[0].choices[1].value, 4);
    assert_int_equal(toy->options[1].min, -5);
    assert_int_equal(toy->options[1].max, 20);
    assert_string_equal(toy->options[1].depends_key, "size");
    assert_int_equal(toy->options[1].depends_value, 3);
    assert_int_equal(out.u.welcome.games[1].option_count, 0);
    assert_string_equal(out.u.welcome.games[1].solo_key, "");
    assert_string_equal(out.u.welcome.build, "b");
    arena_fini(&arena);
}

static void the_small_server_frames_come_back(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct server_frame frame, out;
    frame = (struct server_frame){.kind = SERVER_SEAT};
    frame.u.seat = (struct server_seat){"0ABCDE", -1, 3, 4, 5};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.seat.seat, -1);
    assert_int_equal(out.u.seat.generation, 3);
    assert_int_equal(out.u.seat.counter, 4);
    assert_int_equal(out.u.seat.epoch, 5);
    struct public_room room = {"0ABCDE", "toy", "영희", 2, 4};
    frame = (struct server_frame){.kind = SERVER_ROOMS};
    frame.u.rooms = (struct server_rooms){&room, 1};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.rooms.count, 1);
    assert_string_equal(out.u.rooms.list[0].host, "영희");
    frame = (struct server_frame){.kind = SERVER_QUICK};
    frame.u.quick = (struct server_quick){"toy", 2, 3, 9000};
    back(&frame, &arena, &out);
    assert_int_equal(out.u.quick.left_ms, 9000);
    frame = (struct server_frame){.kind = SERVER_FOUND};
    frame.u.found = (struct server_found){"0ABCDE", "toy", 2, 4, true};
    back(&frame, &arena, &out);
    assert_true(out.u.found.playing);
    frame = (struct server_frame){.kind = SERVER_DETACHED};
    frame.u.detached = DROPPED_KICKED;
    back(&frame, &arena, &out);
    assert_int_equal(out.u.detached, DROPPED_KICKED);
    frame = (struct server_frame){.kind = SERVER_NOTICE};
    frame.u.notice = NOTICE_GATEWAY_LEAVING;
    back(&frame, &arena, &out);
    assert_int_equal(out.u.notice, NOTICE_GATEWAY_LEAVING);
    frame = (struct server_frame){.kind = SERVER_PING};
    frame.u.ping.nonce = UINT64_MAX;
    frame.u.ping.rtt_ms = 80;
    back(&frame, &arena, &out);
    assert_true(out.u.ping.nonce == UINT64_MAX && out.u.ping.rtt_ms == 80);
    frame = (struct server_frame){.kind = SERVER_PONG};
    frame.u.pong.client_ms = 1;
    frame.u.pong.server_ms = 2;
    back(&frame, &arena, &out);
    assert_true(out.u.pong.client_ms == 1 && out.u.pong.server_ms == 2);
    arena_fini(&arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_room_frame_comes_back_and_absent_parts_stay_absent),
                     cmocka_unit_test(a_refusal_is_there_only_where_something_was_refused),
                     cmocka_unit_test(a_welcome_describes_every_option),
                     cmocka_unit_test(the_small_server_frames_come_back));
}
