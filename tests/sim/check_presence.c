/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 22: a room in which somebody is connected is not paused. And once nothing goes wrong any
 * more, who is in the room counts as connected there. Asked after each entry, and once a second.
 */
#include "room/state.h"
#include "sim/checks.h"
#include "sim/player.h"

enum { SETTLED_MS = 15 * 1000, KNOWN_MS = 3000 };

/* One that a gateway has closed is gone before its browser hears so. */
static bool is_open(const struct world *world, const struct player *player)
{
    return player->socket && map_get(&world->nodes[player->gateway].sockets, player->socket);
}

static void check_player(struct world *world, const struct shadow *shadow,
                         const struct player *player)
{
    if (!player->attached || player->seat < 0 || !is_open(world, player)) return;
    if (world->now < player->attached_at + KNOWN_MS) return;
    if (room_connected(shadow->room, player->seat)) return;
    world_fail(world, "%s sits in room %llx, which calls it away", player->name,
               (unsigned long long)shadow->id);
}

void check_presence(struct world *world, const struct shadow *shadow)
{
    if (shadow->room->phase == ROOM_PAUSED && room_count_connected(shadow->room) > 0)
        world_fail(world, "room %llx: is paused, and %d people are in it",
                   (unsigned long long)shadow->id, room_count_connected(shadow->room));
    if (world->now < world->config.calm_at + SETTLED_MS) return;
    for (int i = 0; i < world->player_count; i++)
        if (world->players[i].room == shadow->id) check_player(world, shadow, &world->players[i]);
}

void check_presence_of_all(struct world *world)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        const struct shadow *shadow = value;
        if (shadow->room) check_presence(world, shadow);
    }
}
