/* SPDX-License-Identifier: Apache-2.0
 *
 * What the time alone brings: leases, heartbeats, retries, graces. Done in every step, whatever its
 * event, so that a tick that comes late or not at all changes nothing.
 */
#include "worker/parts.h"

void on_due(struct worker_core *core)
{
    lease_due(core);
    members_due(core);
    if (core->tally_at <= core->now) { /* the next heartbeat's step comes soon enough */
        core->tally_at = core->now + WORKER_TALLY_MS;
        restore_note(core);
    }
    /* Each room once: what is still due afterwards gets a later instant when it is settled. */
    for (;;) {
        struct heap_node *node = heap_first(&core->wakes);
        if (node == NULL || node->at > core->now) return;
        heap_remove(&core->wakes, node);
        struct owned_room *o = core_find(core, node->key);
        if (o) owned_due(core, o);
    }
}
