/* SPDX-License-Identifier: Apache-2.0
 *
 * Everybody goes to bed: no room has a visitor any more, and all are put away. Some people rise
 * early and find theirs as it was. Then a day passes at once, as if all machines had been suspended
 * for so long, and Redis with them: the rooms of those who are still asleep are over.
 */
#include "sim/checks.h"
#include "sim/player.h"

enum {
    EARLY_MS = 12 * 60 * 1000,
    LATE_MS = EARLY_MS + 90 * 1000,
    DAY_MS = 24 * 3600 * 1000,
};

void night_start(struct world *world)
{
    if (world->config.scenes.night_at)
        world_schedule(world, HAPPEN_DAY, world->config.scenes.night_at + LATE_MS);
}

instant_ms night_asleep_until(const struct world *world, const struct player *player)
{
    instant_ms from = world->config.scenes.night_at;
    if (!from || world->now < from || player->looks) return 0;
    bool early = player->stranger || player->alone || player->group % 2 == 0;
    instant_ms until = from + (early ? EARLY_MS : LATE_MS);
    return world->now < until ? until : 0;
}

void night_happening(struct world *world, struct happening *what)
{
    (void)what;
    world_trace(world, "all: a day passes");
    world->day_at = world->now;
    world->server.clock += DAY_MS;
    world->troubled_until = world->now;
    for (int i = 0; i < world->node_count; i++) {
        world->nodes[i].skew += DAY_MS;
        node_troubled(world, &world->nodes[i], world->now);
    }
    /* A timer that is there at once would be faster than any visitor. */
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].kind == SERVICE_TIMER && world->nodes[i].up)
            node_crash(world, &world->nodes[i]);
}

bool night_passed_since(const struct world *world, instant_ms at)
{
    return world->day_at && world->day_at >= at;
}

static instant_ms later(instant_ms a, instant_ms b)
{
    return a > b ? a : b;
}

/* What was killed or told to leave before the calm ends and comes back after it, and so does a
 * store. */
instant_ms world_well_for(const struct world *world)
{
    if (world->server.down) return 0;
    instant_ms from = later(world->config.calm_at, later(world->day_at, world->serves_from));
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (node->up && node->leaving) return 0;
        from = later(from, node->up ? node->started_at : node->ended_at);
    }
    return world->now > from ? world->now - from : 0;
}
