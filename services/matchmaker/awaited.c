/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rules a room is played by, and rooms that wait for a worker that plays by them: while old
 * and new binaries run side by side, not every worker does (rule 9).
 */
#include <stdlib.h>

#include "matchmaker/matchmaker_state.h"
#include "room/room.h"

struct rules place_rules(struct matchmaker_core *core, struct slice summary)
{
    struct room_summary told;
    bool good = room_summary_decode(summary, &core->out->arena, &told) == ST_OK;
    if (!good || strlen(told.game) > WIRE_GAME_BYTES_MAX) return (struct rules){.game = ""};
    return (struct rules){told.game, told.rules_version};
}

void place_awaited(struct matchmaker_core *core)
{
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&core->placements, &count);
    for (size_t i = 0; i < count; i++) {
        struct placement *placement = map_get(&core->placements, rooms[i]);
        if (!placement->awaited || placement->in_flight) continue;
        placement->started = 0; /* it has waited long enough */
        char game[sizeof placement->game];
        memcpy(game, placement->game, sizeof game);
        struct rules rules = {game, placement->rules_version};
        place_room(core, rooms[i], rules, placement->epoch, NULL);
    }
    free(rooms);
}
