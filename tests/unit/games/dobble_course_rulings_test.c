/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings on the course of a game, by their numbers: countdown, hints, absence, practice.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

/* ---- B13: countdown -------------------------------------------------------------------------- */

static void b13_in_the_countdown_no_card_leaves_the_server_and_claims_cost_nothing(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_set_up(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        dobble_wire_view *view = match_view(&match);
        assert_int_equal(view->phase, MADANG__V1__DOBBLE__PHASE__PHASE_COUNTDOWN);
        assert_true(view->phase_ends == MATCH_START + 3000);
        assert_null(view->centre);
        assert_int_equal(view->n_places, 0);
        for (size_t s = 0; s < view->n_seats; s++) assert_null(view->seats[s]->top);
        match_free_view(view);
        assert_int_equal(match_wrong(&match, 0), DOBBLE_IN_COUNTDOWN);
        assert_int_equal(match_right(&match, 0), DOBBLE_IN_COUNTDOWN);
        match_wait(&match, 3000);
        assert_true(match_told(&match, DOBBLE_TOLD(SHOWN)));
        assert_int_equal(match_right(&match, 0), 0);
    }
    match_close(&match);
}

/* ---- B14, B21: hints ------------------------------------------------------------------------- */

static void b14_after_45_s_each_sees_the_picture_of_its_own_pair_for_2_s(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        match_wait(&match, 20000);
        assert_int_equal(match_right(&match, 0), 0); /* it starts again with each success */
        match_wait(&match, 44999);
        assert_int_equal(match.state.phase, DOBBLE_PLAYING);
        match_wait(&match, 1);
        assert_int_equal(match.state.phase, DOBBLE_HINT);
        assert_int_equal(match_right(&match, 1), DOBBLE_IN_HINT);
        assert_int_equal(match.refusal.params[0], 2000);
        for (int seat = 1; seat < 3; seat++) {
            dobble_wire_mine *mine = match_mine(&match, seat, false);
            assert_int_equal(mine->n_hints, mine->n_targets ? mine->n_targets : 1);
            for (size_t i = 0; i < mine->n_hints; i++) {
                int target = (int)mine->hints[i]->target - 1;
                struct dobble_action answer = match_answer_to(&match, seat, target);
                assert_int_equal(mine->hints[i]->art, answer.claim.art);
            }
            match_free_mine(mine);
        }
        match_wait(&match, 2000);
        assert_int_equal(match.state.phase, DOBBLE_PLAYING);
        dobble_wire_mine *mine = match_mine(&match, 1, false);
        assert_int_equal(mine->n_hints, 0);
        match_free_mine(mine);
        assert_int_equal(match_right(&match, 1), 0);
    }
    match_close(&match);
}

static void b21_four_hints_in_a_row_end_the_game_at_the_current_standing(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        match_wait(&match, 3 * 47000);
        assert_int_equal(match.state.hints, 3);
        assert_int_equal(match_right(&match, 1), 0);
        assert_int_equal(match.state.hints, 0);
        match_wait(&match, 3 * 47000 + 45000);
        assert_int_equal(match.state.phase, DOBBLE_HINT);
        assert_int_equal(match.state.hints, 4);
        match_wait(&match, 2000);
        assert_int_equal(match.state.phase, DOBBLE_FINISHED);
        assert_int_equal(match.state.ending, DOBBLE_UNFOUND);
        if (mini == DOBBLE_TOWER || mini == DOBBLE_WELL || mini == DOBBLE_TRIPLET)
            assert_int_equal(dobble_rank(&match.state, 1), 1);
        if (mini != DOBBLE_HOT_POTATO) continue;
        assert_int_equal(match.state.last_round.is_void, 1);
        for (int s = 0; s < 3; s++) assert_int_equal(match.state.seat[s].penalty, 0);
    }
    match_close(&match);
}

static void b21_a_forfeit_that_voids_the_round_in_the_fourth_hint_lets_the_next_one_count_anew(
    void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3});
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    match_wait(&match, 3 * 47000 + 45000 + 500 - DOBBLE_FORFEIT_MS);
    match_presence(&match, 2, false);
    match_wait(&match, DOBBLE_FORFEIT_MS - 1);
    assert_int_equal(match.state.phase, DOBBLE_HINT);
    assert_int_equal(match.state.hints, 4);
    match_wait(&match, 1);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    assert_int_equal(match.state.last_round.is_void, 1);
    match_wait_for(&match, DOBBLE_PLAYING);
    assert_int_equal(match.state.hints, 0);
    match_close(&match);
}

/* ---- B15, B23: too few, practice ------------------------------------------------------------- */

static void b15_fewer_than_two_pause_the_game_and_a_return_begins_with_a_countdown(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    match_wait(&match, 1000);
    match_presence(&match, 1, false);
    match_wait(&match, 9999); /* a short absence pauses nothing */
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    match_wait(&match, 1);
    assert_int_equal(match.state.phase, DOBBLE_PAUSED);
    dobble_wire_view *view = match_view(&match);
    assert_null(view->centre);
    assert_null(view->seats[0]->top);
    match_free_view(view);
    assert_int_equal(match_right(&match, 0), DOBBLE_IN_PAUSE);
    match_wait(&match, 59999);
    match_presence(&match, 1, true);
    assert_int_equal(match.state.phase, DOBBLE_COUNTDOWN);
    match_wait(&match, 3000);
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    assert_int_equal(match_right(&match, 1), 0);
    match_close(&match);
}

static void b15_after_60_s_of_pause_the_game_ends_at_the_current_standing(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 1), 0);
    match_presence(&match, 1, false);
    match_wait(&match, 10000 + 59999);
    assert_int_equal(match.state.phase, DOBBLE_PAUSED);
    match_wait(&match, 1);
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(match.state.ending, DOBBLE_ABSENT);
    assert_int_equal(dobble_rank(&match.state, 1), 1);
    assert_int_equal(dobble_rank(&match.state, 0), 2);
    match_close(&match);
}

static void b15_coming_and_going_within_10_s_changes_nothing_but_presence(void **unused)
{
    (void)unused;
    struct match match = {0}, other = {0};
    struct match_options options = {.mini_game = DOBBLE_WELL, .seats = 2};
    match_open(&match, &options);
    match_open(&other, &options);
    match_wait(&match, 1000);
    match_presence(&match, 0, false);
    match_wait(&match, 9999);
    match_presence(&match, 0, true);
    match_wait(&match, 25000);
    match_wait(&other, 1000 + 9999 + 25000);
    assert_true(match_same(&match.state, &other.state));
    match_close(&match);
    match_close(&other);
}

static void b23_practice_is_a_tower_against_nobody_without_ranks_and_points(void **unused)
{
    (void)unused;
    struct match match = {0};
    struct game_result result;
    match_open(&match, &(struct match_options){
                           .practice = true, .mini_game = DOBBLE_TRIPLET, .light = true});
    assert_int_equal(match.state.rules.mini_game, DOBBLE_TOWER);
    assert_int_equal(match.state.rules.light, 0);
    assert_int_equal(match.state.seats, 1);
    match_play_out(&match);
    assert_int_equal(match.state.seat[0].correct, 56);
    dobble_game.result(&match.state, &result);
    assert_int_equal(result.seat[0].rank, 0);
    assert_int_equal(result.seat[0].points, 0);
    assert_false(result.seat[0].winner);
    match_close(&match);
}

static void b23_practice_pauses_when_nobody_is_connected(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.practice = true});
    match_wait(&match, 20000);
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    match_presence(&match, 0, false);
    match_wait(&match, 10000);
    assert_int_equal(match.state.phase, DOBBLE_PAUSED);
    match_presence(&match, 0, true);
    match_wait(&match, 3000);
    assert_int_equal(match_right(&match, 0), 0);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(b13_in_the_countdown_no_card_leaves_the_server_and_claims_cost_nothing),
        cmocka_unit_test(b14_after_45_s_each_sees_the_picture_of_its_own_pair_for_2_s),
        cmocka_unit_test(b21_four_hints_in_a_row_end_the_game_at_the_current_standing),
        cmocka_unit_test(
            b21_a_forfeit_that_voids_the_round_in_the_fourth_hint_lets_the_next_one_count_anew),
        cmocka_unit_test(b15_fewer_than_two_pause_the_game_and_a_return_begins_with_a_countdown),
        cmocka_unit_test(b15_after_60_s_of_pause_the_game_ends_at_the_current_standing),
        cmocka_unit_test(b15_coming_and_going_within_10_s_changes_nothing_but_presence),
        cmocka_unit_test(b23_practice_is_a_tower_against_nobody_without_ranks_and_points),
        cmocka_unit_test(b23_practice_pauses_when_nobody_is_connected));
}
