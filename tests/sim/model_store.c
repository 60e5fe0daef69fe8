/* SPDX-License-Identifier: Apache-2.0
 *
 * The ops that write to a room that is there. They follow the scripts of libs/store line by line
 * where that says most.
 */
#include "sim/model_store.h"

#include "base/check.h"
#include "sim/model_state.h"

#include <stdlib.h>

struct model_room *model_room_of(const struct model_store *store, room_id room)
{
    struct model_room *found = map_get(&store->rooms, room);
    return found && !found->gone ? found : NULL;
}

/* ---- owner checks -------------------------------------------------------------------------- */

void model_fence(const struct model_room *room, struct arena *arena, struct store_reply *reply)
{
    reply->status = ST_FENCED;
    reply->epoch = room->epoch;
    reply->owner = room->owner;
    reply->owner_url = arena_text(arena, room->url);
    reply->restored_from = room->from;
}

/* The room that op may change, or NULL with the reply filled in. */
struct model_room *model_owned_room(struct model_store *store, const struct store_op *op,
                                    struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_room_of(store, op->room);
    if (!room) {
        reply->status = ST_UNKNOWN;
        return NULL;
    }
    bool owns = room->epoch == op->epoch && id128_equal(room->owner, op->instance);
    if (MUTANT(append_without_epoch) && op->kind == STORE_APPEND) owns = true;
    if (!owns) {
        model_fence(room, arena, reply);
        return NULL;
    }
    room->dirty = true;
    return room;
}

void model_set_bytes(struct slice *field, struct slice bytes)
{
    free((void *)field->at);
    *field = (struct slice){0};
    if (bytes.len == 0) return;
    uint8_t *copy = malloc(bytes.len);
    CHECK(copy != NULL);
    memcpy(copy, bytes.at, bytes.len);
    *field = slice_of(copy, bytes.len);
}

void model_set_url(struct model_room *room, const char *url)
{
    CHECK(strlen(url) <= WIRE_URL_BYTES_MAX);
    strcpy(room->url, url);
}

void model_set_deadline(struct model_room *room, const struct store_op *op, instant_ms now)
{
    if (!op->deadline_changed) return;
    room->deadline = op->deadline;
    room->deadline.due_in_ms = op->deadline.armed ? now + op->deadline.due_in_ms : 0;
}

void model_set_listing(struct model_store *store, struct model_room *room,
                       enum store_listing listing, instant_ms now)
{
    if (listing == LISTING_SHOW && room->listed == 0) {
        room->listed = now;
        map_put(&store->listed, room->id, room);
    }
    if (listing == LISTING_HIDE && room->listed) {
        room->listed = 0;
        map_remove(&store->listed, room->id);
    }
}

void model_tell_end(const struct model_room *room, struct store_reply *reply)
{
    reply->position = room->position;
    reply->hash = room->hash;
}

/* Rule 3. */
void model_raise_epoch(struct model_room *room, uint64_t from, instant_ms now)
{
    room->epoch = from + 1 > now ? from + 1 : now;
    if (MUTANT(epochs_are_counted)) room->epoch = from + 1;
    if (MUTANT(adoption_keeps_epoch)) room->epoch = from;
}

/* ---- ops ----------------------------------------------------------------------------------- */

/* See take.lua: an outage before the first entry of an owner is nobody's time. */
static instant_ms counted_from(const struct model_room *room)
{
    const struct model_given *given = &room->given;
    if (!given->any || given->position != room->position) return room->at;
    instant_ms lived = given->lease > given->from ? given->lease : given->from;
    bool put_away = given->released && !given->lease;
    if (put_away || given->moment <= lived) return given->from;
    return given->from + (given->moment - lived);
}

static void tell_contents(const struct model_room *room, instant_ms now, struct arena *arena,
                          struct store_reply *reply)
{
    reply->epoch = room->epoch;
    model_tell_end(room, reply);
    reply->record = arena_copy(arena, room->record);
    reply->snapshot = arena_copy(arena, room->snapshot);
    reply->snapshot_position = room->snapshot_position;
    reply->deadline = room->deadline;
    reply->deadline.due_in_ms = 0;
    if (room->deadline.armed && room->deadline.due_in_ms > now)
        reply->deadline.due_in_ms = room->deadline.due_in_ms - now;

    uint64_t first =
        room->snapshot_position > room->trimmed ? room->snapshot_position : room->trimmed;
    reply->entry_count = (int)(room->position - first);
    reply->entries = arena_alloc(arena, (size_t)reply->entry_count * sizeof *reply->entries);
    for (int i = 0; i < reply->entry_count; i++) {
        reply->entries[i] = arena_copy(arena, room->entries[first - room->trimmed + (uint64_t)i]);
    }
}

static void on_take(struct model_store *store, const struct store_op *op, instant_ms now,
                    struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_room_of(store, op->room);
    if (!room) {
        reply->status = ST_UNKNOWN;
        return;
    }
    struct model_given tell = {.from = room->at};
    bool expected = room->epoch == op->epoch;
    if (MUTANT(take_of_any_epoch) && !id128_equal(room->owner, op->instance)) expected = true;
    if (expected) {
        tell = (struct model_given){.any = true,
                                    .position = room->position,
                                    .moment = now,
                                    .from = counted_from(room),
                                    .lease = model_lease_of(store, room->owner, now),
                                    .released = room->released};
        if (room->stopped) tell.lease = room->released;
        room->given = tell;
        struct id128 former = room->owner;
        model_raise_epoch(room, room->epoch, now);
        room->owner = op->instance;
        model_disown(store, former, op->room, op->instance);
        model_own(store, op->instance, room, now);
        room->released = room->from = 0;
        room->stopped = false;
        room->dirty = true;
        model_set_url(room, op->owner_url);
    } else if (!id128_equal(room->owner, op->instance)) {
        model_fence(room, arena, reply);
        return;
    } else if (room->given.any && room->given.position == room->position) {
        tell = room->given;
    }
    reply->last_entry_redis_ms = tell.from;
    reply->last_lease_redis_ms = tell.lease;
    reply->released = tell.released != 0;
    reply->released_redis_ms = tell.released;
    tell_contents(room, now, arena, reply);
}

void model_push(struct model_room *room, const struct store_entry *entry)
{
    size_t count = (size_t)(room->position - room->trimmed);
    if (count == room->entry_room) {
        room->entry_room = room->entry_room ? 2 * room->entry_room : 16;
        room->entries = realloc(room->entries, room->entry_room * sizeof *room->entries);
        CHECK(room->entries != NULL);
    }
    room->entries[count] = (struct slice){0};
    model_set_bytes(&room->entries[count], entry->bytes);
    room->position++;
    room->hash = entry->hash;
}

/* How many of the append's entries the log holds already; -1: it holds others. */
static int known_entries(const struct model_room *room, const struct store_op *op)
{
    if (op->position > room->position || op->position < room->trimmed) return -1;
    uint64_t behind = room->position - op->position;
    int known = behind < (uint64_t)op->entry_count ? (int)behind : op->entry_count;
    const struct slice *there = room->entries + (op->position - room->trimmed);
    for (int i = 0; i < known; i++) {
        if (!slice_equal(there[i], op->entries[i].bytes)) return -1;
    }
    return known;
}

static void on_append(struct model_store *store, const struct store_op *op, instant_ms now,
                      struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    int known = MUTANT(append_without_base) ? 0 : known_entries(room, op);
    if (known < 0) {
        reply->status = ST_MISMATCH;
        model_tell_end(room, reply);
        return;
    }
    for (int i = known; i < op->entry_count; i++) model_push(room, &op->entries[i]);
    if (known < op->entry_count) room->at = now;
    bool news = known < op->entry_count || op->entry_count == 0;
    uint64_t number = op->deadline.number, stored = room->deadline.number;
    if (number > stored || (number == stored && news)) model_set_deadline(room, op, now);
    model_set_listing(store, room, op->listing, now);
    if (op->summary.len) model_set_bytes(&room->summary, op->summary);
    model_tell_end(room, reply);
}

void model_trim(struct model_room *room, uint64_t to)
{
    if (to <= room->trimmed) return;
    CHECK(to <= room->position);
    size_t gone = (size_t)(to - room->trimmed), left = (size_t)(room->position - to);
    for (size_t i = 0; i < gone; i++) free((void *)room->entries[i].at);
    memmove(room->entries, room->entries + gone, left * sizeof *room->entries);
    room->trimmed = to;
}

void model_trim_behind(struct model_room *room, uint64_t to)
{
    CHECK(to <= room->position);
    model_trim(room, to && to == room->position ? to - 1 : to);
}

static void keep_snapshot(struct model_room *room, const struct store_op *op)
{
    if (op->position > room->snapshot_position && !MUTANT(trimmed_before_snapshot)) {
        model_set_bytes(&room->snapshot, op->snapshot);
        room->snapshot_position = op->position;
    }
    model_trim_behind(room, op->trim_to);
}

static void on_snapshot(struct model_store *store, const struct store_op *op, struct arena *arena,
                        struct store_reply *reply)
{
    struct model_room *room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    bool above = op->position > room->position && !MUTANT(snapshot_above_log);
    if (above || op->position <= room->snapshot_position)
        reply->status = ST_STALE;
    else
        keep_snapshot(room, op);
    reply->position = room->position;
    reply->snapshot_position = room->snapshot_position;
}

static void archive(struct model_room *room, const struct store_op *op, instant_ms now)
{
    uint64_t from = op->first - 1;
    if (from < room->trimmed) return; /* its beginning was lost */
    int count = op->position > from ? (int)(op->position - from) : 0;
    struct model_game *game = calloc(1, sizeof *game);
    CHECK(game != NULL);
    game->number = op->game_number;
    game->until = now + 1000 * (instant_ms)op->keep_s;
    game->entries = calloc((size_t)count + 1, sizeof *game->entries);
    CHECK(game->entries != NULL);
    game->count = count + 1;
    model_set_bytes(&game->entries[0], room->record);
    for (int i = 0; i < count; i++)
        model_set_bytes(&game->entries[i + 1], room->entries[from - room->trimmed + (uint64_t)i]);
    game->next = room->games;
    room->games = game;
}

static void on_finish(struct model_store *store, const struct store_op *op, instant_ms now,
                      struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    if (op->game_number > room->game_number && op->position > room->position) {
        reply->status = ST_STALE;
    } else if (op->game_number > room->game_number) {
        if (MUTANT(trimmed_before_archived)) keep_snapshot(room, op);
        if (op->keep_s) archive(room, op, now);
        keep_snapshot(room, op);
        room->game_number = op->game_number;
    }
    reply->position = room->position;
    reply->snapshot_position = room->snapshot_position;
}

static void on_release(struct model_store *store, const struct store_op *op, instant_ms now,
                       struct arena *arena, struct store_reply *reply)
{
    struct model_room *room = model_room_of(store, op->room);
    bool repeat = room && room->epoch == op->epoch && id128_is_zero(room->owner);
    if (!repeat) room = model_owned_room(store, op, arena, reply);
    if (!room) return;
    if (!repeat) {
        room->owner = (struct id128){{0}};
        model_let_go(store, op->instance, op->room);
        room->released = now;
        room->stopped = op->stopped;
        model_set_url(room, "");
        model_set_deadline(room, op, now);
    }
    model_tell_end(room, reply);
}

struct store_reply model_store_unavailable(const struct store_op *op, int shard)
{
    return (struct store_reply){.kind = op->kind,
                                .tag = op->tag,
                                .shard = shard,
                                .room = op->room,
                                .status = ST_UNAVAILABLE,
                                .owner_url = ""};
}

static bool writes(enum store_op_kind kind)
{
    return kind != STORE_TAIL && kind != STORE_OWNED && kind != STORE_FIND &&
           kind != STORE_PUBLIC && kind != STORE_DUE && kind != STORE_CLAIMED &&
           kind != STORE_SILENT;
}

void model_store_step(struct model_store *store, const struct store_op *op, instant_ms now,
                      struct arena *arena, struct store_reply *reply)
{
    *reply = model_store_unavailable(op, store->shard);
    if (store->refusing && writes(op->kind)) return;
    reply->status = ST_OK;
    reply->redis_ms = now;
    switch (op->kind) {
    case STORE_CREATE: model_create(store, op, now, arena, reply); break;
    case STORE_TAKE: on_take(store, op, now, arena, reply); break;
    case STORE_APPEND: on_append(store, op, now, arena, reply); break;
    case STORE_SNAPSHOT: on_snapshot(store, op, arena, reply); break;
    case STORE_FINISH: on_finish(store, op, now, arena, reply); break;
    case STORE_RELEASE: on_release(store, op, now, arena, reply); break;
    case STORE_DELETE: model_delete(store, op, now, arena, reply); break;
    case STORE_LEASE: model_lease(store, op, now, reply); break;
    case STORE_TAIL:
    case STORE_FIND: model_find(store, op, now, arena, reply); break;
    case STORE_OWNED: model_owned(store, op, arena, reply); break;
    case STORE_PUBLIC: model_public(store, op, arena, reply); break;
    case STORE_DUE: model_due(store, op, now, arena, reply); break;
    case STORE_CLAIM: model_claim(store, op, now, reply); break;
    case STORE_CLAIMED: model_claimed(store, op, now, reply); break;
    case STORE_RESTORE: model_restore(store, op, now, arena, reply); break;
    case STORE_ASIDE: model_aside(store, op, arena, reply); break;
    case STORE_SILENT: model_silent(store, op, now, arena, reply); break;
    }
}
