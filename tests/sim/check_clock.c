/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 20: the clock comes first. No input is stamped at or after a deadline that the room has not
 * yet applied, and the clock is stamped with that deadline however late its timer was. (One that is
 * set into the past, as a host's who was away long before anybody else came, is due at once.)
 */
#include "sim/checks.h"

void check_clock(struct world *world, const struct shadow *shadow, struct slice entry)
{
    struct room_entry_head head;
    if (room_entry_head(entry, &head) != ST_OK) return; /* the replay tells */
    instant_ms due = room_deadline(shadow->room, NULL), now = room_time(shadow->room);
    instant_ms first = due > now ? due : now;
    if (head.kind == ROOM_CLOCK ? head.at == first && due != INSTANT_NEVER : head.at < due) return;
    world_fail(world, "room %llx: entry %llu is of %llu, the deadline was at %llu",
               (unsigned long long)shadow->id, (unsigned long long)head.position,
               (unsigned long long)head.at, (unsigned long long)due);
}
