/* SPDX-License-Identifier: Apache-2.0
 *
 * Two misfortunes at once: what each drill does alone meets another one while everybody is busy
 * with the first. All scenes in turn.
 */
#include "drill/drill.h"

#include <signal.h>
#include <sys/resource.h>

enum { FREEZE_MS = 3000, SOON_MS = 30, AWAY_MS = 5000, LOOK_MS = 20, NO_FILES = 3 };

static int count_of(const struct drill_yard *yard, const char *service)
{
    const struct cluster *cluster = &yard->cluster;
    switch (service[0]) {
    case 'w': return cluster->workers;
    case 'g': return cluster->gateways;
    case 't': return cluster->timers;
    default: return cluster->matchmakers;
    }
}

/* To every process of a service; they need not all run. */
static bool hit_all(struct drill_yard *yard, const char *service, int signal)
{
    char name[32];
    bool sent = false;
    for (int i = 0; i < count_of(yard, service); i++) {
        snprintf(name, sizeof name, "%s-%d", service, i);
        sent |= cluster_signal(&yard->cluster, name, signal);
    }
    return sent;
}

/* Whatever of a service comes up again is killed again, so long. */
static void keep_away(struct drill_yard *yard, const char *service, int ms)
{
    for (int waited = 0; waited < ms; waited += LOOK_MS) {
        hit_all(yard, service, SIGKILL);
        crowd_play(yard->crowd, LOOK_MS);
    }
}

/* Two different workers, once all processes of every service run. */
static bool choose(struct drill_yard *yard, char first[32], char second[32])
{
    for (int service = 0; service < DRILL_SERVICE_COUNT; service++) {
        const char *name = drill_victim(yard, (enum drill_service)service);
        if (!name) return false;
        if (service == DRILL_WORKER) snprintf(first, 32, "%s", name);
    }
    const char *name = drill_victim(yard, DRILL_WORKER);
    if (name) snprintf(second, 32, "%s", name);
    crowd_mark(yard->crowd);
    return name != NULL;
}

/* ---- the scenes: a worker, another worker, both of which ran --------------------------------- */

static bool hit(struct drill_yard *yard, const char *name, int signal)
{
    return cluster_signal(&yard->cluster, name, signal);
}

static bool worker_and_timers(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return hit(yard, one, SIGKILL) && hit_all(yard, "timer", SIGKILL);
}

/* All of a service; half-way a worker dies. */
static bool stay_away(struct drill_yard *yard, const char *service, const char *worker)
{
    keep_away(yard, service, AWAY_MS / 2);
    bool killed = hit(yard, worker, SIGKILL);
    keep_away(yard, service, AWAY_MS / 2);
    return killed;
}

static bool timers_stay_away(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return stay_away(yard, "timer", one);
}

static bool worker_while_redis_stands(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    if (!hit(yard, "redis", SIGSTOP)) return false;
    crowd_play(yard->crowd, FREEZE_MS / 3);
    bool killed = hit(yard, one, SIGKILL);
    crowd_play(yard->crowd, FREEZE_MS - FREEZE_MS / 3);
    return hit(yard, "redis", SIGCONT) && killed;
}

/* Whoever takes its rooms dies in the midst of it. */
static bool successor_of_a_drain(struct drill_yard *yard, const char *one, const char *other)
{
    if (!hit(yard, one, SIGTERM)) return false;
    crowd_play(yard->crowd, SOON_MS);
    return hit(yard, other, SIGKILL);
}

static bool frozen_successor_of_a_drain(struct drill_yard *yard, const char *one, const char *other)
{
    pid_t pid = cluster_pid(&yard->cluster, other);
    if (!hit(yard, one, SIGTERM)) return false;
    crowd_play(yard->crowd, SOON_MS);
    bool stopped = hit(yard, other, SIGSTOP);
    crowd_play(yard->crowd, FREEZE_MS);
    return kill(pid, SIGCONT) == 0 && stopped;
}

static bool two_drains(struct drill_yard *yard, const char *one, const char *other)
{
    return hit(yard, one, SIGTERM) && hit(yard, other, SIGTERM);
}

/* Somebody impatient. That it may be gone already is well. */
static bool drain_and_kill(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    if (!hit(yard, one, SIGTERM)) return false;
    crowd_play(yard->crowd, SOON_MS);
    hit(yard, one, SIGTERM);
    crowd_play(yard->crowd, SOON_MS);
    hit(yard, one, SIGKILL);
    return true;
}

static bool drain_while_redis_stands(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    if (!hit(yard, one, SIGTERM) || !hit(yard, "redis", SIGSTOP)) return false;
    crowd_play(yard->crowd, FREEZE_MS);
    return hit(yard, "redis", SIGCONT);
}

static bool drain_while_redis_dies(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    pid_t pid = cluster_pid(&yard->cluster, "redis");
    return hit(yard, one, SIGTERM) && hit(yard, "redis", SIGKILL) &&
           drill_await_other(yard, "redis", pid);
}

static bool drain_without_matchmakers(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return hit(yard, one, SIGTERM) && hit_all(yard, "matchmaker", SIGKILL);
}

static bool matchmakers_and_worker(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return hit(yard, one, SIGKILL) && hit_all(yard, "matchmaker", SIGKILL);
}

static bool matchmakers_stay_away(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return stay_away(yard, "matchmaker", one);
}

static bool frozen_worker_no_matchmaker(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    pid_t pid = cluster_pid(&yard->cluster, one);
    if (!hit(yard, one, SIGSTOP)) return false;
    bool killed = hit_all(yard, "matchmaker", SIGKILL);
    crowd_play(yard->crowd, FREEZE_MS);
    return kill(pid, SIGCONT) == 0 && killed;
}

static bool gateways_and_worker(struct drill_yard *yard, const char *one, const char *other)
{
    (void)other;
    return hit(yard, one, SIGKILL) && hit_all(yard, "gateway", SIGKILL);
}

/* One sleeps through the death of the other, and wakes. */
static bool one_sleeps_one_dies(struct drill_yard *yard, const char *one, const char *other)
{
    pid_t pid = cluster_pid(&yard->cluster, one);
    if (!hit(yard, one, SIGSTOP)) return false;
    crowd_play(yard->crowd, FREEZE_MS / 3);
    bool killed = hit(yard, other, SIGKILL);
    crowd_play(yard->crowd, FREEZE_MS);
    return kill(pid, SIGCONT) == 0 && killed;
}

/* The heir of all rooms cannot open anything: no connection, no file. */
static bool heir_without_descriptors(struct drill_yard *yard, const char *one, const char *other)
{
    struct rlimit before, none = {.rlim_cur = NO_FILES, .rlim_max = RLIM_INFINITY};
    pid_t pid = cluster_pid(&yard->cluster, other);
    if (!pid || prlimit(pid, RLIMIT_NOFILE, NULL, &before)) return false;
    none.rlim_max = before.rlim_max;
    if (prlimit(pid, RLIMIT_NOFILE, &none, NULL) || !hit(yard, one, SIGKILL)) return false;
    crowd_play(yard->crowd, FREEZE_MS);
    return prlimit(pid, RLIMIT_NOFILE, &before, NULL) == 0;
}

static bool all_workers(struct drill_yard *yard, const char *one, const char *other)
{
    return hit(yard, one, SIGKILL) && hit(yard, other, SIGKILL);
}

static bool everything(struct drill_yard *yard, int signal)
{
    bool sent = hit_all(yard, "worker", signal);
    sent = hit_all(yard, "gateway", signal) && sent;
    sent = hit_all(yard, "timer", signal) && sent;
    return hit_all(yard, "matchmaker", signal) && sent;
}

static bool everything_leaves(struct drill_yard *yard, const char *one, const char *other)
{
    (void)one;
    (void)other;
    return everything(yard, SIGTERM);
}

static bool everything_dies(struct drill_yard *yard, const char *one, const char *other)
{
    (void)one;
    (void)other;
    return everything(yard, SIGKILL);
}

/* Redis has synced whatever it answered; those who could write it again are killed before it. */
static bool redis_dies_too(struct drill_yard *yard, const char *one, const char *other)
{
    (void)one;
    (void)other;
    struct redis_fixture redis = drill_redis(yard);
    pid_t pid = cluster_pid(&yard->cluster, "redis");
    return redis_fixture_command(&redis, "CONFIG SET appendfsync always") >= 0 &&
           everything(yard, SIGKILL) && hit(yard, "redis", SIGKILL) &&
           drill_await_other(yard, "redis", pid);
}

static bool (*const scenes[])(struct drill_yard *yard, const char *one, const char *other) = {
    worker_and_timers,
    timers_stay_away,
    worker_while_redis_stands,
    successor_of_a_drain,
    frozen_successor_of_a_drain,
    two_drains,
    drain_and_kill,
    drain_while_redis_stands,
    drain_while_redis_dies,
    drain_without_matchmakers,
    matchmakers_and_worker,
    matchmakers_stay_away,
    frozen_worker_no_matchmaker,
    gateways_and_worker,
    one_sleeps_one_dies,
    heir_without_descriptors,
    all_workers,
    everything_leaves,
    everything_dies,
    redis_dies_too,
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static bool two_at_once(struct drill_yard *yard)
{
    char one[32], other[32];
    return choose(yard, one, other) && scenes[yard->injected % SCENES](yard, one, other);
}

const struct drill together_drill = {
    .name = "together",
    .fault = "two misfortunes at once",
    .figure = DRILL_FROM_FAULT,
    .times = SCENES,
    .inject = two_at_once,
    .expect = drill_tell_moved,
};
