/* SPDX-License-Identifier: Apache-2.0
 *
 * When nothing has gone wrong for a while, every player is back in its seat and holds the newest
 * version of its room (a version that is on its way this very moment excepted).
 */
#include "sim/checks.h"
#include "sim/player.h"

enum { ON_ITS_WAY_MS = 2000 };

void check_reached_newest(struct world *world)
{
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        const struct shadow *shadow = shadow_of(world, player->room);
        if (!shadow || !shadow->room) {
            world_fail(world, "%s never came into a room", player->name);
            return;
        }
        if (!player->attached) {
            world_fail(world, "%s is not back in its seat", player->name);
            return;
        }
        if (world->now - shadow->moved_at > ON_ITS_WAY_MS &&
            player->version.seq != room_seq(shadow->room))
            world_fail(world, "%s holds version %llu of a room at %llu", player->name,
                       (unsigned long long)player->version.seq,
                       (unsigned long long)room_seq(shadow->room));
    }
}
