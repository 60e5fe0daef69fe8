/* SPDX-License-Identifier: Apache-2.0
 *
 * WebSockets: whole binary messages into the core, what it sends out in order. The core knows when
 * a socket has taken everything, and never lets much wait.
 */
#include "base/check.h"
#include "gateway/edge.h"
#include "ops/system.h"
#include "wire/client_wire.h"

#include <stdlib.h>

enum { CLOSE_S = 5, CLOSE_TEXT_MAX = 100, AFTER_CLOSE_MAX = 64 };

/* ---- coming and going ------------------------------------------------------------------------ */

int socket_on_open(struct edge *edge, struct visit *visit, struct lws *wsi)
{
    char address[IP_TEXT_BYTES];
    struct ip ip = ip_customer(guest_ip(edge, wsi));
    ip_write(&ip, address);
    *visit = (struct visit){.wsi = wsi, .socket = ++edge->last_socket, .told_writable = true};
    visit->end = &visit->first;
    map_put(&edge->visits, visit->socket, visit);
    struct event event = {.kind = EVENT_SOCKET_OPEN, .socket = visit->socket, .address = address};
    shell_step(edge->shell, &event);
    return 0;
}

static void drop_messages(struct visit *visit)
{
    while (visit->first) {
        struct message *message = visit->first;
        visit->first = message->next;
        free(message);
    }
    visit->end = &visit->first;
    visit->waiting = 0;
}

void socket_on_closed(struct edge *edge, struct visit *visit)
{
    if (visit->socket == 0) return;
    uint64_t socket = visit->socket;
    map_remove(&edge->visits, socket);
    drop_messages(visit);
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
        /* Its answer is waited for, but not behind a flood. */
        if (++visit->after_close > AFTER_CLOSE_MAX) lws_rx_flow_control(visit->wsi, 0);
        return 0;
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

static void send_message(struct visit *visit, struct slice frame)
{
    CHECK(visit->waiting < GATEWAY_MESSAGES_MAX); /* the core closes it before */
    struct message *message = malloc(sizeof *message + LWS_PRE + frame.len);
    CHECK(message != NULL);
    message->next = NULL;
    message->len = frame.len;
    memcpy(message->room + LWS_PRE, frame.at, frame.len);
    *visit->end = message;
    visit->end = &message->next;
    visit->waiting++;
    visit->told_writable = false;
    lws_callback_on_writable(visit->wsi);
}

void socket_carry(struct edge *edge, const struct effect *effect)
{
    struct visit *visit = map_get(&edge->visits, effect->socket);
    if (visit == NULL || visit->closing) return;
    if (effect->kind == EFFECT_SOCKET_SEND) {
        send_message(visit, effect->frame);
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
    at[0] = 0x80 | 8; /* final, close */
    at[1] = (uint8_t)(2 + len);
    at[2] = (uint8_t)(visit->close_code >> 8);
    at[3] = (uint8_t)visit->close_code;
    memcpy(at + 4, visit->close_text, len);
    return lws_write(visit->wsi, at, 4 + len, LWS_WRITE_RAW) < 0 ? -1 : 0;
}

static bool write_first(struct visit *visit)
{
    struct message *message = visit->first;
    visit->first = message->next;
    if (visit->first == NULL) visit->end = &visit->first;
    visit->waiting--;
    int wrote = lws_write(visit->wsi, message->room + LWS_PRE, message->len, LWS_WRITE_BINARY);
    bool whole = wrote >= (int)message->len;
    free(message);
    return whole;
}

/* As much as the socket takes: another turn of the loop for each message costs more than the
 * message. */
int socket_on_writable(struct edge *edge, struct visit *visit)
{
    while (visit->first) {
        if (!write_first(visit)) return -1;
        if (lws_send_pipe_choked(visit->wsi)) {
            lws_callback_on_writable(visit->wsi);
            return 0;
        }
    }
    if (visit->closing) return say_close(visit);
    if (!visit->told_writable) {
        visit->told_writable = true;
        struct event event = {.kind = EVENT_SOCKET_WRITABLE, .socket = visit->socket};
        shell_step(edge->shell, &event);
    }
    return 0;
}
