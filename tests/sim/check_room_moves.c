/* SPDX-License-Identifier: Apache-2.0
 *
 * Promise 5: a room whose deadline has passed moves on within the failover bound once nothing goes
 * wrong any more.
 */
#include <stdlib.h>

#include "sim/world.h"

enum { FAILOVER_MS = 8000 };

void check_room_moves(struct world *world)
{
    if (world->now < world->config.calm_at + FAILOVER_MS) return;
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) {
        struct model_view look;
        if (!model_store_look(world->store, rooms[i], &look) || !look.deadline.armed) continue;
        instant_ms due = look.deadline.due_in_ms;
        if (due + FAILOVER_MS < storage_now(world))
            world_fail(world,
                       "room %llx: its deadline %llu passed %llu ms ago and nothing happened",
                       (unsigned long long)rooms[i], (unsigned long long)look.deadline.number,
                       (unsigned long long)(storage_now(world) - due));
    }
    free(rooms);
}
