/* SPDX-License-Identifier: Apache-2.0
 *
 * A core and what its shell would do with effects.
 */
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/hash.h"
#include "scale/scale.h"

enum { REDIAL_MS = 20 };

struct scale_node *node_at(struct scale_world *world, const char *url)
{
    const char *at = url + strcspn(url, "0123456789");
    int index = atoi(at);
    if (!*at || index >= world->node_count) return NULL;
    struct scale_node *node = &world->nodes[index];
    return node->up ? node : NULL;
}

static void open_core(struct scale_world *world, struct scale_node *node)
{
    if (node->kind == SERVICE_MATCHMAKER) {
        struct matchmaker_config config = {.instance = node->instance,
                                           .control_url = node->control,
                                           .build = "scale",
                                           .shard_count = world->config.shards,
                                           .peers = world->matchmaker_urls,
                                           .peer_count = world->config.matchmakers};
        node->matchmaker = matchmaker_core_open(&config, scale_now(world));
        return;
    }
    struct worker_config config = {.instance = node->instance,
                                   .inbox_url = node->inbox,
                                   .control_url = node->control,
                                   .build = "scale",
                                   .shards = world->config.shards,
                                   .rooms_max = world->config.rooms_max,
                                   .grace_ms = 5000,
                                   .archive_s = 0};
    order_key_from(slice_text(SCALE_KEY), &config.operator_key);
    for (int i = 0; i < world->config.matchmakers; i++)
        config.matchmakers[config.matchmaker_count++] = world->matchmaker_urls[i];
    node->worker = worker_core_open(&config);
}

void node_open(struct scale_world *world, enum service_kind kind)
{
    CHECK(world->node_count < SCALE_NODES_MAX);
    struct scale_node *node = &world->nodes[world->node_count];
    node->kind = kind;
    node->index = world->node_count++;
    node->life = 1;
    node->up = true;
    uint64_t drawn[2] = {scale_draw(world), scale_draw(world)};
    memcpy(node->instance.byte, drawn, sizeof drawn);
    snprintf(node->inbox, sizeof node->inbox, "tcp://node-%04d.inner:7101", node->index);
    snprintf(node->control, sizeof node->control, "tcp://node-%04d.inner:7102", node->index);
    if (kind == SERVICE_MATCHMAKER) world->matchmaker_urls[node->index] = node->control;
    map128_put(&world->by_instance, node->instance, node);
    struct scale_message *first = /* they did not all start in one instant */
        scale_send(world, SCALE_TICK, 1 + scale_draw(world) % WORKER_HEARTBEAT_MS);
    first->to = node->index;
    first->life = node->life;
    node->tick_at = first->queued.node.at;
}

void node_close(struct scale_node *node)
{
    matchmaker_core_close(node->matchmaker);
    worker_core_close(node->worker);
    effects_fini(&node->out);
    map_fini(&node->asked);
    node->matchmaker = NULL;
    node->worker = NULL;
    node->up = false;
    node->life++;
}

void node_kill(struct scale_world *world, struct scale_node *node, bool refuses)
{
    node_close(node);
    for (int i = 0; refuses && i < world->config.matchmakers; i++) {
        struct scale_message *gone = scale_send(world, SCALE_GONE, REDIAL_MS);
        gone->to = i;
        gone->life = world->nodes[i].life;
        gone->peer = node->index;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum scale_work work_of_store(enum store_op_kind kind, bool matchmaker)
{
    switch (kind) {
    case STORE_LEASE:
    case STORE_SILENT: return SCALE_WORK_ticks;
    case STORE_OWNED:
    case STORE_TAKE: return SCALE_WORK_adoptions;
    case STORE_CREATE: return SCALE_WORK_creates;
    default: return matchmaker ? SCALE_WORK_tickets : SCALE_WORK_play;
    }
}

static enum scale_work work_of_request(enum request_kind kind)
{
    switch (kind) {
    case REQ_HEARTBEAT: return SCALE_WORK_heartbeats;
    case REQ_WORKER_ADOPT: return SCALE_WORK_adoptions;
    case REQ_WORKER_CREATE: return SCALE_WORK_creates;
    default: return SCALE_WORK_tickets;
    }
}

static enum scale_work work_of(const struct scale_node *node, const struct event *event)
{
    switch (event->kind) {
    case EVENT_REQUEST: return work_of_request(event->request->kind);
    case EVENT_REPLY: return work_of_request(event->reply->kind);
    case EVENT_STORE: return work_of_store(event->store->kind, node->matchmaker != NULL);
    case EVENT_ENVELOPES: return SCALE_WORK_play;
    case EVENT_PEER_GONE: return SCALE_WORK_adoptions;
    default: return SCALE_WORK_ticks;
    }
}

/* The step in which a matchmaker chose a worker for a new room. */
static bool gives_room(const struct scale_node *node)
{
    for (size_t i = 0; node->matchmaker && i < node->out.count; i++)
        if (node->out.list[i].kind == EFFECT_REQUEST &&
            node->out.list[i].request.kind == REQ_WORKER_CREATE)
            return true;
    return false;
}

static uint64_t processor_ns(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static void core_step(struct scale_world *world, struct scale_node *node, struct event *event)
{
    uint64_t from = processor_ns();
    if (node->matchmaker)
        matchmaker_core_step(node->matchmaker, event, scale_now(world), &node->out);
    else
        worker_core_step(node->worker, event, scale_now(world), &node->out);
    uint64_t took = processor_ns() - from;
    struct scale_cost *cost = node->matchmaker ? &world->matchmaker_cost : &world->worker_cost;
    enum scale_work work = gives_room(node) ? SCALE_WORK_creates : work_of(node, event);
    cost->ns[work] += took;
    cost->steps[work]++;
}

static void note(struct scale_world *world, const struct effect *effect)
{
    static const char *const bad[] = {"room.set_aside", "room.unreadable", "room.forgotten",
                                      "store.forgot",   "store.another",   "peer.refused",
                                      "lease.lapsed",   "process.paused",  "envelope.refused"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        world->counts.bad_notes += !strcmp(effect->text, bad[i]);
    world->counts.adopted += !strcmp(effect->text, "room.adopted");
}

static void ask(struct scale_world *world, struct scale_node *node, const struct effect *effect)
{
    if (effect->request.kind == REQ_HEARTBEAT && node->worker)
        node->rooms = effect->request.self.rooms;
    wire_request(world, node, node_at(world, effect->url), effect->token, &effect->request,
                 effect->timeout_ms);
}

static void carry(struct scale_world *world, struct scale_node *node, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_REQUEST: ask(world, node, effect); return;
    case EFFECT_REPLY: wire_answer(world, effect); return;
    case EFFECT_STORE: wire_store(world, node, &effect->op); return;
    case EFFECT_NOTE: note(world, effect); return;
    case EFFECT_SEND:
        world->counts.moved += effect->envelope.kind == ENV_MOVED;
        world->counts.attached += effect->envelope.kind == ENV_ATTACHED;
        return;
    default: return; /* whoever is watched is told of by node_kill */
    }
}

static void queue_tick(struct scale_world *world, struct scale_node *node)
{
    instant_ms now = scale_now(world);
    instant_ms at = node->matchmaker ? matchmaker_core_deadline(node->matchmaker)
                                     : worker_core_deadline(node->worker);
    if (at <= now) at = now + 1;
    if (node->tick_at > now && node->tick_at <= at) return;
    node->tick_at = at;
    struct scale_message *tick = scale_send(world, SCALE_TICK, at - now);
    tick->to = node->index;
    tick->life = node->life;
}

void node_event(struct scale_world *world, struct scale_node *node, struct event *event)
{
    for (size_t i = 0; i < sizeof event->entropy / 8; i++) {
        uint64_t drawn = scale_draw(world);
        memcpy(event->entropy + 8 * i, &drawn, sizeof drawn);
    }
    core_step(world, node, event);
    for (size_t i = 0; i < node->out.count; i++) carry(world, node, &node->out.list[i]);
    queue_tick(world, node);
}

/* ---- what arrives ---------------------------------------------------------------------------- */

static void on_tick(struct scale_world *world, struct scale_node *node)
{
    if (node->tick_at > scale_now(world)) return; /* an earlier one has been and gone */
    if (!node->matchmaker && !node->worker) open_core(world, node);
    struct event tick = {.kind = EVENT_TICK};
    node_event(world, node, &tick);
}

static void on_request(struct scale_world *world, struct scale_node *node,
                       const struct scale_message *message)
{
    struct request request;
    CHECK(request_decode(buf_slice(&message->bytes), &world->scratch, &request) == ST_OK);
    struct event event = {.kind = EVENT_REQUEST, .token = message->token, .request = &request};
    node_event(world, node, &event);
}

static void on_reply(struct scale_world *world, struct scale_node *node,
                     const struct scale_message *message)
{
    if (!map_remove(&node->asked, message->token)) return;
    struct reply reply = {.status = ST_UNAVAILABLE};
    if (message->bytes.len)
        CHECK(reply_decode(buf_slice(&message->bytes), &world->scratch, &reply) == ST_OK);
    struct event event = {.kind = EVENT_REPLY, .token = message->token, .reply = &reply};
    node_event(world, node, &event);
}

static void on_envelope(struct scale_world *world, struct scale_node *node,
                        struct scale_message *message)
{
    char url[40];
    struct id128 peer = {{0xee, (uint8_t)message->peer, (uint8_t)(message->peer >> 8)}};
    snprintf(url, sizeof url, "tcp://gateway-%d.inner:7101", message->peer);
    if (message->envelope.kind == ENV_ATTACH) message->envelope.u.attach.name = message->name;
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = peer,
                          .peer_url = url,
                          .list = &message->envelope,
                          .count = 1};
    node_event(world, node, &event);
}

void node_message(struct scale_world *world, struct scale_message *message)
{
    struct scale_node *node = &world->nodes[message->to];
    bool starts = !node->matchmaker && !node->worker;
    if (message->life != node->life || (starts && message->kind != SCALE_TICK)) return;
    switch (message->kind) {
    case SCALE_TICK: on_tick(world, node); return;
    case SCALE_REQUEST: on_request(world, node, message); return;
    case SCALE_REPLY: on_reply(world, node, message); return;
    case SCALE_ENVELOPE: on_envelope(world, node, message); return;
    case SCALE_STORE: {
        struct event event = {.kind = EVENT_STORE, .store = &message->reply};
        node_event(world, node, &event);
        return;
    }
    case SCALE_GONE: {
        struct event gone = {.kind = EVENT_PEER_GONE,
                             .peer_url = world->nodes[message->peer].control};
        node_event(world, node, &gone);
        return;
    }
    default: CHECK(!"a message without a handler");
    }
}
