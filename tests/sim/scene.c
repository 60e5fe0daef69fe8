/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/scene.h"

#include <stdlib.h>

#include "base/check.h"

enum { STEP_MS = 200, START_MS = 60 * 1000 };

struct sim_config scene_config(uint64_t seed)
{
    struct sim_config config;
    sim_config_draw(&config, seed);
    config.gateways = config.matchmakers = config.timers = 1;
    config.workers = 3;
    config.rooms = 1;
    config.players_per_room = 3;
    config.first_game = (int)(seed % (uint64_t)game_count());
    config.strangers = 0;
    config.newer = false;
    config.viewer = -1;
    config.scenes = (struct sim_scenes){.open = false};
    config.faults = (struct sim_faults){.delay_max_ms = 5, .aof = SIM_AOF_EVERYSEC};
    config.calm_at = 0;
    config.end_at = INSTANT_NEVER;
    return config;
}

void scene_run(struct world *world, instant_ms ms)
{
    instant_ms until = world->now + ms;
    const char *failure = sim_run_until(world, until);
    if (failure) {
        fprintf(stderr, "%s\n", failure);
        sim_close(world);
        fail();
    }
    world->now = until;
}

struct world *scene_open(const struct sim_config *config)
{
    struct world *world = sim_open(config);
    const struct shadow *shadow = NULL;
    for (int waited = 0; !shadow || !shadow->room || !room_playing(shadow->room);
         waited += STEP_MS) {
        assert_true(waited < START_MS);
        scene_run(world, STEP_MS);
        shadow = scene_room(world);
    }
    return world;
}

void scene_hold_still(struct world *world)
{
    world->puppets = 0; /* the only group there is */
}

void scene_close(struct world *world, instant_ms rest_ms)
{
    world->config.end_at = world->now + rest_ms;
    const char *failure = sim_run(world);
    if (failure) fprintf(stderr, "%s\n", failure);
    bool good = failure == NULL;
    sim_close(world);
    assert_true(good);
}

struct shadow *scene_room(struct world *world)
{
    size_t count;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    room_id room = count ? rooms[0] : 0;
    free(rooms);
    return room ? shadow_of(world, room) : NULL;
}

struct sim_node *scene_owner(struct world *world)
{
    struct id128 owner = scene_room(world)->owner;
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && id128_equal(world->nodes[i].instance, owner))
            return &world->nodes[i];
    fail_msg("nobody owns the room");
    return NULL;
}

struct sim_node *scene_node(struct world *world, enum service_kind kind, int number)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].kind == kind && world->nodes[i].number == number)
            return &world->nodes[i];
    CHECK(!"a node of the scene");
    return NULL;
}

void scene_kill(struct world *world, struct sim_node *node)
{
    node_crash(world, node);
    node->life++; /* its start is another life's */
}

void scene_cut(struct world *world, const struct sim_node *from, enum service_kind to,
               instant_ms ms)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].kind == to)
            world->cuts[from->index][i] = (struct sim_cut){world->now + ms, false};
}

void scene_cut_off(struct world *world, const struct sim_node *node, instant_ms ms)
{
    for (int i = 0; i < world->node_count; i++) {
        if (i == node->index) continue;
        world->cuts[node->index][i] = (struct sim_cut){world->now + ms, false};
        world->cuts[i][node->index] = (struct sim_cut){world->now + ms, false};
    }
}
