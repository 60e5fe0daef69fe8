/* SPDX-License-Identifier: Apache-2.0
 *
 * Symmetries: a game with colours swapped, numbers turned round or seats moved on is the same
 * game. Each test plays a game and its image side by side.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

typedef void image_of_state(struct davinci_state *state);
typedef void image_of_action(const struct davinci_state *before, struct davinci_action *action);
typedef int image_of_seat(const struct davinci_state *before, int seat);

struct symmetry {
    image_of_state *state;
    image_of_action *action;
    image_of_seat *seat;
    bool jokers;
};

static int same_seat(const struct davinci_state *before, int seat)
{
    (void)before;
    return seat;
}

/* After the deal and without the clock, whose choices prefer black, small and left. */
static void plays_alike(const struct symmetry *symmetry)
{
    for (uint32_t number = 0; number < 300; number++) {
        struct table game = {0}, image = {0};
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 6}};
        struct rng rng;
        rng_init(&rng, &seed, "symmetry");
        table_start(&game, &(struct table_options){.seats = 2 + (int)number % 3,
                                                   .jokers = symmetry->jokers && number / 3 % 2,
                                                   .white_left = number / 6 % 2,
                                                   .no_choice = number / 12 % 2,
                                                   .none = number / 24 % 2,
                                                   .seed = number});
        while (game.state.phase == DAVINCI_CHOOSE_START) table_clock(&game);
        image = game;
        memset(&image.events, 0, sizeof image.events);
        symmetry->state(&image.state);
        for (int i = 0; i < 400 && game.state.phase != DAVINCI_FINISHED; i++) {
            uint8_t bytes[GAME_ACTION_BYTES_MAX];
            struct davinci_action action, mirrored;
            struct davinci_state before = game.state;
            size_t len = davinci_random_action(&before, before.current, 0, &rng, bytes);
            assert_true(davinci_read_action(slice_of(bytes, len), &action));
            mirrored = action;
            symmetry->action(&before, &mirrored);
            assert_int_equal(table_act(&game, before.current, action), 0);
            assert_int_equal(table_act(&image, symmetry->seat(&before, before.current), mirrored),
                             0);
            struct davinci_state expected = game.state;
            symmetry->state(&expected);
            assert_true(same_state(&expected, &image.state));
        }
        assert_int_equal(game.state.phase, DAVINCI_FINISHED);
        table_close(&game);
        table_close(&image);
    }
}

/* ---- colours --------------------------------------------------------------------------------- */

static uint8_t other_color(uint8_t tile)
{
    if (tile == DAVINCI_NO_TILE) return tile;
    return (uint8_t)davinci_tile_of(1 - davinci_color_of(tile), davinci_face_of(tile));
}

static void swap_colors(struct davinci_state *state)
{
    struct davinci_state was = *state;
    state->rules.white_left = !was.rules.white_left;
    for (int color = 0; color < 2; color++) {
        state->pile_len[color] = was.pile_len[1 - color];
        memset(state->pile[color], 0, sizeof state->pile[color]);
        for (int i = 0; i < state->pile_len[color]; i++)
            state->pile[color][i] = other_color(was.pile[1 - color][i]);
    }
    for (int i = 0; i < state->merged_len; i++) state->merged[i] = 1 - was.merged[i];
    state->turn_tile = other_color(was.turn_tile);
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++)
            state->row[seat].at[i].tile = other_color(was.row[seat].at[i].tile);
    for (int i = 0; i < state->told_len; i++) state->told[i].color = 1 - was.told[i].color;
}

static void swap_color_drawn(const struct davinci_state *before, struct davinci_action *action)
{
    (void)before;
    if (action->kind == DAVINCI_ACT_DRAW && action->color >= 0) action->color = 1 - action->color;
}

static void swapping_colours_and_the_tie_order_mirrors_the_game(void **unused)
{
    (void)unused;
    plays_alike(&(struct symmetry){swap_colors, swap_color_drawn, same_seat, true});
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int turned_face(int is)
{
    return DAVINCI_NUMBERS + 1 - is;
}

static uint8_t turned(uint8_t tile)
{
    if (tile == DAVINCI_NO_TILE) return tile;
    return (uint8_t)davinci_tile_of(davinci_color_of(tile), turned_face(davinci_face_of(tile)));
}

static uint16_t turned_faces(uint16_t faces)
{
    uint32_t out = 0;
    for (int is = 1; is <= DAVINCI_NUMBERS; is++)
        if (faces >> is & 1) out |= 1u << turned_face(is);
    return (uint16_t)out;
}

/* How long the row was when a guess was made is not kept; positions of the past are left out of
 * the comparison. */
static void turn_numbers(struct davinci_state *state)
{
    struct davinci_state was = *state;
    state->rules.white_left = !was.rules.white_left;
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < state->pile_len[color]; i++)
            state->pile[color][i] = turned(was.pile[color][i]);
    state->turn_tile = turned(was.turn_tile);
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++) {
            struct davinci_tile *tile = &state->row[seat].at[i];
            *tile = was.row[seat].at[was.row[seat].len - 1 - i];
            tile->tile = turned(tile->tile);
            tile->refuted = turned_faces(tile->refuted);
        }
    state->rules.history = 0;
    state->told_len = 0;
}

static void turn_guess(const struct davinci_state *before, struct davinci_action *action)
{
    int seat = action->kind == DAVINCI_ACT_GUESS ? (int)action->target : before->current;
    if (action->kind == DAVINCI_ACT_GUESS) action->face = turned_face(action->face);
    if (action->kind == DAVINCI_ACT_GUESS || action->kind == DAVINCI_ACT_REVEAL_OWN)
        action->index = before->row[seat].len - 1u - action->index;
}

static void turning_numbers_round_turns_rows_round(void **unused)
{
    (void)unused;
    plays_alike(&(struct symmetry){turn_numbers, turn_guess, same_seat, false});
}

/* ---- seats ----------------------------------------------------------------------------------- */

static int moved(const struct davinci_state *state, int seat)
{
    return (seat + 1) % state->seats;
}

static void move_seats(struct davinci_state *state)
{
    struct davinci_state was = *state;
    for (int seat = 0; seat < was.seats; seat++) {
        int to = moved(&was, seat);
        state->row[to] = was.row[seat];
        state->guesses[to] = was.guesses[seat];
        state->correct[to] = was.correct[seat];
    }
    state->first = (uint8_t)moved(&was, was.first);
    state->current = (uint8_t)moved(&was, was.current);
    if (was.newest_entry) state->newest_seat = (uint8_t)moved(&was, was.newest_seat);
    if (was.winner != DAVINCI_NO_SEAT) state->winner = (uint8_t)moved(&was, was.winner);
    for (int i = 0; i < was.out_count; i++) state->out[i] = (uint8_t)moved(&was, was.out[i]);
    for (int i = 0; i < was.told_len; i++) {
        state->told[i].by = (uint8_t)moved(&was, was.told[i].by);
        state->told[i].target = (uint8_t)moved(&was, was.told[i].target);
    }
}

static void move_target(const struct davinci_state *before, struct davinci_action *action)
{
    if (action->kind == DAVINCI_ACT_GUESS)
        action->target = (uint32_t)moved(before, (int)action->target);
}

static void moving_seats_on_moves_the_run_on(void **unused)
{
    (void)unused;
    plays_alike(&(struct symmetry){move_seats, move_target, moved, true});
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(swapping_colours_and_the_tie_order_mirrors_the_game),
                     cmocka_unit_test(turning_numbers_round_turns_rows_round),
                     cmocka_unit_test(moving_seats_on_moves_the_run_on));
}
