/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings N4 to N7: time, ends, input, ranks and points. What the room does of them is in
 * tests/unit/room_games.
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

static const struct field_spec three = {.seats = 3, .secret = "3702", .hints = "20", .guesses = 5};

/* ---- N4 -------------------------------------------------------------------------------------- */

static void n4_nothing_can_be_done_before_the_common_start(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_open(&field, &three);
    expect_until(&field, 3000);
    expect_everybody(&field, "  countdown, from 4000 to 304000\n");
    assert_int_equal(field_status(&field).to_act, 0);
    assert_int_equal(field_guess(&field, 0, "3702"), BASEBALL_NOT_YET);
    assert_int_equal(field_hint(&field, 0), BASEBALL_NOT_YET);
    assert_int_equal(field_give_up(&field, 0), BASEBALL_NOT_YET);
    field_clock(&field);
    expect_told(&field, "  started\n");
    assert_int_equal(field.now, FIELD_START);
    assert_int_equal(field_status(&field).to_act, 7);
    field_close(&field);
}

static void n4_time_is_counted_in_tenths_from_the_start_to_the_last_guess(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t ms;
        uint32_t tenths;
    } times[] = {{0, 0}, {99, 0}, {100, 1}, {12399, 123}, {12400, 124}, {299999, 2999}};
    struct field field = {0};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        field_play(&field, &three);
        assert_int_equal(field_guess(&field, 0, "0123"), 0);
        field.now = FIELD_START + times[i].ms;
        assert_int_equal(field_guess(&field, 0, "3702"), 0);
        assert_int_equal(baseball_tenths(&field.state, 0), times[i].tenths);
    }
    field_close(&field);
}

static void n4_time_away_counts(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field.now += 1000;
    field_goes(&field, 0);
    field.now += 40000;
    field_returns(&field, 0);
    field.now += 1000;
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    expect_everybody(&field, "  0: solved, 1 guess, 0 hints, 42.0 s\n");
    field_close(&field);
}

static void n4_equal_in_every_key_is_a_shared_rank(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 4, .secret = "3702"});
    field.now += 10000;
    assert_int_equal(field_guess(&field, 2, "3702"), 0);
    field.now += 99; /* the same tenth, and earlier is not better */
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    field.now += 1;
    assert_int_equal(field_guess(&field, 3, "3702"), 0);
    assert_int_equal(field_give_up(&field, 1), 0);
    expect_everybody(&field, "  rank 1: seat 0, 3 points\n"
                             "  rank 1: seat 2, 3 points\n"
                             "  rank 3: seat 3, 1 points\n"
                             "  rank 0: seat 1\n");
    struct game_result result = field_result(&field);
    assert_true(result.seat[0].winner && result.seat[2].winner);
    assert_false(result.seat[3].winner || result.seat[1].winner);
    field_close(&field);
}

static void n4_the_start_is_the_same_for_who_sits_there_late(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct field_spec spec = three;
    spec.absent = 1 << 1;
    field_play(&field, &spec);
    field.now += 20000;
    field_returns(&field, 1);
    assert_int_equal(field_guess(&field, 1, "3702"), 0);
    expect_everybody(&field, "  1: solved, 1 guess, 0 hints, 20.0 s\n");
    field_close(&field);
}

/* ---- N5 -------------------------------------------------------------------------------------- */

static void n5_the_game_ends_when_all_have_ended(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    assert_int_equal(field_give_up(&field, 1), 0);
    assert_false(field_status(&field).finished);
    field.now += 5000;
    assert_int_equal(field_guess(&field, 2, "3702"), 0);
    expect_told(&field, "  2 has made 1 guess\n"
                        "  to 2 alone: 3702 4S0B\n"
                        "  2: solved, 5.0 s\n"
                        "  finished: all ended\n");
    assert_true(field_status(&field).finished);
    assert_true(field_status(&field).deadline == INSTANT_NEVER);
    field_close(&field);
}

static void n5_only_who_solved_it_has_a_rank(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_give_up(&field, 0), 0);
    assert_int_equal(field_guess(&field, 1, "0123"), 0);
    field_clock(&field);
    struct game_result result = field_result(&field);
    for (int seat = 0; seat < 3; seat++) {
        assert_int_equal(result.seat[seat].rank, 0);
        assert_int_equal(result.seat[seat].points, 0);
        assert_false(result.seat[seat].winner);
    }
    field_close(&field);
}

static void n5_sixty_seconds_without_anybody_still_playing_end_the_game(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field_goes(&field, 0);
    field_goes(&field, 1);
    expect_until(&field, 300000);
    field.now += 10000;
    field_goes(&field, 2);
    expect_until(&field, 60000);
    expect_everybody(&field, ", nobody there until 74000\n");
    field_clock(&field);
    expect_told(&field, "  0: time over, 70.0 s\n"
                        "  1: time over, 70.0 s\n"
                        "  2: time over, 70.0 s\n"
                        "  finished: absence\n");
    field_close(&field);
}

static void n5_who_has_ended_and_stays_to_watch_does_not_keep_the_game_alive(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field_goes(&field, 1);
    field_goes(&field, 2);
    field.now += 1000;
    expect_until(&field, 299000);
    assert_int_equal(field_guess(&field, 0, "3702"), 0); /* its own end begins the absence */
    expect_until(&field, 60000);
    field.now += 59999;
    field_returns(&field, 2);
    expect_until(&field, 300000 - 60999);
    field_goes(&field, 2);
    expect_until(&field, 60000); /* anew */
    field_clock(&field);
    assert_int_equal(field.state.cause, BASEBALL_ABSENCE);
    assert_int_equal(field_result(&field).seat[0].rank, 1);
    field_close(&field);
}

static void n5_an_absence_that_outlasts_the_time_limit_changes_nothing(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field.now += 245000;
    for (int seat = 0; seat < 3; seat++) field_goes(&field, seat);
    expect_until(&field, 55000);
    field_clock(&field);
    assert_int_equal(field.state.cause, BASEBALL_TIME_LIMIT);
    field_play(&field, &three);
    field.now += 240000;
    for (int seat = 0; seat < 3; seat++) field_goes(&field, seat);
    expect_until(&field, 60000); /* both at once: the limit is what it says */
    field_clock(&field);
    assert_int_equal(field.state.cause, BASEBALL_TIME_LIMIT);
    field_close(&field);
}

/* However late the clock comes: what ends the game is what was due first, and when it was due. */
static void n5_a_late_clock_ends_the_game_as_it_would_have_in_time(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field.now += 230000;
    for (int seat = 0; seat < 3; seat++) field_goes(&field, seat);
    field_clock_late(&field, 3600 * 1000);
    assert_int_equal(field.state.cause, BASEBALL_ABSENCE);
    expect_everybody(&field, "  0: time over, 0 guesses, 0 hints, 290.0 s\n");
    field_close(&field);
}

static void n5_nobody_there_from_the_beginning_ends_the_game_too(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct field_spec spec = three;
    spec.absent = 7;
    field_open(&field, &spec);
    expect_until(&field, 3000);
    field_clock(&field);
    expect_until(&field, 57000);
    field_clock(&field);
    assert_int_equal(field.state.cause, BASEBALL_ABSENCE);
    field_close(&field);
}

static void n5_a_seat_that_was_given_up_is_absent_and_marked_in_the_result(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    field.left = 1 << 1;
    field_goes(&field, 1);
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    assert_int_equal(field_guess(&field, 2, "0123"), 0);
    assert_int_equal(field_guess(&field, 2, "3702"), 0);
    expect_until(&field, 60000);
    field_clock(&field);
    expect_everybody(&field, "  rank 1: seat 0, 3 points\n"
                             "  rank 2: seat 2, 2 points\n"
                             "  rank 0: seat 1, had left\n");
    field_close(&field);
}

static void n5_giving_up_names_the_guesses_made(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct baseball_action older = {.kind = BASEBALL_ACT_GIVE_UP, .number = 0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "0123"), 0);
    assert_int_equal(field_act(&field, 0, &older), BASEBALL_GUESSES_MADE);
    assert_int_equal(field.refusal.params[0], 1);
    older.number = 1;
    assert_int_equal(field_act(&field, 0, &older), 0);
    expect_told(&field, "  0: gave up, 0.0 s\n");
    assert_int_equal(field_act(&field, 0, &older), BASEBALL_ENDED);
    field_close(&field);
}

static void n5_nothing_is_accepted_after_an_end(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    assert_int_equal(field_guess(&field, 0, "0123"), BASEBALL_ENDED);
    assert_int_equal(field_hint(&field, 0), BASEBALL_ENDED);
    assert_int_equal(field_give_up(&field, 0), BASEBALL_ENDED);
    field_clock(&field);
    for (int seat = 0; seat < 3; seat++) {
        assert_int_equal(field_guess(&field, seat, "0123"), BASEBALL_OVER);
        assert_int_equal(field_hint(&field, seat), BASEBALL_OVER);
        assert_int_equal(field_give_up(&field, seat), BASEBALL_OVER);
    }
    field_close(&field);
}

/* ---- N6 -------------------------------------------------------------------------------------- */

static void n6_the_reasons_come_in_the_order_length_character_duplicate_repeat(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "0123"), 0);
    assert_int_equal(field_guess(&field, 0, "11a"), BASEBALL_LENGTH);
    assert_int_equal(field_guess(&field, 0, "11a1"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "1123"), BASEBALL_DUPLICATE);
    assert_int_equal(field_guess(&field, 0, "0123"), BASEBALL_REPEAT);
    expect_alone(&field, 0, "0123 0S3B; 4 guesses and 2 hints left");
    field_close(&field);
}

static void n6_every_action_is_free_and_unreadable_ones_are_bound(void **unused)
{
    (void)unused;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    for (int kind = BASEBALL_ACT_GUESS; kind <= BASEBALL_ACT_GIVE_UP; kind++) {
        struct baseball_action action = {.kind = (enum baseball_action_kind)kind, .number = 1};
        assert_false(baseball_game.bound(slice_of(bytes, baseball_write_action(&action, bytes))));
    }
    memset(bytes, 0xff, sizeof bytes);
    assert_true(baseball_game.bound(slice_of(bytes, 7)));
    assert_true(baseball_game.bound((struct slice){0}));
}

/* ---- N7 -------------------------------------------------------------------------------------- */

static void n7_one_to_twelve_play(void **unused)
{
    (void)unused;
    assert_int_equal(baseball_game.seats_min, 1);
    assert_int_equal(baseball_game.seats_max, 12);
}

static void n7_alone_is_practice_without_rank_or_points(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    expect_everybody(&field, "  0: solved, 1 guess, 0 hints, 0.0 s\n  rank 0: seat 0\n");
    struct game_result result = field_result(&field);
    assert_int_equal(result.seat[0].rank, 0);
    assert_int_equal(result.seat[0].points, 0);
    assert_false(result.seat[0].winner);
    field_close(&field);
}

static void n7_points_are_three_two_one_and_none_for_the_others(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 6, .secret = "3702"});
    for (int seat = 0; seat < 5; seat++) {
        field.now += 1000;
        assert_int_equal(field_guess(&field, seat, "3702"), 0);
    }
    assert_int_equal(field_give_up(&field, 5), 0);
    struct game_result result = field_result(&field);
    static const int points[] = {3, 2, 1, 0, 0, 0}, ranks[] = {1, 2, 3, 4, 5, 0};
    for (int seat = 0; seat < 6; seat++) {
        assert_int_equal(result.seat[seat].points, points[seat]);
        assert_int_equal(result.seat[seat].rank, ranks[seat]);
        assert_int_equal(result.seat[seat].winner, seat == 0);
    }
    assert_int_equal(result.next_starter, -1);
    field_close(&field);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(n4_nothing_can_be_done_before_the_common_start),
        cmocka_unit_test(n4_time_is_counted_in_tenths_from_the_start_to_the_last_guess),
        cmocka_unit_test(n4_time_away_counts),
        cmocka_unit_test(n4_equal_in_every_key_is_a_shared_rank),
        cmocka_unit_test(n4_the_start_is_the_same_for_who_sits_there_late),
        cmocka_unit_test(n5_the_game_ends_when_all_have_ended),
        cmocka_unit_test(n5_only_who_solved_it_has_a_rank),
        cmocka_unit_test(n5_sixty_seconds_without_anybody_still_playing_end_the_game),
        cmocka_unit_test(n5_who_has_ended_and_stays_to_watch_does_not_keep_the_game_alive),
        cmocka_unit_test(n5_an_absence_that_outlasts_the_time_limit_changes_nothing),
        cmocka_unit_test(n5_a_late_clock_ends_the_game_as_it_would_have_in_time),
        cmocka_unit_test(n5_nobody_there_from_the_beginning_ends_the_game_too),
        cmocka_unit_test(n5_a_seat_that_was_given_up_is_absent_and_marked_in_the_result),
        cmocka_unit_test(n5_giving_up_names_the_guesses_made),
        cmocka_unit_test(n5_nothing_is_accepted_after_an_end),
        cmocka_unit_test(n6_the_reasons_come_in_the_order_length_character_duplicate_repeat),
        cmocka_unit_test(n6_every_action_is_free_and_unreadable_ones_are_bound),
        cmocka_unit_test(n7_one_to_twelve_play),
        cmocka_unit_test(n7_alone_is_practice_without_rank_or_points),
        cmocka_unit_test(n7_points_are_three_two_one_and_none_for_the_others));
}
