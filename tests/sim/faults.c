/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes wrong, and when: each kind of fault comes at random intervals around its mean, until
 * the run calms down. Kinds that strike by chance what is on its way are not here.
 */
#include "base/check.h"
#include "sim/world.h"

enum { PAUSE_MAX_MS = 6000, SUSPEND_MAX_MS = 30000, FREEZE_MAX_MS = 10000 };

instant_ms fault_ms(struct world *world, instant_ms low, instant_ms high)
{
    instant_ms ms = chance_between(world, low, high), calm_at = world->config.calm_at;
    if (world->now >= calm_at) return 0;
    return ms < calm_at - world->now ? ms : calm_at - world->now;
}

/* ---- when ------------------------------------------------------------------------------------ */

static uint32_t every_ms(const struct world *world, enum fault fault)
{
    const struct sim_faults *faults = &world->config.faults;
    switch (fault) {
    case FAULT_CRASH: return faults->crash_every_ms;
    case FAULT_PAUSE: return faults->pause_every_ms;
    case FAULT_SUSPEND: return faults->suspend_every_ms;
    case FAULT_REPLACE: return faults->replace_every_ms;
    case FAULT_CUT: return faults->cut_every_ms;
    case FAULT_STORE_CUT: return faults->store_cut_every_ms;
    case FAULT_STORE_PARTITION: return faults->store_partition_every_ms;
    case FAULT_STORE_SLOW: return faults->store_slow_every_ms;
    case FAULT_STORE_FREEZE: return faults->store_freeze_every_ms;
    case FAULT_STORE_REFUSE: return faults->store_refuse_every_ms;
    case FAULT_STORE_CLOCK: return faults->store_clock_every_ms;
    case FAULT_STORE_CRASH: return faults->store_crash_every_ms;
    case FAULT_STORE_PROMOTE: return faults->store_promote_every_ms;
    case FAULT_STORE_FORGET: return faults->store_forget_every_ms;
    case FAULT_SLOW_READER: return faults->slow_reader_every_ms;
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
        chance_begin(world, ACTOR_FAULT, fault, 0);
        queue(world, (enum fault)fault);
    }
}

/* ---- deeds ----------------------------------------------------------------------------------- */

/* A machine with several of our processes; CLOCK_BOOTTIME has gone on when it wakes. */
static void suspend(struct world *world)
{
    instant_ms ms = fault_ms(world, 1000, SUSPEND_MAX_MS);
    bool store = chance_below(world, 4) == 0;
    if (!fault_happens(world, FAULT_SUSPEND, true, store ? "store" : "some")) return;
    for (int i = 0; i < world->node_count; i++)
        if (chance_below(world, 2) && world->nodes[i].up) node_freeze(world, &world->nodes[i], ms);
    if (store && !world->server.down) store_freeze(world, ms);
}

static void strike_node(struct world *world, enum fault fault)
{
    struct sim_node *node = &world->nodes[chance_below(world, (uint32_t)world->node_count)];
    bool can = node->up && (fault != FAULT_STORE_CUT || node->store.up);
    if (!fault_happens(world, fault, can, node_name(node))) return;
    switch (fault) {
    case FAULT_CRASH: node_crash(world, node); return;
    case FAULT_PAUSE: node_freeze(world, node, fault_ms(world, 100, PAUSE_MAX_MS)); return;
    case FAULT_STORE_PARTITION: store_partition(world, node); return;
    default: storage_break(world, node); return;
    }
}

static void strike_store(struct world *world, enum fault fault)
{
    bool well = !world->server.down && world->now >= world->server.frozen_until;
    if (!fault_happens(world, fault, well, "store")) return;
    switch (fault) {
    case FAULT_STORE_SLOW: store_slow_down(world); return;
    case FAULT_STORE_FREEZE: store_freeze(world, fault_ms(world, 100, FREEZE_MAX_MS)); return;
    case FAULT_STORE_REFUSE: store_refuse(world); return;
    case FAULT_STORE_CLOCK: store_jump(world); return;
    case FAULT_STORE_CRASH: store_crash(world); return;
    case FAULT_STORE_PROMOTE: store_promote(world); return;
    default: store_forget(world); return;
    }
}

static void strike_player(struct world *world, enum fault fault)
{
    int player = (int)chance_below(world, (uint32_t)world->player_count);
    if (!fault_happens(world, fault, true, player_name(world, player))) return;
    if (fault == FAULT_PLAYER_CUT)
        player_cut(world, player);
    else
        player_slow_down(world, player);
}

static void strike(struct world *world, enum fault fault)
{
    switch (fault) {
    case FAULT_SUSPEND: suspend(world); return;
    case FAULT_REPLACE:
        if (fault_happens(world, fault, true, "all")) replace_start(world);
        return;
    case FAULT_CUT:
        if (fault_happens(world, fault, true, "network")) cut_network(world);
        return;
    case FAULT_CRASH:
    case FAULT_PAUSE:
    case FAULT_STORE_CUT:
    case FAULT_STORE_PARTITION: strike_node(world, fault); return;
    case FAULT_PLAYER_CUT:
    case FAULT_SLOW_READER: strike_player(world, fault); return;
    default: strike_store(world, fault); return;
    }
}

void faults_happening(struct world *world, struct happening *what)
{
    CHECK(what->at >= 0 && what->at < FAULT_COUNT);
    strike(world, (enum fault)what->at);
    queue(world, (enum fault)what->at);
}
