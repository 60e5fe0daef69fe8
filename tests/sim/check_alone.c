/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 22: a game that nobody has been connected to for the grace does not go on. (Number baseball
 * has a rule of its own.) Asked of each entry, before it is replayed and after.
 */
#include "room/state.h"
#include "sim/checks.h"

void check_alone(struct world *world, const struct shadow *shadow, struct slice entry)
{
    struct room_entry_head head;
    const struct room *room = shadow->room;
    if (room_entry_head(entry, &head) != ST_OK) return; /* the replay tells */
    if (!shadow->alone || room->phase != ROOM_PLAYING || room->game->minds_absence) return;
    if (head.at <= shadow->alone_since + ROOM_GRACE_MS) return;
    world_fail(world, "room %llx: entry %llu is of %llu, nobody is connected since %llu",
               (unsigned long long)shadow->id, (unsigned long long)head.position,
               (unsigned long long)head.at, (unsigned long long)shadow->alone_since);
}

void check_alone_after(struct shadow *shadow)
{
    bool alone = room_count_connected(shadow->room) == 0;
    if (alone && !shadow->alone) shadow->alone_since = room_time(shadow->room);
    shadow->alone = alone;
}
