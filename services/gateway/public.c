/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of public waiting rooms: asked for at most once a second while anybody here looks at it,
 * pushed when it has changed.
 */
#include "gateway/calls.h"

#include <stdlib.h>

static void stop_watching(struct gateway_core *core, struct client *client)
{
    struct client *last = core->watchers[--core->watcher_count];
    CHECK(core->watchers[client->watcher_index] == client);
    core->watchers[client->watcher_index] = last;
    last->watcher_index = client->watcher_index;
    client->watches = false;
}

static void start_watching(struct gateway_core *core, struct client *client)
{
    if (core->watcher_count == core->watcher_room) {
        core->watcher_room = core->watcher_room ? 2 * core->watcher_room : 16;
        core->watchers = realloc(core->watchers, core->watcher_room * sizeof(struct client *));
        CHECK(core->watchers != NULL);
    }
    /* A list that nobody has looked at for a while is not worth showing. */
    if (core->watcher_count == 0 && core->now >= core->public_at) buf_clear(&core->public_frame);
    client->watcher_index = core->watcher_count;
    core->watchers[core->watcher_count++] = client;
    client->watches = true;
    client->rooms_serial = 0;
}

void gw_on_watch(struct gateway_core *core, struct client *client, bool on)
{
    if (client->watches == on) return;
    if (on) {
        start_watching(core, client);
        gw_public_show(core, client);
    } else {
        stop_watching(core, client);
    }
}

void gw_public_show(struct gateway_core *core, struct client *client)
{
    if (!client->watches || client->rooms_serial == core->public_serial) return;
    if (core->public_frame.len == 0 || client->outstanding > 0) return;
    client->rooms_serial = core->public_serial;
    gw_send_bytes(core, client, arena_copy(&core->out->arena, buf_slice(&core->public_frame)));
}

void gw_public_due(struct gateway_core *core)
{
    core->public_at = core->now + GATEWAY_PUBLIC_MS;
    if (core->public_token == 0)
        gw_ask(core, ASK_PUBLIC, 0, NULL, REQ_PUBLIC, gw_random_id(core), &core->public_token);
}

void gw_public_reply(struct gateway_core *core, const struct reply *reply)
{
    core->public_token = 0;
    if (reply->status != ST_OK || reply->public_count > WIRE_PUBLIC_MAX) return;
    struct server_frame frame = {.kind = SERVER_ROOMS};
    frame.u.rooms = (struct server_rooms){reply->publics, reply->public_count};
    buf_clear(&core->scratch);
    server_frame_encode(&frame, &core->scratch);
    if (slice_equal(buf_slice(&core->scratch), buf_slice(&core->public_frame))) return;
    buf_clear(&core->public_frame);
    buf_put_slice(&core->public_frame, buf_slice(&core->scratch));
    core->public_serial++;
    for (uint32_t i = core->watcher_count; i-- > 0;)
        if (i < core->watcher_count) gw_public_show(core, core->watchers[i]);
}
