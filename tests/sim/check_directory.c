/* SPDX-License-Identifier: Apache-2.0
 *
 * The directory is the store's: which room a code stands for, what is said of it there, and who
 * owns it. When nothing has gone wrong for 30 s, no room lacks its entry and no entry its room, it
 * says of the room what that is, and an owner that is named lives or died a moment ago; whether or
 * not anybody is there who would miss it.
 */
#include "room/room.h"
#include "sim/checks.h"
#include "worker/parts.h"

enum { AGREES_MS = 30 * 1000, NEWS_MS = 2000, FOUND_MS = 20 * 1000 };

static const struct sim_node *living(const struct world *world, struct id128 instance)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && id128_equal(world->nodes[i].instance, instance))
            return &world->nodes[i];
    return NULL;
}

static void look_for_owner(const struct world *world, struct shadow *shadow)
{
    const struct sim_node *owner = living(world, shadow->owner);
    bool has = owner && map_get(&owner->core.worker->rooms, shadow->id);
    if (has || id128_is_zero(shadow->owner))
        shadow->orphan_since = 0;
    else if (!shadow->orphan_since)
        shadow->orphan_since = world->now;
}

static bool alike(const struct room_summary *told, const struct room_summary *is)
{
    return !strcmp(told->code, is->code) && !strcmp(told->game, is->game) &&
           !strcmp(told->host, is->host) && told->seated == is->seated &&
           told->seats == is->seats && told->playing == is->playing &&
           told->rules_version == is->rules_version;
}

static void check_room(struct world *world, const struct shadow *shadow)
{
    struct model_named named;
    struct room_summary told, is;
    instant_ms since = world->now - shadow->moved_at;
    if (!model_store_code(world->store, shadow->id, &named) || named.room != shadow->id) {
        world_fail(world, "room %llx: its code does not lead to it",
                   (unsigned long long)shadow->id);
        return;
    }
    room_summary_of(shadow->room, &is);
    bool read = room_summary_decode(named.summary, &world->scratch, &told) == ST_OK;
    if (since > NEWS_MS && (!read || !alike(&told, &is)))
        world_fail(world, "room %llx: %u of %u sit there%s, the directory says %u of %u%s",
                   (unsigned long long)shadow->id, is.seated, is.seats,
                   is.playing ? " and play" : "", told.seated, told.seats,
                   told.playing ? " and play" : "");
    if (shadow->orphan_since && world->now - shadow->orphan_since > FOUND_MS)
        world_fail(world, "room %llx: nobody has given it another owner, its own %s",
                   (unsigned long long)shadow->id,
                   living(world, shadow->owner) ? "does not know of it" : "is dead");
}

void check_directory(struct world *world)
{
    bool well = world_well_for(world) >= AGREES_MS;
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        struct shadow *shadow = value;
        if (!shadow->room || shadow->forgotten) continue;
        look_for_owner(world, shadow);
        if (well) check_room(world, shadow);
    }
    if (!well) return;
    struct model_named named;
    for (cursor = 0; model_store_next_code(world->store, &cursor, &named);) {
        const struct shadow *shadow = shadow_of(world, named.room);
        if (!shadow || !shadow->room)
            world_fail(world, "the directory names room %llx, which is not there",
                       (unsigned long long)named.room);
    }
}
