/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

/* Everybody says one, until it is this seat's turn. */
static void play_until_turn_of(struct stage *stage, int seat)
{
    while (stage_turn_seat(stage) != seat)
        assert_accepted(stage_say(stage, stage_turn_seat(stage), 1));
}

static bool hurried(const struct stage *stage, int seat)
{
    Madang__V1__RoomView *view = stage_view(stage);
    bool value = view->seats[seat]->hurried;
    stage_view_free(view);
    return value;
}

static void a_game_counts_its_own_seats(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 4; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_take_seat(stage, 1, 5));
    assert_accepted(stage_leave(stage, 0));
    assert_accepted(stage_start(stage, 5)); /* the longest seated became host */
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->n_playing, 3);
    assert_int_equal(view->playing[0], 2);
    assert_int_equal(view->playing[1], 3);
    assert_int_equal(view->playing[2], 5);
    stage_view_free(view);

    /* Inputs, private events and views find the person. */
    play_until_turn_of(stage, 5);
    struct buf mine = {0};
    room_write_mine(stage->room, 5, &mine);
    assert_int_equal(mine.len, 2);
    uint64_t seq = room_seq(stage->room);
    assert_accepted(stage_say(stage, 5, 7));
    struct update_event list[ROOM_EVENTS_MAX];
    assert_int_equal(room_events_since(stage->room, seq, list), 1);
    assert_int_equal(list[0].seat, 5);
    assert_int_equal(list[0].shared.at[1], 2);
    assert_int_equal(list[0].mine.len, 1);
    assert_int_equal(list[0].mine.at[0], mine.at[0]);
    buf_clear(&mine);
    room_write_mine(stage->room, 0, &mine);
    room_write_mine(stage->room, -1, &mine);
    assert_int_equal(mine.len, 0);
    buf_fini(&mine);
    stage_close(stage);
}

static void the_end_counts_on_the_board(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    uint64_t first = room_position(stage->room);
    stage_play_out(stage, 1);
    assert_true(stage->out.game_finished);
    assert_int_equal(stage->out.game_number, 1);
    assert_true(stage->out.first == first);
    assert_true(stage_told(stage, MADANG__V1__ROOM_HAPPENED__KIND__KIND_FINISHED));
    assert_accepted(stage_start(stage, 0));
    stage_play_out(stage, 1);
    assert_int_equal(stage->out.game_number, 2);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[1]->wins, 2);
    assert_int_equal(view->seats[1]->points, 6);
    assert_int_equal(view->seats[1]->games, 2);
    assert_int_equal(view->seats[0]->wins, 0);
    assert_int_equal(view->seats[0]->points, 2);
    assert_int_equal(view->seats[0]->games, 2);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_RESULT);
    assert_false(view->abandoned);
    stage_view_free(view);
    stage_close(stage);
}

static void practice_needs_one_person_and_counts_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_refused(stage, stage_start(stage, 0), REASON_TOO_FEW);
    assert_accepted(stage_options(stage, 0, "alone", 1));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->can_start);
    assert_int_equal(view->seats_needed, 0);
    stage_view_free(view);
    stage_enter(stage, 1, "나");
    assert_refused(stage, stage_start(stage, 0), REASON_OPTIONS_CLASH);
    assert_accepted(stage_leave(stage, 1));
    assert_accepted(stage_start(stage, 0));
    stage_play_out(stage, 0);
    assert_true(stage->out.game_finished);
    view = stage_view(stage);
    assert_int_equal(view->n_playing, 1);
    assert_int_equal(view->seats[0]->games, 0);
    assert_int_equal(view->seats[0]->wins, 0);
    assert_int_equal(view->seats[0]->points, 0);
    stage_view_free(view);
    stage_close(stage);
}

static void the_winner_may_start_the_rematch_and_begins_it(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    stage_play_out(stage, 2);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->starter, 2);
    stage_view_free(view);
    assert_refused(stage, stage_start(stage, 1), REASON_NOT_HOST);
    assert_accepted(stage_take_seat(stage, 2, 5)); /* also from another seat */
    assert_accepted(stage_start(stage, 5));
    assert_int_equal(stage_turn_seat(stage), 5);
    stage_close(stage);
}

static void a_winner_who_left_starts_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    stage_play_out(stage, 2);
    assert_accepted(stage_leave(stage, 2));
    assert_int_equal(stage_enter(stage, 9, "딴사람"), 2);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->starter, -1);
    /* The result still says who played. */
    assert_int_equal(view->n_players, 3);
    assert_string_equal(view->players[2]->name, "사람2");
    stage_view_free(view);
    assert_refused(stage, stage_start(stage, 2), REASON_NOT_HOST);
    struct buf mine = {0};
    room_write_mine(stage->room, 2, &mine);
    assert_int_equal(mine.len, 0); /* nothing of whose seat it was */
    buf_fini(&mine);
    stage_close(stage);
}

/* All that a room says to anybody, and what it would save of its events. */
static void write_all(const struct room *room, struct buf *out)
{
    struct update_event list[ROOM_EVENTS_MAX];
    room_write_view(room, out);
    room_write_game(room, out);
    for (int s = 0; s < room_seat_count(room); s++) room_write_mine(room, s, out);
    uint64_t since = room_seq(room);
    while (since > 0 && room_events_since(room, since - 1, list) >= 0) since--;
    int count = room_events_since(room, since, list);
    for (int i = 0; i < count; i++) {
        buf_put_slice(out, list[i].shared);
        buf_put_slice(out, list[i].mine);
        buf_put_slice(out, list[i].room);
    }
}

/* P4. Two rooms play different first games, of the same length, and then the same second one: what
 * they say then is equal byte for byte, so nothing of the first can be in it. */
static void a_rematch_starts_from_nothing(void **unused)
{
    (void)unused;
    struct buf said[2] = {0};
    for (int i = 0; i < 2; i++) {
        struct stage *stage = stage_open(&toy_game);
        for (int s = 0; s < 3; s++) stage_enter(stage, s, "이름");
        stage->seeds = (uint64_t)(1 + i) << 16;
        assert_accepted(stage_start(stage, 0));
        for (int turn = 0; turn < 9; turn++)
            assert_accepted(stage_say(stage, stage_turn_seat(stage), 1));
        stage->seeds = 7;
        stage->now = 100000;
        uint64_t before = room_seq(stage->room);
        assert_accepted(stage_start(stage, 0));

        struct update_event list[ROOM_EVENTS_MAX];
        assert_int_equal(room_events_since(stage->room, before - 1, list), -1);
        assert_int_equal(room_events_since(stage->room, before, list), 1);
        write_all(stage->room, &said[i]);
        stage_close(stage);
    }
    assert_int_equal(said[0].len, said[1].len);
    assert_memory_equal(said[0].at, said[1].at, said[0].len);
    for (int i = 0; i < 2; i++) buf_fini(&said[i]);
}

static void three_missed_turns_in_a_row_hurry_a_seat(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_options(stage, 0, "rounds", 9));
    assert_accepted(stage_start(stage, 0));
    for (int missed = 0; missed < ROOM_MISSED_TURNS; missed++) {
        play_until_turn_of(stage, 1);
        assert_false(hurried(stage, 1));
        assert_true(stage_deadline(stage) == room_time(stage->room) + TOY_TURN_MS);
        stage_next_deadline(stage);
    }
    assert_true(hurried(stage, 1));
    assert_int_equal(stage->out.changed & SECTION_ROOM, SECTION_ROOM);
    assert_accepted(stage_say(stage, 0, 1));
    assert_true(stage_deadline(stage) == room_time(stage->room) + GAME_HURRY_MS);

    /* Anything of one's own makes up for it, for the deadline it sets already. */
    assert_accepted(stage_act(stage, 1, TOY_LOOK, 0));
    assert_false(hurried(stage, 1));
    assert_true(stage_deadline(stage) == room_time(stage->room) + TOY_TURN_MS);
    stage_close(stage);
}

static void what_one_does_in_anothers_turn_does_not_count_for_it(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_options(stage, 0, "rounds", 9));
    assert_accepted(stage_start(stage, 0));
    for (int missed = 0; missed < ROOM_MISSED_TURNS; missed++) {
        play_until_turn_of(stage, 1);
        assert_accepted(stage_act(stage, 0, TOY_WAVE, 0));
        stage_next_deadline(stage);
    }
    assert_true(hurried(stage, 1));
    stage_close(stage);
}

static void an_abandoned_turn_is_nothing_to_the_next_game(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_options(stage, 0, "rounds", 9));
    assert_accepted(stage_start(stage, 0));
    assert_accepted(stage_act(stage, stage_turn_seat(stage), TOY_LOOK, 0));
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, ROOM_GRACE_MS);
    stage_wait(stage, ROOM_ABANDON_MS);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_start(stage, 0));
    int first = stage_turn_seat(stage);
    for (int missed = 0; missed < ROOM_MISSED_TURNS; missed++) {
        play_until_turn_of(stage, first);
        stage_next_deadline(stage);
    }
    assert_true(hurried(stage, first));
    stage_close(stage);
}

static void a_turn_in_which_something_was_done_is_not_missed(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_options(stage, 0, "rounds", 9));
    assert_accepted(stage_start(stage, 0));
    for (int turn = 0; turn < 4; turn++) {
        play_until_turn_of(stage, 1);
        assert_accepted(stage_act(stage, 1, TOY_LOOK, 0));
        stage_next_deadline(stage);
    }
    assert_false(hurried(stage, 1));
    stage_close(stage);
}

static void a_refused_action_makes_up_for_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    assert_accepted(stage_options(stage, 0, "rounds", 9));
    assert_accepted(stage_start(stage, 0));
    for (int missed = 0; missed < ROOM_MISSED_TURNS; missed++) {
        play_until_turn_of(stage, 1);
        assert_int_equal(stage_say(stage, 1, 99), ROOM_REFUSED);
        stage_next_deadline(stage);
    }
    assert_true(hurried(stage, 1));
    assert_int_equal(stage_say(stage, 1, 1), ROOM_REFUSED);
    assert_true(hurried(stage, 1));
    /* Nor does a hidden one: others would see it. */
    assert_accepted(stage_act(stage, 1, TOY_WHISPER, 0));
    assert_true(hurried(stage, 1));
    stage_close(stage);
}

static void a_new_game_forgets_missed_turns(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    for (int turn = 0; turn < 6; turn++) {
        if (stage_turn_seat(stage) == 0)
            assert_accepted(stage_say(stage, 0, 9));
        else
            stage_next_deadline(stage);
    }
    assert_false(room_playing(stage->room));
    assert_false(hurried(stage, 1));
    assert_accepted(stage_start(stage, 0));
    assert_false(hurried(stage, 1));
    stage_close(stage);
}

static void a_game_of_absent_players_ends_by_the_clock(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 4);
    assert_accepted(stage_leave(stage, 2));
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 3));
    for (int turn = 0; turn < 12; turn++) {
        assert_true(stage_deadline(stage) != INSTANT_NEVER);
        stage_next_deadline(stage);
    }
    assert_false(room_playing(stage->room));
    stage_close(stage);
}

static void a_leave_may_end_the_game(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 3; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_options(stage, 0, "fragile", 1));
    assert_accepted(stage_start(stage, 0));
    assert_accepted(stage_leave(stage, 0));
    assert_true(stage->out.game_finished);
    assert_int_equal(stage->out.dropped, 1);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_RESULT);
    assert_false(view->seats[0]->taken);
    assert_int_equal(view->host, 1);
    stage_view_free(view);
    stage_close(stage);
}

static void whoever_is_away_at_the_start_plays_by_the_clock(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    for (int i = 0; i < 3; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_detach(stage, 1));
    assert_accepted(stage_start(stage, 0));
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->n_playing, 3);
    stage_view_free(view);
    stage_play_out(stage, 0);
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_game_counts_its_own_seats),
                     cmocka_unit_test(the_end_counts_on_the_board),
                     cmocka_unit_test(practice_needs_one_person_and_counts_nothing),
                     cmocka_unit_test(the_winner_may_start_the_rematch_and_begins_it),
                     cmocka_unit_test(a_winner_who_left_starts_nothing),
                     cmocka_unit_test(a_rematch_starts_from_nothing),
                     cmocka_unit_test(three_missed_turns_in_a_row_hurry_a_seat),
                     cmocka_unit_test(what_one_does_in_anothers_turn_does_not_count_for_it),
                     cmocka_unit_test(an_abandoned_turn_is_nothing_to_the_next_game),
                     cmocka_unit_test(a_turn_in_which_something_was_done_is_not_missed),
                     cmocka_unit_test(a_refused_action_makes_up_for_nothing),
                     cmocka_unit_test(a_new_game_forgets_missed_turns),
                     cmocka_unit_test(a_game_of_absent_players_ends_by_the_clock),
                     cmocka_unit_test(a_leave_may_end_the_game),
                     cmocka_unit_test(whoever_is_away_at_the_start_plays_by_the_clock));
}
