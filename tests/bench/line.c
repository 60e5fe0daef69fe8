/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/line.h"

#include "base/hash.h"
#include "cluster/ws_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_BYTES_MAX = 8 << 10, REQUEST_BYTES_MAX = 512, MESSAGE_BYTES_MAX = 8 << 10 };

static uint8_t incoming[LINE_READ_BYTES];

/* ---- open and close -------------------------------------------------------------------------- */

static int dial(uint32_t from, uint32_t to, uint16_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = to};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = from};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd < 0) return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    /* The port is chosen once it is known where to: thousands fit on one address. */
    if (from) setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if ((!from || bind(fd, (struct sockaddr *)&own, sizeof own) == 0) &&
        (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 || errno == EINPROGRESS))
        return fd;
    close(fd);
    return -1;
}

bool line_begin(struct line *line, uint32_t from, uint32_t to, uint16_t port, const char *host)
{
    char request[REQUEST_BYTES_MAX];
    line_cut(line);
    line->fd = dial(from, to, port);
    if (line->fd < 0) return false;
    line->mask = (uint32_t)hash_mix64((uint64_t)from << 32 | (uint32_t)line->fd);
    int len = ws_socket_request(request, sizeof request, host, port, "/ws", NULL);
    buf_put(&line->out, request, (size_t)len);
    line->wants_room = true;
    return true;
}

void line_cut(struct line *line)
{
    if (line->fd >= 0) close(line->fd);
    buf_fini(&line->in);
    buf_fini(&line->out);
    *line = (struct line){.fd = -1};
}

/* ---- out ------------------------------------------------------------------------------------- */

static bool flush(struct line *line)
{
    while (line->out.len) {
        ssize_t sent = send(line->fd, line->out.at, line->out.len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN)) break;
        if (sent <= 0) return false;
        memmove(line->out.at, line->out.at + sent, line->out.len - (size_t)sent);
        line->out.len -= (size_t)sent;
    }
    line->wants_room = line->out.len > 0;
    return line->out.len <= LINE_OUT_BYTES_MAX;
}

/* Masked as the protocol asks of who connects; nobody is between who would have to be fooled. */
static size_t put_frame(uint8_t *frame, struct slice message, uint32_t mask)
{
    size_t head = 2;
    frame[0] = 0x80 | WS_BINARY;
    if (message.len < 126) {
        frame[1] = (uint8_t)(0x80 | message.len);
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = (uint8_t)(message.len >> 8);
        frame[3] = (uint8_t)message.len;
        head = 4;
    }
    memcpy(frame + head, &mask, sizeof mask);
    uint8_t *body = frame + head + sizeof mask;
    const uint8_t *key = frame + head;
    for (size_t i = 0; i < message.len; i++) body[i] = message.at[i] ^ key[i & 3];
    return head + sizeof mask + message.len;
}

size_t line_send(struct line *line, struct slice message)
{
    uint8_t frame[MESSAGE_BYTES_MAX + 8];
    if (line->fd < 0 || message.len > MESSAGE_BYTES_MAX) return 0;
    line->mask = line->mask * 1664525 + 1013904223;
    size_t len = put_frame(frame, message, line->mask), done = 0;
    if (line->out.len == 0) {
        ssize_t sent = send(line->fd, frame, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) done = (size_t)sent;
    }
    if (done < len) {
        buf_put(&line->out, frame + done, len - done);
        if (!flush(line)) line_cut(line);
    }
    return line->fd < 0 ? 0 : len;
}

/* ---- in -------------------------------------------------------------------------------------- */

/* The frame at the start of bytes. Its whole length, 0: it has not come, -1: none that may be. */
static ssize_t frame_at(struct slice bytes, int *kind, struct slice *body)
{
    if (bytes.len < 2) return 0;
    size_t head = 2, len = bytes.at[1] & 127, more = len == 126 ? 2 : len == 127 ? 8 : 0;
    *kind = bytes.at[0] & 15;
    /* Whole and unmasked: servers of this project send nothing else. */
    if (!(bytes.at[0] & 0x80) || (bytes.at[1] & 0x80) || *kind == 0) return -1;
    if (bytes.len < head + more) return 0;
    if (more) len = 0;
    for (size_t i = 0; i < more; i++) len = len << 8 | bytes.at[2 + i];
    head += more;
    if (len > LINE_FRAME_BYTES_MAX) return -1;
    if (bytes.len < head + len) return 0;
    *body = slice_of(bytes.at + head, len);
    return (ssize_t)(head + len);
}

/* How many bytes were used; -1: the end. */
static ssize_t take_frames(struct line *line, struct slice bytes, line_heard heard, void *context)
{
    size_t used = 0;
    for (;;) {
        int kind;
        struct slice body, rest = slice_of(bytes.at + used, bytes.len - used);
        ssize_t len = frame_at(rest, &kind, &body);
        if (len < 0 || (len > 0 && kind == WS_CLOSE)) return -1;
        if (len == 0) return (ssize_t)used;
        used += (size_t)len;
        if (kind == WS_BINARY && !heard(context, body, (size_t)len)) return -1;
        if (line->fd < 0) return -1;
    }
}

/* The answer to the handshake. Its length; 0: it has not come; -1: refused. */
static ssize_t shake(struct line *line, struct slice bytes)
{
    const uint8_t *end = memmem(bytes.at, bytes.len, "\r\n\r\n", 4);
    if (!end) return bytes.len > HEAD_BYTES_MAX ? -1 : 0;
    if (bytes.len < 12 || memcmp(bytes.at, "HTTP/1.1 101", 12) != 0) return -1;
    line->open = true;
    return end + 4 - bytes.at;
}

static bool take(struct line *line, size_t got, line_heard heard, void *context)
{
    struct slice bytes = slice_of(incoming, got);
    bool own = line->in.len > 0;
    if (own) {
        buf_put(&line->in, incoming, got);
        bytes = buf_slice(&line->in);
    }
    ssize_t head = 0, used = 0;
    if (!line->open) head = shake(line, bytes);
    if (head < 0) return false;
    if (line->open)
        used =
            take_frames(line, slice_of(bytes.at + head, bytes.len - (size_t)head), heard, context);
    if (used < 0) return false;
    size_t left = bytes.len - (size_t)(head + used);
    const uint8_t *at = bytes.at + head + used;
    if (own) {
        memmove(line->in.at, at, left);
        line->in.len = left;
        if (left == 0) buf_fini(&line->in);
    } else if (left) {
        buf_put(&line->in, at, left);
    }
    return true;
}

bool line_ready(struct line *line, line_heard heard, void *context)
{
    bool well = line->out.len == 0 || flush(line);
    while (well && line->fd >= 0) {
        ssize_t got = recv(line->fd, incoming, sizeof incoming, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == ENOTCONN)) break;
        well = got > 0 && take(line, (size_t)got, heard, context);
        if ((size_t)got < sizeof incoming) break;
    }
    if (!well) line_cut(line);
    return line->fd >= 0;
}
