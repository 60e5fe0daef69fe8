/* SPDX-License-Identifier: Apache-2.0
 *
 * When Redis' log and ours differ (rules 2 and 4). Ours is the chain of entries that this owner has
 * made or replayed; a log whose end lies on that chain has merely forgotten, or not yet heard, the
 * rest, and is given it again from the kept tail. Anything else means that somebody else has
 * written: the room freezes and is taken again, and what Redis has then is what counts.
 */
#include "worker/parts.h"

bool repair_on_our_chain(const struct owned_room *o, uint64_t position, struct id128 hash)
{
    if (position > room_position(o->room) || position + 1 < o->kept_first) return false;
    if (MUTANT(no_tail_repair) && position < o->confirmed) return false;
    if (position == 0 || id128_is_zero(hash)) return true; /* an empty log has no hash */
    if (position + 1 == o->kept_first)
        return id128_is_zero(o->before_hash) || id128_equal(o->before_hash, hash);
    return id128_equal(o->kept[position - o->kept_first].hash, hash);
}

void repair_compare(struct worker_core *core, struct owned_room *o, uint64_t position,
                    struct id128 hash)
{
    if (!repair_on_our_chain(o, position, hash)) {
        core_note(core, "room.differs", o->id, o->epoch, position);
        adopt_again(core, o, o->epoch);
        return;
    }
    if (position < o->confirmed) {
        core_note(core, "room.repaired", o->id, o->epoch, o->confirmed - position);
        o->confirmed = position;
    } else {
        append_confirm(core, o, position);
    }
    append_restart(core, o, position);
    o->retry_at = INSTANT_NEVER;
}

/* An epoch above ours: another owner, unless it is one that we had succeeded and that wrote the
 * lost room again before we could. One below: Redis was restored from before our take, which it is
 * then asked for again (rule 3). */
void repair_fenced(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    if (reply->epoch < o->epoch) {
        core_note(core, "room.forgotten", o->id, o->epoch, reply->epoch);
        adopt_again(core, o, reply->epoch);
        return;
    }
    if (o->room && reply->restored_from && reply->restored_from < o->owned_since) {
        restore_begin(core, o);
        return;
    }
    core_note(core, "room.fenced", o->id, o->epoch, reply->epoch);
    hold_tell_moved(core, o, reply->owner, reply->owner_url, reply->epoch, false);
    drain_remember(core, o->id, reply->owner, reply->owner_url, reply->epoch);
    owned_drop(core, o);
}

void repair_on_tail(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    if (reply->tag != o->tail_tag || o->tail_tag == 0) return;
    o->tail_tag = 0;
    core_touch(core, o);
    if (o->phase < OWNED_LIVE || o->room == NULL) return;
    bool ours = reply->epoch == o->epoch && id128_equal(reply->owner, core->config.instance);
    switch (reply->status) {
    case ST_OK:
        /* Released by us, and the answer was lost: that op is repeated and finds it done. */
        if (!ours && o->phase >= OWNED_RELEASING && reply->epoch == o->epoch) ours = true;
        if (!ours) {
            repair_fenced(core, o, reply);
            return;
        }
        repair_compare(core, o, reply->position, reply->hash);
        if (!o->dead && o->phase >= OWNED_LIVE) lease_validated(core, o);
        return;
    case ST_FENCED: repair_fenced(core, o, reply); return;
    case ST_UNKNOWN: restore_begin(core, o); return;
    default: o->tail_retry_at = core->now + WORKER_RETRY_MIN_MS * 4; return;
    }
}
