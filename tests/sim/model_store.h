/* SPDX-License-Identifier: Apache-2.0
 *
 * A store in memory: one shard, with the meaning that wire/storage.h gives every op and libs/store
 * gives it on Redis. One conformance suite (tests/unit/store) holds the two together. Pure: Redis
 * TIME is an argument.
 *
 * It also fails as a Redis does. What is written lives in memory until it is synced; a crash brings
 * back what was last synced, under another run id:
 *
 *   forgets its last writes     model_store_crash
 *   restarts, nothing lost      model_store_sync, model_store_crash
 *   replaced by an older copy   as above, with an old sync
 *   loses everything, unnoticed model_store_forget (FLUSHALL)
 *   refuses writes for a while  model_store_refuse_writes (MISCONF, OOM, READONLY)
 *   connection lost before      the caller answers model_store_unavailable without a step
 *   connection lost after       the caller steps, and answers so all the same
 *   slow                        the caller steps and answers later; or steps later
 */
#ifndef SIM_MODEL_STORE_H
#define SIM_MODEL_STORE_H

#include "base/arena.h"
#include "wire/storage.h"

struct model_store;

/* `run` names this run of the server; each crash names another. */
struct model_store *model_store_open(int shard, uint64_t run);
void model_store_close(struct model_store *store);

/* Carries out one op at Redis TIME redis_now. What the reply points to lies in the arena. The op's
 * room is taken to live here: the caller has chosen the shard. */
void model_store_step(struct model_store *store, const struct store_op *op, instant_ms redis_now,
                      struct arena *arena, struct store_reply *reply);
/* The reply of a store that cannot say. */
struct store_reply model_store_unavailable(const struct store_op *op, int shard);

void model_store_sync(struct model_store *store);
void model_store_crash(struct model_store *store);
void model_store_forget(struct model_store *store);
void model_store_refuse_writes(struct model_store *store, bool refuse);

/* For twins: the room's snapshot becomes this one, and is synced with all else. */
void model_store_plant(struct model_store *store, room_id id, struct slice snapshot,
                       uint64_t position);

/* For checkers: what is there now, lent until the next call that changes the store. */
struct model_view {
    uint64_t epoch;
    struct id128 owner;         /* zero: nobody */
    uint64_t position, trimmed; /* entries trimmed + 1 .. position are in the log */
    const struct slice *entries;
    uint64_t snapshot_position;
    struct slice record, snapshot;
    struct store_deadline deadline; /* due_in_ms is the instant itself, Redis TIME */
};
bool model_store_look(const struct model_store *store, room_id room, struct model_view *view);
/* All rooms, ascending; malloc'd, the caller frees. */
room_id *model_store_rooms(const struct model_store *store, size_t *count);
/* The directory: the room that has the code of this one, and what is said of it. False: none has.
 * And each of its entries, from cursor 0 on, in no order that means anything. */
struct model_named {
    room_id room;
    struct slice summary;
};
bool model_store_code(const struct model_store *store, room_id room, struct model_named *named);
bool model_store_next_code(const struct model_store *store, size_t *cursor,
                           struct model_named *named);
/* The entries of a finished game behind the room's record, as long as it is kept. NULL: there is
 * none. */
const struct slice *model_store_game(const struct model_store *store, room_id room, uint32_t number,
                                     instant_ms redis_now, int *count);

/* What was kept of a room that was set aside at that position: record, the snapshot's position
 * (left out here), the snapshot, the entries. NULL: there is nothing. */
const struct slice *model_store_aside(const struct model_store *store, room_id room,
                                      uint64_t position, int *count);

#endif
