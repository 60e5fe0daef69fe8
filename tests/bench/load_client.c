/* SPDX-License-Identifier: Apache-2.0
 *
 * One person's connection, as services/web/src/net/link.ts has it: up to the seat, and back there.
 */
#include "bench/load.h"

#include "base/check.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/epoll.h>

enum {
    BACKOFF_FIRST_MS = 200,
    BACKOFF_MOST_MS = 5000,
    HANDSHAKE_MS = 7000,
    ASK_AGAIN_MS = 300,
    HOUSE = 64, /* people who come from one address: what a gateway takes from one is bounded */
    LOOPBACK = 127,
    PING_MS = 5000, /* while nothing is heard */
    LATE_MS = 3000, /* the gateway's ping is awaited so much longer than it said */
};

static uint64_t now_ms(const struct load_client *client)
{
    return client->load->now_us / 1000;
}

static void enter_state(struct load_client *client, enum load_state state)
{
    struct load_share *share = client->load->share;
    share->seated += (uint64_t)(state == LOAD_SEATED) - (uint64_t)(client->state == LOAD_SEATED);
    client->state = state;
    client->since_ms = now_ms(client);
}

void load_client_open(struct load_client *client, struct load *load, struct load_room *room,
                      uint32_t index)
{
    *client = (struct load_client){
        .line.fd = -1, .load = load, .room = room, .index = index, .seat = -1, .due.key = index};
    double part = (double)index / (double)load->client_count;
    heap_set(&load->due, &client->due,
             load->now_us / 1000 + (uint64_t)(part * 1e3 * load->plan->ramp_s));
}

/* ---- the line -------------------------------------------------------------------------------- */

static void wish(struct load_client *client, int operation)
{
    uint32_t interest = EPOLLIN | (client->line.wants_room ? EPOLLOUT : 0);
    if (operation == EPOLL_CTL_MOD && interest == client->interest) return;
    struct epoll_event event = {.events = interest, .data.ptr = client};
    client->interest = interest;
    CHECK(epoll_ctl(client->load->epoll, operation, client->line.fd, &event) == 0);
}

/* 0.2 s doubling to 5 s, each spread over its upper half. */
static uint32_t backoff(struct load_client *client)
{
    uint32_t full = (uint32_t)BACKOFF_FIRST_MS << (client->tries < 5 ? client->tries : 5);
    if (full > BACKOFF_MOST_MS) full = BACKOFF_MOST_MS;
    client->tries++;
    return full / 2 + load_draw(client->load, full / 2);
}

void load_client_lose(struct load_client *client, enum load_error why, bool at_once)
{
    struct load *load = client->load;
    if (client->state == LOAD_SEATED) client->lost_us = load->now_us;
    if (client->state > LOAD_SHAKING) load->share->connected--;
    if (why != LOAD_ERROR_COUNT) load_error(load, why);
    line_cut(&client->line);
    enter_state(client, LOAD_AWAY);
    heap_set(&load->due, &client->due, now_ms(client) + (at_once ? 0 : backoff(client)));
}

/* Another address of this machine for each house: so ports do not run out, and nobody is taken for
 * one house with thousands of phones. None where the way leads off this machine. */
static uint32_t source(const struct load_client *client, const struct load_target *target)
{
    if (ntohl(target->address) >> 24 != LOOPBACK) return 0;
    uint32_t house = client->index / HOUSE, process = (uint32_t)client->load->process;
    return htonl((uint32_t)LOOPBACK << 24 | (process + 1) << 16 | (house / 250 + 1) << 8 |
                 (house % 250 + 1));
}

static void connect_now(struct load_client *client)
{
    const struct load_plan *plan = client->load->plan;
    uint32_t at = (client->index + (uint32_t)client->tries) % (uint32_t)plan->target_count;
    const struct load_target *target = &plan->targets[at];
    enter_state(client, LOAD_SHAKING);
    if (!line_begin(&client->line, source(client, target), target->address, target->port,
                    target->host)) {
        load_client_lose(client, LOAD_ERROR_CONNECT, false);
        return;
    }
    wish(client, EPOLL_CTL_ADD);
    heap_set(&client->load->due, &client->due, now_ms(client) + HANDSHAKE_MS);
}

bool load_client_say(struct load_client *client, const struct client_frame *frame)
{
    static struct buf bytes;
    struct load *load = client->load;
    buf_clear(&bytes);
    client_frame_encode(frame, &bytes);
    size_t len = line_send(&client->line, buf_slice(&bytes));
    if (len == 0) {
        load_client_lose(client, LOAD_ERROR_LOST, false);
        return false;
    }
    wish(client, EPOLL_CTL_MOD);
    int kind = frame->kind == CLIENT_ACT ? LOAD_ACTS : LOAD_REST_UP;
    if (load_measures(load)) load->share->figures.traffic[kind].frames++;
    if (load_measures(load)) load->share->figures.traffic[kind].bytes += len;
    return true;
}

static void greet(struct load_client *client)
{
    struct client_frame frame = {.kind = CLIENT_HELLO};
    frame.u.hello = (struct client_hello){
        .protocol = CLIENT_PROTOCOL,
        .token = slice_of(client->token, client->token_len),
        .window = client->load->plan->seed + client->index,
        .line = ++client->hellos,
    };
    client->load->share->connected++;
    enter_state(client, LOAD_GREETING);
    load_client_say(client, &frame);
}

void load_client_ready(struct load_client *client)
{
    if (client->line.fd < 0) return; /* cut in this very turn */
    bool shaking = client->state == LOAD_SHAKING;
    bool well = line_ready(&client->line, load_heard, client);
    if (client->state == LOAD_AWAY) return; /* lost while something was said */
    if (!well) {
        load_client_lose(client, shaking ? LOAD_ERROR_CONNECT : LOAD_ERROR_LOST, false);
        return;
    }
    if (shaking && client->line.open) greet(client);
    if (client->line.fd >= 0) wish(client, EPOLL_CTL_MOD);
}

/* ---- the room -------------------------------------------------------------------------------- */

static void create(struct load_client *client, const char *name)
{
    struct client_frame frame = {.kind = CLIENT_CREATE};
    frame.u.create = (struct client_create){.game = client->load->plan->game, .name = name};
    load_client_say(client, &frame);
}

static void join(struct load_client *client, const char *name)
{
    struct client_frame frame = {.kind = CLIENT_JOIN};
    bool back = client->seat >= 0;
    frame.u.join = (struct client_join){
        .code = client->room->code,
        .name = name,
        .have = client->version,
        .generation = back ? client->generation : 0,
    };
    if (back && load_measures(client->load)) client->load->share->figures.returns++;
    load_client_say(client, &frame);
}

void load_client_ask(struct load_client *client)
{
    char name[16];
    snprintf(name, sizeof name, "p%u", client->index % 100000);
    if (!client->room->code[0] && client != client->room->clients) {
        enter_state(client, LOAD_WAITING); /* until whoever makes the room has */
        heap_remove(&client->load->due, &client->due);
        return;
    }
    enter_state(client, LOAD_ENTERING);
    heap_set(&client->load->due, &client->due, now_ms(client) + HANDSHAKE_MS);
    if (client->room->code[0])
        join(client, name);
    else
        create(client, name);
}

void load_client_retry(struct load_client *client)
{
    enter_state(client, LOAD_WAITING);
    heap_set(&client->load->due, &client->due,
             now_ms(client) + ASK_AGAIN_MS + load_draw(client->load, ASK_AGAIN_MS));
}

/* ---- what is due ----------------------------------------------------------------------------- */

void load_client_due(struct load_client *client)
{
    switch (client->state) {
    case LOAD_AWAY: connect_now(client); return;
    case LOAD_SHAKING:
    case LOAD_GREETING: load_client_lose(client, LOAD_ERROR_CONNECT, false); return;
    case LOAD_ENTERING: load_client_lose(client, LOAD_ERROR_ENTRY, false); return;
    case LOAD_WAITING: load_client_ask(client); return;
    case LOAD_SEATED: return;
    }
}

void load_client_alive(struct load_client *client)
{
    client->ping_at_ms = now_ms(client) + client->every_ms + LATE_MS;
}

void load_client_look(struct load_client *client)
{
    if (client->state < LOAD_WAITING || now_ms(client) < client->ping_at_ms) return;
    struct client_frame frame = {.kind = CLIENT_PING, .u.client_ms = now_ms(client)};
    client->ping_at_ms = now_ms(client) + PING_MS;
    load_client_say(client, &frame);
}
