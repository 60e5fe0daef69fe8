/* SPDX-License-Identifier: Apache-2.0
 *
 * A rolling replacement: every process in turn is told to leave (SIGTERM), hands over what it has,
 * and starts again; then the next one, as an orchestrator does it.
 */
#include "sim/world.h"

enum { BETWEEN_MIN_MS = 1000, BETWEEN_MAX_MS = 4000, GRACE_MS = 15 * 1000 };

void replace_start(struct world *world)
{
    world_schedule(world, HAPPEN_REPLACE, world->now)->at = 0;
}

void replace_happening(struct world *world, struct happening *what)
{
    struct sim_node *node = &world->nodes[what->at];
    /* One after the other: the former one is to be back. */
    bool waits = what->at > 0 && !world->nodes[what->at - 1].up;
    if (!waits && node->up) {
        node_replace(world, node);
        struct happening *exit = world_schedule(world, HAPPEN_EXIT, world->now + GRACE_MS);
        exit->at = node->index;
        exit->life = node->life;
    }
    int next = waits ? what->at : what->at + 1;
    if (next == world->node_count || world_calm(world)) return;
    instant_ms at = world->now + chance_between(world, BETWEEN_MIN_MS, BETWEEN_MAX_MS);
    world_schedule(world, HAPPEN_REPLACE, at)->at = next;
}
