/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

#include <stdio.h>

static struct stage *lobby(int people)
{
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < people; i++) {
        char name[16];
        snprintf(name, sizeof name, "사람%d", i);
        assert_int_equal(stage_enter(stage, i, name), i);
    }
    return stage;
}

static int32_t option(const struct stage *stage, const char *key)
{
    Madang__V1__RoomView *view = stage_view(stage);
    int32_t value = -1;
    for (size_t i = 0; i < view->n_options; i++)
        if (strcmp(view->options[i]->key, key) == 0) value = view->options[i]->value;
    stage_view_free(view);
    return value;
}

static void the_host_sets_options_while_no_game_runs(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_accepted(stage_options(stage, 0, "rounds", 1));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_OPTIONS));
    assert_int_equal(option(stage, "rounds"), 1);
    assert_refused(stage, stage_options(stage, 1, "rounds", 2), REASON_NOT_HOST);
    assert_accepted(stage_start(stage, 0));
    assert_refused(stage, stage_options(stage, 0, "rounds", 2), REASON_NOT_NOW);
    stage_close(stage);
}

static void options_change_all_or_not_at_all(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(1);
    Madang__V1__OptionValue good = MADANG__V1__OPTION_VALUE__INIT;
    Madang__V1__OptionValue bad = MADANG__V1__OPTION_VALUE__INIT, *list[] = {&good, &bad};
    Madang__V1__SetOptions part = MADANG__V1__SET_OPTIONS__INIT;
    Madang__V1__RoomCommand command = MADANG__V1__ROOM_COMMAND__INIT;
    good.key = (char *)"rounds";
    good.value = 9;
    bad.key = (char *)"fragile";
    bad.value = 2;
    part.n_options = 2;
    part.options = list;
    command.kind_case = MADANG__V1__ROOM_COMMAND__KIND_SET_OPTIONS;
    command.set_options = &part;
    uint8_t bytes[256];
    size_t len = madang__v1__room_command__pack(&command, bytes);
    assert_refused(stage, stage_command(stage, 0, slice_of(bytes, len)), REASON_BAD_OPTION);
    assert_int_equal(option(stage, "rounds"), 3);
    bad.value = 1;
    len = madang__v1__room_command__pack(&command, bytes);
    assert_accepted(stage_command(stage, 0, slice_of(bytes, len)));
    assert_int_equal(option(stage, "rounds"), 9);
    assert_int_equal(option(stage, "fragile"), 1);
    stage_close(stage);
}

static void an_option_that_is_none_or_out_of_bounds_is_refused(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(1);
    assert_refused(stage, stage_options(stage, 0, "colour", 1), REASON_BAD_OPTION);
    assert_refused(stage, stage_options(stage, 0, "rounds", 0), REASON_BAD_OPTION);
    assert_refused(stage, stage_options(stage, 0, "rounds", 10), REASON_BAD_OPTION);
    stage_close(stage);
}

static void the_host_makes_a_room_public_and_private(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    struct room_summary summary;
    assert_accepted(stage_public(stage, 0, true));
    room_summary_of(stage->room, &summary);
    assert_true(summary.listed);
    assert_accepted(stage_public(stage, 0, false));
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed);
    assert_refused(stage, stage_public(stage, 1, true), REASON_NOT_HOST);
    stage_close(stage);
}

static void who_is_kicked_cannot_return(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(3);
    assert_accepted(stage_kick(stage, 0, 1));
    assert_int_equal(stage->out.dropped, 2);
    assert_int_equal(stage->out.dropped_why, DROPPED_KICKED);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_KICKED));
    assert_int_equal(room_seat_of(stage->room, person(1)), -1);
    assert_int_equal(stage_enter(stage, 1, "다시"), -1);
    assert_int_equal(stage->out.why.code, REASON_KICKED);
    assert_refused(stage, stage_watcher_sits(stage, 1, "다시", 4), REASON_KICKED);
    assert_false(room_may_watch(stage->room, person(1)));
    assert_true(room_may_watch(stage->room, person(2)));
    stage_close(stage);
}

static void only_the_host_kicks_and_never_the_own_or_an_empty_seat(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_refused(stage, stage_kick(stage, 1, 0), REASON_NOT_HOST);
    assert_refused(stage, stage_kick(stage, 0, 0), REASON_MALFORMED);
    assert_refused(stage, stage_kick(stage, 0, 3), REASON_NOT_SEATED);
    assert_refused(stage, stage_kick(stage, 0, 4000000000u), REASON_NOT_SEATED);
    stage_close(stage);
}

static void who_is_kicked_from_a_game_is_played_by_the_clock(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    assert_accepted(stage_kick(stage, 0, 2));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->seats[2]->taken && view->seats[2]->automatic);
    stage_view_free(view);
    assert_int_equal(stage_enter(stage, 2, "다시"), -1);
    assert_int_equal(stage->out.why.code, REASON_KICKED);
    assert_refused(stage, stage_kick(stage, 0, 2), REASON_NOT_SEATED);
    stage_play_out(stage, 0);
    view = stage_view(stage);
    assert_false(view->seats[2]->taken);
    stage_view_free(view);
    stage_close(stage);
}

static void who_left_a_game_can_still_be_kicked_from_it(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    assert_accepted(stage_leave(stage, 2));
    assert_accepted(stage_kick(stage, 0, 2));
    assert_int_equal(stage->out.dropped, 0);
    assert_int_equal(stage_enter(stage, 2, "다시"), -1);
    assert_int_equal(stage->out.why.code, REASON_KICKED);
    stage_close(stage);
}

static void nobody_kicked_is_forgotten(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(1);
    for (int i = 0; i < ROOM_KICKED_MAX; i++) {
        assert_int_equal(stage_enter(stage, 100 + i, "이름"), 1);
        assert_accepted(stage_kick(stage, 0, 1));
        stage->now += 1000;
    }
    assert_int_equal(stage_enter(stage, 200, "이름"), 1);
    assert_refused(stage, stage_kick(stage, 0, 1), REASON_NOT_NOW);
    assert_int_equal(stage_enter(stage, 100, "이름"), -1);
    assert_int_equal(stage->out.why.code, REASON_KICKED);
    stage_close(stage);
}

static void a_start_needs_the_host_enough_people_and_options_that_fit(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_refused(stage, stage_start(stage, 1), REASON_NOT_HOST);
    assert_accepted(stage_detach(stage, 1));
    assert_refused(stage, stage_start(stage, 0), REASON_TOO_FEW);
    assert_int_equal(stage_enter(stage, 1, "나"), 1);
    assert_accepted(stage_options(stage, 0, "clash", 1));
    assert_refused(stage, stage_start(stage, 0), REASON_OPTIONS_CLASH);
    assert_accepted(stage_options(stage, 0, "clash", 0));
    assert_accepted(stage_start(stage, 0));
    assert_true(stage->out.game_started);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_STARTED));
    assert_refused(stage, stage_start(stage, 0), REASON_NOT_NOW);
    stage_close(stage);
}

static void a_note_on_options_hinders_no_start(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_accepted(stage_options(stage, 0, "rounds", 1));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_string_equal(view->verdict, "note.toy.short");
    assert_true(view->can_start);
    stage_view_free(view);
    assert_accepted(stage_start(stage, 0));
    stage_close(stage);
}

static void a_watcher_sits_down_where_it_is_free(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(1);
    assert_accepted(stage_watcher_sits(stage, 5, "구경", 3));
    assert_int_equal(stage->out.seat, 3);
    assert_true(stage->out.generation > 0);
    assert_int_equal(room_seat_of(stage->room, person(5)), 3);
    assert_refused(stage, stage_watcher_sits(stage, 6, "늦음", 3), REASON_SEAT_TAKEN);
    assert_refused(stage, stage_watcher_sits(stage, 6, "늦음", 6), REASON_MALFORMED);
    assert_refused(stage, stage_watcher_sits(stage, 6, "", 4), REASON_BAD_NAME);
    stage_close(stage);
}

static void a_watcher_who_has_a_seat_takes_it_over(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_accepted(stage_watcher_sits(stage, 1, "나", 4));
    assert_int_equal(stage->out.seat, 1); /* one person, one seat */
    assert_int_equal(stage->out.dropped, 2);
    assert_int_equal(stage->out.dropped_why, DROPPED_OTHER_WINDOW);
    stage_close(stage);
}

static void a_watchers_older_generation_does_not_matter_to_a_tap(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    stage_enter(stage, 1, "나");
    assert_int_equal(stage->out.generation, 3);
    uint8_t bytes[] = {0x2a, 0}; /* TakeSeat {} */
    struct room_input sit = {.kind = ROOM_COMMAND,
                             .seat = -1,
                             .generation = 2,
                             .bytes = slice_of(bytes, sizeof bytes),
                             .player = person(1),
                             .name = slice_text("나")};
    assert_accepted(stage_step(stage, sit));
    assert_int_equal(stage->out.seat, 1);
    assert_int_equal(stage->out.generation, 4);
    stage_close(stage);
}

static void a_watcher_can_do_nothing_else(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_refused(stage, stage_start(stage, -1), REASON_NOT_SEATED);
    assert_refused(stage, stage_rename(stage, -1, "이름"), REASON_NOT_SEATED);
    assert_refused(stage, stage_kick(stage, -1, 0), REASON_NOT_SEATED);
    stage_close(stage);
}

static void a_player_moves_with_all_that_is_the_persons(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    uint32_t generation = room_generation(stage->room, 0);
    assert_accepted(stage_take_seat(stage, 0, 4));
    assert_int_equal(stage->out.seat, 4);
    assert_int_equal(stage->out.generation, generation);
    assert_true(stage->out.counter == 1);
    assert_int_equal(room_seat_of(stage->room, person(0)), 4);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->host, 4);
    assert_false(view->seats[0]->taken);
    stage_view_free(view);
    assert_refused(stage, stage_take_seat(stage, 4, 1), REASON_SEAT_TAKEN);
    assert_refused(stage, stage_take_seat(stage, 4, 4), REASON_SEAT_TAKEN);
    assert_refused(stage, stage_take_seat(stage, 4, 6), REASON_MALFORMED);
    assert_accepted(stage_start(stage, 4));
    assert_refused(stage, stage_take_seat(stage, 4, 0), REASON_NOT_NOW);
    stage_close(stage);
}

static void standing_up_frees_the_seat_but_not_in_a_game(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(3);
    assert_accepted(stage_stand_up(stage, 0));
    assert_int_equal(stage->out.seat, -1);
    assert_int_equal(stage->out.dropped, 0);
    assert_true(room_may_watch(stage->room, person(0)));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_false(view->seats[0]->taken);
    assert_int_equal(view->host, 1);
    stage_view_free(view);
    assert_accepted(stage_start(stage, 1));
    assert_refused(stage, stage_stand_up(stage, 2), REASON_NOT_NOW);
    stage_close(stage);
}

static void a_new_name_is_normalised_by_the_room(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_accepted(stage_rename(stage, 0, "  \xe1\x84\x8b\xe1\x85\xa7\xe1\x86\xbc   희 "));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_NAMED));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_string_equal(view->seats[0]->name, "영 희");
    stage_view_free(view);
    assert_refused(stage, stage_rename(stage, 0, "열두글자보다도더더더긴이름"), REASON_BAD_NAME);
    assert_int_equal(stage->out.why.params[0], NAME_FAULT_LONG);
    assert_accepted(stage_start(stage, 0));
    assert_refused(stage, stage_rename(stage, 0, "이름"), REASON_NOT_NOW);
    stage_close(stage);
}

static void commands_that_cannot_be_read_are_malformed(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    static const uint8_t unknown_kind[] = {0x9a, 0x06, 0x00}, cut[] = {0x0a, 0x05, 0x0a};
    assert_refused(stage, stage_command(stage, 0, (struct slice){0}), REASON_MALFORMED);
    assert_refused(stage, stage_command(stage, 0, slice_of(unknown_kind, 3)), REASON_MALFORMED);
    assert_refused(stage, stage_command(stage, 0, slice_of(cut, 3)), REASON_MALFORMED);
    stage_close(stage);
}

static void commands_are_actions_with_ids_of_their_own(void **unused)
{
    (void)unused;
    struct stage *stage = lobby(2);
    assert_accepted(stage_public(stage, 0, true));
    uint64_t first = stage->out.seq;
    assert_accepted(stage_options(stage, 0, "rounds", 2));
    struct room_input again = {.kind = ROOM_COMMAND,
                               .seat = 0,
                               .generation = room_generation(stage->room, 0),
                               .counter = 1};
    assert_int_equal(stage_step(stage, again), ROOM_REPEATED);
    assert_true(stage->out.seq == first);
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_host_sets_options_while_no_game_runs),
                     cmocka_unit_test(options_change_all_or_not_at_all),
                     cmocka_unit_test(an_option_that_is_none_or_out_of_bounds_is_refused),
                     cmocka_unit_test(the_host_makes_a_room_public_and_private),
                     cmocka_unit_test(who_is_kicked_cannot_return),
                     cmocka_unit_test(only_the_host_kicks_and_never_the_own_or_an_empty_seat),
                     cmocka_unit_test(who_is_kicked_from_a_game_is_played_by_the_clock),
                     cmocka_unit_test(who_left_a_game_can_still_be_kicked_from_it),
                     cmocka_unit_test(nobody_kicked_is_forgotten),
                     cmocka_unit_test(a_start_needs_the_host_enough_people_and_options_that_fit),
                     cmocka_unit_test(a_note_on_options_hinders_no_start),
                     cmocka_unit_test(a_watcher_sits_down_where_it_is_free),
                     cmocka_unit_test(a_watcher_who_has_a_seat_takes_it_over),
                     cmocka_unit_test(a_watchers_older_generation_does_not_matter_to_a_tap),
                     cmocka_unit_test(a_watcher_can_do_nothing_else),
                     cmocka_unit_test(a_player_moves_with_all_that_is_the_persons),
                     cmocka_unit_test(standing_up_frees_the_seat_but_not_in_a_game),
                     cmocka_unit_test(a_new_name_is_normalised_by_the_room),
                     cmocka_unit_test(commands_that_cannot_be_read_are_malformed),
                     cmocka_unit_test(commands_are_actions_with_ids_of_their_own));
}
