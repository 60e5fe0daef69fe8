/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

static Madang__V1__RoomState state_of(const struct stage *stage)
{
    Madang__V1__RoomView *view = stage_view(stage);
    Madang__V1__RoomState state = view->state;
    stage_view_free(view);
    return state;
}

static int host_of(const struct stage *stage)
{
    Madang__V1__RoomView *view = stage_view(stage);
    int host = view->host;
    stage_view_free(view);
    return host;
}

static void a_clock_early_late_or_unasked_is_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    instant_ms due = stage_deadline(stage);
    stage->now = due - 1;
    struct room_input clock = {.kind = ROOM_CLOCK, .seat = -1};
    assert_int_equal(stage_step(stage, clock), ROOM_SAME);
    stage->now = due;
    assert_accepted(stage_step(stage, clock));
    assert_int_equal(stage_step(stage, clock), ROOM_SAME);
    stage_close(stage);

    stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_true(stage_deadline(stage) == INSTANT_NEVER);
    assert_int_equal(stage_step(stage, clock), ROOM_SAME);
    stage_close(stage);
}

static void a_late_clock_is_stamped_with_its_deadline(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    instant_ms due = stage_deadline(stage);
    stage->now = due + 777;
    assert_accepted(stage_step(stage, (struct room_input){.kind = ROOM_CLOCK, .seat = -1}));
    assert_true(room_time(stage->room) == due);
    stage_close(stage);
}

static void the_deadlines_number_rises_with_each_change(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint64_t before, after;
    instant_ms due = room_deadline(stage->room, &before);
    stage->now += 10;
    assert_accepted(stage_act(stage, 0, TOY_WAVE, 0));
    assert_true(room_deadline(stage->room, &after) == due && after == before);
    assert_accepted(stage_say(stage, stage_turn_seat(stage), 1));
    assert_true(room_deadline(stage->room, &after) != due && after == before + 1);
    stage_close(stage);
}

static void with_nobody_connected_for_ten_seconds_a_game_pauses(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_detach(stage, 0));
    stage_wait(stage, 2000);
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS - 1);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    stage_wait(stage, 1);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PAUSED);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_PAUSED));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->closes_at == stage->now + ROOM_ABANDON_MS);
    stage_view_free(view);
    assert_true(stage_deadline(stage) == stage->now + ROOM_ABANDON_MS);
    stage_close(stage);
}

static void within_the_grace_nothing_but_presence_changes(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    instant_ms due = stage_deadline(stage);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS - 1);
    assert_int_equal(stage_enter(stage, 0, "가"), 0);
    /* The one whose turn it is gets at least ten seconds from here (the game's rule). */
    instant_ms least = stage->now + GAME_RETURN_MS;
    bool turn = stage_turn_seat(stage) == 0;
    assert_true(stage_deadline(stage) == (turn && due < least ? least : due));
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    stage_close(stage);
}

static void whoever_returns_on_the_own_turn_gets_what_the_game_gives(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    int turn = stage_turn_seat(stage);
    instant_ms due = stage_deadline(stage);
    stage_wait(stage, TOY_TURN_MS - 3000);
    assert_accepted(stage_detach(stage, turn));
    assert_true(stage_deadline(stage) == due);
    stage_wait(stage, 1000);
    assert_int_equal(stage_enter(stage, turn, "이름"), turn);
    assert_true(stage_deadline(stage) == stage->now + GAME_RETURN_MS);
    stage_close(stage);
}

static void a_pause_is_not_the_games_time(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    int waiting = 1 - stage_turn_seat(stage);
    instant_ms due = stage_deadline(stage);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS + 100000);
    /* The one who waits is back first: the deadline has moved by the pause alone. */
    assert_int_equal(stage_enter(stage, waiting, "이름"), waiting);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    assert_true(stage_deadline(stage) == due + 100000);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->game_behind == 100000);
    assert_true(view->closes_at == 0);
    stage_view_free(view);
    /* And a second pause adds to the first. */
    assert_accepted(stage_detach(stage, waiting));
    stage_wait(stage, ROOM_GRACE_MS + 5000);
    assert_int_equal(stage_enter(stage, waiting, "이름"), waiting);
    view = stage_view(stage);
    assert_true(view->game_behind == 105000);
    stage_view_free(view);
    assert_true(stage_deadline(stage) == due + 105000);

    /* The next game begins with a clock that is not behind. */
    assert_int_equal(stage_enter(stage, 1 - waiting, "이름"), 1 - waiting);
    stage_play_out(stage, 0);
    assert_accepted(stage_start(stage, 0));
    view = stage_view(stage);
    assert_true(view->game_behind == 0);
    stage_view_free(view);
    assert_true(stage_deadline(stage) == stage->now + TOY_TURN_MS);
    stage_close(stage);
}

static void after_five_minutes_the_paused_game_is_abandoned_without_a_winner(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint64_t first = room_position(stage->room);
    assert_accepted(stage_leave(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS);
    stage_wait(stage, ROOM_ABANDON_MS - 1);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PAUSED);
    stage_wait(stage, 1);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_ABANDONED));
    assert_true(stage->out.game_finished);
    assert_int_equal(stage->out.game_number, 1);
    assert_true(stage->out.first == first);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_RESULT);
    assert_true(view->abandoned);
    assert_int_equal(view->starter, -1);
    assert_false(view->seats[0]->taken);
    assert_true(view->players[0]->left);
    assert_int_equal(view->seats[1]->games, 0);
    assert_int_equal(view->seats[1]->points, 0);
    stage_view_free(view);
    /* Nobody learns at the end what the game had not shown. */
    struct buf shared = {0};
    room_write_game(stage->room, &shared);
    assert_int_equal(shared.len, 4 + 1 + 8 + 2 * 2);
    buf_fini(&shared);
    stage_close(stage);
}

static void a_game_that_minds_absence_itself_is_not_paused(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_that_minds_absence, 2);
    instant_ms due = stage_deadline(stage);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    assert_true(stage_deadline(stage) == due);
    stage_wait(stage, 10 * TOY_TURN_MS); /* the clock plays it to its end */
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_RESULT);
    stage_close(stage);
}

static void whoever_leaves_a_paused_game_leaves_it_paused(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS);
    instant_ms due = stage_deadline(stage);
    stage_wait(stage, 1000);
    assert_accepted(stage_leave(stage, 0));
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PAUSED);
    assert_true(stage_deadline(stage) == due);
    assert_int_equal(stage_enter(stage, 0, "이름"), 0);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    stage_close(stage);
}

static void a_host_who_stays_away_from_a_lobby_is_replaced(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_detach(stage, 0));
    stage_wait(stage, ROOM_HOST_AWAY_MS - 1);
    assert_int_equal(host_of(stage), 0);
    stage_wait(stage, 1);
    assert_int_equal(host_of(stage), 1);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_HOST));
    stage_close(stage);
}

static void a_host_who_is_away_alone_stays_host_until_somebody_comes(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_detach(stage, 1));
    assert_accepted(stage_detach(stage, 0));
    stage_wait(stage, 2 * ROOM_HOST_AWAY_MS);
    assert_int_equal(host_of(stage), 0);
    assert_int_equal(stage_enter(stage, 1, "나"), 1);
    stage_wait(stage, 0);
    assert_int_equal(host_of(stage), 1);
    stage_close(stage);
}

static void a_host_who_was_away_in_the_game_gets_the_same_time_after_it(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_detach(stage, 0));
    stage_wait(stage, 2 * ROOM_HOST_AWAY_MS);
    assert_int_equal(host_of(stage), 0);
    stage_play_out(stage, 1);
    instant_ms ended = room_time(stage->room);
    assert_int_equal(host_of(stage), 0);
    assert_true(stage_deadline(stage) == ended + ROOM_HOST_AWAY_MS);
    stage_close(stage);
}

static void a_lobby_without_visitors_is_put_away_and_then_deleted(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_true(stage_deadline(stage) == INSTANT_NEVER);
    assert_accepted(stage_detach(stage, 0));
    assert_true(stage_deadline(stage) == stage->now + ROOM_IDLE_MS);
    stage_next_deadline(stage);
    assert_true(stage->out.put_away);
    assert_true(stage_deadline(stage) == stage->now + ROOM_KEEP_MS);
    stage_next_deadline(stage);
    assert_true(stage->out.deleted);
    assert_true(stage_deadline(stage) == INSTANT_NEVER);
    assert_int_equal(stage_enter(stage, 0, "가"), -1);
    assert_int_equal(stage->out.why.code, REASON_ROOM_CLOSED);
    stage_close(stage);
}

static void a_visit_brings_a_room_back_that_was_put_away(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_accepted(stage_detach(stage, 0));
    stage_next_deadline(stage);
    stage_save_and_load(stage);
    assert_true(stage_deadline(stage) == stage->now + ROOM_KEEP_MS);
    stage_wait(stage, ROOM_KEEP_MS - 1);
    assert_int_equal(stage_enter(stage, 0, "가"), 0);
    assert_true(stage_deadline(stage) == INSTANT_NEVER);
    assert_accepted(stage_detach(stage, 0));
    assert_true(stage_deadline(stage) == stage->now + ROOM_IDLE_MS);
    stage_close(stage);
}

static void a_room_that_nobody_ever_entered_goes_too(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    assert_true(stage_deadline(stage) == ROOM_IDLE_MS);
    stage_next_deadline(stage);
    assert_true(stage->out.put_away);
    stage_close(stage);
}

static void resumed_is_told_to_all_and_changes_nothing_else(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    instant_ms due = stage_deadline(stage);
    uint64_t version = room_game_version(stage->room);
    assert_accepted(stage_step(stage, (struct room_input){.kind = ROOM_RESUMED, .seat = -1}));
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_RESUMED));
    assert_int_equal(stage->out.changed, 0);
    assert_true(stage_deadline(stage) == due);
    assert_true(room_game_version(stage->room) == version);
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_clock_early_late_or_unasked_is_nothing),
                     cmocka_unit_test(a_late_clock_is_stamped_with_its_deadline),
                     cmocka_unit_test(the_deadlines_number_rises_with_each_change),
                     cmocka_unit_test(with_nobody_connected_for_ten_seconds_a_game_pauses),
                     cmocka_unit_test(within_the_grace_nothing_but_presence_changes),
                     cmocka_unit_test(whoever_returns_on_the_own_turn_gets_what_the_game_gives),
                     cmocka_unit_test(a_pause_is_not_the_games_time),
                     cmocka_unit_test(
                         after_five_minutes_the_paused_game_is_abandoned_without_a_winner),
                     cmocka_unit_test(a_game_that_minds_absence_itself_is_not_paused),
                     cmocka_unit_test(whoever_leaves_a_paused_game_leaves_it_paused),
                     cmocka_unit_test(a_host_who_stays_away_from_a_lobby_is_replaced),
                     cmocka_unit_test(a_host_who_is_away_alone_stays_host_until_somebody_comes),
                     cmocka_unit_test(a_host_who_was_away_in_the_game_gets_the_same_time_after_it),
                     cmocka_unit_test(a_lobby_without_visitors_is_put_away_and_then_deleted),
                     cmocka_unit_test(a_visit_brings_a_room_back_that_was_put_away),
                     cmocka_unit_test(a_room_that_nobody_ever_entered_goes_too),
                     cmocka_unit_test(resumed_is_told_to_all_and_changes_nothing_else));
}
