/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

#include <stdio.h>

static void the_first_one_in_becomes_host_and_takes_the_lowest_seat(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    assert_int_equal(stage_enter(stage, 1, "민수"), 0);
    assert_int_equal(stage->out.generation, 1);
    assert_true(stage->out.counter == 0);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_JOINED));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_HOST));
    assert_int_equal(stage_enter(stage, 2, "영희"), 1);
    assert_accepted(stage_leave(stage, 0));
    assert_int_equal(stage_enter(stage, 3, "철수"), 0);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->host, 1);
    stage_view_free(view);
    stage_close(stage);
}

static void a_full_room_refuses_with_its_number_of_seats(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 6; i++) assert_int_equal(stage_enter(stage, i, "이름"), i);
    assert_int_equal(stage_enter(stage, 6, "이름"), -1);
    assert_int_equal(stage->out.why.code, REASON_ROOM_FULL);
    assert_int_equal(stage->out.why.params[0], 6);
    stage_close(stage);
}

static void nobody_sits_down_without_a_name_or_a_player(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    assert_int_equal(stage_enter(stage, 1, " \t "), -1);
    assert_int_equal(stage->out.why.code, REASON_BAD_NAME);
    assert_int_equal(stage->out.why.params[0], NAME_FAULT_CHARACTERS);
    assert_int_equal(stage_enter(stage, 1, ""), -1);
    assert_int_equal(stage->out.why.params[0], NAME_FAULT_EMPTY);
    struct room_input nobody = {.kind = ROOM_ATTACH, .seat = -1, .name = slice_text("이름")};
    assert_refused(stage, stage_step(stage, nobody), REASON_MALFORMED);
    stage_close(stage);
}

static void while_a_game_runs_newcomers_may_only_watch(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_int_equal(stage_enter(stage, 7, "늦은이"), -1);
    assert_int_equal(stage->out.why.code, REASON_GAME_RUNS);
    assert_true(room_may_watch(stage->room, person(7)));
    assert_refused(stage, stage_watcher_sits(stage, 7, "늦은이", 3), REASON_GAME_RUNS);
    stage_close(stage);
}

static void a_fresh_page_takes_its_seat_over(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    assert_int_equal(stage_enter(stage, 1, "민수"), 0);
    assert_int_equal(stage->out.generation, 2);
    assert_int_equal(stage->out.dropped, 1);
    assert_int_equal(stage->out.dropped_why, DROPPED_OTHER_WINDOW);
    /* Not while nobody is connected: there is none to drop. */
    assert_accepted(stage_detach(stage, 0));
    assert_int_equal(stage_enter(stage, 1, "민수"), 0);
    assert_int_equal(stage->out.generation, 3);
    assert_int_equal(stage->out.dropped, 0);
    stage_close(stage);
}

static void the_same_connection_keeps_its_generation(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    assert_int_equal(stage_attach(stage, 1, 1, true, false), ROOM_SAME);
    assert_int_equal(stage->out.seat, 0);
    assert_int_equal(stage->out.generation, 1);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_attach(stage, 1, 1, true, false));
    assert_int_equal(stage->out.generation, 1);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_RETURNED));
    stage_close(stage);
}

static void the_same_generation_on_a_new_connection_becomes_the_next(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    assert_accepted(stage_attach(stage, 1, 1, false, false));
    assert_int_equal(stage->out.generation, 2);
    assert_int_equal(stage->out.dropped, 1);
    assert_int_equal(stage->out.dropped_why, DROPPED_OTHER_WINDOW);
    stage_close(stage);
}

/* The window `page`, by its connection number `line`, with the generation that it has heard. */
static enum room_verdict comes(struct stage *stage, uint64_t page, uint32_t line,
                               uint32_t generation)
{
    struct room_input input = {.kind = ROOM_ATTACH,
                               .seat = -1,
                               .player = person(1),
                               .name = slice_text("민수"),
                               .generation = generation,
                               .window = page,
                               .line = line};
    return stage_step(stage, input);
}

static void a_window_that_was_cut_before_it_heard_its_generation_is_no_other(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    assert_accepted(comes(stage, 7, 1, 0));
    assert_accepted(comes(stage, 7, 2, 1)); /* generation 2, which it never hears of */
    assert_accepted(comes(stage, 7, 3, 1));
    assert_int_equal(stage->out.generation, 3);
    assert_refused(stage, comes(stage, 8, 1, 1), REASON_OTHER_WINDOW);
    stage_close(stage);
}

static void of_one_window_the_later_connection_is_the_newer(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    assert_accepted(comes(stage, 7, 1, 0));
    assert_accepted(comes(stage, 7, 3, 1));
    assert_refused(stage, comes(stage, 7, 2, 1), REASON_OTHER_WINDOW);
    assert_refused(stage, comes(stage, 7, 1, 0), REASON_OTHER_WINDOW);
    assert_int_equal(room_generation(stage->room, 0), 2);
    stage_close(stage);
}

static void an_older_window_is_told_so_until_a_person_taps(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    stage_enter(stage, 1, "민수");
    assert_refused(stage, stage_attach(stage, 1, 1, true, false), REASON_OTHER_WINDOW);
    assert_refused(stage, stage_attach(stage, 1, 1, false, false), REASON_OTHER_WINDOW);
    assert_accepted(stage_attach(stage, 1, 1, false, true));
    assert_int_equal(stage->out.generation, 3);
    assert_int_equal(stage->out.dropped, 1);
    stage_close(stage);
}

static void a_generation_that_was_never_given_counts_as_a_fresh_page(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    assert_accepted(stage_attach(stage, 1, 99, true, false));
    assert_int_equal(stage->out.generation, 2);
    stage_close(stage);
}

static void no_generation_is_given_twice_in_a_room(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    assert_accepted(stage_public(stage, 0, true));
    assert_accepted(stage_leave(stage, 0));
    stage_enter(stage, 1, "민수");
    assert_int_equal(stage->out.generation, 2);
    /* What was sent for the seat before finds nothing to do. */
    struct room_input old = {.kind = ROOM_COMMAND, .seat = 0, .generation = 1, .counter = 1};
    assert_refused(stage, stage_step(stage, old), REASON_OTHER_WINDOW);
    stage_close(stage);
}

static void a_detach_of_an_older_generation_is_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    stage_enter(stage, 1, "민수");
    struct room_input old = {.kind = ROOM_DETACH, .seat = 0, .generation = 1};
    assert_int_equal(stage_step(stage, old), ROOM_SAME);
    assert_true(room_connected(stage->room, 0));
    assert_accepted(stage_detach(stage, 0));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_AWAY));
    assert_int_equal(stage_detach(stage, 0), ROOM_SAME);
    stage_close(stage);
}

static void leaving_a_lobby_frees_the_seat_and_the_board(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    stage_play_out(stage, 0);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[0]->wins, 1);
    assert_int_equal(view->seats[0]->member, 1);
    stage_view_free(view);
    assert_accepted(stage_leave(stage, 0));
    assert_int_equal(stage->out.dropped, 1);
    assert_int_equal(stage->out.dropped_why, DROPPED_LEFT);
    assert_int_equal(room_seat_of(stage->room, person(0)), -1);
    assert_int_equal(stage_enter(stage, 0, "다시"), 0);
    view = stage_view(stage);
    assert_int_equal(view->seats[0]->wins, 0);
    assert_int_equal(view->seats[0]->games, 0);
    assert_int_equal(view->seats[0]->member, 3);
    stage_view_free(view);
    stage_close(stage);
}

static void the_host_passes_to_the_longest_seated_who_is_connected(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 4; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_take_seat(stage, 2, 5)); /* moving does not cost one's place in line */
    assert_accepted(stage_detach(stage, 1));
    assert_accepted(stage_leave(stage, 0));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_HOST));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->host, 5);
    stage_view_free(view);
    stage_close(stage);
}

static void without_anybody_connected_the_first_to_return_becomes_host(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 3; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_detach(stage, 1));
    assert_accepted(stage_detach(stage, 2));
    assert_accepted(stage_leave(stage, 0));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->host, -1);
    stage_view_free(view);
    assert_int_equal(stage_enter(stage, 2, "이름"), 2);
    view = stage_view(stage);
    assert_int_equal(view->host, 2);
    stage_view_free(view);
    stage_close(stage);
}

static void leaving_a_game_keeps_the_seat_for_the_clock_until_the_end(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    assert_accepted(stage_leave(stage, 0));
    assert_int_equal(stage->out.dropped, 1);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->seats[0]->taken && view->seats[0]->automatic);
    assert_int_equal(view->host, 1);
    stage_view_free(view);
    assert_int_equal(stage_leave(stage, 0), ROOM_SAME);
    assert_refused(stage, stage_act(stage, 0, TOY_WAVE, 0), REASON_OUT_OF_PLACE);
    stage_play_out(stage, 1);
    view = stage_view(stage);
    assert_false(view->seats[0]->taken);
    assert_true(view->players[0]->left);
    assert_string_equal(view->players[0]->name, "사람0");
    assert_false(view->players[1]->left);
    stage_view_free(view);
    stage_close(stage);
}

static void a_seat_given_up_in_a_game_is_taken_up_again_by_its_own_token(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    int other = stage_turn_seat(stage) == 0 ? 1 : 0;
    assert_accepted(stage_leave(stage, other));
    assert_int_equal(stage_enter(stage, other, "누구"), other);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_RETURNED));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_false(view->seats[other]->automatic);
    char expected[16];
    snprintf(expected, sizeof expected, "사람%d", other);
    assert_string_equal(view->seats[other]->name, expected);
    stage_view_free(view);
    assert_accepted(stage_act(stage, other, TOY_WAVE, 0));
    stage_close(stage);
}

static void a_leave_from_an_older_window_is_refused(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 1, "민수");
    stage_enter(stage, 1, "민수");
    struct room_input old = {.kind = ROOM_LEAVE, .seat = 0, .generation = 1};
    assert_refused(stage, stage_step(stage, old), REASON_OTHER_WINDOW);
    struct room_input nowhere = {.kind = ROOM_LEAVE, .seat = 4, .generation = 1};
    assert_refused(stage, stage_step(stage, nowhere), REASON_NOT_SEATED);
    stage_close(stage);
}

static void start_and_leave_in_one_instant_give_a_reason_or_an_automatic_seat(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_start(stage, 0));
    assert_accepted(stage_leave(stage, 1));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->seats[1]->automatic);
    stage_view_free(view);
    stage_close(stage);

    stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_leave(stage, 1));
    assert_refused(stage, stage_start(stage, 0), REASON_TOO_FEW);
    assert_int_equal(stage->out.why.params[0], 2);
    stage_close(stage);
}

static void room_time_never_runs_backwards(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage->now = 5000;
    stage_enter(stage, 1, "민수");
    stage->now = 3000;
    stage_enter(stage, 2, "영희");
    assert_true(room_time(stage->room) == 5000);
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(the_first_one_in_becomes_host_and_takes_the_lowest_seat),
        cmocka_unit_test(a_full_room_refuses_with_its_number_of_seats),
        cmocka_unit_test(nobody_sits_down_without_a_name_or_a_player),
        cmocka_unit_test(while_a_game_runs_newcomers_may_only_watch),
        cmocka_unit_test(a_fresh_page_takes_its_seat_over),
        cmocka_unit_test(the_same_connection_keeps_its_generation),
        cmocka_unit_test(the_same_generation_on_a_new_connection_becomes_the_next),
        cmocka_unit_test(an_older_window_is_told_so_until_a_person_taps),
        cmocka_unit_test(a_window_that_was_cut_before_it_heard_its_generation_is_no_other),
        cmocka_unit_test(of_one_window_the_later_connection_is_the_newer),
        cmocka_unit_test(a_generation_that_was_never_given_counts_as_a_fresh_page),
        cmocka_unit_test(no_generation_is_given_twice_in_a_room),
        cmocka_unit_test(a_detach_of_an_older_generation_is_nothing),
        cmocka_unit_test(leaving_a_lobby_frees_the_seat_and_the_board),
        cmocka_unit_test(the_host_passes_to_the_longest_seated_who_is_connected),
        cmocka_unit_test(without_anybody_connected_the_first_to_return_becomes_host),
        cmocka_unit_test(leaving_a_game_keeps_the_seat_for_the_clock_until_the_end),
        cmocka_unit_test(a_seat_given_up_in_a_game_is_taken_up_again_by_its_own_token),
        cmocka_unit_test(a_leave_from_an_older_window_is_refused),
        cmocka_unit_test(start_and_leave_in_one_instant_give_a_reason_or_an_automatic_seat),
        cmocka_unit_test(room_time_never_runs_backwards));
}
