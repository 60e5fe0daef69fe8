/* SPDX-License-Identifier: Apache-2.0
 *
 * How long things took, to the microsecond, without keeping each: a log-linear histogram in the
 * manner of HDR. Below 256 us every value has a slot of its own; above, the slots of each doubling
 * are 128, so what is read is at most 1 % above what was added. Plain numbers of one fixed size: it
 * lies in memory that processes share, and those of several processes are added up.
 *
 * What it is given decides what it says. Of an action that was to go out at a fixed moment, the
 * time since that moment is added, not since it went out: whoever waits to send while the other
 * side stands still would otherwise leave just the slow ones out (coordinated omission).
 */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdint.h>

enum {
    LATENCY_FINE_BITS = 7, /* slots of a doubling: 128 */
    LATENCY_SHIFT_MAX = 29,
    LATENCY_SLOTS = (LATENCY_SHIFT_MAX + 2) << LATENCY_FINE_BITS,
};
/* About 19 hours; what took longer counts as that. */
#define LATENCY_US_MAX ((1ULL << (LATENCY_SHIFT_MAX + LATENCY_FINE_BITS + 1)) - 1)

struct latency {
    uint64_t counts[LATENCY_SLOTS];
    uint64_t count, sum_us, most_us;
};

void latency_add(struct latency *of, uint64_t us);
void latency_merge(struct latency *into, const struct latency *from);
/* The smallest value that so many of a million are not above; 0 when there are none. Never above
 * the greatest that was added. */
uint64_t latency_at(const struct latency *of, uint32_t per_million);
uint64_t latency_mean(const struct latency *of);

#endif
