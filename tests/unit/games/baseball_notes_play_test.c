/* SPDX-License-Identifier: Apache-2.0
 *
 * The notes on number baseball, line by line: hints, restoring, ranking, and the limit that the
 * notes name themselves.
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

#include <stdio.h>

/* ---- hints ----------------------------------------------------------------------------------- */

static void three_four_or_five_digits_have_one_two_or_three_hints(void **unused)
{
    (void)unused;
    struct field field = {0};
    for (int digits = 3; digits <= 5; digits++) {
        field_play(&field, &(struct field_spec){.seats = 1, .digits = digits});
        assert_int_equal(baseball_hints_for(digits), digits - 2);
        for (int i = 0; i < digits - 2; i++) assert_int_equal(field_hint(&field, 0), 0);
        assert_int_equal(field_hint(&field, 0), BASEBALL_NO_HINT_LEFT);
        assert_int_equal(field.refusal.params[0], digits - 2);
    }
    assert_int_equal(baseball_hints_for(2), 1);
    field_close(&field);
}

static void a_hint_tells_a_digit_of_the_secret_and_its_place_and_none_twice(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "37025", .hints = "402"});
    assert_int_equal(field_hint(&field, 0), 0);
    expect_told(&field, "  0 has used 1 hint\n  to 0 alone: place 4 is 5\n");
    assert_int_equal(field_hint(&field, 0), 0);
    expect_told(&field, "  0 has used 2 hints\n  to 0 alone: place 0 is 3\n");
    assert_int_equal(field_hint(&field, 0), 0);
    expect_alone(&field, 0, "no guess; hints 4=5 0=3 2=0; 12 guesses and 0 hints left");
    field_close(&field);
}

static void the_same_seed_gives_the_same_hints_and_others_give_others(void **unused)
{
    (void)unused;
    struct field a = {0}, b = {0};
    int same = 0;
    for (uint32_t seed = 0; seed < 200; seed++) {
        field_open(&a, &(struct field_spec){.seats = 1, .digits = 5, .seed = seed});
        field_open(&b, &(struct field_spec){.seats = 12, .digits = 5, .seed = seed});
        assert_memory_equal(a.state.hint_at, b.state.hint_at, 5);
        assert_int_equal(a.state.secret, b.state.secret);
        field_open(&b, &(struct field_spec){.seats = 1, .digits = 5, .seed = seed + 1});
        same += memcmp(a.state.hint_at, b.state.hint_at, 5) == 0;
    }
    assert_in_range(same, 0, 8); /* 1 of 120 by chance */
    field_close(&a);
    field_close(&b);
}

/* ---- restoring ------------------------------------------------------------------------------- */

static void strikes_and_balls_are_computed_again_and_never_saved(void **unused)
{
    (void)unused;
    struct field field = {0};
    struct baseball_state other;
    struct buf a = {0}, b = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702", .hints = "01"});
    assert_int_equal(field_guess(&field, 0, "3720"), 0);
    assert_int_equal(field_hint(&field, 0), 0);
    other = field.state;
    other.secret = field_code(&field, "0278");
    baseball_encode(&field.state, &a);
    baseball_encode(&other, &b);
    int differing = 0; /* bytes: the secret's own and no more */
    assert_int_equal(a.len, b.len);
    for (size_t i = 0; i < a.len; i++) differing += a.at[i] != b.at[i];
    assert_in_range(differing, 1, 3);
    assert_int_equal(baseball_decode(&field.state, buf_slice(&b)), ST_OK);
    expect_alone(&field, 0, "3720 0S3B; hints 0=0; 9 guesses and 1 hint left");
    buf_fini(&a);
    buf_fini(&b);
    field_close(&field);
}

/* What the notes skip when they restore, a save cannot hold. */
static void assert_not_restored(const struct baseball_state *state)
{
    struct buf bytes = {0};
    struct baseball_state loaded;
    assert_non_null(baseball_audit(state));
    baseball_encode(state, &bytes);
    assert_int_equal(baseball_decode(&loaded, buf_slice(&bytes)), ST_INVALID);
    buf_fini(&bytes);
}

static void an_invalid_or_repeated_guess_is_not_restored(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "0123"), 0);
    assert_int_equal(field_guess(&field, 0, "0124"), 0);
    const uint32_t wrong[] = {123, 122, 1233, 12345, 0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct baseball_state state = field.state;
        state.player[0].code[1] = wrong[i];
        assert_not_restored(&state);
    }
    field_close(&field);
}

static void nothing_is_restored_after_the_right_guess_or_beyond_the_limit(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 1, .secret = "3702", .guesses = 5});
    for (int i = 0; i < 4; i++) {
        char text[5];
        snprintf(text, sizeof text, "012%d", 3 + i);
        assert_int_equal(field_guess(&field, 0, text), 0);
    }
    struct baseball_state state = field.state;
    state.player[0].code[1] = state.secret; /* and went on */
    assert_not_restored(&state);
    state = field.state;
    state.player[0].guesses = 5; /* and is still at it */
    state.player[0].code[4] = 3210;
    assert_not_restored(&state);
    state.player[0].guesses = 6;
    assert_not_restored(&state);
    field_close(&field);
}

/* ---- ranking --------------------------------------------------------------------------------- */

static void solve(struct field *field, int seat, const char *guesses)
{
    char text[40], *rest = text;
    snprintf(text, sizeof text, "%s", guesses);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        assert_int_equal(field_guess(field, seat, word), 0);
}

static void fewer_guesses_come_before_fewer_hints_before_less_time(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 5, .secret = "3702"});
    field.now += 1000;
    assert_int_equal(field_hint(&field, 3), 0);
    solve(&field, 3, "0123 3702"); /* 2 guesses, a hint, 1 s */
    field.now += 1000;
    solve(&field, 1, "0123 0124 3702"); /* 3 guesses, 2 s */
    field.now += 1000;
    assert_int_equal(field_hint(&field, 4), 0);
    assert_int_equal(field_hint(&field, 4), 0);
    solve(&field, 4, "3702"); /* 1 guess, two hints, 3 s */
    field.now += 1000;
    solve(&field, 2, "0123 3702"); /* 2 guesses, 4 s */
    field.now += 1000;
    solve(&field, 0, "0123 3702"); /* 2 guesses, 5 s */
    expect_everybody(&field, "  rank 1: seat 4, 3 points\n"
                             "  rank 2: seat 2, 2 points\n"
                             "  rank 3: seat 0, 1 points\n"
                             "  rank 4: seat 3\n"
                             "  rank 5: seat 1\n");
    field_close(&field);
}

static void who_finished_comes_before_who_did_not_and_who_solved_before_both(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 4, .secret = "3702", .guesses = 5});
    assert_int_equal(field_give_up(&field, 0), 0);
    solve(&field, 1, "0123 0124 0125 0126 0127");
    solve(&field, 3, "0123 0124 0125 0126 3702");
    field_clock(&field);
    expect_everybody(&field, "  rank 1: seat 3, 3 points\n"
                             "  rank 0: seat 1\n"
                             "  rank 0: seat 0\n"
                             "  rank 0: seat 2\n");
    field_close(&field);
}

static void who_used_up_the_guesses_is_exhausted_and_has_no_number(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "3702", .guesses = 5});
    solve(&field, 0, "0123 0124 0125 0126");
    expect_everybody(&field, "  0: playing, 4 guesses");
    solve(&field, 0, "0127");
    expect_everybody(&field, "  0: exhausted, 5 guesses");
    assert_int_equal(field_guess(&field, 0, "3702"), BASEBALL_ENDED);
    solve(&field, 1, "3702");
    struct game_result result = field_result(&field);
    assert_int_equal(result.seat[0].rank, 0);
    assert_int_equal(result.seat[1].rank, 1);
    field_close(&field);
}

/* ---- the limit that the notes name ----------------------------------------------------------- */

/* Every secret in turn: not one byte that a player gets before the first guess depends on it. */
static void the_secret_is_in_nothing_that_reaches_a_player(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .digits = 3});
    struct baseball_state other = field.state;
    for (other.secret = 0; other.secret < 1000; other.secret++) {
        if (!baseball_is_code(&other.rules, other.secret)) continue;
        for (int viewer = GAME_SPECTATOR; viewer < 2; viewer++)
            expect_alike(&field.state, &other, viewer);
    }
    field_close(&field);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(three_four_or_five_digits_have_one_two_or_three_hints),
        cmocka_unit_test(a_hint_tells_a_digit_of_the_secret_and_its_place_and_none_twice),
        cmocka_unit_test(the_same_seed_gives_the_same_hints_and_others_give_others),
        cmocka_unit_test(strikes_and_balls_are_computed_again_and_never_saved),
        cmocka_unit_test(an_invalid_or_repeated_guess_is_not_restored),
        cmocka_unit_test(nothing_is_restored_after_the_right_guess_or_beyond_the_limit),
        cmocka_unit_test(fewer_guesses_come_before_fewer_hints_before_less_time),
        cmocka_unit_test(who_finished_comes_before_who_did_not_and_who_solved_before_both),
        cmocka_unit_test(who_used_up_the_guesses_is_exhausted_and_has_no_number),
        cmocka_unit_test(the_secret_is_in_nothing_that_reaches_a_player));
}
