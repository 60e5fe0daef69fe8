/* SPDX-License-Identifier: Apache-2.0
 *
 * The one mask: what a seat, or a spectator, may know of the tiles. Everything that leaves the
 * game about a number goes through here, and so does everything that the clock decides for a
 * seat.
 */
#include "games/davinci/davinci.h"

void davinci_see(const struct davinci_state *state, int viewer, struct davinci_sight *sight)
{
    memset(sight, 0, sizeof *sight);
    sight->viewer = viewer;
    sight->rules = state->rules;
    sight->seats = state->seats;
    sight->current = state->current;
    for (int seat = 0; seat < state->seats; seat++) {
        const struct davinci_row *row = &state->row[seat];
        sight->row[seat].len = row->len;
        sight->row[seat].hidden = davinci_row_hidden(state, seat);
        sight->row[seat].alive = davinci_alive(state, seat);
        for (int i = 0; i < row->len; i++) {
            const struct davinci_tile *tile = &row->at[i];
            bool known = tile->open || seat == viewer;
            sight->row[seat].at[i] = (struct davinci_seen_tile){
                .color = (uint8_t)davinci_color_of(tile->tile),
                .face = (uint8_t)(known ? davinci_face_of(tile->tile) : DAVINCI_FACE_HIDDEN),
                .entry = tile->entry,
                .newest = state->newest_entry == tile->entry && state->newest_seat == seat,
                .refuted = tile->refuted,
            };
        }
    }
    sight->turn_color = -1;
    if (state->turn_tile != DAVINCI_NO_TILE) {
        bool known = state->phase == DAVINCI_PLACE_JOKER || state->current == viewer ||
                     MUTANT(turn_tile_shown);
        sight->turn_color = davinci_color_of(state->turn_tile);
        sight->turn_face = known ? davinci_face_of(state->turn_tile) : DAVINCI_FACE_HIDDEN;
    }
}
