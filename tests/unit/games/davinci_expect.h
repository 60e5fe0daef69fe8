/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectations about a table, in the notation of davinci_table.h and davinci_text.h. Each fails
 * the test with what was there instead.
 */
#ifndef UNIT_GAMES_DAVINCI_EXPECT_H
#define UNIT_GAMES_DAVINCI_EXPECT_H

#include "unit/games/davinci_table.h"

/* The row as it is: "b1 w3! w5". */
void expect_row(const struct table *table, int seat, const char *row);
void expect_phase(const struct table *table, enum davinci_phase phase, int current);
/* What everybody sees contains, or lacks, this text. */
void expect_seen(const struct table *table, const char *text);
void expect_unseen(const struct table *table, const char *text);
/* What one seat sees beside it is exactly this. */
void expect_mine(const struct table *table, int seat, const char *line);
/* The events of the last input, all lines of them. */
void expect_events(const struct table *table, const char *lines);
/* Milliseconds from now to the deadline. */
void expect_left(const struct table *table, uint64_t ms);
/* Two states look the same to a viewer. */
void expect_same_view(const struct davinci_state *a, const struct davinci_state *b, int viewer);
/* Two lists of events are the same to a viewer. */
void expect_same_events(const struct game_events *a, const struct game_events *b, int viewer);
bool same_state(const struct davinci_state *a, const struct davinci_state *b);

#endif
