/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates (D17) against brute force, and what must always hold of them: the truth is one,
 * nothing that could be is left out, and a list only gets shorter.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

typedef void each_moment(const struct davinci_state *state, bool first, struct rng *rng,
                         void *data);

/* Calls back at every moment of seeded random games. */
static void at_every_moment(int games, int every, each_moment *call, void *data)
{
    for (uint32_t number = 0; number < (uint32_t)games; number++) {
        struct table table = {0};
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 3}};
        struct rng rng;
        rng_init(&rng, &seed, "candidates");
        table_start(&table, &(struct table_options){.seats = 2 + (int)number % 3,
                                                    .jokers = number / 3 % 2,
                                                    .white_left = number / 6 % 2,
                                                    .no_choice = true,
                                                    .seed = number,
                                                    .none = number / 12 % 2});
        for (int step = 0; step < 400 && table.state.phase != DAVINCI_FINISHED; step++) {
            uint8_t bytes[GAME_ACTION_BYTES_MAX];
            struct davinci_action action;
            size_t len = davinci_random_action(&table.state, table.state.current, 0, &rng, bytes);
            assert_true(davinci_read_action(slice_of(bytes, len), &action));
            assert_int_equal(table_act(&table, table.state.current, action), 0);
            if (rng_below(&rng, (uint32_t)every) == 0) call(&table.state, step == 0, &rng, data);
        }
        table_close(&table);
    }
}

/* ---- brute force ----------------------------------------------------------------------------- */

static bool stands_left(const struct davinci_sight *sight, int a_color, int a_face, int b_color,
                        int b_face)
{
    if (a_face != b_face) return a_face < b_face;
    return a_color != b_color && (a_color == DAVINCI_BLACK) != (sight->rules.white_left != 0);
}

/* Does the viewer know where this very tile is? */
static bool is_elsewhere(const struct davinci_sight *sight, int color, int wanted)
{
    bool found = sight->turn_color == color && sight->turn_face == wanted;
    for (int seat = 0; seat < sight->seats; seat++)
        for (int i = 0; i < sight->row[seat].len; i++)
            found = found || (sight->row[seat].at[i].color == color &&
                              sight->row[seat].at[i].face == wanted);
    return found;
}

/* Writes the value down and looks whether every pair of known numbers of the row is in order. */
static bool row_is_sorted_with(const struct davinci_sight *sight, int target, int index, int value)
{
    int color[DAVINCI_ROW_MAX], faces[DAVINCI_ROW_MAX], count = 0;
    for (int i = 0; i < sight->row[target].len; i++) {
        int is = i == index ? value : sight->row[target].at[i].face;
        if (is == DAVINCI_FACE_HIDDEN || is == DAVINCI_FACE_JOKER) continue;
        color[count] = sight->row[target].at[i].color;
        faces[count++] = is;
    }
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            if (!stands_left(sight, color[i], faces[i], color[k], faces[k])) return false;
    return true;
}

static uint16_t by_force(const struct davinci_sight *sight, int target, int index)
{
    const struct davinci_seen_tile *tile = &sight->row[target].at[index];
    uint32_t faces = 0;
    for (int value = 1; value <= DAVINCI_FACE_JOKER; value++) {
        if (value == DAVINCI_FACE_JOKER && !sight->rules.jokers) continue;
        if (tile->refuted >> value & 1 || is_elsewhere(sight, tile->color, value)) continue;
        if (row_is_sorted_with(sight, target, index, value)) faces |= 1u << value;
    }
    return (uint16_t)faces;
}

static void compare(const struct davinci_state *state, bool first, struct rng *rng, void *data)
{
    long *compared = data;
    (void)first;
    (void)rng;
    for (int viewer = 0; viewer < state->seats; viewer++) {
        struct davinci_sight sight;
        davinci_see(state, viewer, &sight);
        for (int seat = 0; seat < state->seats; seat++)
            for (int i = 0; i < sight.row[seat].len; i++) {
                if (sight.row[seat].at[i].face != DAVINCI_FACE_HIDDEN) continue;
                assert_int_equal(davinci_candidates(&sight, seat, i), by_force(&sight, seat, i));
                (*compared)++;
            }
    }
}

static void candidates_are_what_brute_force_finds(void **unused)
{
    (void)unused;
    long compared = 0;
    at_every_moment(300, 3, compare, &compared);
    assert_true(compared > 10000);
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void truth_is_among(const struct davinci_state *state, const struct davinci_state *world,
                           int viewer)
{
    struct davinci_sight sight;
    davinci_see(state, viewer, &sight);
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++)
            if (sight.row[seat].at[i].face == DAVINCI_FACE_HIDDEN)
                assert_true(davinci_candidates(&sight, seat, i) >>
                                davinci_face_of(world->row[seat].at[i].tile) &
                            1);
}

static void truth(const struct davinci_state *state, bool first, struct rng *rng, void *data)
{
    (void)first;
    (void)rng;
    (void)data;
    for (int viewer = GAME_SPECTATOR; viewer < state->seats; viewer++)
        truth_is_among(state, state, viewer);
}

static void the_true_value_is_always_a_candidate(void **unused)
{
    (void)unused;
    at_every_moment(500, 1, truth, NULL);
}

/* Worlds that the viewer cannot tell from this one: what is true in them is possible here. */
static void worlds(const struct davinci_state *state, bool first, struct rng *rng, void *data)
{
    long *seen = data;
    (void)first;
    for (int viewer = 0; viewer < state->seats; viewer++) {
        struct davinci_state world = *state;
        if (!davinci_permute_hidden(&world, viewer, rng)) continue;
        truth_is_among(state, &world, viewer);
        (*seen)++;
    }
}

static void no_value_of_a_consistent_world_is_left_out(void **unused)
{
    (void)unused;
    long seen = 0;
    at_every_moment(200, 4, worlds, &seen);
    assert_true(seen > 2000);
}

/* By seat and entry number, which stay with the tile: what was possible the last time somebody
 * looked. */
struct lists {
    uint16_t faces[4][4][DAVINCI_ROW_MAX + 1];
    long shorter;
};

static void shrink(const struct davinci_state *state, bool first, struct rng *rng, void *data)
{
    struct lists *lists = data;
    (void)rng;
    if (first) memset(lists->faces, 0, sizeof lists->faces);
    for (int viewer = 0; viewer < state->seats; viewer++) {
        struct davinci_sight sight;
        davinci_see(state, viewer, &sight);
        for (int seat = 0; seat < state->seats; seat++)
            for (int i = 0; i < sight.row[seat].len; i++) {
                const struct davinci_seen_tile *tile = &sight.row[seat].at[i];
                if (seat == viewer || tile->face != DAVINCI_FACE_HIDDEN) continue;
                uint16_t *was = &lists->faces[viewer][seat][tile->entry];
                uint16_t is = davinci_candidates(&sight, seat, i);
                if (*was) assert_int_equal(is & ~*was, 0);
                lists->shorter += *was != 0 && is != *was;
                *was = is;
            }
    }
}

static void lists_only_get_shorter_while_a_tile_is_hidden(void **unused)
{
    (void)unused;
    struct lists lists = {0};
    at_every_moment(400, 1, shrink, &lists);
    assert_true(lists.shorter > 1000);
}

static void stay(const struct davinci_state *state, bool first, struct rng *rng, void *data)
{
    uint16_t(*was)[DAVINCI_TILES_MAX] = data;
    (void)rng;
    if (first) memset(*was, 0, sizeof *was);
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++) {
            const struct davinci_tile *tile = &state->row[seat].at[i];
            if (!tile->open) assert_int_equal((*was)[tile->tile] & ~tile->refuted, 0);
            (*was)[tile->tile] = tile->refuted;
        }
}

static void refuted_values_stay_with_their_tile_through_insertions(void **unused)
{
    (void)unused;
    uint16_t was[DAVINCI_TILES_MAX] = {0};
    at_every_moment(300, 1, stay, &was);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(candidates_are_what_brute_force_finds),
                     cmocka_unit_test(the_true_value_is_always_a_candidate),
                     cmocka_unit_test(no_value_of_a_consistent_world_is_left_out),
                     cmocka_unit_test(lists_only_get_shorter_while_a_tile_is_hidden),
                     cmocka_unit_test(refuted_values_stay_with_their_tile_through_insertions));
}
