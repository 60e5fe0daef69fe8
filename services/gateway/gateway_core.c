/* SPDX-License-Identifier: Apache-2.0
 *
 * The step: dispatch, what is due, and what is settled at its end (frames for all whose room has
 * changed, memory of those that went).
 */
#include "gateway/calls.h"

#include <stdlib.h>

/* Timers that one step runs: each may ask for a few effects, and effects have a bound. */
enum { CLIENTS_DUE_MAX = 2048, MIRRORS_DUE_MAX = 256 };

enum { DRAWN_AS_THEY_ARE = 2 };
_Static_assert(2 * DRAWN_AS_THEY_ARE * sizeof(uint64_t) <= sizeof(struct game_seed),
               "as much again stays secret");

void gateway_limits_default(struct gateway_limits *limits)
{
    *limits = (struct gateway_limits){
        .connections_max = 15000,
        .connections_per_address = 2000,
        .frames_per_s = 40,
        .frames_burst = 80,
        .bytes_per_s = 16 << 10,
        .bytes_burst = 64 << 10,
        .codes = {.burst = 10, .each_ms = 6000},
        .address_codes = {.burst = 60, .each_ms = 1000},
        .rooms = {.burst = 10, .each_ms = 6000},
        .address_rooms = {.burst = 400, .each_ms = 1000},
        .outstanding_bytes_max = GATEWAY_SOCKET_BYTES_MAX,
        .all_outstanding_bytes_max = GATEWAY_SOCKETS_BYTES_MAX,
    };
}

static void copy_text(char *to, size_t size, const char *from)
{
    CHECK(from != NULL && strlen(from) < size);
    memcpy(to, from, strlen(from) + 1);
}

struct gateway_core *gateway_core_open(const struct gateway_config *config, instant_ms now)
{
    CHECK(config->matchmaker_count >= 0 && config->matchmaker_count <= GATEWAY_MATCHMAKERS_MAX);
    CHECK(config->key_count >= 1 && config->key_count <= GATEWAY_KEYS_MAX);
    CHECK(config->limits.frames_per_s > 0 && config->limits.bytes_per_s > 0);
    CHECK(config->limits.outstanding_bytes_max <= GATEWAY_MESSAGES_MAX * GATEWAY_MESSAGE_BYTES);
    struct gateway_core *core = calloc(1, sizeof *core);
    CHECK(core != NULL);
    core->config = *config;
    gw_keys_derive(&core->config);
    copy_text(core->inbox_url, sizeof core->inbox_url, config->inbox_url);
    copy_text(core->build, sizeof core->build, config->build);
    core->ops_port = config->ops_port;
    for (int i = 0; i < config->matchmaker_count; i++)
        copy_text(core->matchmaker_url[i], sizeof core->matchmaker_url[i], config->matchmakers[i]);
    core->now = now;
    core->resumed_at = now;
    core->beat_at = now;
    core->public_at = now;
    core->tries_swept_at = now;
    core->public_serial = 1;
    return core;
}

static void free_clients(struct gateway_core *core)
{
    size_t cursor = 0;
    uint64_t socket;
    void *client;
    while (map_next(&core->clients, &cursor, &socket, &client)) {
        map_remove(&core->clients, socket);
        gw_client_free(client);
    }
    map_fini(&core->clients);
    heap_fini(&core->client_timers);
    free(core->watchers);
}

void gateway_core_close(struct gateway_core *core)
{
    if (core == NULL) return;
    free_clients(core);
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (map_next(&core->mirrors, &cursor, &key, &value)) gw_mirror_free(value);
    map_fini(&core->mirrors);
    heap_fini(&core->mirror_timers);
    cursor = 0;
    while (map_next(&core->asks, &cursor, &key, &value)) free(value);
    map_fini(&core->asks);
    free(core->spare_ask);
    gw_members_fini(core);
    gw_limits_fini(core);
    buf_fini(&core->public_frame);
    buf_fini(&core->scratch);
    free(core);
}

/* ---- chance ---------------------------------------------------------------------------------- */

static struct rng *rng_of_step(struct gateway_core *core)
{
    if (!core->rng_ready) {
        struct game_seed seed;
        memcpy(seed.byte, core->entropy, sizeof seed.byte);
        rng_init(&core->rng, &seed, "gateway");
        core->rng_ready = true;
    }
    return &core->rng;
}

/* The first two of a step are its entropy itself: most steps need no more, and to make a generator
 * costs more than all else that they do. It is made of the rest as well, which nobody is told. */
uint64_t gw_random(struct gateway_core *core)
{
    if (core->drawn < DRAWN_AS_THEY_ARE) {
        uint64_t value;
        memcpy(&value, core->entropy + sizeof value * core->drawn++, sizeof value);
        return value;
    }
    struct rng *rng = rng_of_step(core);
    uint64_t high = rng_u32(rng);
    return high << 32 | rng_u32(rng);
}

struct id128 gw_random_id(struct gateway_core *core)
{
    uint64_t halves[2] = {gw_random(core), gw_random(core)};
    struct id128 id;
    memcpy(id.byte, halves, sizeof id.byte);
    return id;
}

instant_ms gw_jitter(struct gateway_core *core, instant_ms full)
{
    CHECK(full > 0 && full < UINT32_MAX);
    return full / 2 + rng_below(rng_of_step(core), (uint32_t)(full - full / 2) + 1);
}

instant_ms gw_back_off(struct gateway_core *core, uint32_t tries)
{
    instant_ms wait = GATEWAY_RETRY_MIN_MS;
    while (tries-- > 0 && wait < GATEWAY_RETRY_MAX_MS) wait *= 2;
    return gw_jitter(core, wait < GATEWAY_RETRY_MAX_MS ? wait : GATEWAY_RETRY_MAX_MS);
}

/* ---- requests -------------------------------------------------------------------------------- */

struct request *gw_ask(struct gateway_core *core, enum ask_kind kind, uint64_t id, const char *url,
                       enum request_kind what, struct id128 request_id, uint64_t *token)
{
    *token = 0;
    if (kind != ASK_NOBODY) {
        struct ask *ask = core->spare_ask ? core->spare_ask : malloc(sizeof *ask);
        CHECK(ask != NULL);
        core->spare_ask = NULL;
        *ask = (struct ask){.kind = kind, .id = id};
        *token = ++core->last_token;
        map_put(&core->asks, *token, ask);
    }
    struct effect *effect = effects_add(core->out, EFFECT_REQUEST);
    effect->url = url ? arena_text(&core->out->arena, url) : NULL;
    effect->token = *token;
    effect->timeout_ms = GATEWAY_REQUEST_MS;
    effect->request.kind = what;
    effect->request.id = request_id;
    effect->request.from = core->config.instance;
    return &effect->request;
}

static void on_reply(struct gateway_core *core, uint64_t token, const struct reply *reply)
{
    struct ask *asked = map_remove(&core->asks, token);
    if (asked == NULL) return;
    struct ask ask = *asked;
    free(core->spare_ask);
    core->spare_ask = asked;
    struct client *client = NULL;
    struct mirror *mirror = NULL;
    switch (ask.kind) {
    case ASK_HEARTBEAT: gw_members_reply(core, ask.id, reply); return;
    case ASK_CLIENT:
        client = gw_client_find(core, ask.id);
        if (client && client->task && client->task->token == token)
            gw_task_reply(core, client, reply);
        return;
    case ASK_MIRROR:
        mirror = gw_mirror_find(core, ask.id);
        if (mirror && mirror->token == token) gw_mirror_reply(core, mirror, reply);
        return;
    case ASK_PUBLIC: gw_public_reply(core, reply); return;
    case ASK_NOBODY: return;
    }
}

void gw_note(struct gateway_core *core, const char *what, uint64_t a, uint64_t b, uint64_t c)
{
    struct effect *effect = effects_add(core->out, EFFECT_NOTE);
    effect->text = what;
    effect->value[0] = a;
    effect->value[1] = b;
    effect->value[2] = c;
}

/* ---- the step -------------------------------------------------------------------------------- */

static void on_socket(struct gateway_core *core, const struct event *event)
{
    if (event->kind == EVENT_SOCKET_OPEN) {
        gw_client_open(core, event->socket, event->address);
        return;
    }
    struct client *client = gw_client_find(core, event->socket);
    if (client == NULL) return; /* closed by us already */
    if (event->kind == EVENT_SOCKET_FRAME)
        gw_on_frame(core, client, event->frame);
    else
        gw_client_lost(core, client);
}

static void on_writable(struct gateway_core *core, const struct event *event)
{
    for (int i = 0; i < event->count; i++) {
        struct client *client = gw_client_find(core, event->sockets[i]);
        if (client) gw_client_writable(core, client);
    }
}

static void on_event(struct gateway_core *core, const struct event *event)
{
    switch (event->kind) {
    case EVENT_ENVELOPES: gw_on_envelopes(core, event); return;
    case EVENT_PEER_RESET: gw_mirrors_of_peer(core, event->peer, event->peer_url, false); return;
    case EVENT_PEER_GONE: gw_mirrors_of_peer(core, event->peer, event->peer_url, true); return;
    case EVENT_REPLY: on_reply(core, event->token, event->reply); return;
    case EVENT_DRAIN: gw_clients_drain(core); return;
    case EVENT_SOCKET_OPEN:
    case EVENT_SOCKET_FRAME:
    case EVENT_SOCKET_CLOSED: on_socket(core, event); return;
    case EVENT_SOCKET_WRITABLE: on_writable(core, event); return;
    case EVENT_TICK:
    case EVENT_REQUEST: /* nobody asks a gateway anything, and it has no store */
    case EVENT_STORE:
    case EVENT_STORE_RESET: return;
    }
}

/* Each timer that fires is set anew, later, by its handler. What is still due beyond the bounds is
 * for the next step, which the deadline asks for at once. */
static void run_due(struct gateway_core *core)
{
    struct heap_node *node;
    for (int i = 0; i < CLIENTS_DUE_MAX; i++) {
        node = heap_first(&core->client_timers);
        if (node == NULL || node->at > core->now) break;
        gw_client_due(core, (struct client *)node);
    }
    for (int i = 0; i < MIRRORS_DUE_MAX; i++) {
        node = heap_first(&core->mirror_timers);
        if (node == NULL || node->at > core->now) break;
        gw_mirror_due(core, (struct mirror *)node);
    }
    if (core->beat_at <= core->now) gw_members_beat(core);
    if (core->watcher_count && core->public_at <= core->now) gw_public_due(core);
    gw_tries_sweep(core);
    gw_mirrors_note(core); /* the next heartbeat's step comes soon enough */
}

_Static_assert(offsetof(struct client, timer) == 0, "a timer's node is its client");
_Static_assert(offsetof(struct mirror, timer) == 0, "a timer's node is its mirror");

enum status gateway_core_step(struct gateway_core *core, const struct event *event, instant_ms now,
                              struct effects *out)
{
    CHECK(now >= core->now);
    effects_reset(out);
    if (now - core->now > GATEWAY_STOOD_STILL_MS) core->resumed_at = now;
    core->now = now;
    if (event->kind == EVENT_SOCKET_FRAME) core->wall_s = event->wall_s;
    core->out = out;
    core->entropy = event->entropy;
    core->rng_ready = false;
    core->drawn = 0;

    on_event(core, event);
    run_due(core);
    gw_mirrors_settle(core);
    gw_clients_free_gone(core);
    if (core->draining && core->clients.count == 0 && !core->exited) {
        effects_add(out, EFFECT_EXIT);
        core->exited = true;
    }
    core->out = NULL;
    core->entropy = NULL;
    return ST_OK;
}

instant_ms gateway_core_deadline(const struct gateway_core *core)
{
    instant_ms at = core->beat_at;
    if (core->watcher_count && core->public_at < at) at = core->public_at;
    const struct heap_node *client = heap_first(&core->client_timers);
    if (client && client->at < at) at = client->at;
    const struct heap_node *mirror = heap_first(&core->mirror_timers);
    if (mirror && mirror->at < at) at = mirror->at;
    return at;
}

const char *gateway_core_unready(const struct gateway_core *core)
{
    if (core->draining) return "leaving";
    if (core->answered_at == 0 || core->now - core->answered_at > GATEWAY_UNREADY_MS)
        return "no matchmaker answers";
    return NULL;
}

const struct gateway_counts *gateway_core_counts(const struct gateway_core *core)
{
    return &core->counts;
}

void gateway_core_stats(const struct gateway_core *core, struct gateway_stats *out)
{
    *out = (struct gateway_stats){
        .clients = (uint32_t)core->clients.count,
        .seated = core->seated,
        .rooms = (uint32_t)core->mirrors.count,
        .lost_rooms = core->lost_rooms,
        .client_bytes = sizeof(struct client),
        .mirror_bytes = sizeof(struct mirror),
    };
}

/* ---- how full it all is ---------------------------------------------------------------------- */

static void see_client(const struct client *client, struct gateway_queues *out)
{
    fullness_see(&out->socket, client->outstanding);
    fullness_see(&out->acts, client->act_count);
    fullness_see(&out->ghosts, client->ghost_count);
}

static uint64_t detached_lately(const struct gateway_core *core)
{
    uint64_t count = 0;
    for (int i = 0; i < GATEWAY_DETACHED_MAX; i++) {
        const struct detached *kept = &core->detached[i];
        count += kept->room && core->now - kept->at <= DETACHED_KEPT_MS;
    }
    return count;
}

void gateway_core_queues(const struct gateway_core *core, struct gateway_queues *out)
{
    const struct gateway_limits *limits = &core->config.limits;
    *out = (struct gateway_queues){
        .clients = {core->clients.count, limits->connections_max, 0},
        .address.bound = limits->connections_per_address,
        .socket.bound = limits->outstanding_bytes_max,
        .sockets = {core->outstanding, limits->all_outstanding_bytes_max, 0},
        .acts.bound = GATEWAY_ACTS_MAX,
        .ghosts.bound = GATEWAY_GHOSTS_MAX,
        .rooms = {core->mirrors.count, limits->connections_max, 0},
        .tries = {core->tries.count, GATEWAY_TRIES_MAX, 0},
        .detached = {detached_lately(core), GATEWAY_DETACHED_MAX, 0},
        .members = {core->members.count, WIRE_MEMBERS_MAX, 0},
    };
    size_t cursor = 0;
    uint64_t socket;
    void *value;
    while (map_next(&core->clients, &cursor, &socket, &value)) see_client(value, out);
    cursor = 0;
    struct id128 key;
    while (map128_next(&core->addresses, &cursor, &key, &value))
        fullness_see(&out->address, ((const struct address *)value)->connections);
#define X(name) out->name.refused = core->refused.name;
    GATEWAY_QUEUES(X)
#undef X
}
