/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody who looks at the list of public rooms and enters none.
 */
#include "sim/checks.h"
#include "sim/player.h"

void player_looks(struct world *world, struct player *player)
{
    if (player->asked_at) return; /* since this connection was opened */
    struct client_frame frame = {.kind = CLIENT_WATCH_ROOMS};
    frame.u.watch = true;
    player->asked_at = world->now;
    player_send(world, player, &frame);
}

static uint32_t not_in(const room_id *list, int count, const room_id *other, int other_count)
{
    uint32_t missing = 0;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < other_count && other[at] != list[i]) at++;
        missing += at == other_count;
    }
    return missing;
}

void player_on_list(struct world *world, struct player *player, const struct server_rooms *rooms)
{
    room_id list[WIRE_PUBLIC_MAX];
    int count = 0;
    for (int i = 0; i < rooms->count && i < WIRE_PUBLIC_MAX; i++) {
        const struct shadow *shadow = shadow_by_code(world, rooms->list[i].code);
        if (shadow)
            list[count++] = shadow->id;
        else
            world_fail(world, "%s: sees a room %s that never was", player->name,
                       rooms->list[i].code);
    }
    world->counts.listed += not_in(list, count, player->list, player->list_count);
    world->counts.unlisted += not_in(player->list, player->list_count, list, count);
    memcpy(player->list, list, sizeof list);
    player->list_count = count;
    player->list_at = world->now;
    check_list_of(world, player);
}
