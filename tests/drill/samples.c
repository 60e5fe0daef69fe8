/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/samples.h"

#include "base/check.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES_MAX = 50 * 1000 * 1000 };

void samples_fini(struct samples *samples)
{
    free(samples->ms);
    *samples = (struct samples){0};
}

void samples_add(struct samples *samples, instant_ms ms)
{
    if (samples->count == samples->room) {
        CHECK(samples->count < SAMPLES_MAX);
        samples->room = samples->room ? 2 * samples->room : 256;
        samples->ms = realloc(samples->ms, samples->room * sizeof *samples->ms);
        CHECK(samples->ms);
    }
    samples->ms[samples->count++] = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t samples_percentile(struct samples *samples, double percent)
{
    if (samples->count == 0) return 0;
    qsort(samples->ms, samples->count, sizeof *samples->ms, compare);
    size_t rank = (size_t)ceil(percent / 100 * (double)samples->count);
    return samples->ms[rank ? rank - 1 : 0];
}
