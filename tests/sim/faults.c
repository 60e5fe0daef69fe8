/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes wrong, and when: each kind of fault comes at random intervals around its mean, until
 * the run calms down.
 */
#include "base/check.h"
#include "sim/world.h"

static uint32_t every_ms(const struct world *world, enum fault fault)
{
    const struct sim_faults *faults = &world->config.faults;
    switch (fault) {
    case FAULT_CRASH: return faults->crash_every_ms;
    case FAULT_PAUSE: return faults->pause_every_ms;
    case FAULT_PARTITION: return faults->partition_every_ms;
    case FAULT_STORE_CUT: return faults->store_cut_every_ms;
    case FAULT_STORE_CRASH: return faults->store_crash_every_ms;
    case FAULT_STORE_FORGET: return faults->store_forget_every_ms;
    case FAULT_PLAYER_CUT:
        return faults->player_cut_every_ms /
               (uint32_t)(world->player_count ? world->player_count : 1);
    default: return 0; /* strikes by chance */
    }
}

static void queue(struct world *world, enum fault fault)
{
    uint32_t mean = every_ms(world, fault);
    if (!mean) return;
    instant_ms at = world->now + chance_between(world, mean / 2, mean + mean / 2);
    if (at >= world->config.calm_at) return;
    world_schedule(world, HAPPEN_FAULT, at)->at = (int)fault;
}

void faults_start(struct world *world)
{
    for (int fault = 0; fault < FAULT_COUNT; fault++) {
        world->chance = &world->luck_of[fault];
        queue(world, (enum fault)fault);
    }
}

static void strike_node(struct world *world, enum fault fault)
{
    struct sim_node *node = &world->nodes[chance_below(world, (uint32_t)world->node_count)];
    instant_ms ms = chance_between(world, 100, 6000);
    bool can = node->up && (fault != FAULT_STORE_CUT || !node->store_cut);
    if (!fault_happens(world, fault, can, node_name(node))) return;
    switch (fault) {
    case FAULT_CRASH: node_crash(world, node); return;
    case FAULT_PAUSE: node_freeze(world, node, ms); return;
    case FAULT_PARTITION: node_cut_off(world, node, ms); return;
    default: storage_cut(world, node); return;
    }
}

static void strike(struct world *world, enum fault fault)
{
    int player;
    switch (fault) {
    case FAULT_STORE_CRASH:
        if (fault_happens(world, fault, !world->store_down, "store")) storage_crash(world);
        return;
    case FAULT_STORE_FORGET:
        if (fault_happens(world, fault, !storage_repairing(world), "store")) storage_forget(world);
        return;
    case FAULT_PLAYER_CUT:
        player = (int)chance_below(world, (uint32_t)world->player_count);
        if (fault_happens(world, fault, true, player_name(world, player)))
            player_cut(world, player);
        return;
    default: strike_node(world, fault); return;
    }
}

void faults_happening(struct world *world, struct happening *what)
{
    if (what->kind == HAPPEN_STORE_START) {
        world_trace(world, "store: serves again");
        world->store_down = false;
        world->repaired_at = world->now + SIM_REPAIR_MS;
        return;
    }
    strike(world, (enum fault)what->at);
    queue(world, (enum fault)what->at);
}
