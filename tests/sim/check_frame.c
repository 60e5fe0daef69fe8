/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises 2 and 4 on what a player holds: it is of a state that the store has accepted, and what
 * was folded from deltas is byte for byte what the room writes for that seat at that version, so
 * nothing of another seat's part is in it.
 */
#include "sim/checks.h"
#include "sim/digest.h"
#include "sim/player.h"

static void compare(struct world *world, const struct player *player, const char *what,
                    const struct buf *have, struct id128 want)
{
    if (id128_equal(digest(buf_slice(have)), want)) return;
    world_fail(world, "%s: the %s at version %llu is not what the room writes for seat %d",
               player->name, what, (unsigned long long)player->version.seq, player->seat);
}

void check_frame(struct world *world, struct player *player, const struct server_room *frame)
{
    /* Whose game is changed behind the room's back holds an older part until the next one. */
    if (player->group == world->changed) return;
    struct shadow *shadow = shadow_of(world, player->room);
    if (shadow && frame->version.epoch <= shadow->lost_epoch) return;
    if (shadow && shadow->deleted) return; /* it was on its way */
    if (!shadow || !shadow->room) {
        world_fail(world, "%s: a frame of a room that the store does not have", player->name);
        return;
    }
    if (frame->version.seq > room_seq(shadow->room)) {
        world_fail(world, "%s: saw version %llu, the store has accepted %llu", player->name,
                   (unsigned long long)frame->version.seq,
                   (unsigned long long)room_seq(shadow->room));
        return;
    }
    if (frame->version.epoch > shadow->highest)
        world_fail(world, "%s: a frame of an epoch that was never given", player->name);
    const struct shadow_seq *then = &shadow->seqs[frame->version.seq % SIM_SEQS];
    if (then->seq != frame->version.seq) return; /* too long ago */
    compare(world, player, "room", &player->sections[0], then->view);
    compare(world, player, "game", &player->sections[2], then->game);
    struct id128 mine = digest((struct slice){0});
    if (player->seat >= 0) {
        bool former = id128_equal(digest(buf_slice(&player->sections[3])), then->was[player->seat]);
        mine = former ? then->was[player->seat] : then->mine[player->seat];
    }
    compare(world, player, "own part", &player->sections[3], mine);
}
