/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether counts come from equal chances.
 */
#ifndef UNIT_GAMES_CHANCE_H
#define UNIT_GAMES_CHANCE_H

/* How far counts are from equal chances, in standard deviations of chi-square. Five would happen
 * once in millions of seeds, and seeds are fixed. */
double distance_from_uniform(const int *counts, int cells);

#endif
