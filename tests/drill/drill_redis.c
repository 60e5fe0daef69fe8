/* SPDX-License-Identifier: Apache-2.0
 *
 * Redis is killed, stands still, or refuses writes. The workers live, so nothing may be lost
 * whatever Redis forgot: they write it again. While Redis does not answer, rooms pause and say so;
 * the times of an outage that is ours to end are counted from its end.
 */
#include "drill/drill.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>

enum { FREEZE_MS = 10 * 1000, REFUSE_MS = 3000, BRIEF_MS = 2500, RETURN_MS = 1000 };

static pid_t redis_pid(const struct drill_yard *yard)
{
    return cluster_pid(&yard->cluster, "redis");
}

/* The supervisor starts it again after a pause that grows with each time. */
static bool kill_redis(struct drill_yard *yard)
{
    pid_t pid = redis_pid(yard);
    if (!drill_hit(yard, "redis", SIGKILL) || !drill_await_other(yard, "redis", pid)) return false;
    crowd_mark(yard->crowd);
    return true;
}

static bool kill_careful_redis(struct drill_yard *yard)
{
    struct redis_fixture redis = drill_redis(yard);
    return redis_fixture_command(&redis, "CONFIG SET appendfsync always") >= 0 && kill_redis(yard);
}

/* Nobody lives who could write anything again. */
static bool kill_owners_too(struct drill_yard *yard)
{
    struct redis_fixture redis = drill_redis(yard);
    if (redis_fixture_command(&redis, "CONFIG SET appendfsync always") < 0) return false;
    char name[32];
    for (int i = 0; i < yard->cluster.workers; i++) {
        snprintf(name, sizeof name, "worker-%d", i);
        if (!cluster_signal(&yard->cluster, name, SIGSTOP)) return false;
    }
    bool killed = kill_redis(yard);
    for (int i = 0; i < yard->cluster.workers; i++) {
        snprintf(name, sizeof name, "worker-%d", i);
        killed = cluster_signal(&yard->cluster, name, SIGKILL) && killed;
    }
    return killed;
}

static bool freeze_redis(struct drill_yard *yard)
{
    if (!drill_hit(yard, "redis", SIGSTOP)) return false;
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : FREEZE_MS);
    return drill_hit(yard, "redis", SIGCONT);
}

/* ---- writes refused -------------------------------------------------------------------------- */

static bool refuses(const struct drill_yard *yard)
{
    struct redis_fixture redis = drill_redis(yard);
    return redis_fixture_command(&redis, "SET drill refused PX 1") < 0;
}

/* Its log cannot grow any more: to the server the same as a disk that is full. */
static bool fill_disk(struct drill_yard *yard)
{
    struct rlimit before, full = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    pid_t pid = redis_pid(yard);
    if (pid == 0 || prlimit(pid, RLIMIT_FSIZE, &full, &before)) return false;
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : REFUSE_MS);
    bool refused = refuses(yard);
    crowd_mark(yard->crowd);
    return prlimit(pid, RLIMIT_FSIZE, &before, NULL) == 0 && refused;
}

static bool fill_memory(struct drill_yard *yard)
{
    struct redis_fixture redis = drill_redis(yard);
    if (redis_fixture_command(&redis, "CONFIG SET maxmemory 1") < 0) return false;
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : REFUSE_MS);
    bool refused = refuses(yard);
    crowd_mark(yard->crowd);
    return redis_fixture_command(&redis, "CONFIG SET maxmemory 0") >= 0 && refused;
}

static void tell_pauses(struct drill_yard *yard, struct drill_result *result)
{
    snprintf(result->said, sizeof result->said, "%" PRIu64 " times somebody was told of the pause",
             result->crowd.paused);
    if (result->crowd.paused < (uint64_t)(yard->plan.rooms / 2 * result->injected) &&
        !result->wrong[0])
        snprintf(result->wrong, sizeof result->wrong, "the pause was not told in every room");
}

const struct drill redis_kill_drill = {
    .name = "redis-kill",
    .fault = "Redis killed, everysec; from its return",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = RETURN_MS,
    .times = 10,
    .inject = kill_redis,
};

const struct drill redis_kill_always_drill = {
    .name = "redis-kill-always",
    .fault = "Redis killed, always; from its return",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = RETURN_MS,
    .times = 10,
    .inject = kill_careful_redis,
};

const struct drill redis_owners_kill_drill = {
    .name = "redis-owners-kill",
    .fault = "Redis (always) and workers killed",
    .figure = DRILL_FROM_FAULT,
    .times = 5,
    .inject = kill_owners_too,
};

const struct drill redis_freeze_drill = {
    .name = "redis-freeze",
    .fault = "Redis frozen 10 s; from its return",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = RETURN_MS,
    .times = 5,
    .inject = freeze_redis,
    .expect = tell_pauses,
};

const struct drill redis_full_drill = {
    .name = "redis-full",
    .fault = "Redis, disk full; from its end",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = RETURN_MS,
    .times = 5,
    .inject = fill_disk,
    .expect = tell_pauses,
};

const struct drill redis_memory_drill = {
    .name = "redis-memory",
    .fault = "Redis, no memory; from its end",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = RETURN_MS,
    .times = 5,
    .inject = fill_memory,
    .expect = tell_pauses,
};
