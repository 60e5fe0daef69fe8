/* SPDX-License-Identifier: Apache-2.0
 *
 * A service in the simulator: its core, its streams, and what its shell would do with effects. A
 * node that crashes loses all its memory and starts again as another instance at the same address.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"

enum { LAST_WORDS_MS = 50 };

const char *node_name(const struct sim_node *node)
{
    return node->inbox;
}

static instant_ms by_drift(const struct sim_node *node, instant_ms at)
{
    return (instant_ms)((int64_t)at * node->drift_ppm / 1000000);
}

static instant_ms clock_at(const struct sim_node *node, instant_ms at)
{
    return at + node->skew + by_drift(node, at);
}

instant_ms node_now(const struct world *world, const struct sim_node *node)
{
    return clock_at(node, world->now);
}

/* To the millisecond: a tick that came later would show what else happened in between. */
instant_ms node_when(const struct sim_node *node, instant_ms at)
{
    if (at <= clock_at(node, 0)) return 0;
    instant_ms when = at - node->skew;
    when -= by_drift(node, when);
    while (clock_at(node, when) < at) when++;
    while (when > 0 && clock_at(node, when - 1) >= at) when--;
    return when;
}

static instant_ms core_deadline(const struct sim_node *node)
{
    switch (node->kind) {
    case SERVICE_GATEWAY: return gateway_core_deadline(node->core.gateway);
    case SERVICE_MATCHMAKER: return matchmaker_core_deadline(node->core.matchmaker);
    case SERVICE_WORKER: return worker_core_deadline(node->core.worker);
    case SERVICE_TIMER: return timer_core_deadline(node->core.timer);
    }
    return INSTANT_NEVER;
}

static void core_step(struct sim_node *node, const struct event *event, instant_ms now)
{
    switch (node->kind) {
    case SERVICE_GATEWAY: gateway_core_step(node->core.gateway, event, now, &node->out); break;
    case SERVICE_MATCHMAKER:
        matchmaker_core_step(node->core.matchmaker, event, now, &node->out);
        break;
    case SERVICE_WORKER: worker_core_step(node->core.worker, event, now, &node->out); break;
    case SERVICE_TIMER: timer_core_step(node->core.timer, event, now, &node->out); break;
    }
}

static void queue_tick(struct world *world, struct sim_node *node)
{
    instant_ms core = core_deadline(node), link = link_deadline(&node->link);
    instant_ms next = core < link ? core : link;
    if (next == INSTANT_NEVER) return;
    instant_ms at = node_when(node, next);
    if (at <= world->now) at = world->now + 1;
    if (node->tick_at > world->now && node->tick_at <= at) return;
    node->tick_at = at;
    struct happening *tick = world_schedule(world, HAPPEN_TICK, at);
    tick->at = node->index;
    tick->life = node->life;
}

/* A core whose time has always come already would take all of a real processor. */
static void look_for_spinning(struct world *world, struct sim_node *node)
{
    bool due = core_deadline(node) <= node_now(world, node);
    node->overdue = due ? node->overdue + 1 : 0;
    if (node->overdue == SIM_OVERDUE_MAX)
        world_fail(world, "%s does not come to rest", node_name(node));
}

static void queue_flush(struct world *world, struct sim_node *node)
{
    if (node->flush_queued) return;
    node->flush_queued = true;
    struct happening *flush = world_schedule(world, HAPPEN_FLUSH, world->now);
    flush->at = node->index;
    flush->life = node->life;
}

static void watch(struct sim_node *node, const char *url)
{
    for (int i = 0; i < node->watched_count; i++)
        if (!strcmp(node->watched[i], url)) return;
    CHECK(node->watched_count < SIM_NODES_MAX);
    snprintf(node->watched[node->watched_count++], sizeof node->watched[0], "%s", url);
}

static void unwatch(struct sim_node *node, const char *url)
{
    for (int i = 0; i < node->watched_count; i++)
        if (!strcmp(node->watched[i], url)) {
            memmove(node->watched[i], node->watched[--node->watched_count],
                    sizeof node->watched[0]);
            return;
        }
}

/* All that a line of the log would be made of. */
static void put_note(struct world *world, const struct sim_node *node, const struct effect *effect)
{
    buf_put_u64(world->notes, world->now);
    buf_put_u64(world->notes, (uint64_t)node->index);
    buf_put_sized(world->notes, slice_text(effect->text));
    for (int i = 0; i < 3; i++) buf_put_u64(world->notes, effect->value[i]);
    if (world->config.also_note) buf_put_u64(world->notes, world->config.also_note(world));
}

static void note(struct world *world, struct sim_node *node, const struct effect *effect)
{
    if (world->notes) put_note(world, node, effect);
    if (!strcmp(effect->text, "room.set_aside") || !strcmp(effect->text, "room.unreadable"))
        world_fail(world, "%s: %s", node_name(node), effect->text);
    if (!strcmp(effect->text, "room.handed")) world->counts.handed += effect->value[2];
    if (!strcmp(effect->text, "owner.silent")) world->counts.unseen++;
    world_trace(world, "%s: %s %llu %llu %llu", node_name(node), effect->text,
                (unsigned long long)effect->value[0], (unsigned long long)effect->value[1],
                (unsigned long long)effect->value[2]);
}

/* What was sent before leaves first. */
static void exits(struct world *world, struct sim_node *node)
{
    struct happening *exit = world_schedule(world, HAPPEN_EXIT, world->now + LAST_WORDS_MS);
    exit->at = node->index;
    exit->life = node->life;
}

static void carry(struct world *world, struct sim_node *node, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_SEND:
        if (effect->envelope.kind == ENV_FIRE) world->counts.fires++;
        if (effect->envelope.kind == ENV_DROPPED &&
            effect->envelope.u.dropped.why == DROPPED_OTHER_WINDOW)
            world->counts.windows++;
        check_sent(world, node, &effect->envelope);
        link_send(&node->link, effect->url, effect->peer, &effect->envelope, node_now(world, node));
        return;
    case EFFECT_REQUEST: network_request(world, node, effect); return;
    case EFFECT_REPLY: network_answer(world, node, effect); return;
    case EFFECT_STORE: storage_op(world, node, &effect->op); return;
    case EFFECT_WATCH: watch(node, effect->url); return;
    case EFFECT_UNWATCH: unwatch(node, effect->url); return;
    case EFFECT_SOCKET_SEND: player_socket_sent(world, node, effect->socket, effect->frame); return;
    case EFFECT_SOCKET_CLOSE:
        world->counts.closed_slow += effect->close_code == GATEWAY_CLOSE_SLOW;
        player_socket_closed(world, node, effect->socket);
        return;
    case EFFECT_NOTE: note(world, node, effect); return;
    case EFFECT_EXIT: exits(world, node); return;
    }
}

void node_event(struct world *world, struct sim_node *node, struct event *event)
{
    struct chance others = chance_begin(world, ACTOR_NODE, node->index, world->about);
    world->counts.events++;
    chance_bytes(world, event->entropy, sizeof event->entropy);
    checks_event(world, node, event);
    core_step(node, event, node_now(world, node));
    for (size_t i = 0; i < node->out.count; i++) {
        checks_effect(world, node, event, &node->out.list[i]);
        carry(world, node, &node->out.list[i]);
    }
    if (node->kind == SERVICE_GATEWAY) check_floor_event(node, event);
    queue_flush(world, node);
    world->chance = others;
}

struct sim_node *node_by_inbox(struct world *world, const char *url)
{
    for (int i = 0; i < world->node_count; i++)
        if (!strcmp(world->nodes[i].inbox, url)) return &world->nodes[i];
    return NULL;
}

struct sim_node *node_by_control(struct world *world, const char *url)
{
    for (int i = 0; i < world->node_count; i++)
        if (!strcmp(world->nodes[i].control, url)) return &world->nodes[i];
    return NULL;
}

static void deliver_resets(struct world *world, struct sim_node *node)
{
    struct id128 instance;
    const char *url;
    while (link_reset_due(&node->link, &instance, &url)) {
        world->counts.resets++;
        char *copy = strdup(url);
        struct event reset = {.kind = EVENT_PEER_RESET, .peer = instance, .peer_url = copy};
        node_event(world, node, &reset);
        free(copy);
    }
}

static void on_socket(struct world *world, struct sim_node *node, struct happening *what)
{
    char address[32]; /* who share a room are at home together */
    snprintf(address, sizeof address, "10.0.0.%d", what->peer);
    struct event event = {.socket = what->socket, .address = address};
    event.frame = slice_of(what->bytes, what->len);
    switch (what->kind) {
    case HAPPEN_SOCKET_OPEN: event.kind = EVENT_SOCKET_OPEN; break;
    case HAPPEN_SOCKET_FRAME: event.kind = EVENT_SOCKET_FRAME; break;
    case HAPPEN_SOCKET_TAKEN:
        event.kind = EVENT_SOCKET_WRITABLE;
        event.sockets = &what->socket;
        event.count = 1;
        break;
    default: event.kind = EVENT_SOCKET_CLOSED;
    }
    bool known = map_get(&node->sockets, what->socket) != NULL;
    if (what->kind == HAPPEN_SOCKET_OPEN)
        map_put(&node->sockets, what->socket, node);
    else if (!known)
        return;
    if (what->kind == HAPPEN_SOCKET_CLOSED) map_remove(&node->sockets, what->socket);
    node_event(world, node, &event);
}

void node_happening(struct world *world, struct happening *what)
{
    struct sim_node *node = &world->nodes[what->at];
    if (what->life != node->life) return;
    if (what->kind == HAPPEN_START) {
        if (!node->up) node_start(world, node);
        return;
    }
    if (!node->up) return;
    if (world->now < node->frozen_until) { /* it sees everything when it wakes, in order */
        world_put_off(world, what, node->frozen_until);
        return;
    }
    switch (what->kind) {
    case HAPPEN_TICK: {
        node->tick_at = 0;
        struct event tick = {.kind = EVENT_TICK};
        node_event(world, node, &tick);
        break;
    }
    case HAPPEN_FLUSH:
        node->flush_queued = false;
        network_flush(world, node);
        deliver_resets(world, node);
        look_for_spinning(world, node);
        queue_tick(world, node);
        break;
    case HAPPEN_LINK_LOST:
        link_lost(&node->link, what->url);
        deliver_resets(world, node);
        break;
    case HAPPEN_GONE: {
        unwatch(node, what->url); /* the pipe is not kept any longer, as in libs/bus */
        struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = what->url};
        node_event(world, node, &gone);
        break;
    }
    case HAPPEN_KILL: node_crash(world, node); break;
    case HAPPEN_TERM: node_hears_term(world, node); break;
    case HAPPEN_EXIT: node_leave(world, node); break;
    case HAPPEN_STORE_REPLY:
    case HAPPEN_STORE_LOST:
    case HAPPEN_STORE_BACK: storage_happening(world, node, what); break;
    case HAPPEN_SOCKET_OPEN:
    case HAPPEN_SOCKET_FRAME:
    case HAPPEN_SOCKET_TAKEN:
    case HAPPEN_SOCKET_CLOSED: on_socket(world, node, what); break;
    default: network_happening(world, node, what);
    }
}
