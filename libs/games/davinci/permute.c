/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: another world that one viewer cannot tell from this one. Tiles that the
 * viewer does not know change places within their colour; rows stay sorted, first hands stay
 * without jokers, and no refuted value becomes true.
 */
#include "games/davinci/davinci.h"

enum { SWAPS = 96 };

/* Places of tiles that the viewer does not know. */
struct places {
    uint8_t *at[DAVINCI_TILES_MAX];
    int count;
};

static void hidden_places(struct davinci_state *state, int viewer, struct places *places)
{
    places->count = 0;
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++)
        for (int i = 0; i < state->pile_len[color]; i++)
            places->at[places->count++] = &state->pile[color][i];
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; seat != viewer && i < state->row[seat].len; i++)
            if (!state->row[seat].at[i].open)
                places->at[places->count++] = &state->row[seat].at[i].tile;
    if (state->turn_tile != DAVINCI_NO_TILE && state->phase != DAVINCI_PLACE_JOKER &&
        state->current != viewer)
        places->at[places->count++] = &state->turn_tile;
}

static void swap_tiles(uint8_t *a, uint8_t *b)
{
    uint8_t tile = *a;
    *a = *b;
    *b = tile;
}

static bool shuffle_places(struct davinci_state *state, int viewer, struct rng *rng)
{
    struct places places;
    bool changed = false;
    hidden_places(state, viewer, &places);
    for (int i = 0; places.count > 1 && i < SWAPS; i++) {
        uint8_t *a = places.at[rng_below(rng, (uint32_t)places.count)];
        uint8_t *b = places.at[rng_below(rng, (uint32_t)places.count)];
        if (a == b || davinci_color_of(*a) != davinci_color_of(*b)) continue;
        swap_tiles(a, b);
        if (davinci_audit(state) == NULL)
            changed = true;
        else
            swap_tiles(a, b);
    }
    return changed;
}

/* Two others' picks change places: who picked stays known, what stays hidden, and what is left
 * stays the same. */
static bool swap_picks(struct davinci_state *state, int viewer, struct rng *rng)
{
    int a = (int)rng_below(rng, state->seats), b = (int)rng_below(rng, state->seats);
    if (a == viewer || b == viewer || !state->pick[a].made || !state->pick[b].made ||
        state->pick[a].black == state->pick[b].black)
        return false;
    struct davinci_pick pick = state->pick[a];
    state->pick[a] = state->pick[b];
    state->pick[b] = pick;
    return true;
}

bool davinci_permute_hidden(void *data, int viewer_seat, struct rng *rng)
{
    struct davinci_state *state = data;
    if (state->phase == DAVINCI_FINISHED) return false;
    bool changed = shuffle_places(state, viewer_seat, rng);
    if (state->merged_len > 1) {
        rng_shuffle(rng, state->merged, state->merged_len);
        changed = true;
    }
    if (state->phase == DAVINCI_CHOOSE_START) {
        changed |= swap_picks(state, viewer_seat, rng);
        for (size_t i = 0; i < sizeof state->joker_seed.byte; i++)
            state->joker_seed.byte[i] = (uint8_t)rng_u32(rng);
        changed = true;
    }
    return changed;
}
