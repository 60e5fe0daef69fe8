/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 8: what is trimmed stands in the snapshot, and a finished game is whole in its archive
 * and can be replayed from it.
 * Asked when the store has carried an op out.
 */
#include "room/archive.h"
#include "sim/checks.h"
#include "sim/world.h"

static void check_whole(struct world *world, const struct shadow *shadow, const struct store_op *op)
{
    if (op->keep_s == 0 || op->first <= shadow->whole_from) return; /* its beginning was lost */
    int kept = 0;
    /* One that is sent again may have been kept for its time by now: as if none had passed. */
    const struct slice *archive =
        model_store_game(world->store, op->room, op->game_number, 0, &kept);
    uint64_t entries = op->position - op->first + 1, position;
    if ((uint64_t)kept == entries + 1) { /* the record stands before them */
        enum archive_fault fault = archive_verify(archive[0], archive + 1, kept - 1, &position);
        bool changed = world->changed >= 0; /* behind its room's back: its log does not say so */
        if (fault == ARCHIVE_GOOD || changed) return;
        world_fail(world, "room %llx: the archive of game %u %s (entry %llu)",
                   (unsigned long long)op->room, op->game_number, archive_fault_text(fault),
                   (unsigned long long)position);
        return;
    }
    world_fail(world, "room %llx: of game %u, entries %llu to %llu, the archive holds %d",
               (unsigned long long)op->room, op->game_number, (unsigned long long)op->first,
               (unsigned long long)op->position, kept ? kept - 1 : 0);
}

void check_kept(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    struct model_view look;
    struct shadow *shadow = shadow_of(world, op->room);
    if (!shadow || reply->status != ST_OK || !model_store_look(world->store, op->room, &look))
        return;
    if (op->kind == STORE_RESTORE) shadow->whole_from = look.trimmed;
    if (look.trimmed > look.snapshot_position)
        world_fail(world, "room %llx: trimmed up to %llu, its snapshot is of %llu",
                   (unsigned long long)op->room, (unsigned long long)look.trimmed,
                   (unsigned long long)look.snapshot_position);
    if (op->kind != STORE_FINISH) return;
    check_whole(world, shadow, op);
    check_archive(world, shadow, op);
}
