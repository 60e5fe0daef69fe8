/* SPDX-License-Identifier: Apache-2.0
 *
 * What the model keeps; the files of the model alone see this. Everything that Redis keeps in
 * separate keys for a room (code, place in the public list, deadline, membership of its owner's
 * set) is a field of the room here.
 */
#ifndef SIM_MODEL_STATE_H
#define SIM_MODEL_STATE_H

#include "base/map.h"
#include "base/mutant.h"
#include "sim/model_store.h"

struct model_game { /* a finished one */
    struct model_game *next;
    uint32_t number;
    instant_ms until;
    struct slice *entries; /* the record first */
    int count;
};

struct model_given { /* what a take answered about time */
    bool any;
    uint64_t position;
    instant_ms moment, from, lease, released;
};

struct model_room {
    room_id id;
    struct slice record, summary, snapshot;
    uint64_t epoch;
    struct id128 owner, request, hash;
    char url[WIRE_URL_BYTES_MAX + 1];
    uint64_t position, trimmed, snapshot_position;
    struct slice *entries;
    size_t entry_room;
    instant_ms at, released, listed; /* listed 0: not in the public list */
    bool stopped;                    /* released in the middle of a game */
    struct store_deadline deadline;  /* due_in_ms: Redis TIME */
    uint32_t game_number;
    struct model_given given;
    struct model_game *games, *asides; /* asides: by position */
    uint64_t aside;                    /* 0: never */
    uint64_t from;                     /* owned_since of who wrote it again; 0: nobody has */
    bool gone; /* deleted; only its games and its tombstone are still there */
    instant_ms gone_until;

    struct model_room *synced; /* NULL: was not there at the last sync */
    bool dirty;
};

struct model_claimed {
    room_id room;
    uint32_t expected;
    instant_ms until;
    bool synced;
};
struct model_lease {
    instant_ms at, synced_at;       /* 0: none */
    uint64_t taken, synced_taken;   /* rooms that others took from that instance */
    instant_ms owner, synced_owner; /* its last renewal since it has rooms, 0: it has none */
    struct map rooms;               /* those that it owns: id to model_room */
};

struct model_store {
    int shard;
    uint64_t run, crashes;
    struct id128 run_id; /* of those two */
    bool refusing;
    struct map rooms;  /* id to model_room */
    struct map codes;  /* code's bits + 1 to the model_room that is there now */
    struct map listed; /* those in the public list: id to model_room */
    struct map128 leases, claims;
};

/* It runs as another process from now on. */
void model_name_run(struct model_store *store);
struct model_room *model_room_of(const struct model_store *store, room_id room);

/* What the ops that write share (model_store.c). */
void model_fence(const struct model_room *room, struct arena *arena, struct store_reply *reply);
/* The room that op may change, or NULL with the reply filled in. */
struct model_room *model_owned_room(struct model_store *store, const struct store_op *op,
                                    struct arena *arena, struct store_reply *reply);
void model_set_bytes(struct slice *field, struct slice bytes);
void model_set_url(struct model_room *room, const char *url);
void model_set_deadline(struct model_room *room, const struct store_op *op, instant_ms now);
void model_set_listing(struct model_store *store, struct model_room *room,
                       enum store_listing listing, instant_ms now);
void model_raise_epoch(struct model_room *room, uint64_t from, instant_ms now);
void model_tell_end(const struct model_room *room, struct store_reply *reply);
void model_push(struct model_room *room, const struct store_entry *entry);
void model_trim(struct model_room *room, uint64_t to);
/* The last entry stays: where the log ends is in it. */
void model_trim_behind(struct model_room *room, uint64_t to);

/* Rooms come and go (model_birth.c). */
void model_create(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply);
void model_delete(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply);
void model_restore(struct model_store *store, const struct store_op *op, instant_ms now,
                   struct arena *arena, struct store_reply *reply);

void model_aside(struct model_store *store, const struct store_op *op, struct arena *arena,
                 struct store_reply *reply);

/* Leases and claims (model_pulse.c). */
/* That instance has the room from now on; it has it no more: it is nobody's yet or another's. */
void model_own(struct model_store *store, struct id128 owner, struct model_room *room,
               instant_ms now);
void model_let_go(struct model_store *store, struct id128 owner, room_id room);
/* The room has become another's. */
void model_disown(struct model_store *store, struct id128 owner, room_id room, struct id128 taker);
/* Sets of rooms by what the rooms themselves say, after a crash has exchanged these. */
void model_sort_rooms(struct model_store *store);
void model_silent(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply);
/* The last renewal, 0: unknown. */
instant_ms model_lease_of(const struct model_store *store, struct id128 instance, instant_ms now);
void model_lease(struct model_store *store, const struct store_op *op, instant_ms now,
                 struct store_reply *reply);
void model_claim(struct model_store *store, const struct store_op *op, instant_ms now,
                 struct store_reply *reply);
void model_claimed(const struct model_store *store, const struct store_op *op, instant_ms now,
                   struct store_reply *reply);

/* The ops that change nothing (model_reads.c). */
void model_find(const struct model_store *store, const struct store_op *op, instant_ms now,
                struct arena *arena, struct store_reply *reply);
void model_owned(const struct model_store *store, const struct store_op *op, struct arena *arena,
                 struct store_reply *reply);
void model_public(const struct model_store *store, const struct store_op *op, struct arena *arena,
                  struct store_reply *reply);
void model_due(const struct model_store *store, const struct store_op *op, instant_ms now,
               struct arena *arena, struct store_reply *reply);

#endif
