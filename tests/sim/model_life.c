/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's life: opening, closing, what a sync keeps and a crash forgets. A room is copied when
 * it is synced, and only when it has changed since.
 */
#include "base/check.h"
#include "sim/model_state.h"

#include <stdlib.h>

static struct slice own(struct slice bytes)
{
    if (bytes.len == 0) return (struct slice){0};
    uint8_t *copy = malloc(bytes.len);
    CHECK(copy != NULL);
    memcpy(copy, bytes.at, bytes.len);
    return slice_of(copy, bytes.len);
}

static struct slice *own_all(const struct slice *list, size_t count)
{
    struct slice *copy = calloc(count + 1, sizeof *copy);
    CHECK(copy != NULL);
    for (size_t i = 0; i < count; i++) copy[i] = own(list[i]);
    return copy;
}

static struct model_game *copy_games(const struct model_game *games)
{
    if (!games) return NULL;
    struct model_game *copy = malloc(sizeof *copy);
    CHECK(copy != NULL);
    *copy = *games;
    copy->entries = own_all(games->entries, (size_t)games->count);
    copy->next = copy_games(games->next);
    return copy;
}

/* Without `synced`. */
static struct model_room *copy_room(const struct model_room *room)
{
    struct model_room *copy = malloc(sizeof *copy);
    CHECK(copy != NULL);
    *copy = *room;
    copy->record = own(room->record);
    copy->summary = own(room->summary);
    copy->snapshot = own(room->snapshot);
    copy->entry_room = (size_t)(room->position - room->trimmed);
    copy->entries = own_all(room->entries, copy->entry_room);
    copy->games = copy_games(room->games);
    copy->asides = copy_games(room->asides);
    copy->synced = NULL;
    copy->dirty = false;
    return copy;
}

static void free_games(struct model_game *game)
{
    while (game) {
        struct model_game *next = game->next;
        for (int i = 0; i < game->count; i++) free((void *)game->entries[i].at);
        free(game->entries);
        free(game);
        game = next;
    }
}

static void free_room(struct model_room *room)
{
    if (!room) return;
    for (uint64_t i = 0; i < room->position - room->trimmed; i++) free((void *)room->entries[i].at);
    free(room->entries);
    free((void *)room->record.at);
    free((void *)room->summary.at);
    free((void *)room->snapshot.at);
    free_games(room->games);
    free_games(room->asides);
    free_room(room->synced);
    free(room);
}

static void free_all(struct map128 *map)
{
    size_t cursor = 0;
    struct id128 key;
    void *value;
    while (map128_next(map, &cursor, &key, &value)) free(value);
    map128_fini(map);
}

struct model_store *model_store_open(int shard, uint64_t run)
{
    struct model_store *store = calloc(1, sizeof *store);
    CHECK(store != NULL);
    store->shard = shard;
    store->run = run;
    model_name_run(store);
    return store;
}

/* Tombstones, leases and finished games too; it goes on as the same run. */
void model_store_forget(struct model_store *store)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    struct id128 id;
    while (map_next(&store->rooms, &cursor, &key, &value)) free_room(value);
    map_fini(&store->rooms);
    map_fini(&store->codes);
    map_fini(&store->listed);
    for (cursor = 0; map128_next(&store->leases, &cursor, &id, &value);)
        map_fini(&((struct model_lease *)value)->rooms);
    free_all(&store->leases);
    free_all(&store->claims);
}

void model_store_close(struct model_store *store)
{
    model_store_forget(store);
    free(store);
}

void model_store_refuse_writes(struct model_store *store, bool refuse)
{
    store->refusing = refuse;
}

void model_store_sync(struct model_store *store)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (map_next(&store->rooms, &cursor, &key, &value)) {
        struct model_room *room = value;
        if (!room->dirty) continue;
        free_room(room->synced);
        room->synced = copy_room(room);
        room->dirty = false;
    }
    struct id128 id;
    for (cursor = 0; map128_next(&store->leases, &cursor, &id, &value);) {
        struct model_lease *lease = value;
        lease->synced_at = lease->at;
        lease->synced_taken = lease->taken;
        lease->synced_owner = lease->owner;
    }
    for (cursor = 0; map128_next(&store->claims, &cursor, &id, &value);) {
        struct model_claimed *claim = value;
        claim->synced = true;
    }
}

static void turn_back_leases_and_claims(struct model_store *store)
{
    size_t cursor = 0;
    struct id128 id;
    void *value;
    while (map128_next(&store->leases, &cursor, &id, &value)) {
        struct model_lease *lease = value;
        lease->at = lease->synced_at;
        lease->taken = lease->synced_taken;
        lease->owner = lease->synced_owner;
    }
    for (cursor = 0; map128_next(&store->claims, &cursor, &id, &value);) {
        struct model_claimed *claim = value;
        if (claim->synced) continue;
        map128_remove(&store->claims, id);
        free(claim);
    }
}

/* Puts the room back as it was; NULL when it was not there. */
static struct model_room *turn_back(struct model_room *room)
{
    struct model_room *synced = room->synced;
    if (!room->dirty) return room;
    room->synced = NULL;
    free_room(room);
    if (synced) synced->synced = copy_room(synced);
    return synced;
}

void model_store_crash(struct model_store *store)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    struct map rooms = {0};
    map_fini(&store->codes);
    while (map_next(&store->rooms, &cursor, &key, &value)) {
        struct model_room *room = turn_back(value);
        if (!room) continue;
        map_put(&rooms, key, room);
        if (!room->gone) map_put(&store->codes, (uint64_t)room_id_bits(room->id) + 1, room);
    }
    map_fini(&store->rooms);
    store->rooms = rooms;
    turn_back_leases_and_claims(store);
    model_sort_rooms(store);
    store->crashes++;
    model_name_run(store);
}
