/* SPDX-License-Identifier: Apache-2.0
 *
 * A room whose replay disagreed with its hashes, or whose snapshot is damaged (rule 9). The store
 * keeps record, snapshot and log as they were, and in the same step takes the room as it is now:
 * the same people, who are told and may start anew, whoever owns it then. Until that is confirmed
 * the room takes no inputs. Other rooms go on.
 */
#include "worker/parts.h"

void aside_send(struct worker_core *core, struct owned_room *o)
{
    struct buf snapshot = {0};
    room_encode(o->room, &snapshot);
    CHECK(snapshot.len <= STORE_SNAPSHOT_BYTES_MAX);
    struct store_op *op = core_op(core, STORE_ASIDE, o);
    op->tag = o->life_tag = core_tag(core);
    op->position = room_position(o->room);
    op->snapshot = arena_copy(&core->out->arena, buf_slice(&snapshot));
    buf_fini(&snapshot);
}

void aside_begin(struct worker_core *core, struct owned_room *o)
{
    o->phase = OWNED_ASIDE;
    o->tries = 0;
    owned_freeze(core, o);
    aside_send(core, o);
}

static void done(struct worker_core *core, struct owned_room *o)
{
    core_note(core, "room.set_aside", o->id, o->epoch, room_position(o->room));
    o->set_aside = false;
    o->snapshotted = o->snapshot_queued = room_position(o->room);
    owned_thaw(core, o);
    adopt_go_live(core, o);
}

void aside_on_reply(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    if (o->phase != OWNED_ASIDE || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    if (reply->status == ST_OK) {
        done(core, o);
        return;
    }
    if (reply->status == ST_UNAVAILABLE) {
        if (++o->tries >= WORKER_TRIES_MAX) adopt_settle(o, ST_UNAVAILABLE, o->epoch);
        o->life_retry_at = core->now + WORKER_RETRY_MIN_MS * 2;
        return;
    }
    adopt_settle(o, reply->status, reply->epoch);
    if (reply->status == ST_FENCED)
        repair_fenced(core, o, reply);
    else if (reply->status == ST_UNKNOWN)
        restore_begin(core, o);
    else
        adopt_again(core, o, o->epoch);
}
