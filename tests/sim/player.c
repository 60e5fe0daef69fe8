/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/player.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "room/state.h"
#include "wire/reason.h"

enum {
    LOOK_MIN_MS = 150,
    LOOK_MAX_MS = 1500,
    ASK_AGAIN_MS = 4000,
    SOCKET_MAX_MS = 40,
    GREETING_MS = 5000,
    GARBAGE_PPM = 5000,
    AWAY_ONCE_IN = 60,
    AWAY_MIN_MS = 5000,
    AWAY_MAX_MS = 60000,
};

/* RoomCommand { start {} } of client.proto. */
static const uint8_t start_command[] = {0x22, 0x00};

static void look_again(struct world *world, const struct player *player, instant_ms in_ms)
{
    world_schedule(world, HAPPEN_PLAYER_TURN, world->now + in_ms)->at = player->index;
}

/* ---- the socket ------------------------------------------------------------------------------ */

static struct happening *to_gateway(struct world *world, struct player *player,
                                    enum happening_kind kind)
{
    instant_ms at = world->now + chance_between(world, 0, SOCKET_MAX_MS);
    if (at < player->last_in) at = player->last_in;
    player->last_in = at;
    struct happening *what = world_schedule(world, kind, at);
    what->at = player->gateway;
    what->life = player->gateway_life;
    what->socket = player->socket;
    return what;
}

static void send_frame(struct world *world, struct player *player, const struct client_frame *frame)
{
    if (!player->socket) return;
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    happening_bytes(to_gateway(world, player, HAPPEN_SOCKET_FRAME), buf_slice(&bytes));
    buf_fini(&bytes);
}

static void send_garbage(struct world *world, struct player *player)
{
    uint8_t bytes[64];
    size_t len = 1 + rng_below(&world->chance, sizeof bytes);
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_below(&world->chance, 256);
    if (player->socket)
        happening_bytes(to_gateway(world, player, HAPPEN_SOCKET_FRAME), slice_of(bytes, len));
}

static void forget_socket(struct player *player)
{
    player->socket = 0;
    player->welcomed = player->attached = false;
    player->asked_at = 0;
}

/* The browser lets go of its socket; the gateway hears of it now or later. */
static void drop_socket(struct world *world, struct player *player, instant_ms later_ms)
{
    if (!player->socket) return;
    player->last_in = world->now + later_ms;
    to_gateway(world, player, HAPPEN_SOCKET_CLOSED);
    player->last_in = 0;
    forget_socket(player);
}

static void open_socket(struct world *world, struct player *player)
{
    int first = (int)rng_below(&world->chance, (uint32_t)world->config.gateways);
    struct sim_node *gateway = NULL;
    for (int i = 0; i < world->node_count && !gateway; i++) {
        struct sim_node *node = &world->nodes[(first + i) % world->node_count];
        if (node->kind == SERVICE_GATEWAY && node->up) gateway = node;
    }
    if (!gateway) return;
    player->socket = world->next_socket++;
    player->gateway = gateway->index;
    player->gateway_life = gateway->life;
    player->last_in = player->last_out = 0;
    player->opened_at = world->now;
    to_gateway(world, player, HAPPEN_SOCKET_OPEN);
    world_trace(world, "%s: connects to %s", player->name, node_name(gateway));
    struct client_frame hello = {.kind = CLIENT_HELLO};
    hello.u.hello.protocol = CLIENT_PROTOCOL;
    hello.u.hello.token = slice_of(player->token, player->token_len);
    if (player->reload || player->window == 0) {
        player->window = player->socket; /* a page that was loaded anew */
        player->line = 0;
    }
    hello.u.hello.window = player->window;
    hello.u.hello.line = ++player->line;
    send_frame(world, player, &hello);
}

void player_cut(struct world *world, int index)
{
    struct player *player = &world->players[index];
    if (!player->socket) return;
    /* A page that was loaded anew and not yet seated stays one. */
    player->reload |= rng_below(&world->chance, 3) == 0;
    world_trace(world, "%s: %s", player->name, player->reload ? "reloads" : "loses the connection");
    drop_socket(world, player, rng_below(&world->chance, 2) ? chance_between(world, 0, 3000) : 0);
}

void player_socket_sent(struct world *world, struct sim_node *gateway, uint64_t socket,
                        struct slice frame)
{
    instant_ms delay = chance_between(world, 0, SOCKET_MAX_MS);
    struct happening *taken = world_schedule(world, HAPPEN_SOCKET_TAKEN, world->now + delay);
    taken->at = gateway->index;
    taken->life = gateway->life;
    taken->socket = socket;
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (player->socket != socket) continue;
        instant_ms at = world->now + delay;
        if (at < player->last_out) at = player->last_out;
        player->last_out = at;
        struct happening *arrives = world_schedule(world, HAPPEN_PLAYER_FRAME, at);
        arrives->at = i;
        arrives->socket = socket;
        happening_bytes(arrives, frame);
    }
}

void player_socket_closed(struct world *world, struct sim_node *gateway, uint64_t socket)
{
    map_remove(&gateway->sockets, socket);
    for (int i = 0; i < world->player_count; i++) {
        if (world->players[i].socket != socket) continue;
        struct happening *closed = world_schedule(world, HAPPEN_PLAYER_CLOSED, world->now + 1);
        closed->at = i;
        closed->socket = socket;
    }
}

void player_gateway_died(struct world *world, struct sim_node *gateway)
{
    for (int i = 0; i < world->player_count; i++)
        if (world->players[i].socket && world->players[i].gateway == gateway->index)
            player_socket_closed(world, gateway, world->players[i].socket);
}

/* ---- what it does ---------------------------------------------------------------------------- */

static void send_act(struct world *world, struct player *player)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = player->generation,
                                      .counter = player->act.counter,
                                      .made_for = player->act.made_for,
                                      .command = player->act.command,
                                      .bytes = slice_of(player->act.bytes, player->act.len)};
    send_frame(world, player, &frame);
}

static void act(struct world *world, struct player *player, bool command, const uint8_t *bytes,
                size_t len)
{
    player->acting = true;
    player->act.counter = player->counter + 1;
    player->act.made_for = player->game_version;
    player->act.command = command;
    player->act.len = len;
    memcpy(player->act.bytes, bytes, len);
    send_act(world, player);
    /* The same action twice, at once: it must be applied once. */
    if (player->kind == PLAYER_HOSTILE && rng_below(&world->chance, 4) == 0)
        send_act(world, player);
}

static void play(struct world *world, struct player *player, const struct room *room)
{
    const struct game *game = room->record.game;
    int seat = room_game_seat(room, player->seat);
    if (seat < 0) return;
    uint32_t luck = rng_below(&world->chance, 100);
    int kind = player->kind == PLAYER_HONEST ? 0 : luck < 80 ? 0 : luck < 95 ? 1 : 2;
    struct game_status status;
    game->status(room->game_state, &status);
    if (!(status.to_act & (1u << seat)) && kind == 0) return;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    size_t len = game->random_action(room->game_state, seat, kind, &world->chance, bytes);
    if (len) act(world, player, false, bytes, len);
}

static void decide(struct world *world, struct player *player)
{
    struct shadow *shadow = shadow_of(world, player->room);
    if (!shadow || !shadow->room || player->seat < 0) return;
    const struct room *room = shadow->room;
    if (player->kind == PLAYER_HOSTILE && chance_ppm(world, GARBAGE_PPM)) {
        send_garbage(world, player);
        return;
    }
    if (room->phase == ROOM_PLAYING) {
        play(world, player, room);
    } else if (room->phase != ROOM_PAUSED && room_count_connected(room) >= 2) {
        bool may = room->seats[player->seat].member == room->host || player->kind != PLAYER_HONEST;
        if (may && rng_below(&world->chance, 3) == 0)
            act(world, player, true, start_command, sizeof start_command);
    }
}

static void enter(struct world *world, struct player *player)
{
    struct player *first = &world->players[player->group * world->config.players_per_room];
    struct client_frame frame;
    memset(&frame, 0, sizeof frame);
    if (!*first->code) {
        if (player != first) return;
        frame.kind = CLIENT_CREATE;
        frame.u.create.game = game_at(player->group % game_count())->id;
        frame.u.create.name = player->name;
    } else {
        frame.kind = CLIENT_JOIN;
        frame.u.join.code = first->code;
        frame.u.join.name = player->name;
        frame.u.join.spectate = player->watches;
        frame.u.join.have = player->reload ? (struct version){0} : player->version;
        frame.u.join.generation = player->reload ? 0 : player->generation;
    }
    player->asked_at = world->now;
    send_frame(world, player, &frame);
}

static void on_turn(struct world *world, struct player *player)
{
    /* Now and then somebody is called to the door: the clock plays on. */
    bool away = !world_calm(world) && rng_below(&world->chance, AWAY_ONCE_IN) == 0;
    look_again(world, player,
               away ? chance_between(world, AWAY_MIN_MS, AWAY_MAX_MS)
                    : chance_between(world, LOOK_MIN_MS, LOOK_MAX_MS));
    if (!player->socket) {
        open_socket(world, player);
    } else if (!player->welcomed && world->now - player->opened_at > GREETING_MS) {
        drop_socket(world, player, 0); /* nobody answers there */
    } else if (player->welcomed && !player->attached) {
        if (!player->asked_at || world->now - player->asked_at > ASK_AGAIN_MS) enter(world, player);
    } else if (player->attached && !player->acting) {
        decide(world, player);
    }
}

/* ---- what arrives ---------------------------------------------------------------------------- */

static void on_seat(struct world *world, struct player *player, const struct server_seat *seat)
{
    if (player->generation && seat->generation >= player->generation) world->counts.returns++;
    strcpy(player->code, seat->code);
    struct shadow *shadow = shadow_by_code(world, seat->code);
    player->room = shadow ? shadow->id : 0;
    player->seat = seat->seat;
    world_trace(world, "%s: has seat %d of %s", player->name, player->seat, player->code);
    player->attached = true;
    player->attached_at = world->now;
    player->reload = false;
    player->asked_at = 0;
    if (seat->generation < player->generation)
        world_fail(world, "%s: the seat's generation fell from %u to %u", player->name,
                   player->generation, seat->generation);
    player->generation = seat->generation;
    if (seat->counter < player->acked)
        world_fail(world, "%s: action %llu was acknowledged and is lost: the seat is at %llu",
                   player->name, (unsigned long long)player->acked,
                   (unsigned long long)seat->counter);
    player->counter = seat->counter;
    if (!player->acting) return;
    if (player->act.counter <= seat->counter) {
        player->acting = false; /* it was accepted before the connection went */
        player->acked = player->act.counter;
    } else {
        world->counts.repeats++;
        player->act.counter = seat->counter + 1;
        send_act(world, player);
    }
}

static void on_answer(struct world *world, struct player *player,
                      const struct server_answer *answer)
{
    if (answer->ok) {
        world->counts.acks++;
        check_ack(world, player, answer);
        if (answer->counter > player->acked) player->acked = answer->counter;
        if (answer->counter > player->counter) player->counter = answer->counter;
    } else {
        world->counts.refusals++;
    }
    if (player->acting && answer->counter == player->act.counter) player->acting = false;
}

static void fold(struct buf *into, struct slice section, bool whole)
{
    if (section.len || whole) {
        buf_clear(into);
        buf_put_slice(into, section);
    }
}

static void on_room(struct world *world, struct player *player, const struct server_room *frame)
{
    if (version_compare(frame->version, player->version) < 0)
        world_fail(world, "%s: version falls", player->name);
    bool whole = frame->since == 0;
    if (!whole && frame->since != player->version.seq) {
        struct client_frame resync = {.kind = CLIENT_RESYNC};
        send_frame(world, player, &resync);
        return;
    }
    world->counts.frames++;
    if (!whole) world->counts.deltas++;
    fold(&player->sections[0], frame->room, whole);
    fold(&player->sections[1], frame->presence, whole);
    fold(&player->sections[2], frame->game, whole);
    fold(&player->sections[3], frame->mine, whole);
    player->version = frame->version;
    player->game_version = frame->game_version;
    check_frame(world, player, frame);
}

static void on_frame(struct world *world, struct player *player, struct slice bytes)
{
    struct arena arena = {0};
    struct server_frame frame;
    enum status status = server_frame_decode(bytes, &arena, &frame);
    if (status != ST_OK) {
        world_fail(world, "%s cannot read a frame: %s", player->name, status_text(status));
        arena_fini(&arena);
        return;
    }
    switch (frame.kind) {
    case SERVER_WELCOME:
        player->welcomed = true;
        player->token_len = frame.u.welcome.token.len;
        CHECK(player->token_len <= sizeof player->token && player->token_len > 17);
        memcpy(player->token, frame.u.welcome.token.at, player->token_len);
        memcpy(player->id.byte, player->token + 1, 16);
        break;
    case SERVER_REFUSED:
        player->asked_at = world->now;
        /* There is one window a player: nobody may be told that there is another. */
        if (frame.u.refused.why.code == REASON_OTHER_WINDOW)
            world_fail(world, "%s: is told of another window", player->name);
        if (frame.u.refused.why.code == REASON_GAME_RUNS) player->watches = true;
        world_trace(world, "%s: is refused, reason %u", player->name, frame.u.refused.why.code);
        break;
    case SERVER_SEAT: on_seat(world, player, &frame.u.seat); break;
    case SERVER_ROOM: on_room(world, player, &frame.u.room); break;
    case SERVER_ANSWER: on_answer(world, player, &frame.u.answer); break;
    case SERVER_DETACHED:
        player->attached = false;
        player->reload = true;
        world_trace(world, "%s: is out of the room, %d", player->name, (int)frame.u.detached);
        break;
    case SERVER_PING: {
        struct client_frame pong = {.kind = CLIENT_PONG};
        pong.u.nonce = frame.u.ping.nonce;
        send_frame(world, player, &pong);
        break;
    }
    default: break;
    }
    arena_fini(&arena);
}

void player_happening(struct world *world, struct happening *what)
{
    struct player *player = &world->players[what->at];
    if (what->kind == HAPPEN_PLAYER_TURN) {
        on_turn(world, player);
        return;
    }
    if (!player->socket || player->socket != what->socket) return;
    if (what->kind == HAPPEN_PLAYER_CLOSED)
        forget_socket(player);
    else
        on_frame(world, player, slice_of(what->bytes, what->len));
}

void players_open(struct world *world)
{
    world->player_count = world->config.rooms * world->config.players_per_room;
    CHECK(world->player_count <= SIM_PLAYERS_MAX);
    world->players = calloc((size_t)world->player_count, sizeof *world->players);
    CHECK(world->players);
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        player->index = i;
        player->group = i / world->config.players_per_room;
        player->kind =
            i % world->config.players_per_room == 0 ? PLAYER_HONEST : (enum player_kind)(i % 3);
        player->seat = -1;
        int place = i % world->config.players_per_room;
        player->watches = place >= game_at(player->group % game_count())->seats_max;
        snprintf(player->name, sizeof player->name, "p%d", i);
        look_again(world, player, chance_between(world, 1000, 4000));
    }
}

void players_close(struct world *world)
{
    for (int i = 0; i < world->player_count; i++)
        for (int s = 0; s < 4; s++) buf_fini(&world->players[i].sections[s]);
    free(world->players);
}
