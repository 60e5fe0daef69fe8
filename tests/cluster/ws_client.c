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
    *client = (struct ws_client){.seat = -1, .socket.fd = -1, .port = port};
    copy(client->host, sizeof client->host, host);
    return ws_socket_open(&client->socket, host, port, "/ws", NULL, timeout_ms);
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
    for (int i = 0; i < client->event_count; i++) {
        buf_fini(&client->events[i].shared);
        buf_fini(&client->events[i].mine);
        buf_fini(&client->events[i].room);
    }
    client->event_count = 0;
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

static void keep_event(struct ws_client *client, const struct server_event *event)
{
    if (event->seq < client->last_event) return;
    client->last_event = event->seq;
    if (client->event_count == WS_EVENTS_KEPT) {
        struct ws_event oldest = client->events[0];
        memmove(client->events, client->events + 1, (WS_EVENTS_KEPT - 1) * sizeof oldest);
        client->events[--client->event_count] = oldest; /* its memory serves the new one */
    } else {
        client->events[client->event_count] = (struct ws_event){0};
    }
    struct ws_event *kept = &client->events[client->event_count++];
    kept->seq = event->seq;
    set(&kept->shared, event->shared, true);
    set(&kept->mine, event->mine, true);
    set(&kept->room, event->room, true);
}

static void on_room(struct ws_client *client, const struct server_room *frame)
{
    bool whole = frame->since == 0;
    if (frame->version.epoch < client->version.epoch) return;
    if (!whole && frame->since != client->version.seq) {
        struct client_frame resync = {.kind = CLIENT_RESYNC};
        client->resyncs++;
        ws_send(client, &resync);
        return;
    }
    set(&client->room, frame->room, whole);
    set(&client->presence, frame->presence, whole);
    set(&client->game, frame->game, whole);
    set(&client->mine, frame->mine, whole);
    if (frame->room.len) ws_view_decode(frame->room, &client->view);
    for (int i = 0; i < frame->event_count; i++) keep_event(client, &frame->events[i]);
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
    if (answer->counter == client->act.counter) client->act.is_open = false;
    if (answer->ok && answer->generation == client->generation && answer->counter > client->counter)
        client->counter = answer->counter;
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

static void on_frame(struct ws_client *client, const struct server_frame *frame)
{
    switch (frame->kind) {
    case SERVER_WELCOME: on_welcome(client, &frame->u.welcome); return;
    case SERVER_SEAT: on_seat(client, &frame->u.seat); return;
    case SERVER_ROOM: on_room(client, &frame->u.room); return;
    case SERVER_ANSWER: on_answer(client, &frame->u.answer); return;
    case SERVER_FOUND: on_found(client, &frame->u.found); return;
    case SERVER_PING: on_ping(client, frame->u.ping.nonce, frame->u.ping.rtt_ms); return;
    case SERVER_NOTICE: client->notices |= 1u << frame->u.notice; return;
    case SERVER_PONG: return;
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
    if (server_frame_decode(bytes, &arena, &frame) == ST_OK) on_frame(client, &frame);
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

/* ---- conditions ------------------------------------------------------------------------------ */

bool ws_is_playing(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->version.seq && client->view.state == WS_PLAYING;
}

bool ws_has_result(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->view.state == WS_RESULT;
}

bool ws_has_view(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->frames > 0;
}

bool ws_is_detached(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->detached != 0;
}

bool ws_is_refused(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->refused != 0;
}

bool ws_has_seated(const struct ws_client *client, const void *count)
{
    int taken = 0;
    for (int i = 0; i < client->view.seat_count; i++) taken += client->view.seats[i].taken;
    return taken >= *(const int *)count;
}

bool ws_has_reached(const struct ws_client *client, const void *version)
{
    return version_compare(client->version, *(const struct version *)version) >= 0;
}

static bool is_welcomed(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->welcomed;
}

static bool is_in_or_refused(const struct ws_client *client, const void *frames)
{
    return client->refused || (client->in_room && client->frames > *(const int *)frames);
}

static bool is_answered(const struct ws_client *client, const void *counter)
{
    return client->answers > 0 && client->answer.counter == *(const uint64_t *)counter;
}

/* ---- what a player does ---------------------------------------------------------------------- */

void ws_forget(struct ws_client *client)
{
    client->refused = 0;
    client->refused_param = 0;
    client->notices = 0;
    client->found.came = false;
}

bool ws_hello(struct ws_client *client, int timeout_ms)
{
    struct client_frame frame = {.kind = CLIENT_HELLO};
    if (client->window == 0) random_fill(&client->window, sizeof client->window);
    frame.u.hello = (struct client_hello){.protocol = CLIENT_PROTOCOL,
                                          .token = slice_of(client->token, client->token_len),
                                          .window = client->window,
                                          .line = ++client->line};
    return ws_send(client, &frame) && ws_wait(client, is_welcomed, NULL, timeout_ms);
}

static bool enter(struct ws_client *client, const struct client_frame *frame, int timeout_ms)
{
    int frames = client->frames;
    client->refused = 0;
    return ws_send(client, frame) && ws_wait(client, is_in_or_refused, &frames, timeout_ms) &&
           client->refused == 0;
}

bool ws_create(struct ws_client *client, const char *game, const char *name,
               const struct option_pair *options, int option_count, int timeout_ms)
{
    struct client_frame frame = {.kind = CLIENT_CREATE};
    frame.u.create =
        (struct client_create){.game = game, .name = name, .option_count = option_count};
    for (int i = 0; i < option_count; i++) frame.u.create.options[i] = options[i];
    copy(client->name, sizeof client->name, name);
    return enter(client, &frame, timeout_ms);
}

static bool join_as(struct ws_client *client, struct client_join join, int timeout_ms)
{
    struct client_frame frame = {.kind = CLIENT_JOIN};
    frame.u.join = join;
    copy(client->name, sizeof client->name, join.name);
    return enter(client, &frame, timeout_ms);
}

bool ws_join(struct ws_client *client, const char *code, const char *name, int timeout_ms)
{
    return join_as(client, (struct client_join){.code = code, .name = name}, timeout_ms);
}

bool ws_watch(struct ws_client *client, const char *code, const char *name, int timeout_ms)
{
    struct client_join join = {.code = code, .name = name, .spectate = true};
    return join_as(client, join, timeout_ms);
}

bool ws_come_back(struct ws_client *client, int port, int timeout_ms)
{
    char code[8], name[100];
    copy(code, sizeof code, client->code);
    copy(name, sizeof name, client->name);
    ws_cut(client);
    client->port = port;
    client->detached = 0;
    struct client_join join = {
        .code = code,
        .name = name,
        .spectate = client->seat < 0,
        .have = client->version,
        .generation = client->generation,
    };
    return ws_socket_open(&client->socket, client->host, port, "/ws", NULL, timeout_ms) &&
           ws_hello(client, timeout_ms) && join_as(client, join, timeout_ms);
}

bool ws_leave(struct ws_client *client, int timeout_ms)
{
    struct client_frame frame = {.kind = CLIENT_LEAVE};
    return ws_send(client, &frame) && ws_wait(client, ws_is_detached, NULL, timeout_ms);
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

static bool act(struct ws_client *client, bool command, struct slice bytes, int timeout_ms)
{
    uint64_t counter = ws_send_act(client, command, bytes);
    return ws_wait(client, is_answered, &counter, timeout_ms) && client->answer.ok;
}

bool ws_act(struct ws_client *client, struct slice action, int timeout_ms)
{
    return act(client, false, action, timeout_ms);
}

bool ws_command(struct ws_client *client, struct slice command, int timeout_ms)
{
    return act(client, true, command, timeout_ms);
}

bool ws_start(struct ws_client *client, int timeout_ms)
{
    static const uint8_t start[] = {0x22, 0x00}; /* RoomCommand { start {} } */
    return ws_command(client, slice_of(start, sizeof start), timeout_ms);
}
