/* SPDX-License-Identifier: Apache-2.0
 *
 * Leases (rule 7). This instance renews one on every shard; it counts from the moment at which the
 * renewal was sent. When it lapses, because Redis did not answer or because we did not run, nothing
 * of that shard's rooms leaves until a look at the log's end has shown that each is still ours.
 * Views that were held are discarded and made anew; an answer to an action stays, since a log that
 * has not moved shows that the state it follows from is still the newest, and goes with the room
 * when it has.
 */
#include "worker/parts.h"

#include <stdlib.h>

/* ---- rooms of a shard ------------------------------------------------------------------------ */

typedef void (*room_deed)(struct worker_core *core, struct owned_room *o);

static void each_room(struct worker_core *core, int shard, room_deed deed)
{
    size_t count;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    for (size_t i = 0; i < count; i++) {
        struct owned_room *o = core_find(core, ids[i]);
        if (o && (shard < 0 || room_shard(o->id) == shard)) deed(core, o);
    }
    free(ids);
}

/* ---- revalidation ---------------------------------------------------------------------------- */

static void queue_tail(struct worker_core *core, struct owned_room *o)
{
    if (o->queued_for_tail) return;
    o->queued_for_tail = true;
    core_queue(&core->tails, o->id);
}

void lease_revalidate(struct worker_core *core, struct owned_room *o)
{
    if (o->room == NULL || o->phase < OWNED_LIVE) return;
    if (o->phase == OWNED_HANDING || o->phase == OWNED_DELETING) return;
    o->checking = true;
    o->tail_tag = 0;
    o->tail_retry_at = INSTANT_NEVER;
    hold_discard_views(o);
    queue_tail(core, o);
    core_touch(core, o);
}

void lease_revalidate_shard(struct worker_core *core, int shard)
{
    each_room(core, shard, lease_revalidate);
}

void lease_send_tails(struct worker_core *core)
{
    room_id id;
    while (core->tails_open < WORKER_TAILS_MAX && core_queued(&core->tails, &id)) {
        struct owned_room *o = core_find(core, id);
        if (o == NULL || !o->queued_for_tail) continue;
        o->queued_for_tail = false;
        if (!o->checking || !core_shard(core, o->id)->up) continue; /* its return asks anew */
        struct store_op *op = core_op(core, STORE_TAIL, o);
        op->tag = o->tail_tag = core_tag(core);
        core->tails_open++;
    }
}

/* It is ours and its log is a beginning of ours. Appends that are missing there are under way. */
void lease_validated(struct worker_core *core, struct owned_room *o)
{
    o->checking = false;
    snapshot_archive_again(core, o);
    if (o->confirmed == room_position(o->room)) append_recovered(core, o);
    core_touch(core, o);
}

/* ---- the leases ------------------------------------------------------------------------------ */

bool lease_fresh(const struct worker_core *core, room_id room)
{
    const struct shard *shard = &core->shards[room_shard(room)];
    if (MUTANT(read_on_expired_lease)) return shard->leased;
    return shard->leased && core->now < shard->lease_from + WORKER_LEASE_MS;
}

void lease_check(struct worker_core *core)
{
    for (int i = 0; i < core->config.shards; i++) {
        struct shard *shard = &core->shards[i];
        if (!shard->leased || core->now < shard->lease_from + WORKER_LEASE_MS) continue;
        if (MUTANT(read_on_expired_lease)) continue;
        shard->leased = false;
        core_note(core, "lease.lapsed", 0, (uint64_t)i, core->now - shard->lease_from);
        if (!MUTANT(pause_is_forgotten)) lease_revalidate_shard(core, i);
    }
}

static void skip_gap(struct worker_core *core, struct owned_room *o)
{
    (void)core;
    o->outage = true;
}

/* This process did not run for a while: that was nobody's time (rule 21). */
void lease_skip(struct worker_core *core, instant_ms gap_ms)
{
    if (gap_ms <= WORKER_LEASE_MS) return;
    core_note(core, "process.paused", 0, gap_ms, 0);
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (map_next(&core->rooms, &cursor, &id, &value)) {
        struct owned_room *o = value;
        if (!o->frozen) o->time_since += gap_ms;
    }
    each_room(core, -1, skip_gap);
}

void lease_due(struct worker_core *core)
{
    for (int i = 0; i < core->config.shards; i++) {
        struct shard *shard = &core->shards[i];
        if (!shard->up || shard->lease_tag || shard->renew_at > core->now) continue;
        struct store_op *op = core_op(core, STORE_LEASE, NULL);
        op->shard = i;
        op->tag = shard->lease_tag = core_tag(core);
        shard->lease_sent_at = core->now;
        shard->renew_at = core->now + WORKER_LEASE_RENEW_MS;
    }
}

uint32_t lease_shards_away(const struct worker_core *core)
{
    uint32_t away = (uint32_t)(UINT64_MAX << core->config.shards); /* it was not told of them */
    for (int i = 0; i < core->config.shards; i++)
        if (!core->shards[i].up || !core->shards[i].leased) away |= 1u << i;
    return away;
}

instant_ms lease_next(const struct worker_core *core)
{
    instant_ms next = INSTANT_NEVER;
    for (int i = 0; i < core->config.shards; i++) {
        const struct shard *shard = &core->shards[i];
        if (shard->up && !shard->lease_tag && shard->renew_at < next) next = shard->renew_at;
    }
    return next;
}

/* By more than an answer takes. Deadlines stand in its time: after a jump back they would come late
 * by as much, and nobody else would know. */
static bool clock_jumped(const struct worker_core *core, const struct shard *shard,
                         instant_ms redis_ms)
{
    int64_t ours = (int64_t)(core->now - shard->renewed_at);
    int64_t theirs = (int64_t)(redis_ms - shard->renewed);
    return ours - theirs > WORKER_LEASE_MS || theirs - ours > WORKER_LEASE_MS;
}

static void restate_deadline(struct worker_core *core, struct owned_room *o)
{
    if (o->room && o->phase == OWNED_LIVE) append_restate_deadline(core, o);
}

void lease_on_reply(struct worker_core *core, const struct store_reply *reply)
{
    if (reply->shard < 0 || reply->shard >= core->config.shards) return;
    struct shard *shard = &core->shards[reply->shard];
    if (shard->lease_tag == 0 || reply->tag != shard->lease_tag) return;
    shard->lease_tag = 0;
    bool unsure = shard->unsure;
    shard->unsure = reply->status != ST_OK;
    if (shard->unsure) return;
    shard->lease_from = shard->lease_sent_at;
    bool known = !id128_is_zero(shard->run_id);
    /* A store that does not remember our last renewal was emptied or set back, without our having
     * been cut off. */
    bool same =
        id128_equal(shard->run_id, reply->run_id) && reply->last_lease_redis_ms >= shard->renewed;
    bool taken = reply->taken != shard->taken;
    bool jumped = known && clock_jumped(core, shard, reply->redis_ms);
    shard->renewed_at = core->now;
    shard->run_id = reply->run_id;
    shard->renewed = reply->redis_ms;
    shard->taken = reply->taken;
    if (known && !same) core_note(core, "store.another", 0, (uint64_t)reply->shard, 0);
    /* Somebody who believed us dead has a room of ours, in which nothing may happen here for long:
     * we would show its people what it was. And a store that forgot everything may remember us by a
     * renewal for which it could not vouch. */
    if (known && (!same || taken || unsure)) lease_revalidate_shard(core, reply->shard);
    if (jumped) {
        core_note(core, "store.clock", 0, (uint64_t)reply->shard, 0);
        each_room(core, reply->shard, restate_deadline);
    }
    if (shard->leased || core->now >= shard->lease_from + WORKER_LEASE_MS) return;
    shard->leased = true;
    each_room(core, reply->shard, core_touch); /* what waited for it may leave */
}

static void back_again(struct worker_core *core, struct owned_room *o)
{
    o->backoff_ms = 0;
    if (o->phase < OWNED_LIVE)
        adopt_retry(core, o);
    else
        lease_revalidate(core, o);
}

static void away(struct worker_core *core, struct owned_room *o)
{
    if (o->room && o->phase >= OWNED_LIVE) append_unavailable(core, o);
}

void on_store_reset(struct worker_core *core, int index, bool up)
{
    if (index < 0 || index >= core->config.shards) return;
    struct shard *shard = &core->shards[index];
    bool was = shard->up;
    shard->up = up;
    shard->unsure |= shard->lease_tag != 0;
    shard->lease_tag = 0;
    if (up) {
        shard->renew_at = core->now;
        if (was) each_room(core, index, away); /* it went unnoticed */
        each_room(core, index, back_again);
        core_note(core, "store.back", 0, (uint64_t)index, 0);
    } else if (was) {
        each_room(core, index, away);
        core_note(core, "store.away", 0, (uint64_t)index, 0);
    }
}
