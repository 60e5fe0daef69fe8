/* SPDX-License-Identifier: Apache-2.0
 *
 * The checklist of the spec (section 10), line by line and in its order.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

/* 셋업: 2·3인은 각 4개, 4인은 각 3개. 시작 타일에 조커가 없다. 같은 시드면 같은 분배가 나온다. */
static void two_or_three_start_with_four_tiles_and_four_with_three_without_jokers(void **unused)
{
    (void)unused;
    for (int i = 0; i < 300; i++) {
        struct table a = {0}, b = {0};
        struct table_options options = {
            .seats = 2 + i % 3, .jokers = true, .no_choice = i % 2, .seed = (uint32_t)i};
        table_start(&a, &options);
        table_start(&b, &options);
        while (a.state.phase == DAVINCI_CHOOSE_START) table_clock(&a);
        while (b.state.phase == DAVINCI_CHOOSE_START) table_clock(&b);
        assert_true(same_state(&a.state, &b.state));
        for (int seat = 0; seat < a.state.seats; seat++) {
            assert_int_equal(a.state.row[seat].len, a.state.seats == 4 ? 3 : 4);
            for (int k = 0; k < a.state.row[seat].len; k++)
                assert_false(davinci_is_joker(a.state.row[seat].at[k].tile));
        }
        table_close(&a);
        table_close(&b);
    }
}

/* chooseStart: 3인이 모두 "흰4" → 12개로 충분해 성공. */
static void three_may_all_pick_four_white(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 3});
    for (int seat = 0; seat < 3; seat++) assert_int_equal(table_choose(&table, seat, 0, 4), 0);
    assert_int_equal(table.state.phase, DAVINCI_DRAW);
    assert_int_equal(table.state.pile_len[DAVINCI_WHITE], 0);
    assert_int_equal(table.state.pile_len[DAVINCI_BLACK], 12);
    table_close(&table);
}

/* 4인이 모두 "검3" → 성공하고 검정 0개만 남는다. 남은 수를 넘는 선택은 거부된다. */
static void four_may_all_pick_three_black_and_more_than_is_left_is_refused(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 4});
    for (int seat = 0; seat < 4; seat++) assert_int_equal(table_choose(&table, seat, 3, 0), 0);
    assert_int_equal(table.state.pile_len[DAVINCI_BLACK], 0);
    table_start(&table, &(struct table_options){.seats = 4, .start_tiles = 4});
    for (int seat = 0; seat < 3; seat++) assert_int_equal(table_choose(&table, seat, 4, 0), 0);
    assert_int_equal(table_choose(&table, 3, 1, 3), DAVINCI_TOO_MANY);
    assert_int_equal(table.refusal.params[0], 0);
    assert_int_equal(table.refusal.params[1], 4);
    assert_int_equal(table_choose(&table, 3, 0, 4), 0);
    table_close(&table);
}

static void insert(struct davinci_state *state, const char *name)
{
    int tile = table_tile(name);
    davinci_row_insert(state, 0, davinci_row_place(state, 0, tile), tile, false);
}

/* 정렬: [흰5, 검5, 검2] → [검2, 검5, 흰5] (black-left), [검2, 흰5, 검5] (white-left). */
static void tiles_sort_by_number_then_by_colour_as_agreed(void **unused)
{
    (void)unused;
    for (int white_left = 0; white_left <= 1; white_left++) {
        struct table table = {0};
        table.state.rules.white_left = (uint8_t)white_left;
        insert(&table.state, "w5");
        insert(&table.state, "b5");
        insert(&table.state, "b2");
        expect_row(&table, 0, white_left ? "b2 w5 b5" : "b2 b5 w5");
    }
}

/* 조커: 틀렸을 때 placeJoker에서 고른 위치에 앞면으로. 이후 새 숫자 타일은 조커 위치를 바꾸지 않는다. */
static void a_joker_after_a_miss_goes_open_where_its_owner_says_and_stays(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b3 w8", "b1 w9"},
                                              .jokers = true,
                                              .turn_tile = "bJ",
                                              .black = "b5",
                                              .white = "w10",
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(2)), 0);
    expect_phase(&table, DAVINCI_PLACE_JOKER, 0);
    assert_int_equal(table_place(&table, 0, 1), 0);
    expect_row(&table, 0, "b3 bJ! w8");
    assert_int_equal(table_draw(&table, 1, DAVINCI_WHITE), 0);
    assert_int_equal(table_guess(&table, 1, 0, 0, face(0)), 0);
    assert_int_equal(table_draw(&table, 0, DAVINCI_BLACK), 0);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(0)), 0);
    expect_row(&table, 0, "b3 b5! bJ! w8");
    table_close(&table);
}

/* 맞힘 → 계속 → 틀림: 맞힌 타일은 공개된 채로 남고, 이번 턴 타일은 앞면으로 들어간다. */
static void going_on_and_missing_keeps_the_hit_open_and_opens_the_turn_tile(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8"}, .turn_tile = "w3", .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_phase(&table, DAVINCI_AFTER_CORRECT, 0);
    assert_int_equal(table_continue(&table, 0), 0);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(7)), 0);
    expect_row(&table, 0, "b1 w3! w5");
    expect_row(&table, 1, "b4! w8");
    expect_phase(&table, DAVINCI_DRAW, 1);
    table_close(&table);
}

/* 맞힘 → 멈춤: 숨긴 채로 들어간다. 다른 플레이어 view에는 그 타일의 색만 있다. */
static void stopping_hides_the_turn_tile_and_others_see_its_colour_alone(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8"}, .turn_tile = "w3", .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    assert_int_equal(table_stop(&table, 0), 0);
    expect_row(&table, 0, "b1 w3 w5");
    expect_seen(&table, "row 0: b? w?* w?");
    expect_events(&table, "  0 puts at place 1: w?\n  turn 2: 1\n");
    expect_mine(&table, 1, "  1 alone: b4 w8\n");
    expect_mine(&table, 0, "  0 alone: b1 w3 w5\n");
    table_close(&table);
}

/* 마지막 숨은 타일을 맞히면 즉시 탈락. 2인이면 바로 끝나고 afterCorrect가 생기지 않는다. */
static void the_last_hidden_tile_eliminates_at_once_and_two_players_are_done(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8!", "b7 w10"},
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_events(&table, "  0 says to 1, place 0: b4, right\n  1 is out\n");
    expect_phase(&table, DAVINCI_AFTER_CORRECT, 0);
    assert_int_equal(table_stop(&table, 0), 0);
    expect_phase(&table, DAVINCI_DRAW, 2);
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8!"}, .turn_tile = "w3", .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_events(&table, "  0 says to 1, place 0: b4, right\n  1 is out\n  0 has won\n");
    expect_phase(&table, DAVINCI_FINISHED, 0);
    table_close(&table);
}

/* 더미가 빈 뒤: draw가 생략된다. 틀리면 revealOwn, 마지막 숨은 타일을 공개하면 본인이 탈락한다. */
static void with_an_empty_pool_nobody_draws_and_a_miss_reveals_an_own_tile(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4", "w7"},
                                              .rest = 3,
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(9)), 0);
    expect_phase(&table, DAVINCI_GUESS, 1);
    assert_int_equal(table_guess(&table, 1, 0, 0, face(9)), 0);
    expect_phase(&table, DAVINCI_REVEAL_OWN, 1);
    assert_int_equal(table_reveal(&table, 1, 0), 0);
    expect_events(&table, "  1 reveals place 0: 4\n  1 is out\n  turn 3: 2\n");
    expect_phase(&table, DAVINCI_GUESS, 2);
    table_close(&table);
}

/* 공개된 타일, 탈락자, 자기 타일, 12, -1, 3.5, jokers=off에서 'joker'는 거부된다. */
static void what_cannot_be_guessed_is_refused(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8!", "b7! w10!"},
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    struct davinci_state before = table.state;
    assert_int_equal(table_guess(&table, 0, 1, 1, face(8)), DAVINCI_REVEALED);
    assert_int_equal(table_guess(&table, 0, 2, 0, face(8)), DAVINCI_ELIMINATED);
    assert_int_equal(table_guess(&table, 0, 0, 0, face(8)), DAVINCI_OWN_TILE);
    assert_int_equal(table_guess(&table, 0, 3, 0, face(8)), DAVINCI_NO_SUCH_PLAYER);
    assert_int_equal(table_guess(&table, 0, 1, 2, face(8)), DAVINCI_NO_SUCH_TILE);
    assert_int_equal(table_guess(&table, 0, 1, 0, DAVINCI_FACE_JOKER + 1), DAVINCI_VALUE_RANGE);
    assert_int_equal(table_guess(&table, 0, 1, 0, -1), DAVINCI_VALUE_RANGE);
    assert_int_equal(table_guess(&table, 0, 1, 0, face(-1)), DAVINCI_VALUE_RANGE);
    assert_int_equal(table_guess(&table, 0, 1, 0, DAVINCI_FACE_JOKER), DAVINCI_NO_JOKERS);
    /* A guess whose value is the float 3.5: no whole number at all. */
    static const uint8_t half[] = {0x1a, 7, 0x08, 1, 0x1d, 0, 0, 0x60, 0x40};
    struct davinci_action action;
    assert_false(davinci_read_action(slice_of(half, sizeof half), &action));
    assert_true(same_state(&before, &table.state));
    table_close(&table);
}

/* 시간 초과: 자동 추리는 공개 정보만으로 결정적이고, 상대 숨은 숫자를 참조하지 않는다. */
static void a_guess_by_the_clock_rests_on_what_its_player_knows(void **unused)
{
    (void)unused;
    struct game_seed seed = {{9}};
    struct rng rng;
    rng_init(&rng, &seed, "worlds");
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8 b9", "b7 w10"},
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    struct davinci_action here, there;
    davinci_automatic(&table.state, 0, &here);
    for (int i = 0; i < 200; i++) {
        struct davinci_state other = table.state;
        assert_true(davinci_permute_hidden(&other, 0, &rng));
        davinci_automatic(&other, 0, &there);
        assert_memory_equal(&here, &there, sizeof here);
    }
    table_clock(&table);
    expect_events(&table, "  0 says to 2, place 0: b0, wrong, by the clock\n"
                          "  0 puts at place 1: w3, by the clock\n  turn 2: 1\n");
    table_close(&table);
}

/* 연결 끊김: 끊긴 플레이어 차례가 자동으로 진행되고, 게임이 멈추지 않는다. */
static void a_game_of_absent_players_goes_on_and_ends(void **unused)
{
    (void)unused;
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct table table = {0};
        table_start(&table, &(struct table_options){
                                .seats = 2 + (int)seed % 3, .jokers = seed % 2, .seed = seed});
        int fires = 0;
        for (; table.state.phase != DAVINCI_FINISHED; fires++) table_clock(&table);
        assert_in_range(fires, 1, 1 + 25 * 4);
        table_close(&table);
    }
}

/* 정보 유출: 관전자와 상대 view에 남의 숨은 숫자, 이번 턴 타일 숫자가 없다. tileDrawn도 본인 외에는 색만. */
static void others_see_no_hidden_number_and_hear_only_the_colour_drawn(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8"}, .white = "w3", .phase = DAVINCI_DRAW});
    assert_int_equal(table_draw(&table, 0, DAVINCI_WHITE), 0);
    expect_events(&table, "  0 draws w?\n  to 0 alone: 3\n");
    expect_seen(&table, "turn tile w?");
    expect_seen(&table, "row 0: b? w?\n  row 1: b? w?\n");
    expect_mine(&table, 0, "  0 alone: b1 w5; turn tile 3\n");
    expect_mine(&table, 1, "  1 alone: b4 w8\n");
    struct buf shared = {0}, mine = {0};
    davinci_game.view(&table.state, &(struct game_viewer){GAME_SPECTATOR, true}, &shared, &mine);
    assert_int_equal(mine.len, 0);
    buf_fini(&shared);
    table_close(&table);
}

/* 정보 유출: 종료 후에는 finalRows로 전원 공개되는 것이 정상이다. */
static void after_the_end_everything_is_shown(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){
                           .rows = {"b1 w5", "b4 w8!"}, .turn_tile = "w3", .phase = DAVINCI_GUESS});
    expect_unseen(&table, "final");
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_seen(&table, "final 0: b1 w5\n  final 1: b4! w8!\n");
    table_close(&table);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(two_or_three_start_with_four_tiles_and_four_with_three_without_jokers),
        cmocka_unit_test(three_may_all_pick_four_white),
        cmocka_unit_test(four_may_all_pick_three_black_and_more_than_is_left_is_refused),
        cmocka_unit_test(tiles_sort_by_number_then_by_colour_as_agreed),
        cmocka_unit_test(a_joker_after_a_miss_goes_open_where_its_owner_says_and_stays),
        cmocka_unit_test(going_on_and_missing_keeps_the_hit_open_and_opens_the_turn_tile),
        cmocka_unit_test(stopping_hides_the_turn_tile_and_others_see_its_colour_alone),
        cmocka_unit_test(the_last_hidden_tile_eliminates_at_once_and_two_players_are_done),
        cmocka_unit_test(with_an_empty_pool_nobody_draws_and_a_miss_reveals_an_own_tile),
        cmocka_unit_test(what_cannot_be_guessed_is_refused),
        cmocka_unit_test(a_guess_by_the_clock_rests_on_what_its_player_knows),
        cmocka_unit_test(a_game_of_absent_players_goes_on_and_ends),
        cmocka_unit_test(others_see_no_hidden_number_and_hear_only_the_colour_drawn),
        cmocka_unit_test(after_the_end_everything_is_shown));
}
