/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 19: a room that waits for something has a deadline in the store, whoever owns it and
 * whatever was fired: an entry leaves the set by the owner's append alone.
 */
#include "sim/checks.h"

void check_deadlines(struct world *world)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        const struct shadow *shadow = value;
        struct model_view look;
        if (!shadow->room || shadow->forgotten) continue;
        if (room_deadline(shadow->room, NULL) == INSTANT_NEVER) continue;
        if (!model_store_look(world->store, room, &look) || look.deadline.armed) continue;
        world_fail(world, "room %llx: waits until %llu, and the store has no deadline of it",
                   (unsigned long long)room, (unsigned long long)room_deadline(shadow->room, NULL));
    }
}
