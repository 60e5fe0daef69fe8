/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/bench/table.h"

void table_set(struct dobble_state *state, enum dobble_phase phase)
{
    struct game_options options = {0};
    struct game_seed seed = {{5}};
    options.value[DOBBLE_OPT_MINI_GAME] = DOBBLE_TOWER;
    options.value[DOBBLE_OPT_DECK_SIZE] = DOBBLE_CARDS_MAX;
    memset(state, 0, sizeof *state);
    dobble_set_rules(&state->rules, &options, TABLE_SEATS);
    state->seats = TABLE_SEATS;
    dobble_make_deck(state, &seed);
    dobble_make_layouts(state, &seed);
    for (int s = 0; s < TABLE_SEATS; s++) {
        dobble_push(&state->seat[s].pile, TABLE_CARD + s);
        state->seat[s].part = DOBBLE_IN;
    }
    dobble_push(&state->centre, TABLE_CENTRE);
    state->phase = (uint8_t)phase;
    state->face_up = phase == DOBBLE_PLAYING || phase == DOBBLE_HINT;
}

struct slice table_view(const struct dobble_state *state)
{
    static uint8_t bytes[8192];
    struct game_viewer viewer = {.seat = -1};
    struct buf view = {0};
    dobble_view(state, &viewer, &view, NULL);
    size_t len = view.len < sizeof bytes ? view.len : sizeof bytes;
    memcpy(bytes, view.at, len);
    buf_fini(&view);
    return slice_of(bytes, len);
}
