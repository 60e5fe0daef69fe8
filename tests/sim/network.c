/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches and control requests on their way between nodes. They keep their order between two nodes
 * as a pipe does; a lost one is simply gone (a pipe that broke), a doubled one comes again later.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/world.h"

static instant_ms delay(struct world *world, const struct sim_node *to)
{
    const struct sim_faults *faults = &world->config.faults;
    if (fault_strikes(world, FAULT_SLOW, faults->slow_ppm, node_name(to))) return faults->slow_ms;
    return chance_between(world, faults->delay_min_ms, faults->delay_max_ms);
}

static bool lost(struct world *world, const struct sim_node *from, const struct sim_node *to)
{
    bool gone = world->now < from->cut_until || world->now < to->cut_until ||
                fault_strikes(world, FAULT_LOSS, world->config.faults.loss_ppm, node_name(to));
    if (gone) world->counts.lost++;
    return gone;
}

static void send_batch(struct world *world, struct sim_node *from, struct sim_node *to,
                       struct slice bytes, instant_ms at)
{
    struct happening *batch = world_schedule(world, HAPPEN_BATCH, at);
    batch->at = to->index;
    batch->peer = from->index;
    batch->life = to->life;
    happening_bytes(batch, bytes);
}

void network_flush(struct world *world, struct sim_node *node)
{
    struct link_out out;
    while (link_flush(&node->link, world->now + node->skew, &out)) {
        struct sim_node *to = node_by_inbox(world, out.url);
        if (!to || !to->up) continue;
        if (lost(world, node, to)) continue;
        instant_ms at = world->now + delay(world, to);
        if (at < node->last_arrival[to->index]) at = node->last_arrival[to->index];
        node->last_arrival[to->index] = at;
        send_batch(world, node, to, out.bytes, at);
        if (fault_strikes(world, FAULT_TWICE, world->config.faults.twice_ppm, node_name(to)))
            send_batch(world, node, to, out.bytes, at + delay(world, to));
    }
}

static struct sim_node *any_matchmaker(struct world *world)
{
    int first = (int)chance_below(world, (uint32_t)world->config.matchmakers);
    for (int i = 0; i < world->config.matchmakers; i++) {
        struct sim_node *node = &world->nodes[(first + i) % world->config.matchmakers];
        if (node->up) return node;
    }
    return NULL;
}

static void send_request(struct world *world, struct sim_node *node, struct sim_node *to,
                         uint64_t token, struct slice bytes)
{
    if (lost(world, node, to)) return;
    struct happening *request =
        world_schedule(world, HAPPEN_REQUEST, world->now + delay(world, to));
    request->at = to->index;
    request->life = to->life;
    struct route *route = malloc(sizeof *route);
    CHECK(route);
    *route = (struct route){node->index, node->life, token};
    request->token = world->next_route++;
    map_put(&world->routes, request->token, route);
    happening_bytes(request, bytes);
}

/* What goes on all the time is not told. */
static bool told(enum request_kind kind)
{
    return kind != REQ_HEARTBEAT && kind != REQ_TICKET;
}

void network_request(struct world *world, struct sim_node *node, const struct effect *effect)
{
    struct buf bytes = {0};
    CHECK(request_encode(&effect->request, &bytes) == ST_OK);
    struct sim_node *to = effect->url ? node_by_control(world, effect->url) : any_matchmaker(world);
    map_put(&node->asked, effect->token, node);
    if (to && to->up) send_request(world, node, to, effect->token, buf_slice(&bytes));
    if (told(effect->request.kind))
        world_trace(world, "%s: asks %s: request %d", node_name(node),
                    to ? node_name(to) : "nobody", (int)effect->request.kind);
    struct happening *silence =
        world_schedule(world, HAPPEN_REPLY, world->now + effect->timeout_ms);
    silence->at = node->index;
    silence->life = node->life;
    silence->token = effect->token;
    buf_fini(&bytes);
}

void network_answer(struct world *world, struct sim_node *node, const struct effect *effect)
{
    struct route *route = map_remove(&world->routes, effect->token);
    if (told(effect->reply.kind))
        world_trace(world, "%s: answers request %d: %s, reason %u", node_name(node),
                    (int)effect->reply.kind, status_text(effect->reply.status),
                    effect->reply.reason);
    if (!route) {
        world_fail(world, "%s answers a request twice", node_name(node));
        return;
    }
    const struct sim_node *to = &world->nodes[route->peer];
    if (lost(world, node, to)) {
        free(route);
        return;
    }
    struct buf bytes = {0};
    CHECK(reply_encode(&effect->reply, &bytes) == ST_OK);
    struct happening *reply = world_schedule(world, HAPPEN_REPLY, world->now + delay(world, to));
    reply->at = route->peer;
    reply->life = route->life;
    reply->token = route->token;
    happening_bytes(reply, buf_slice(&bytes));
    buf_fini(&bytes);
    free(route);
}

static void on_batch(struct world *world, struct sim_node *node, const struct happening *what)
{
    struct arena arena = {0};
    struct link_in in;
    enum status status = link_receive(&node->link, slice_of(what->bytes, what->len),
                                      world->now + node->skew, &arena, &in);
    if (status != ST_OK) {
        world_fail(world, "%s cannot read a batch: %s", node_name(node), status_text(status));
    } else {
        char url[WIRE_URL_BYTES_MAX + 1];
        strncpy(url, in.url ? in.url : "", sizeof url - 1);
        url[sizeof url - 1] = 0;
        if (in.reset) {
            world->counts.resets++;
            struct event reset = {.kind = EVENT_PEER_RESET, .peer = in.peer, .peer_url = url};
            node_event(world, node, &reset);
        }
        if (in.count) {
            struct event event = {.kind = EVENT_ENVELOPES,
                                  .peer = in.peer,
                                  .peer_url = url,
                                  .list = in.list,
                                  .count = in.count};
            node_event(world, node, &event);
        } else {
            /* A heartbeat may have something to be flushed behind it. */
            struct event tick = {.kind = EVENT_TICK};
            node_event(world, node, &tick);
        }
    }
    arena_fini(&arena);
}

static void on_request(struct world *world, struct sim_node *node, const struct happening *what)
{
    struct arena arena = {0};
    struct request request;
    CHECK(request_decode(slice_of(what->bytes, what->len), &arena, &request) == ST_OK);
    struct event event = {.kind = EVENT_REQUEST, .token = what->token, .request = &request};
    node_event(world, node, &event);
    arena_fini(&arena);
}

static void on_reply(struct world *world, struct sim_node *node, const struct happening *what)
{
    if (!map_remove(&node->asked, what->token)) return;
    struct arena arena = {0};
    struct reply reply = {.status = ST_UNAVAILABLE};
    if (what->len) CHECK(reply_decode(slice_of(what->bytes, what->len), &arena, &reply) == ST_OK);
    struct event event = {.kind = EVENT_REPLY, .token = what->token, .reply = &reply};
    node_event(world, node, &event);
    arena_fini(&arena);
}

void network_happening(struct world *world, struct sim_node *node, struct happening *what)
{
    switch (what->kind) {
    case HAPPEN_BATCH: on_batch(world, node, what); return;
    case HAPPEN_REQUEST: on_request(world, node, what); return;
    case HAPPEN_REPLY: on_reply(world, node, what); return;
    case HAPPEN_WAKE: return;
    default: CHECK(!"a happening without a handler");
    }
}
