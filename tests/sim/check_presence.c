/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 22, once nothing goes wrong any more: who is in the room counts as connected there, and a
 * room in which somebody is does not stand still as if nobody were.
 */
#include "room/state.h"
#include "sim/player.h"

#include "sim/checks.h"

enum { SETTLED_MS = 15 * 1000, KNOWN_MS = 3000 };

void check_presence(struct world *world)
{
    if (world->now < world->config.calm_at + SETTLED_MS) return;
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        const struct shadow *shadow = shadow_of(world, player->room);
        if (!player->attached || player->seat < 0 || !shadow || !shadow->room) continue;
        if (world->now < player->attached_at + KNOWN_MS) continue;
        if (!room_connected(shadow->room, player->seat) || shadow->room->phase == ROOM_PAUSED)
            world_fail(world, "%s sits in room %llx, which %s", player->name,
                       (unsigned long long)player->room,
                       shadow->room->phase == ROOM_PAUSED ? "is paused" : "calls it away");
    }
}
