/* SPDX-License-Identifier: Apache-2.0
 *
 * What the people of one room do, once in a while.
 */
#include "drill/crowd.h"

/* RoomCommand { start {} } of client.proto. */
static const uint8_t start_command[] = {0x22, 0x00};

static bool may_act(const struct crowd_client *client)
{
    return client->phase == CROWD_SEATED && !client->waits && !client->sleeps &&
           client->ws.in_room && client->ws.version.seq > 0;
}

static bool complete(const struct crowd_room *room)
{
    for (int i = 0; i < room->client_count; i++)
        if (room->clients[i].phase != CROWD_SEATED) return false;
    return true;
}

static bool make_move(struct crowd_client *client)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    bool alone = client->room->client_count == 1;
    size_t len = alone ? crowd_baseball_move(&client->ws, bytes)
                       : client->room->bot->move(&client->ws, bytes);
    if (len) crowd_client_act(client, false, slice_of(bytes, len));
    return len > 0;
}

static bool start(struct crowd_client *client)
{
    const struct ws_client *ws = &client->ws;
    if (ws->view.host != ws->seat || !complete(client->room)) return false;
    if (ws->view.state == WS_RESULT) client->crowd->counts.games++;
    crowd_client_act(client, true, slice_of(start_command, sizeof start_command));
    return true;
}

static bool act(struct crowd_client *client)
{
    if (!may_act(client)) return false;
    switch (client->ws.view.state) {
    case WS_PLAYING: return bot_game_seat(&client->ws) >= 0 && make_move(client);
    case WS_LOBBY:
    case WS_RESULT: return start(client);
    default: return false;
    }
}

/* Once in a pace somebody acts, each time beginning with another seat. */
void crowd_room_due(struct crowd *crowd, struct crowd_room *room)
{
    uint32_t pace = crowd->keen && room->keen ? CROWD_KEEN_MS : crowd->plan.pace_ms;
    room->turns++;
    for (int i = 0; i < room->client_count; i++)
        if (act(&room->clients[(room->turns + (uint32_t)i) % (uint32_t)room->client_count])) break;
    heap_set(&crowd->due, &room->due, crowd->now + pace * 3 / 4 + crowd_draw(crowd, pace / 2 + 1));
}
