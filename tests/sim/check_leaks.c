/* SPDX-License-Identifier: Apache-2.0
 *
 * What is over leaves nothing behind: in the end a worker has no rooms but those that the store
 * calls its own, and a gateway a mirror for each room that somebody there is in. (A worker may lack
 * one that it took without ever hearing so; whoever comes to that room finds out.)
 */
#include "gateway/state.h"
#include "sim/checks.h"

static uint32_t owned_by(struct world *world, struct id128 instance)
{
    uint32_t count = 0;
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        const struct shadow *shadow = value;
        count += shadow->room && id128_equal(shadow->owner, instance);
    }
    return count;
}

static void check_mirrors(struct world *world, const struct sim_node *node)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&node->core.gateway->mirrors, &cursor, &room, &value)) {
        const struct mirror *mirror = value;
        if (mirror->client_count == 0)
            world_fail(world, "%s: keeps room %llx for nobody", node_name(node),
                       (unsigned long long)room);
    }
}

void check_leaks(struct world *world)
{
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (!node->up) continue;
        if (node->kind == SERVICE_GATEWAY) check_mirrors(world, node);
        if (node->kind != SERVICE_WORKER) continue;
        struct worker_stats stats;
        worker_core_stats(node->core.worker, &stats);
        uint32_t owned = owned_by(world, node->instance);
        if (stats.rooms > owned)
            world_fail(world, "%s: has %u rooms, %u are its own", node_name(node), stats.rooms,
                       owned);
    }
}
