/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 17: a worker that was told to leave exits when all its rooms are the store's to give, or
 * another's; or when its time for that is over. One that it took without ever hearing so is the
 * matchmaker's, who sees it die.
 */
#include <stdlib.h>

#include "sim/checks.h"

void check_drained(struct world *world, struct sim_node *node)
{
    if (!node->leaving || world->now >= node->told_to_leave_at + SIM_GRACE_MS) return;
    size_t count = 0;
    room_id *rooms = model_store_rooms(world->store, &count);
    for (size_t i = 0; i < count; i++) {
        struct model_view look;
        if (!model_store_look(world->store, rooms[i], &look)) continue;
        const struct told *told = told_of(node, rooms[i]);
        bool knows = told && !told->over && told->epoch == look.epoch;
        if (knows && id128_equal(look.owner, node->instance))
            world_fail(world, "%s: leaves, and room %llx is still its own", node_name(node),
                       (unsigned long long)rooms[i]);
    }
    free(rooms);
}
