/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers of the store find the room that asked. One that comes for a room's former life here, or
 * for a room that went, says nothing any more: tags tell.
 */
#include "worker/parts.h"

/* "Exists" names the room that has the code, not the one that asked. */
static struct owned_room *asker_of(struct worker_core *core, const struct store_reply *reply)
{
    if (reply->status != ST_EXISTS) return core_find(core, reply->room);
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (map_next(&core->rooms, &cursor, &id, &value)) {
        struct owned_room *o = value;
        if (!o->dead && o->phase < OWNED_LIVE && o->life_tag == reply->tag) return o;
    }
    return NULL;
}

void on_store(struct worker_core *core, const struct store_reply *reply)
{
    if (reply->kind == STORE_LEASE) {
        lease_on_reply(core, reply);
        return;
    }
    if (reply->kind == STORE_TAIL && core->tails_open > 0) core->tails_open--;
    if (reply->kind == STORE_TAKE && core->takes_open > 0) core->takes_open--;
    if (reply->kind == STORE_RESTORE && core->restores_open > 0) core->restores_open--;
    struct owned_room *o = asker_of(core, reply);
    if (o == NULL || reply->tag < o->born) return;
    core_touch(core, o);
    switch (reply->kind) {
    case STORE_CREATE: create_on_reply(core, o, reply); return;
    case STORE_TAKE: adopt_on_taken(core, o, reply); return;
    case STORE_APPEND: append_on_reply(core, o, reply); return;
    case STORE_SNAPSHOT:
    case STORE_FINISH: snapshot_on_reply(core, o, reply); return;
    case STORE_RELEASE: snapshot_on_released(core, o, reply); return;
    case STORE_DELETE: snapshot_on_deleted(core, o, reply); return;
    case STORE_TAIL: repair_on_tail(core, o, reply); return;
    case STORE_RESTORE: restore_on_reply(core, o, reply); return;
    case STORE_ASIDE: aside_on_reply(core, o, reply); return;
    default: return;
    }
}
