/* SPDX-License-Identifier: Apache-2.0
 *
 * The notes on number baseball, line by line: the secret, judging, input. Where the notes leave
 * something to the client, the server is held to it (N1).
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

#include <stdio.h>

/* ---- the secret ------------------------------------------------------------------------------ */

static void everybody_looks_for_the_same_secret_of_the_chosen_length(void **unused)
{
    (void)unused;
    struct field field = {0};
    for (int digits = 3; digits <= 5; digits++) {
        char secret[BASEBALL_DIGITS_MAX + 1];
        field_play(&field, &(struct field_spec){.seats = 12, .digits = digits, .seed = 7});
        assert_int_equal(field.state.rules.digits, digits);
        baseball_write_code(&field.state.rules, field.state.secret, secret);
        for (int seat = 0; seat < 12; seat++)
            assert_int_equal(field_guess(&field, seat, secret), 0);
        for (int seat = 0; seat < 12; seat++)
            assert_int_equal(field.state.player[seat].standing, BASEBALL_SOLVED);
    }
    field_close(&field);
}

static int codes_with(int digits)
{
    struct baseball_rules rules = {.digits = (uint8_t)digits, .symbols = BASEBALL_SYMBOLS};
    int count = 0;
    for (uint32_t code = 0; code < 1000000; code++) count += baseball_is_code(&rules, code);
    return count;
}

static void there_are_720_or_5040_or_30240_secrets(void **unused)
{
    (void)unused;
    assert_int_equal(codes_with(3), 720);
    assert_int_equal(codes_with(4), 5040);
    assert_int_equal(codes_with(5), 30240);
}

static void every_secret_of_three_digits_is_drawn_and_no_other(void **unused)
{
    (void)unused;
    static bool drawn[1000];
    int count = 0;
    struct field field = {0};
    for (uint32_t seed = 0; seed < 12000; seed++) {
        field_open(&field, &(struct field_spec){.seats = 1, .digits = 3, .seed = seed});
        count += !drawn[field.state.secret];
        drawn[field.state.secret] = true;
        assert_true(baseball_is_code(&field.state.rules, field.state.secret));
    }
    assert_int_equal(count, 720);
    field_close(&field);
}

static void a_first_digit_0_stays_and_is_a_valid_guess(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct field_spec spec = {.seats = 2, .digits = 4};
    do {
        spec.seed++;
        field_play(&field, &spec);
    } while (field.state.secret >= 1000);
    char text[40];
    snprintf(text, sizeof text, "%04u", field.state.secret);
    assert_int_equal(text[0], '0');
    assert_int_equal(field_guess(&field, 0, text), 0);
    assert_int_equal(field.state.player[0].standing, BASEBALL_SOLVED);
    assert_int_equal(field_give_up(&field, 1), 0);
    snprintf(text, sizeof text, "secret %04u;", field.state.secret);
    expect_everybody(&field, text);
    field_close(&field);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void the_worked_judgements_of_3702(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "3720"), 0);
    expect_told(&field, "  0 has made 1 guess\n  to 0 alone: 3720 2S2B\n");
    assert_int_equal(field_guess(&field, 0, "3082"), 0);
    expect_told(&field, "  0 has made 2 guesses\n  to 0 alone: 3082 2S1B\n");
    assert_int_equal(field_guess(&field, 0, "2037"), 0);
    expect_told(&field, "  0 has made 3 guesses\n  to 0 alone: 2037 0S4B\n");
    expect_alone(&field, 0, "3720 2S2B, 3082 2S1B, 2037 0S4B; 7 guesses and 2 hints left");
    field_close(&field);
}

static void no_digit_in_common_is_out(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "1456"), 0);
    expect_told(&field, "  0 has made 1 guess\n  to 0 alone: 1456 out\n");
    field_close(&field);
}

static void all_strikes_is_correct_and_ends_the_player(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "370"});
    field.now += 12345;
    assert_int_equal(field_guess(&field, 0, "370"), 0);
    expect_told(&field, "  0 has made 1 guess\n"
                        "  to 0 alone: 370 3S0B\n"
                        "  0: solved, 12.3 s\n");
    field_close(&field);
}

/* ---- input ----------------------------------------------------------------------------------- */

static void a_guess_of_another_length_is_refused(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .digits = 4});
    const char *const texts[] = {"", "1", "123", "12345", "0123456789"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(field_guess(&field, 0, texts[i]), BASEBALL_LENGTH);
        assert_int_equal(field.refusal.params[0], 4);
    }
    field_close(&field);
}

static void anything_but_digits_is_refused(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .digits = 4});
    const char *const texts[] = {"12a4", " 123", "12.4", "-123", "1e23", "12\n3", "+123"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(field_guess(&field, 0, texts[i]), BASEBALL_CHAR);
    field_close(&field);
}

static void full_width_and_other_digits_are_refused_as_characters(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .digits = 4});
    assert_int_equal(field_guess(&field, 0, "１２３４"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "12３4"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "١٢٣٤"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "一二三四"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "\xff\xfe\xfd\xfc"), BASEBALL_CHAR);
    assert_int_equal(field_guess(&field, 0, "12\xb3\xb4"), BASEBALL_LENGTH);
    field_close(&field);
}

static void nothing_hides_behind_a_zero_byte(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .digits = 4});
    struct baseball_action action = {.kind = BASEBALL_ACT_GUESS, .text_len = 6, .text = "1234"};
    assert_int_equal(field_act(&field, 0, &action), BASEBALL_LENGTH);
    action.text_len = 4;
    action.text[1] = 0;
    assert_int_equal(field_act(&field, 0, &action), BASEBALL_CHAR);
    field_close(&field);
}

static void a_digit_used_twice_is_refused_and_named(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .digits = 4});
    assert_int_equal(field_guess(&field, 0, "1223"), BASEBALL_DUPLICATE);
    assert_int_equal(field.refusal.params[0], 2);
    assert_int_equal(field_guess(&field, 0, "0120"), BASEBALL_DUPLICATE);
    assert_int_equal(field.refusal.params[0], 0);
    field_close(&field);
}

static void a_guess_made_before_is_refused_and_does_not_count(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "0123"), 0);
    assert_int_equal(field_guess(&field, 0, "0124"), 0);
    assert_int_equal(field_guess(&field, 0, "0123"), BASEBALL_REPEAT);
    assert_int_equal(field.refusal.params[0], 1);
    assert_int_equal(field_guess(&field, 0, "0124"), BASEBALL_REPEAT);
    assert_int_equal(field.refusal.params[0], 2);
    expect_everybody(&field, "0: playing, 2 guesses, 0 hints");
    assert_int_equal(field_guess(&field, 1, "0123"), 0); /* another player's own */
    field_close(&field);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(everybody_looks_for_the_same_secret_of_the_chosen_length),
                     cmocka_unit_test(there_are_720_or_5040_or_30240_secrets),
                     cmocka_unit_test(every_secret_of_three_digits_is_drawn_and_no_other),
                     cmocka_unit_test(a_first_digit_0_stays_and_is_a_valid_guess),
                     cmocka_unit_test(the_worked_judgements_of_3702),
                     cmocka_unit_test(no_digit_in_common_is_out),
                     cmocka_unit_test(all_strikes_is_correct_and_ends_the_player),
                     cmocka_unit_test(a_guess_of_another_length_is_refused),
                     cmocka_unit_test(anything_but_digits_is_refused),
                     cmocka_unit_test(full_width_and_other_digits_are_refused_as_characters),
                     cmocka_unit_test(nothing_hides_behind_a_zero_byte),
                     cmocka_unit_test(a_digit_used_twice_is_refused_and_named),
                     cmocka_unit_test(a_guess_made_before_is_refused_and_does_not_count));
}
