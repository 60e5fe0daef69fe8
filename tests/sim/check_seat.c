/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 11: a seat is given to the person whose it is, by the token that nobody else has.
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
    world_fail(world, "%s: is given seat %d, which is %s", player->name, player->seat,
               seat ? "another's" : "nobody's");
}
