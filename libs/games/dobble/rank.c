/* SPDX-License-Identifier: Apache-2.0
 *
 * The standing: per mini-game one figure of which less is better; equal ones share a rank (B4).
 */
#include "games/dobble/dobble.h"

enum { WORSE = 1000 }; /* above every figure of those before */

static int figure(const struct dobble_state *state, int s)
{
    const struct dobble_seat *seat = &state->seat[s];
    if (seat->part == DOBBLE_FORFEITED) return 2 * WORSE; /* B5: the last group */
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER:
    case DOBBLE_TRIPLET: return -seat->pile.len;
    case DOBBLE_WELL: return seat->part == DOBBLE_EMPTIED ? seat->place : WORSE + seat->pile.len;
    case DOBBLE_HOT_POTATO: return seat->penalty;
    case DOBBLE_POISONED_GIFT: return seat->pile.len;
    }
    return 0;
}

int dobble_rank(const struct dobble_state *state, int seat)
{
    int rank = 1;
    if (state->rules.practice) return 0;
    for (int other = 0; other < state->seats; other++)
        rank += figure(state, other) < figure(state, seat);
    return rank;
}

int dobble_points(const struct dobble_state *state, int seat)
{
    int rank = dobble_rank(state, seat);
    if (rank < 1 || rank > 3 || state->seat[seat].part == DOBBLE_FORFEITED) return 0;
    return 4 - rank;
}
