/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries on their way to Redis, and kept after it. Positions 1 .. confirmed are in Redis' log,
 * confirmed+1 .. sent are under way, the rest waits for this turn's end, which sends all of it as
 * one append. Further appends follow without waiting for the answer to the first.
 *
 * `attempt` is the tag of the appends under way. After a failure all of them count for nothing but
 * what they may have confirmed: a new attempt begins after the last confirmed position (rule 2).
 */
#include "worker/parts.h"

#include <stdlib.h>

enum { KEPT_ROOM_MIN = 16 };

/* ---- the kept tail --------------------------------------------------------------------------- */

static struct kept_entry *kept_at(const struct owned_room *o, uint64_t position)
{
    CHECK(position >= o->kept_first && position < o->kept_first + o->kept_count);
    return &o->kept[position - o->kept_first];
}

void append_keep(struct worker_core *core, struct owned_room *o, struct slice entry)
{
    CHECK(entry.len > 0 && entry.len <= STORE_ENTRY_BYTES_MAX);
    CHECK(room_position(o->room) == o->kept_first + o->kept_count);
    if (o->kept_count == o->kept_room) {
        o->kept_room = o->kept_room ? 2 * o->kept_room : KEPT_ROOM_MIN;
        o->kept = realloc(o->kept, o->kept_room * sizeof *o->kept);
        CHECK(o->kept != NULL);
    }
    uint8_t *bytes = malloc(entry.len);
    CHECK(bytes != NULL);
    memcpy(bytes, entry.at, entry.len);
    o->kept[o->kept_count++] = (struct kept_entry){.bytes = bytes,
                                                   .len = entry.len,
                                                   .hash = hash_128(entry),
                                                   .made_at = core->now,
                                                   .confirmed_at = INSTANT_NEVER};
    core_touch(core, o);
}

void append_trace(struct owned_room *o, uint64_t position, uint64_t trace)
{
    kept_at(o, position)->trace = trace;
}

instant_ms append_made_at(const struct owned_room *o, uint64_t position, instant_ms unknown)
{
    bool kept = position >= o->kept_first && position < o->kept_first + o->kept_count;
    return kept ? kept_at(o, position)->made_at : unknown;
}

/* After a burst. */
static void give_back(struct owned_room *o)
{
    if (o->kept_room <= KEPT_ROOM_MIN || o->kept_count > o->kept_room / 4) return;
    size_t room = o->kept_room / 2;
    struct kept_entry *kept = realloc(o->kept, room * sizeof *kept);
    CHECK(kept != NULL);
    o->kept = kept;
    o->kept_room = room;
}

/* Rule 4: at least WORKER_TAIL_MS, and until the next snapshot. */
void append_prune(struct worker_core *core, struct owned_room *o)
{
    size_t drop = 0;
    snapshot_prune(core, o);
    while (drop < o->kept_count) {
        const struct kept_entry *entry = &o->kept[drop];
        uint64_t position = o->kept_first + drop;
        if (position > o->confirmed || position > o->snapshotted) break;
        if (entry->confirmed_at + WORKER_TAIL_MS > core->now) break;
        o->before_hash = entry->hash;
        free(entry->bytes);
        drop++;
    }
    if (drop == 0) return;
    o->kept_count -= drop;
    o->kept_first += drop;
    memmove(o->kept, o->kept + drop, o->kept_count * sizeof *o->kept);
    give_back(o);
}

void append_forget(struct owned_room *o)
{
    for (size_t i = 0; i < o->kept_count; i++) free(o->kept[i].bytes);
    o->kept_count = 0;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Rule 19: most deadlines are put off again and again before they pass. A later one is left to the
 * instant at which the store has one already; the fire of that brings it to be told. */
static bool is_left(const struct owned_room *o, instant_ms due, instant_ms at)
{
    if (due == INSTANT_NEVER) return false;
    bool later = due >= o->deadline_at || MUTANT(deadline_left_late);
    return later && o->deadline_at >= at + WORKER_DEADLINE_LEFT_MS;
}

/* Told with every append that finds it untold; a repeat after a failure tells it again. */
static void fill_deadline(struct worker_core *core, struct owned_room *o, struct store_op *op)
{
    uint64_t number;
    instant_ms due = room_deadline(o->room, &number), at = owned_time(core, o);
    if (o->deadline_told && number == o->deadline_number && due == o->deadline_at) return;
    if (o->deadline_told && is_left(o, due, at)) return;
    if (due < o->deadline_at) {
        o->hint = true;
        o->hint_position = room_position(o->room);
    }
    o->deadline_told = true;
    o->deadline_number = number;
    o->deadline_at = due;
    op->deadline_changed = true;
    op->deadline.number = number;
    op->deadline.armed = due != INSTANT_NEVER;
    op->deadline.due_in_ms = op->deadline.armed && due > at ? due - at : 0;
}

void append_restate_deadline(struct worker_core *core, struct owned_room *o)
{
    o->deadline_told = false;
    o->deadline_astray = true;
    core_touch(core, o);
}

bool append_on_other_fire(struct worker_core *core, struct owned_room *o)
{
    uint64_t number;
    room_deadline(o->room, &number);
    bool left = !o->deadline_told || o->deadline_number != number;
    bool under_way = o->sent > o->confirmed || o->deadline_restated || o->deadline_astray;
    if (left || !under_way) append_restate_deadline(core, o);
    return left;
}

/* What the directory is to know. Whom the log calls connected may have gone with a gateway, or with
 * everything: nobody is sent to a room where nobody is seen. */
static struct room_summary summary_of(const struct owned_room *o)
{
    struct room_summary summary;
    room_summary_of(o->room, &summary);
    summary.listed = summary.listed && o->viewer_count > viewers_watching(o);
    return summary;
}

static void fill_summary(struct worker_core *core, struct owned_room *o, struct store_op *op)
{
    struct room_summary summary = summary_of(o);
    if (MUTANT(listed_for_good) && o->listed) summary.listed = true;
    struct buf *bytes = &core->summary;
    buf_clear(bytes);
    room_summary_encode(&summary, bytes);
    bool same = o->summary_told && slice_equal(buf_slice(bytes), buf_slice(&o->summary));
    if (!o->summary_told || summary.listed != o->listed)
        op->listing = summary.listed ? LISTING_SHOW : LISTING_HIDE;
    if (MUTANT(summary_told_once)) same = o->summary_told;
    o->summary_told = true;
    o->listed = summary.listed;
    if (same) return;
    op->summary = arena_copy(&core->out->arena, buf_slice(bytes));
    buf_clear(&o->summary);
    buf_put_slice(&o->summary, buf_slice(bytes));
}

void append_fill_told(struct worker_core *core, struct owned_room *o, struct store_op *op)
{
    fill_deadline(core, o, op);
    if (op->kind != STORE_RELEASE) fill_summary(core, o, op);
}

/* Whether the public list is to show or drop the room although nothing happened in it. */
static bool listing_changed(const struct owned_room *o)
{
    if (o->phase != OWNED_LIVE) return false;
    struct room_summary by_log;
    room_summary_of(o->room, &by_log);
    return o->summary_told ? summary_of(o).listed != o->listed : by_log.listed;
}

void append_send(struct worker_core *core, struct owned_room *o)
{
    uint64_t end = room_position(o->room);
    if (o->checking || o->retry_at != INSTANT_NEVER || !core_shard(core, o->id)->up) return;
    if (o->sent == end && !o->deadline_astray && !listing_changed(o)) return;
    o->deadline_restated |= o->deadline_astray;
    o->deadline_astray = false;
    do {
        int count = end - o->sent < STORE_ENTRIES_MAX ? (int)(end - o->sent) : STORE_ENTRIES_MAX;
        struct store_entry *entries =
            arena_alloc(&core->out->arena, (size_t)count * sizeof *entries);
        uint64_t *traces = core->config.traces
                               ? arena_alloc(&core->out->arena, (size_t)count * sizeof *traces)
                               : NULL;
        for (int i = 0; i < count; i++) {
            const struct kept_entry *kept = kept_at(o, o->sent + 1 + (uint64_t)i);
            entries[i].bytes = slice_of(kept->bytes, kept->len);
            entries[i].hash = kept->hash;
            if (traces) traces[i] = kept->trace;
        }
        struct store_op *op = core_op(core, STORE_APPEND, o);
        op->tag = o->attempt;
        op->position = o->sent;
        op->entries = entries;
        op->entry_count = count;
        op->traces = traces;
        append_fill_told(core, o, op);
        o->sent += (uint64_t)count;
    } while (o->sent < end);
}

void append_restart(struct worker_core *core, struct owned_room *o, uint64_t position)
{
    o->attempt = core_tag(core);
    o->sent = position;
    o->deadline_told = false;
    o->deadline_astray |= o->deadline_restated;
    o->summary_told = false;
    core_touch(core, o);
}

/* ---- what comes back ------------------------------------------------------------------------- */

void append_confirm(struct worker_core *core, struct owned_room *o, uint64_t position)
{
    CHECK(position <= room_position(o->room));
    if (position <= o->confirmed) return;
    for (uint64_t p = o->confirmed + 1; p <= position; p++) {
        if (p < o->kept_first) continue;
        struct kept_entry *entry = kept_at(o, p);
        entry->confirmed_at = core->now;
        if (entry->trace) count_durable(core, o, entry);
    }
    o->confirmed = position;
    if (o->sent < position) o->sent = position;
    if (o->hint && o->hint_position <= position) {
        o->hint = false;
        members_hint(core, o);
    }
    append_prune(core, o);
    core_touch(core, o);
}

/* Nothing leaves, the order stays, and the room's time stands still (rules 2 and 21). */
void append_unavailable(struct worker_core *core, struct owned_room *o)
{
    if (o->unavailable_since == INSTANT_NEVER) o->unavailable_since = core->now;
    if (!MUTANT(own_outage_is_counted)) owned_freeze(core, o);
    append_restart(core, o, o->confirmed);
    instant_ms wait = o->backoff_ms ? o->backoff_ms : WORKER_RETRY_MIN_MS;
    o->backoff_ms = 2 * wait < WORKER_APPEND_RETRY_MAX_MS ? 2 * wait : WORKER_APPEND_RETRY_MAX_MS;
    o->retry_at = core->now + wait;
}

void append_recovered(struct worker_core *core, struct owned_room *o)
{
    o->backoff_ms = 0;
    o->retry_at = INSTANT_NEVER;
    if (o->unavailable_since != INSTANT_NEVER) {
        count_paused(core, o);
        o->unavailable_since = INSTANT_NEVER;
        if (o->paused_told) hold_tell_paused(core, o, false);
        o->paused_told = false;
    }
    owned_thaw(core, o);
    if (!o->outage || o->phase != OWNED_LIVE) return;
    o->outage = false;
    core_note(core, "room.resumed", o->id, o->epoch, room_position(o->room));
    if (room_deadline(o->room, NULL) == INSTANT_NEVER || !owned_has_room(core, o, true)) return;
    struct room_input input = {.kind = ROOM_RESUMED, .seat = -1};
    struct room_outcome out;
    if (owned_input(core, o, &input, &out)) viewers_follow(core, o, &out);
}

void append_on_reply(struct worker_core *core, struct owned_room *o,
                     const struct store_reply *reply)
{
    bool present = reply->tag == o->attempt;
    if (reply->tag < o->born || o->room == NULL || o->phase < OWNED_LIVE) return;
    switch (reply->status) {
    case ST_OK:
        if (reply->position > room_position(o->room)) {
            if (present) repair_compare(core, o, reply->position, reply->hash);
            return;
        }
        append_confirm(core, o, reply->position);
        if (present) o->deadline_restated = false;
        if (present && !o->checking) append_recovered(core, o);
        return;
    case ST_MISMATCH:
        if (present) repair_compare(core, o, reply->position, reply->hash);
        return;
    case ST_FENCED:
        if (present) repair_fenced(core, o, reply);
        return;
    case ST_UNKNOWN:
        if (present) restore_begin(core, o);
        return;
    default:
        if (present) append_unavailable(core, o);
        return;
    }
}
