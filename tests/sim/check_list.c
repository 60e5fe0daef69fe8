/* SPDX-License-Identifier: Apache-2.0
 *
 * When nothing has gone wrong for a while, whoever looks at the list of public rooms sees each that
 * waits for people, and none else, within seconds of its change.
 */
#include "sim/checks.h"
#include "sim/player.h"

enum { LIST_MS = 5000, WELL_MS = 10 * 1000 };

static bool sees(const struct player *player, room_id room)
{
    for (int i = 0; i < player->list_count; i++)
        if (player->list[i] == room) return true;
    return false;
}

static bool nobody_is_in(const struct world *world, room_id room)
{
    for (int i = 0; i < world->player_count; i++)
        if (world->players[i].attached && world->players[i].room == room) return false;
    return true;
}

/* Whom the log calls connected may have gone with a gateway: an owner shows the room while it sees
 * somebody there, a new one too, or waits until it knows better. One without owner is
 * check_directory's. */
static bool unseen(const struct world *world, const struct shadow *shadow)
{
    return shadow->orphan_since || nobody_is_in(world, shadow->id) ||
           world->now <= shadow->epoch_at + WORKER_GATEWAY_GRACE_MS + LIST_MS;
}

void check_list_of(struct world *world, const struct player *player)
{
    if (!player->list_at || world_well_for(world) < WELL_MS) return;
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        const struct shadow *shadow = value;
        bool listed = shadow->listed && shadow->room;
        if (world->now <= shadow->listed_at + LIST_MS || sees(player, room) == listed) continue;
        if (listed && unseen(world, shadow)) continue;
        world_fail(world, "%s: room %llx is %son the list of public rooms", player->name,
                   (unsigned long long)room, listed ? "not " : "");
    }
}

void check_list(struct world *world)
{
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        if (player->looks && player->welcomed && world->now > player->list_at + LIST_MS)
            check_list_of(world, player);
    }
}
