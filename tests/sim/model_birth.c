/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms come into being, go on purpose, are set aside, and are written again by their owner after
 * the store has lost them. As in the scripts create.lua, delete.lua, aside.lua and restore.lua.
 */
#include "base/check.h"
#include "sim/model_state.h"

#include <stdlib.h>

enum { TOMB_KEEP_MS = 24 * 3600 * 1000 };

static uint64_t code_key(room_id room)
{
    return (uint64_t)room_id_bits(room) + 1;
}

/* The room with what a create and a restore say of it alike, and nothing else. */
static struct model_room *begin(struct model_store *store, const struct store_op *op,
                                instant_ms now)
{
    struct model_room *room = map_get(&store->rooms, op->room);
    if (!room) {
        room = calloc(1, sizeof *room);
        CHECK(room != NULL);
        map_put(&store->rooms, op->room, room);
    }
    room->id = op->room;
    room->gone = false;
    room->dirty = true;
    room->owner = op->instance;
    model_own(store, op->instance, room, now);
    room->at = now;
    model_set_url(room, op->owner_url);
    model_set_bytes(&room->record, op->record);
    model_set_bytes(&room->summary, op->summary);
    model_set_deadline(room, op, now);
    model_set_listing(store, room, op->listing, now);
    map_put(&store->codes, code_key(op->room), room);
    return room;
}

void model_create(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply)
{
    struct model_room *there = map_get(&store->codes, code_key(op->room));
    if (there && (there->id != op->room || !id128_equal(there->request, op->request))) {
        reply->status = ST_EXISTS;
        reply->room = there->id;
        return;
    }
    if (there && !id128_equal(there->owner, op->instance)) {
        model_fence(there, arena, reply);
        return;
    }
    if (!there) {
        there = begin(store, op, now);
        there->epoch = now;
        there->request = op->request;
    }
    reply->epoch = there->epoch;
    model_tell_end(there, reply);
}

/* All but its finished games and what was synced of it. */
static void empty(struct model_store *store, struct model_room *room)
{
    model_set_listing(store, room, LISTING_HIDE, 0);
    model_trim(room, room->position);
    free(room->entries);
    free((void *)room->record.at);
    free((void *)room->summary.at);
    free((void *)room->snapshot.at);
    *room = (struct model_room){.id = room->id,
                                .games = room->games,
                                .asides = room->asides,
                                .dirty = true,
                                .synced = room->synced};
}

void model_delete(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    if (!MUTANT(deleted_keeps_code)) map_remove(&store->codes, code_key(op->room));
    empty(store, room);
    model_let_go(store, op->instance, op->room);
    room->gone = true;
    room->gone_until = now + TOMB_KEEP_MS;
}

static bool owns(const struct model_room *room, const struct store_op *op)
{
    return room->epoch == op->epoch && id128_equal(room->owner, op->instance);
}

/* Whether the store may let op write that room again; else the reply says why not. */
static bool may_restore(const struct model_store *store, const struct store_op *op, instant_ms now,
                        struct arena *arena, struct store_reply *reply)
{
    const struct model_room *room = map_get(&store->rooms, op->room);
    const struct model_room *holder = map_get(&store->codes, code_key(op->room));
    if (room && room->gone && now < room->gone_until) {
        reply->status = ST_UNKNOWN;
    } else if (room && !room->gone && !owns(room, op) &&
               (room->from == 0 || room->from >= op->owned_since)) {
        model_fence(room, arena, reply);
    } else if (holder && holder != room) {
        reply->status = ST_EXISTS;
        reply->room = holder->id;
    }
    return reply->status == ST_OK;
}

static bool restored_before(const struct model_room *room, const struct store_op *op)
{
    if (!room || !id128_equal(room->owner, op->instance)) return false;
    return room->from == op->owned_since ||
           (room->epoch == op->epoch && op->position <= room->position);
}

void model_restore(struct model_store *store, const struct store_op *op, instant_ms now,
                   struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_room_of(store, op->room);
    if (!restored_before(room, op)) {
        if (!may_restore(store, op, now, arena, reply)) return;
        uint64_t epoch = room && room->epoch > op->epoch ? room->epoch : op->epoch;
        if (room) {
            struct id128 former = room->owner;
            empty(store, room);
            model_disown(store, former, op->room, op->instance);
        }
        room = begin(store, op, now);
        model_raise_epoch(room, epoch, now);
        room->from = op->owned_since;
        room->game_number = op->game_number;
        room->trimmed = room->position = op->position - (uint64_t)op->entry_count;
        for (int i = 0; i < op->entry_count; i++) model_push(room, &op->entries[i]);
        room->hash = op->hash;
        room->snapshot_position = op->position;
        model_set_bytes(&room->snapshot, op->snapshot);
    }
    reply->epoch = room->epoch;
    model_tell_end(room, reply);
}

void model_aside(struct model_store *store, const struct store_op *op, struct arena *arena,
                 struct store_reply *reply)
{
    struct model_room *room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    reply->position = room->position;
    reply->snapshot_position = room->snapshot_position;
    if (op->position != room->position) {
        reply->status = ST_STALE;
        return;
    }
    reply->snapshot_position = op->position;
    if (room->aside == op->position) return;
    struct model_game *kept = calloc(1, sizeof *kept);
    CHECK(kept != NULL);
    kept->number = (uint32_t)op->position;
    kept->until = INSTANT_NEVER;
    kept->count = 3 + (int)(room->position - room->trimmed);
    kept->entries = calloc((size_t)kept->count, sizeof *kept->entries);
    CHECK(kept->entries != NULL);
    model_set_bytes(&kept->entries[0], room->record);
    model_set_bytes(&kept->entries[2], room->snapshot);
    for (int i = 3; i < kept->count; i++) model_set_bytes(&kept->entries[i], room->entries[i - 3]);
    kept->next = room->asides;
    room->asides = kept;
    model_trim_behind(room, room->position);
    model_set_bytes(&room->snapshot, op->snapshot);
    room->snapshot_position = room->aside = op->position;
}
