/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 4 and 8, and the durability table: what was archived stays archived for its time. A store
 * that forgets the archive of a game that has just ended gets it again from the owner who had it
 * made, as long as that lives and the game's whole log is still known; older archives may be lost
 * with the store.
 */
#include "sim/checks.h"
#include "worker/worker_core.h"

enum {
    RETURN_MS = 8000,
    NOTICED_MS = 1000, /* a loss; what is given up meanwhile is not made again */
};

static bool stands(const struct world *world, const struct shadow *shadow)
{
    const struct shadow_archive *archive = &shadow->archive;
    int kept = 0;
    model_store_game(world->store, shadow->id, archive->game, storage_now(world), &kept);
    return (uint64_t)kept == archive->position - archive->first + 2; /* behind the record */
}

/* The process that had it made owns the room still. */
static bool may_return(const struct world *world, const struct shadow *shadow)
{
    const struct shadow_archive *archive = &shadow->archive;
    const struct sim_node *owner = &world->nodes[archive->owner];
    return shadow->room && owner->up && owner->life == archive->life &&
           id128_equal(shadow->owner, owner->instance) && archive->first > shadow->whole_from;
}

static int node_of(const struct world *world, struct id128 instance)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && id128_equal(world->nodes[i].instance, instance)) return i;
    return -1;
}

/* The end of a game has been stored. */
void check_archive(struct world *world, struct shadow *shadow, const struct store_op *op)
{
    struct shadow_archive *archive = &shadow->archive;
    int owner = node_of(world, op->instance);
    if (op->game_number < archive->game) return; /* a repeat */
    instant_ms until = storage_now(world) + 1000 * (instant_ms)op->keep_s;
    if (op->game_number == archive->game) until = archive->until; /* nor is it kept for longer */
    *archive = (struct shadow_archive){.game = op->game_number,
                                       .first = op->first,
                                       .position = op->position,
                                       .owner = owner,
                                       .life = owner < 0 ? 0 : world->nodes[owner].life,
                                       .at = world->now,
                                       .until = until};
    bool whole = op->keep_s && op->first > shadow->whole_from && owner >= 0;
    /* One that is sent again may have been kept for its time by now, see check_kept.c. */
    if (!whole || !stands(world, shadow)) archive->game = 0;
}

void check_archive_forgotten(struct world *world, struct shadow *shadow)
{
    struct shadow_archive *archive = &shadow->archive;
    if (!archive->game || stands(world, shadow)) return;
    bool just_ended = world->now + NOTICED_MS < archive->at + WORKER_TAIL_MS;
    if (just_ended && may_return(world, shadow))
        archive->due = world->now + RETURN_MS;
    else
        archive->game = 0;
}

static void look(struct world *world, struct shadow *shadow)
{
    struct shadow_archive *archive = &shadow->archive;
    if (!archive->game || world->now < archive->due) return;
    if (storage_now(world) >= archive->until) {
        archive->game = 0;
        return;
    }
    if (stands(world, shadow)) {
        archive->due = 0;
        return;
    }
    if (archive->due && !may_return(world, shadow)) {
        archive->game = 0;
        return;
    }
    world_fail(world, "room %llx: the archive of game %u, entries %llu to %llu, is gone",
               (unsigned long long)shadow->id, archive->game, (unsigned long long)archive->first,
               (unsigned long long)archive->position);
}

void check_archives_stand(struct world *world)
{
    if (world->now < world->config.calm_at + RETURN_MS) return;
    size_t cursor = 0;
    uint64_t room;
    void *shadow;
    while (map_next(&world->shadows, &cursor, &room, &shadow)) look(world, shadow);
}
