/* SPDX-License-Identifier: Apache-2.0
 *
 * A tower of four people in the middle of its play, as the game itself writes it.
 */
#ifndef UNIT_BENCH_TABLE_H
#define UNIT_BENCH_TABLE_H

#include "games/dobble/dobble.h"

enum { TABLE_SEATS = 4, TABLE_CARD = 10, TABLE_CENTRE = 40 };

/* Seat s has the card TABLE_CARD + s before it. */
void table_set(struct dobble_state *state, enum dobble_phase phase);
/* What everybody sees. Lent until the next call. */
struct slice table_view(const struct dobble_state *state);

#endif
