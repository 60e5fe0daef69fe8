/* SPDX-License-Identifier: Apache-2.0
 *
 * Time. A run takes what will happen one after the other, until its end or until an invariant
 * breaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"

_Static_assert(offsetof(struct happening, queued) == 0, "what is queued is a happening");

static struct happening *happening_new(struct world *world)
{
    struct happening *happening = world->spare;
    if (happening)
        world->spare = (struct happening *)happening->queued.next;
    else
        happening = malloc(sizeof *happening);
    CHECK(happening);
    *happening = (struct happening){.at = 0};
    return happening;
}

struct happening *world_schedule(struct world *world, enum happening_kind kind, instant_ms at)
{
    struct happening *happening = happening_new(world);
    happening->kind = kind;
    happening->queued.node.key = world->next_key++;
    queue_put(&world->queue, &happening->queued, at > world->now ? at : world->now);
    return happening;
}

struct happening *world_put_off(struct world *world, struct happening *what, instant_ms at)
{
    struct happening *later = happening_new(world);
    *later = *what;
    later->queued = (struct queued){.node = {.key = what->queued.node.key}};
    what->url = NULL;
    what->bytes = NULL;
    what->op = NULL;
    what->reply = NULL;
    what->arena = (struct arena){0};
    queue_put(&world->queue, &later->queued, at);
    return later;
}

struct arena *happening_arena(struct world *world, struct happening *happening)
{
    CHECK(!happening->arena.first);
    if (world->arena_count) happening->arena = world->arenas[--world->arena_count];
    return &happening->arena;
}

static void keep_arena(struct world *world, struct arena *arena)
{
    if (!arena->first) return;
    if (world->arena_count == world->arena_room) {
        world->arena_room = world->arena_room ? 2 * world->arena_room : 64;
        world->arenas = realloc(world->arenas, world->arena_room * sizeof *world->arenas);
        CHECK(world->arenas);
    }
    arena_reset(arena);
    world->arenas[world->arena_count++] = *arena;
}

static void happening_free(struct world *world, struct happening *happening)
{
    free(happening->url);
    free(happening->bytes);
    free(happening->reply);
    keep_arena(world, &happening->arena);
    happening->queued.next = (struct queued *)world->spare;
    world->spare = happening;
}

static void close_queue(struct world *world)
{
    struct queued *queued;
    while ((queued = queue_take_any(&world->queue)))
        happening_free(world, (struct happening *)(void *)queued);
    queue_fini(&world->queue);
    while (world->spare) {
        struct happening *spare = world->spare;
        world->spare = (struct happening *)spare->queued.next;
        free(spare);
    }
    for (size_t i = 0; i < world->arena_count; i++) arena_fini(&world->arenas[i]);
    free(world->arenas);
    arena_fini(&world->scratch);
}

void happening_bytes(struct happening *happening, struct slice bytes)
{
    happening->bytes = malloc(bytes.len + 1);
    CHECK(happening->bytes);
    if (bytes.len) memcpy(happening->bytes, bytes.at, bytes.len);
    happening->len = bytes.len;
}

void world_trace_line(struct world *world, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(world->config.trace, "%9.3f  ", (double)world->now / 1000);
    vfprintf(world->config.trace, format, list);
    fputc('\n', world->config.trace);
    va_end(list);
}

void world_fail(struct world *world, const char *format, ...)
{
    if (world->failure) return;
    va_list list;
    va_start(list, format);
    CHECK(vasprintf(&world->failure, format, list) >= 0);
    va_end(list);
    world->failed_by = format;
}

bool world_calm(const struct world *world)
{
    return world->now >= world->config.calm_at;
}

struct world *sim_open(const struct sim_config *config)
{
    struct world *world = calloc(1, sizeof *world);
    CHECK(world);
    world->config = *config;
    world->next_socket = 1;
    world->puppets = world->changed = -1;
    world->next_key = 1;
    world->next_route = 1;
    chance_begin(world, ACTOR_SETTING, 0, 0);
    world->server.clock = 1700000000000 + chance_between(world, 0, 1000000);
    world->store = model_store_open(0, config->seed);
    for (int i = 0; i < config->matchmakers; i++) node_add(world, SERVICE_MATCHMAKER, i);
    for (int i = 0; i < config->timers; i++) node_add(world, SERVICE_TIMER, i);
    for (int i = 0; i < config->workers; i++) node_add(world, SERVICE_WORKER, i);
    for (int i = 0; i < config->gateways; i++) node_add(world, SERVICE_GATEWAY, i);
    for (int i = 0; i < config->matchmakers; i++)
        world->matchmaker_urls[i] = world->nodes[i].control;
    for (int i = 0; i < world->node_count; i++) node_start(world, &world->nodes[i]);
    if (config->scenes.rooms_max) node_add_later(world);
    night_start(world);
    players_open(world);
    faults_start(world);
    upgrade_start(world);
    world_schedule(world, HAPPEN_CHECK, 1000);
    world_schedule(world, HAPPEN_STORE_SYNC, 1000);
    return world;
}

/* One that goes on belongs to one world; CHECKs that fail meanwhile are its failure. */
static struct world *running;
static jmp_buf stopped;

/* In place of libs/base/check_os.c: an invariant of a core that breaks stops its process there, and
 * the run here. What the core holds is in no state to be freed. */
_Noreturn void check_failed(const char *condition, const char *file, int line)
{
    if (!running) {
        fprintf(stderr, "invariant broken: %s (%s:%d)\n", condition, file, line);
        abort();
    }
    world_fail(running, "invariant broken: %s (%s:%d)", condition, file, line);
    running->failed_by = condition;
    running->broken = true;
    longjmp(stopped, 1);
}

static enum actor actor_of(const struct happening *what)
{
    switch (what->kind) {
    case HAPPEN_PLAYER_FRAME:
    case HAPPEN_PLAYER_CLOSED:
    case HAPPEN_PLAYER_TURN: return ACTOR_PLAYER;
    case HAPPEN_FAULT: return ACTOR_FAULT;
    case HAPPEN_STORE_START:
    case HAPPEN_STORE_SYNC:
    case HAPPEN_REPLACE:
    case HAPPEN_UPGRADE:
    case HAPPEN_DAY:
    case HAPPEN_CHECK: return ACTOR_SETTING;
    default: return ACTOR_NODE;
    }
}

static void dispatch(struct world *world, struct happening *what)
{
    world->about = what->socket << 16 | (uint64_t)what->peer << 8 | (uint64_t)what->kind;
    chance_begin(world, actor_of(what), what->at, world->about);
    switch (what->kind) {
    case HAPPEN_PLAYER_FRAME:
    case HAPPEN_PLAYER_CLOSED:
    case HAPPEN_PLAYER_TURN: player_happening(world, what); return;
    case HAPPEN_FAULT: faults_happening(world, what); return;
    case HAPPEN_STORE_OP: storage_arrives(world, what); return;
    case HAPPEN_STORE_START:
    case HAPPEN_STORE_SYNC: store_happening(world, what); return;
    case HAPPEN_REPLACE: replace_happening(world, what); return;
    case HAPPEN_UPGRADE: upgrade_happening(world, what); return;
    case HAPPEN_DAY: night_happening(world, what); return;
    case HAPPEN_CHECK:
        checks_every_second(world);
        world_schedule(world, HAPPEN_CHECK, world->now + 1000);
        return;
    default: node_happening(world, what);
    }
}

static void check_also(struct world *world)
{
    const char *broken = world->config.also_check(world);
    if (!broken || world->failure) return;
    world_fail(world, "%s", broken);
    world->failed_by = broken;
}

static void run_until(struct world *world, instant_ms at)
{
    struct queued *queued;
    while (!world->failure && (queued = queue_take(&world->queue, at))) {
        struct happening *what = (struct happening *)(void *)queued;
        world->now = queued->node.at;
        arena_reset(&world->scratch);
        dispatch(world, what);
        happening_free(world, what);
        if (world->config.also_check) check_also(world);
    }
}

const char *sim_run_until(struct world *world, instant_ms at)
{
    running = world;
    if (!setjmp(stopped)) run_until(world, at);
    running = NULL;
    return world->failure;
}

const char *sim_run(struct world *world)
{
    sim_run_until(world, world->config.end_at);
    if (!world->failure) checks_at_the_end(world);
    return world->failure;
}

const struct sim_counts *sim_counts(const struct world *world)
{
    return &world->counts;
}

void sim_close(struct world *world)
{
    if (world->broken) {
        static struct world *broken_ones; /* not lost, says a search for leaks */
        world->next_broken = broken_ones;
        broken_ones = world;
        return;
    }
    close_queue(world);
    players_close(world);
    for (int i = 0; i < world->node_count; i++) node_close(&world->nodes[i]);
    shadows_close(world);
    check_once_forget(world);
    model_store_close(world->store);
    size_t cursor = 0;
    uint64_t key;
    void *slot;
    while (map_next(&world->routes, &cursor, &key, &slot)) free(slot);
    map_fini(&world->routes);
    fault_list_fini(&world->happened);
    free(world->begun.list);
    free(world->failure);
    free(world);
}
