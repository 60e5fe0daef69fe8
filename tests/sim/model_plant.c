/* SPDX-License-Identifier: Apache-2.0
 *
 * For twins: what the store has of a room is changed behind everybody's back.
 */
#include "sim/model_state.h"

void model_store_plant(struct model_store *store, room_id id, struct slice snapshot,
                       uint64_t position)
{
    struct model_room *room = model_room_of(store, id);
    model_set_bytes(&room->snapshot, snapshot);
    room->snapshot_position = position;
    room->dirty = true;
    model_store_sync(store);
}
