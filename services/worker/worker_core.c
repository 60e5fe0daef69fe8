/* SPDX-License-Identifier: Apache-2.0
 *
 * The step: advance, check the leases, handle the event, do what is due, then settle every room
 * that was touched: frame, append, let out. Rooms are settled in the order in which they were
 * touched.
 */
#include "worker/parts.h"

#include <sodium.h>
#include <stdlib.h>

/* ---- open and close -------------------------------------------------------------------------- */

static const char *copy_text(const char *text)
{
    if (text == NULL) text = "";
    size_t len = strlen(text) + 1;
    char *copy = malloc(len);
    CHECK(copy != NULL);
    memcpy(copy, text, len);
    return copy;
}

struct worker_core *worker_core_open(const struct worker_config *config)
{
    CHECK(config->shards >= 1 && config->shards <= WIRE_SHARDS_MAX);
    CHECK(config->matchmaker_count >= 0 && config->matchmaker_count <= WORKER_MATCHMAKERS_MAX);
    struct worker_core *core = calloc(1, sizeof *core);
    CHECK(core != NULL);
    core->config = *config;
    core->config.inbox_url = copy_text(config->inbox_url);
    core->config.control_url = copy_text(config->control_url);
    core->config.build = copy_text(config->build);
    for (int i = 0; i < config->matchmaker_count; i++)
        core->config.matchmakers[i] = copy_text(config->matchmakers[i]);
    if (core->config.rooms_max > WORKER_ROOMS_MAX) core->config.rooms_max = WORKER_ROOMS_MAX;
    if (core->config.backlog_bytes_max == 0)
        core->config.backlog_bytes_max = WORKER_BACKLOG_BYTES_MAX;
    for (int i = 0; i < config->shards; i++) core->shards[i] = (struct shard){.up = true};
    rules_init(core);
    core->timers.max = WORKER_TIMERS_MAX;
    core->workers.max = WORKER_SUCCESSORS_MAX;
    core->gateways.max = WORKER_PEERS_MAX;
    return core;
}

void worker_core_close(struct worker_core *core)
{
    if (core == NULL) return;
    size_t cursor = 0;
    uint64_t id;
    struct id128 instance;
    void *value;
    while (map_next(&core->rooms, &cursor, &id, &value)) owned_free(core, value);
    map_fini(&core->rooms);
    cursor = 0;
    while (map128_next(&core->peers, &cursor, &instance, &value)) free(value);
    map128_fini(&core->peers);
    heap_fini(&core->wakes);
    for (int i = 0; i < WORKER_ADOPTIONS_MAX; i++) adopt_forget(core->adoptions[i]);
    buf_fini(&core->summary);
    free(core->touched);
    free(core->tails.list);
    free(core->restores.list);
    free(core->to_stop.list);
    free(core->timers.list);
    free(core->workers.list);
    free(core->gateways.list);
    free(core->moved);
    free((void *)core->config.inbox_url);
    free((void *)core->config.control_url);
    free((void *)core->config.build);
    for (int i = 0; i < core->config.matchmaker_count; i++)
        free((void *)core->config.matchmakers[i]);
    sodium_memzero(core->entropy, sizeof core->entropy);
    free(core);
}

/* ---- what the handlers use ------------------------------------------------------------------- */

struct owned_room *core_find(struct worker_core *core, room_id id)
{
    struct owned_room *o = map_get(&core->rooms, id);
    return o && !o->dead ? o : NULL;
}

void core_touch(struct worker_core *core, struct owned_room *o)
{
    if (o->touched) return;
    o->touched = true;
    if (core->touched_count == core->touched_room) {
        core->touched_room = core->touched_room ? 2 * core->touched_room : 64;
        core->touched = realloc(core->touched, core->touched_room * sizeof *core->touched);
        CHECK(core->touched != NULL);
    }
    core->touched[core->touched_count++] = o;
}

void core_note(struct worker_core *core, const char *text, room_id room, uint64_t a, uint64_t b)
{
    struct effect *effect = effects_add(core->out, EFFECT_NOTE);
    effect->text = text;
    effect->value[0] = room;
    effect->value[1] = a;
    effect->value[2] = b;
}

uint64_t core_tag(struct worker_core *core)
{
    return ++core->tags;
}

void core_draw(struct worker_core *core, uint8_t bytes[32])
{
    uint8_t number[8];
    for (int i = 0; i < 8; i++) number[i] = (uint8_t)(core->drawn >> 8 * i);
    core->drawn++;
    CHECK(crypto_generichash(bytes, 32, number, sizeof number, core->entropy,
                             sizeof core->entropy) == 0);
}

struct id128 core_draw_id(struct worker_core *core)
{
    uint8_t bytes[32];
    struct id128 id;
    core_draw(core, bytes);
    memcpy(id.byte, bytes, sizeof id.byte);
    return id;
}

struct store_op *core_op(struct worker_core *core, enum store_op_kind kind, struct owned_room *o)
{
    struct effect *effect = effects_add(core->out, EFFECT_STORE);
    effect->op.kind = kind;
    effect->op.instance = core->config.instance;
    if (o) {
        effect->op.room = o->id;
        effect->op.epoch = o->epoch;
    }
    return &effect->op;
}

const char *core_lend(struct worker_core *core, const char *text)
{
    return arena_text(&core->out->arena, text);
}

void core_send(struct worker_core *core, struct id128 instance, const struct envelope *envelope)
{
    const struct peer *peer = map128_get(&core->peers, instance);
    if (peer == NULL) return;
    const char *url = core_lend(core, peer->url);
    struct effect *effect = effects_add(core->out, EFFECT_SEND);
    effect->peer = instance;
    effect->url = url;
    effect->envelope = *envelope;
}

struct shard *core_shard(struct worker_core *core, room_id id)
{
    return &core->shards[room_shard(id)];
}

void core_queue(struct room_queue *queue, room_id id)
{
    if (queue->first > 0 && queue->first + queue->count == queue->room) {
        memmove(queue->list, queue->list + queue->first, queue->count * sizeof *queue->list);
        queue->first = 0;
    }
    if (queue->count == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 64;
        queue->list = realloc(queue->list, queue->room * sizeof *queue->list);
        CHECK(queue->list != NULL);
    }
    queue->list[queue->first + queue->count++] = id;
}

bool core_queued(struct room_queue *queue, room_id *id)
{
    if (queue->count == 0) {
        queue->first = 0;
        return false;
    }
    *id = queue->list[queue->first++];
    queue->count--;
    return true;
}

/* ---- the step -------------------------------------------------------------------------------- */

static void dispatch(struct worker_core *core, const struct event *event)
{
    switch (event->kind) {
    case EVENT_TICK: return; /* what is due is done in every step */
    case EVENT_ENVELOPES: on_envelopes(core, event); return;
    case EVENT_PEER_RESET: on_peer_reset(core, event); return;
    case EVENT_PEER_GONE: on_peer_gone(core, event->peer); return;
    case EVENT_REQUEST: on_request(core, event); return;
    case EVENT_REPLY:
        members_on_reply(core, event->reply);
        drain_on_reply(core, event->token, event->reply);
        return;
    case EVENT_STORE: on_store(core, event->store); return;
    case EVENT_STORE_RESET: on_store_reset(core, event->shard, event->store_up); return;
    case EVENT_DRAIN: drain_begin(core, true); return;
    default: CHECK(!"an event that is not a worker's");
    }
}

static void settle(struct worker_core *core)
{
    /* Settling may touch further rooms; each is settled once. */
    for (size_t i = 0; i < core->touched_count; i++) {
        struct owned_room *o = core->touched[i];
        if (!o->dead) owned_settle(core, o);
    }
}

static void sweep(struct worker_core *core)
{
    for (size_t i = 0; i < core->touched_count; i++) {
        struct owned_room *o = core->touched[i];
        o->touched = false;
        if (!o->dead) continue;
        if (map_get(&core->rooms, o->id) == o) map_remove(&core->rooms, o->id);
        heap_remove(&core->wakes, &o->wake);
        owned_free(core, o);
    }
    core->touched_count = 0;
}

enum status worker_core_step(struct worker_core *core, const struct event *event, instant_ms now,
                             struct effects *out)
{
    effects_reset(out);
    core->out = out;
    CHECK(!core->started || now >= core->now);
    instant_ms gap_ms = core->started ? now - core->now : 0;
    core->now = now;
    core->started = true;
    memcpy(core->entropy, event->entropy, sizeof core->entropy);
    core->drawn = 0;

    lease_skip(core, gap_ms);
    lease_check(core);
    dispatch(core, event);
    on_due(core);
    drain_go_on(core);
    settle(core);
    orders_settle(core);
    adopt_send_takes(core);
    lease_send_tails(core);
    restore_send(core);
    sweep(core);

    sodium_memzero(core->entropy, sizeof core->entropy);
    core->out = NULL;
    return ST_OK;
}

instant_ms worker_core_deadline(const struct worker_core *core)
{
    instant_ms next = lease_next(core);
    if (core->heartbeat_at < next) next = core->heartbeat_at;
    const struct heap_node *first = heap_first(&core->wakes);
    if (first && first->at < next) next = first->at;
    instant_ms drain = drain_next(core);
    return drain < next ? drain : next;
}

const char *worker_core_unready(const struct worker_core *core)
{
    if (core->draining) return "it hands its rooms over";
    for (int i = 0; i < core->config.shards; i++)
        if (!core->shards[i].leased) return "a Redis shard does not answer";
    if (core->heard_at == 0 || core->now >= core->heard_at + WORKER_MEMBER_MS)
        return "no matchmaker answers";
    return NULL;
}
