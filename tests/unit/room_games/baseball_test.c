/* SPDX-License-Identifier: Apache-2.0
 *
 * What a room and number baseball promise together: one action id burns one hint, a guess is for no
 * version, absence is the game's own affair, our outages are nobody's time, options freeze, the
 * board.
 */
#include "games/baseball/baseball.h"
#include "room/state.h"
#include "unit/room/stage.h"

static struct stage *with_game(int people)
{
    struct stage *stage = stage_open(&baseball_game);
    for (int i = 0; i < people; i++) assert_int_equal(stage_enter(stage, i, "이름"), i);
    assert_accepted(stage_start(stage, 0));
    stage_wait(stage, BASEBALL_COUNTDOWN_MS);
    return stage;
}

static enum room_verdict act_as(struct stage *stage, int seat, struct baseball_action action,
                                uint64_t counter, uint64_t made_for)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct room_input input = {.kind = ROOM_ACT,
                               .seat = seat,
                               .generation = room_generation(stage->room, seat),
                               .counter = counter,
                               .made_for = made_for};
    input.bytes = slice_of(bytes, baseball_write_action(&action, bytes));
    return stage_step(stage, input);
}

static enum room_verdict act(struct stage *stage, int seat, struct baseball_action action)
{
    return act_as(stage, seat, action, room_counter(stage->room, seat) + 1,
                  room_game_version(stage->room));
}

static struct baseball_action guess_of(const char *text)
{
    struct baseball_action action = {.kind = BASEBALL_ACT_GUESS, .text_len = strlen(text)};
    memcpy(action.text, text, action.text_len);
    return action;
}

static enum room_verdict guess(struct stage *stage, int seat, const char *text)
{
    return act(stage, seat, guess_of(text));
}

static struct baseball_action hint_of(uint32_t number)
{
    return (struct baseball_action){.kind = BASEBALL_ACT_HINT, .number = number};
}

static struct baseball_state look(const struct stage *stage)
{
    return *(const struct baseball_state *)stage->room->game_state;
}

static void solve(struct stage *stage, int seat)
{
    struct baseball_state state = look(stage);
    char secret[BASEBALL_DIGITS_MAX + 1];
    baseball_write_code(&state.rules, state.secret, secret);
    assert_accepted(guess(stage, seat, secret));
}

static void n3_one_action_id_burns_one_hint_however_often_it_comes(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(2);
    uint64_t version = room_game_version(stage->room);
    uint64_t counter = room_counter(stage->room, 0) + 1;
    assert_accepted(act_as(stage, 0, hint_of(1), counter, version));
    for (int i = 0; i < 3; i++)
        assert_int_equal(act_as(stage, 0, hint_of(1), counter, version), ROOM_REPEATED);
    assert_int_equal(act_as(stage, 0, hint_of(1), counter + 1, version), ROOM_REFUSED);
    assert_string_equal(stage->out.why.domain, "number-baseball");
    assert_int_equal(stage->out.why.code, BASEBALL_HINT_NUMBER);
    assert_int_equal(look(stage).player[0].hints, 1);
    stage_close(stage);
}

static void guesses_and_hints_are_free_of_the_version_they_were_made_for(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(3);
    uint64_t version = room_game_version(stage->room);
    uint64_t counter = room_counter(stage->room, 0) + 1;
    assert_accepted(guess(stage, 1, "0123"));
    assert_accepted(guess(stage, 2, "0124"));
    assert_true(room_game_version(stage->room) > version);
    assert_accepted(act_as(stage, 0, guess_of("0125"), counter, version));
    assert_accepted(act_as(stage, 0, hint_of(1), counter + 1, version - 1));
    struct baseball_action give_up = {.kind = BASEBALL_ACT_GIVE_UP, .number = 1};
    assert_accepted(act_as(stage, 0, give_up, counter + 2, 0));
    stage_close(stage);
}

static void n5_nobody_there_pauses_nothing_and_ends_the_game_after_a_minute(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(2);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, BASEBALL_ABSENCE_MS - 1);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    stage_view_free(view);
    stage_wait(stage, 1);
    view = stage_view(stage);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_RESULT);
    assert_false(view->abandoned);
    stage_view_free(view);
    assert_int_equal(look(stage).cause, BASEBALL_ABSENCE);
    stage_close(stage);
}

static void n5_who_comes_back_in_time_plays_on_with_everything_there(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(1);
    struct buf before = {0}, after = {0};
    assert_accepted(guess(stage, 0, "0123"));
    assert_accepted(act(stage, 0, hint_of(1)));
    room_write_mine(stage->room, 0, &before);
    assert_accepted(stage_detach(stage, 0));
    stage_wait(stage, BASEBALL_ABSENCE_MS - 1);
    stage_save_and_load(stage);
    assert_accepted(stage_attach(stage, 0, room_generation(stage->room, 0), false, false));
    room_write_mine(stage->room, 0, &after);
    assert_true(slice_equal(buf_slice(&before), buf_slice(&after)));
    assert_accepted(guess(stage, 0, "0124"));
    assert_int_equal(look(stage).player[0].guesses, 2);
    buf_fini(&before);
    buf_fini(&after);
    stage_close(stage);
}

/* A new owner goes on at the room time at which the former one stopped (rule 21). */
static void n4_an_outage_of_ours_is_nobodys_time(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(2);
    stage_wait(stage, 10000);
    instant_ms deadline = stage_deadline(stage);
    assert_accepted(stage_step(stage, (struct room_input){.kind = ROOM_RESUMED}));
    assert_true(stage_deadline(stage) == deadline);
    solve(stage, 0);
    struct baseball_state state = look(stage);
    assert_int_equal(baseball_tenths(&state, 0), 100);
    stage_close(stage);
}

static void n7_options_freeze_at_the_start(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&baseball_game);
    for (int i = 0; i < 2; i++) stage_enter(stage, i, "이름");
    assert_accepted(stage_options(stage, 0, "digits", 3));
    assert_accepted(stage_start(stage, 0));
    assert_refused(stage, stage_options(stage, 0, "digits", 5), REASON_NOT_NOW);
    assert_refused(stage, stage_options(stage, 0, "hints", 0), REASON_NOT_NOW);
    struct baseball_state state = look(stage);
    assert_int_equal(state.rules.digits, 3);
    assert_int_equal(state.rules.guess_limit, 9);
    stage_close(stage);
}

static void n2_a_game_that_nothing_limits_does_not_start(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&baseball_game);
    stage_enter(stage, 0, "이름");
    assert_accepted(stage_options(stage, 0, "guessLimit", 0));
    assert_accepted(stage_options(stage, 0, "timeLimit", 0));
    assert_refused(stage, stage_start(stage, 0), REASON_OPTIONS_CLASH);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_string_equal(view->verdict, "note.number-baseball.endless");
    stage_view_free(view);
    assert_accepted(stage_options(stage, 0, "timeLimit", 10));
    assert_accepted(stage_start(stage, 0));
    stage_close(stage);
}

static void n7_the_board_counts_points_and_shared_wins(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(4);
    solve(stage, 2);
    solve(stage, 0);
    stage->now += 100;
    solve(stage, 1);
    struct baseball_action give_up = {.kind = BASEBALL_ACT_GIVE_UP};
    assert_accepted(act(stage, 3, give_up));
    assert_true(stage->out.game_finished);
    Madang__V1__RoomView *view = stage_view(stage);
    static const int points[] = {3, 1, 3, 0};
    for (int seat = 0; seat < 4; seat++) {
        assert_int_equal(view->seats[seat]->games, 1);
        assert_int_equal(view->seats[seat]->points, points[seat]);
        assert_int_equal(view->seats[seat]->wins, points[seat] == 3);
    }
    stage_view_free(view);
    stage_close(stage);
}

static void n7_practice_counts_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(1);
    solve(stage, 0);
    assert_true(stage->out.game_finished);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[0]->games, 0);
    assert_int_equal(view->seats[0]->wins, 0);
    assert_int_equal(view->seats[0]->points, 0);
    stage_view_free(view);
    stage_close(stage);
}

static void p4_a_rematch_starts_from_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = with_game(2);
    assert_accepted(guess(stage, 0, "0123"));
    assert_accepted(act(stage, 1, hint_of(1)));
    uint32_t secret = look(stage).secret;
    solve(stage, 0);
    solve(stage, 1);
    assert_accepted(stage_start(stage, 0));
    struct baseball_state state = look(stage);
    assert_int_equal(state.phase, BASEBALL_COUNTDOWN);
    assert_int_not_equal(state.secret, secret);
    for (int seat = 0; seat < 2; seat++) {
        assert_int_equal(state.player[seat].guesses, 0);
        assert_int_equal(state.player[seat].hints, 0);
    }
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(n3_one_action_id_burns_one_hint_however_often_it_comes),
                     cmocka_unit_test(guesses_and_hints_are_free_of_the_version_they_were_made_for),
                     cmocka_unit_test(
                         n5_nobody_there_pauses_nothing_and_ends_the_game_after_a_minute),
                     cmocka_unit_test(n5_who_comes_back_in_time_plays_on_with_everything_there),
                     cmocka_unit_test(n4_an_outage_of_ours_is_nobodys_time),
                     cmocka_unit_test(n7_options_freeze_at_the_start),
                     cmocka_unit_test(n2_a_game_that_nothing_limits_does_not_start),
                     cmocka_unit_test(n7_the_board_counts_points_and_shared_wins),
                     cmocka_unit_test(n7_practice_counts_nothing),
                     cmocka_unit_test(p4_a_rematch_starts_from_nothing));
}
