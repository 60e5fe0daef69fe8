/* SPDX-License-Identifier: Apache-2.0
 *
 * How often values of which size came: what a core or a shell counts on its way, for metrics. Plain
 * numbers of one thread; adding takes a few instructions, since most values are small.
 *
 *     histogram_add(&core->counts.durable, &histogram_action_ms, core->now - entry->made_at);
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS_MAX = 15 };

struct histogram_bounds {
    int count;
    uint32_t at[HISTOGRAM_BOUNDS_MAX]; /* rising */
};

struct histogram {
    uint64_t counts[HISTOGRAM_BOUNDS_MAX + 1]; /* [i]: at most bound i, above the one before it */
    uint64_t sum;
};

extern const struct histogram_bounds histogram_action_ms; /* what a player waits for */
extern const struct histogram_bounds histogram_outage_ms; /* what a player notices */
extern const struct histogram_bounds histogram_match_ms;  /* until people for a game are found */
extern const struct histogram_bounds histogram_call_us;   /* a call and its answer */
extern const struct histogram_bounds histogram_batch;     /* how many at once */

static inline void histogram_add(struct histogram *of, const struct histogram_bounds *bounds,
                                 uint64_t value)
{
    int i = 0;
    while (i < bounds->count && value > bounds->at[i]) i++;
    of->counts[i]++;
    of->sum += value;
}

#endif
