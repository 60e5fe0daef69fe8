/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds of asking, and when to leave a primary for another.
 */
#include "store/sentinels.h"

#include "base/check.h"
#include "store/sentinel.h"

#include <stdio.h>
#include <stdlib.h>

enum { TICK_MS = 50 };

struct sentinels {
    uv_loop_t *loop;
    const struct store_shard *config;
    const struct sentinels_events *events;
    void *user;
    uv_timer_t tick;
    uint64_t ticked_ms;
    struct sentinel each[STORE_SENTINELS_MAX];
    struct opinion opinions[STORE_SENTINELS_MAX]; /* theirs, as they were looked at last */
    bool doubted[STORE_SENTINELS_MAX];            /* until they say something else */

    bool asking; /* a round is under way, until everybody answered or the patience is over */
    uint64_t round_ends_ms;
    struct opinion told; /* what the last round found; no host: nothing */
    bool in_vain;        /* nothing usable answered there */
    uint64_t known;      /* epoch of the last usable one */
    int open;            /* that refer to this, while closing */
};

/* ---- which one to follow --------------------------------------------------------------------- */

static int choose(const struct sentinels *all, const char **why)
{
    return opinion_choose(all->opinions, all->doubted, all->config->sentinel_count, all->known,
                          why);
}

/* Why no round can find a primary, with the trouble of a Sentinel that has one. */
static void tell_nothing(struct sentinels *all, const char *why)
{
    char text[160];
    snprintf(text, sizeof text, "%s", why);
    for (int i = 0; i < all->config->sentinel_count; i++) {
        const struct sentinel *sentinel = &all->each[i];
        if (sentinel->opinion.at.host[0] || !sentinel->trouble[0]) continue;
        snprintf(text, sizeof text, "%s (%.40s:%d: %s)", why, sentinel->at->host,
                 sentinel->at->port, sentinel->trouble);
        break;
    }
    all->events->on_found(all->user, NULL, text);
}

static void end_round(struct sentinels *all)
{
    const char *why = NULL;
    int best = choose(all, &why);
    if (best < 0) { /* those that were passed over may have become right */
        memset(all->doubted, 0, sizeof all->doubted);
        best = choose(all, &why);
    }
    all->asking = false;
    all->in_vain = false;
    all->told = best < 0 ? (struct opinion){0} : all->opinions[best];
    if (best < 0)
        tell_nothing(all, why);
    else
        all->events->on_found(all->user, &all->told.at, NULL);
}

static bool has_answered(const struct sentinels *all)
{
    for (int i = 0; i < all->config->sentinel_count; i++)
        if (all->each[i].asked) return false;
    return true;
}

/* Whether to leave what was told last: at once when it did not do, else for a newer configuration
 * or when most Sentinels have gone on to another one. */
static bool has_moved(struct sentinels *all)
{
    const char *why;
    int best = choose(all, &why);
    if (best < 0) return false;
    const struct opinion *chosen = &all->opinions[best];
    if (opinion_same_address(&chosen->at, &all->told.at)) {
        if (chosen->epoch > all->told.epoch) all->told.epoch = chosen->epoch;
        return false;
    }
    return all->in_vain || !all->told.at.host[0] || chosen->epoch > all->told.epoch ||
           opinion_of_most(all->opinions, all->config->sentinel_count, &chosen->at);
}

static void look(struct sentinels *all)
{
    for (int i = 0; i < all->config->sentinel_count; i++) {
        const struct opinion *now = &all->each[i].opinion;
        struct opinion *then = &all->opinions[i];
        if (opinion_same_address(&now->at, &then->at) && now->epoch == then->epoch) continue;
        all->doubted[i] = false;
        *then = *now;
    }
}

/* The last thing that a handler does: what it calls may do anything. */
static void consider(struct sentinels *all)
{
    look(all);
    if (all->asking) {
        if (has_answered(all) || uv_now(all->loop) >= all->round_ends_ms) end_round(all);
    } else if (has_moved(all)) {
        all->events->on_moved(all->user);
    }
}

static void on_told(struct sentinel *sentinel)
{
    consider(sentinel->owner);
}

/* Everybody is asked, since one alone may be wrong. */
static void on_promotion(struct sentinel *sentinel)
{
    struct sentinels *all = sentinel->owner;
    for (int i = 0; i < all->config->sentinel_count; i++)
        if (all->each[i].state == SENTINEL_TALKING) sentinel_ask(&all->each[i]);
}

static void on_tick(uv_timer_t *timer)
{
    struct sentinels *all = timer->data;
    uint64_t now = uv_now(all->loop), gap = now - all->ticked_ms;
    all->ticked_ms = now;
    for (int i = 0; i < all->config->sentinel_count; i++)
        sentinel_tick(&all->each[i], now, gap > 3 * TICK_MS);
    consider(all);
}

/* ---- what a connection does with it ---------------------------------------------------------- */

void sentinels_ask(struct sentinels *all)
{
    all->asking = true;
    all->round_ends_ms = uv_now(all->loop) + STORE_SENTINEL_PATIENCE_MS;
    for (int i = 0; i < all->config->sentinel_count; i++) sentinel_ask(&all->each[i]);
}

void sentinels_tried(struct sentinels *all, bool usable)
{
    all->in_vain = !usable;
    if (usable) {
        all->known = all->told.epoch;
        return;
    }
    for (int i = 0; i < all->config->sentinel_count; i++)
        if (opinion_same_address(&all->opinions[i].at, &all->told.at)) all->doubted[i] = true;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void maybe_closed(struct sentinels *all)
{
    if (--all->open > 0) return;
    all->events->on_closed(all->user);
    free(all);
}

static void on_sentinel_closed(struct sentinel *sentinel)
{
    maybe_closed(sentinel->owner);
}

static void on_tick_closed(uv_handle_t *handle)
{
    maybe_closed(handle->data);
}

struct sentinels *sentinels_open(uv_loop_t *loop, const struct store_shard *config,
                                 const struct sentinels_events *events, void *user)
{
    struct sentinels *all = calloc(1, sizeof *all);
    CHECK(all != NULL);
    all->loop = loop;
    all->config = config;
    all->events = events;
    all->user = user;
    all->ticked_ms = uv_now(loop);
    for (int i = 0; i < config->sentinel_count; i++) {
        all->each[i] = (struct sentinel){.loop = loop,
                                         .config = config,
                                         .at = &config->sentinels[i],
                                         .owner = all,
                                         .on_told = on_told,
                                         .on_promotion = on_promotion,
                                         .on_closed = on_sentinel_closed};
        sentinel_open(&all->each[i]);
    }
    CHECK(uv_timer_init(loop, &all->tick) == 0);
    all->tick.data = all;
    CHECK(uv_timer_start(&all->tick, on_tick, TICK_MS, TICK_MS) == 0);
    return all;
}

void sentinels_close(struct sentinels *all)
{
    all->open = 1 + all->config->sentinel_count;
    uv_close((uv_handle_t *)&all->tick, on_tick_closed);
    for (int i = 0; i < all->config->sentinel_count; i++) sentinel_close(&all->each[i]);
}
