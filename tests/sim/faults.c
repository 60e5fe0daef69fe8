/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes wrong, and when: each kind of fault comes at random intervals around its mean, until
 * the run calms down.
 */
#include "base/check.h"
#include "sim/world.h"

enum fault {
    FAULT_CRASH,
    FAULT_PAUSE,
    FAULT_PARTITION,
    FAULT_STORE_CUT,
    FAULT_STORE_CRASH,
    FAULT_STORE_FORGET,
    FAULT_PLAYER_CUT
};

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
    }
    return 0;
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
    for (int fault = FAULT_CRASH; fault <= FAULT_PLAYER_CUT; fault++)
        queue(world, (enum fault)fault);
}

static struct sim_node *any_node(struct world *world)
{
    return &world->nodes[rng_below(&world->chance, (uint32_t)world->node_count)];
}

void faults_happening(struct world *world, struct happening *what)
{
    if (what->kind == HAPPEN_STORE_START) {
        world_trace(world, "store: serves again");
        world->store_down = false;
        world->repaired_at = world->now + SIM_REPAIR_MS;
        return;
    }
    enum fault fault = (enum fault)what->at;
    struct sim_node *node = any_node(world);
    switch (fault) {
    case FAULT_CRASH:
        if (node->up) node_crash(world, node);
        break;
    case FAULT_PAUSE:
        if (node->up) node_freeze(world, node, chance_between(world, 100, 6000));
        break;
    case FAULT_PARTITION:
        if (node->up) node_cut_off(world, node, chance_between(world, 300, 6000));
        break;
    case FAULT_STORE_CUT: storage_cut(world, node); break;
    case FAULT_STORE_CRASH:
        if (!world->store_down) storage_crash(world);
        break;
    case FAULT_STORE_FORGET:
        if (!storage_repairing(world)) storage_forget(world);
        break;
    case FAULT_PLAYER_CUT:
        player_cut(world, (int)rng_below(&world->chance, (uint32_t)world->player_count));
        break;
    }
    queue(world, fault);
}
