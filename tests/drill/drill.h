/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill breaks something in a real cluster while a crowd plays on it, and says what came of it.
 * Each is a small file: a name, what it injects, what it expects beside what every drill does (no
 * acknowledged action lost, none applied twice, no room stalled, nothing shown that is not in the
 * log).
 *
 *     struct drill_yard yard = {.cluster = {.gateways = 2, ...}, .plan = {.rooms = 150, ...}};
 *     drill_yard_open(&yard);                  the cluster runs, everybody plays
 *     drill_carry_out(&yard, &worker_kill_drill, 3, &result);
 *     drill_yard_close(&yard);
 *
 * A new drill: a file drill_<name>.c with a `const struct drill`, and its line in drills.c.
 */
#ifndef DRILL_DRILL_H
#define DRILL_DRILL_H

#include "cluster/cluster.h"
#include "drill/crowd.h"
#include "drill/places.h"
#include "drill/verdict.h"
#include "unit/store/redis_group.h"

#include <stdio.h>

enum {
    DRILL_BUILD_MS = 120 * 1000, /* until everybody plays */
    DRILL_CALM_MS = 40 * 1000,   /* after a fault: else rooms have stalled */
    DRILL_BACK_MS = 45 * 1000,   /* until a process that was killed runs again */
    DRILL_SAID_MAX = 200,
    DRILL_RUNS_MAX = 16,
};

enum drill_service {
    DRILL_WORKER,
    DRILL_GATEWAY,
    DRILL_TIMER,
    DRILL_MATCHMAKER,
    DRILL_SERVICE_COUNT,
};

/* Where the rooms are kept. */
enum drill_store {
    DRILL_OWN_REDIS,   /* of the cluster, with an AOF that is synced every second */
    DRILL_SENTINELS,   /* a primary and two replicas under three Sentinels */
    DRILL_APART,       /* Redis and services in networks of their own (places.h) */
    DRILL_GIVEN_REDIS, /* the caller's: it has set cluster.redis and redis */
};

struct drill_yard {
    enum drill_store store;
    struct redis_group group; /* of DRILL_SENTINELS */
    struct places places;     /* of DRILL_APART */
    struct cluster cluster;   /* numbers of services: the caller's */
    struct crowd_plan plan;   /* port: set by open */
    struct crowd *crowd;
    struct verdict verdict;
    char redis[160]; /* socket of its Redis, which may become another */
    bool brief;      /* a short version: freezes and the like are cut down */
    int injected;    /* in the drill that is on */
    bool failed;     /* a drill did not hold */
    int turns[DRILL_SERVICE_COUNT];
    pid_t guest; /* a process that a drill started itself, 0: none; ends with the yard */
    int logged, differed, stale; /* of a drill: what the logs held before it */
    bool idle;                   /* the last freeze was of a process with nothing in hand */
    int idles, computed;         /* such freezes, and seconds with stale frames after them */
    int errors;                  /* lines of level error that were counted already */
    char trouble[160];           /* what the harness itself could not do; empty: nothing */
};

/* False with yard->trouble. */
bool drill_yard_open(struct drill_yard *yard);
/* Stops it. Where something failed (yard->failed) the folder with its logs stays. */
void drill_yard_close(struct drill_yard *yard);

/* What a drill's time is that the table shows. */
enum drill_figure {
    DRILL_FROM_FAULT, /* from the fault, or the room's last answer, to its next */
    DRILL_WAITING,    /* as long as an action waited */
    DRILL_COMING_BACK /* from a broken connection to sitting again */
};

struct drill_result {
    const struct drill *drill;
    int rooms, injected, runs;
    struct crowd_times times;
    uint32_t p50_ms, p99_ms, max_ms, late_p99_ms, late_max_ms;
    size_t samples;
    struct crowd_counts crowd;    /* of this drill alone */
    struct verdict_counts counts; /* likewise */
    int stalled, behind;          /* rooms; people who do not see what the log holds */
    int errors;                   /* lines of level error in the logs of the services */
    double seconds;
    char said[DRILL_SAID_MAX];  /* what it has to tell beside */
    char wrong[DRILL_SAID_MAX]; /* what is not as it must be; empty: nothing */
};

struct drill {
    const char *name;  /* "worker-kill" */
    const char *fault; /* for the table: "kill -9 of a worker" */
    enum drill_figure figure;
    uint32_t p99_max_ms; /* to reach; 0: nothing is said */
    int times;           /* in `make drill` */
    bool errs;           /* services may log errors: what it breaks is worth one */
    enum drill_store store;
    /* Breaks something (crowd_mark: from this moment on times are counted) and, where it does not
     * mend itself, mends it; the crowd plays on with crowd_play meanwhile. Calm is waited for
     * afterwards. False: it could not. */
    bool (*inject)(struct drill_yard *yard);
    /* Judges what is its own; writes into result->wrong and result->said. May be NULL. */
    void (*expect)(struct drill_yard *yard, struct drill_result *result);
};

/* Keeps why something could not be done, unless there is a reason already. False. */
bool drill_trouble(struct drill_yard *yard, const char *what);

/* Injects so often, waits for calm each time, then reaches a verdict. Always fills *result. */
void drill_carry_out(struct drill_yard *yard, const struct drill *drill, int times,
                     struct drill_result *result);
void drill_result_fini(struct drill_result *result);
/* Several runs of one drill: their counts added up, of their figures the medians. Owns nothing. */
void drill_merge(struct drill_result *runs, int count, struct drill_result *sum);
/* Nothing lost, doubled, stalled, and nothing wrong; how fast it was is not asked. */
bool drill_holds(const struct drill_result *result);

/* For `expect`: says how many rooms were taken over. */
void drill_tell_moved(struct drill_yard *yard, struct drill_result *result);

const struct drill *drill_find(const char *name);
const struct drill *drill_at(int index); /* NULL past the last */

/* ---- report.c -------------------------------------------------------------------------------- */

void report_head(FILE *out);
void report_line(FILE *out, const struct drill_result *result);
/* What is wrong, in sentences; nothing when it holds. */
void report_faults(FILE *out, const struct drill_yard *yard, const struct drill_result *result);
/* As one JSON object in the folder, named after drill and rooms. False: it cannot be written. */
bool report_save(const char *folder, const struct drill_yard *yard,
                 const struct drill_result *result);

/* ---- victims.c: the processes of a service, one after the other ------------------------------ */

/* "worker-1": of the service's processes the next in turn, once all of them run. NULL: they do not
 * come up again. Lent until the next call. */
const char *drill_victim(struct drill_yard *yard, enum drill_service service);
/* Marks the moment, and sends the signal. */
bool drill_hit(struct drill_yard *yard, const char *name, int signal);
/* Stops it in its tracks for so long, wherever it is, or with *idle if it can be had: between two
 * turns, with nothing in hand that it computed before; *idle: whether it was. When it goes on,
 * frames of who is not a room's owner any more are late ones. */
bool drill_freeze(struct drill_yard *yard, const char *name, bool *idle, int ms);
/* Until another process of that name runs. */
bool drill_await_other(struct drill_yard *yard, const char *name, pid_t former);
/* The yard's Redis, for redis_fixture_command. */
struct redis_fixture drill_redis(const struct drill_yard *yard);
/* How often the logs of all processes of a service hold this text. */
int drill_logged(const struct drill_yard *yard, enum drill_service service, const char *text);

#endif
