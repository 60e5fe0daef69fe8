/* SPDX-License-Identifier: Apache-2.0
 *
 * One person's connection: as services/web/src/net/link.ts, with its times.
 */
#include "drill/crowd.h"

#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum {
    BACKOFF_FIRST_MS = 200,
    BACKOFF_MOST_MS = 5000,
    HANDSHAKE_MS = 7000,
    PING_MS = 5000,
    SILENCE_MS = 13000,
    ADDRESSES = 100, /* of this machine, as so many houses */
    MESSAGES_MAX = 10000,
    OPENING_MS = 3000, /* the first connections are spread over */
};

static void look_again(struct crowd_client *client, instant_ms at)
{
    heap_set(&client->crowd->due, &client->due, at);
}

void crowd_client_again(struct crowd_client *client, instant_ms at)
{
    client->again_at = at;
    if (client->due.index == 0 || at < client->due.at) look_again(client, at);
}

void crowd_client_welcome(struct crowd_client *client)
{
    client->attempts = 0;
    client->ping_at = client->crowd->now;
    client->again_at = 0;
    client->phase = CROWD_IDLE;
    crowd_client_ask(client);
    look_again(client, client->ping_at);
}

void crowd_client_open(struct crowd_client *client)
{
    struct crowd *crowd = client->crowd;
    client->ws = (struct ws_client){
        .socket.fd = -1, .seat = -1, .port = crowd->plan.port, .heard = crowd_heard};
    strcpy(client->ws.host, "127.0.0.1");
    client->phase = CROWD_AWAY;
    look_again(client, crowd->now + crowd_draw(crowd, OPENING_MS));
}

/* ---- the line -------------------------------------------------------------------------------- */

static void enter_phase(struct crowd_client *client, enum crowd_phase phase)
{
    client->phase = phase;
    client->phase_since = client->heard_at = client->crowd->now;
}

static void wish(struct crowd_client *client, int operation)
{
    uint32_t interest = client->deaf ? 0 : EPOLLIN;
    if (client->ws.socket.out.len || client->phase == CROWD_SHAKING) interest |= EPOLLOUT;
    if (operation == EPOLL_CTL_MOD && interest == client->interest) return;
    struct epoll_event event = {.events = interest, .data.ptr = client};
    client->interest = interest;
    CHECK(epoll_ctl(client->crowd->epoll, operation, client->ws.socket.fd, &event) == 0);
}

/* 0.2 s doubling to 5 s, each spread over its upper half. */
static instant_ms backoff(struct crowd_client *client)
{
    int doublings = client->attempts < 5 ? client->attempts : 5;
    uint32_t full = (uint32_t)BACKOFF_FIRST_MS << doublings;
    if (full > BACKOFF_MOST_MS) full = BACKOFF_MOST_MS;
    uint32_t pause = full / 2 + crowd_draw(client->crowd, full / 2 + 1);
    client->attempts++;
    return pause < BACKOFF_FIRST_MS ? BACKOFF_FIRST_MS : pause;
}

static void lose(struct crowd_client *client, instant_ms pause)
{
    struct crowd *crowd = client->crowd;
    if (client->phase == CROWD_SEATED) {
        client->lost_at = crowd->now;
        crowd->counts.lost_connections++;
    }
    ws_cut(&client->ws);
    enter_phase(client, CROWD_AWAY);
    client->again_at = client->move_at = 0;
    client->deaf = false;
    look_again(client, crowd->now + pause);
}

static void connect_now(struct crowd_client *client)
{
    struct ws_client *ws = &client->ws;
    char from[32];
    snprintf(from, sizeof from, "127.0.1.%d", 1 + client->index % ADDRESSES);
    enter_phase(client, CROWD_SHAKING);
    if (!ws_socket_begin(&ws->socket, from, ws->host, ws->port, "/ws")) {
        lose(client, backoff(client));
        return;
    }
    wish(client, EPOLL_CTL_ADD);
    look_again(client, client->crowd->now + HANDSHAKE_MS);
}

static void shake(struct crowd_client *client)
{
    int shaken = ws_socket_shake(&client->ws.socket);
    if (shaken == 0) return;
    if (shaken < 0) {
        lose(client, backoff(client));
        return;
    }
    enter_phase(client, CROWD_GREETING);
    ws_say_hello(&client->ws);
}

void crowd_client_ready(struct crowd_client *client, uint32_t events)
{
    if (client->ws.socket.fd < 0) return; /* cut in this very turn */
    if (client->deaf && (events & (EPOLLHUP | EPOLLERR))) {
        lose(client, backoff(client));
        return;
    }
    if (client->phase == CROWD_SHAKING) shake(client);
    if (client->phase > CROWD_SHAKING) {
        int got = ws_socket_flush(&client->ws.socket) ? 1 : -1;
        for (int i = 0; got == 1 && !client->deaf && i < MESSAGES_MAX; i++)
            got = ws_pump(&client->ws, 0);
        if (got < 0 && client->phase > CROWD_SHAKING) lose(client, backoff(client));
    }
    if (client->ws.socket.fd >= 0) wish(client, EPOLL_CTL_MOD);
}

void crowd_client_move(struct crowd_client *client, instant_ms at)
{
    client->move_at = at;
    if (client->due.index == 0 || at < client->due.at) look_again(client, at);
}

void crowd_client_deaf(struct crowd_client *client, bool deaf)
{
    client->deaf = deaf;
    client->heard_at = client->crowd->now;
    if (client->ws.socket.fd >= 0) wish(client, EPOLL_CTL_MOD);
}

/* ---- what is due ----------------------------------------------------------------------------- */

static void ping(struct crowd_client *client)
{
    struct client_frame frame = {.kind = CLIENT_PING, .u.client_ms = client->crowd->now};
    client->ping_at = client->crowd->now + PING_MS;
    ws_send(&client->ws, &frame);
}

static instant_ms sooner(instant_ms a, instant_ms b)
{
    return a < b ? a : b;
}

/* Whoever does not read hears nothing, and does not take that for the end. */
static void keep_up(struct crowd_client *client)
{
    instant_ms now = client->crowd->now;
    if (now - client->heard_at >= SILENCE_MS && !client->deaf) {
        lose(client, backoff(client));
        return;
    }
    if (client->move_at && now >= client->move_at) {
        lose(client, 0);
        return;
    }
    if (now >= client->ping_at) ping(client);
    if (client->again_at && now >= client->again_at) {
        client->again_at = 0;
        if (client->phase == CROWD_IDLE) crowd_client_ask(client);
        if (client->phase == CROWD_SEATED && client->waits) ws_repeat_act(&client->ws);
    }
    if (client->ws.socket.fd < 0) { /* what was sent found it closed */
        lose(client, backoff(client));
        return;
    }
    wish(client, EPOLL_CTL_MOD);
    instant_ms next = sooner(client->ping_at, client->heard_at + SILENCE_MS);
    if (client->deaf) next = client->ping_at;
    if (client->move_at) next = sooner(next, client->move_at);
    look_again(client, client->again_at ? sooner(next, client->again_at) : next);
}

void crowd_client_due(struct crowd_client *client)
{
    switch (client->phase) {
    case CROWD_AWAY: connect_now(client); return;
    case CROWD_SHAKING:
    case CROWD_GREETING:
        if (client->crowd->now - client->phase_since >= HANDSHAKE_MS)
            lose(client, backoff(client));
        else
            look_again(client, client->phase_since + HANDSHAKE_MS);
        return;
    case CROWD_IDLE:
    case CROWD_ENTERING:
    case CROWD_SEATED: keep_up(client); return;
    }
}

/* ---- what is said ---------------------------------------------------------------------------- */

static const struct option_pair baseball_options[] = {{"guesses", 20}, {"hints", 0}};
static const struct option_pair keen_options[] = {{"guessLimit", 0}, {"hints", 0}};
static const struct option_pair davinci_options[] = {{"turnSeconds", 20}};

static void make_room(struct crowd_client *client, const char *name)
{
    const struct crowd_room *room = client->room;
    const struct option_pair *options = NULL;
    int count = 0;
    if (room->keen) { /* long games: it acts often */
        options = keen_options;
        count = sizeof keen_options / sizeof *keen_options;
    } else if (!strcmp(room->game, "number-baseball")) {
        options = baseball_options;
        count = sizeof baseball_options / sizeof *baseball_options;
    } else if (!strcmp(room->game, "davinci-code")) {
        options = davinci_options;
        count = sizeof davinci_options / sizeof *davinci_options;
    }
    ws_say_create(&client->ws, room->game, name, options, count);
}

void crowd_client_ask(struct crowd_client *client)
{
    char name[32];
    snprintf(name, sizeof name, "p%d", client->index);
    enter_phase(client, CROWD_ENTERING);
    if (client->ws.code[0]) {
        client->crowd->counts.returns++;
        ws_say_return(&client->ws);
    } else if (client->room->code[0]) {
        ws_say_join(&client->ws, client->room->code, name);
    } else if (client == client->room->clients) {
        make_room(client, name);
    } else {
        enter_phase(client, CROWD_IDLE);
    }
}

static void remember(struct crowd_client *client, uint64_t counter, uint64_t hash)
{
    CHECK(counter > client->acts_base && counter <= client->acts_base + client->act_count + 1);
    size_t at = (size_t)(counter - client->acts_base - 1);
    if (at == client->act_room) {
        client->act_room = client->act_room ? 2 * client->act_room : 16;
        client->acts = realloc(client->acts, client->act_room * sizeof *client->acts);
        CHECK(client->acts);
    }
    client->acts[at].hash = hash;
    client->act_count = at + 1;
}

/* The room counts otherwise than we do: what waits is the action of another counter now. */
bool crowd_client_recount(struct crowd_client *client, uint64_t counter)
{
    struct ws_client *ws = &client->ws;
    bool known =
        counter > client->acts_base && counter <= client->acts_base + client->act_count + 1;
    if (!known) return false;
    ws->counter = counter - 1;
    remember(client, counter, crowd_act_hash(ws->act.command, buf_slice(&ws->act.bytes)));
    return true;
}

void crowd_client_act(struct crowd_client *client, bool command, struct slice bytes)
{
    struct crowd *crowd = client->crowd;
    remember(client, client->ws.counter + 1, crowd_act_hash(command, bytes));
    client->waits = true;
    client->tries = 0;
    client->sent_at = crowd->now;
    ws_send_act(&client->ws, command, bytes);
    if (client->ws.socket.fd < 0)
        lose(client, backoff(client));
    else
        wish(client, EPOLL_CTL_MOD);
}
