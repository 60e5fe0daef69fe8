/* SPDX-License-Identifier: Apache-2.0
 *
 * What each entry of a log must be by itself, whatever the room makes of it: its time neither falls
 * nor outruns the world (rules 18, 20, 21), its action is the one that follows the seat's last
 * (rule 10), its seed was never drawn before (rule 23).
 */
#include "room/state.h"
#include "sim/checks.h"
#include "sim/world.h"

/* And accepted only then, by a store that was frozen or suspended: the first entry that is looked
 * at. */
enum { STAMPED_BEFORE_MS = 40 * 1000 };

static instant_ms later(instant_ms from, instant_ms to)
{
    return to > from ? to - from : 0;
}

/* An owner counts by its own clock, and what passed between two owners by the store's. */
void shadow_time_passes(struct world *world, struct shadow_time *time)
{
    instant_ms stored = storage_now(world);
    instant_ms by_world = later(time->world, world->now), by_store = later(time->store, stored);
    time->latest += by_world > by_store ? by_world : by_store;
    time->world = world->now;
    time->store = stored;
}

/* Less than the world, since the last entry. */
static instant_ms by_store_less(const struct world *world, const struct shadow_time *time)
{
    instant_ms by_world = later(time->world, world->now);
    return later(later(time->store, storage_now(world)), by_world);
}

void shadow_time_changes_hands(const struct world *world, struct shadow *shadow)
{
    struct shadow_time *time = &shadow->time;
    if (time->known) time->missing = by_store_less(world, time);
}

instant_ms shadow_time_missing(const struct world *world, const struct shadow *shadow)
{
    const struct shadow_time *time = &shadow->time;
    if (!time->known) return 0;
    return id128_is_zero(shadow->owner) ? by_store_less(world, time) : time->missing;
}

static void check_time(struct world *world, struct shadow *shadow, const struct room_entry *entry)
{
    struct shadow_time *time = &shadow->time;
    instant_ms at = entry->input.now;
    if (!time->known)
        *time =
            (struct shadow_time){true, at, at + STAMPED_BEFORE_MS, world->now, storage_now(world),
                                 0};
    shadow_time_passes(world, time);
    time->missing = 0;
    if (at < time->last)
        world_fail(world, "room %llx: time falls from %llu to %llu with entry %llu",
                   (unsigned long long)shadow->id, (unsigned long long)time->last,
                   (unsigned long long)at, (unsigned long long)entry->position);
    if (at > time->latest)
        world_fail(world, "room %llx: entry %llu is of %llu ms later than the world",
                   (unsigned long long)shadow->id, (unsigned long long)entry->position,
                   (unsigned long long)(at - time->latest));
    time->last = at;
}

static void check_id(struct world *world, const struct shadow *shadow,
                     const struct room_entry *entry)
{
    bool command = entry->input.kind == ROOM_COMMAND && entry->input.seat >= 0;
    if (entry->input.kind != ROOM_ACT && !command) return;
    uint64_t next = room_counter(shadow->room, entry->input.seat) + 1;
    if (entry->input.counter == next) return;
    world->counts.acts_twice += entry->input.counter < next;
    world_fail(world, "room %llx: entry %llu is action %llu of seat %d, whose next is %llu",
               (unsigned long long)shadow->id, (unsigned long long)entry->position,
               (unsigned long long)entry->input.counter, entry->input.seat,
               (unsigned long long)next);
}

/* A start that is appended again, because the store forgot it, stands at its old place. */
static void check_seed(struct world *world, struct shadow *shadow, const struct room_entry *entry)
{
    if (!entry->started) return;
    struct shadow_start *free = &shadow->starts[entry->game_number % SIM_STARTS];
    for (int i = 0; i < SIM_STARTS; i++) {
        const struct shadow_start *start = &shadow->starts[i];
        if (start->position == 0 || start->position == entry->position) continue;
        if (memcmp(&start->seed, &entry->input.seed, sizeof start->seed) != 0) continue;
        world_fail(world, "room %llx: entry %llu starts a game from the seed of entry %llu",
                   (unsigned long long)shadow->id, (unsigned long long)entry->position,
                   (unsigned long long)start->position);
    }
    *free = (struct shadow_start){entry->position, entry->input.seed};
}

void check_entry(struct world *world, struct shadow *shadow, struct slice bytes)
{
    struct room_entry entry;
    if (room_entry_decode(bytes, &entry) != ST_OK) return; /* the replay tells */
    check_time(world, shadow, &entry);
    check_id(world, shadow, &entry);
    check_seed(world, shadow, &entry);
    check_action(world, shadow, &entry);
}
