/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, and what is on its way.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "scale/scale.h"

instant_ms scale_now(const struct scale_world *world)
{
    return world->queue.now;
}

uint64_t scale_draw(struct scale_world *world)
{
    return hash_mix64(world->config.seed + 0x9e3779b97f4a7c15u * ++world->draws);
}

struct scale_message *scale_send(struct scale_world *world, enum scale_event kind,
                                 instant_ms after_ms)
{
    struct scale_message *message = calloc(1, sizeof *message);
    CHECK(message);
    message->kind = kind;
    message->queued.node.key = ++world->scheduled;
    queue_put(&world->queue, &message->queued, world->queue.now + after_ms);
    return message;
}

static void forget(struct scale_message *message)
{
    buf_fini(&message->bytes);
    arena_fini(&message->arena);
    free(message);
}

struct scale_world *scale_open(const struct scale_config *config)
{
    struct scale_world *world = calloc(1, sizeof *world);
    CHECK(world);
    CHECK(config->shards <= SCALE_SHARDS_MAX && config->matchmakers <= SCALE_MATCHMAKERS_MAX);
    world->config = *config;
    world->queue.now = 1000 * 1000;
    world->nodes = calloc(SCALE_NODES_MAX, sizeof *world->nodes);
    CHECK(world->nodes);
    for (int s = 0; s < config->shards; s++) world->stores[s] = model_store_open(s, 1);
    for (int i = 0; i < config->matchmakers; i++) node_open(world, SERVICE_MATCHMAKER);
    for (int i = 0; i < config->workers; i++) node_open(world, SERVICE_WORKER);
    scale_send(world, SCALE_SLOT, SCALE_SLOT_MS);
    return world;
}

static void free_all(struct map *map)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (map_next(map, &cursor, &key, &value)) free(value);
    map_fini(map);
}

void scale_close(struct scale_world *world)
{
    struct queued *item;
    while ((item = queue_take_any(&world->queue))) forget((struct scale_message *)(void *)item);
    queue_fini(&world->queue);
    for (int i = 0; i < world->node_count; i++) node_close(&world->nodes[i]);
    free(world->nodes);
    for (int s = 0; s < world->config.shards; s++) model_store_close(world->stores[s]);
    free_all(&world->routes);
    free_all(&world->rooms);
    free_all(&world->tickets);
    map128_fini(&world->by_instance);
    heap_fini(&world->deadlines);
    free(world->by_age.list);
    arena_fini(&world->scratch);
    buf_fini(&world->bytes);
    free(world);
}

static void happen(struct scale_world *world, struct scale_message *message)
{
    switch (message->kind) {
    case SCALE_SLOT: crowd_slot(world); return;
    case SCALE_ASK: crowd_ask(world, message->token); return;
    case SCALE_HEARD: crowd_heard(world, message); return;
    default: node_message(world, message);
    }
}

void scale_run(struct scale_world *world, instant_ms ms)
{
    instant_ms until = world->queue.now + ms;
    struct queued *item;
    while ((item = queue_take(&world->queue, until))) {
        struct scale_message *message = (struct scale_message *)(void *)item;
        arena_reset(&world->scratch);
        happen(world, message);
        forget(message);
    }
}
