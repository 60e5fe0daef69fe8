/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ws_client.h"

#include "ops/system.h"

static void copy(char *to, size_t size, const char *from)
{
    size_t len = strnlen(from, size - 1);
    memcpy(to, from, len);
    to[len] = '\0';
}

/* ---- the connection -------------------------------------------------------------------------- */

bool ws_connect(struct ws_client *client, const char *host, int port, int timeout_ms)
{
    return ws_connect_on(client, socket_dial(NULL, host, port, 0), host, port, timeout_ms);
}

bool ws_connect_on(struct ws_client *client, int fd, const char *host, int port, int timeout_ms)
{
    *client = (struct ws_client){.seat = -1, .socket.fd = -1, .port = port};
    copy(client->host, sizeof client->host, host);
    return ws_socket_open_on(&client->socket, fd, host, port, "/ws", NULL, timeout_ms);
}

void ws_cut(struct ws_client *client)
{
    ws_socket_cut(&client->socket);
    client->welcomed = client->in_room = false;
}

void ws_free(struct ws_client *client)
{
    ws_cut(client);
    buf_fini(&client->room);
    buf_fini(&client->presence);
    buf_fini(&client->game);
    buf_fini(&client->mine);
    buf_fini(&client->act.bytes);
}

bool ws_send(struct ws_client *client, const struct client_frame *frame)
{
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    bool sent = ws_socket_send(&client->socket, WS_BINARY, true, buf_slice(&bytes));
    buf_fini(&bytes);
    return sent;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void set(struct buf *buf, struct slice bytes, bool whole)
{
    if (bytes.len == 0 && !whole) return;
    buf_clear(buf);
    buf_put_slice(buf, bytes);
}

static bool resolve(struct ws_client *client, struct server_room *frame, struct arena *arena)
{
    const struct delta_base base = {
        .version = client->version,
        .room_time = client->room_time,
        .game_version = client->game_version,
        .room = buf_slice(&client->room),
        .presence = buf_slice(&client->presence),
        .game = buf_slice(&client->game),
        .mine = buf_slice(&client->mine),
    };
    if (delta_resolve(frame, &base, arena) == ST_OK) return true;
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    client->resyncs++;
    ws_send(client, &resync);
    return false;
}

static void on_room(struct ws_client *client, struct server_room *frame, struct arena *arena)
{
    bool whole = frame->since == 0;
    if (!resolve(client, frame, arena) || frame->version.epoch < client->version.epoch) return;
    set(&client->room, frame->room, whole);
    set(&client->presence, frame->presence, whole);
    set(&client->game, frame->game, whole);
    set(&client->mine, frame->mine, whole);
    if (frame->room.len) ws_view_decode(frame->room, &client->view);
    client->version = frame->version;
    client->game_version = frame->game_version;
    client->room_time = frame->room_time;
    client->frames++;
    client->wholes += whole;
}

static void on_welcome(struct ws_client *client, const struct server_welcome *welcome)
{
    client->welcomed = welcome->token.len > 0 && welcome->token.len <= WS_TOKEN_BYTES_MAX;
    if (!client->welcomed) return;
    client->token_len = welcome->token.len;
    memcpy(client->token, welcome->token.at, welcome->token.len);
}

static void send_open_act(struct ws_client *client)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = client->generation,
        .counter = client->act.counter,
        .made_for = client->act.made_for,
        .command = client->act.command,
        .bytes = buf_slice(&client->act.bytes),
    };
    ws_send(client, &frame);
}

uint64_t ws_send_act(struct ws_client *client, bool command, struct slice bytes)
{
    buf_clear(&client->act.bytes);
    buf_put_slice(&client->act.bytes, bytes);
    client->act.is_open = true;
    client->act.command = command;
    client->act.counter = client->counter + 1;
    client->act.made_for = client->game_version;
    client->answers = 0;
    send_open_act(client);
    return client->act.counter;
}

void ws_repeat_act(struct ws_client *client)
{
    client->act.is_open = true;
    client->act.counter = client->counter + 1;
    send_open_act(client);
}

/* A new generation: what was sent under the one before is accepted by now, or sent again. */
static void settle_open_act(struct ws_client *client)
{
    if (!client->act.is_open) return;
    if (client->counter < client->act.counter) {
        send_open_act(client);
        return;
    }
    client->act.is_open = false;
    client->answer = (struct server_answer){.generation = client->generation,
                                            .counter = client->act.counter,
                                            .ok = true};
    client->answers++;
}

static void on_seat(struct ws_client *client, const struct server_seat *seat)
{
    client->in_room = true;
    client->detached = 0;
    copy(client->code, sizeof client->code, seat->code);
    client->seat = seat->seat;
    client->generation = seat->generation;
    client->counter = seat->counter;
    settle_open_act(client);
}

static void on_answer(struct ws_client *client, const struct server_answer *answer)
{
    client->answer = *answer;
    copy(client->answer_domain, sizeof client->answer_domain,
         answer->why.domain ? answer->why.domain : "");
    client->answer.why.domain = client->answer_domain;
    client->answers++;
    if (answer->generation != client->generation) return; /* that seat was attached anew since */
    if (answer->counter == client->act.counter) client->act.is_open = false;
    if (answer->ok && answer->counter > client->counter) client->counter = answer->counter;
}

static void on_found(struct ws_client *client, const struct server_found *found)
{
    client->found.came = true;
    copy(client->found.code, sizeof client->found.code, found->code);
    copy(client->found.game, sizeof client->found.game, found->game);
    client->found.seated = found->seated;
    client->found.seats = found->seats;
    client->found.playing = found->playing;
}

static void on_ping(struct ws_client *client, uint64_t nonce, uint32_t rtt_ms)
{
    struct client_frame pong = {.kind = CLIENT_PONG};
    pong.u.nonce = nonce;
    client->rtt_ms = rtt_ms;
    ws_send(client, &pong);
}

static void on_frame(struct ws_client *client, struct server_frame *frame, struct arena *arena)
{
    switch (frame->kind) {
    case SERVER_WELCOME: on_welcome(client, &frame->u.welcome); return;
    case SERVER_SEAT: on_seat(client, &frame->u.seat); return;
    case SERVER_ROOM: on_room(client, &frame->u.room, arena); return;
    case SERVER_ANSWER: on_answer(client, &frame->u.answer); return;
    case SERVER_FOUND: on_found(client, &frame->u.found); return;
    case SERVER_PING: on_ping(client, frame->u.ping.nonce, frame->u.ping.rtt_ms); return;
    case SERVER_NOTICE: client->notices |= 1u << frame->u.notice; return;
    case SERVER_PONG: client->pongs++; return;
    case SERVER_REFUSED:
        client->refused = frame->u.refused.why.code;
        client->refused_param = frame->u.refused.why.params[0];
        return;
    case SERVER_DETACHED:
        client->detached = (int)frame->u.detached;
        client->in_room = false;
        return;
    case SERVER_ROOMS:
        client->rooms.lists++;
        client->rooms.count = frame->u.rooms.count;
        if (frame->u.rooms.count)
            copy(client->rooms.first, sizeof client->rooms.first, frame->u.rooms.list[0].code);
        return;
    case SERVER_QUICK:
        client->quick.count++;
        client->quick.waiting = frame->u.quick.waiting;
        client->quick.needed = frame->u.quick.needed;
        return;
    }
}

int ws_pump(struct ws_client *client, int timeout_ms)
{
    struct slice bytes;
    int got = ws_socket_receive(&client->socket, timeout_ms, &bytes);
    if (got != 1) {
        if (got < 0) client->welcomed = client->in_room = false;
        return got;
    }
    struct arena arena = {0};
    struct server_frame frame;
    if (server_frame_decode(bytes, &arena, &frame) == ST_OK) {
        on_frame(client, &frame, &arena);
        if (client->heard) client->heard(client, &frame);
    }
    arena_fini(&arena);
    return 1;
}

void ws_pump_all(struct ws_client *clients, int count)
{
    for (int i = 0; i < count; i++)
        while (ws_pump(&clients[i], 0) == 1) continue;
}

bool ws_wait(struct ws_client *client, ws_condition condition, const void *context, int timeout_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    while (!condition(client, context)) {
        instant_ms now = clock_boot_ms();
        if (now >= until || ws_pump(client, (int)(until - now)) < 0)
            return condition(client, context);
    }
    return true;
}
