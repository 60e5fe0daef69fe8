/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 6 at a gateway's sockets: once it has heard a room's owner of one epoch it writes nothing of
 * an older one to anybody there, whoever has come in a moment ago and seen nothing included.
 */
#include "gateway/state.h"
#include "sim/checks.h"
#include "sim/player.h"

static uint64_t epoch_in(const struct envelope *envelope, room_id *room)
{
    switch (envelope->kind) {
    case ENV_UPDATE: *room = envelope->u.update.room; return envelope->u.update.version.epoch;
    case ENV_ATTACHED: *room = envelope->u.attached.room; return envelope->u.attached.epoch;
    default: return 0;
    }
}

static uint64_t floor_of(const struct sim_node *gateway, room_id room)
{
    return (uintptr_t)map_get(&gateway->heard, room);
}

/* It knows nothing of a room that nobody there is in. */
static void forget(struct sim_node *gateway)
{
    size_t cursor = 0;
    uint64_t room;
    void *epoch;
    while (map_next(&gateway->heard, &cursor, &room, &epoch))
        if (!map_get(&gateway->core.gateway->mirrors, room)) {
            map_remove(&gateway->heard, room);
            cursor = 0;
        }
}

void check_floor_event(struct sim_node *gateway, const struct event *event)
{
    if (event->kind != EVENT_ENVELOPES) return;
    if (gateway->heard.count > gateway->core.gateway->mirrors.count) forget(gateway);
    for (int i = 0; i < event->count; i++) {
        room_id room = 0;
        uint64_t epoch = epoch_in(&event->list[i], &room);
        if (epoch <= floor_of(gateway, room)) continue;
        if (!map_get(&gateway->core.gateway->mirrors, room)) continue;
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): the epoch itself is kept in its place */
        map_put(&gateway->heard, room, (void *)(uintptr_t)epoch);
    }
}

uint64_t check_floor_now(const struct sim_node *gateway, uint64_t socket)
{
    const struct client *client = map_get(&gateway->core.gateway->clients, socket);
    return client && client->mirror ? floor_of(gateway, client->mirror->room) : 0;
}

void check_floor(struct world *world, const struct player *player, const struct server_room *frame)
{
    if (frame->version.epoch >= player->floor) return;
    world_fail(world, "%s: is written a view of epoch %llu, its gateway has heard that of %llu",
               player->name, (unsigned long long)frame->version.epoch,
               (unsigned long long)player->floor);
}
