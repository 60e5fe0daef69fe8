/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 11: a seat is given to the person whose it is, by the token that nobody else has; nobody has
 * two; and who was told to be shut out of a room neither sits nor watches there.
 */
#include "room/state.h"
#include "sim/checks.h"
#include "sim/player.h"

void check_seat(struct world *world, const struct player *player)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (player->seat < 0 || !shadow || !shadow->room || shadow->forgotten) return;
    const struct room_seat *seat = room_seat_at(shadow->room, player->seat);
    if (seat && id128_equal(seat->player, player->id)) return;
    /* It was shut out when this was on its way, and has not heard so yet. */
    if (!player->shut_out && room_is_kicked(shadow->room, player->id)) return;
    world_fail(world, "%s: is given seat %d, which is %s", player->name, player->seat,
               seat ? "another's" : "nobody's");
}

/* Who was shut out of a game leaves a seat that is nobody's; there may be several. */
static bool is_somebodys(const struct room_seat *seat)
{
    return seat->taken && !id128_is_zero(seat->player);
}

void check_seats(struct world *world, const struct shadow *shadow, enum room_input_kind kind)
{
    const struct room *room = shadow->room;
    if (kind != ROOM_ATTACH && kind != ROOM_COMMAND) return; /* nobody sits down */
    for (int a = 0; a < room->seat_count; a++)
        for (int b = a + 1; b < room->seat_count && is_somebodys(&room->seats[a]); b++)
            if (room->seats[b].taken && id128_equal(room->seats[a].player, room->seats[b].player))
                world_fail(world, "room %llx: seats %d and %d are one person's",
                           (unsigned long long)shadow->id, a, b);
}

void check_shut_out(struct world *world, const struct player *player)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (!player->shut_out || player->room != player->shut_out || !shadow) return;
    if (shadow->forgotten || shadow->lost_epoch != player->shut_out_lost) return;
    world_fail(world, "%s: was shut out of room %llx, and is there", player->name,
               (unsigned long long)shadow->id);
}
