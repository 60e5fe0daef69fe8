/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings on how games end, by their numbers: last cards, ranks and points, forfeits, rounds.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

static int cards_in_piles(const struct dobble_state *state)
{
    int count = 0;
    for (int s = 0; s < state->seats; s++) count += state->seat[s].pile.len;
    return count;
}

/* ---- B3, B4: the end of tower and gift, shared ranks ----------------------------------------- */

static void b3_deck_less_players_successes_end_it_with_every_card_in_a_pile(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_POISONED_GIFT; mini += 3)
        for (int seats = 2; seats <= 8; seats += 3) {
            int deck = seats == 5 ? 55 : 57, wins = 0;
            match_open(&match, &(struct match_options){
                                   .mini_game = mini, .seats = seats, .deck_55 = deck == 55});
            for (; match.state.phase == DOBBLE_PLAYING; wins++) {
                match_wait(&match, 1000);
                assert_int_equal(match_right(&match, wins % seats), 0);
            }
            assert_int_equal(wins, deck - seats);
            assert_int_equal(match.state.ending, DOBBLE_PLAYED);
            assert_int_equal(cards_in_piles(&match.state), deck);
        }
    match_close(&match);
}

static void b3_each_card_given_back_takes_one_success_more(void **unused)
{
    (void)unused;
    struct match match = {0};
    int wins = 0;
    match_open(&match, &(struct match_options){.gives_card = true, .lockout_ms = -1});
    for (; match.state.phase == DOBBLE_PLAYING; wins++) {
        match_wait(&match, 1000);
        assert_int_equal(match_right(&match, 0), 0);
        if (wins == 0) continue;
        if (match.state.phase == DOBBLE_PLAYING) assert_int_equal(match_wrong(&match, 0), 0);
    }
    assert_int_equal(match.state.seat[0].given_back, 5);
    assert_int_equal(wins, 57 - 2 + 5);
    assert_int_equal(cards_in_piles(&match.state), 57);
    match_close(&match);
}

static void b4_shared_ranks_are_1_1_3_and_points_follow_them(void **unused)
{
    (void)unused;
    struct match match = {0};
    struct game_result result;
    match_open(&match, &(struct match_options){.seats = 5, .deck_55 = true});
    /* 50 cards to win: 15, 15, 10, 10 and 0. */
    static const int share[] = {15, 15, 10, 10, 0};
    for (int seat = 0; seat < 5; seat++)
        for (int i = 0; i < share[seat]; i++) {
            match_wait(&match, 1000);
            assert_int_equal(match_right(&match, seat), 0);
        }
    dobble_game.result(&match.state, &result);
    static const int rank[] = {1, 1, 3, 3, 5}, points[] = {3, 3, 1, 1, 0};
    for (int seat = 0; seat < 5; seat++) {
        assert_int_equal(result.seat[seat].rank, rank[seat]);
        assert_int_equal(result.seat[seat].points, points[seat]);
        assert_int_equal(result.seat[seat].winner, rank[seat] == 1);
    }
    assert_int_equal(result.next_starter, 0);
    dobble_wire_view *view = match_view(&match);
    assert_int_equal(view->result->n_ranking, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(view->result->ranking[i]->seat, i);
        assert_int_equal(view->result->ranking[i]->rank, rank[i]);
        assert_int_equal(view->result->ranking[i]->points, points[i]);
        assert_int_equal(view->result->ranking[i]->cards, share[i] + 1);
        assert_int_equal(view->result->ranking[i]->correct, share[i]);
    }
    match_free_view(view);
    match_close(&match);
}

/* ---- B5, B6, B24: forfeits ------------------------------------------------------------------- */

static void b5_end_at_first_ranks_the_others_by_the_fewest_cards_left(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_WELL, .seats = 4, .end_at_first = true});
    static const int turns[] = {14, 3, 3, 8};
    for (int seat = 3; seat >= 0; seat--)
        for (int i = 0; i < turns[seat]; i++) {
            match_wait(&match, 1000);
            assert_int_equal(match_right(&match, seat), 0);
        }
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(dobble_rank(&match.state, 0), 1);
    assert_int_equal(dobble_rank(&match.state, 3), 2);
    assert_int_equal(dobble_rank(&match.state, 1), 3);
    assert_int_equal(dobble_rank(&match.state, 2), 3);
    match_close(&match);
}

static void b5_forfeits_share_the_last_group_and_their_cards_go_to_the_unused_ones(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_WELL, .seats = 4});
    for (int i = 0; i < 5; i++) {
        match_wait(&match, 1000);
        assert_int_equal(match_right(&match, 1), 0); /* the best so far */
    }
    int unused_before = match.state.unused.len;
    match_presence(&match, 1, false);
    match_wait(&match, 2000);
    match_presence(&match, 2, false);
    match_wait(&match, 30000);
    assert_int_equal(match.state.seat[1].part, DOBBLE_FORFEITED);
    assert_int_equal(match.state.unused.len, unused_before + 9 + 14);
    match_presence(&match, 1, true); /* too late */
    assert_int_equal(match_right(&match, 1), DOBBLE_NOT_IN_PLAY);
    while (match.state.phase == DOBBLE_PLAYING) {
        match_wait(&match, 1000);
        assert_int_equal(match_right(&match, 0), 0);
    }
    assert_int_equal(dobble_rank(&match.state, 0), 1);
    assert_int_equal(dobble_rank(&match.state, 3), 2);
    assert_int_equal(dobble_rank(&match.state, 1), 3);
    assert_int_equal(dobble_rank(&match.state, 2), 3);
    assert_int_equal(dobble_points(&match.state, 1), 0); /* B4: forfeits score 0 */
    match_close(&match);
}

static void b6_a_disconnect_that_leaves_one_holder_voids_the_round(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3, .rounds = 3});
    match_wait(&match, 1000);
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    match_presence(&match, 2, false);
    match_wait(&match, 30000);
    assert_int_equal(match.state.seat[2].part, DOBBLE_FORFEITED);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    assert_int_equal(match.state.last_round.is_void, 1);
    assert_int_equal(match.state.seat[1].penalty, 0);
    match_wait_for(&match, DOBBLE_PLAYING);
    assert_int_equal(match.state.round, 2);
    assert_int_equal(match.state.seat[0].pile.len, 1);
    assert_int_equal(match.state.seat[1].pile.len, 1);
    assert_int_equal(match.state.seat[2].pile.len, 0);
    match_close(&match);
}

static void b6_with_more_holders_the_round_goes_on_and_fewer_than_two_left_end_the_game(
    void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3, .rounds = 3});
    match_wait(&match, 1000);
    int unused_before = match.state.unused.len;
    match_presence(&match, 2, false);
    match_wait(&match, 30000);
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);         /* two hold cards */
    assert_int_equal(match.state.unused.len, unused_before + 1); /* B24: there is no centre */
    assert_int_equal(match_right_to(&match, 0, 2), DOBBLE_TARGET_OUT);
    match_presence(&match, 1, false);
    match_wait(&match, 30000);
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(match.state.ending, DOBBLE_TOO_FEW);
    assert_int_equal(dobble_rank(&match.state, 0), 1);
    assert_int_equal(dobble_rank(&match.state, 1), 2);
    assert_int_equal(dobble_rank(&match.state, 2), 2);
    match_close(&match);
}

static void b6_in_tower_and_gift_absence_only_means_finding_nothing(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        if (mini == DOBBLE_WELL || mini == DOBBLE_HOT_POTATO) continue;
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        match_presence(&match, 2, false);
        for (int i = 0; i < 4; i++) {
            match_wait(&match, 20000);
            assert_int_equal(match_right(&match, i % 2), 0);
        }
        assert_int_equal(match.state.seat[2].part, DOBBLE_IN);
        assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    }
    match_close(&match);
}

static void b24_a_round_end_lasts_3_s(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .rounds = 3});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    match_wait(&match, 2999);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    match_wait(&match, 1);
    assert_int_equal(match.state.phase, DOBBLE_COUNTDOWN);
    assert_int_equal(match.state.round, 2);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(b3_deck_less_players_successes_end_it_with_every_card_in_a_pile),
        cmocka_unit_test(b3_each_card_given_back_takes_one_success_more),
        cmocka_unit_test(b4_shared_ranks_are_1_1_3_and_points_follow_them),
        cmocka_unit_test(b5_end_at_first_ranks_the_others_by_the_fewest_cards_left),
        cmocka_unit_test(b5_forfeits_share_the_last_group_and_their_cards_go_to_the_unused_ones),
        cmocka_unit_test(b6_a_disconnect_that_leaves_one_holder_voids_the_round),
        cmocka_unit_test(
            b6_with_more_holders_the_round_goes_on_and_fewer_than_two_left_end_the_game),
        cmocka_unit_test(b6_in_tower_and_gift_absence_only_means_finding_nothing),
        cmocka_unit_test(b24_a_round_end_lasts_3_s));
}
