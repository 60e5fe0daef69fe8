/* SPDX-License-Identifier: Apache-2.0
 *
 * Measured times, and what is said of them.
 */
#ifndef DRILL_SAMPLES_H
#define DRILL_SAMPLES_H

#include "base/types.h"

struct samples {
    uint32_t *ms;
    size_t count, room;
};

/* A zeroed struct is none. */
void samples_fini(struct samples *samples);
void samples_add(struct samples *samples, instant_ms ms);
/* Sorts. The value that `percent` of them do not exceed; 0 of none. */
uint32_t samples_percentile(struct samples *samples, double percent);

#endif
