/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/checks.h"

void node_troubled(struct world *world, struct sim_node *node, instant_ms until)
{
    (void)world;
    if (node->troubled_until < until) node->troubled_until = until;
}

void checks_event(struct world *world, struct sim_node *node, const struct event *event)
{
    if (node->kind != SERVICE_WORKER) return;
    check_confirmed_event(world, node, event);
    check_lease_event(world, node, event);
}

static void check_shown(struct world *world, struct sim_node *node, const struct event *event,
                        const struct envelope *envelope)
{
    switch (envelope->kind) {
    case ENV_UPDATE:
    case ENV_ANSWER:
    case ENV_ATTACHED:
    case ENV_ATTACH_REFUSED:
        check_confirmed(world, node, event, envelope);
        check_lease(world, node, event, envelope);
        check_superseded(world, node, event, envelope);
        return;
    default: return; /* follows from no action, or is no worker's */
    }
}

void checks_effect(struct world *world, struct sim_node *node, const struct event *event,
                   const struct effect *effect)
{
    bool worker = node->kind == SERVICE_WORKER;
    if (effect->kind == EFFECT_SEND && worker)
        check_shown(world, node, event, &effect->envelope);
    else if (effect->kind == EFFECT_STORE && worker)
        check_lease_op(world, node, &effect->op);
    else if (effect->kind == EFFECT_REQUEST && node->kind == SERVICE_MATCHMAKER)
        check_attempts(world, node, effect);
    else if (effect->kind == EFFECT_EXIT && worker)
        check_drained(world, node);
}

void checks_stored(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    if (reply->status != ST_OK) return;
    const struct shadow *shadow = op->room ? shadow_of(world, op->room) : NULL;
    if (shadow) check_snapshot(world, shadow, op, reply);
}

void checks_every_second(struct world *world)
{
    check_room_moves(world);
    check_returned(world);
    check_bounds(world);
    check_watched(world);
    check_leaving(world);
    check_newest(world);
    check_archives_stand(world);
    check_deadlines(world);
    check_directory(world);
    check_presence_of_all(world);
    check_list(world);
    check_rest(world);
}

void checks_at_the_end(struct world *world)
{
    check_acknowledged(world);
    check_reached_newest(world);
    check_leaks(world);
}
