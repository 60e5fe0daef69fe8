/* SPDX-License-Identifier: Apache-2.0 */
#include "timer/timer_core.h"

#include "base/check.h"
#include "base/hash.h"
#include "timer/timer_state.h"

#include <stdlib.h>

enum { READ_LATELY_MS = 5000 };

static char *own(const char *text)
{
    char *copy = strdup(text);
    CHECK(copy != NULL);
    return copy;
}

struct timer_core *timer_core_open(const struct timer_config *config, instant_ms now)
{
    CHECK(config->shard_count >= 1 && config->shard_count <= WIRE_SHARDS_MAX);
    CHECK(config->matchmaker_count >= 0 && config->matchmaker_count <= TIMER_MATCHMAKERS_MAX);
    struct timer_core *core = calloc(1, sizeof *core);
    CHECK(core != NULL);
    core->config = *config;
    core->config.inbox_url = own(config->inbox_url);
    core->config.build = own(config->build);
    for (int i = 0; i < config->matchmaker_count; i++)
        core->config.matchmakers[i] = own(config->matchmakers[i]);
    core->now = now;
    core->leave = INSTANT_NEVER;
    timers_open(core);
    return core;
}

void timer_core_close(struct timer_core *core)
{
    for (int i = 0; i < core->config.shard_count; i++) {
        while (core->shards[i].head) rooms_forget(core, core->shards[i].head);
    }
    map_fini(&core->rooms);
    heap_fini(&core->heap);
    free((char *)core->config.inbox_url);
    free((char *)core->config.build);
    for (int i = 0; i < core->config.matchmaker_count; i++)
        free((char *)core->config.matchmakers[i]);
    free(core);
}

/* Ids that nobody can foresee, as many as a step needs, from its entropy. */
static struct id128 draw_id(struct timer_core *core)
{
    uint8_t bytes[sizeof core->entropy + sizeof core->drawn];
    core->drawn++;
    memcpy(bytes, core->entropy, sizeof core->entropy);
    memcpy(bytes + sizeof core->entropy, &core->drawn, sizeof core->drawn);
    return hash_128_for("timer request", slice_of(bytes, sizeof bytes));
}

struct request *core_request(struct timer_core *core, enum request_kind kind, const char *url,
                             uint64_t *token)
{
    struct effect *effect = effects_add(core->out, EFFECT_REQUEST);
    effect->url = url;
    effect->token = *token = ++core->last_token;
    effect->timeout_ms = TIMER_REQUEST_MS;
    effect->request.kind = kind;
    effect->request.id = draw_id(core);
    effect->request.from = core->config.instance;
    return &effect->request;
}

enum status timer_core_step(struct timer_core *core, const struct event *event, instant_ms now,
                            struct effects *out)
{
    CHECK(now >= core->now);
    core->now = now;
    core->out = out;
    memcpy(core->entropy, event->entropy, sizeof core->entropy);
    effects_reset(out);

    switch (event->kind) {
    case EVENT_ENVELOPES: fire_on_envelopes(core, event); break;
    case EVENT_REPLY:
        if (!fire_on_reply(core, event->token)) timers_on_reply(core, event->token, event->reply);
        break;
    case EVENT_STORE: due_on_reply(core, event->store); break;
    case EVENT_STORE_RESET: due_on_reset(core, event->shard, event->store_up); break;
    case EVENT_PEER_GONE: timers_on_gone(core, event->peer_url); break;
    case EVENT_DRAIN: timers_drain(core); break;
    default: break; /* a tick; or a stream that broke: what was not heard is repeated */
    }
    /* Whatever came: what is due by now is done now. */
    due_tick(core);
    fire_tick(core);
    fire_send_places(core);
    timers_tick(core);
    return ST_OK;
}

static instant_ms earlier(instant_ms a, instant_ms b)
{
    return a < b ? a : b;
}

instant_ms timer_core_deadline(const struct timer_core *core)
{
    const struct heap_node *first = heap_first(&core->heap);
    instant_ms at = earlier(timers_deadline(core), due_deadline(core));
    return first ? earlier(at, first->at) : at;
}

const char *timer_core_unready(const struct timer_core *core, instant_ms now)
{
    for (int i = 0; i < core->config.shard_count; i++) {
        const struct reading *shard = &core->shards[i];
        if (!shard->up) return "a store is away";
        if (shard->done == 0) return "the deadlines have not been read yet";
        if (now > shard->done + READ_LATELY_MS) return "a store does not answer";
    }
    return core->draining ? "leaving" : NULL;
}

struct timer_stats timer_core_stats(const struct timer_core *core)
{
    struct timer_stats stats = core->stats;
    stats.tracked = (uint32_t)core->rooms.count;
    stats.timers = (uint32_t)core->timer_count;
    return stats;
}

void timer_core_queues(const struct timer_core *core, struct timer_queues *out)
{
    uint64_t places = 0;
    for (int i = 0; i < TIMER_PLACES_MAX; i++) places += core->places[i] != 0;
    *out = (struct timer_queues){
        .tracked = {core->rooms.count, TIMER_TRACKED_MAX, core->stats.untracked},
        .wanted = {(uint64_t)core->wanted_most, WIRE_ROOMS_MAX, core->refused_wanted},
        .places = {places, TIMER_PLACES_MAX, core->refused_places},
        .peers = {(uint64_t)core->timer_count, TIMER_PEERS_MAX, core->refused_peers},
    };
}
