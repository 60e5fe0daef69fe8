/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches and control requests on their way between nodes. Batches keep their order between two
 * nodes as a pipe does, but for those that a newer pipe overtakes; requests and answers keep none.
 * A lost one is simply gone (a pipe that broke), a doubled one comes again later.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/world.h"

enum { OVERTAKEN_MAX_MS = 400 };

static instant_ms delay(struct world *world, const struct sim_node *to)
{
    const struct sim_faults *faults = &world->config.faults;
    if (fault_strikes(world, FAULT_SLOW, faults->slow_ppm, node_name(to))) return faults->slow_ms;
    return chance_between(world, faults->delay_min_ms, faults->delay_max_ms);
}

static bool speaks_later(const struct world *world, const struct sim_node *from,
                         const struct sim_node *to)
{
    return newer_speaks(world, from) && !newer_speaks(world, to);
}

/* False: it is lost. Else *at is when it arrives, at the earliest. */
static bool arrives(struct world *world, const struct sim_node *from, const struct sim_node *to,
                    instant_ms *at)
{
    const struct sim_cut *cut = cut_between(world, from, to);
    *at = world->now + delay(world, to);
    if (cut && cut->keeps) {
        world->counts.kept_back++;
        if (*at < cut->until) *at = cut->until;
        return true;
    }
    uint32_t loss_ppm = world->config.faults.loss_ppm;
    if (!cut && !fault_strikes(world, FAULT_LOSS, loss_ppm, node_name(to))) return true;
    world->counts.lost++;
    return false;
}

static void send_batch(struct world *world, struct sim_node *from, struct sim_node *to,
                       struct slice bytes, instant_ms at)
{
    struct happening *batch = world_schedule(world, HAPPEN_BATCH, at);
    batch->at = to->index;
    batch->peer = from->index;
    batch->life = to->life;
    batch->later = speaks_later(world, from, to);
    happening_bytes(batch, bytes);
}

/* In its order, or late, as what an older pipe still held when a newer one was used already. */
static instant_ms in_order(struct world *world, struct sim_node *node, const struct sim_node *to,
                           instant_ms at)
{
    instant_ms *last = &node->last_arrival[to->index];
    instant_ms *overtaken_until = &node->overtaken_until[to->index];
    if (at < *last) at = *last;
    uint32_t ppm = world->config.faults.overtake_ppm;
    if (fault_strikes(world, FAULT_OVERTAKE, ppm, node_name(to))) {
        *overtaken_until = at + delay(world, to) + chance_between(world, 1, OVERTAKEN_MAX_MS);
        return *overtaken_until;
    }
    *last = at;
    if (at < *overtaken_until) {
        world->counts.overtaken++;
        *overtaken_until = 0;
    }
    return at;
}

static void toward(struct world *world, const struct sim_node *from, const struct sim_node *to)
{
    chance_begin(world, ACTOR_NODE, from->index, (uint64_t)to->index << 8 | ABOUT_TOWARD);
}

static void send_all(struct world *world, struct sim_node *node, struct sim_node *to,
                     struct slice bytes)
{
    instant_ms at;
    if (!arrives(world, node, to, &at)) return;
    at = in_order(world, node, to, at);
    send_batch(world, node, to, bytes, at);
    if (!fault_strikes(world, FAULT_TWICE, world->config.faults.twice_ppm, node_name(to))) return;
    send_batch(world, node, to, bytes, at + delay(world, to));
}

void network_flush(struct world *world, struct sim_node *node)
{
    struct link_out out;
    while (link_flush(&node->link, node_now(world, node), &out)) {
        struct sim_node *to = node_by_inbox(world, out.url);
        if (!to || !to->up) continue;
        toward(world, node, to);
        if (speaks_later(world, node, to)) {
            struct buf bytes = {0};
            newer_batch(world, out.bytes, &bytes);
            send_all(world, node, to, buf_slice(&bytes));
            buf_fini(&bytes);
        } else {
            send_all(world, node, to, out.bytes);
        }
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

static void deliver_request(struct world *world, struct sim_node *node, struct sim_node *to,
                            uint64_t token, struct slice bytes)
{
    instant_ms at;
    if (!arrives(world, node, to, &at)) return;
    struct happening *request = world_schedule(world, HAPPEN_REQUEST, at);
    request->at = to->index;
    request->peer = node->index;
    request->life = to->life;
    struct route *route = malloc(sizeof *route);
    CHECK(route);
    *route = (struct route){node->index, node->life, token};
    request->token = world->next_route++;
    map_put(&world->routes, request->token, route);
    struct buf strange = {0};
    request->later = speaks_later(world, node, to);
    if (request->later) newer_request(world, bytes, &strange);
    happening_bytes(request, request->later ? buf_slice(&strange) : bytes);
    buf_fini(&strange);
}

static struct sim_node *receiver(struct world *world, const struct effect *effect)
{
    return effect->url ? node_by_control(world, effect->url) : any_matchmaker(world);
}

/* What goes on all the time is not told. */
static bool told(enum request_kind kind)
{
    return kind != REQ_HEARTBEAT && kind != REQ_TICKET;
}

/* nng sends a request again when no answer came for a while: to another replica, if there is one.
 * The first answer counts. */
static void send_request(struct world *world, struct sim_node *node, const struct effect *effect,
                         struct slice bytes)
{
    struct sim_node *to = receiver(world, effect);
    if (told(effect->request.kind))
        world_trace(world, "%s: asks %s: request %d", node_name(node),
                    to ? node_name(to) : "nobody", (int)effect->request.kind);
    if (to) toward(world, node, to);
    if (to && to->up) deliver_request(world, node, to, effect->token, bytes);
    uint32_t ppm = world->config.faults.twice_ppm;
    if (!to || !fault_strikes(world, FAULT_TWICE, ppm, node_name(to))) return;
    to = receiver(world, effect);
    if (!to || !to->up) return;
    deliver_request(world, node, to, effect->token, bytes);
}

void network_request(struct world *world, struct sim_node *node, const struct effect *effect)
{
    struct buf bytes = {0};
    CHECK(request_encode(&effect->request, &bytes) == ST_OK);
    map_put(&node->asked, effect->token, node);
    struct chance others = world->chance;
    send_request(world, node, effect, buf_slice(&bytes));
    world->chance = others;
    struct happening *silence =
        world_schedule(world, HAPPEN_REPLY, world->now + effect->timeout_ms);
    silence->at = node->index;
    silence->life = node->life;
    silence->token = effect->token;
    buf_fini(&bytes);
}

static void send_reply(struct world *world, const struct sim_node *node, const struct route *route,
                       const struct reply *reply)
{
    instant_ms at;
    const struct sim_node *to = &world->nodes[route->peer];
    if (!arrives(world, node, to, &at)) return;
    struct buf bytes = {0}, strange = {0};
    CHECK(reply_encode(reply, &bytes) == ST_OK);
    bool later = speaks_later(world, node, to);
    if (later) newer_reply(world, buf_slice(&bytes), &strange);
    struct happening *arrival = world_schedule(world, HAPPEN_REPLY, at);
    arrival->at = route->peer;
    arrival->life = route->life;
    arrival->token = route->token;
    happening_bytes(arrival, buf_slice(later ? &strange : &bytes));
    buf_fini(&bytes);
    buf_fini(&strange);
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
    struct chance others = world->chance;
    toward(world, node, &world->nodes[route->peer]);
    send_reply(world, node, route, &effect->reply);
    world->chance = others;
    free(route);
}

static void on_batch(struct world *world, struct sim_node *node, const struct happening *what)
{
    struct link_in in;
    enum status status = link_receive(&node->link, slice_of(what->bytes, what->len),
                                      node_now(world, node), &world->scratch, &in);
    if (status != ST_OK && what->later) {
        world->counts.unknown_kinds++; /* refused as a whole: a gap, which is noticed */
    } else if (status != ST_OK) {
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
}

static void on_request(struct world *world, struct sim_node *node, const struct happening *what)
{
    struct request request;
    if (request_decode(slice_of(what->bytes, what->len), &world->scratch, &request) == ST_OK) {
        struct event event = {.kind = EVENT_REQUEST, .token = what->token, .request = &request};
        node_event(world, node, &event);
    } else if (what->later) {
        world->counts.unknown_kinds++; /* and no answer */
        free(map_remove(&world->routes, what->token));
    } else {
        world_fail(world, "%s cannot read a request", node_name(node));
    }
}

static void on_reply(struct world *world, struct sim_node *node, const struct happening *what)
{
    if (!map_remove(&node->asked, what->token)) return;
    struct reply reply = {.status = ST_UNAVAILABLE};
    if (what->len)
        CHECK(reply_decode(slice_of(what->bytes, what->len), &world->scratch, &reply) == ST_OK);
    struct event event = {.kind = EVENT_REPLY, .token = what->token, .reply = &reply};
    node_event(world, node, &event);
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
