/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the sets. A sweep lists everything that is due within AHEAD, page by page; what it does
 * not list any more is done with. Pages overlap, because entries leave the set between them.
 */
#include "base/check.h"
#include "timer/timer_state.h"

enum { CLOCK_SPAN_MS = 1000, CLOCK_JUMP_MS = 1000 };

static void ask_pages(struct timer_core *core, int index, int count)
{
    struct reading *shard = &core->shards[index];
    for (int i = 0; i < count; i++) {
        struct effect *effect = effects_add(core->out, EFFECT_STORE);
        effect->op = (struct store_op){
            .kind = STORE_DUE,
            .tag = shard->sweep,
            .shard = index,
            .ahead_ms = TIMER_AHEAD_MS,
            .cursor = (uint64_t)shard->asked++ * (STORE_DUE_MAX - TIMER_PAGE_OVERLAP),
            .limit = STORE_DUE_MAX,
        };
    }
}

static bool sweeping(const struct reading *shard)
{
    return shard->answered < shard->asked;
}

void due_tick(struct timer_core *core)
{
    for (int i = 0; i < core->config.shard_count; i++) {
        struct reading *shard = &core->shards[i];
        if (!shard->up || sweeping(shard) || shard->next > core->now) continue;
        shard->sweep++;
        shard->asked = shard->answered = shard->filled = 0;
        shard->failed = false;
        shard->next_due_in = -1;
        shard->began = core->now;
        core->stats.sweeps++;
        ask_pages(core, i, shard->guess ? shard->guess : 1);
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
        if (shard->up && !sweeping(shard) && shard->next < at) at = shard->next;
    }
    return at;
}

static void forget_clock(struct reading *shard)
{
    shard->ahead[0] = shard->ahead[1] = INT64_MAX;
    shard->span_ends = 0;
}

static int64_t least_ahead(const struct reading *shard)
{
    return shard->ahead[0] < shard->ahead[1] ? shard->ahead[0] : shard->ahead[1];
}

/* An answer comes some time after the instant that it names. So of all differences between our
 * clock and that instant the least is nearest to that of the clocks; it is sought over a while,
 * since clocks drift, and anew after one that cannot be the way of an answer: a clock jumped. */
static void see_clock(const struct timer_core *core, struct reading *shard, instant_ms redis_ms)
{
    int64_t ahead = (int64_t)core->now - (int64_t)redis_ms;
    int64_t least = least_ahead(shard);
    if (least != INT64_MAX && ahead - least > CLOCK_JUMP_MS) forget_clock(shard);
    if (core->now >= shard->span_ends) {
        shard->ahead[1] = shard->ahead[0];
        shard->ahead[0] = INT64_MAX;
        shard->span_ends = core->now + CLOCK_SPAN_MS;
    }
    if (ahead < shard->ahead[0]) shard->ahead[0] = ahead;
}

static instant_ms on_our_clock(const struct reading *shard, instant_ms redis_ms, int64_t due_in_ms)
{
    int64_t at = (int64_t)redis_ms + due_in_ms + least_ahead(shard);
    return at > 0 ? (instant_ms)at : 0;
}

/* A hint's way makes a deadline look later than it is: of two readings of one deadline the earlier
 * is the truer. A larger difference is a deadline that was moved under its number. */
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

static void on_listed(struct timer_core *core, int shard, const struct store_due *due,
                      instant_ms at)
{
    struct tracked *entry = rooms_find(core, due->room);
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
    entry->listed = core->shards[shard].began;
    rooms_keep(core, entry);
    fire_on_listed(core, entry);
    if (!doubted || changed) return;
    entry->doubted = false;
    fire_want_place(core, entry);
}

static void end_sweep(struct timer_core *core, struct reading *shard)
{
    int64_t next_due = shard->next_due_in < 0 ? 0 : shard->next_due_in;
    rooms_forget_unlisted(core, shard);
    shard->done = core->now;
    shard->guess = shard->filled < TIMER_PAGES_MAX ? shard->filled : TIMER_PAGES_MAX;
    instant_ms pause = TIMER_IDLE_MS;
    if (shard->head || next_due < TIMER_AHEAD_MS + TIMER_SWEEP_MS)
        pause = TIMER_SWEEP_MS;
    else if (next_due < TIMER_AHEAD_MS + TIMER_IDLE_MS)
        pause = (instant_ms)next_due - TIMER_AHEAD_MS;
    shard->next = shard->began + pause;
    /* A store that needs that long for a sweep shall have time for others. */
    if (shard->next < core->now + TIMER_BREATH_MS) shard->next = core->now + TIMER_BREATH_MS;
}

static void on_page(struct timer_core *core, struct reading *shard, const struct store_reply *page)
{
    see_clock(core, shard, page->redis_ms);
    for (int i = 0; i < page->due_count; i++) {
        const struct store_due *due = &page->due[i];
        on_listed(core, page->shard, due, on_our_clock(shard, page->redis_ms, due->due_in_ms));
    }
    if (page->due_count) shard->filled++;
    bool more = page->due_count == STORE_DUE_MAX && page->next_due_in_ms <= TIMER_AHEAD_MS;
    if (!more && shard->next_due_in < 0) shard->next_due_in = page->next_due_in_ms;
}

void due_on_reply(struct timer_core *core, const struct store_reply *reply)
{
    if (reply->kind != STORE_DUE || reply->shard < 0) return;
    if (reply->shard >= core->config.shard_count) return;
    struct reading *shard = &core->shards[reply->shard];
    if (!sweeping(shard) || reply->tag != shard->sweep) return;
    shard->answered++;
    if (reply->status == ST_OK)
        on_page(core, shard, reply);
    else
        shard->failed = true;
    if (sweeping(shard)) return;
    if (shard->failed) {
        shard->next = core->now + TIMER_RETRY_MS;
        return;
    }
    int left = TIMER_TRACKED_MAX / STORE_DUE_MAX - shard->asked;
    if (shard->next_due_in >= 0 || left <= 0) {
        end_sweep(core, shard);
        return;
    }
    int count = shard->asked < TIMER_PAGES_MAX ? shard->asked : TIMER_PAGES_MAX;
    ask_pages(core, reply->shard, count < left ? count : left);
}

/* The store answers what was outstanding before it tells that it is lost. */
void due_on_reset(struct timer_core *core, int index, bool up)
{
    if (index < 0 || index >= core->config.shard_count) return;
    struct reading *shard = &core->shards[index];
    shard->up = up;
    forget_clock(shard);
    shard->asked = shard->answered = 0;
    shard->sweep++; /* an answer still to come is of before */
    shard->next = core->now;
}
