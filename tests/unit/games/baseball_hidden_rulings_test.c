/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings N1 to N3: what others see, options and limits, hints.
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

#include <stdio.h>

static const struct field_spec three = {.seats = 3, .secret = "3702", .hints = "20", .guesses = 5};

/* ---- N1 -------------------------------------------------------------------------------------- */

static void n1_others_see_how_many_guesses_and_hints_and_who_is_done(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "3720"), 0);
    assert_int_equal(field_hint(&field, 0), 0);
    field.now += 4200;
    assert_int_equal(field_guess(&field, 1, "3702"), 0);
    expect_everybody(&field, "  playing, from 4000 to 304000\n"
                             "  0: playing, 1 guess, 1 hint\n"
                             "  1: solved, 1 guess, 0 hints, 4.2 s\n"
                             "  2: playing, 0 guesses, 0 hints\n");
    expect_alone(&field, 0, "3720 2S2B; hints 2=0; 4 guesses and 1 hint left");
    expect_alone(&field, 1, "3702 4S0B; 4 guesses and 2 hints left");
    expect_alone(&field, 2, "no guess; 5 guesses and 2 hints left");
    field_close(&field);
}

/* Whatever another guesses that solves nothing, in whatever order of hints: same bytes. */
static void n1_neither_digits_nor_strikes_and_balls_reach_others(void **unused)
{
    (void)unused;
    struct field field = {0}, other = {0};
    const char *const guesses[] = {"3720", "0123", "1456", "2037", "3701", "9876"};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "1456"), 0);
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        field_play(&other, &three);
        assert_int_equal(field_guess(&other, 0, guesses[i]), 0);
        assert_int_equal(field.events.count, other.events.count);
        assert_true(slice_equal(field.events.list[0].shared, other.events.list[0].shared));
        expect_alike(&field.state, &other.state, GAME_SPECTATOR);
        expect_alike(&field.state, &other.state, 1);
        expect_alike(&field.state, &other.state, 2);
    }
    field_close(&field);
    field_close(&other);
}

static void n1_own_parts_of_events_are_for_the_own_seat_alone(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 2, "3720"), 0);
    assert_int_equal(field.events.count, 1);
    assert_int_equal(field.events.list[0].seat, 2);
    assert_int_equal(field_hint(&field, 1), 0);
    assert_int_equal(field.events.list[0].seat, 1);
    assert_int_equal(field_give_up(&field, 0), 0);
    assert_int_equal(field.events.list[0].seat, -1);
    field_close(&field);
}

/* Whoever is done could tell the others aloud: nobody learns the secret from the screen before the
 * end but by naming it. */
static void n1_who_is_exhausted_or_gave_up_is_not_told_the_secret_before_the_end(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    const char *const guesses[] = {"0123", "0124", "0125", "0126", "0127"};
    for (int i = 0; i < 5; i++) assert_int_equal(field_guess(&field, 0, guesses[i]), 0);
    assert_int_equal(field_give_up(&field, 1), 0);
    expect_nobody(&field, "secret");
    expect_alone(&field, 0,
                 "0123 0S3B, 0124 0S2B, 0125 0S2B, 0126 0S2B, 0127 0S3B; "
                 "0 guesses and 2 hints left");
    expect_alone(&field, 1, "no guess; 5 guesses and 2 hints left");
    assert_int_equal(field_hint(&field, 0), BASEBALL_ENDED);
    assert_int_equal(field_hint(&field, 1), BASEBALL_ENDED);
    field_close(&field);
}

static void n1_afterwards_everything_is_shown_to_everybody(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_guess(&field, 0, "3720"), 0);
    assert_int_equal(field_guess(&field, 0, "3702"), 0);
    assert_int_equal(field_hint(&field, 1), 0);
    assert_int_equal(field_guess(&field, 1, "0123"), 0);
    assert_int_equal(field_give_up(&field, 1), 0);
    expect_nobody(&field, "log");
    assert_int_equal(field_give_up(&field, 2), 0);
    expect_everybody(&field, "  all ended; secret 3702; hints 2=0 0=3\n"
                             "  log 0: 3720 2S2B, 3702 4S0B\n"
                             "  log 1: 0123 0S3B\n"
                             "  log 2: no guess\n");
    field_close(&field);
}

/* ---- N2 -------------------------------------------------------------------------------------- */

static struct game_options chosen(const char *key, int32_t value)
{
    struct game_options options;
    game_options_default(&baseball_game, &options);
    if (key)
        assert_int_equal(game_options_set(&baseball_game, &options, slice_text(key), value), 0);
    return options;
}

static void n2_the_defaults_are_four_digits_ten_guesses_five_minutes_and_hints(void **unused)
{
    (void)unused;
    struct game_options options = chosen(NULL, 0);
    assert_int_equal(options.value[BASEBALL_OPT_DIGITS], 4);
    assert_int_equal(options.value[BASEBALL_OPT_GUESS_LIMIT], 1);
    assert_int_equal(options.value[BASEBALL_OPT_GUESSES], 10);
    assert_int_equal(options.value[BASEBALL_OPT_TIME_LIMIT], 5);
    assert_int_equal(options.value[BASEBALL_OPT_HINTS], 1);
}

static void n2_the_guess_limit_follows_the_digits_until_it_is_chosen(void **unused)
{
    (void)unused;
    struct game_options options = chosen("digits", 3);
    assert_int_equal(options.value[BASEBALL_OPT_GUESSES], 9);
    game_options_set(&baseball_game, &options, slice_text("digits"), 5);
    assert_int_equal(options.value[BASEBALL_OPT_GUESSES], 12);
    game_options_set(&baseball_game, &options, slice_text("guesses"), 7);
    game_options_set(&baseball_game, &options, slice_text("digits"), 3);
    assert_int_equal(options.value[BASEBALL_OPT_GUESSES], 7);
}

static void n2_values_out_of_range_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *key;
        int32_t good[5], bad[4];
    } all[] = {
        {"digits", {3, 4, 5, 3, 4}, {2, 6, 0, -1}},
        {"guessLimit", {0, 1, 0, 1, 0}, {2, -1, 3, 9}},
        {"guesses", {5, 6, 12, 19, 20}, {4, 21, 0, -5}},
        {"timeLimit", {3, 5, 10, 0, 3}, {1, 4, 11, -3}},
        {"hints", {0, 1, 0, 1, 0}, {2, -1, 3, 9}},
    };
    struct game_options options = chosen(NULL, 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct slice key = slice_text(all[i].key);
        for (int k = 0; k < 5; k++)
            assert_int_equal(game_options_set(&baseball_game, &options, key, all[i].good[k]),
                             ST_OK);
        for (int k = 0; k < 4; k++)
            assert_int_equal(game_options_set(&baseball_game, &options, key, all[i].bad[k]),
                             ST_REFUSED);
    }
}

static void n2_no_guess_limit_needs_a_time_limit(void **unused)
{
    (void)unused;
    const char *text = NULL;
    struct game_options options = chosen("guessLimit", 0);
    assert_int_equal(baseball_game.check(&options, 1, &text), GAME_OPTIONS_OK);
    game_options_set(&baseball_game, &options, slice_text("timeLimit"), 0);
    assert_int_equal(baseball_game.check(&options, 1, &text), GAME_OPTIONS_REFUSED);
    assert_string_equal(text, "note.number-baseball.endless");
    game_options_set(&baseball_game, &options, slice_text("guessLimit"), 1);
    assert_int_equal(baseball_game.check(&options, 12, &text), GAME_OPTIONS_OK);
}

static void n2_without_a_guess_limit_there_are_120_guesses(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "987", .guesses = FIELD_NONE});
    int made = 0;
    for (uint32_t code = 0; made < 120; code++) {
        char text[40];
        snprintf(text, sizeof text, "%03u", code);
        if (!baseball_is_code(&field.state.rules, code)) continue;
        assert_int_equal(field.state.player[0].standing, BASEBALL_AT_IT);
        assert_int_equal(field_guess(&field, 0, text), 0);
        made++;
    }
    expect_everybody(&field, "  0: exhausted, 120 guesses");
    field_close(&field);
}

/* The largest game there can be, saved and seen at its end. */
static void n2_twelve_players_with_120_guesses_each_fit_their_bounds(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct buf saved = {0};
    field_play(&field, &(struct field_spec){
                           .seats = 12, .secret = "98765", .guesses = FIELD_NONE, .minutes = 10});
    for (int seat = 0; seat < 12; seat++) {
        int made = 0;
        assert_int_equal(field_hint(&field, seat), 0);
        for (uint32_t code = 98764; made < 120; code--) {
            char text[40];
            snprintf(text, sizeof text, "%05u", code);
            if (!baseball_is_code(&field.state.rules, code)) continue;
            assert_int_equal(field_guess(&field, seat, text), 0);
            made++;
        }
    }
    assert_int_equal(field.state.phase, BASEBALL_FINISHED);
    baseball_encode(&field.state, &saved);
    assert_in_range(saved.len, 12 * 120 * 3, GAME_ENCODED_BYTES_MAX);
    struct buf view = field_view(&field.state, 11);
    assert_in_range(view.len, 12 * 120 * 4, GAME_VIEW_BYTES_MAX);
    buf_fini(&view);
    buf_fini(&saved);
    field_close(&field);
}

static void n2_the_time_limit_ends_the_game_for_all(void **unused)
{
    (void)unused;
    struct field field = {0};
    const int minutes[] = {3, 5, 10};
    for (int i = 0; i < 3; i++) {
        field_play(&field,
                   &(struct field_spec){.seats = 2, .secret = "370", .minutes = minutes[i]});
        expect_until(&field, (uint64_t)minutes[i] * 60000);
        assert_int_equal(field_guess(&field, 0, "370"), 0);
        field_clock(&field);
        expect_told(&field, minutes[i] == 3   ? "  1: time over, 180.0 s\n  finished: time limit\n"
                            : minutes[i] == 5 ? "  1: time over, 300.0 s\n  finished: time limit\n"
                                              : "  1: time over, 600.0 s\n"
                                                "  finished: time limit\n");
        assert_int_equal(field_guess(&field, 1, "370"), BASEBALL_OVER);
    }
    field_close(&field);
}

static void n2_without_a_time_limit_a_game_ends_after_an_hour(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .minutes = FIELD_NONE});
    expect_until(&field, 3600 * 1000);
    field_clock(&field);
    assert_int_equal(field.state.cause, BASEBALL_TIME_LIMIT);
    field_close(&field);
}

/* ---- N3 -------------------------------------------------------------------------------------- */

static void n3_everybodys_kth_hint_is_the_same(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 3, .secret = "37025", .hints = "402"});
    assert_int_equal(field_hint(&field, 0), 0);
    assert_int_equal(field_hint(&field, 0), 0);
    assert_int_equal(field_hint(&field, 2), 0);
    assert_int_equal(field_hint(&field, 2), 0);
    assert_int_equal(field_hint(&field, 2), 0);
    assert_int_equal(field_hint(&field, 1), 0);
    expect_alone(&field, 0, "no guess; hints 4=5 0=3; 12 guesses and 1 hint left");
    expect_alone(&field, 1, "no guess; hints 4=5; 12 guesses and 2 hints left");
    expect_alone(&field, 2, "no guess; hints 4=5 0=3 2=0; 12 guesses and 0 hints left");
    field_close(&field);
}

static void n3_a_hint_is_not_a_guess(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "3702", .guesses = 5});
    assert_int_equal(field_hint(&field, 0), 0);
    expect_everybody(&field, "  0: playing, 0 guesses, 1 hint\n");
    expect_until(&field, 300000);
    field_close(&field);
}

static void n3_a_hint_that_was_given_is_not_given_again(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &three);
    assert_int_equal(field_hint_number(&field, 0, 2), BASEBALL_HINT_NUMBER);
    assert_int_equal(field.refusal.params[0], 1);
    assert_int_equal(field_hint_number(&field, 0, 0), BASEBALL_HINT_NUMBER);
    assert_int_equal(field_hint_number(&field, 0, 1), 0);
    assert_int_equal(field_hint_number(&field, 0, 1), BASEBALL_HINT_NUMBER);
    assert_int_equal(field.refusal.params[0], 2);
    expect_everybody(&field, "  0: playing, 0 guesses, 1 hint\n");
    field_close(&field);
}

static void n3_hints_can_be_switched_off(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702", .no_hints = true});
    assert_int_equal(field_hint(&field, 0), BASEBALL_HINTS_OFF);
    assert_int_equal(field_give_up(&field, 0), 0);
    expect_everybody(&field, "  all ended; secret 3702\n");
    field_close(&field);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(n1_others_see_how_many_guesses_and_hints_and_who_is_done),
        cmocka_unit_test(n1_neither_digits_nor_strikes_and_balls_reach_others),
        cmocka_unit_test(n1_own_parts_of_events_are_for_the_own_seat_alone),
        cmocka_unit_test(n1_who_is_exhausted_or_gave_up_is_not_told_the_secret_before_the_end),
        cmocka_unit_test(n1_afterwards_everything_is_shown_to_everybody),
        cmocka_unit_test(n2_the_defaults_are_four_digits_ten_guesses_five_minutes_and_hints),
        cmocka_unit_test(n2_the_guess_limit_follows_the_digits_until_it_is_chosen),
        cmocka_unit_test(n2_values_out_of_range_are_refused),
        cmocka_unit_test(n2_no_guess_limit_needs_a_time_limit),
        cmocka_unit_test(n2_without_a_guess_limit_there_are_120_guesses),
        cmocka_unit_test(n2_twelve_players_with_120_guesses_each_fit_their_bounds),
        cmocka_unit_test(n2_the_time_limit_ends_the_game_for_all),
        cmocka_unit_test(n2_without_a_time_limit_a_game_ends_after_an_hour),
        cmocka_unit_test(n3_everybodys_kth_hint_is_the_same),
        cmocka_unit_test(n3_a_hint_is_not_a_guess),
        cmocka_unit_test(n3_a_hint_that_was_given_is_not_given_again),
        cmocka_unit_test(n3_hints_can_be_switched_off));
}
