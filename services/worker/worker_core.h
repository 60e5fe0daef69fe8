/* SPDX-License-Identifier: Apache-2.0
 *
 * The owner of rooms. It takes what gateways send, steps the rooms, appends what they accepted to
 * their logs, and lets out what follows once Redis has confirmed it (output commit). It creates and
 * adopts rooms on a matchmaker's word and hands them over when it drains.
 *
 * It does not decide where a room lives (matchmaker), when a deadline has passed (timer, though the
 * clock comes before any other input), what a game does (libs/room, libs/games), how bytes reach
 * Redis or a gateway (the shell).
 *
 * One event in, a bounded list of effects out (wire/step.h). How a room lives here:
 *
 *     WORKER_CREATE ─▶ creating ─┐                     ┌─▶ stopped ─▶ releasing ─▶ handing ─▶ gone
 *     WORKER_ADOPT ──▶ taking ───┴─▶ live ─(drain)─────┘
 *                        ▲            │ ├─(nobody comes)─▶ releasing ─▶ gone
 *              (logs      │            │ ├─(kept long enough)─▶ deleting ─▶ gone
 *               differ)   ├────────────┤ └─(fenced)─▶ gone at once, with all that was held
 *              (Redis lost└─ restoring ◀┘
 *               it)
 *
 * Everything is bounded: see the limits below. At a limit a new action is refused as "busy", which
 * follows from no state and may leave at once.
 */
#ifndef WORKER_WORKER_CORE_H
#define WORKER_WORKER_CORE_H

#include "base/fullness.h"
#include "base/histogram.h"
#include "game/registry.h"
#include "wire/order.h"
#include "wire/reason.h"
#include "wire/step.h"

enum {
    WORKER_MATCHMAKERS_MAX = 8,
    WORKER_ROOMS_MAX = 1000000,
    WORKER_PEERS_MAX = 1024,             /* gateways and timers that were heard */
    WORKER_TIMERS_MAX = 16,              /* that are sent hints */
    WORKER_SUCCESSORS_MAX = 512,         /* other workers known */
    WORKER_ADOPTIONS_MAX = 64,           /* requests being answered */
    WORKER_TAKES_MAX = 256,              /* rooms being loaded at a time */
    WORKER_TAILS_MAX = 256,              /* comparisons in flight */
    WORKER_RESTORES_MAX = 64,            /* lost rooms being written again at a time */
    WORKER_STOPS_MAX = 32,               /* rooms being handed over at a time, */
    WORKER_STOPS_AT_ONCE = 16,           /* so many to begin with, then */
    WORKER_STOPS_A_S = 400,              /* so many a second, or what the grace period asks for */
    WORKER_MOVED_MAX = 4096,             /* rooms that went, and whither */
    WORKER_BACKLOG_BYTES_MAX = 64 << 20, /* of all rooms, that Redis has not taken: then busy */
    WORKER_UNCONFIRMED_MAX = 64,   /* entries of a room that Redis has not confirmed: then busy */
    WORKER_UNCONFIRMED_SPARE = 32, /* beyond that, for what is nobody's action: clock, presence */
    WORKER_KEPT_MAX = 1024,        /* entries of a room in memory */
    WORKER_HELD_MAX = 512,         /* outputs of a room that wait */
    WORKER_HELD_SPARE = 128,       /* beyond that, for what is answered without a change */
    WORKER_FRAMES_MAX = 8,         /* of these, views; further ones are merged */
    WORKER_WATCHERS_MAX = 64,      /* of a room */
    WORKER_ORDERS_MAX = 16,        /* of operators, until they are confirmed */
    WORKER_SNAPSHOT_ENTRIES = 64,  /* between two snapshots */
    WORKER_SNAPSHOTS_MAX = 4,      /* of a room, waiting to be stored */

    WORKER_DEADLINE_LEFT_MS = 1000, /* one put off is told anew if the one before passes within */
    WORKER_HEARTBEAT_MS = 250,
    WORKER_TALLY_MS = 1000, /* between two notes of rooms written again, or lost */
    WORKER_LEASE_RENEW_MS = 250,
    WORKER_LEASE_MS = 1000,
    WORKER_TAIL_MS = 5000,  /* a confirmed entry is kept at least this long */
    WORKER_PAUSED_MS = 300, /* without Redis: then the players are told */
    WORKER_RETRY_MIN_MS = 50,
    WORKER_RETRY_MAX_MS = 1000,
    WORKER_APPEND_RETRY_MAX_MS = 500, /* play goes on so soon after Redis takes writes again */
    WORKER_TRIES_MAX = 5,            /* of a create or take, before the asker hears "unavailable" */
    WORKER_PRESENCE_MS = 2000,       /* between two updates of what is not logged */
    WORKER_GATEWAY_GRACE_MS = 10000, /* a gateway that died is not a departure within this */
    WORKER_LATE_MS = 20 * 1000,  /* a gateway may ask so long for a page that was left unnoticed */
    WORKER_VISIT_MS = 60 * 1000, /* a room that was put away and fetched waits for a visitor */
    WORKER_MEMBER_MS = 3000,     /* silence after which a member is forgotten, */
    WORKER_GATEWAY_SILENCE_MS = 10000, /* and a gateway counts as dead */
};

struct worker_config {
    struct id128 instance;
    const char *inbox_url, *control_url, *build;
    const char *matchmakers[WORKER_MATCHMAKERS_MAX]; /* control URLs */
    int matchmaker_count;
    int shards;
    uint32_t rooms_max;
    uint64_t backlog_bytes_max; /* 0: WORKER_BACKLOG_BYTES_MAX */
    uint32_t grace_ms;          /* of a drain */
    uint32_t archive_s;         /* finished games are kept so long; 0: not */
    /* What it can play, borrowed for the core's life; none: every version of every game here. */
    const struct rules *plays;
    int play_count;
    bool traces;                   /* notes of every action, for logs of level debug */
    struct order_key operator_key; /* none: orders that need it are refused */
    uint32_t ops_port;             /* 0: none */
};

struct worker_core;

/* Copies the config. NULL never. */
struct worker_core *worker_core_open(const struct worker_config *config);
void worker_core_close(struct worker_core *core);

/* Advances to now, which never runs backwards, and handles one event. Overwrites *out. Bad input
 * changes nothing and is told by a note: ST_OK is the only result. */
enum status worker_core_step(struct worker_core *core, const struct event *event, instant_ms now,
                             struct effects *out);

/* When the shell must next send a tick. Never INSTANT_NEVER: a lease is always to be renewed. */
instant_ms worker_core_deadline(const struct worker_core *core);

/* NULL, or why it should be given no rooms now: a sentence. */
const char *worker_core_unready(const struct worker_core *core);

enum worker_room_phase {
    WORKER_ROOM_WAITING, /* nobody plays: before a game or after it */
    WORKER_ROOM_PLAYING,
    WORKER_ROOM_MOVING, /* not to be played right now: being made, loaded or handed over */
    WORKER_ROOM_PHASES,
};

/* For metrics and tests. */
struct worker_stats {
    uint32_t rooms; /* in memory, whatever their phase */
    uint32_t live;
    uint32_t unconfirmed;             /* entries */
    uint32_t held;                    /* outputs */
    uint64_t restored;                /* rooms that Redis had lost, so far */
    uint64_t lost;                    /* of which nothing is left, so far */
    instant_ms oldest_unconfirmed_ms; /* since it was made; 0: there is none */
    /* All rooms, by the place of their game in the registry; the last: it is not known yet. */
    uint32_t by_game[GAME_REGISTRY_MAX + 1][WORKER_ROOM_PHASES];
    bool draining;
};
void worker_core_stats(const struct worker_core *core, struct worker_stats *out);

/* What it has counted so far, for metrics. Games by their place in the registry. */
struct worker_counts {
    uint64_t actions[GAME_REGISTRY_MAX + 1]; /* accepted */
    uint64_t games_started[GAME_REGISTRY_MAX + 1], games_finished[GAME_REGISTRY_MAX + 1];
    uint64_t repeated;               /* actions that came again and got their first outcome */
    uint64_t refusals[REASON_COUNT]; /* NONE: by the rules of a game */
    struct histogram durable_ms;     /* histogram_action_ms: from an action to its confirmation */
    struct histogram unowned_ms; /* histogram_outage_ms: rooms adopted, since their former owner's
                                    last sign of life */
    struct histogram paused_ms;  /* histogram_outage_ms: rooms that could not be written to */
};
const struct worker_counts *worker_core_counts(const struct worker_core *core);

/* How full its queues are; of those that each room has, the fullest. Actions and clocks of nobody
 * may pass the bound of unconfirmed, held and kept by their SPARE. */
#define WORKER_QUEUES(X) \
    X(rooms)             \
    X(backlog)           \
    X(unconfirmed)       \
    X(held)              \
    X(kept)              \
    X(snapshots)         \
    X(watchers)          \
    X(peers)             \
    X(timers)            \
    X(workers)           \
    X(adoptions)         \
    X(takes)             \
    X(tails)             \
    X(restores)          \
    X(moved)             \
    X(orders)
struct worker_queues {
#define X(name) struct fullness name;
    WORKER_QUEUES(X)
#undef X
};
void worker_core_queues(const struct worker_core *core, struct worker_queues *out);

#endif
