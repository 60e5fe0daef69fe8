/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets up exact tables and plays on them, for tests of the rules. Tiles are written b4 (black 4),
 * w11, bJ (a joker); `!` after one means that it lies open:
 *
 *     struct davinci_spec spec = {
 *         .rows = {"b1 w5 b9", "w0 b4! w8"}, .turn_tile = "w3", .phase = DAVINCI_GUESS};
 */
#ifndef UNIT_GAMES_DAVINCI_TABLE_H
#define UNIT_GAMES_DAVINCI_TABLE_H

#include "games/davinci/davinci.h"

struct davinci_spec {
    const char *rows[DAVINCI_SEATS_MAX]; /* as many as there are players */
    const char *black,
        *white; /* fronts of the piles; tiles named nowhere follow in ascending order */
    int rest;   /* seat + 1 whose row gets every tile named nowhere, open; 0: the pool does */
    const char *turn_tile; /* NULL for none */
    enum davinci_phase phase;
    int current;
    bool jokers, white_left, none, no_history;
};

/* A state that the audit finds sound; the test fails otherwise. Room time is TABLE_NOW. */
enum { TABLE_NOW = 1000 };
void table_set(struct davinci_state *state, const struct davinci_spec *spec);

/* A table, the last input's outcome with it. A zeroed one is closed; opening closes what was
 * open. */
struct table {
    struct davinci_state state;
    instant_ms now;
    seat_mask hurried, left;
    struct game_events events;
    struct game_refusal refusal;
};
void table_open(struct table *table, const struct davinci_spec *spec);
/* A fresh game by options instead. */
struct table_options {
    int seats, start_tiles, turn_seconds;
    bool jokers, white_left, no_choice, none, helper, no_history;
    int starter; /* seat + 1, 0: drawn */
    uint32_t seed;
};
void table_start(struct table *table, const struct table_options *options);
void table_close(struct table *table);

/* An action at table->now. Returns 0 or the reason of the refusal. */
int table_act(struct table *table, int seat, struct davinci_action action);
int table_choose(struct table *table, int seat, int black, int white);
int table_draw(struct table *table, int seat, int color); /* -1: none named */
int table_guess(struct table *table, int seat, int target, int index, int face);
int table_continue(struct table *table, int seat);
int table_stop(struct table *table, int seat);
int table_stop_joker(struct table *table, int seat, int index);
int table_place(struct table *table, int seat, int index);
int table_reveal(struct table *table, int seat, int index);
/* Moves to the deadline and lets the clock act. */
void table_clock(struct table *table);
void table_return(struct table *table, int seat); /* PRESENCE: connected */

/* A row in the notation above, into a static buffer. */
const char *table_row(const struct table *table, int seat);
int table_tile(const char *text);
/* Bytes of one viewer's view: shared part, then own part. The caller frees with buf_fini. */
struct buf table_view(const struct davinci_state *state, int viewer);
/* Face of number n. */
static inline int face(int n)
{
    return n + 1;
}

#endif
