/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes wrong with Redis itself.
 *
 *   crash       its process is killed and starts again with what its AOF holds
 *   promotion   a replica takes its place; it lacks what had not reached it, and has another clock
 *   forgetting  FLUSHALL: everything is gone, and no connection breaks
 *   freezing    SIGSTOP: what is sent to it lies there until it wakes
 *   slowness    everything takes long
 *   refusing    MISCONF or OOM (writes are refused), READONLY and LOADING (the client lets go of
 *               the connection), a WAIT that falls short (carried out, but nobody vouches for it)
 *   a jump      of its TIME, forwards or back
 */
#include "base/check.h"
#include "sim/checks.h"

enum {
    REPLICA_LAG_MS = 1000,
    REPLICA_CLOCK_MS = 20,
    JUMP_SMALL_MS = 3000,
    JUMP_MS = 5 * 60 * 1000,
};

static void troubled(struct world *world, instant_ms ms)
{
    if (world->troubled_until < world->now + ms) world->troubled_until = world->now + ms;
}

static void goes_down(struct world *world, instant_ms ms)
{
    troubled(world, ms);
    world->server.down = true;
    world->server.down_until = world->now + ms;
    for (int i = 0; i < world->node_count; i++) storage_break(world, &world->nodes[i]);
    world_schedule(world, HAPPEN_STORE_START, world->now + ms);
}

void store_crash(struct world *world)
{
    static const char *const what[] = {[SIM_AOF_NONE] = "everything",
                                       [SIM_AOF_EVERYSEC] = "the last second",
                                       [SIM_AOF_ALWAYS] = "nothing"};
    enum sim_aof aof = world->config.faults.aof;
    world_trace(world, "store: crashes and forgets %s", what[aof]);
    if (aof == SIM_AOF_NONE) {
        world->counts.crashes_bare++;
        model_store_forget(world->store);
    } else if (aof == SIM_AOF_EVERYSEC) {
        world->counts.crashes_everysec++;
    } else {
        world->counts.crashes_always++;
        model_store_sync(world->store);
    }
    model_store_crash(world->store);
    loss_begin(world);
    goes_down(world, chance_between(world, 100, 1500));
}

void store_promote(struct world *world)
{
    world_trace(world, "store: a replica is promoted");
    model_store_crash(world->store);
    world->server.clock += chance_between(world, 0, 2 * REPLICA_CLOCK_MS);
    world->server.clock -= REPLICA_CLOCK_MS;
    loss_begin(world);
    goes_down(world, chance_between(world, 500, 6000));
}

void store_forget(struct world *world)
{
    world_trace(world, "store: loses everything");
    troubled(world, 0);
    model_store_forget(world->store);
    loss_begin(world);
}

void store_freeze(struct world *world, instant_ms ms)
{
    world_trace(world, "store: frozen for %llu ms", (unsigned long long)ms);
    troubled(world, ms);
    if (world->server.frozen_until < world->now + ms) world->server.frozen_until = world->now + ms;
    for (int i = 0; i < world->node_count; i++) storage_silent(world, &world->nodes[i], ms);
}

void store_slow_down(struct world *world)
{
    world->server.slow_until = world->now + fault_ms(world, 1000, 8000);
    world->server.slow_ms = chance_between(world, 20, 700);
    troubled(world, world->server.slow_until - world->now);
    world_trace(world, "store: slow by %llu ms", (unsigned long long)world->server.slow_ms);
}

void store_refuse(struct world *world)
{
    struct store_server *server = &world->server;
    server->mood = (enum store_mood)(STORE_MISCONF + chance_below(world, 3));
    world->counts.misconf += server->mood == STORE_MISCONF;
    world->counts.readonly += server->mood == STORE_READONLY;
    world->counts.wait_short += server->mood == STORE_WAIT_SHORT;
    world_trace(world, "store: %s",
                server->mood == STORE_MISCONF    ? "refuses writes"
                : server->mood == STORE_READONLY ? "is no primary"
                                                 : "cannot vouch for its writes");
    server->mood_until = world->now + fault_ms(world, 100, 5000);
    troubled(world, server->mood_until - world->now);
    world_schedule(world, HAPPEN_STORE_START, server->mood_until);
}

void store_jump(struct world *world)
{
    bool back = chance_below(world, 2);
    instant_ms most = chance_below(world, 3) ? JUMP_SMALL_MS : JUMP_MS;
    instant_ms by = chance_between(world, 1, most);
    world_trace(world, "store: its clock jumps %s by %llu ms", back ? "back" : "on",
                (unsigned long long)by);
    world->counts.clocks_back += back;
    world->counts.clocks_on += !back;
    world->server.clock += back ? -by : by;
    troubled(world, 0);
}

/* Nothing gets there, or nothing comes back, or both; TCP delivers what it could not afterwards. */
void store_partition(struct world *world, struct sim_node *node)
{
    instant_ms ms = fault_ms(world, 200, 6000);
    uint32_t ways = 1 + chance_below(world, 3);
    world_trace(world, "%s: cut off from the store for %llu ms%s", node_name(node),
                (unsigned long long)ms,
                ways == 1   ? ", ops alone"
                : ways == 2 ? ", answers alone"
                            : "");
    instant_ms until = world->now + ms;
    if (ways & 1 && node->store.deaf_until < until) node->store.deaf_until = until;
    if (ways & 2 && node->store.mute_until < until) node->store.mute_until = until;
    node_troubled(world, node, until);
    storage_silent(world, node, ms);
}

void store_happening(struct world *world, struct happening *what)
{
    struct store_server *server = &world->server;
    if (what->kind == HAPPEN_STORE_SYNC) {
        if (!server->down) model_store_sync(world->store);
        world_schedule(world, HAPPEN_STORE_SYNC,
                       world->now + chance_between(world, 1, REPLICA_LAG_MS));
        return;
    }
    if (server->mood != STORE_WELL && world->now >= server->mood_until) server->mood = STORE_WELL;
    if (!server->down || world->now < server->down_until) return;
    world_trace(world, "store: serves again");
    server->down = false;
    world->serves_from = world->now;
}
