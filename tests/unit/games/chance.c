/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/chance.h"

#include <math.h>

double distance_from_uniform(const int *counts, int cells)
{
    double total = 0, sum = 0;
    for (int i = 0; i < cells; i++) total += counts[i];
    double expected = total / cells;
    for (int i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}
