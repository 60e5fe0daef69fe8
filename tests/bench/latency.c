/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/latency.h"

enum { FINE = 1 << LATENCY_FINE_BITS, MILLION = 1000000 };

/* The shift leaves eight bits, of which the highest is set unless the value is small. */
static unsigned slot_of(uint64_t us)
{
    if (us > LATENCY_US_MAX) us = LATENCY_US_MAX;
    if (us < 2ULL * FINE) return (unsigned)us;
    unsigned shift = 63 - (unsigned)__builtin_clzll(us) - LATENCY_FINE_BITS;
    return (shift << LATENCY_FINE_BITS) + (unsigned)(us >> shift);
}

/* The greatest value that falls into the slot. */
static uint64_t top_of(unsigned slot)
{
    if (slot < 2 * FINE) return slot;
    unsigned shift = (slot >> LATENCY_FINE_BITS) - 1;
    uint64_t fine = slot - (shift << LATENCY_FINE_BITS);
    return ((fine + 1) << shift) - 1;
}

void latency_add(struct latency *of, uint64_t us)
{
    of->counts[slot_of(us)]++;
    of->count++;
    of->sum_us += us;
    if (us > of->most_us) of->most_us = us;
}

void latency_merge(struct latency *into, const struct latency *from)
{
    for (unsigned i = 0; i < LATENCY_SLOTS; i++) into->counts[i] += from->counts[i];
    into->count += from->count;
    into->sum_us += from->sum_us;
    if (from->most_us > into->most_us) into->most_us = from->most_us;
}

uint64_t latency_at(const struct latency *of, uint32_t per_million)
{
    /* Rounded up: half of three are two. No count here comes near 2^44. */
    uint64_t wanted = (of->count * per_million + MILLION - 1) / MILLION, seen = 0;
    if (of->count == 0) return 0;
    if (wanted == 0) wanted = 1;
    for (unsigned i = 0; i < LATENCY_SLOTS; i++) {
        seen += of->counts[i];
        if (seen >= wanted) return top_of(i) < of->most_us ? top_of(i) : of->most_us;
    }
    return of->most_us;
}

uint64_t latency_mean(const struct latency *of)
{
    return of->count ? of->sum_us / of->count : 0;
}
