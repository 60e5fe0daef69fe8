/* SPDX-License-Identifier: Apache-2.0
 *
 * A room from what Redis holds of it: record, snapshot, and the entries after the snapshot.
 */
#include "worker/parts.h"

/* Rule 9. aside.c has the store keep record and log as they are, for whoever looks into it. */
static void set_aside(struct owned_room *o, const struct store_reply *reply)
{
    append_forget(o);
    room_set_aside(o->room, reply->position + 1);
    o->kept_first = reply->position + 1;
    o->before_hash = reply->hash;
    o->set_aside = true;
}

/* A game has ended with the last entry, and the former owner may not have lived to archive it. It
 * refused inputs before there were more of those than may wait here. */
static void archive_last(struct worker_core *core, struct owned_room *o)
{
    struct room_outcome finished = {0};
    finished.game_number = room_last_game(o->room, &finished.first);
    snapshot_take(core, o, &finished);
}

/* The newest of a long log suffice for a repair. ST_UNKNOWN: a game in it was started by rules that
 * this build does not carry. */
static enum status replay(struct worker_core *core, struct owned_room *o,
                          const struct store_reply *reply)
{
    int keep_from = reply->entry_count - WORKER_KEPT_MAX / 2;
    for (int i = 0; i < reply->entry_count; i++) {
        bool ran = room_playing(o->room);
        enum status status = room_replay(o->room, reply->entries[i]);
        if (status == ST_UNKNOWN) return status;
        if (status != ST_OK) {
            set_aside(o, reply);
            return ST_OK;
        }
        if (ran && !room_playing(o->room)) archive_last(core, o);
        if (i < keep_from) {
            o->kept_first = room_position(o->room) + 1;
            o->before_hash = hash_128(reply->entries[i]);
            continue;
        }
        append_keep(core, o, reply->entries[i]);
    }
    if (room_position(o->room) != reply->position) set_aside(o, reply);
    return ST_OK;
}

/* The room before the entries are replayed. */
static enum status open_room(struct worker_core *core, struct owned_room *o,
                             const struct store_reply *reply)
{
    if (reply->snapshot_position == 0) {
        if (!room_record_carried(&o->record)) return ST_UNKNOWN;
        o->room = room_open(&o->record);
        return replay(core, o, reply);
    }
    o->room = room_decode(&o->record, reply->snapshot);
    if (o->room) return replay(core, o, reply);
    if (room_decode_fault(&o->record, reply->snapshot) == ST_UNKNOWN) return ST_UNKNOWN;
    o->room = room_open(&o->record);
    set_aside(o, reply);
    return ST_OK;
}

enum status load_room(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply)
{
    enum status status = room_record_decode(reply->record, &o->record);
    if (status != ST_OK) return status;
    if (o->record.id != o->id) return ST_INVALID;
    o->set_aside = false;
    o->kept_first = reply->snapshot_position + 1;
    o->before_hash = (struct id128){{0}};
    o->snapshotted = o->snapshot_queued = reply->snapshot_position;
    o->confirmed = o->sent = reply->position;

    status = open_room(core, o, reply);
    if (status != ST_OK) return status;
    if (!rules_playable(core, rules_of_room(o->room))) return ST_UNKNOWN;
    if (o->kept_count == 0) o->before_hash = reply->hash;
    for (size_t i = 0; i < o->kept_count; i++) o->kept[i].confirmed_at = core->now;
    o->attempt = core_tag(core);
    o->deadline_told = o->summary_told = false;
    o->deadline_at = room_deadline(o->room, NULL);
    o->deleted = room_is_over(o->room); /* its owner died before it was deleted */
    return ST_OK;
}
