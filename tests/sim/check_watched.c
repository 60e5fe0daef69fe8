/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 16: the death of a process is known at once. So whoever a matchmaker takes for a living
 * worker it watches, whatever became of those that had the same address before.
 */
#include "matchmaker/matchmaker_state.h"
#include "sim/checks.h"

static bool watches(const struct sim_node *node, const char *url)
{
    for (int i = 0; i < node->watched_count; i++)
        if (!strcmp(node->watched[i], url)) return true;
    return false;
}

static void check_one(struct world *world, const struct sim_node *node)
{
    const struct matchmaker_core *core = node->core.matchmaker;
    for (int i = 0; i < core->member_count; i++) {
        const struct known_member *member = core->members[i];
        if (member->is.kind != SERVICE_WORKER || member->dead) continue;
        if (watches(node, member->is.control_url)) continue;
        world_fail(world, "%s: takes %s for alive and would not hear of its death", node_name(node),
                   member->is.control_url);
    }
}

void check_watched(struct world *world)
{
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (node->up && node->kind == SERVICE_MATCHMAKER) check_one(world, node);
    }
}
