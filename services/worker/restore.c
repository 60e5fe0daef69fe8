/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms that Redis has lost altogether (rule 4): emptied, restored from nothing, a key evicted.
 * Here they are whole, so they are written again under a fresh epoch: record, a snapshot of this
 * moment, the kept tail. Until that is answered the room takes no inputs and its time stands still.
 *
 * It does not rise when it was deleted on purpose (the store has its tombstone), nor over a newer
 * one: of two that write it again, the store keeps that of the one who became its owner later.
 */
#include "worker/parts.h"

void restore_begin(struct worker_core *core, struct owned_room *o)
{
    o->phase = OWNED_RESTORING;
    o->life_tag = o->snapshot_tag = o->tail_tag = 0;
    o->life_retry_at = INSTANT_NEVER;
    if (o->unavailable_since == INSTANT_NEVER) o->unavailable_since = core->now;
    owned_freeze(core, o);
    append_restart(core, o, o->confirmed);
    restore_again(core, o);
}

void restore_again(struct worker_core *core, struct owned_room *o)
{
    if (o->queued_for_restore) return;
    o->queued_for_restore = true;
    core_queue(&core->restores, o->id);
}

/* A game whose archive is still to be stored is not yet the last archived one; nor is one that has
 * just been archived: that archive is lost as well, and is made again of what is still known. */
static uint32_t last_archived(const struct owned_room *o)
{
    if (o->archived.bytes.len) return o->archived.game_number - 1;
    uint64_t first;
    uint32_t last = room_last_game(o->room, &first);
    for (int i = 0; i < o->snapshot_count; i++)
        if (o->snapshots[i].finish) return o->snapshots[i].game_number - 1;
    return room_playing(o->room) ? last - 1 : last;
}

static void fill_tail(struct worker_core *core, const struct owned_room *o, struct store_op *op)
{
    size_t count = o->kept_count < STORE_ENTRIES_MAX ? o->kept_count : STORE_ENTRIES_MAX;
    struct store_entry *entries = arena_alloc(&core->out->arena, count * sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        const struct kept_entry *kept = &o->kept[o->kept_count - count + i];
        entries[i] = (struct store_entry){slice_of(kept->bytes, kept->len), kept->hash};
    }
    op->entries = entries;
    op->entry_count = (int)count;
    op->hash = o->kept_count ? o->kept[o->kept_count - 1].hash : o->before_hash;
}

static void send(struct worker_core *core, struct owned_room *o)
{
    struct buf record = {0}, snapshot = {0};
    room_record_encode(&o->record, &record);
    room_encode(o->room, &snapshot);
    CHECK(record.len <= STORE_RECORD_BYTES_MAX && snapshot.len <= STORE_SNAPSHOT_BYTES_MAX);
    struct store_op *op = core_op(core, STORE_RESTORE, o);
    op->tag = o->life_tag = core_tag(core);
    op->owner_url = core->config.inbox_url;
    op->owned_since = o->owned_since;
    op->record = arena_copy(&core->out->arena, buf_slice(&record));
    op->snapshot = arena_copy(&core->out->arena, buf_slice(&snapshot));
    op->position = room_position(o->room);
    op->game_number = last_archived(o);
    fill_tail(core, o, op);
    o->deadline_told = o->summary_told = false;
    append_fill_told(core, o, op);
    core->restores_open++;
    buf_fini(&record);
    buf_fini(&snapshot);
}

void restore_send(struct worker_core *core)
{
    room_id id;
    while (core->restores_open < WORKER_RESTORES_MAX && core_queued(&core->restores, &id)) {
        struct owned_room *o = core_find(core, id);
        if (o == NULL) continue;
        o->queued_for_restore = false;
        if (o->phase != OWNED_RESTORING || o->life_tag != 0) continue;
        if (core_shard(core, id)->up) send(core, o); /* else its return asks anew */
    }
}

/* Deleted meanwhile, or its code is another room's by now. */
static void lost(struct worker_core *core, struct owned_room *o)
{
    core->lost++;
    core->lost_last = o->id;
    hold_tell_moved(core, o, (struct id128){{0}}, NULL, o->epoch, true);
    owned_drop(core, o);
}

/* The snapshot that went with it stands for those that waited; a game's archive is yet to come. */
static void drop_older_snapshots(struct owned_room *o, uint64_t position)
{
    int kept = 0;
    for (int i = 0; i < o->snapshot_count; i++) {
        if (o->snapshots[i].finish)
            o->snapshots[kept++] = o->snapshots[i];
        else
            buf_fini(&o->snapshots[i].bytes);
    }
    o->snapshot_count = kept;
    o->snapshotted = o->snapshot_queued = position;
}

void restore_on_reply(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply)
{
    if (o->phase != OWNED_RESTORING || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    switch (reply->status) {
    case ST_OK:
        if (reply->position == room_position(o->room) && reply->epoch != o->epoch) {
            core->restored++;
            core->restored_last = o->id;
            drop_older_snapshots(o, reply->position);
        }
        adopt_taken(core, o, reply);
        return;
    case ST_FENCED: repair_fenced(core, o, reply); return;
    case ST_UNAVAILABLE: o->life_retry_at = core->now + WORKER_RETRY_MIN_MS * 2; return;
    default: lost(core, o); return;
    }
}

/* An emptied Redis loses every room at once: one line tells of many. */
void restore_note(struct worker_core *core)
{
    if (core->restored != core->restored_told)
        core_note(core, "rooms.restored", core->restored_last, core->restored - core->restored_told,
                  0);
    if (core->lost != core->lost_told)
        core_note(core, "rooms.lost", core->lost_last, core->lost - core->lost_told, 0);
    core->restored_told = core->restored;
    core->lost_told = core->lost;
}
