/* SPDX-License-Identifier: Apache-2.0
 *
 * Every queue of a room, a client and a stream stays within its bound, and what is kept for rooms
 * does not outnumber them.
 */
#include "gateway/state.h"
#include "sim/checks.h"

/* Both cores have a private header, and they do not go together: this one names what is a worker's
 * by its stats. */
static void check_worker(struct world *world, const struct sim_node *node)
{
    struct worker_stats stats;
    worker_core_stats(node->core.worker, &stats);
    uint32_t unconfirmed = WORKER_UNCONFIRMED_MAX + WORKER_UNCONFIRMED_SPARE;
    uint32_t held = WORKER_HELD_MAX + WORKER_HELD_SPARE;
    if (stats.unconfirmed > stats.rooms * unconfirmed || stats.held > stats.rooms * held)
        world_fail(world, "%s: %u entries and %u outputs wait in %u rooms", node_name(node),
                   stats.unconfirmed, stats.held, stats.rooms);
    if (stats.rooms > world->shadows.count + (size_t)world->player_count)
        world_fail(world, "%s: has %u rooms, there were never more than %zu", node_name(node),
                   stats.rooms, world->shadows.count);
}

static void check_gateway(struct world *world, const struct sim_node *node)
{
    const struct gateway_core *core = node->core.gateway;
    if (core->mirrors.count > core->clients.count)
        world_fail(world, "%s: %zu mirrors for %zu clients", node_name(node), core->mirrors.count,
                   core->clients.count);
    size_t cursor = 0;
    uint64_t socket;
    void *value;
    while (map_next(&core->clients, &cursor, &socket, &value)) {
        const struct client *client = value;
        if (client->act_count > GATEWAY_ACTS_MAX ||
            client->outstanding > core->config.limits.outstanding_bytes_max)
            world_fail(world, "%s: %u acts and %u bytes wait for a client", node_name(node),
                       client->act_count, client->outstanding);
    }
}

void check_bounds(struct world *world)
{
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (!node->up) continue;
        if (node->kind == SERVICE_WORKER) check_worker(world, node);
        if (node->kind == SERVICE_GATEWAY) check_gateway(world, node);
        if (node->link.count > (size_t)world->node_count)
            world_fail(world, "%s: streams to %zu peers", node_name(node), node->link.count);
    }
}
