/* SPDX-License-Identifier: Apache-2.0
 *
 * A rolling upgrade: every worker is an old binary, which plays the first version of a game; one by
 * one they are killed and come back as new ones, which play both; in the end one is set back. What
 * runs keeps its rules, and nobody is handed what it cannot play.
 */
#include "sim/world.h"

enum { STEP_MS = 25 * 1000 };

static struct sim_node *worker_at(struct world *world, int number)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].kind == SERVICE_WORKER && world->nodes[i].number == number)
            return &world->nodes[i];
    return NULL;
}

static void queue(struct world *world, int step, instant_ms at)
{
    world_schedule(world, HAPPEN_UPGRADE, at)->at = step;
}

void upgrade_start(struct world *world)
{
    if (world->config.upgrade_at) queue(world, 0, world->config.upgrade_at);
}

void upgrade_happening(struct world *world, struct happening *what)
{
    bool back = what->at == world->config.workers;
    struct sim_node *node = worker_at(world, back ? 0 : what->at);
    node->newer = !back;
    if (node->up) node_crash(world, node);
    world_trace(world, "%s: is %s binary from now on", node_name(node), back ? "an old" : "a new");
    if (!back) queue(world, what->at + 1, world->now + STEP_MS);
}

const struct rules *upgrade_plays(const struct world *world, const struct sim_node *node,
                                  int *count)
{
    static struct rules both[2];
    *count = 0;
    if (!world->config.upgrade_at) return NULL;
    const struct game *game = world->config.only;
    both[0] = (struct rules){game->id, game->previous->rules_version};
    both[1] = (struct rules){game->id, game->rules_version};
    *count = node->newer ? 2 : 1;
    return both;
}
