/* SPDX-License-Identifier: Apache-2.0
 *
 * How a process begins and ends. A node that is killed loses all its memory and starts again as
 * another instance at the same address.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"

enum { ROOMS_MAX = 1000, ADDED_BEFORE_MS = 40 * 1000 };

static const char *const kind_names[] = {[SERVICE_GATEWAY] = "gateway",
                                         [SERVICE_MATCHMAKER] = "matchmaker",
                                         [SERVICE_WORKER] = "worker",
                                         [SERVICE_TIMER] = "timer"};

void node_add(struct world *world, enum service_kind kind, int number)
{
    CHECK(world->node_count < SIM_NODES_MAX);
    struct sim_node *node = &world->nodes[world->node_count];
    *node = (struct sim_node){.kind = kind, .index = world->node_count++, .number = number};
    snprintf(node->inbox, sizeof node->inbox, "%s-%d", kind_names[kind], number);
    snprintf(node->control, sizeof node->control, "%s-%d/control", kind_names[kind], number);
}

void node_add_later(struct world *world)
{
    const struct sim_config *config = &world->config;
    node_add(world, SERVICE_WORKER, config->workers);
    instant_ms at = config->calm_at > ADDED_BEFORE_MS ? config->calm_at - ADDED_BEFORE_MS : 1000;
    world_schedule(world, HAPPEN_START, at)->at = world->node_count - 1;
    world->counts.workers_added++;
}

static uint32_t rooms_max(const struct world *world, const struct sim_node *node)
{
    bool added = node->number >= world->config.workers;
    return world->config.scenes.rooms_max && !added ? world->config.scenes.rooms_max : ROOMS_MAX;
}

/* ---- begins ---------------------------------------------------------------------------------- */

static void open_gateway(struct world *world, struct sim_node *node)
{
    struct gateway_config config = {.instance = node->instance,
                                    .inbox_url = node->inbox,
                                    .build = "sim",
                                    .keys = {{1, 2, 3}},
                                    .key_count = 1};
    config.traces = world->config.viewer >= 0;
    gateway_limits_default(&config.limits);
    for (int i = 0; i < world->config.matchmakers; i++)
        config.matchmakers[config.matchmaker_count++] = world->matchmaker_urls[i];
    node->core.gateway = gateway_core_open(&config, node_now(world, node));
}

static void open_worker(struct world *world, struct sim_node *node)
{
    struct worker_config config = {.instance = node->instance,
                                   .inbox_url = node->inbox,
                                   .control_url = node->control,
                                   .build = "sim",
                                   .shards = 1,
                                   .rooms_max = rooms_max(world, node),
                                   .grace_ms = SIM_GRACE_MS,
                                   .archive_s = 3600,
                                   .traces = world->config.viewer >= 0};
    for (int i = 0; i < world->config.matchmakers; i++)
        config.matchmakers[config.matchmaker_count++] = world->matchmaker_urls[i];
    config.plays = upgrade_plays(world, node, &config.play_count);
    node->core.worker = worker_core_open(&config);
}

static void open_matchmaker(struct world *world, struct sim_node *node)
{
    struct matchmaker_config config = {.instance = node->instance,
                                       .control_url = node->control,
                                       .build = "sim",
                                       .shard_count = 1,
                                       .peers = world->matchmaker_urls,
                                       .peer_count = world->config.matchmakers};
    node->core.matchmaker = matchmaker_core_open(&config, node_now(world, node));
}

static void open_timer(struct world *world, struct sim_node *node)
{
    struct timer_config config = {
        .instance = node->instance, .inbox_url = node->inbox, .build = "sim", .shard_count = 1};
    for (int i = 0; i < world->config.matchmakers; i++)
        config.matchmakers[config.matchmaker_count++] = world->matchmaker_urls[i];
    node->core.timer = timer_core_open(&config, node_now(world, node));
}

static void draw_drift(struct world *world, struct sim_node *node)
{
    uint32_t most = world->config.faults.drift_ppm;
    node->drift_ppm = most ? (int32_t)chance_below(world, 2 * most + 1) - (int32_t)most : 0;
}

void node_start(struct world *world, struct sim_node *node)
{
    node->up = true;
    node->life++;
    node->skew = chance_between(world, 1000, 100000000);
    draw_drift(world, node);
    node->frozen_until = 0;
    node->started_at = world->now;
    node->flush_queued = node->leaving = false;
    node->tick_at = 0;
    chance_bytes(world, node->instance.byte, sizeof node->instance.byte);
    link_init(&node->link, node->instance, node->inbox);
    switch (node->kind) {
    case SERVICE_GATEWAY: open_gateway(world, node); break;
    case SERVICE_MATCHMAKER: open_matchmaker(world, node); break;
    case SERVICE_WORKER: open_worker(world, node); break;
    case SERVICE_TIMER: open_timer(world, node); break;
    }
    world_trace(world, "%s: starts", node_name(node));
    storage_connect(world, node);
    struct event tick = {.kind = EVENT_TICK};
    node_event(world, node, &tick);
}

void node_close(struct sim_node *node)
{
    if (!node->up) return;
    node->up = false;
    switch (node->kind) {
    case SERVICE_GATEWAY: gateway_core_close(node->core.gateway); break;
    case SERVICE_MATCHMAKER: matchmaker_core_close(node->core.matchmaker); break;
    case SERVICE_WORKER: worker_core_close(node->core.worker); break;
    case SERVICE_TIMER: timer_core_close(node->core.timer); break;
    }
    storage_close(node);
    link_fini(&node->link);
    effects_fini(&node->out);
    node->out = (struct effects){0};
    map_fini(&node->asked);
    node->asked = (struct map){0};
    map_fini(&node->sockets);
    node->sockets = (struct map){0};
    node->watched_count = 0;
    told_forget(node);
    map_fini(&node->heard);
    node->heard = (struct map){0};
    map_fini(&node->attempts);
    node->attempts = (struct map){0};
    node->fresh_until = node->lease_tag = 0;
}

/* The kernel closes a dead process' pipes: its peers notice soon, and a watcher that redials is
 * refused. */
static void tell_death(struct world *world, const struct sim_node *dead)
{
    for (int i = 0; i < world->node_count; i++) {
        struct sim_node *other = &world->nodes[i];
        if (!other->up || other == dead) continue;
        struct happening *lost =
            world_schedule(world, HAPPEN_LINK_LOST, world->now + chance_between(world, 0, 20));
        lost->at = i;
        lost->life = other->life;
        lost->url = strdup(dead->inbox);
        for (int k = 0; k < other->watched_count; k++) {
            const char *url = other->watched[k];
            if (strcmp(url, dead->control) != 0 && strcmp(url, dead->inbox) != 0) continue;
            struct happening *gone =
                world_schedule(world, HAPPEN_GONE, world->now + chance_between(world, 1, 40));
            gone->at = i;
            gone->life = other->life;
            gone->url = strdup(url);
        }
    }
}

static void ends(struct world *world, struct sim_node *node, instant_ms low, instant_ms high)
{
    if (node->kind == SERVICE_GATEWAY) player_gateway_died(world, node);
    node_close(node);
    node->ended_at = world->now;
    loss_node_ended(world, node);
    tell_death(world, node);
    struct happening *start =
        world_schedule(world, HAPPEN_START, world->now + chance_between(world, low, high));
    start->at = node->index;
    start->life = node->life;
}

void node_crash(struct world *world, struct sim_node *node)
{
    world_trace(world, "%s: killed", node_name(node));
    world->counts.crashes++;
    if (node->kind == SERVICE_WORKER) world->counts.worker_crashes++;
    ends(world, node, 200, 4000);
}

void node_freeze(struct world *world, struct sim_node *node, instant_ms ms)
{
    world_trace(world, "%s: frozen for %llu ms", node_name(node), (unsigned long long)ms);
    if (node->frozen_until < world->now + ms) node->frozen_until = world->now + ms;
    node_troubled(world, node, node->frozen_until);
}

/* A service that has nothing to hand over ends at once, as its shell does. One that is frozen hears
 * of it when it wakes. */
void node_replace(struct world *world, struct sim_node *node)
{
    world_trace(world, "%s: is told to leave", node_name(node));
    node->leaving = true;
    if (world->now >= node->frozen_until) {
        node_hears_term(world, node);
        return;
    }
    struct happening *term = world_schedule(world, HAPPEN_TERM, node->frozen_until);
    term->at = node->index;
    term->life = node->life;
}

void node_hears_term(struct world *world, struct sim_node *node)
{
    node->told_to_leave_at = world->now;
    struct event drain = {.kind = EVENT_DRAIN};
    node_event(world, node, &drain);
}

void node_leave(struct world *world, struct sim_node *node)
{
    if (!node->leaving) return;
    world_trace(world, "%s: leaves", node_name(node));
    world->counts.replaced++;
    ends(world, node, 100, 1500);
}
