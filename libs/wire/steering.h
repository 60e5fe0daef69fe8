/* SPDX-License-Identifier: Apache-2.0
 *
 * What operators and workers say to each other, as plain structs: a part of cluster.h, which
 * includes this and nobody else does. Who may order what is order.h's.
 */
#ifndef WIRE_STEERING_H
#define WIRE_STEERING_H

#include "wire/cluster.h"

/* What an operator asks of one process. */
enum { ORDERS_VERSION = 1, ORDER_PROOF_BYTES = 32 };
struct order {
    struct id128 to; /* instance */
    uint64_t number; /* rises from order to order: one that was overheard is not repeated */
    uint8_t proof[ORDER_PROOF_BYTES]; /* zero: none */
    room_id after;                    /* ROOMS: those with greater ids */
    uint32_t seat;                    /* KICK: the room's, from 0 */
    bool reveal;                      /* ROOM */
};

/* Why an order is refused (reply.status is ST_REFUSED then). */
#define ORDER_FAULTS(X)                                                                            \
    X(KEYLESS, "it was given no operator's key (MADANG_OPERATOR_KEY or MADANG_OPERATOR_KEY_FILE)") \
    X(WRONG_KEY, "it has another operator's key, or none came with the order")                     \
    X(STALE, "a later order was given already; is the clock of this machine behind?")              \
    X(NOT_ME, "the order is for a process that is gone")                                           \
    X(OLD_WORKERS, "a worker of an older version is there, which could not take the room over "    \
                   "afterwards; finish the upgrade first")                                         \
    X(NOT_HERE, "the room has just moved; try again")                                              \
    X(BUSY, "the room is busy; try again")                                                         \
    X(UNCONFIRMED, "Redis has not confirmed the room's last entries yet; try again")               \
    X(NOT_SEATED, "nobody sits there")                                                             \
    X(CLOSING, "the room is being closed already")                                                 \
    X(LEAVING, "the worker ends, and hands its rooms over")                                        \
    X(ALONE, "no other worker could take its rooms")
enum order_fault {
    ORDER_FINE,
#define X(name, text) ORDER_##name,
    ORDER_FAULTS(X)
#undef X
};

struct worker_load {
    uint32_t rooms, live;
    uint32_t unconfirmed, held;
    uint32_t people, watchers; /* connected */
    uint32_t oldest_ms;        /* how long the oldest unconfirmed entry has waited for Redis */
    uint32_t shards, shards_up;
    uint64_t backlog_bytes;
    bool draining;
};

/* A room in an operator's list. As metrics are, it is what the worker has in memory: ahead of Redis
 * by what is unconfirmed. */
struct room_line {
    room_id room;
    const char *code, *game;
    uint32_t phase; /* RoomState of client.proto; 0: it is coming or going */
    uint32_t seated, seats, connected, watchers;
    uint64_t epoch, position;
    uint32_t unconfirmed;
    uint64_t age_ms; /* room time */
    uint32_t games;  /* begun so far */
};

struct room_shown { /* everything of the same, confirmed, position */
    struct room_line line;
    uint32_t rules_version;
    uint64_t confirmed;
    bool due;
    uint64_t due_in_ms;
    struct slice room_view, presence, game;
    struct update_private privates[WIRE_PRIVATES_MAX];
    int private_count;
};

#endif
