/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the sets. A sweep lists everything that is due within AHEAD, page by page; what it does not list any more is
 * done with. Pages overlap, because entries leave the set between them.
 */
#include "base/check.h"
#include "timer/timer_state.h"

static void ask_page(struct timer_core *core, int index)
{
    struct reading *shard = &core->shards[index];
    struct effect *effect = effects_add(core->out, EFFECT_STORE);
    effect->op = (struct store_op){.kind = STORE_DUE,
                                   .tag = shard->sweep,
                                   .shard = index,
                                   .ahead_ms = TIMER_AHEAD_MS,
                                   .cursor = shard->skip,
                                   .limit = STORE_DUE_MAX};
    shard->asking = true;
}

void due_tick(struct timer_core *core)
{
    for (int i = 0; i < core->config.shard_count; i++) {
        struct reading *shard = &core->shards[i];
        if (!shard->up || shard->asking || shard->next > core->now) continue;
        shard->sweep++;
        shard->skip = 0;
        shard->began = core->now;
        core->stats.sweeps++;
        ask_page(core, i);
    }
}

void due_hurry(struct timer_core *core, int index)
{
    struct reading *shard = &core->shards[index];
    if (shard->next > core->now) shard->next = core->now;
}

instant_ms due_deadline(const struct timer_core *core)
{
    instant_ms at = INSTANT_NEVER;
    for (int i = 0; i < core->config.shard_count; i++) {
        const struct reading *shard = &core->shards[i];
        if (shard->up && !shard->asking && shard->next < at) at = shard->next;
    }
    return at;
}

static instant_ms on_our_clock(const struct timer_core *core, int64_t due_in_ms)
{
    if (due_in_ms >= 0) return core->now + (instant_ms)due_in_ms;
    instant_ms late = (instant_ms)-due_in_ms;
    return late < core->now ? core->now - late : 0;
}

/* Answers that took longer make a deadline look later than it is: of two readings of one deadline the earlier is the
 * truer. A larger difference is a deadline that was moved under its number. */
static void adjust(struct timer_core *core, struct tracked *entry, instant_ms due)
{
    bool put_off = due > core->now && due > entry->due + TIMER_SWEEP_MS;
    bool brought_on = due < entry->due;
    bool pending = entry->fires == 0 && !entry->waits;
    if (put_off || (brought_on && pending))
        rooms_arm(core, entry, entry->number, due);
    else if (brought_on)
        entry->due = due;
}

static void on_listed(struct timer_core *core, int shard, const struct store_due *due)
{
    struct tracked *entry = rooms_find(core, due->room);
    instant_ms at = on_our_clock(core, due->due_in_ms);
    if (strlen(due->owner_url) > WIRE_URL_BYTES_MAX) return;
    if (entry && entry->shard != shard) return;
    if (!entry) entry = rooms_add(core, due->room, shard);
    if (!entry) return;

    bool doubted = entry->doubted;
    bool changed = entry->epoch != due->epoch || !id128_equal(entry->owner, due->owner);
    bool known_by_hint = entry->epoch == 0 && id128_equal(entry->owner, due->owner);
    if (known_by_hint)
        entry->epoch = due->epoch;
    else if (changed)
        rooms_set_owner(entry, due->owner, due->owner_url, due->epoch);

    if (entry->number != due->number || (changed && !known_by_hint))
        rooms_arm(core, entry, due->number, at);
    else
        adjust(core, entry, at);
    entry->listed = core->now;
    rooms_keep(core, entry);
    if (!doubted || changed) return;
    entry->doubted = false;
    fire_want_place(core, entry);
}

static void end_sweep(struct timer_core *core, struct reading *shard, int64_t next_due_in_ms)
{
    rooms_forget_unlisted(core, shard);
    shard->done = core->now;
    instant_ms pause = TIMER_IDLE_MS;
    if (shard->head || next_due_in_ms < TIMER_AHEAD_MS + TIMER_SWEEP_MS)
        pause = TIMER_SWEEP_MS;
    else if (next_due_in_ms < TIMER_AHEAD_MS + TIMER_IDLE_MS)
        pause = (instant_ms)next_due_in_ms - TIMER_AHEAD_MS;
    shard->next = shard->began + pause;
    /* A store that needs that long for a sweep shall have time for others. */
    if (shard->next < core->now + TIMER_BREATH_MS) shard->next = core->now + TIMER_BREATH_MS;
}

void due_on_reply(struct timer_core *core, const struct store_reply *reply)
{
    if (reply->kind != STORE_DUE || reply->shard < 0 || reply->shard >= core->config.shard_count)
        return;
    struct reading *shard = &core->shards[reply->shard];
    if (!shard->asking || reply->tag != shard->sweep) return;
    shard->asking = false;
    if (reply->status != ST_OK) {
        shard->next = core->now + TIMER_RETRY_MS;
        return;
    }
    for (int i = 0; i < reply->due_count; i++) on_listed(core, reply->shard, &reply->due[i]);
    bool more = reply->due_count == STORE_DUE_MAX && reply->next_due_in_ms <= TIMER_AHEAD_MS;
    if (more && shard->skip + STORE_DUE_MAX < TIMER_TRACKED_MAX) {
        shard->skip += STORE_DUE_MAX - TIMER_PAGE_OVERLAP;
        ask_page(core, reply->shard);
        return;
    }
    end_sweep(core, shard, more ? 0 : reply->next_due_in_ms);
}

/* The store answers what was outstanding before it tells that it is lost. */
void due_on_reset(struct timer_core *core, int index, bool up)
{
    if (index < 0 || index >= core->config.shard_count) return;
    struct reading *shard = &core->shards[index];
    shard->up = up;
    shard->asking = false;
    shard->sweep++; /* an answer still to come is of before */
    shard->next = core->now;
}
