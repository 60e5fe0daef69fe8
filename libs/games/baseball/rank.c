/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranking: only who solved it has a rank (N5). Equal in every key shares one: 1, 1, 3.
 */
#include "games/baseball/baseball.h"

/* Sorted by these, the smaller first. Who used up the guesses has played to the end and comes
 * before who did not; seats settle the order in which equal players are listed. */
enum { GROUP, GUESSES, HINTS, TENTHS, SEAT, KEYS };

static uint32_t key_of(const struct baseball_state *state, int seat, int key)
{
    const struct baseball_player *player = &state->player[seat];
    switch (key) {
    case GROUP:
        if (player->standing == BASEBALL_SOLVED) return 0;
        return player->standing == BASEBALL_EXHAUSTED ? 1 : 2;
    case GUESSES: return player->guesses;
    case HINTS: return player->hints;
    case TENTHS: return baseball_tenths(state, seat);
    default: return (uint32_t)seat;
    }
}

/* The first key in which two seats differ; below 0 when a comes first. */
static int compare(const struct baseball_state *state, int a, int b, int keys)
{
    for (int key = 0; key < keys; key++) {
        uint32_t of_a = key_of(state, a, key), of_b = key_of(state, b, key);
        if (of_a != of_b) return of_a < of_b ? -1 : 1;
    }
    return 0;
}

/* For the room's board; alone is practice, which counts nothing (N7). */
static int points_of(int rank)
{
    return rank >= 1 && rank <= 3 ? 4 - rank : 0;
}

void baseball_rank(const struct baseball_state *state, struct baseball_ranked *out)
{
    for (int seat = 0; seat < state->seats; seat++) {
        int at = seat;
        for (; at > 0 && compare(state, seat, out[at - 1].seat, KEYS) < 0; at--)
            out[at] = out[at - 1];
        out[at] = (struct baseball_ranked){.seat = seat};
    }
    for (int i = 0; i < state->seats && state->seats > 1; i++) {
        if (state->player[out[i].seat].standing != BASEBALL_SOLVED) break;
        bool shared = i > 0 && compare(state, out[i].seat, out[i - 1].seat, SEAT) == 0;
        out[i].rank = shared ? out[i - 1].rank : i + 1;
        out[i].points = points_of(out[i].rank);
    }
}
