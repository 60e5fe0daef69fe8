/* SPDX-License-Identifier: Apache-2.0
 *
 * WebSockets: whole binary messages into the core, what it sends out in order. The core knows when
 * a socket has taken everything, and never lets much wait.
 *
 * What a turn of the loop has for a socket is written at its end, in one call, and without asking
 * first whether the socket is writable: that costs as much as writing. Only after CREDIT_BYTES is
 * the kernel asked, which says no while too much of it is unsent (shell_door.c).
 */
#include "base/check.h"
#include "gateway/edge.h"
#include "ops/system.h"
#include "wire/client_wire.h"

#include <stdlib.h>

enum {
    CLOSE_S = 5,
    CLOSE_TEXT_MAX = 100,
    AFTER_CLOSE_MAX = 64,
    CREDIT_BYTES = 16 << 10,
    SMALL_BYTES = 320, /* most frames: their memory is used again, */
    SPARES_MAX = 1024, /* of so many at once; */
    FEW = 4,           /* beyond, a slow socket's messages take what they need and no more */
    HEAD_MAX = 10,     /* of a frame that a server sends */
    FINAL_BINARY = 0x80 | 2,
    FINAL_CLOSE = 0x80 | 8,
};

/* ---- coming and going ------------------------------------------------------------------------ */

int socket_on_open(struct edge *edge, struct visit *visit, struct lws *wsi)
{
    char address[IP_TEXT_BYTES];
    struct ip ip = ip_customer(guest_ip(edge, wsi));
    ip_write(&ip, address);
    *visit = (struct visit){
        .wsi = wsi, .socket = ++edge->last_socket, .credit = CREDIT_BYTES, .told_writable = true};
    visit->end = &visit->first;
    map_put(&edge->visits, visit->socket, visit);
    struct event event = {.kind = EVENT_SOCKET_OPEN, .socket = visit->socket, .address = address};
    shell_step(edge->shell, &event);
    return 0;
}

static struct message *new_message(struct edge *edge, const struct visit *visit, size_t len)
{
    bool small = len <= SMALL_BYTES && visit->waiting < FEW;
    struct message *message = edge->spares;
    if (message && small) {
        edge->spares = message->next;
        edge->spare_count--;
    } else {
        size_t room = small ? SMALL_BYTES : len;
        message = malloc(sizeof *message + room);
        CHECK(message != NULL);
        message->room = room;
    }
    message->next = NULL;
    message->len = 0;
    return message;
}

static void free_message(struct edge *edge, struct message *message)
{
    if (message->room != SMALL_BYTES || edge->spare_count == SPARES_MAX) {
        free(message);
        return;
    }
    message->next = edge->spares;
    edge->spares = message;
    edge->spare_count++;
}

static void drop_messages(struct edge *edge, struct visit *visit)
{
    while (visit->first) {
        struct message *message = visit->first;
        visit->first = message->next;
        free_message(edge, message);
    }
    visit->end = &visit->first;
    visit->waiting = 0;
}

void socket_on_closed(struct edge *edge, struct visit *visit)
{
    if (visit->socket == 0) return;
    uint64_t socket = visit->socket;
    map_remove(&edge->visits, socket);
    drop_messages(edge, visit);
    free(visit->partial);
    *visit = (struct visit){0};
    struct event event = {.kind = EVENT_SOCKET_CLOSED, .socket = socket};
    shell_step(edge->shell, &event);
}

/* ---- in -------------------------------------------------------------------------------------- */

static int end_with(struct visit *visit, enum gateway_close code, const char *text)
{
    lws_close_reason(visit->wsi, (enum lws_close_status)code, (unsigned char *)text, strlen(text));
    return -1;
}

static void deliver(struct edge *edge, struct visit *visit, const uint8_t *bytes, size_t len)
{
    struct event event = {.kind = EVENT_SOCKET_FRAME,
                          .wall_s = clock_wall_s(),
                          .socket = visit->socket,
                          .frame = slice_of(bytes, len)};
    shell_step(edge->shell, &event);
}

int socket_on_bytes(struct edge *edge, struct visit *visit, const uint8_t *bytes, size_t len)
{
    if (visit->closing) {
        /* Its answer is waited for, but not behind a flood. (To stop reading is no way to hold one
         * up: with TLS, libwebsockets 4.1 then turns for ever round what is decrypted.) */
        return visit->said_close && ++visit->after_close > AFTER_CLOSE_MAX ? -1 : 0;
    }
    bool last = lws_is_final_fragment(visit->wsi) && lws_remaining_packet_payload(visit->wsi) == 0;
    if (!lws_frame_is_binary(visit->wsi))
        return end_with(visit, GATEWAY_CLOSE_TEXT, "binary messages only");
    /* Pieces may be empty. */
    bool many = !last && ++visit->pieces > CLIENT_FRAME_BYTES_MAX;
    if (visit->partial_len + len > CLIENT_FRAME_BYTES_MAX || many)
        return end_with(visit, GATEWAY_CLOSE_TOO_LARGE, "message too large");
    if (last && visit->partial == NULL) {
        deliver(edge, visit, bytes, len);
        return 0;
    }
    uint8_t *longer = realloc(visit->partial, visit->partial_len + len + 1);
    CHECK(longer != NULL);
    if (len) memcpy(longer + visit->partial_len, bytes, len);
    visit->partial = longer;
    visit->partial_len += len;
    if (!last) return 0;
    /* An idle connection keeps no buffer. */
    size_t whole_len = visit->partial_len;
    visit->partial = NULL;
    visit->partial_len = 0;
    visit->pieces = 0;
    deliver(edge, visit, longer, whole_len);
    free(longer);
    return 0;
}

/* ---- out ------------------------------------------------------------------------------------- */

/* RFC 6455, 5.2: a final frame of binary data, not masked. */
static size_t write_head(uint8_t *at, size_t len)
{
    at[0] = FINAL_BINARY;
    if (len < 126) {
        at[1] = (uint8_t)len;
        return 2;
    }
    size_t width = len <= UINT16_MAX ? 2 : 8;
    at[1] = width == 2 ? 126 : 127;
    for (size_t i = 0; i < width; i++) at[2 + i] = (uint8_t)((uint64_t)len >> 8 * (width - 1 - i));
    return 2 + width;
}

static void on_due(uv_idle_t *due)
{
    (void)due; /* the turn ends with what it has for sockets */
}

static void queue(struct edge *edge, struct visit *visit)
{
    if (visit->queued) return;
    visit->queued = true;
    if (edge->writes.count == edge->writes.room) {
        edge->writes.room = edge->writes.room ? 2 * edge->writes.room : 64;
        size_t bytes = edge->writes.room * sizeof *edge->writes.sockets;
        edge->writes.sockets = realloc(edge->writes.sockets, bytes);
        CHECK(edge->writes.sockets != NULL);
    }
    edge->writes.sockets[edge->writes.count++] = visit->socket;
    uv_idle_start(&edge->writes.due, on_due);
}

static void send_message(struct edge *edge, struct visit *visit, struct slice frame)
{
    CHECK(visit->waiting < GATEWAY_MESSAGES_MAX); /* the core closes it before */
    struct message *message = new_message(edge, visit, HEAD_MAX + frame.len);
    message->len = write_head(message->bytes, frame.len);
    memcpy(message->bytes + message->len, frame.at, frame.len);
    message->len += frame.len;
    *visit->end = message;
    visit->end = &message->next;
    visit->waiting++;
    visit->told_writable = false;
    queue(edge, visit);
}

void socket_carry(struct edge *edge, const struct effect *effect)
{
    struct visit *visit = map_get(&edge->visits, effect->socket);
    if (visit == NULL || visit->closing) return;
    if (effect->kind == EFFECT_SOCKET_SEND) {
        send_message(edge, visit, effect->frame);
        return;
    }
    visit->closing = true;
    visit->close_code = effect->close_code;
    visit->close_text = effect->text;
    lws_callback_on_writable(visit->wsi);
    lws_set_timeout(visit->wsi, PENDING_TIMEOUT_USER_OK, CLOSE_S); /* it may never be writable */
}

/* What returns -1 from here is cut without a word, so the closing frame is written by hand; the
 * browser's answer to it, or CLOSE_S, ends the connection. */
static int say_close(struct visit *visit)
{
    uint8_t room[LWS_PRE + 4 + CLOSE_TEXT_MAX], *at = room + LWS_PRE;
    size_t len = strnlen(visit->close_text, CLOSE_TEXT_MAX);
    if (visit->said_close) return 0;
    visit->said_close = true;
    at[0] = FINAL_CLOSE;
    at[1] = (uint8_t)(2 + len);
    at[2] = (uint8_t)(visit->close_code >> 8);
    at[3] = (uint8_t)visit->close_code;
    memcpy(at + 4, visit->close_text, len);
    return lws_write(visit->wsi, at, 4 + len, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

static size_t take_first(struct edge *edge, struct visit *visit, uint8_t *into)
{
    struct message *message = visit->first;
    size_t len = message->len;
    memcpy(into, message->bytes, len);
    visit->first = message->next;
    if (visit->first == NULL) visit->end = &visit->first;
    visit->waiting--;
    free_message(edge, message);
    return len;
}

/* libwebsockets has found a fault, or heard the other side's last word, and closes: nothing may
 * follow its closing frame (RFC 6455, 5.5.1). */
static bool ends(const struct visit *visit)
{
    return lws_get_close_length(visit->wsi) > 0;
}

static bool may_not_write(const struct visit *visit)
{
    return visit->credit == 0 || lws_partial_buffered(visit->wsi);
}

/* As much as may go now, in as few calls as possible. False: the connection is broken. */
static bool write_all(struct edge *edge, struct visit *visit)
{
    static uint8_t room[LWS_PRE + SERVER_FRAME_BYTES_MAX + HEAD_MAX];
    while (visit->first && !may_not_write(visit)) {
        size_t len = 0;
        while (visit->first && len + visit->first->len <= sizeof room - LWS_PRE)
            len += take_first(edge, visit, room + LWS_PRE + len);
        CHECK(len > 0);
        if (lws_write(visit->wsi, room + LWS_PRE, len, LWS_WRITE_RAW) < (int)len) return false;
        visit->credit -= len < visit->credit ? (uint32_t)len : visit->credit;
    }
    return true;
}

/* Tells the core of sockets that have taken everything. */
static void tell_written(struct edge *edge, const uint64_t *sockets, size_t count)
{
    struct event event = {.kind = EVENT_SOCKET_WRITABLE, .sockets = sockets, .count = (int)count};
    if (count > 0) shell_step(edge->shell, &event);
}

int socket_on_writable(struct edge *edge, struct visit *visit)
{
    if (visit->broken) return -1;
    if (ends(visit)) return 0;
    visit->credit = CREDIT_BYTES;
    if (!write_all(edge, visit)) return -1;
    if (may_not_write(visit)) {
        lws_callback_on_writable(visit->wsi);
        return 0;
    }
    if (visit->closing) return say_close(visit);
    uint64_t socket = visit->socket;
    bool news = !visit->told_writable;
    visit->told_writable = true;
    tell_written(edge, &socket, news);
    return 0;
}

/* ---- the end of a turn ----------------------------------------------------------------------- */

/* Outside of libwebsockets' callbacks: what cannot be done here is done when it calls. True: all
 * that waited is written, and the core has not been told. */
static bool write_queued(struct edge *edge, struct visit *visit)
{
    visit->queued = false;
    if (ends(visit)) return false;
    visit->broken = visit->broken || !write_all(edge, visit);
    if (visit->broken || visit->closing || may_not_write(visit)) {
        lws_callback_on_writable(visit->wsi);
        return false;
    }
    bool news = !visit->told_writable;
    visit->told_writable = true;
    return news;
}

/* Who has taken everything may be given what was held back meanwhile. */
static void on_turn(uv_prepare_t *turn)
{
    struct edge *edge = turn->data;
    while (edge->writes.count > 0) {
        size_t count = edge->writes.count, written = 0;
        uint64_t *sockets = edge->writes.sockets;
        for (size_t i = 0; i < count; i++) {
            struct visit *visit = map_get(&edge->visits, sockets[i]);
            if (visit && write_queued(edge, visit)) sockets[written++] = sockets[i];
        }
        edge->writes.count = 0; /* the core reads the list before anything is added to it */
        tell_written(edge, sockets, written);
    }
    uv_idle_stop(&edge->writes.due);
}

void sockets_open(struct edge *edge)
{
    CHECK(uv_prepare_init(&edge->shell->loop, &edge->writes.turn) == 0);
    CHECK(uv_idle_init(&edge->shell->loop, &edge->writes.due) == 0);
    edge->writes.turn.data = edge;
    CHECK(uv_prepare_start(&edge->writes.turn, on_turn) == 0);
    uv_unref((uv_handle_t *)&edge->writes.turn);
}

void sockets_close(struct edge *edge)
{
    if (edge->writes.turn.data == NULL) return;
    uv_close((uv_handle_t *)&edge->writes.turn, NULL);
    uv_close((uv_handle_t *)&edge->writes.due, NULL);
    free(edge->writes.sockets);
    while (edge->spares) {
        struct message *message = edge->spares;
        edge->spares = message->next;
        free(message);
    }
    edge->writes.turn.data = NULL;
    edge->writes.sockets = NULL;
    edge->writes.count = edge->writes.room = 0;
    edge->spare_count = 0;
}
