/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshots (rule 8), the archive of a game that ended, and the two orderly ends of a room here:
 * released and deleted. A snapshot is encoded at the position that it names and waits until that is
 * confirmed. While a game runs nothing of its log is trimmed.
 */
#include "worker/parts.h"

#include <stdlib.h>

/* ---- encoding -------------------------------------------------------------------------------- */

/* finished: the outcome that ended a game, or NULL for a snapshot on the way. */
void snapshot_take(struct worker_core *core, struct owned_room *o,
                   const struct room_outcome *finished)
{
    CHECK(o->snapshot_count < WORKER_SNAPSHOTS_MAX);
    struct snapshot_job *job = &o->snapshots[o->snapshot_count++];
    *job = (struct snapshot_job){.position = room_position(o->room)};
    room_encode(o->room, &job->bytes);
    CHECK(job->bytes.len <= STORE_SNAPSHOT_BYTES_MAX);
    if (finished) {
        job->finish = true;
        job->game_number = finished->game_number;
        job->first = finished->first;
    }
    bool trim = finished || !room_playing(o->room) || MUTANT(trimmed_in_game);
    job->trim_to = trim ? job->position : 0;
    o->snapshot_queued = job->position;
    core_touch(core, o);
}

void snapshot_drop_all(struct owned_room *o)
{
    for (int i = 0; i < o->snapshot_count; i++) buf_fini(&o->snapshots[i].bytes);
    o->snapshot_count = 0;
    buf_fini(&o->archived.bytes);
}

/* Not while it is open what Redis has: it may just have forgotten that. */
void snapshot_prune(struct worker_core *core, struct owned_room *o)
{
    if (o->checking || o->phase < OWNED_LIVE) return;
    if (o->archived_at + WORKER_TAIL_MS <= core->now) buf_fini(&o->archived.bytes);
}

/* Kept as long as an entry is (rule 4): its entries go from the log when it is stored. */
static void keep_archived(struct worker_core *core, struct owned_room *o, struct snapshot_job *job)
{
    buf_fini(&o->archived.bytes);
    o->archived = *job;
    o->archived_at = core->now;
    job->bytes = (struct buf){0};
}

void snapshot_archive_again(struct worker_core *core, struct owned_room *o)
{
    if (o->archived.bytes.len == 0 || o->snapshot_tag != 0) return;
    if (o->snapshot_count == WORKER_SNAPSHOTS_MAX) return;
    memmove(o->snapshots + 1, o->snapshots, (size_t)o->snapshot_count * sizeof *o->snapshots);
    o->snapshots[0] = o->archived;
    o->archived.bytes = (struct buf){0};
    o->snapshot_count++;
    core_touch(core, o);
}

/* ---- storing --------------------------------------------------------------------------------- */

void snapshot_send(struct worker_core *core, struct owned_room *o)
{
    if (o->snapshot_count == 0 || o->snapshot_tag != 0) return;
    if (o->checking || o->snapshot_retry_at != INSTANT_NEVER) return;
    const struct snapshot_job *job = &o->snapshots[0];
    if (job->position > o->confirmed || !core_shard(core, o->id)->up) return;
    struct slice bytes = arena_copy(&core->out->arena, buf_slice(&job->bytes));
    struct store_op *op = core_op(core, job->finish ? STORE_FINISH : STORE_SNAPSHOT, o);
    op->tag = o->snapshot_tag = core_tag(core);
    op->position = job->position;
    op->snapshot = bytes;
    op->trim_to = job->trim_to;
    if (!job->finish) return;
    op->game_number = job->game_number;
    op->first = job->first;
    op->keep_s = core->config.archive_s;
}

void snapshot_on_reply(struct worker_core *core, struct owned_room *o,
                       const struct store_reply *reply)
{
    if (o->snapshot_tag == 0 || reply->tag != o->snapshot_tag) return;
    o->snapshot_tag = 0;
    core_touch(core, o);
    struct snapshot_job *job = &o->snapshots[0];
    switch (reply->status) {
    case ST_OK:
        if (job->position > o->snapshotted) o->snapshotted = job->position;
        if (job->finish) keep_archived(core, o, job);
        break;
    case ST_FENCED: repair_fenced(core, o, reply); return;
    case ST_UNKNOWN: restore_begin(core, o); return;
    case ST_UNAVAILABLE: o->snapshot_retry_at = core->now + WORKER_RETRY_MAX_MS; return;
    default:
        /* Stale. The end of a game: Redis has forgotten that position, which it is given again.
         * Else it may hold a newer one, and there will be a next. */
        if (job->finish) {
            o->snapshot_retry_at = core->now + WORKER_RETRY_MAX_MS;
            lease_revalidate(core, o);
            return;
        }
        core_note(core, "snapshot.stale", o->id, o->epoch, job->position);
        break;
    }
    buf_fini(&job->bytes);
    o->snapshot_count--;
    memmove(o->snapshots, o->snapshots + 1, (size_t)o->snapshot_count * sizeof *o->snapshots);
    append_prune(core, o);
}

/* ---- the end of a room here ------------------------------------------------------------------ */

static void send_life(struct worker_core *core, struct owned_room *o, enum store_op_kind kind)
{
    struct store_op *op = core_op(core, kind, o);
    op->tag = o->life_tag = core_tag(core);
    if (kind != STORE_RELEASE) return;
    op->position = o->confirmed;
    op->stopped = room_playing(o->room);
    o->deadline_told = false;
    append_fill_told(core, o, op);
}

/* What ends here ends when everything is confirmed and a snapshot of it is stored. */
void snapshot_end_of_life(struct worker_core *core, struct owned_room *o)
{
    if (o->phase != OWNED_LIVE && o->phase != OWNED_STOPPED) return;
    if (!o->put_away && !o->deleted && o->phase != OWNED_STOPPED) return;
    uint64_t position = room_position(o->room);
    if (o->checking || o->held || o->confirmed < position || o->snapshot_tag) return;
    if (o->unavailable_since != INSTANT_NEVER || !core_shard(core, o->id)->up) return;
    if (o->deleted && o->snapshot_count > 0) return; /* the game that ended with it is kept first */
    if (o->deleted && !MUTANT(over_is_not_deleted)) {
        o->phase = OWNED_DELETING;
        send_life(core, o, STORE_DELETE);
        return;
    }
    if (o->snapshot_count == 0 && o->snapshot_queued < position) {
        snapshot_take(core, o, NULL);
        snapshot_send(core, o);
    }
    if (o->snapshot_count > 0) return;
    if (MUTANT(put_away_keeps_owner) && o->put_away) return;
    o->phase = OWNED_RELEASING;
    send_life(core, o, STORE_RELEASE);
}

void snapshot_retry_life(struct worker_core *core, struct owned_room *o)
{
    if (o->phase == OWNED_RELEASING) send_life(core, o, STORE_RELEASE);
    if (o->phase == OWNED_DELETING) send_life(core, o, STORE_DELETE);
}

/* True when the op was carried out; else it is repeated or the room is gone. */
static bool life_done(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply)
{
    o->life_tag = 0;
    core_touch(core, o);
    if (reply->status == ST_OK) return true;
    if (reply->status == ST_FENCED && reply->epoch >= o->epoch)
        repair_fenced(core, o, reply);
    else if (reply->status == ST_UNKNOWN)
        restore_begin(core, o);
    else
        o->life_retry_at = core->now + WORKER_RETRY_MAX_MS;
    return false;
}

void snapshot_on_released(struct worker_core *core, struct owned_room *o,
                          const struct store_reply *reply)
{
    if (o->phase != OWNED_RELEASING || reply->tag != o->life_tag) return;
    if (!life_done(core, o, reply)) return;
    if (!o->put_away) {
        drain_released(core, o);
        return;
    }
    core_note(core, "room.put_away", o->id, o->epoch, o->confirmed);
    hold_tell_moved(core, o, (struct id128){{0}}, NULL, o->epoch, false);
    owned_drop(core, o);
}

void snapshot_on_deleted(struct worker_core *core, struct owned_room *o,
                         const struct store_reply *reply)
{
    if (o->phase != OWNED_DELETING || reply->tag != o->life_tag) return;
    if (reply->status != ST_UNKNOWN && !life_done(core, o, reply)) return;
    core_note(core, "room.deleted", o->id, o->epoch, o->confirmed);
    for (int i = 0; i < o->viewer_count; i++) {
        struct envelope envelope = {.kind = ENV_DROPPED};
        envelope.u.dropped = (struct env_dropped){.room = o->id,
                                                  .epoch = o->epoch,
                                                  .client = o->viewers[i].client,
                                                  .why = DROPPED_CLOSED};
        core_send(core, o->viewers[i].gateway, &envelope);
    }
    owned_drop(core, o);
}
