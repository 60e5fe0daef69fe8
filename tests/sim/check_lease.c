/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 7: what no append vouches for leaves a worker only while its lease is fresh, counted from
 * the moment at which the renewal was sent.
 */
#include "sim/checks.h"
#include "wire/reason.h"
#include "worker/worker_core.h"

enum { DRIFT_MS = 2 };

void check_lease_op(struct world *world, struct sim_node *node, const struct store_op *op)
{
    if (op->kind != STORE_LEASE) return;
    node->lease_tag = op->tag;
    node->lease_sent_at = world->now;
}

void check_lease_event(struct world *world, struct sim_node *node, const struct event *event)
{
    (void)world;
    if (event->kind != EVENT_STORE || event->store->kind != STORE_LEASE) return;
    if (event->store->status == ST_OK && event->store->tag == node->lease_tag)
        node->fresh_until = node->lease_sent_at + WORKER_LEASE_MS + DRIFT_MS;
}

static room_id room_in(const struct envelope *envelope)
{
    switch (envelope->kind) {
    case ENV_UPDATE: return envelope->u.update.room;
    case ENV_ANSWER: return envelope->u.answer.room;
    case ENV_ATTACHED: return envelope->u.attached.room;
    default: return envelope->u.attach_refused.room;
    }
}

/* Why it refuses; 0: it does not. */
static uint32_t refusal_in(const struct envelope *envelope)
{
    if (envelope->kind == ENV_ANSWER && !envelope->u.answer.ok) return envelope->u.answer.why.code;
    if (envelope->kind == ENV_ATTACH_REFUSED) return envelope->u.attach_refused.why.code;
    return REASON_NONE;
}

/* The store's word on that room's log has just come. */
static bool vouched(const struct event *event, room_id room)
{
    return event->kind == EVENT_STORE && event->store->status == ST_OK &&
           event->store->room == room;
}

void check_lease(struct world *world, struct sim_node *node, const struct event *event,
                 const struct envelope *envelope)
{
    room_id room = room_in(envelope);
    uint32_t refusal = refusal_in(envelope);
    if (world->now <= node->fresh_until || refusal == REASON_BUSY || vouched(event, room)) return;
    world_fail(world,
               "%s: shows something of room %llx (%d, refusal %u), its lease ended %llu ms ago",
               node_name(node), (unsigned long long)room, (int)envelope->kind, refusal,
               (unsigned long long)(world->now - node->fresh_until));
}
