/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings D1 to D8: setting up and the first picks.
 */
#include "unit/games/chance.h"
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

#include <math.h>

/* Deals without anybody choosing. */
static void deal(struct table *table, const struct table_options *options)
{
    table_start(table, options);
    while (table->state.phase == DAVINCI_CHOOSE_START) table_clock(table);
}

static int joker_place(const struct davinci_state *state, int color)
{
    for (int i = 0; i < state->pile_len[color]; i++)
        if (davinci_is_joker(state->pile[color][i])) return i;
    fail_msg("the joker is not in its colour's pile");
    return -1;
}

static void d1_jokers_go_into_their_own_piles_anywhere(void **unused)
{
    (void)unused;
    enum { GAMES = 4500, PLACES = 9 }; /* 2 players with 2 black each: 8 left, so 9 places */
    int places[2][PLACES] = {{0}};
    for (uint32_t seed = 0; seed < GAMES; seed++) {
        struct table table = {0};
        deal(&table, &(struct table_options){.seats = 2, .jokers = true, .seed = seed});
        for (int color = 0; color < 2; color++) places[color][joker_place(&table.state, color)]++;
        table_close(&table);
    }
    assert_true(distance_from_uniform(places[DAVINCI_BLACK], PLACES) < 5);
    assert_true(distance_from_uniform(places[DAVINCI_WHITE], PLACES) < 5);
}

static void d2_the_first_player_is_drawn_or_the_last_winner(void **unused)
{
    (void)unused;
    int first[3] = {0};
    for (uint32_t seed = 0; seed < 3000; seed++) {
        struct table table = {0};
        table_start(&table, &(struct table_options){.seats = 3, .seed = seed});
        first[table.state.first]++;
        table_start(&table, &(struct table_options){.seats = 3, .seed = seed, .starter = 1 + 2});
        assert_int_equal(table.state.first, 2);
    }
    assert_true(distance_from_uniform(first, 3) < 5);
}

static void d3_history_is_shown_unless_it_is_off(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct game_options options;
    game_options_default(&davinci_game, &options);
    assert_int_equal(options.value[DAVINCI_OPT_HISTORY], 1);
    struct davinci_spec spec = {.rows = {"b1 w5", "b4 w8"},
                                .turn_tile = "w3",
                                .phase = DAVINCI_GUESS};
    table_open(&table, &spec);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(7)), 0);
    expect_seen(&table, "told 1: turn 1, 0 to 1, place 1 (its tile 2), w7, wrong");
    expect_seen(&table, "w?{7}");
    table_close(&table);
    spec.no_history = true;
    table_open(&table, &spec);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(7)), 0);
    expect_unseen(&table, "told");
    expect_unseen(&table, "{");
    assert_int_equal(table.state.told_len, 0);
    assert_int_equal(table.events.count, 3); /* it is still said aloud */
    table_close(&table);
}

static void d4_every_start_is_allowed_and_a_small_pool_is_noted(void **unused)
{
    (void)unused;
    static const int starts[] = {0, 3, 4, 5};
    for (int seats = 2; seats <= 4; seats++)
        for (int i = 0; i < 4; i++) {
            struct game_options options;
            const char *text = NULL;
            game_options_default(&davinci_game, &options);
            options.value[DAVINCI_OPT_START_TILES] = starts[i];
            enum game_verdict verdict = davinci_game.check(&options, seats, &text);
            assert_int_equal(verdict,
                             seats == 4 && starts[i] == 5 ? GAME_OPTIONS_NOTE : GAME_OPTIONS_OK);
            if (verdict == GAME_OPTIONS_NOTE) assert_string_equal(text, "note.davinci-code.short");
            struct table table = {0};
            deal(&table, &(struct table_options){.seats = seats, .start_tiles = starts[i]});
            table_close(&table);
        }
}

static void d5_picks_take_what_is_left_in_order_of_arrival(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 4, .start_tiles = 5});
    expect_left(&table, 15000);
    assert_int_equal(table_choose(&table, 3, 5, 0), 0);
    assert_int_equal(table_choose(&table, 1, 5, 0), 0);
    expect_seen(&table, "pool 12 black, 12 white");
    assert_int_equal(table_choose(&table, 0, 3, 2), DAVINCI_TOO_MANY);
    assert_int_equal(table.refusal.param_count, 2);
    assert_int_equal(table.refusal.params[0], 2);
    assert_int_equal(table.refusal.params[1], 5);
    assert_int_equal(table_choose(&table, 0, 2, 3), 0);
    table_close(&table);
}

static void d5_the_same_pick_again_is_fine_and_another_is_not(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 2});
    assert_int_equal(table_choose(&table, 0, 1, 3), 0);
    struct davinci_state before = table.state;
    table.now += 5000;
    assert_int_equal(table_choose(&table, 0, 1, 3), 0);
    assert_int_equal(table.events.count, 0);
    assert_true(same_state(&before, &table.state));
    assert_int_equal(table_choose(&table, 0, 2, 2), DAVINCI_ALREADY_PICKED);
    assert_int_equal(table_choose(&table, 1, 2, 1), DAVINCI_SUM);
    assert_int_equal(table.refusal.params[0], 4);
    assert_int_equal(table_draw(&table, 0, DAVINCI_BLACK), DAVINCI_WRONG_PHASE);
    assert_int_equal(table.state.deadline, before.deadline);
    table_close(&table);
}

static void d5_a_pick_shows_that_it_was_made_and_nothing_else(void **unused)
{
    (void)unused;
    struct table a = {0}, b = {0};
    table_start(&a, &(struct table_options){.seats = 3});
    b = a;
    assert_int_equal(table_choose(&a, 1, 4, 0), 0);
    assert_int_equal(table_choose(&b, 1, 0, 4), 0);
    expect_same_view(&a.state, &b.state, GAME_SPECTATOR);
    expect_same_view(&a.state, &b.state, 0);
    expect_same_events(&a.events, &b.events, 0);
    expect_seen(&a, "row 1: (picked)");
    expect_mine(&a, 1, "  1 alone: picked 4 black, 0 white\n");
    table_close(&a);
    table_close(&b);
}

static void d6_the_deal_depends_on_the_picks_and_not_on_their_order(void **unused)
{
    (void)unused;
    static const int order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int black[] = {1, 4, 2};
    struct table tables[6] = {0};
    for (int i = 0; i < 6; i++) {
        table_start(&tables[i], &(struct table_options){.seats = 3, .jokers = true, .seed = 77});
        for (int k = 0; k < 3; k++)
            assert_int_equal(table_choose(&tables[i], order[i][k], black[order[i][k]],
                                          4 - black[order[i][k]]),
                             0);
        assert_true(same_state(&tables[0].state, &tables[i].state));
    }
    for (int i = 0; i < 6; i++) table_close(&tables[i]);
}

static void d6_the_deal_goes_round_from_the_first_player_black_before_white(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 2, .starter = 1 + 1});
    uint8_t black[12], white[12];
    memcpy(black, table.state.pile[DAVINCI_BLACK], 12);
    memcpy(white, table.state.pile[DAVINCI_WHITE], 12);
    assert_int_equal(table_choose(&table, 0, 3, 1), 0);
    assert_int_equal(table_choose(&table, 1, 2, 2), 0);
    uint32_t held[2] = {0};
    for (int seat = 0; seat < 2; seat++)
        for (int i = 0; i < 4; i++) held[seat] |= 1u << table.state.row[seat].at[i].tile;
    assert_int_equal(held[1], 1u << black[0] | 1u << black[1] | 1u << white[0] | 1u << white[1]);
    assert_int_equal(held[0], 1u << black[2] | 1u << black[3] | 1u << black[4] | 1u << white[2]);
    table_close(&table);
}

static void d6_who_is_absent_gets_half_and_half_as_far_as_there_is(void **unused)
{
    (void)unused;
    static const struct {
        int seats, start, black;
    } cases[] = {{4, 3, 2}, {2, 4, 2}, {2, 5, 3}};
    for (int i = 0; i < 3; i++) {
        struct table table = {0};
        table_start(&table, &(struct table_options){.seats = cases[i].seats,
                                                    .start_tiles = cases[i].start});
        table_clock(&table);
        assert_int_equal(table.state.pile_len[DAVINCI_BLACK], 12 - cases[i].seats * cases[i].black);
        table_close(&table);
    }
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 4, .start_tiles = 5, .starter = 1});
    assert_int_equal(table_choose(&table, 1, 5, 0), 0);
    assert_int_equal(table_choose(&table, 3, 5, 0), 0);
    table_clock(&table); /* seat 0 comes first and takes both; seat 2 gets none */
    expect_seen(&table, "pool 0 black, 4 white");
    expect_seen(&table, "row 2: w? w? w? w? w?");
    table_close(&table);
}

static void d7_with_all_black_dealt_drawing_black_is_refused(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 4, .starter = 1});
    for (int seat = 0; seat < 4; seat++) assert_int_equal(table_choose(&table, seat, 3, 0), 0);
    assert_int_equal(table_draw(&table, 0, DAVINCI_BLACK), DAVINCI_COLOR_EMPTY);
    assert_int_equal(table.refusal.params[0], 1);
    assert_int_equal(table_draw(&table, 0, -1), DAVINCI_COLOR_NEEDED);
    table_clock(&table); /* the fuller pile */
    expect_seen(&table, "turn tile w?");
    table_close(&table);
}

static void d8_without_a_choice_one_merged_order_is_dealt_and_drawn(void **unused)
{
    (void)unused;
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct table table = {0};
        table_start(&table, &(struct table_options){
                                .seats = 3, .no_choice = true, .jokers = seed % 2, .seed = seed});
        int current = table.state.current;
        assert_int_equal(table.state.phase, DAVINCI_DRAW);
        assert_int_equal(table.state.turn, 1);
        assert_int_equal(table.state.merged_len, davinci_pool_len(&table.state));
        assert_int_equal(table_draw(&table, current, DAVINCI_BLACK), DAVINCI_NO_COLOR_CHOICE);
        int color = table.state.merged[0], tile = table.state.pile[color][0];
        assert_int_equal(table_draw(&table, current, -1), 0);
        assert_int_equal(table.state.turn_tile, tile);
        table_close(&table);
    }
}

/* 18 tiles lie in the pool, the two jokers always among them: each of the 18 is as likely to be the
 * next one, and so is each colour. */
static void d8_the_merged_order_is_uniform_over_tiles(void **unused)
{
    (void)unused;
    enum { GAMES = 6000 };
    int next_number[24] = {0}, next_joker[2] = {0}, next_color[2] = {0};
    for (uint32_t seed = 0; seed < GAMES; seed++) {
        struct table table = {0};
        table_start(&table, &(struct table_options){
                                .seats = 2, .no_choice = true, .jokers = true, .seed = seed});
        int color = table.state.merged[0], tile = table.state.pile[color][0];
        next_color[color]++;
        if (davinci_is_joker(tile))
            next_joker[color]++;
        else
            next_number[color * 12 + davinci_face_of(tile) - 1]++;
        table_close(&table);
    }
    assert_true(distance_from_uniform(next_color, 2) < 5);
    assert_true(distance_from_uniform(next_number, 24) < 5);
    for (int color = 0; color < 2; color++)
        assert_true(fabs(next_joker[color] - GAMES / 18.0) < 5 * sqrt(GAMES / 18.0));
}

/* Every number is as likely in every seat's hand. */
static void the_deal_is_uniform_over_seats(void **unused)
{
    (void)unused;
    int held[3][24] = {{0}};
    for (uint32_t seed = 0; seed < 4000; seed++) {
        struct table table = {0};
        deal(&table, &(struct table_options){.seats = 3, .seed = seed});
        for (int seat = 0; seat < 3; seat++)
            for (int i = 0; i < 4; i++) {
                int tile = table.state.row[seat].at[i].tile;
                held[seat][tile < 12 ? tile : tile - 1]++;
            }
        table_close(&table);
    }
    for (int seat = 0; seat < 3; seat++) assert_true(distance_from_uniform(held[seat], 24) < 5);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(d1_jokers_go_into_their_own_piles_anywhere),
                     cmocka_unit_test(d2_the_first_player_is_drawn_or_the_last_winner),
                     cmocka_unit_test(d3_history_is_shown_unless_it_is_off),
                     cmocka_unit_test(d4_every_start_is_allowed_and_a_small_pool_is_noted),
                     cmocka_unit_test(d5_picks_take_what_is_left_in_order_of_arrival),
                     cmocka_unit_test(d5_the_same_pick_again_is_fine_and_another_is_not),
                     cmocka_unit_test(d5_a_pick_shows_that_it_was_made_and_nothing_else),
                     cmocka_unit_test(d6_the_deal_depends_on_the_picks_and_not_on_their_order),
                     cmocka_unit_test(
                         d6_the_deal_goes_round_from_the_first_player_black_before_white),
                     cmocka_unit_test(d6_who_is_absent_gets_half_and_half_as_far_as_there_is),
                     cmocka_unit_test(d7_with_all_black_dealt_drawing_black_is_refused),
                     cmocka_unit_test(d8_without_a_choice_one_merged_order_is_dealt_and_drawn),
                     cmocka_unit_test(d8_the_merged_order_is_uniform_over_tiles),
                     cmocka_unit_test(the_deal_is_uniform_over_seats));
}
