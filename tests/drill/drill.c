/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/drill.h"

#include "ops/system.h"

enum {
    VERDICT_EVERY = 25, /* faults, in a long drill */
    LAST_MS = 5000,     /* that must be enough for something to happen in every room */
    LAST_PACES = 3,
    BETWEEN_MS = 1000, /* two faults, at most: drawn */
};

static bool trouble(struct drill_yard *yard, const char *what)
{
    if (!yard->trouble[0]) snprintf(yard->trouble, sizeof yard->trouble, "%s", what);
    return false;
}

bool drill_yard_open(struct drill_yard *yard)
{
    if (!cluster_start(&yard->cluster)) return trouble(yard, "the cluster did not start");
    yard->plan.port = yard->cluster.port;
    if (!yard->redis[0])
        snprintf(yard->redis, sizeof yard->redis, "%s/run/redis.sock", yard->cluster.data);
    yard->crowd = crowd_open(&yard->plan);
    verdict_open(&yard->verdict, yard->crowd);
    if (!crowd_play_until(yard->crowd, crowd_all_play, DRILL_BUILD_MS))
        return trouble(yard, "not every room could be made and its game begun");
    return true;
}

void drill_yard_close(struct drill_yard *yard)
{
    if (yard->crowd) verdict_close(&yard->verdict);
    crowd_close(yard->crowd);
    if (yard->cluster.supervisor > 0) cluster_stop(&yard->cluster);
    cluster_remove(&yard->cluster);
    *yard = (struct drill_yard){0};
}

/* ---- one drill ------------------------------------------------------------------------------- */

#define LESS(field) now->field -= before->field

static void subtract_crowd(struct crowd_counts *now, const struct crowd_counts *before)
{
    LESS(acknowledged);
    LESS(refused);
    LESS(busy);
    LESS(disordered);
    LESS(games);
    LESS(lost_connections);
    LESS(returns);
    LESS(late_frames);
    LESS(faults);
}

static void subtract_verdict(struct verdict_counts *now, const struct verdict_counts *before)
{
    LESS(rooms);
    LESS(missing);
    LESS(entries);
    LESS(actions);
    LESS(skipped);
    LESS(lost);
    LESS(doubled);
    LESS(strange);
    LESS(unheld);
    LESS(differing);
}

static bool once(struct drill_yard *yard, const struct drill *drill, struct drill_result *result)
{
    struct crowd *crowd = yard->crowd;
    crowd_play(crowd, (int)crowd_draw(crowd, BETWEEN_MS));
    crowd_mark(crowd);
    if (!drill->inject(yard)) return trouble(yard, "a fault could not be injected");
    yard->injected++;
    bool calm = crowd_play_until(crowd, crowd_is_calm, DRILL_CALM_MS);
    crowd_gather(crowd, &result->times);
    if (!calm) return false;
    if (yard->injected % VERDICT_EVERY == 0 && !verdict_reach(&yard->verdict, yard->redis))
        return trouble(yard, "Redis cannot be read");
    return true;
}

static void take_figures(const struct drill *drill, struct drill_result *result)
{
    struct samples *of[] = {[DRILL_FROM_FAULT] = &result->times.gap,
                            [DRILL_WAITING] = &result->times.wait,
                            [DRILL_COMING_BACK] = &result->times.back};
    struct samples *shown = of[drill->figure];
    result->samples = shown->count;
    result->p50_ms = samples_percentile(shown, 50);
    result->p99_ms = samples_percentile(shown, 99);
    result->max_ms = samples_percentile(shown, 100);
    result->late_p99_ms = samples_percentile(&result->times.late, 99);
    result->late_max_ms = samples_percentile(&result->times.late, 100);
}

void drill_carry_out(struct drill_yard *yard, const struct drill *drill, int times,
                     struct drill_result *result)
{
    struct crowd *crowd = yard->crowd;
    struct crowd_counts crowd_before = crowd->counts;
    struct verdict_counts verdict_before = yard->verdict.counts;
    instant_ms began = clock_boot_ms();
    *result = (struct drill_result){.drill = drill, .rooms = yard->plan.rooms};
    yard->injected = 0;
    while (yard->injected < times && once(yard, drill, result)) continue;
    int last_ms = LAST_PACES * (int)crowd->plan.pace_ms + LAST_MS;
    crowd_play(crowd, last_ms);
    result->stalled = crowd_stalled(crowd, last_ms);
    if (!verdict_reach(&yard->verdict, yard->redis)) trouble(yard, "Redis cannot be read");
    result->injected = yard->injected;
    result->crowd = crowd->counts;
    result->counts = yard->verdict.counts;
    subtract_crowd(&result->crowd, &crowd_before);
    subtract_verdict(&result->counts, &verdict_before);
    take_figures(drill, result);
    result->seconds = (double)(clock_boot_ms() - began) / 1000;
    if (yard->trouble[0]) snprintf(result->wrong, sizeof result->wrong, "%s", yard->trouble);
    if (drill->expect) drill->expect(yard, result);
}

void drill_result_fini(struct drill_result *result)
{
    crowd_times_fini(&result->times);
}

bool drill_holds(const struct drill_result *result)
{
    const struct verdict_counts *counts = &result->counts;
    return counts->lost + counts->doubled + counts->strange + counts->unheld + counts->differing +
                   counts->missing + result->crowd.faults ==
               0 &&
           result->stalled == 0 && result->wrong[0] == '\0';
}
