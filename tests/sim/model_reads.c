/* SPDX-License-Identifier: Apache-2.0
 *
 * The ops that change nothing, and what checkers look at. All walks end in a sort: Redis gives sets
 * in the order of (score, member).
 */
#include "base/check.h"
#include "sim/model_state.h"

#include <stdlib.h>

void model_find(const struct model_store *store, const struct store_op *op, instant_ms now,
                struct arena *arena, struct store_reply *reply)
{
    const struct model_room *room = op->kind == STORE_FIND && op->code
                                        ? map_get(&store->codes, (uint64_t)code_bits(op->code) + 1)
                                        : model_room_of(store, op->room);
    if (!room) {
        reply->status = ST_UNKNOWN;
        if (op->kind == STORE_FIND)
            reply->last_lease_redis_ms = model_lease_of(store, op->instance, now);
        return;
    }
    reply->epoch = room->epoch;
    reply->owner = room->owner;
    reply->owner_url = arena_text(arena, room->url);
    reply->position = room->position;
    reply->hash = room->hash;
    if (op->kind == STORE_TAIL) {
        reply->restored_from = room->from;
        return;
    }
    reply->room = room->id;
    reply->summary = arena_copy(arena, room->summary);
}

static bool any(const struct model_room *room, const struct store_op *op)
{
    (void)room, (void)op;
    return true;
}

static bool behind_cursor(const struct model_room *room, const struct store_op *op)
{
    return room->id > op->cursor;
}

static bool armed(const struct model_room *room, const struct store_op *op)
{
    (void)op;
    return room->deadline.armed;
}

static int by_id(const void *a, const void *b)
{
    const struct model_room *const *left = a, *const *right = b;
    return ((*left)->id > (*right)->id) - ((*left)->id < (*right)->id);
}

static int newest_first(const void *a, const void *b)
{
    const struct model_room *const *left = a, *const *right = b;
    if ((*left)->listed != (*right)->listed) return (*left)->listed < (*right)->listed ? 1 : -1;
    return -by_id(a, b);
}

static int earliest_first(const void *a, const void *b)
{
    const struct model_room *const *left = a, *const *right = b;
    instant_ms x = (*left)->deadline.due_in_ms, y = (*right)->deadline.due_in_ms;
    return x != y ? (x < y ? -1 : 1) : by_id(a, b);
}

/* Of a set of rooms those that fit, in order, in the arena. */
static struct model_room **select_rooms(const struct map *rooms, const struct store_op *op,
                                        bool (*fits)(const struct model_room *room,
                                                     const struct store_op *op),
                                        int (*order)(const void *a, const void *b),
                                        struct arena *arena, int *count)
{
    struct model_room **list = arena_alloc(arena, rooms->count * sizeof(struct model_room *));
    size_t cursor = 0, found = 0;
    uint64_t key;
    void *value;
    while (map_next(rooms, &cursor, &key, &value)) {
        struct model_room *room = value;
        if (!room->gone && fits(room, op)) list[found++] = room;
    }
    qsort(list, found, sizeof(struct model_room *), order);
    *count = (int)found;
    return list;
}

static int at_most(int count, int limit)
{
    return count < limit ? count : limit;
}

void model_owned(const struct model_store *store, const struct store_op *op, struct arena *arena,
                 struct store_reply *reply)
{
    int count;
    const struct model_lease *owner = map128_get(&store->leases, op->instance);
    const struct map none = {0};
    struct model_room **list =
        select_rooms(owner ? &owner->rooms : &none, op, behind_cursor, by_id, arena, &count);
    reply->room_count = at_most(count, op->limit);
    reply->rooms = arena_alloc(arena, (size_t)reply->room_count * sizeof *reply->rooms);
    reply->epochs = arena_alloc(arena, (size_t)reply->room_count * sizeof *reply->epochs);
    reply->summaries = arena_alloc(arena, (size_t)reply->room_count * sizeof *reply->summaries);
    for (int i = 0; i < reply->room_count; i++) {
        reply->rooms[i] = list[i]->id;
        reply->epochs[i] = list[i]->epoch;
        reply->summaries[i] = arena_copy(arena, list[i]->summary);
    }
    reply->cursor = reply->room_count == op->limit ? reply->rooms[op->limit - 1] : 0;
}

void model_public(const struct model_store *store, const struct store_op *op, struct arena *arena,
                  struct store_reply *reply)
{
    int count;
    struct model_room **list = select_rooms(&store->listed, op, any, newest_first, arena, &count);
    reply->public_count = at_most(count, op->limit);
    reply->public_rooms =
        arena_alloc(arena, (size_t)reply->public_count * sizeof *reply->public_rooms);
    reply->public_owners =
        arena_alloc(arena, (size_t)reply->public_count * sizeof *reply->public_owners);
    reply->summaries = arena_alloc(arena, (size_t)reply->public_count * sizeof *reply->summaries);
    for (int i = 0; i < reply->public_count; i++) {
        reply->public_rooms[i] = list[i]->id;
        reply->public_owners[i] = list[i]->owner;
        reply->summaries[i] = arena_copy(arena, list[i]->summary);
    }
}

void model_due(const struct model_store *store, const struct store_op *op, instant_ms now,
               struct arena *arena, struct store_reply *reply)
{
    int count;
    struct model_room **list =
        select_rooms(&store->rooms, op, armed, earliest_first, arena, &count);
    int skip = op->cursor < (uint64_t)count ? (int)op->cursor : count;
    list += skip;
    count -= skip;
    reply->due = arena_alloc(arena, (size_t)at_most(count, op->limit) * sizeof *reply->due);
    reply->next_due_in_ms = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int64_t due_in = (int64_t)(list[i]->deadline.due_in_ms - now);
        if (due_in > (int64_t)op->ahead_ms || i == op->limit) {
            reply->next_due_in_ms = due_in;
            break;
        }
        reply->due[reply->due_count++] = (struct store_due){
            .room = list[i]->id,
            .number = list[i]->deadline.number,
            .due_in_ms = due_in,
            .owner = list[i]->owner,
            .owner_url = arena_text(arena, list[i]->url),
            .epoch = list[i]->epoch,
        };
        if (MUTANT(fired_deadline_is_gone) && due_in <= 0) list[i]->deadline.armed = false;
    }
}

bool model_store_look(const struct model_store *store, room_id id, struct model_view *view)
{
    const struct model_room *room = model_room_of(store, id);
    if (!room) return false;
    *view = (struct model_view){
        .epoch = room->epoch,
        .owner = room->owner,
        .position = room->position,
        .trimmed = room->trimmed,
        .entries = room->entries,
        .snapshot_position = room->snapshot_position,
        .record = room->record,
        .snapshot = room->snapshot,
        .deadline = room->deadline,
    };
    return true;
}

bool model_store_code(const struct model_store *store, room_id id, struct model_named *named)
{
    const struct model_room *room = map_get(&store->codes, (uint64_t)room_id_bits(id) + 1);
    if (room) *named = (struct model_named){room->id, room->summary};
    return room != NULL;
}

bool model_store_next_code(const struct model_store *store, size_t *cursor,
                           struct model_named *named)
{
    uint64_t code;
    void *value;
    if (!map_next(&store->codes, cursor, &code, &value)) return false;
    const struct model_room *room = value;
    *named = (struct model_named){room->id, room->summary};
    return true;
}

room_id *model_store_rooms(const struct model_store *store, size_t *count)
{
    struct arena arena = {0};
    int found;
    struct model_room **list = select_rooms(&store->rooms, NULL, any, by_id, &arena, &found);
    room_id *ids = malloc(((size_t)found + 1) * sizeof *ids);
    CHECK(ids != NULL);
    for (int i = 0; i < found; i++) ids[i] = list[i]->id;
    arena_fini(&arena);
    *count = (size_t)found;
    return ids;
}

const struct slice *model_store_game(const struct model_store *store, room_id id, uint32_t number,
                                     instant_ms redis_now, int *count)
{
    const struct model_room *room = map_get(&store->rooms, id);
    for (const struct model_game *game = room ? room->games : NULL; game; game = game->next) {
        if (game->number != number || game->until <= redis_now) continue;
        *count = game->count;
        return game->entries;
    }
    return NULL;
}

const struct slice *model_store_aside(const struct model_store *store, room_id id,
                                      uint64_t position, int *count)
{
    const struct model_room *room = map_get(&store->rooms, id);
    for (const struct model_game *kept = room ? room->asides : NULL; kept; kept = kept->next) {
        if (kept->number != position) continue;
        *count = kept->count;
        return kept->entries;
    }
    return NULL;
}
