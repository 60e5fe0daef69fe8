/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings D20 to D28 and P4: absence, views, versions, the result.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

static const struct davinci_spec two = {.rows = {"b1 w5", "b4 w8"},
                                        .turn_tile = "w3",
                                        .phase = DAVINCI_GUESS};

static void d20_guesses_by_the_clock_are_marked_and_count_for_nobody(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &two);
    table_clock(&table);
    expect_seen(&table, ", by the clock");
    expect_unseen(&table, "right");
    assert_int_equal(table.state.guesses[0], 0);
    assert_int_equal(table.state.told[0].automatic, 1);
    table_clock(&table);
    assert_int_equal(table_guess(&table, 1, 0, 0, face(1)), 0);
    assert_int_equal(table.state.guesses[1], 1);
    assert_int_equal(table.state.correct[1], 1);
    assert_int_equal(table.state.told[1].automatic, 0);
    table_close(&table);
}

static void d21_a_hurried_seat_has_five_seconds_in_every_phase(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &two);
    table.hurried = 1;
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_left(&table, 5000);
    assert_int_equal(table_continue(&table, 0), 0);
    expect_left(&table, 5000);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(4)), 0);
    expect_left(&table, 10000); /* the next player's */
    table_close(&table);
}

static void d21_who_returns_has_ten_seconds_once_a_turn(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &two);
    table_return(&table, 0);
    expect_left(&table, 30000); /* there was enough */
    table.now += 25000;
    table_return(&table, 1);
    expect_left(&table, 5000); /* not the one who is to act */
    table_return(&table, 0);
    expect_left(&table, 10000);
    table.now += 8000;
    table_return(&table, 0);
    expect_left(&table, 2000); /* once */
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    table.now += 9000;
    table_return(&table, 0);
    expect_left(&table, 1000); /* once a turn, not a phase */
    table_clock(&table);
    table.now += 8000;
    table_return(&table, 1);
    expect_left(&table, 10000);
    table_close(&table);
}

static void d21_a_return_helps_a_hurried_seat_too(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8"}, .phase = DAVINCI_DRAW});
    table.hurried = 1;
    assert_int_equal(table_draw(&table, 0, DAVINCI_BLACK), 0);
    expect_left(&table, 5000);
    table_return(&table, 0);
    expect_left(&table, 10000);
    table_close(&table);
}

static void d21_choosing_is_no_turn(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct game_status status;
    table_start(&table, &(struct table_options){.seats = 2});
    davinci_game.status(&table.state, &status);
    assert_int_equal(status.turn, 0);
    assert_int_equal(status.turn_seat, -1);
    assert_int_equal(status.to_act, 3);
    table_clock(&table);
    davinci_game.status(&table.state, &status);
    assert_int_equal(status.turn, 1);
    assert_int_equal(status.turn_seat, table.state.current);
    assert_int_equal(status.to_act, 1 << table.state.current);
    table_close(&table);
}

static void d22_who_left_is_played_by_the_clock_and_marked_in_the_result(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_spec spec = {.rows = {"b1 w5", "b4 w8!"},
                                .turn_tile = "w3",
                                .phase = DAVINCI_GUESS};
    table_open(&table, &spec);
    table.left = 1 << 1;
    assert_int_equal(table_guess(&table, 0, 1, 0, face(3)), 0);
    expect_left(&table, 5000);
    table_clock(&table);
    expect_phase(&table, DAVINCI_GUESS, 1);
    expect_left(&table, 5000);
    table.left = 0; /* taken up again */
    assert_int_equal(table_guess(&table, 1, 0, 0, face(1)), 0);
    expect_left(&table, 10000);
    table_open(&table, &spec);
    table.left = 1 << 1;
    assert_int_equal(table_guess(&table, 0, 1, 0, face(4)), 0);
    expect_seen(&table, "rank 2: seat 1, 0 hidden, 0 of 0 right, had left\n");
    expect_seen(&table, "rank 1: seat 0, 2 hidden, 1 of 1 right\n");
    table_close(&table);
}

/* Every hidden number of each seat in turn: not one byte of what others get changes, in content
 * or length. */
static void d23_a_hidden_tile_is_a_colour_and_nothing_that_depends_on_its_number(void **unused)
{
    (void)unused;
    struct table table = {0};
    struct davinci_state other;
    for (int n = 0; n < 12; n++) {
        table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8"},
                                                  .turn_tile = "w3",
                                                  .phase = DAVINCI_GUESS});
        other = table.state;
        int tile = table_tile("b0") + n;
        for (int i = 0; i < other.pile_len[DAVINCI_BLACK]; i++)
            if (other.pile[DAVINCI_BLACK][i] == tile) {
                other.pile[DAVINCI_BLACK][i] = other.row[1].at[0].tile;
                other.row[1].at[0].tile = (uint8_t)tile;
            }
        if (davinci_audit(&other)) continue; /* black 9 to 11 do not stand before white 8 */
        expect_same_view(&table.state, &other, GAME_SPECTATOR);
        expect_same_view(&table.state, &other, 0);
        struct buf a = table_view(&table.state, 1), b = table_view(&other, 1);
        assert_int_equal(a.len, b.len); /* every face is one byte */
        buf_fini(&a);
        buf_fini(&b);
        table_close(&table);
    }
}

static bool bound(struct davinci_action action)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    return davinci_game.bound(slice_of(bytes, davinci_write_action(&action, bytes)));
}

static void d24_every_action_but_the_first_pick_is_made_for_one_version(void **unused)
{
    (void)unused;
    assert_false(
        bound((struct davinci_action){.kind = DAVINCI_ACT_CHOOSE_START, .black = 2, .white = 2}));
    for (int kind = DAVINCI_ACT_DRAW; kind <= DAVINCI_ACT_REVEAL_OWN; kind++)
        assert_true(
            bound((struct davinci_action){.kind = (enum davinci_action_kind)kind, .color = -1}));
    assert_true(davinci_game.bound(slice_text("no action")));
    assert_true(davinci_game.bound((struct slice){0}));
}

static void d25_rows_are_sent_from_small_to_large(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_start(&table, &(struct table_options){.seats = 2, .no_choice = true, .seed = 3});
    while (table.state.phase != DAVINCI_FINISHED) {
        for (int seat = 0; seat < 2; seat++) {
            int key = -1;
            for (int i = 0; i < table.state.row[seat].len; i++) {
                int tile = table.state.row[seat].at[i].tile;
                assert_true(davinci_key(&table.state.rules, davinci_color_of(tile),
                                        davinci_face_of(tile)) > key);
                key =
                    davinci_key(&table.state.rules, davinci_color_of(tile), davinci_face_of(tile));
            }
        }
        table_clock(&table);
    }
    table_close(&table);
}

static void d26_the_guides_table_adds_up(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table,
               &(struct davinci_spec){.rows = {"b1 w5 b9", "w0 b4 w8", "b0 w1 b5", "w4 b7 w11"},
                                      .white = "w3",
                                      .phase = DAVINCI_DRAW});
    static const char *const black[] = {"b2", "b3", "b6", "b8", "b10", "b11"};
    static const char *const white[] = {"w3", "w2", "w6", "w7", "w9", "w10"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(table.state.pile[DAVINCI_BLACK][i], table_tile(black[i]));
        assert_int_equal(table.state.pile[DAVINCI_WHITE][i], table_tile(white[i]));
    }
    assert_int_equal(table_draw(&table, 0, DAVINCI_WHITE), 0);
    assert_int_equal(table_guess(&table, 0, 1, 1, face(4)), 0);
    assert_int_equal(table_stop(&table, 0), 0);
    assert_int_equal(table.state.row[0].at[1].tile, table_tile("w3"));
    table_close(&table);
}

static void d27_ranks_follow_elimination_and_nobody_gets_points(void **unused)
{
    (void)unused;
    for (uint32_t seed = 0; seed < 50; seed++) {
        struct table table = {0};
        struct game_result result;
        table_start(&table, &(struct table_options){.seats = 4, .seed = seed});
        davinci_game.result(&table.state, &result); /* abandoned now, nobody would have won */
        for (int seat = 0; seat < 4; seat++) assert_int_equal(result.seat[seat].rank, 0);
        assert_int_equal(result.next_starter, -1);
        while (table.state.phase != DAVINCI_FINISHED) table_clock(&table);
        davinci_game.result(&table.state, &result);
        for (int i = 0; i < 3; i++) assert_int_equal(result.seat[table.state.out[i]].rank, 4 - i);
        assert_int_equal(result.seat[table.state.winner].rank, 1);
        assert_true(result.seat[table.state.winner].winner);
        assert_int_equal(result.next_starter, table.state.winner);
        for (int seat = 0; seat < 4; seat++) assert_int_equal(result.seat[seat].points, 0);
        table_close(&table);
    }
}

static void d28_a_guess_that_cannot_be_is_allowed(void **unused)
{
    (void)unused;
    struct table table = {0};
    table_open(&table, &(struct davinci_spec){.rows = {"b1 w5", "b4 w8", "b0! w2"},
                                              .turn_tile = "w3",
                                              .phase = DAVINCI_GUESS});
    assert_int_equal(table_guess(&table, 0, 1, 0, face(0)), 0); /* black 0 lies open beside it */
    assert_int_equal(table.state.guesses[0], 1);
    table_close(&table);
}

/* A rematch in the same memory is the game that it would be in any other. */
static void p4_a_rematch_starts_from_nothing(void **unused)
{
    (void)unused;
    struct table played = {0}, fresh = {0};
    struct table_options options = {.seats = 3, .seed = 1, .no_choice = true};
    table_start(&played, &options);
    while (played.state.phase != DAVINCI_FINISHED) table_clock(&played);
    struct game_options values;
    struct game_seed seed = {{42}};
    game_options_default(&davinci_game, &values);
    struct game_setup setup = {
        .options = &values, .seats = 3, .seed = &seed, .starter = 1, .now = TABLE_NOW};
    memset(&fresh, 0, sizeof fresh);
    davinci_game.setup(&played.state, &setup);
    davinci_game.setup(&fresh.state, &setup);
    assert_memory_equal(&played.state, &fresh.state, sizeof fresh.state);
    table_close(&played);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(d20_guesses_by_the_clock_are_marked_and_count_for_nobody),
                     cmocka_unit_test(d21_a_hurried_seat_has_five_seconds_in_every_phase),
                     cmocka_unit_test(d21_who_returns_has_ten_seconds_once_a_turn),
                     cmocka_unit_test(d21_a_return_helps_a_hurried_seat_too),
                     cmocka_unit_test(d21_choosing_is_no_turn),
                     cmocka_unit_test(d22_who_left_is_played_by_the_clock_and_marked_in_the_result),
                     cmocka_unit_test(
                         d23_a_hidden_tile_is_a_colour_and_nothing_that_depends_on_its_number),
                     cmocka_unit_test(d24_every_action_but_the_first_pick_is_made_for_one_version),
                     cmocka_unit_test(d25_rows_are_sent_from_small_to_large),
                     cmocka_unit_test(d26_the_guides_table_adds_up),
                     cmocka_unit_test(d27_ranks_follow_elimination_and_nobody_gets_points),
                     cmocka_unit_test(d28_a_guess_that_cannot_be_is_allowed),
                     cmocka_unit_test(p4_a_rematch_starts_from_nothing));
}
