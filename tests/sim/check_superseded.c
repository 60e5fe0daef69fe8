/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 6, 7 and 16: when a room has another owner, the former one is heard no longer than a lease;
 * after that only what the store had still accepted of it.
 */
#include "sim/checks.h"
#include "worker/worker_core.h"

enum { DRIFT_MS = 2 };

static uint64_t epoch_in(const struct envelope *envelope, room_id *room)
{
    switch (envelope->kind) {
    case ENV_UPDATE: *room = envelope->u.update.room; return envelope->u.update.version.epoch;
    case ENV_ANSWER: *room = envelope->u.answer.room; return envelope->u.answer.epoch;
    case ENV_ATTACHED: *room = envelope->u.attached.room; return envelope->u.attached.epoch;
    default: return 0;
    }
}

/* The store has just said how far the room's log went when it was asked. */
static bool accepted(const struct event *event, room_id room)
{
    if (event->kind != EVENT_STORE || event->store->status != ST_OK) return false;
    bool of_log = event->store->kind == STORE_APPEND || event->store->kind == STORE_TAIL;
    return of_log && event->store->room == room;
}

void check_superseded(struct world *world, struct sim_node *node, const struct event *event,
                      const struct envelope *envelope)
{
    room_id room = 0;
    uint64_t epoch = epoch_in(envelope, &room);
    const struct shadow *shadow = room ? shadow_of(world, room) : NULL;
    if (!epoch || !shadow || epoch >= shadow->epoch) return;
    if (id128_is_zero(shadow->owner) || id128_equal(shadow->owner, node->instance)) return;
    if (world->now <= shadow->epoch_at + WORKER_LEASE_MS + DRIFT_MS) return;
    if (accepted(event, room)) return;
    world_fail(world, "%s: shows room %llx, which is another's since %llu ms", node_name(node),
               (unsigned long long)room, (unsigned long long)(world->now - shadow->epoch_at));
}
