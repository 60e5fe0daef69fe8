/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of davinci-code a second time, written from the spec and the rulings for tests alone:
 * slow, without a row or a pile, only tiles that know where they are. It is dealt the same tiles
 * as the engine and must agree with it after every input.
 */
#ifndef UNIT_GAMES_DAVINCI_REFERENCE_H
#define UNIT_GAMES_DAVINCI_REFERENCE_H

#include "games/davinci/davinci.h"

enum ref_where { REF_BOX, REF_POOL, REF_ROW, REF_HAND };

struct ref_tile {
    enum ref_where where;
    int color, number; /* number -1: a joker */
    int seat,
        order; /* in a row: whose, and how many lie left of it; in the pool: how many before it */
    bool open;
    int entry;
    bool refuted[14]; /* by number, 12 for the joker */
};

struct reference {
    const struct davinci_rules *rules;
    struct ref_tile tile[26];
    int seats, phase, first, current, turn;
    int pick[4][2];              /* -1: not yet */
    int colors_left, colors[26]; /* without a choice: the colours to come */
    uint64_t deadline;
    bool out[4];
    int order_out[4], outs, winner;
    bool penalty;
    int idle;
    bool progress;
    int said[4], right[4];
    int newest; /* index of the tile that ended the last turn, -1 */
};

/* Takes over what a fresh state was dealt. rules must outlive it. */
void reference_start(struct reference *ref, const struct davinci_state *state);
/* One action of a seat; 0 or the reason of the refusal. */
int reference_act(struct reference *ref, int seat, const struct davinci_action *action,
                  bool automatic, uint64_t now, seat_mask hurried);
/* Where the engine mixed the jokers in after a deal: only it knows. */
void reference_learn_jokers(struct reference *ref, const struct davinci_state *state);
/* NULL when the engine agrees, else a sentence. */
const char *reference_differs(const struct reference *ref, const struct davinci_state *state);

#endif
