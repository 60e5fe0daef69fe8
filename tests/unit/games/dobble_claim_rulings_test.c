/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings on claims, by their numbers: what a claim names, in which order it is judged, locks,
 * compensation, suspicion.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

/* ---- B7: a claim names both cards ------------------------------------------------------------ */

static void b7_another_card_than_the_one_tapped_on_is_late_without_a_penalty(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_POISONED_GIFT; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        for (int which = 0; which < 2; which++) {
            struct dobble_action action = match_answer(&match, 0);
            if (action.claim.card[which] == DOBBLE_NO_CARD) continue; /* the gift has no own card */
            const struct dobble_pile *hidden =
                match.state.draw.len ? &match.state.draw : &match.state.seat[2].pile;
            action.claim.card[which] = hidden->card[0];
            assert_int_equal(match_act(&match, 0, &action), DOBBLE_LATE);
            assert_int_equal(match.state.seat[0].wrong, 0);
        }
        assert_int_equal(match_right(&match, 0), 0);
    }
    match_close(&match);
}

static void b7_a_pile_dumped_on_me_makes_my_tap_late_not_wrong(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 4});
    match_wait(&match, 500);
    struct dobble_action tap = match_answer_to(&match, 1, 2);
    struct dobble_action at_me = match_answer_to(&match, 3, 1);
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    assert_int_equal(match_act(&match, 1, &tap), DOBBLE_LATE);   /* my top card has changed */
    assert_int_equal(match_act(&match, 3, &at_me), DOBBLE_LATE); /* so has that of my target */
    assert_int_equal(match.state.seat[1].wrong, 0);
    assert_true(match.state.seat[1].locked_until == 0);
    match_close(&match);
}

static void b7_a_card_given_back_makes_the_next_tap_late(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.gives_card = true, .lockout_ms = -1});
    assert_int_equal(match_right(&match, 0), 0);
    struct dobble_action tap = match_answer(&match, 0);
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_int_equal(match_act(&match, 0, &tap), DOBBLE_LATE);
    match_close(&match);
}

static void b7_a_claim_is_bound_to_no_screen_for_it_names_its_own_bases(void **unused)
{
    (void)unused;
    struct match match = {0};
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini});
        struct dobble_action action = match_answer(&match, 0);
        assert_false(dobble_game.bound(slice_of(bytes, dobble_write_action(&action, bytes))));
    }
    assert_true(dobble_game.bound((struct slice){0}));
    assert_true(dobble_game.bound(slice_of("\xff\xff", 2)));
    match_close(&match);
}

/* ---- B8: the order of checks ----------------------------------------------------------------- */

static void b8_late_and_wrong_is_late_and_a_lock_comes_before_both(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    match_wait(&match, 1000);
    struct dobble_action old = match_answer(&match, 1);
    assert_int_equal(match_right(&match, 0), 0);
    old.claim.art = (uint8_t)((old.claim.art + 1) % 57);
    assert_int_equal(match_act(&match, 1, &old), DOBBLE_LATE);
    assert_int_equal(match_wrong(&match, 1), 0);
    assert_int_equal(match_act(&match, 1, &old), DOBBLE_LOCKED);
    match_close(&match);
}

static void b8_phase_then_part_then_lock_then_cards_then_target_then_picture(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3, .rounds = 3});
    match_wait(&match, 1000);
    struct dobble_action escaped = match_answer_to(&match, 0, 2);
    assert_int_equal(match_wrong(&match, 0), 0);
    match_wait(&match, 1000);
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    assert_int_equal(match_act(&match, 0, &escaped), DOBBLE_NOT_IN_PLAY);
    assert_int_equal(match_wrong(&match, 1), 0);
    struct dobble_action own = match_answer_to(&match, 1, 1);
    assert_int_equal(match_act(&match, 1, &own), DOBBLE_LOCKED);
    match_wait(&match, 1000);
    own.claim.art = 1;
    assert_int_equal(match_act(&match, 1, &own), DOBBLE_OWN_TARGET); /* whatever the picture */
    struct dobble_action nobody = own;
    nobody.claim.target = 0;
    assert_int_equal(match_act(&match, 1, &nobody), DOBBLE_TARGET_NEEDED);
    nobody.claim.target = 9;
    assert_int_equal(match_act(&match, 1, &nobody), DOBBLE_TARGET_OUT);
    nobody.claim.card[0]++;
    assert_int_equal(match_act(&match, 1, &nobody), DOBBLE_LATE);
    assert_int_equal(match_right_to(&match, 1, 2), 0);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    assert_int_equal(match_act(&match, 2, &nobody), DOBBLE_IN_ROUND_END);
    match_close(&match);
}

static void b8_a_picture_beyond_the_list_is_a_protocol_error_without_a_lock(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    struct dobble_action action = match_answer(&match, 0);
    for (int art = 57; art < 255; art += 66) {
        action.claim.art = (uint8_t)art;
        assert_int_equal(match_act(&match, 0, &action), DOBBLE_MALFORMED);
    }
    assert_int_equal(match.state.seat[0].wrong, 0);
    assert_int_equal(match_right(&match, 0), 0);
    match_close(&match);
}

static void b8_a_winners_double_tap_is_swallowed(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        match_wait(&match, 1000);
        struct dobble_action tap = match_answer(&match, 0), other = match_answer(&match, 1);
        assert_int_equal(match_act(&match, 0, &tap), 0);
        struct dobble_state before = match.state;
        assert_int_equal(match_act(&match, 0, &tap), 0);
        assert_true(match.events.hidden);
        assert_int_equal(match.events.count, 0);
        assert_true(match_same(&before, &match.state));
        assert_int_equal(match_act(&match, 1, &other), DOBBLE_LATE); /* a loser's is late */
    }
    match_close(&match);
}

static void b8_also_the_double_tap_that_ended_a_round_is_swallowed(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 2});
    struct dobble_action tap = match_answer(&match, 0);
    assert_int_equal(match_act(&match, 0, &tap), 0);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    assert_int_equal(match_act(&match, 0, &tap), 0);
    assert_int_equal(match.events.count, 0);
    match_close(&match);
}

/* ---- B11, B12 -------------------------------------------------------------------------------- */

static void b11_a_wrong_claim_costs_the_top_card_but_never_the_first_and_at_most_five(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.gives_card = true, .lockout_ms = -1});
    int first = dobble_top(&match.state.seat[0].pile), draw = match.state.draw.len;
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_int_equal(dobble_top(&match.state.seat[0].pile), first);
    for (int i = 1; i <= 7; i++) {
        match_wait(&match, 1000);
        assert_int_equal(match_right(&match, 0), 0);
        int top = dobble_top(&match.state.seat[0].pile);
        assert_int_equal(match_wrong(&match, 0), 0);
        if (i <= 5) {
            assert_int_equal(match.state.seat[0].given_back, i);
            assert_int_equal(match.state.draw.card[0], top); /* face down at the bottom */
            assert_int_equal(match.state.draw.len, draw);
            assert_int_equal(match.state.seat[0].pile.len, 1);
        } else {
            assert_int_equal(match.state.seat[0].given_back, 5);
            assert_int_equal(dobble_top(&match.state.seat[0].pile), top);
        }
    }
    match_close(&match);
}

static void b11_it_is_off_unless_chosen_belongs_to_the_tower_and_the_lock_applies_too(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){0});
    assert_int_equal(match.state.rules.gives_card, 0);
    for (int mini = DOBBLE_WELL; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .gives_card = true});
        assert_int_equal(match.state.rules.gives_card, 0);
    }
    match_open(&match, &(struct match_options){.gives_card = true});
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_int_equal(match.state.seat[0].pile.len, 1);
    assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
    match_close(&match);
}

static void b12_the_view_names_the_targets_and_with_one_there_is_nothing_to_choose(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 3});
    dobble_wire_mine *mine = match_mine(&match, 1, false);
    assert_int_equal(mine->n_targets, 2);
    assert_int_equal(mine->targets[0], 0);
    assert_int_equal(mine->targets[1], 2);
    match_free_mine(mine);
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    mine = match_mine(&match, 1, false);
    assert_int_equal(mine->n_targets, 1);
    assert_int_equal(mine->targets[0], 2);
    match_free_mine(mine);
    mine = match_mine(&match, 0, false); /* who has escaped chooses nobody */
    assert_int_equal(mine->n_targets, 0);
    match_free_mine(mine);
    match_close(&match);
}

/* ---- B16, B17, B19 --------------------------------------------------------------------------- */

static void b16_a_lock_ends_at_its_instant_and_survives_a_reconnect(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 3, .lockout_ms = 2000});
    assert_int_equal(match_wrong(&match, 0), 0);
    match_presence(&match, 0, false);
    match_wait(&match, 700);
    match_presence(&match, 0, true);
    assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
    assert_int_equal(match.refusal.param_count, 1);
    assert_int_equal(match.refusal.params[0], 1300);
    match_wait(&match, 1299);
    assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
    match_wait(&match, 1);
    assert_int_equal(match_right(&match, 0), 0);
    match_close(&match);
}

static void b16_locks_and_windows_do_not_outlive_a_round(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){
                   .mini_game = DOBBLE_HOT_POTATO, .seats = 2, .light = true, .lockout_ms = 2000});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match_wrong(&match, 1), 0);
    assert_true(match.state.seat[1].locked_until > match.now);
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.phase, DOBBLE_ROUND_END);
    assert_true(match.state.seat[1].locked_until == 0);
    assert_int_equal(match.state.window_len, 0);
    match_close(&match);
}

static void b17_reaction_counts_from_the_younger_card_and_a_slow_or_wrong_one_starts_anew(
    void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2, .lockout_ms = -1});
    static const instant_ms slow_at_4[] = {100, 100, 100, 200, 100, 100, 100, 100};
    for (size_t i = 0; i < sizeof slow_at_4 / sizeof slow_at_4[0]; i++) {
        match_wait(&match, slow_at_4[i]);
        assert_int_equal(match_right(&match, 0), 0);
    }
    assert_int_equal(match.state.seat[0].fast, 4);
    assert_int_equal(match.state.seat[0].suspected, 0);
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_int_equal(match.state.seat[0].fast, 0);
    for (int i = 0; i < 5; i++) {
        match_wait(&match, 150);
        assert_int_equal(match_right(&match, 0), 0);
    }
    assert_int_equal(match.state.seat[0].suspected, 1);
    match_close(&match);
}

static void b17_in_the_window_the_claims_own_stamp_counts(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2, .light = true});
    for (int i = 0; i < 5; i++) {
        match_wait(&match, 190);
        match.rtt_ms = 400; /* no adjusted time: only the receive time */
        assert_int_equal(match_right(&match, 0), 0);
        match_wait(&match, DOBBLE_WINDOW_MS);
        assert_int_equal(match.state.seat[0].fast, i + 1);
    }
    match_close(&match);
}

static void b19_nobody_can_send_what_only_the_clock_does(void **unused)
{
    (void)unused;
    /* Fields 3 and up of the action: what a resolve or a tick would be if there were one. */
    static const uint8_t resolve[] = {0x1a, 0x00}, tick[] = {0x22, 0x00};
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2, .light = true});
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match_bytes(&match, 1, slice_of(resolve, 2)), DOBBLE_MALFORMED);
    assert_int_equal(match_bytes(&match, 1, slice_of(tick, 2)), DOBBLE_MALFORMED);
    assert_int_equal(match_bytes(&match, 1, (struct slice){0}), DOBBLE_MALFORMED);
    assert_int_equal(match.state.window_len, 1);
    match_close(&match);
}

static void b19_without_show_rtt_no_round_trip_is_sent(void **unused)
{
    (void)unused;
    struct game_options shown = match_game_options(&(struct match_options){0});
    struct game_options hidden = match_game_options(&(struct match_options){.hide_rtt = true});
    assert_true(game_shows_rtt(&dobble_game, &shown));
    assert_false(game_shows_rtt(&dobble_game, &hidden));
    struct match match = {0};
    match_open(&match, &(struct match_options){.hide_rtt = true});
    dobble_wire_view *view = match_view(&match);
    assert_false(view->settings->show_rtt);
    match_free_view(view);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(b7_another_card_than_the_one_tapped_on_is_late_without_a_penalty),
        cmocka_unit_test(b7_a_pile_dumped_on_me_makes_my_tap_late_not_wrong),
        cmocka_unit_test(b7_a_card_given_back_makes_the_next_tap_late),
        cmocka_unit_test(b7_a_claim_is_bound_to_no_screen_for_it_names_its_own_bases),
        cmocka_unit_test(b8_late_and_wrong_is_late_and_a_lock_comes_before_both),
        cmocka_unit_test(b8_phase_then_part_then_lock_then_cards_then_target_then_picture),
        cmocka_unit_test(b8_a_picture_beyond_the_list_is_a_protocol_error_without_a_lock),
        cmocka_unit_test(b8_a_winners_double_tap_is_swallowed),
        cmocka_unit_test(b8_also_the_double_tap_that_ended_a_round_is_swallowed),
        cmocka_unit_test(b11_a_wrong_claim_costs_the_top_card_but_never_the_first_and_at_most_five),
        cmocka_unit_test(b11_it_is_off_unless_chosen_belongs_to_the_tower_and_the_lock_applies_too),
        cmocka_unit_test(b12_the_view_names_the_targets_and_with_one_there_is_nothing_to_choose),
        cmocka_unit_test(b16_a_lock_ends_at_its_instant_and_survives_a_reconnect),
        cmocka_unit_test(b16_locks_and_windows_do_not_outlive_a_round),
        cmocka_unit_test(
            b17_reaction_counts_from_the_younger_card_and_a_slow_or_wrong_one_starts_anew),
        cmocka_unit_test(b17_in_the_window_the_claims_own_stamp_counts),
        cmocka_unit_test(b19_nobody_can_send_what_only_the_clock_does),
        cmocka_unit_test(b19_without_show_rtt_no_round_trip_is_sent));
}
