/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/metrics.h"

#include "base/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    unsigned programs;
    enum metric_kind kind;
    const char *name, *unit, *help;
} all[METRIC_COUNT] = {
#define X(id, programs, kind, unit, help) {programs, METRIC_##kind, #id, unit, help},
    METRICS(X)
#undef X
};

/* One histogram is enough so far; a second needs a second set of buckets. */
#define X(id, programs, kind, unit, help) +(METRIC_##kind == METRIC_HISTOGRAM)
_Static_assert(0 METRICS(X) == 1, "there is room for one histogram");
#undef X

static const struct {
    unsigned programs;
    const char *name, *unit;
} queues[QUEUE_COUNT] = {
#define X(id, programs, unit) {programs, #id, unit},
    QUEUES(X)
#undef X
};

/* What is told of each queue. */
enum { QUEUE_DEPTH, QUEUE_BOUND, QUEUE_REFUSED, QUEUE_VALUES };
static const struct {
    const char *name, *kind, *help;
} queue_values[QUEUE_VALUES] = {
    {"depth", "gauge", "what is in the queue now; of many of a kind, in the fullest"},
    {"bound", "gauge", "at most so much"},
    {"refused_total", "counter", "how often the bound was met"},
};

struct metrics {
    enum program program;
    _Atomic uint64_t values[METRIC_COUNT]; /* of the histogram: its sum */
    _Atomic uint64_t buckets[METRIC_BUCKETS_MAX];
    _Atomic uint32_t bounds[METRIC_BUCKETS_MAX];
    _Atomic int bucket_count;
    _Atomic uint64_t queues[QUEUE_COUNT][QUEUE_VALUES];
};

struct metrics *metrics_open(enum program program)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);
    CHECK(metrics != NULL);
    metrics->program = program;
    return metrics;
}

void metrics_close(struct metrics *metrics)
{
    free(metrics);
}

void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value)
{
    atomic_store_explicit(&metrics->values[metric], value, memory_order_relaxed);
}

void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value)
{
    atomic_fetch_add_explicit(&metrics->values[metric], value, memory_order_relaxed);
}

void metrics_set_histogram(struct metrics *metrics, enum metric metric, const uint32_t *bounds,
                           const uint64_t *counts, int count, uint64_t sum)
{
    CHECK(all[metric].kind == METRIC_HISTOGRAM && count >= 1 && count <= METRIC_BUCKETS_MAX);
    for (int i = 0; i < count; i++) {
        if (i < count - 1) atomic_store(&metrics->bounds[i], bounds[i]);
        atomic_store(&metrics->buckets[i], counts[i]);
    }
    atomic_store(&metrics->bucket_count, count);
    metrics_set(metrics, metric, sum);
}

void metrics_set_queue(struct metrics *metrics, enum queue queue, const struct fullness *now)
{
    CHECK(queues[queue].programs & (unsigned)metrics->program);
    atomic_store_explicit(&metrics->queues[queue][QUEUE_DEPTH], now->depth, memory_order_relaxed);
    atomic_store_explicit(&metrics->queues[queue][QUEUE_BOUND], now->bound, memory_order_relaxed);
    atomic_store_explicit(&metrics->queues[queue][QUEUE_REFUSED], now->refused,
                          memory_order_relaxed);
}

/* ---- text ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void print(struct buf *out, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    buf_put_slice(out, slice_text(line));
}

static void render_histogram(const struct metrics *metrics, const char *name, uint64_t sum,
                             struct buf *out)
{
    uint64_t total = 0;
    int count = atomic_load(&metrics->bucket_count);
    for (int i = 0; i < count; i++) {
        total += atomic_load(&metrics->buckets[i]);
        if (i < count - 1)
            print(out, "%s_bucket{le=\"%" PRIu32 "\"} %" PRIu64 "\n", name,
                  atomic_load(&metrics->bounds[i]), total);
    }
    print(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, total);
    print(out, "%s_sum %" PRIu64 "\n%s_count %" PRIu64 "\n", name, sum, name, total);
}

static void render(const struct metrics *metrics, int metric, struct buf *out)
{
    static const char *const kinds[] = {
        [METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge", [METRIC_HISTOGRAM] = "histogram"};
    enum metric_kind kind = all[metric].kind;
    const char *unit = all[metric].unit;
    char name[96];
    snprintf(name, sizeof name, "madang_%s%s%s%s", all[metric].name, *unit ? "_" : "", unit,
             kind == METRIC_COUNTER ? "_total" : "");
    print(out, "# HELP %s %s\n# TYPE %s %s\n", name, all[metric].help, name, kinds[kind]);
    uint64_t value = atomic_load_explicit(&metrics->values[metric], memory_order_relaxed);
    if (kind == METRIC_HISTOGRAM)
        render_histogram(metrics, name, value, out);
    else
        print(out, "%s %" PRIu64 "\n", name, value);
}

static void render_queues(const struct metrics *metrics, int value, struct buf *out)
{
    const char *name = queue_values[value].name;
    print(out, "# HELP madang_queue_%s %s\n# TYPE madang_queue_%s %s\n", name,
          queue_values[value].help, name, queue_values[value].kind);
    for (int i = 0; i < QUEUE_COUNT; i++) {
        if (!(queues[i].programs & (unsigned)metrics->program)) continue;
        print(out, "madang_queue_%s{queue=\"%s\",unit=\"%s\"} %" PRIu64 "\n", name, queues[i].name,
              queues[i].unit,
              atomic_load_explicit(&metrics->queues[i][value], memory_order_relaxed));
    }
}

void metrics_render(const struct metrics *metrics, struct buf *out)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if (all[i].programs & (unsigned)metrics->program) render(metrics, i, out);
    for (int value = 0; value < QUEUE_VALUES; value++) render_queues(metrics, value, out);
}
