/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of tracked rooms.
 */
#include "base/check.h"
#include "timer/timer_state.h"

#include <stdlib.h>

static void unlink_room(struct reading *shard, struct tracked *entry)
{
    if (entry->before)
        entry->before->after = entry->after;
    else
        shard->head = entry->after;
    if (entry->after)
        entry->after->before = entry->before;
    else
        shard->tail = entry->before;
}

static void link_last(struct reading *shard, struct tracked *entry)
{
    entry->sweep = shard->sweep;
    entry->before = shard->tail;
    entry->after = NULL;
    if (shard->tail)
        shard->tail->after = entry;
    else
        shard->head = entry;
    shard->tail = entry;
}

struct tracked *rooms_find(const struct timer_core *core, room_id room)
{
    return map_get(&core->rooms, room);
}

struct tracked *rooms_add(struct timer_core *core, room_id room, int shard)
{
    if (core->rooms.count >= TIMER_TRACKED_MAX) {
        core->stats.untracked++;
        return NULL;
    }
    struct tracked *entry = calloc(1, sizeof *entry);
    CHECK(entry != NULL);
    entry->room = entry->node.key = room;
    entry->shard = shard;
    entry->rank = timers_rank(core, room);
    CHECK(map_put(&core->rooms, room, entry) == NULL);
    link_last(&core->shards[shard], entry);
    return entry;
}

void rooms_forget(struct timer_core *core, struct tracked *entry)
{
    unlink_room(&core->shards[entry->shard], entry);
    heap_remove(&core->heap, &entry->node);
    map_remove(&core->rooms, entry->room);
    free(entry);
}

void rooms_keep(struct timer_core *core, struct tracked *entry)
{
    struct reading *shard = &core->shards[entry->shard];
    if (entry->sweep == shard->sweep) return;
    unlink_room(shard, entry);
    link_last(shard, entry);
}

void rooms_forget_unlisted(struct timer_core *core, struct reading *shard)
{
    for (struct tracked *entry = shard->head, *after; entry; entry = after) {
        if (entry->sweep == shard->sweep) return;
        after = entry->after;
        rooms_forget(core, entry);
    }
}

void rooms_set_owner(struct tracked *entry, struct id128 owner, const char *url, uint64_t epoch)
{
    size_t len = strlen(url);
    CHECK(len <= WIRE_URL_BYTES_MAX);
    memcpy(entry->owner_url, url, len + 1);
    entry->owner = owner;
    entry->epoch = epoch;
    entry->fires = 0;
    entry->waits = entry->doubted = false;
}

instant_ms rooms_turn(const struct tracked *entry)
{
    return entry->due + (instant_ms)entry->rank * TIMER_COVER_MS;
}

void rooms_arm(struct timer_core *core, struct tracked *entry, uint64_t number, instant_ms due)
{
    entry->number = number;
    entry->due = due;
    entry->fires = 0;
    entry->waits = entry->doubted = false;
    heap_set(&core->heap, &entry->node, rooms_turn(entry));
}

void rooms_rank_all(struct timer_core *core)
{
    for (int i = 0; i < core->config.shard_count; i++) {
        for (struct tracked *entry = core->shards[i].head; entry; entry = entry->after) {
            int rank = timers_rank(core, entry->room);
            if (rank == entry->rank) continue;
            entry->rank = rank;
            if (entry->fires == 0 && !entry->waits)
                heap_set(&core->heap, &entry->node, rooms_turn(entry));
        }
    }
}
