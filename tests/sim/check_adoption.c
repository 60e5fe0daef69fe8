/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 16: nobody takes a room from an owner with whom nothing is wrong, and was not for a while;
 * whatever happened to those who watch. (An owner that never heard that it is one has nothing to
 * lose; and who was held up takes what it was asked to before.)
 */
#include "sim/checks.h"

enum { AFTERMATH_MS = 10 * 1000 };

static struct sim_node *node_of(struct world *world, struct id128 instance)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && id128_equal(world->nodes[i].instance, instance))
            return &world->nodes[i];
    return NULL;
}

static bool was_cut_off(const struct world *world, int node)
{
    for (int i = 0; i < world->node_count; i++) {
        instant_ms from = world->cuts[node][i].until, to = world->cuts[i][node].until;
        if (world->now < (from > to ? from : to) + AFTERMATH_MS && (from || to)) return true;
    }
    return false;
}

void check_adoption(struct world *world, const struct shadow *shadow, const struct store_op *op,
                    const struct model_view *look)
{
    if (op->kind != STORE_TAKE || look->epoch == shadow->epoch) return;
    if (id128_is_zero(shadow->owner) || id128_equal(shadow->owner, look->owner)) return;
    const struct sim_node *owner = node_of(world, shadow->owner);
    if (!owner || owner->leaving || was_cut_off(world, owner->index)) return;
    if (!told_its_own(owner, shadow->id, shadow->epoch)) return;
    const struct sim_node *taker = node_of(world, look->owner);
    if (taker && world->now < taker->troubled_until + AFTERMATH_MS) return;
    if (world->now < owner->troubled_until + AFTERMATH_MS) return;
    if (world->now < world->troubled_until + AFTERMATH_MS) return;
    world_fail(world, "room %llx is taken from %s, with which nothing is wrong",
               (unsigned long long)shadow->id, node_name(owner));
}
