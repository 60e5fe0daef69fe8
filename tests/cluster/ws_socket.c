/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ws_socket.h"

#include "ops/system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_BYTES_MAX = 1 << 20, HEAD_BYTES_MAX = 16 << 10 };

/* ---- bytes ----------------------------------------------------------------------------------- */

static int dial(const char *from, const char *host, int port, int window, int kind)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in own = {.sin_family = AF_INET};
    if (inet_pton(AF_INET, host, &at.sin_addr) != 1) return -1;
    if (from && inet_pton(AF_INET, from, &own.sin_addr) != 1) return -1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | kind, 0), on = 1;
    if (fd < 0) return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    /* An address of one's own takes no port before it is known where to: thousands fit on it. */
    if (from) setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (window) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
    bool bound = !from || bind(fd, (struct sockaddr *)&own, sizeof own) == 0;
    if (bound && connect(fd, (struct sockaddr *)&at, sizeof at) == 0) return fd;
    if (bound && kind == SOCK_NONBLOCK && errno == EINPROGRESS) return fd;
    close(fd);
    return -1;
}

int socket_dial(const char *from, const char *host, int port, int window)
{
    return dial(from, host, port, window, 0);
}

bool socket_put(int fd, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    while (len) {
        ssize_t sent = send(fd, at, len, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += sent;
        len -= (size_t)sent;
    }
    return true;
}

/* 1: more came; 0: nothing in time; -1: the end. */
static int fill(int fd, struct buf *in, instant_ms until)
{
    instant_ms now = clock_boot_ms();
    struct pollfd one = {.fd = fd, .events = POLLIN};
    if (until > now && poll(&one, 1, (int)(until - now)) == 0) return 0;
    uint8_t bytes[16384];
    ssize_t got = recv(fd, bytes, sizeof bytes, until > now ? 0 : MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got <= 0) return -1;
    buf_put(in, bytes, (size_t)got);
    return 1;
}

static void use(struct buf *in, size_t len)
{
    memmove(in->at, in->at + len, in->len - len);
    in->len -= len;
}

/* ---- HTTP ------------------------------------------------------------------------------------ */

/* The length of the head, its empty line included; 0: it has not come. */
static size_t read_head(int fd, struct buf *in, instant_ms until)
{
    for (;;) {
        const uint8_t *end = in->len ? memmem(in->at, in->len, "\r\n\r\n", 4) : NULL;
        if (end) return (size_t)(end - in->at) + 4;
        if (in->len > HEAD_BYTES_MAX || fill(fd, in, until) <= 0) return 0;
    }
}

static int status_of(const struct buf *in)
{
    char line[16] = "";
    if (in->len < 12) return 0;
    memcpy(line, in->at, 12);
    return strncmp(line, "HTTP/1.", 7) == 0 ? (int)strtol(line + 9, NULL, 10) : 0;
}

int http_get(const char *host, int port, const char *request, struct buf *answer, int timeout_ms)
{
    int fd = socket_dial(NULL, host, port, 0);
    if (fd < 0) return 0;
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    buf_clear(answer);
    if (socket_put(fd, request, strlen(request)))
        while (fill(fd, answer, until) == 1) continue;
    close(fd);
    return status_of(answer);
}

int ws_socket_request(char *into, size_t size, const char *host, int port, const char *path,
                      const char *origin)
{
    char origin_line[256] = "";
    if (origin) snprintf(origin_line, sizeof origin_line, "Origin: %s\r\n", origin);
    return snprintf(into, size,
                    "GET %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: Upgrade\r\n"
                    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
                    path, host, port, origin_line);
}

/* Whether the head says that it is a WebSocket from here on; uses it up. */
static bool accepts(struct ws_socket *socket, size_t head)
{
    static const char expected[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    if (socket->http_status != 101) return false;
    if (!memmem(socket->in.at, head, expected, sizeof expected - 1)) return false;
    use(&socket->in, head);
    return true;
}

bool ws_socket_open(struct ws_socket *out, const char *host, int port, const char *path,
                    const char *origin, int timeout_ms)
{
    return ws_socket_open_on(out, socket_dial(NULL, host, port, 0), host, port, path, origin,
                             timeout_ms);
}

bool ws_socket_open_on(struct ws_socket *out, int fd, const char *host, int port, const char *path,
                       const char *origin, int timeout_ms)
{
    char request[1024];
    *out = (struct ws_socket){.fd = fd};
    if (out->fd < 0) return false;
    int len = ws_socket_request(request, sizeof request, host, port, path, origin);
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    size_t head = 0;
    if (socket_put(out->fd, request, (size_t)len)) head = read_head(out->fd, &out->in, until);
    if (head) out->http_status = status_of(&out->in);
    if (accepts(out, head)) return true;
    ws_socket_cut(out);
    return false;
}

bool ws_socket_begin(struct ws_socket *out, const char *from, const char *host, int port,
                     const char *path)
{
    char request[1024];
    *out = (struct ws_socket){.fd = dial(from, host, port, 0, SOCK_NONBLOCK), .flows = true};
    int len = ws_socket_request(request, sizeof request, host, port, path, NULL);
    if (out->fd >= 0) buf_put(&out->out, request, (size_t)len);
    return out->fd >= 0;
}

int ws_socket_shake(struct ws_socket *socket)
{
    if (!ws_socket_flush(socket)) return -1;
    const uint8_t *end = NULL;
    int got = 1;
    while (!end && got == 1 && socket->in.len <= HEAD_BYTES_MAX) {
        if (socket->in.len) end = memmem(socket->in.at, socket->in.len, "\r\n\r\n", 4);
        if (!end) got = fill(socket->fd, &socket->in, 0);
    }
    if (!end && got == 0) return 0;
    if (end) socket->http_status = status_of(&socket->in);
    if (end && accepts(socket, (size_t)(end - socket->in.at) + 4)) return 1;
    ws_socket_cut(socket);
    return -1;
}

/* A connection that is not there yet takes nothing, and says so as one that is full does. */
bool ws_socket_flush(struct ws_socket *socket)
{
    while (socket->fd >= 0 && socket->out.len) {
        ssize_t sent = send(socket->fd, socket->out.at, socket->out.len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN)) break;
        if (sent <= 0)
            ws_socket_cut(socket);
        else
            use(&socket->out, (size_t)sent);
    }
    if (socket->out.len > WS_OUT_BYTES_MAX) ws_socket_cut(socket);
    return socket->fd >= 0;
}

void ws_socket_cut(struct ws_socket *socket)
{
    if (socket->fd >= 0) close(socket->fd);
    socket->fd = -1;
    buf_fini(&socket->in);
    buf_fini(&socket->message);
    buf_fini(&socket->out);
    socket->lent = false;
}

/* ---- WebSocket ------------------------------------------------------------------------------- */

bool ws_socket_send(struct ws_socket *socket, int kind, bool final, struct slice bytes)
{
    if (socket->fd < 0) return false;
    uint8_t mask[4];
    random_fill(mask, sizeof mask);
    struct buf frame = {0};
    buf_put_u8(&frame, (uint8_t)(kind | (final ? 0x80 : 0)));
    if (bytes.len < 126) {
        buf_put_u8(&frame, (uint8_t)(0x80 | bytes.len));
    } else if (bytes.len < 65536) {
        buf_put_u8(&frame, 0x80 | 126);
        buf_put_u8(&frame, (uint8_t)(bytes.len >> 8));
        buf_put_u8(&frame, (uint8_t)bytes.len);
    } else {
        buf_put_u8(&frame, 0x80 | 127);
        for (int shift = 56; shift >= 0; shift -= 8)
            buf_put_u8(&frame, (uint8_t)((uint64_t)bytes.len >> shift));
    }
    buf_put(&frame, mask, sizeof mask);
    for (size_t i = 0; i < bytes.len; i++) buf_put_u8(&frame, bytes.at[i] ^ mask[i % 4]);
    bool sent;
    if (socket->flows) {
        buf_put_slice(&socket->out, buf_slice(&frame));
        sent = ws_socket_flush(socket);
    } else {
        sent = socket_put(socket->fd, frame.at, frame.len);
    }
    buf_fini(&frame);
    return sent;
}

struct piece {
    int kind;
    bool final;
    size_t head, len;
};

/* Whether a whole frame lies at the start of what was read. */
static bool whole_frame(const struct buf *in, struct piece *out)
{
    if (in->len < 2) return false;
    *out = (struct piece){
        .kind = in->at[0] & 15, .final = in->at[0] & 0x80, .head = 2, .len = in->at[1] & 127};
    size_t more = out->len == 126 ? 2 : out->len == 127 ? 8 : 0;
    if (in->len < 2 + more) return false;
    if (more) out->len = 0;
    for (size_t i = 0; i < more; i++) out->len = out->len << 8 | in->at[2 + i];
    out->head += more;
    return in->len >= out->head + out->len;
}

/* Control frames; false: that was the last word. */
static bool on_control(struct ws_socket *socket, const struct piece *piece)
{
    const uint8_t *at = socket->in.at + piece->head;
    if (piece->kind == WS_PING)
        return ws_socket_send(socket, WS_PONG, true, slice_of(at, piece->len));
    if (piece->kind != WS_CLOSE) return true;
    if (piece->len >= 2) socket->close_code = at[0] << 8 | at[1];
    ws_socket_send(socket, WS_CLOSE, true, slice_of(at, piece->len < 2 ? 0 : 2));
    return false;
}

int ws_socket_receive(struct ws_socket *socket, int timeout_ms, struct slice *out)
{
    struct buf *message = &socket->message;
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    struct piece piece;
    if (socket->lent) buf_clear(message);
    socket->lent = false;
    while (socket->fd >= 0) {
        if (!whole_frame(&socket->in, &piece)) {
            int got = fill(socket->fd, &socket->in, until);
            if (got == 0) return 0;
            if (got < 0) break;
            continue;
        }
        if (piece.kind >= WS_CLOSE) {
            bool open = on_control(socket, &piece);
            if (socket->fd < 0) break; /* its answer could not be sent */
            use(&socket->in, piece.head + piece.len);
            if (!open) break;
            continue;
        }
        if (message->len + piece.len > MESSAGE_BYTES_MAX) break;
        buf_put(message, socket->in.at + piece.head, piece.len);
        use(&socket->in, piece.head + piece.len);
        if (!piece.final) continue;
        *out = buf_slice(message);
        socket->lent = true;
        return 1;
    }
    ws_socket_cut(socket);
    return -1;
}
