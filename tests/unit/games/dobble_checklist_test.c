/* SPDX-License-Identifier: Apache-2.0
 *
 * The checklist of the spec, section 10, line by line and in its order.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

static uint64_t symbols(const uint8_t *card)
{
    uint64_t mask = 0;
    for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) mask |= UINT64_C(1) << card[i];
    return mask;
}

static void the_deck_has_57_cards_any_two_of_which_share_one_of_57_symbols(void **unused)
{
    (void)unused;
    uint8_t card[DOBBLE_CARDS_MAX][DOBBLE_ITEMS_MAX];
    int pairs = 0, times[DOBBLE_CARDS_MAX] = {0};
    dobble_plane(DOBBLE_ORDER, card);
    for (int c = 0; c < DOBBLE_CARDS_MAX; c++) {
        assert_int_equal(__builtin_popcountll(symbols(card[c])), 8);
        assert_int_equal(symbols(card[c]) >> 57, 0);
        for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) times[card[c][i]]++;
        for (int other = 0; other < c; other++, pairs++)
            assert_int_equal(__builtin_popcountll(symbols(card[c]) & symbols(card[other])), 1);
    }
    assert_int_equal(pairs, 1596);
    for (int s = 0; s < DOBBLE_CARDS_MAX; s++) assert_int_equal(times[s], 8);
}

static void with_55_cards_pairs_still_share_one_and_two_cards_are_not_played(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (uint32_t seed = 0; seed < 50; seed++) {
        match_set_up(&match, &(struct match_options){.deck_55 = true, .seed = seed});
        const struct dobble_state *state = &match.state;
        assert_int_equal(state->unused.len, 2);
        assert_int_equal(state->draw.len, 55 - 2 - 1);
        for (int a = 0; a < state->draw.len; a++)
            for (int b = 0; b < a; b++) {
                uint64_t both = symbols(state->card[state->draw.card[a] - 1].art) &
                                symbols(state->card[state->draw.card[b] - 1].art);
                assert_int_equal(__builtin_popcountll(both), 1);
            }
    }
    match_close(&match);
}

static void tower_the_first_of_two_right_claims_wins_and_the_other_is_late_without_a_lock(
    void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_TOWER});
    match_wait(&match, 1000);
    int centre = dobble_top(&match.state.centre);
    struct dobble_action first = match_answer(&match, 0), second = match_answer(&match, 1);
    assert_int_equal(match_act(&match, 0, &first), 0);
    match.now += 50;
    assert_int_equal(match_act(&match, 1, &second), DOBBLE_LATE);
    assert_int_equal(dobble_top(&match.state.seat[0].pile), centre);
    assert_int_equal(match.state.seat[0].pile.len, 2);
    assert_int_equal(match.state.seat[1].pile.len, 1);
    assert_true(match.state.seat[1].locked_until == 0);
    assert_int_equal(match_right(&match, 1), 0);
    match_close(&match);
}

static void a_wrong_picture_locks_also_what_is_right_until_the_time_is_over(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int lockout = 1000; lockout <= 2000; lockout += 1000) {
        match_open(&match, &(struct match_options){.lockout_ms = lockout});
        match_wait(&match, 500);
        assert_int_equal(match_wrong(&match, 0), 0);
        match_wait(&match, 250);
        assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
        assert_int_equal(match.refusal.params[0], lockout - 250);
        assert_int_equal(match_right(&match, 1), 0); /* the other's own */
        match_wait(&match, (instant_ms)lockout - 251);
        assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
        match_wait(&match, 1);
        assert_int_equal(match_right(&match, 0), 0);
    }
    match_close(&match);
}

static void well_everybody_has_the_same_number_of_cards(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int seats = 2; seats <= 8; seats++)
        for (int deck_55 = 0; deck_55 <= 1; deck_55++) {
            match_set_up(&match, &(struct match_options){
                                     .mini_game = DOBBLE_WELL, .seats = seats, .deck_55 = deck_55});
            int deck = deck_55 ? 55 : 57, share = (deck - 1) / seats;
            for (int s = 0; s < seats; s++) assert_int_equal(match.state.seat[s].pile.len, share);
            assert_int_equal(match.state.centre.len, 1);
            assert_int_equal(match.state.unused.len, 57 - 1 - share * seats);
        }
    match_close(&match);
}

static void empty(struct match *match, int seat)
{
    while (match->state.seat[seat].part == DOBBLE_IN) {
        match_wait(match, 1000);
        assert_int_equal(match_right(match, seat), 0);
    }
}

static void well_the_order_of_emptying_is_the_order_of_ranks_and_the_last_one_ends_it(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_WELL, .seats = 3});
    empty(&match, 2);
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    assert_int_equal(match_right(&match, 2), DOBBLE_NOT_IN_PLAY);
    empty(&match, 0);
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(match.state.ending, DOBBLE_PLAYED);
    assert_int_equal(dobble_rank(&match.state, 2), 1);
    assert_int_equal(dobble_rank(&match.state, 0), 2);
    assert_int_equal(dobble_rank(&match.state, 1), 3);
    match_close(&match);
}

static void well_end_at_first_ends_with_the_first_empty_pile(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_WELL, .seats = 3, .end_at_first = true});
    empty(&match, 1);
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(dobble_rank(&match.state, 1), 1);
    match_close(&match);
}

static void hot_potato_who_escaped_is_no_target_and_who_holds_everything_keeps_it(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3, .rounds = 3});
    static const int loser[] = {2, 2, 0};
    for (int round = 0; round < 3; round++) {
        int last = loser[round], first = (last + 1) % 3, second = (last + 2) % 3;
        struct dobble_action at_first = match_answer_to(&match, second, first);
        match_wait(&match, 1000);
        assert_int_equal(match_right_to(&match, first, second), 0);
        assert_int_equal(match.state.seat[first].part, DOBBLE_ESCAPED);
        assert_int_equal(match.state.seat[second].pile.len, 2);
        assert_int_equal(match_act(&match, second, &at_first), DOBBLE_LATE);
        struct dobble_action none = match_answer_to(&match, second, first);
        assert_int_equal(match_act(&match, second, &none), DOBBLE_TARGET_OUT);
        match_wait(&match, 1000);
        assert_int_equal(match_right_to(&match, second, last), 0);
        assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
        assert_int_equal(match.state.seat[last].pile.len, 3);
        assert_int_equal(match.state.last_round.loser, last);
        assert_int_equal(match.state.last_round.cards, 3);
        if (round < 2) match_wait_for(&match, DOBBLE_PLAYING);
    }
    match_wait_for(&match, DOBBLE_FINISHED);
    assert_int_equal(match.state.seat[2].penalty, 6);
    assert_int_equal(match.state.seat[0].penalty, 3);
    assert_int_equal(dobble_rank(&match.state, 1), 1);
    assert_int_equal(dobble_rank(&match.state, 0), 2);
    assert_int_equal(dobble_rank(&match.state, 2), 3);
    match_close(&match);
}

/* Seat 1 gives to seat 0 so many times, then everybody to seat 2, until nothing is left. */
static void give_away(struct match *match, int to_0)
{
    match_open(match, &(struct match_options){.mini_game = DOBBLE_POISONED_GIFT, .seats = 3});
    struct dobble_action own = match_answer_to(match, 0, 0);
    assert_int_equal(match_act(match, 0, &own), DOBBLE_OWN_TARGET);
    for (int i = 0; i < 57 - 3; i++) {
        assert_int_equal(match->state.phase, DOBBLE_PLAYING);
        match_wait(match, 1000);
        assert_int_equal(i < to_0 ? match_right_to(match, 1, 0) : match_right_to(match, i % 2, 2),
                         0);
    }
    assert_int_equal(match->state.phase, DOBBLE_FINISHED);
}

static void gift_not_to_oneself_and_the_fewest_cards_win_with_shared_ranks(void **unused)
{
    (void)unused;
    struct match match = {0};
    give_away(&match, 2);
    assert_int_equal(match.state.seat[0].pile.len, 3);
    assert_int_equal(match.state.seat[1].pile.len, 1);
    assert_int_equal(match.state.seat[2].pile.len, 53);
    assert_int_equal(dobble_rank(&match.state, 1), 1);
    assert_int_equal(dobble_rank(&match.state, 0), 2);
    assert_int_equal(dobble_rank(&match.state, 2), 3);
    give_away(&match, 0);
    assert_int_equal(dobble_rank(&match.state, 0), 1);
    assert_int_equal(dobble_rank(&match.state, 1), 1);
    assert_int_equal(dobble_rank(&match.state, 2), 3);
    match_close(&match);
}

/* The other has 20 ms there and back, I have 200: adjusted by 10 and by 80. */
static int who_wins_when_i_am_later_by(instant_ms ms)
{
    struct match match = {0};
    match_open(&match, &(struct match_options){.light = true});
    match_wait(&match, 1000);
    struct dobble_action mine = match_answer(&match, 1);
    match.rtt_ms = 20;
    assert_int_equal(match_right(&match, 0), 0);
    match_wait(&match, ms);
    match.rtt_ms = 200;
    int outcome = match_act(&match, 1, &mine);
    assert_int_equal(outcome, ms < DOBBLE_WINDOW_MS ? 0 : DOBBLE_LATE);
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.seat[0].pile.len + match.state.seat[1].pile.len, 3);
    int winner = match.state.seat[1].pile.len == 2;
    match_close(&match);
    return winner;
}

static void light_40_ms_later_wins_by_the_longer_way_and_100_ms_is_outside_the_window(void **unused)
{
    (void)unused;
    assert_int_equal(who_wins_when_i_am_later_by(40), 1);
    assert_int_equal(who_wins_when_i_am_later_by(100), 0);
    assert_int_equal(who_wins_when_i_am_later_by(60), 0);
    assert_int_equal(who_wins_when_i_am_later_by(59), 1);
}

static void well_30_s_away_is_a_forfeit_and_the_others_go_on(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_WELL, .seats = 3});
    match_wait(&match, 1000);
    match_presence(&match, 1, false);
    match_wait(&match, 29999);
    assert_int_equal(match.state.seat[1].part, DOBBLE_IN);
    match_wait(&match, 1);
    assert_int_equal(match.state.seat[1].part, DOBBLE_FORFEITED);
    assert_int_equal(match.state.seat[1].pile.len, 0);
    assert_int_equal(match.state.phase, DOBBLE_PLAYING);
    empty(&match, 0);
    assert_int_equal(match.state.phase, DOBBLE_FINISHED);
    assert_int_equal(dobble_rank(&match.state, 0), 1);
    assert_int_equal(dobble_rank(&match.state, 2), 2);
    assert_int_equal(dobble_rank(&match.state, 1), 3);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(the_deck_has_57_cards_any_two_of_which_share_one_of_57_symbols),
        cmocka_unit_test(with_55_cards_pairs_still_share_one_and_two_cards_are_not_played),
        cmocka_unit_test(
            tower_the_first_of_two_right_claims_wins_and_the_other_is_late_without_a_lock),
        cmocka_unit_test(a_wrong_picture_locks_also_what_is_right_until_the_time_is_over),
        cmocka_unit_test(well_everybody_has_the_same_number_of_cards),
        cmocka_unit_test(well_the_order_of_emptying_is_the_order_of_ranks_and_the_last_one_ends_it),
        cmocka_unit_test(well_end_at_first_ends_with_the_first_empty_pile),
        cmocka_unit_test(hot_potato_who_escaped_is_no_target_and_who_holds_everything_keeps_it),
        cmocka_unit_test(gift_not_to_oneself_and_the_fewest_cards_win_with_shared_ranks),
        cmocka_unit_test(light_40_ms_later_wins_by_the_longer_way_and_100_ms_is_outside_the_window),
        cmocka_unit_test(well_30_s_away_is_a_forfeit_and_the_others_go_on), );
}
