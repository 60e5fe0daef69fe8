/* SPDX-License-Identifier: Apache-2.0
 *
 * A room that nobody is in is put away in its time, and then nobody owns it; one that was fetched
 * for nothing is put away again. What was deleted does not come back.
 */
#include <stdlib.h>

#include "room/state.h"
#include "sim/checks.h"
#include "worker/worker_core.h"

enum { WELL_MS = 10 * 1000, SLACK_MS = 10 * 1000 };

static instant_ms later(instant_ms a, instant_ms b)
{
    return a > b ? a : b;
}

static void check_one(struct world *world, const struct shadow *shadow)
{
    const struct room *room = shadow->room;
    bool runs = room->phase == ROOM_PLAYING || room->phase == ROOM_PAUSED;
    if (runs || room_count_connected(room) > 0 || room->deleted) return;
    instant_ms from = later(shadow->moved_at, world->config.calm_at);
    instant_ms rest = ROOM_IDLE_MS + shadow_time_missing(world, shadow);
    if (!room->put_away && world->now > from + rest + SLACK_MS)
        world_fail(world, "room %llx: nobody has been there for %llu ms, and it is not put away",
                   (unsigned long long)shadow->id, (unsigned long long)(world->now - from));
    bool fetched = shadow->epoch_at > shadow->moved_at;
    if (fetched) from = later(shadow->epoch_at, from) + WORKER_VISIT_MS;
    if (room->put_away && !id128_is_zero(shadow->owner) && world->now > from + SLACK_MS)
        world_fail(world, "room %llx: is put away, and still somebody's",
                   (unsigned long long)shadow->id);
}

void check_rest(struct world *world)
{
    if (world_well_for(world) < WELL_MS) return;
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct shadow *shadow = shadow_of(world, rooms[i]);
        if (shadow->room && !shadow->forgotten) check_one(world, shadow);
    }
    free(rooms);
}
