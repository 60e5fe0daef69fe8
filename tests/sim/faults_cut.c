/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitions between nodes: one of them against all others, or any group against the rest, both
 * ways or in one direction alone. What is sent across is lost (the pipe breaks), or lies in the
 * sender's kernel and arrives in its order when the cut is over. The store is not among them; see
 * store_partition.
 */
#include "sim/world.h"

enum { CUT_MIN_MS = 300, CUT_MAX_MS = 8000 };

static uint32_t some_group(struct world *world)
{
    uint32_t one = 1u << chance_below(world, (uint32_t)world->node_count);
    if (chance_below(world, 2)) return one;
    uint32_t group = chance_below(world, 1u << (world->node_count - 1)) << 1;
    return group ? group : one;
}

static void cut(struct world *world, uint32_t from, uint32_t to, struct sim_cut as)
{
    for (int a = 0; a < world->node_count; a++)
        for (int b = 0; b < world->node_count; b++)
            if (from >> a & 1 && to >> b & 1) world->cuts[a][b] = as;
}

void cut_network(struct world *world)
{
    _Static_assert(SIM_NODES_MAX <= 32, "a group is a mask");
    uint32_t group = some_group(world), rest = ~group;
    bool one_way = chance_below(world, 2);
    instant_ms ms = fault_ms(world, CUT_MIN_MS, CUT_MAX_MS);
    struct sim_cut as = {world->now + ms, chance_below(world, 2)};
    world_trace(world, "network: nodes %x are cut off for %llu ms%s, messages are %s", group,
                (unsigned long long)ms, one_way ? ", what they send alone" : "",
                as.keeps ? "kept" : "lost");
    world->counts.one_way_cuts += one_way;
    cut(world, group, rest, as);
    if (!one_way) cut(world, rest, group, as);
}

const struct sim_cut *cut_between(const struct world *world, const struct sim_node *from,
                                  const struct sim_node *to)
{
    const struct sim_cut *between = &world->cuts[from->index][to->index];
    return world->now < between->until ? between : NULL;
}
