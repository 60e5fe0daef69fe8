/* SPDX-License-Identifier: Apache-2.0
 *
 * The timer wakes rooms at their deadlines (ownership.md, rule 19). The deadlines of all rooms lie
 * in a sorted set of each shard; this core reads the set a little ahead of time, sends each room's
 * owner a fire that names the deadline, repeats it while the set still lists it, and has a
 * matchmaker place a room whose owner is nobody or does not answer.
 *
 *     now                 due
 *      |-- AHEAD ---------| fire       +100 fire   +300 fire   +700 fire   +1000 fire, and ask for
 *      a placement ^ a sweep lists it              ^ only while a newer sweep lists it still
 *
 * It owns nothing: an entry leaves the set by the owner's append alone, so two timers that fire the
 * same deadline harm nothing. Two or more split the rooms by rendezvous hashing; each reads the
 * other's share too and covers what is still listed COVER after it was due. A process that is seen
 * to die has no share from that moment. It keeps only what is due within AHEAD, however many
 * deadlines are armed.
 *
 * Pure: the shape of wire/step.h.
 */
#ifndef TIMER_TIMER_CORE_H
#define TIMER_TIMER_CORE_H

#include "base/fullness.h"
#include "base/histogram.h"
#include "wire/step.h"

enum {
    TIMER_AHEAD_MS = 100,  /* how far ahead a sweep reads */
    TIMER_SWEEP_MS = 50,   /* between two sweeps while something is due within AHEAD */
    TIMER_IDLE_MS = 100,   /* between two sweeps at most */
    TIMER_BREATH_MS = 10,  /* from the end of a sweep to the next one at least */
    TIMER_RETRY_MS = 100,  /* after a store that could not answer */
    TIMER_COVER_MS = 50,   /* later than due, per rank: the twin's share */
    TIMER_PLACE_MS = 1000, /* without an answer that ends it: ask for a placement; and again */
    TIMER_OVER_MS = 1000,  /* "over", but still listed after this: fire again */
    TIMER_HEARTBEAT_MS = 250,
    TIMER_REQUEST_MS = 1000, /* limit for a request to a matchmaker */
    TIMER_SILENT_MS = 1000,  /* a timer not heard for this long has no share */
    TIMER_DRAIN_MS = 300,    /* for telling the matchmakers that we leave */

    TIMER_TRACKED_MAX = 65536, /* rooms in memory */
    TIMER_PAGE_OVERLAP =
        64, /* entries that may leave the set between two pages without one being missed */
    TIMER_PAGES_MAX = 16,  /* of a sweep, asked for at once */
    TIMER_ACTS_MAX = 2048, /* fires and placements in one step */
    TIMER_PLACES_MAX = 4,  /* requests for placements in flight */
    TIMER_PEERS_MAX = 16,  /* timers */
    TIMER_MATCHMAKERS_MAX = 8,
};

struct timer_config {
    struct id128 instance;
    const char *inbox_url, *build;
    uint32_t ops_port;                              /* 0: none */
    const char *matchmakers[TIMER_MATCHMAKERS_MAX]; /* control URLs */
    int matchmaker_count;
    int shard_count;
};

struct timer_core;

/* Copies the config. NULL never. */
struct timer_core *timer_core_open(const struct timer_config *config, instant_ms now);
void timer_core_close(struct timer_core *core);

/* Advances to now, which never runs backwards, and handles one event. Overwrites *out. Input that
 * cannot be of use is passed over: ST_OK is the only result. */
enum status timer_core_step(struct timer_core *core, const struct event *event, instant_ms now,
                            struct effects *out);

/* When the shell must next send a tick, or INSTANT_NEVER. */
instant_ms timer_core_deadline(const struct timer_core *core);

/* Whether every shard's deadlines have been read lately. NULL, or why not. */
const char *timer_core_unready(const struct timer_core *core, instant_ms now);

struct timer_stats {
    uint32_t tracked, timers; /* now; timers: that share the rooms, this one included */
    uint64_t fires;           /* first ones of a deadline */
    uint64_t repeats;
    uint64_t covers; /* first ones that were another timer's */
    uint64_t places; /* rooms that a matchmaker was asked to place */
    uint64_t hints, answers, sweeps;
    uint64_t untracked;           /* due, but the table was full */
    struct histogram lateness_ms; /* histogram_action_ms: first fires of our share */
};
struct timer_stats timer_core_stats(const struct timer_core *core);

/* How full its queues are. wanted: the most that a step wanted placed, since the start; places:
 * requests for that under way. */
#define TIMER_QUEUES(X) \
    X(tracked)          \
    X(wanted)           \
    X(places)           \
    X(peers)
struct timer_queues {
#define X(name) struct fullness name;
    TIMER_QUEUES(X)
#undef X
};
void timer_core_queues(const struct timer_core *core, struct timer_queues *out);

#endif
