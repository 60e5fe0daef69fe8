/* SPDX-License-Identifier: Apache-2.0
 *
 * The matchmaker decides where rooms live. It makes rooms and places them on workers, finds a room
 * by its code, has the rooms of a dead worker adopted, lists public rooms and matches quick-match
 * tickets.
 *
 * It owns nothing durable: what it knows comes from the services' heartbeats and from the store, so
 * any number of them run side by side. Two that act on the same room harm nothing, because a take
 * names the epoch it expects.
 *
 * Pure: the shape of wire/step.h.
 */
#ifndef MATCHMAKER_MATCHMAKER_CORE_H
#define MATCHMAKER_MATCHMAKER_CORE_H

#include "base/fullness.h"
#include "wire/step.h"

enum {
    MATCHMAKER_LEASE_MS =
        1000, /* a worker's lease; silence beyond it (and one heartbeat) is death */
    MATCHMAKER_HEARTBEAT_MS = 250,
    MATCHMAKER_TICK_MS = 50,
    MATCHMAKER_TICK_GAP_MS = 200, /* a longer one: we did not run, nobody's silence counts */
    MATCHMAKER_ATTEMPT_MS = 250,  /* at most one placement attempt a room in this time */
    MATCHMAKER_DOUBT_MS =
        1000, /* a living owner that does not answer for a room so long loses it */
    MATCHMAKER_REPAIR_MS =
        3000, /* after a store forgot: what is unknown may be written again by its owner */
    MATCHMAKER_FAILED_MS =
        5000, /* who could not take a room is asked after all others, so long after it was asked */
    MATCHMAKER_AWAITED_MS =
        5000, /* a room that waits for a worker with its rules, after somebody asked for it */
    MATCHMAKER_SILENT_MS = 3000, /* whose lease is so old in the store may have died unseen, */
    MATCHMAKER_SILENT_EVERY_MS = 5000, /* for which the store is asked so often, on average */
    MATCHMAKER_FORGET_MS = 60 * 1000,  /* a dead member leaves the list */
    MATCHMAKER_REQUEST_MS = 1500,      /* limit for a request to a worker */
    MATCHMAKER_QUICK_MS = 20 * 1000,   /* a ticket waits this long for a full table */
    MATCHMAKER_TICKET_SILENT_MS = 3000,
    MATCHMAKER_PENDING_MAX = 65536,
    MATCHMAKER_PLACEMENTS_MAX = 131072,
    MATCHMAKER_WAITERS_MAX = 32,    /* for rooms that are being placed: further ones ask again */
    MATCHMAKER_SWEEPS_MAX = 512,    /* dead workers whose rooms are being placed */
    MATCHMAKER_TICKETS_MAX = 65536, /* three seconds of those that have their room are among them */
    MATCHMAKER_ADOPT_MAX = 128,     /* rooms in one request to a worker, */
    MATCHMAKER_ADOPTS_OPEN_MAX = 4, /* and such requests to one worker at a time */
    MATCHMAKER_CODE_TRIES = 8,
    MATCHMAKER_WORKER_TRIES = 4,
};

struct matchmaker_config {
    struct id128 instance;
    const char *control_url; /* its own; borrowed for the core's life, as are the others */
    const char *build;
    uint32_t ops_port; /* 0: none */
    int shard_count;
    int shards_open; /* rooms are made on the first so many alone; 0: on all */
    const char *const
        *peers; /* control URLs of all matchmakers; the own one among them is skipped */
    int peer_count;
};

struct matchmaker_core;

struct matchmaker_core *matchmaker_core_open(const struct matchmaker_config *config,
                                             instant_ms now);
void matchmaker_core_close(struct matchmaker_core *core);

/* Handles one event; out is overwritten. ST_FULL: a bound was reached and the request was answered
 * with "busy". */
enum status matchmaker_core_step(struct matchmaker_core *core, const struct event *event,
                                 instant_ms now, struct effects *out);
instant_ms matchmaker_core_deadline(const struct matchmaker_core *core);

/* Whether it can do its job now: the store answers and at least one worker is alive. NULL, or why
 * not. */
const char *matchmaker_core_unready(const struct matchmaker_core *core);
/* For metrics: rooms that wait for a worker that plays by their rules. */
uint32_t matchmaker_core_awaited(const struct matchmaker_core *core);
/* For metrics: services of that kind that are alive; of its own kind, the others. */
uint32_t matchmaker_core_members(const struct matchmaker_core *core, enum service_kind kind);

/* How full its queues are. */
#define MATCHMAKER_QUEUES(X) \
    X(pending)               \
    X(placements)            \
    X(waiters)               \
    X(tickets)               \
    X(sweeps)                \
    X(members)
struct matchmaker_queues {
#define X(name) struct fullness name;
    MATCHMAKER_QUEUES(X)
#undef X
};
void matchmaker_core_queues(const struct matchmaker_core *core, struct matchmaker_queues *out);

#endif
