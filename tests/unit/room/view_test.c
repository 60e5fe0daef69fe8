/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

static void a_view_names_seats_options_and_what_a_start_lacks(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "민수");
    Madang__V1__RoomView *view = stage_view(stage);
    assert_string_equal(view->code, "K7P3QD");
    assert_string_equal(view->game, "toy");
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_LOBBY);
    assert_int_equal(view->n_seats, 6);
    assert_string_equal(view->seats[0]->name, "민수");
    assert_true(view->seats[0]->taken);
    assert_false(view->seats[1]->taken);
    assert_int_equal(view->n_options, 5);
    assert_string_equal(view->options[0]->key, "rounds");
    assert_int_equal(view->options[0]->value, 3);
    assert_string_equal(view->verdict, "");
    assert_false(view->can_start);
    assert_int_equal(view->seats_needed, 1);
    assert_int_equal(view->game_number, 0);
    assert_int_equal(view->n_playing, 0);
    assert_int_equal(view->starter, -1);
    stage_view_free(view);

    stage_enter(stage, 1, "영희");
    assert_accepted(stage_options(stage, 0, "clash", 1));
    view = stage_view(stage);
    assert_string_equal(view->verdict, "refusal.toy.clash");
    assert_false(view->can_start);
    assert_int_equal(view->seats_needed, 0);
    stage_view_free(view);
    stage_close(stage);
}

static void equal_looking_names_are_numbered_in_the_order_of_sitting_down(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "Min");
    stage_enter(stage, 1, "민수");
    stage_enter(stage, 2, "MIN");
    stage_enter(stage, 3, "ｍｉｎ");
    assert_accepted(stage_take_seat(stage, 0, 5)); /* seats do not count, the order does */
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[5]->name_number, 0);
    assert_int_equal(view->seats[1]->name_number, 0);
    assert_int_equal(view->seats[2]->name_number, 2);
    assert_int_equal(view->seats[3]->name_number, 3);
    stage_view_free(view);
    assert_accepted(stage_start(stage, 5));
    view = stage_view(stage);
    assert_string_equal(view->players[3]->name, "Min");
    assert_int_equal(view->players[3]->name_number, 0);
    assert_int_equal(view->players[1]->name_number, 2);
    assert_int_equal(view->players[2]->name_number, 3);
    stage_view_free(view);
    assert_accepted(stage_leave(stage, 2));
    view = stage_view(stage);
    assert_true(view->players[1]->left);
    assert_false(view->players[2]->left);
    stage_view_free(view);
    stage_close(stage);
}

static void presence_shows_connections_rtt_and_watchers(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_detach(stage, 1));
    static const uint32_t rtt[GAME_SEATS_MAX] = {35, 60, 90};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    struct buf bytes = {0};
    room_write_presence(stage->room, rtt, 9, names, 9, &bytes);
    Madang__V1__Presence *presence = madang__v1__presence__unpack(NULL, bytes.len, bytes.at);
    assert_non_null(presence);
    assert_int_equal(presence->n_seats, 6);
    assert_true(presence->seats[0]->connected);
    assert_int_equal(presence->seats[0]->rtt_ms, 35);
    assert_false(presence->seats[1]->connected);
    assert_int_equal(presence->seats[1]->rtt_ms, 0); /* an old figure of somebody gone */
    assert_int_equal(presence->seats[2]->rtt_ms, 0); /* nobody sits there */
    assert_int_equal(presence->spectators, 9);
    assert_int_equal(presence->n_spectator_names, 8);
    madang__v1__presence__free_unpacked(presence, NULL);
    buf_clear(&bytes);
    room_write_presence(stage->room, NULL, 0, NULL, 0, &bytes);
    assert_true(bytes.len > 0);
    buf_fini(&bytes);
    stage_close(stage);
}

static uint32_t first_rtt(const struct stage *stage, const uint32_t *rtt)
{
    struct buf bytes = {0};
    room_write_presence(stage->room, rtt, 0, NULL, 0, &bytes);
    Madang__V1__Presence *presence = madang__v1__presence__unpack(NULL, bytes.len, bytes.at);
    assert_non_null(presence);
    uint32_t shown = presence->seats[0]->rtt_ms;
    madang__v1__presence__free_unpacked(presence, NULL);
    buf_fini(&bytes);
    return shown;
}

static void presence_leaves_round_trips_out_where_they_are_not_shown(void **unused)
{
    (void)unused;
    static const uint32_t rtt[GAME_SEATS_MAX] = {35};
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_int_equal(first_rtt(stage, rtt), 35);
    assert_accepted(stage_options(stage, 0, "rtt", 0));
    assert_int_equal(first_rtt(stage, rtt), 0);
    assert_true(stage->out.changed & SECTION_PRESENCE); /* what was shown before goes away */
    assert_accepted(stage_options(stage, 0, "rounds", 4));
    assert_false(stage->out.changed & SECTION_PRESENCE);
    stage_close(stage);
}

/* The parts of the room are functions of what all may know: rooms that differ in nothing but what
 * the game hides say the same. */
static void the_rooms_part_never_depends_on_what_a_game_hides(void **unused)
{
    (void)unused;
    struct buf said[2] = {0};
    for (int i = 0; i < 2; i++) {
        struct stage *stage = stage_open(&toy_game);
        for (int s = 0; s < 3; s++) stage_enter(stage, s, "이름");
        /* Other seeds until the same seat begins. */
        for (stage->seeds = (uint64_t)(i + 1) * 1000;; stage->seeds++) {
            assert_accepted(stage_start(stage, 0));
            if (stage_turn_seat(stage) == 0) break;
            uint64_t seeds = stage->seeds;
            stage_close(stage);
            stage = stage_open(&toy_game);
            for (int s = 0; s < 3; s++) stage_enter(stage, s, "이름");
            stage->seeds = seeds;
        }
        for (int turn = 0; turn < 6; turn++) {
            assert_accepted(stage_say(stage, turn % 3, (uint8_t)turn));
            assert_accepted(stage_act(stage, 1, TOY_WHISPER, (uint8_t)i));
            buf_put_u32(&said[i], stage->out.changed);
            room_write_view(stage->room, &said[i]);
            room_write_presence(stage->room, NULL, 0, NULL, 0, &said[i]);
            struct room_summary summary;
            room_summary_of(stage->room, &summary);
            room_summary_encode(&summary, &said[i]);
            stage->now += 1;
        }
        stage_close(stage);
    }
    assert_int_equal(said[0].len, said[1].len);
    assert_memory_equal(said[0].at, said[1].at, said[0].len);
    buf_fini(&said[0]);
    buf_fini(&said[1]);
}

static void the_last_sixty_four_events_are_kept(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint64_t start = room_seq(stage->room);
    struct update_event list[ROOM_EVENTS_MAX];
    /* With the start's own event that makes sixty-four. */
    for (int i = 0; i < ROOM_EVENTS_MAX - 1; i++) {
        stage->now += 100;
        assert_accepted(stage_act(stage, i % 2, TOY_WAVE, (uint8_t)i));
    }
    assert_int_equal(room_events_since(stage->room, start, list), ROOM_EVENTS_MAX - 1);
    assert_int_equal(list[0].shared.at[2], 0);
    assert_int_equal(room_events_since(stage->room, start - 1, list), ROOM_EVENTS_MAX);
    assert_accepted(stage_act(stage, 0, TOY_WAVE, 200));
    assert_int_equal(room_events_since(stage->room, start - 1, list), -1);
    assert_int_equal(room_events_since(stage->room, start, list), ROOM_EVENTS_MAX);
    assert_accepted(stage_act(stage, 0, TOY_WAVE, 201));
    assert_int_equal(room_events_since(stage->room, start, list), -1);
    assert_int_equal(room_events_since(stage->room, room_seq(stage->room), list), 0);
    assert_int_equal(room_events_since(stage->room, room_seq(stage->room) + 1, list), -1);
    for (uint64_t seq = start + 2, i = 0; seq <= room_seq(stage->room); seq++, i++) {
        int count = room_events_since(stage->room, seq - 1, list);
        assert_int_equal(count, (int)(room_seq(stage->room) - seq) + 1);
        assert_true(list[0].seq == seq);
    }
    stage_close(stage);
}

static void a_private_event_goes_with_its_person_and_to_nobody_after(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    stage_play_out(stage, 0);
    uint64_t since = room_seq(stage->room) - 1;
    struct update_event list[ROOM_EVENTS_MAX];
    assert_true(room_events_since(stage->room, since, list) > 0);
    int seat = list[0].seat;
    assert_true(seat >= 0 && list[0].mine.len == 1);
    uint8_t secret = list[0].mine.at[0];

    assert_accepted(stage_take_seat(stage, seat, 5));
    assert_true(room_events_since(stage->room, since, list) > 0);
    assert_int_equal(list[0].seat, 5);
    assert_int_equal(list[0].mine.at[0], secret);

    assert_accepted(stage_leave(stage, 5));
    assert_accepted(stage_watcher_sits(stage, 9, "딴사람", 5));
    assert_true(room_events_since(stage->room, since, list) > 0);
    assert_int_equal(list[0].seat, -1);
    assert_int_equal(list[0].mine.len, 0);
    stage_close(stage);
}

static void a_room_is_listed_while_strangers_can_join_it(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    struct room_summary summary;
    stage_enter(stage, 0, "민수");
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed);
    assert_accepted(stage_public(stage, 0, true));
    room_summary_of(stage->room, &summary);
    assert_true(summary.listed);
    assert_string_equal(summary.host, "민수");
    assert_string_equal(summary.code, "K7P3QD");
    assert_int_equal(summary.seated, 1);
    assert_int_equal(summary.seats, 6);
    assert_accepted(stage_detach(stage, 0)); /* nobody would be there */
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed);
    for (int i = 0; i < 6; i++) assert_int_equal(stage_enter(stage, i, "이름"), i);
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed); /* full */
    assert_accepted(stage_leave(stage, 5));
    room_summary_of(stage->room, &summary);
    assert_true(summary.listed);
    assert_accepted(stage_start(stage, 0));
    room_summary_of(stage->room, &summary);
    assert_true(summary.playing && !summary.listed);
    stage_close(stage);
}

static void a_summary_comes_back(void **unused)
{
    (void)unused;
    struct room_summary summary = {.code = "ABCDEF",
                                   .game = "toy",
                                   .host = "민수",
                                   .seated = 2,
                                   .seats = 6,
                                   .playing = true,
                                   .listed = true};
    struct room_summary back;
    struct buf bytes = {0};
    struct arena arena = {0};
    room_summary_encode(&summary, &bytes);
    assert_int_equal(room_summary_decode(buf_slice(&bytes), &arena, &back), ST_OK);
    assert_string_equal(back.code, "ABCDEF");
    assert_string_equal(back.game, "toy");
    assert_string_equal(back.host, "민수");
    assert_int_equal(back.seated, 2);
    assert_int_equal(back.seats, 6);
    assert_true(back.playing && back.listed);
    assert_int_equal(room_summary_decode(slice_of("\xff\xff", 2), &arena, &back), ST_INVALID);
    arena_fini(&arena);
    buf_fini(&bytes);
}

static void a_record_comes_back_or_says_what_it_lacks(void **unused)
{
    (void)unused;
    game_register_for_tests(&toy_game);
    struct room_record record = {.id = 0xfedcba9876543210,
                                 .code = "ABCDEF",
                                 .game = &toy_game,
                                 .is_public = true,
                                 .quick = true,
                                 .expected = 4};
    struct room_record back;
    game_options_default(&toy_game, &record.options);
    record.options.value[0] = 7;
    struct buf bytes = {0};
    room_record_encode(&record, &bytes);
    assert_int_equal(room_record_decode(buf_slice(&bytes), &back), ST_OK);
    assert_true(back.id == record.id);
    assert_string_equal(back.code, "ABCDEF");
    assert_ptr_equal(back.game, &toy_game);
    assert_true(back.is_public && back.quick);
    assert_int_equal(back.expected, 4);
    assert_memory_equal(&back.options, &record.options, sizeof back.options);

    struct game other_rules = toy_game, other_game = toy_game;
    other_rules.rules_version = 2;
    other_game.id = "never-heard-of";
    record.game = &other_rules;
    buf_clear(&bytes);
    room_record_encode(&record, &bytes);
    assert_int_equal(room_record_decode(buf_slice(&bytes), &back), ST_OK);
    assert_ptr_equal(back.game, &toy_game);
    assert_false(room_record_carried(&back)); /* its snapshot may be readable all the same */
    record.game = &other_game;
    buf_clear(&bytes);
    room_record_encode(&record, &bytes);
    assert_int_equal(room_record_decode(buf_slice(&bytes), &back), ST_UNKNOWN);
    record.game = &toy_game;
    record.options.value[1] = 2;
    buf_clear(&bytes);
    room_record_encode(&record, &bytes);
    assert_int_equal(room_record_decode(buf_slice(&bytes), &back), ST_INVALID);
    assert_int_equal(room_record_decode(slice_of("\x07", 1), &back), ST_INVALID);
    buf_fini(&bytes);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_view_names_seats_options_and_what_a_start_lacks),
                     cmocka_unit_test(
                         equal_looking_names_are_numbered_in_the_order_of_sitting_down),
                     cmocka_unit_test(presence_shows_connections_rtt_and_watchers),
                     cmocka_unit_test(presence_leaves_round_trips_out_where_they_are_not_shown),
                     cmocka_unit_test(the_rooms_part_never_depends_on_what_a_game_hides),
                     cmocka_unit_test(the_last_sixty_four_events_are_kept),
                     cmocka_unit_test(a_private_event_goes_with_its_person_and_to_nobody_after),
                     cmocka_unit_test(a_room_is_listed_while_strangers_can_join_it),
                     cmocka_unit_test(a_summary_comes_back),
                     cmocka_unit_test(a_record_comes_back_or_says_what_it_lacks));
}
