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
    const char *name, *unit, *labels, *help;
} all[METRIC_COUNT] = {
#define X(id, programs, kind, unit, labels, help) \
    {programs, METRIC_##kind, #id, unit, labels, help},
    METRICS(X)
#undef X
};

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

/* A metric's value for one combination of labels. */
struct labelled {
    enum metric metric;
    char labels[METRICS_LABELS_BYTES_MAX + 1];
    _Atomic uint64_t value;
};

struct distribution {
    const struct histogram_bounds *_Atomic bounds; /* NULL: nothing was told of it yet */
    _Atomic uint64_t counts[HISTOGRAM_BOUNDS_MAX + 1];
};

struct metrics {
    enum program program;
    _Atomic uint64_t values[METRIC_COUNT]; /* of a histogram: its sum */
    struct distribution distributions[METRIC_COUNT];
    struct labelled labelled[METRICS_LABELLED_MAX];
    _Atomic int labelled_count; /* these are there to be read */
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

static uint64_t get(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void put(_Atomic uint64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_relaxed);
}

void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value)
{
    CHECK(all[metric].programs & (unsigned)metrics->program && all[metric].labels[0] == '\0');
    put(&metrics->values[metric], value);
}

/* Nobody else writes: no locked instruction is needed. */
void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value)
{
    metrics_set(metrics, metric, get(&metrics->values[metric]) + value);
}

int metrics_label(struct metrics *metrics, enum metric metric, const char *labels)
{
    int count = atomic_load_explicit(&metrics->labelled_count, memory_order_relaxed);
    CHECK(all[metric].programs & (unsigned)metrics->program && all[metric].labels[0] != '\0');
    CHECK(count < METRICS_LABELLED_MAX && strlen(labels) <= METRICS_LABELS_BYTES_MAX);
    struct labelled *labelled = &metrics->labelled[count];
    labelled->metric = metric;
    memcpy(labelled->labels, labels, strlen(labels) + 1);
    atomic_store_explicit(&metrics->labelled_count, count + 1, memory_order_release);
    return count;
}

void metrics_set_labelled(struct metrics *metrics, int labelled, uint64_t value)
{
    put(&metrics->labelled[labelled].value, value);
}

void metrics_set_histogram(struct metrics *metrics, enum metric metric,
                           const struct histogram_bounds *bounds, const struct histogram *now)
{
    CHECK(all[metric].kind == METRIC_HISTOGRAM);
    struct distribution *of = &metrics->distributions[metric];
    for (int i = 0; i <= bounds->count; i++) put(&of->counts[i], now->counts[i]);
    metrics_set(metrics, metric, now->sum);
    atomic_store_explicit(&of->bounds, bounds, memory_order_release);
}

void metrics_set_queue(struct metrics *metrics, enum queue queue, const struct fullness *now)
{
    CHECK(queues[queue].programs & (unsigned)metrics->program);
    put(&metrics->queues[queue][QUEUE_DEPTH], now->depth);
    put(&metrics->queues[queue][QUEUE_BOUND], now->bound);
    put(&metrics->queues[queue][QUEUE_REFUSED], now->refused);
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

/* How many of its unit are one of what is served. */
static double per_served(int metric)
{
    const char *unit = all[metric].unit;
    return strcmp(unit, "ms") == 0 ? 1e3 : strcmp(unit, "us") == 0 ? 1e6 : 1;
}

/* Whole numbers as they are, seconds with as many places as were measured. */
static void print_value(int metric, uint64_t value, struct buf *out)
{
    double per = per_served(metric);
    if (per > 1)
        print(out, "%.*f\n", per > 1e3 ? 6 : 3, (double)value / per);
    else
        print(out, "%" PRIu64 "\n", value);
}

static void render_histogram(const struct metrics *metrics, int metric, const char *name,
                             struct buf *out)
{
    const struct distribution *of = &metrics->distributions[metric];
    const struct histogram_bounds *bounds = atomic_load_explicit(&of->bounds, memory_order_acquire);
    uint64_t total = 0;
    for (int i = 0; bounds && i < bounds->count; i++) {
        total += get(&of->counts[i]);
        print(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name,
              (double)bounds->at[i] / per_served(metric), total);
    }
    if (bounds) total += get(&of->counts[bounds->count]);
    print(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, total);
    print(out, "%s_count %" PRIu64 "\n%s_sum ", name, total, name);
    print_value(metric, get(&metrics->values[metric]), out);
}

static void render_labelled(const struct metrics *metrics, int metric, const char *name,
                            struct buf *out)
{
    int count = atomic_load_explicit(&metrics->labelled_count, memory_order_acquire);
    for (int i = 0; i < count; i++) {
        const struct labelled *labelled = &metrics->labelled[i];
        if ((int)labelled->metric != metric) continue;
        print(out, "%s{%s} ", name, labelled->labels);
        print_value(metric, get(&labelled->value), out);
    }
}

static void render(const struct metrics *metrics, int metric, struct buf *out)
{
    static const char *const kinds[] = {
        [METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge", [METRIC_HISTOGRAM] = "histogram"};
    enum metric_kind kind = all[metric].kind;
    char name[96];
    snprintf(name, sizeof name, "madang_%s%s%s", all[metric].name,
             all[metric].unit[0] ? "_seconds" : "", kind == METRIC_COUNTER ? "_total" : "");
    print(out, "# HELP %s %s\n# TYPE %s %s\n", name, all[metric].help, name, kinds[kind]);
    if (kind == METRIC_HISTOGRAM) {
        render_histogram(metrics, metric, name, out);
    } else if (all[metric].labels[0]) {
        render_labelled(metrics, metric, name, out);
    } else {
        print(out, "%s ", name);
        print_value(metric, get(&metrics->values[metric]), out);
    }
}

static void render_queues(const struct metrics *metrics, int value, struct buf *out)
{
    const char *name = queue_values[value].name;
    print(out, "# HELP madang_queue_%s %s\n# TYPE madang_queue_%s %s\n", name,
          queue_values[value].help, name, queue_values[value].kind);
    for (int i = 0; i < QUEUE_COUNT; i++) {
        if (!(queues[i].programs & (unsigned)metrics->program)) continue;
        print(out, "madang_queue_%s{queue=\"%s\",unit=\"%s\"} %" PRIu64 "\n", name, queues[i].name,
              queues[i].unit, get(&metrics->queues[i][value]));
    }
}

void metrics_render(const struct metrics *metrics, struct buf *out)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if (all[i].programs & (unsigned)metrics->program) render(metrics, i, out);
    for (int value = 0; value < QUEUE_VALUES; value++) render_queues(metrics, value, out);
}
