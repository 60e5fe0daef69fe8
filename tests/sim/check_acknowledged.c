/* SPDX-License-Identifier: Apache-2.0
 *
 * Promise 2: what was acknowledged is in the log, at that moment and at the end. A seat's counter
 * rises by exactly one with each accepted action (shadow.c sees to that), so an action is in the
 * log once exactly when the counter has reached it.
 */
#include "room/state.h"
#include "sim/checks.h"
#include "sim/player.h"

static const struct room_seat *seat_of(const struct shadow *shadow, const struct player *player)
{
    for (int s = 0; shadow && shadow->room && s < shadow->room->seat_count; s++)
        if (shadow->room->seats[s].taken && id128_equal(shadow->room->seats[s].player, player->id))
            return &shadow->room->seats[s];
    return NULL;
}

void check_ack(struct world *world, struct player *player, const struct server_answer *answer)
{
    if (player->lossy) return;
    const struct room_seat *seat = seat_of(shadow_of(world, player->room), player);
    if (!seat || seat->counter >= answer->counter) return;
    world->counts.acts_lost++;
    world_fail(world, "%s: action %llu is acknowledged, the store has accepted up to %llu",
               player->name, (unsigned long long)answer->counter,
               (unsigned long long)seat->counter);
}

void check_acknowledged(struct world *world)
{
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        const struct room_seat *seat = seat_of(shadow_of(world, player->room), player);
        if (seat && seat->counter < player->acked) {
            world->counts.acts_lost += player->acked - seat->counter;
            world_fail(world, "%s: action %llu was acknowledged and is lost", player->name,
                       (unsigned long long)player->acked);
        }
        if (player->acked && !seat && player->seat >= 0 && player->attached)
            world_fail(world, "%s: acknowledged actions, and its seat is gone", player->name);
    }
}
