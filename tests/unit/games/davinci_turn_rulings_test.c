/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings D9 to D19: the turn, jokers, the penalty, refuted values and candidates, the clock's
 * guess.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

static const struct davinci_spec two = {.rows = {"b1 w5", "b4 w8"},
                                        .turn_tile = "w3",
                                        .phase = DAVINCI_GUESS};

static void d9_stop_names_a_place_for_a_joker_and_for_nothing_else(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_spec spec = two;
    spec.jokers = true;
    spec.turn_tile = "wJ";
    table_open(&table, &spec);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    assert_int_equal(table_stop(&table, 0), DAVINCI_JOKER_PLACE);
    assert_int_equal(table.refusal.params[0], 2);
    assert_int_equal(table_stop_joker(&table, 0, 3), DAVINCI_JOKER_PLACE);
    assert_int_equal(table_stop_joker(&table, 0, 0), 0);
    expect_row(&table, 0, "wJ b1 w5");
    table_close(&table);
    table_open(&table, &two);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    assert_int_equal(table_stop_joker(&table, 0, 1), DAVINCI_NO_JOKER_HELD);
    table_close(&table);
}

/* A white 3 lands at place 1; a white joker is put there. Nobody else may tell the two apart, at
 * any moment. */
static void d9_a_hidden_joker_looks_like_a_number_at_the_same_place(void **unused)
{
    (void)unused;
    struct table number = {0}, joker = {0};
    struct davinci_spec spec = two;
    spec.jokers = true;
    table_open(&number, &spec);
    spec.turn_tile = "wJ";
    table_open(&joker, &spec);
    for (int step = 0; step < 3; step++) {
        for (int viewer = GAME_SPECTATOR; viewer < 2; viewer++) {
            if (viewer == 0) continue;
            expect_same_view(&number.state, &joker.state, viewer);
            expect_same_events(&number.events, &joker.events, viewer);
        }
        assert_int_equal(number.state.deadline, joker.state.deadline);
        number.now = joker.now += 700;
        if (step == 0) {
            assert_int_equal(table_guess(&number, 0, 1, 0, face(4)), 0);
            assert_int_equal(table_guess(&joker, 0, 1, 0, face(4)), 0);
        } else if (step == 1) {
            assert_int_equal(table_stop(&number, 0), 0);
            assert_int_equal(table_stop_joker(&joker, 0, 1), 0);
        }
    }
    expect_row(&number, 0, "b1 w3 w5");
    expect_row(&joker, 0, "b1 wJ w5");
    table_close(&number);
    table_close(&joker);
}

static void d10_the_turn_that_draws_the_last_tile_is_like_any_other(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8", "b7"},
                                              .rest = 3,
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    assert_int_equal(table_stop(&table, 0), 0);
    expect_row(&table, 0, "b1 w3 w5");
    expect_phase(&table, DAVINCI_GUESS, 1);
    assert_int_equal(table_draw(&table, 1, DAVINCI_BLACK), DAVINCI_WRONG_PHASE);
    assert_int_equal(table_guess(&table, 1, 2, 0, face(0)), DAVINCI_REVEALED);
    assert_int_equal(table_guess(&table, 1, 0, 0, face(1)), 0);
    assert_int_equal(table_stop(&table, 1), 0); /* without a turn tile: the turn just ends */
    expect_events(&table, "  turn 3: 2\n");
    table_close(&table);
}

static void d10_the_first_guess_of_a_turn_cannot_be_skipped(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &two);
    assert_int_equal(table_stop(&table, 0), DAVINCI_WRONG_PHASE);
    assert_int_equal(table_continue(&table, 0), DAVINCI_WRONG_PHASE);
    assert_int_equal(table_stop(&table, 1), DAVINCI_NOT_YOUR_TURN);
    table_close(&table);
}

static const struct davinci_spec empty = {
    .rows = {"b1 w5", "b4 w8", "b7!"}, .rest = 3, .phase = DAVINCI_GUESS, .none = true};

static void d11_with_none_three_idle_rounds_turn_the_penalty_on(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct game_options options;
    game_options_default(&davinci_game, &options);
    assert_int_equal(options.value[DAVINCI_OPT_EMPTY_POOL], 1);
    table_open(&table, &empty);
    /* One new value each, then the same again: two living players, three rounds. */
    for (int turn = 0; turn < 2 + 6; turn++) {
        assert_int_equal(table.state.penalty_switched, 0);
        int by = table.state.current;
        assert_int_equal(table_guess(&table, by, 1 - by, 0, face(11)), 0);
    }
    expect_events(&table, "  1 says to 0, place 0: b11, wrong\n  from now on a miss reveals an own "
                          "tile\n  turn 9: 0\n");
    expect_seen(&table, "the penalty is on now");
    assert_int_equal(table_guess(&table, 0, 1, 0, face(11)), 0);
    expect_phase(&table, DAVINCI_REVEAL_OWN, 0);
    table_close(&table);
}

static void d11_a_new_value_or_a_reveal_counts_as_progress(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &empty);
    for (int n = 0; n < 12; n++) /* 24 turns with a new value each */
        for (int by = 0; by < 2; by++) {
            if (n == (by == 0 ? 4 : 1)) n++; /* not the truth */
            assert_int_equal(table_guess(&table, table.state.current, 1 - table.state.current, 0,
                                         face(n % 12)),
                             0);
        }
    assert_int_equal(table.state.penalty_switched, 0);
    table_open(&table, &empty);
    for (int turn = 0; turn < 7; turn++)
        assert_int_equal(
            table_guess(&table, table.state.current, 1 - table.state.current, 0, face(11)), 0);
    assert_int_equal(table.state.idle_turns, 5);
    assert_int_equal(table_guess(&table, 1, 0, 0, face(1)), 0);
    assert_int_equal(table_stop(&table, 1), 0);
    assert_int_equal(table.state.idle_turns, 0);
    table_close(&table);
}

static void d12_revealing_the_last_own_tile_is_out_at_once(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_spec spec = {.rows = {"b1! w5", "b4 w8!", "b7 w10!"},
                                .rest = 3,
                                .phase = DAVINCI_GUESS};
    table_open(&table, &spec);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(3)), 0);
    assert_int_equal(table_reveal(&table, 0, 1), 0);
    expect_events(&table, "  0 reveals place 1: 5\n  0 is out\n  turn 2: 1\n");
    spec.rows[2] = "b7! w10!";
    table_open(&table, &spec);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(3)), 0);
    assert_int_equal(table_reveal(&table, 0, 1), 0);
    expect_events(&table, "  0 reveals place 1: 5\n  0 is out\n  1 has won\n");
    expect_phase(&table, DAVINCI_FINISHED, 0);
    table_close(&table);
}

static void d13_a_turn_tile_in_hand_at_the_end_is_shown_beside_the_rows(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8!"}, .turn_tile = "w3", .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_seen(&table, "still in the hand of 0: w3");
    expect_row(&table, 0, "b1 w5");
    table_close(&table);
}

static void put(struct davinci_state *state, const char *name, int index)
{
    int tile = table_tile(name);
    davinci_row_insert(state, 0, index < 0 ? davinci_row_place(state, 0, tile) : index, tile,
                       false);
}

static void d14_a_number_goes_right_after_the_last_smaller_one_whatever_jokers_lie_there(
    void **unused)
{
    (void)unused;
    struct table table = {0};
    put(&table.state, "b3", -1);
    put(&table.state, "w8", -1);
    put(&table.state, "bJ", 1);
    put(&table.state, "b5", -1);
    expect_row(&table, 0, "b3 b5 bJ w8");
    put(&table.state, "wJ", 0);
    put(&table.state, "b0", -1);
    expect_row(&table, 0, "b0 wJ b3 b5 bJ w8");
    put(&table.state, "w5", -1);
    expect_row(&table, 0, "b0 wJ b3 b5 w5 bJ w8");
    struct table equal = {0};
    put(&equal.state, "b5", -1);
    put(&equal.state, "bJ", 1);
    put(&equal.state, "w5", 2); /* as if the joker came last */
    expect_row(&equal, 0, "b5 bJ w5");
}

static void d15_the_joker_may_be_guessed_even_when_it_lies_open(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5 bJ!", "b4 w8"},
                                              .turn_tile = "w3",
                                              .jokers = true,
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, DAVINCI_FACE_JOKER), 0);
    expect_events(&table,
                  "  0 says to 1, place 0: bJ, wrong\n  0 puts at place 1: w3\n  turn 2: 1\n");
    table_close(&table);
}

static void d16_refuted_values_belong_to_the_tile(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8"},
                                              .black = "b0 b2",
                                              .phase = DAVINCI_DRAW,
                                              .turn_tile = NULL});
    assert_int_equal(table_draw(&table, 0, DAVINCI_BLACK), 0);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(9)), 0);
    expect_seen(&table, "row 1: b?{9} w?");
    assert_int_equal(table_draw(&table, 1, DAVINCI_BLACK), 0);
    assert_int_equal(table_guess(&table, 1, 0, 2, face(0)), 0);
    /* Black 2 stands in front of it now; the value went along, and the history finds the tile by
     * its entry. */
    expect_seen(&table, "row 1: b2* b?{9} w?");
    assert_int_equal(table.state.told[0].position, 0);
    assert_int_equal(table.state.told[0].entry, table.state.row[1].at[1].entry);
    /* Once open, nothing is refuted any more. */
    assert_int_equal(table_draw(&table, 0, DAVINCI_WHITE), 0);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(4)), 0);
    expect_seen(&table, "row 1: b2* b4 w?");
    table_close(&table);
}

static uint16_t candidates(const struct table *table, int viewer, int target, int index)
{
    struct davinci_sight sight;
    davinci_see(&table->state, viewer, &sight);
    return davinci_candidates(&sight, target, index);
}

#define BIT(n) (1u << face(n))

static void d17_candidates_lie_between_open_numbers_and_are_nowhere_else(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_spec spec = {.rows = {"b4! b5 w6!", "b1 w9"},
                                .phase = DAVINCI_DRAW,
                                .current = 1};
    table_open(&table, &spec);
    assert_int_equal(candidates(&table, 1, 0, 1), BIT(5) | BIT(6));
    spec.white_left = true;
    table_open(&table, &spec);
    assert_int_equal(candidates(&table, 1, 0, 1), BIT(5));
    /* Open jokers are skipped, and the joker is possible while that colour's is not accounted
     * for. */
    table_open(&table, &(struct davinci_spec){.rows = {"b4! wJ! b5 w6!", "b1 w9"},
                                              .phase = DAVINCI_DRAW,
                                              .current = 1,
                                              .jokers = true});
    assert_int_equal(candidates(&table, 1, 0, 2), BIT(5) | BIT(6) | 1u << DAVINCI_FACE_JOKER);
    table_open(&table, &(struct davinci_spec){.rows = {"b4! b5 w6!", "b1 w9 bJ"},
                                              .phase = DAVINCI_DRAW,
                                              .current = 1,
                                              .jokers = true});
    assert_int_equal(candidates(&table, 1, 0, 1), BIT(5) | BIT(6));
    /* Mine, in hand and refuted ones are out. */
    table_open(&table, &(struct davinci_spec){.rows = {"b4! b7 b9!", "b5 w9"},
                                              .phase = DAVINCI_GUESS,
                                              .current = 1,
                                              .turn_tile = "b6"});
    assert_int_equal(candidates(&table, 1, 0, 1), BIT(7) | BIT(8));
    assert_int_equal(table_guess(&table, 1, 0, 1, face(8)), 0);
    assert_int_equal(candidates(&table, 1, 0, 1), BIT(7));
    table_close(&table);
}

static void d18_the_clock_guesses_the_smallest_candidate_of_who_has_least_hidden(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_action action;
    table_open(&table,
               &(struct davinci_spec){.rows = {"b1 w5 b9", "b4 w8 w10", "b0! b7 w11", "b2 w3"},
                                      .turn_tile = "w4",
                                      .phase = DAVINCI_GUESS});
    davinci_automatic(&table.state, 0,
                      &action); /* seats 2 and 3 have two hidden: 2 is next in turn order */
    assert_int_equal(action.target, 2);
    assert_int_equal(action.index, 1);
    assert_int_equal(action.face, face(2)); /* above open black 0, black 1 is seat 0's own */
    table.state.current = 2;
    davinci_automatic(&table.state, 2, &action); /* seat 3 comes right after seat 2 */
    assert_int_equal(action.target, 3);
    assert_int_equal(action.index, 0);
    assert_int_equal(action.face, face(1)); /* black 0 lies in seat 2's own row */
    table_close(&table);
}

static void d18_numbers_come_before_the_joker(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_action action;
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b10! b11 w11!"},
                                              .turn_tile = "w4",
                                              .jokers = true,
                                              .phase = DAVINCI_GUESS});
    davinci_automatic(&table.state, 0, &action);
    assert_int_equal(action.face, face(11));
    table.state.row[1].at[1].tile = (uint8_t)table_tile("bJ");
    table.state.row[1].at[1].refuted = (uint16_t)BIT(11);
    davinci_automatic(&table.state, 0, &action);
    assert_int_equal(action.face, DAVINCI_FACE_JOKER);
    table_close(&table);
}

static void d18_a_game_of_absent_players_takes_at_most_one_guess_a_tile(void **unused)
{
    (void)unused;
    int most[2] = {0};
    for (uint32_t seed = 0; seed < 400; seed++) {
        struct table table = {0};
        int jokers = seed % 2;
        table_start(&table, &(struct table_options){
                                .seats = 2 + (int)seed / 2 % 3, .jokers = jokers, .seed = seed});
        while (table.state.phase != DAVINCI_FINISHED) table_clock(&table);
        if (table.state.told_len > most[jokers]) most[jokers] = table.state.told_len;
        table_close(&table);
    }
    assert_in_range(most[0], 10, 23);
    assert_in_range(most[1], 10, 25);
}

static void d19_after_going_on_the_time_for_a_guess_is_fresh(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &two);
    table.now += 29000;
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_left(&table, 10000);
    table.now += 9000;
    assert_int_equal(table_continue(&table, 0), 0);
    expect_left(&table, 30000);
    table_close(&table);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(d9_stop_names_a_place_for_a_joker_and_for_nothing_else),
        cmocka_unit_test(d9_a_hidden_joker_looks_like_a_number_at_the_same_place),
        cmocka_unit_test(d10_the_turn_that_draws_the_last_tile_is_like_any_other),
        cmocka_unit_test(d10_the_first_guess_of_a_turn_cannot_be_skipped),
        cmocka_unit_test(d11_with_none_three_idle_rounds_turn_the_penalty_on),
        cmocka_unit_test(d11_a_new_value_or_a_reveal_counts_as_progress),
        cmocka_unit_test(d12_revealing_the_last_own_tile_is_out_at_once),
        cmocka_unit_test(d13_a_turn_tile_in_hand_at_the_end_is_shown_beside_the_rows),
        cmocka_unit_test(
            d14_a_number_goes_right_after_the_last_smaller_one_whatever_jokers_lie_there),
        cmocka_unit_test(d15_the_joker_may_be_guessed_even_when_it_lies_open),
        cmocka_unit_test(d16_refuted_values_belong_to_the_tile),
        cmocka_unit_test(d17_candidates_lie_between_open_numbers_and_are_nowhere_else),
        cmocka_unit_test(d18_the_clock_guesses_the_smallest_candidate_of_who_has_least_hidden),
        cmocka_unit_test(d18_numbers_come_before_the_joker),
        cmocka_unit_test(d18_a_game_of_absent_players_takes_at_most_one_guess_a_tile),
        cmocka_unit_test(d19_after_going_on_the_time_for_a_guess_is_fresh));
}
