/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 20: the clock comes first. No input is stamped at or after a deadline that the room has not
 * yet applied, so what happens never depends on how late a timer was. (Not asked while binaries with
 * other rules are about, upgrade.c: the shadow is of one binary.)
 */
#include "sim/checks.h"

void check_clock(struct world *world, const struct shadow *shadow, struct slice entry)
{
    struct room_entry_head head;
    if (world->config.upgrade_at) return;
    if (room_entry_head(entry, &head) != ST_OK) return; /* the replay tells */
    instant_ms due = room_deadline(shadow->room, NULL);
    if (head.kind == ROOM_CLOCK ? head.at == due : head.at < due) return;
    world_fail(world, "room %llx: entry %llu is of %llu, the deadline was at %llu",
               (unsigned long long)shadow->id, (unsigned long long)head.position,
               (unsigned long long)head.at, (unsigned long long)due);
}
