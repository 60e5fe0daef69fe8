/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/drill.h"

#include "base/check.h"
#include "ops/system.h"

#include <signal.h>
#include <sys/wait.h>

enum {
    VERDICT_EVERY = 10, /* faults, in a long drill */
    LAST_PACES = 3,
    LOOK_MS = 200,
    STALLED_MS = 45 * 1000, /* a room that moved before is not stalled */
    BEHIND_MS = 20 * 1000,  /* whoever saw the newest version before is not behind */
    FIGURES = 5,
    BETWEEN_MS = 1000, /* two faults, at most: drawn */
};

bool drill_trouble(struct drill_yard *yard, const char *what)
{
    if (!yard->trouble[0]) snprintf(yard->trouble, sizeof yard->trouble, "%s", what);
    return false;
}

/* A primary that came back with nothing would be followed by its replicas. */
static const char *const keeping[] = {"--appendonly", "yes", NULL};

static bool open_store(struct drill_yard *yard)
{
    switch (yard->store) {
    case DRILL_OWN_REDIS: return true;
    case DRILL_GIVEN_REDIS: return true;
    case DRILL_SENTINELS:
        redis_group_start(&yard->group, GROUP_SERVERS_MAX, keeping);
        yard->cluster.redis = yard->group.url;
        snprintf(yard->redis, sizeof yard->redis, "%s", yard->group.servers[0].socket);
        return true;
    case DRILL_APART:
        if (!places_open(&yard->places, &yard->cluster))
            return drill_trouble(yard, "networks of their own take iproute2 and namespaces");
        snprintf(yard->redis, sizeof yard->redis, "%s", yard->places.redis.socket);
        return true;
    }
    return false;
}

bool drill_yard_open(struct drill_yard *yard)
{
    if (!open_store(yard)) return false;
    if (!cluster_start(&yard->cluster)) return drill_trouble(yard, "the cluster did not start");
    yard->plan.port = yard->cluster.port;
    if (yard->store == DRILL_OWN_REDIS)
        snprintf(yard->redis, sizeof yard->redis, "%s/run/redis.sock", yard->cluster.data);
    yard->crowd = crowd_open(&yard->plan);
    verdict_open(&yard->verdict, yard->crowd);
    if (!crowd_play_until(yard->crowd, crowd_all_play, DRILL_BUILD_MS))
        return drill_trouble(yard, "not every room could be made and its game begun");
    return verdict_reach(&yard->verdict, yard->redis) ||
           drill_trouble(yard, "Redis cannot be read");
}

void drill_yard_close(struct drill_yard *yard)
{
    if (yard->guest > 0) {
        kill(yard->guest, SIGKILL);
        waitpid(yard->guest, NULL, 0);
    }
    if (yard->crowd) verdict_close(&yard->verdict);
    crowd_close(yard->crowd);
    if (yard->cluster.supervisor > 0) cluster_stop(&yard->cluster);
    if (yard->failed)
        printf("logs: %s\n", yard->cluster.data);
    else
        cluster_remove(&yard->cluster);
    redis_group_stop(&yard->group);
    places_close(&yard->places);
    *yard = (struct drill_yard){0};
}

/* ---- one drill ------------------------------------------------------------------------------- */

/* clang-format off */
#define CROWD_COUNTS(X) \
    X(acknowledged) X(refused) X(busy) X(paused) X(disordered) X(games) X(lost_connections) \
    X(returns) X(late_frames) X(faults)
#define VERDICT_COUNTS(X) \
    X(rooms) X(missing) X(entries) X(actions) X(skipped) X(screens) X(lost) X(doubled) \
    X(strange) X(unheld) X(differing)
/* clang-format on */

static void subtract(struct drill_result *result, const struct crowd_counts *crowd_before,
                     const struct verdict_counts *verdict_before)
{
#define X(field) result->crowd.field -= crowd_before->field;
    CROWD_COUNTS(X)
#undef X
#define X(field) result->counts.field -= verdict_before->field;
    VERDICT_COUNTS(X)
#undef X
}

void drill_merge(struct drill_result *runs, int count, struct drill_result *sum)
{
    struct samples figures[FIGURES] = {0};
    CHECK(count >= 1 && count <= DRILL_RUNS_MAX);
    *sum = runs[0];
    sum->runs = count;
    sum->times = (struct crowd_times){0};
    for (int i = 0; i < count; i++) {
        const struct drill_result *run = &runs[i];
        samples_add(&figures[0], run->p50_ms);
        samples_add(&figures[1], run->p99_ms);
        samples_add(&figures[2], run->max_ms);
        samples_add(&figures[3], run->late_p99_ms);
        samples_add(&figures[4], run->late_max_ms);
        sum->times.moved += run->times.moved;
        if (run->wrong[0]) memcpy(sum->wrong, run->wrong, sizeof sum->wrong);
        if (i == 0) continue;
#define X(field) sum->crowd.field += run->crowd.field;
        CROWD_COUNTS(X)
#undef X
#define X(field) sum->counts.field += run->counts.field;
        VERDICT_COUNTS(X)
#undef X
        sum->injected += run->injected;
        sum->samples += run->samples;
        sum->stalled += run->stalled;
        sum->behind += run->behind;
        sum->errors += run->errors;
        sum->seconds += run->seconds;
    }
    uint32_t *medians[FIGURES] = {&sum->p50_ms, &sum->p99_ms, &sum->max_ms, &sum->late_p99_ms,
                                  &sum->late_max_ms};
    for (int f = 0; f < FIGURES; f++) {
        *medians[f] = samples_percentile(&figures[f], 50);
        samples_fini(&figures[f]);
    }
    snprintf(sum->said, sizeof sum->said, "median of %d runs", count);
}

static bool once(struct drill_yard *yard, const struct drill *drill, struct drill_result *result)
{
    struct crowd *crowd = yard->crowd;
    crowd_play(crowd, (int)crowd_draw(crowd, BETWEEN_MS));
    crowd_mark(crowd);
    if (!drill->inject(yard)) return drill_trouble(yard, "a fault could not be injected");
    yard->injected++;
    bool calm = crowd_play_until(crowd, crowd_is_calm, DRILL_CALM_MS);
    crowd_gather(crowd, &result->times);
    if (!calm) return false;
    if (yard->injected % VERDICT_EVERY == 0 && !verdict_reach(&yard->verdict, yard->redis))
        return drill_trouble(yard, "Redis cannot be read");
    return true;
}

static int errors(const struct drill_yard *yard)
{
    int lines = 0;
    for (int service = 0; service < DRILL_SERVICE_COUNT; service++)
        lines += drill_logged(yard, (enum drill_service)service, "\"level\":\"error\"");
    return lines;
}

/* Everything that is asked of every drill, once the last fault is over. What does not come about at
 * once has time: a machine that is busy is no fault. */
static void conclude(struct drill_yard *yard, struct drill_result *result)
{
    struct crowd *crowd = yard->crowd;
    instant_ms since = clock_boot_ms();
    crowd_play(crowd, LAST_PACES * (int)crowd->plan.pace_ms);
    do {
        crowd_play(crowd, LOOK_MS);
        result->stalled = crowd_stalled(crowd, since);
    } while (result->stalled && crowd->now - since < STALLED_MS);
    if (!verdict_reach(&yard->verdict, yard->redis)) drill_trouble(yard, "Redis cannot be read");
    since = crowd->now;
    do {
        crowd_play(crowd, LOOK_MS);
        result->behind = verdict_behind(&yard->verdict);
    } while (result->behind && crowd->now - since < BEHIND_MS);
    result->errors = errors(yard) - yard->errors;
    yard->errors += result->errors;
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
    *result = (struct drill_result){.drill = drill, .runs = 1, .rooms = yard->plan.rooms};
    yard->injected = 0;
    yard->trouble[0] = '\0';
    while (yard->injected < times && once(yard, drill, result)) continue;
    conclude(yard, result);
    result->injected = yard->injected;
    result->crowd = crowd->counts;
    result->counts = yard->verdict.counts;
    subtract(result, &crowd_before, &verdict_before);
    take_figures(drill, result);
    result->seconds = (double)(clock_boot_ms() - began) / 1000;
    if (yard->trouble[0]) snprintf(result->wrong, sizeof result->wrong, "%s", yard->trouble);
    if (drill->expect) drill->expect(yard, result);
    yard->failed |= !drill_holds(result);
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
           result->stalled == 0 && result->behind == 0 &&
           (result->errors == 0 || result->drill->errs) && result->wrong[0] == '\0';
}

void drill_tell_moved(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said, "%llu rooms taken over",
             (unsigned long long)result->times.moved);
}
