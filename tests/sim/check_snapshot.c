/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 8: a snapshot is the state at the position that it names, the log is trimmed only up to a
 * stored one, and that of a running game stays whole (but for a room that the store had lost).
 */
#include "sim/checks.h"

static void check_state(struct world *world, const struct shadow *shadow,
                        const struct model_view *look)
{
    uint64_t position = look->snapshot_position;
    const struct shadow_entry *entry = &shadow->entries[position % SIM_SEQS];
    if (entry->position != position || position == 0) return; /* too long ago */
    struct room_record record;
    struct room *room = NULL;
    if (room_record_decode(look->record, &record) == ST_OK)
        room = room_decode(&record, look->snapshot);
    if (!room || !id128_equal(room_hash(room), entry->state))
        world_fail(world, "room %llx: the snapshot of position %llu is not the state there",
                   (unsigned long long)shadow->id, (unsigned long long)position);
    room_close(room);
}

void check_snapshot(struct world *world, const struct shadow *shadow, const struct store_op *op,
                    const struct store_reply *reply)
{
    (void)reply;
    struct model_view look;
    if (op->kind != STORE_SNAPSHOT && op->kind != STORE_FINISH) return;
    if (!shadow->room || shadow->forgotten || world->changed >= 0) return;
    if (!model_store_look(world->store, op->room, &look)) return;
    if (look.snapshot_position > look.position)
        world_fail(world, "room %llx: has a snapshot of %llu, its log ends at %llu",
                   (unsigned long long)shadow->id, (unsigned long long)look.snapshot_position,
                   (unsigned long long)look.position);
    if (look.snapshot_position == op->position) check_state(world, shadow, &look);
    uint64_t first;
    room_last_game(shadow->room, &first);
    bool game_is_cut = room_playing(shadow->room) && look.trimmed >= first && !shadow->restored;
    if (look.trimmed <= look.snapshot_position && !game_is_cut) return;
    world_fail(world, "room %llx: trimmed up to %llu, with a snapshot of %llu and a game from %llu",
               (unsigned long long)shadow->id, (unsigned long long)look.trimmed,
               (unsigned long long)look.snapshot_position, (unsigned long long)first);
}
