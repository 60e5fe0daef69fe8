/* SPDX-License-Identifier: Apache-2.0
 *
 * Two seconds after the last fault, and from then on, everybody who is connected holds every
 * version of the room that is older than two seconds. A broken connection of the owner to the
 * store is a fault until there is another; so are matchmakers that were all killed, until one is
 * back and has listened for a lease, and a store that forgot, until owners had time to repair it.
 * In the end everybody is back in a seat as well.
 */
#include "sim/checks.h"
#include "sim/player.h"

enum {
    ON_ITS_WAY_MS = 2000,
    AWAKE_MS = 10 * 1000,
    LISTENS_MS = MATCHMAKER_LEASE_MS + MATCHMAKER_HEARTBEAT_MS
};

static bool behind(const struct world *world, const struct player *player,
                   const struct shadow *shadow)
{
    return world->now - shadow->moved_at > ON_ITS_WAY_MS &&
           player->version.seq != room_seq(shadow->room);
}

static void tell_behind(struct world *world, const struct player *player,
                        const struct shadow *shadow)
{
    world_fail(world, "%s holds version %llu of a room at %llu", player->name,
               (unsigned long long)player->version.seq, (unsigned long long)room_seq(shadow->room));
}

/* Long enough that it has heard what the store has accepted. */
static bool owner_hears(const struct world *world, const struct shadow *shadow)
{
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (!node->up || !id128_equal(node->instance, shadow->owner)) continue;
        return node->store.up && world->now > node->store.since + ON_ITS_WAY_MS;
    }
    return true;
}

static bool rooms_are_found(const struct world *world)
{
    if (world->now <= world->troubled_until + MATCHMAKER_REPAIR_MS + ON_ITS_WAY_MS) return false;
    for (int i = 0; i < world->node_count; i++) {
        const struct sim_node *node = &world->nodes[i];
        if (node->kind != SERVICE_MATCHMAKER || !node->up) continue;
        if (world->now > node->started_at + LISTENS_MS + ON_ITS_WAY_MS) return true;
    }
    return false;
}

void check_newest(struct world *world)
{
    if (!rooms_are_found(world)) return;
    if (world_well_for(world) < (world->day_at ? AWAKE_MS : ON_ITS_WAY_MS)) return;
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        const struct shadow *shadow = shadow_of(world, player->room);
        if (!player->attached || !shadow || !shadow->room || shadow->forgotten) continue;
        if (world->now <= player->attached_at + ON_ITS_WAY_MS) continue;
        if (world->now <= player->reads_until + ON_ITS_WAY_MS) continue;
        if (behind(world, player, shadow) && owner_hears(world, shadow))
            tell_behind(world, player, shadow);
    }
}

void check_reached_newest(struct world *world)
{
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        const struct shadow *shadow = shadow_of(world, player->room);
        if (player->looks) continue;
        if (!shadow || !shadow->room) {
            world_fail(world, "%s never came into a room", player->name);
            return;
        }
        if (!player->attached) {
            world_fail(world, "%s is not back in its seat", player->name);
            return;
        }
        if (behind(world, player, shadow)) tell_behind(world, player, shadow);
    }
}
