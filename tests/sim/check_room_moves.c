/* SPDX-License-Identifier: Apache-2.0
 *
 * Promise 5: once nothing goes wrong any more, a room whose deadline has passed moves on within the
 * failover bound. The deadline is the room's own (room time), counted from its last entry; before
 * the calm any of it may have been an outage, which is nobody's time. An entry may bring about one
 * that has passed already: who comes back to a room finds that its host has been away for long.
 */
#include <stdlib.h>

#include "room/state.h"
#include "sim/checks.h"
#include "sim/world.h"

enum { FAILOVER_MS = 8000 };

static instant_ms latest_move(const struct world *world, const struct shadow *shadow)
{
    instant_ms due = room_deadline(shadow->room, NULL), at = room_time(shadow->room);
    instant_ms from = shadow->moved_at;
    if (from < world->config.calm_at) from = world->config.calm_at;
    if (from < world->serves_from) from = world->serves_from;
    if (due != INSTANT_NEVER && shadow->room->put_away && night_passed_since(world, from))
        return world->day_at + FAILOVER_MS;
    if (due == INSTANT_NEVER) return INSTANT_NEVER;
    return from + (due > at ? due - at : 0) + shadow_time_missing(world, shadow) + FAILOVER_MS;
}

void check_room_moves(struct world *world)
{
    if (!world_calm(world)) return;
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct shadow *shadow = shadow_of(world, rooms[i]);
        if (!shadow->room || world->now <= latest_move(world, shadow)) continue;
        if (world->now <= world->day_at + FAILOVER_MS) continue;
        world_fail(world, "room %llx: nothing has happened for %llu ms, its deadline has passed",
                   (unsigned long long)rooms[i],
                   (unsigned long long)(world->now - shadow->moved_at));
    }
    free(rooms);
}
