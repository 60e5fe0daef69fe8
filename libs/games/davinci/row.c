/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of tiles, small to large. Tiles never move; new ones are put between.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"

int davinci_row_place(const struct davinci_state *state, int seat, int tile)
{
    const struct davinci_row *row = &state->row[seat];
    int key = davinci_key(&state->rules, davinci_color_of(tile), davinci_face_of(tile));
    int place = 0;
    for (int i = 0; i < row->len; i++) {
        int other = row->at[i].tile;
        if (!davinci_is_joker(other) &&
            davinci_key(&state->rules, davinci_color_of(other), davinci_face_of(other)) < key)
            place = i + 1;
    }
    return place;
}

int davinci_row_insert(struct davinci_state *state, int seat, int index, int tile, bool open)
{
    struct davinci_row *row = &state->row[seat];
    CHECK(row->len < DAVINCI_ROW_MAX && index >= 0 && index <= row->len);
    memmove(&row->at[index + 1], &row->at[index], (size_t)(row->len - index) * sizeof row->at[0]);
    row->len++;
    row->at[index] = (struct davinci_tile){.tile = (uint8_t)tile, .open = open, .entry = row->len};
    return row->len;
}

void davinci_row_open(struct davinci_state *state, int seat, int index)
{
    struct davinci_tile *tile = &state->row[seat].at[index];
    CHECK(index < state->row[seat].len && !tile->open);
    tile->open = 1;
    tile->refuted = 0;
}

int davinci_row_hidden(const struct davinci_state *state, int seat)
{
    int hidden = 0;
    for (int i = 0; i < state->row[seat].len; i++) hidden += !state->row[seat].at[i].open;
    return hidden;
}

int davinci_row_first_hidden(const struct davinci_state *state, int seat)
{
    for (int i = 0; i < state->row[seat].len; i++)
        if (!state->row[seat].at[i].open) return i;
    return -1;
}

bool davinci_alive(const struct davinci_state *state, int seat)
{
    return state->phase == DAVINCI_CHOOSE_START || davinci_row_hidden(state, seat) > 0;
}

int davinci_alive_count(const struct davinci_state *state)
{
    int count = 0;
    for (int seat = 0; seat < state->seats; seat++) count += davinci_alive(state, seat);
    return count;
}

int davinci_pool_len(const struct davinci_state *state)
{
    return state->pile_len[DAVINCI_BLACK] + state->pile_len[DAVINCI_WHITE];
}
