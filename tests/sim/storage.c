/* SPDX-License-Identifier: Apache-2.0
 *
 * Ops on their way to the model of Redis. An op is carried out when it is sent and answered later,
 * in order; on a connection that breaks, what was on its way is answered "unknown", whether it was
 * carried out or not, and nothing more is carried out until the connection is back.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/world.h"

instant_ms storage_now(const struct world *world)
{
    return world->now + world->store_skew;
}

bool storage_repairing(const struct world *world)
{
    return world->store_down || world->now < world->repaired_at;
}

static void reply_later(struct world *world, struct sim_node *node, const struct store_op *op,
                        bool reached)
{
    const struct sim_faults *faults = &world->config.faults;
    instant_ms delay = fault_strikes(world, FAULT_SLOW, faults->slow_ppm, "store")
                           ? faults->slow_ms
                           : chance_between(world, 0, 3);
    instant_ms at = world->now + delay;
    if (at < node->last_store_reply) at = node->last_store_reply;
    node->last_store_reply = at;
    struct happening *answer = world_schedule(world, HAPPEN_STORE_REPLY, at);
    answer->at = node->index;
    answer->life = node->life;
    answer->reply = calloc(1, sizeof *answer->reply);
    CHECK(answer->reply);
    if (reached)
        model_store_step(world->store, op, storage_now(world), &answer->arena, answer->reply);
    else
        *answer->reply = model_store_unavailable(op, 0);
    if (!reached) return;
    bool told = op->kind != STORE_TAKE && answer->reply->status == ST_FENCED;
    told |= op->kind == STORE_TAIL && answer->reply->epoch > op->epoch;
    if (told) world->counts.fenced++;
    if (op->kind == STORE_TAKE && answer->reply->status == ST_OK) world->counts.adoptions++;
    if (op->kind == STORE_RESTORE && answer->reply->status == ST_OK) world->counts.restored++;
    shadow_follow(world, op->room);
}

void storage_op(struct world *world, struct sim_node *node, const struct store_op *op)
{
    if (op->kind == STORE_CLAIM &&
        fault_strikes(world, FAULT_CLAIM, world->config.faults.claim_crash_ppm, node_name(node))) {
        struct happening *kill = world_schedule(world, HAPPEN_KILL, world->now);
        kill->at = node->index;
        kill->life = node->life;
    }
    reply_later(world, node, op, !node->store_cut && !world->store_down);
}

void storage_connect(struct world *world, struct sim_node *node)
{
    node->store_cut = true;
    instant_ms at = world->now + chance_between(world, 1, 30);
    struct happening *back = world_schedule(world, HAPPEN_STORE_BACK, at);
    back->at = node->index;
    back->life = node->life;
}

void storage_cut(struct world *world, struct sim_node *node)
{
    if (node->store_cut || !node->up) return;
    world_trace(world, "%s: connection to the store breaks", node_name(node));
    node->store_cut = true;
    struct happening *back =
        world_schedule(world, HAPPEN_STORE_BACK, world->now + chance_between(world, 20, 2500));
    back->at = node->index;
    back->life = node->life;
    struct event down = {.kind = EVENT_STORE_RESET, .store_up = false};
    node_event(world, node, &down);
}

void storage_crash(struct world *world)
{
    world_trace(world, "store: crashes and forgets");
    world->store_down = true;
    model_store_crash(world->store);
    shadow_rebuild(world);
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && world->now >= world->nodes[i].frozen_until)
            storage_cut(world, &world->nodes[i]);
        else
            world->nodes[i].store_cut = true;
    world_schedule(world, HAPPEN_STORE_START, world->now + chance_between(world, 100, 1500));
}

/* All of it at once, and nobody's connection breaks: as after a FLUSHALL. */
void storage_forget(struct world *world)
{
    world_trace(world, "store: loses everything");
    model_store_forget(world->store);
    shadow_rebuild(world);
    world->repaired_at = world->now + SIM_REPAIR_MS;
}

static void on_back(struct world *world, struct sim_node *node)
{
    if (world->store_down) {
        struct happening *again = world_schedule(world, HAPPEN_STORE_BACK, world->now + 100);
        again->at = node->index;
        again->life = node->life;
        return;
    }
    node->store_cut = false;
    struct event up = {.kind = EVENT_STORE_RESET, .store_up = true};
    node_event(world, node, &up);
}

void storage_happening(struct world *world, struct sim_node *node, struct happening *what)
{
    if (what->kind == HAPPEN_STORE_BACK) {
        on_back(world, node);
        return;
    }
    /* What was under way when the connection broke is answered "unknown". */
    struct store_reply unknown = {.kind = what->reply->kind,
                                  .tag = what->reply->tag,
                                  .shard = what->reply->shard,
                                  .room = what->reply->room,
                                  .status = ST_UNAVAILABLE};
    struct event event = {.kind = EVENT_STORE, .store = node->store_cut ? &unknown : what->reply};
    node_event(world, node, &event);
}
