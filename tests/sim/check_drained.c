/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 17: a worker that was told to leave exits when all its rooms are the store's to give, or
 * another's; or when its time for that is over, which it needs only when something goes wrong. (A
 * room that it took without ever hearing so is the matchmaker's, who sees it die; a release that
 * the store has carried out and then forgotten is nobody's.) And it does exit then, as every other
 * service does at once.
 */
#include <stdlib.h>

#include "sim/checks.h"
#include "worker/worker_core.h"

enum { DRIFT_MS = 2, LAST_WORDS_MS = 1000 };

static bool was_cut(const struct world *world, const struct sim_node *node)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->cuts[node->index][i].until > node->told_to_leave_at ||
            world->cuts[i][node->index].until > node->told_to_leave_at)
            return true;
    return false;
}

/* A node, the store or the network between them has been out of order since it was told. */
static bool was_hindered(const struct world *world, const struct sim_node *node)
{
    instant_ms since = node->told_to_leave_at;
    if (world->troubled_until + WORKER_LEASE_MS > since) return true;
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *other = &world->nodes[i];
        if (other->troubled_until > since || other->started_at > since) return true;
        if (!other->up) return true;
    }
    return was_cut(world, node);
}

static bool its_own(const struct world *world, const struct sim_node *node, room_id room)
{
    struct model_view look;
    if (!model_store_look(world->store, room, &look)) return false;
    return told_its_own(node, room, look.epoch) && id128_equal(look.owner, node->instance);
}

void check_drained(struct world *world, struct sim_node *node)
{
    bool in_time = world->now + DRIFT_MS < node->told_to_leave_at + SIM_GRACE_MS &&
                   !night_passed_since(world, node->told_to_leave_at);
    if (!node->leaving || (!in_time && was_hindered(world, node))) return;
    size_t count = 0;
    room_id *rooms = model_store_rooms(world->store, &count);
    for (size_t i = 0; i < count; i++)
        if (its_own(world, node, rooms[i]))
            world_fail(world, "%s: leaves after %llu ms, and room %llx is still its own",
                       node_name(node), (unsigned long long)(world->now - node->told_to_leave_at),
                       (unsigned long long)rooms[i]);
    free(rooms);
}

/* Who is frozen meanwhile goes when it wakes. */
static void check_gone(struct world *world, const struct sim_node *node)
{
    instant_ms end = node->told_to_leave_at + SIM_GRACE_MS;
    if (end < node->troubled_until) end = node->troubled_until;
    if (world->now <= end + LAST_WORDS_MS) return;
    world_fail(world, "%s: was told to leave %llu ms ago, and is still there", node_name(node),
               (unsigned long long)(world->now - node->told_to_leave_at));
}

void check_leaving(struct world *world)
{
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        bool heard = node->told_to_leave_at >= node->started_at;
        if (node->up && node->leaving && heard) check_gone(world, node);
    }
}
