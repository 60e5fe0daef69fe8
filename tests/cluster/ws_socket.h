/* SPDX-License-Identifier: Apache-2.0
 *
 * A WebSocket to a gateway, from the outside: plain sockets, blocking with time limits, nothing
 * shared with the server's code. It sends what it is told to, also what no browser would.
 *
 * One that flows (ws_socket_begin) never blocks, so that one loop serves thousands: what the kernel
 * does not take waits in `out`, and receiving is asked with no time at all.
 */
#ifndef CLUSTER_WS_SOCKET_H
#define CLUSTER_WS_SOCKET_H

#include "base/buf.h"

enum { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };

struct ws_socket {
    int fd;             /* -1: closed */
    int http_status;    /* of the handshake: 101 when it succeeded, 0: none came */
    int close_code;     /* that the other side gave, 0: none */
    struct buf in;      /* bytes that were read and not used yet */
    struct buf message; /* that is being put together, or is lent */
    bool lent;
    bool flows;
    struct buf out; /* of one that flows: what is to be sent when the kernel takes more */
};
enum { WS_OUT_BYTES_MAX = 1 << 16 }; /* beyond, a socket that flows is cut */

/* origin: NULL: none is sent. False: *out says what came instead of 101. */
bool ws_socket_open(struct ws_socket *out, const char *host, int port, const char *path,
                    const char *origin, int timeout_ms);
/* A connection and nothing else, -1: none. from: another address of this machine ("127.0.0.2"), as
 * from another house; NULL: any. window: the bytes that may lie unread on this side, 0: usual. */
int socket_dial(const char *from, const char *host, int port, int window);
/* A WebSocket on a connection that is there (-1: fails); takes fd. */
bool ws_socket_open_on(struct ws_socket *out, int fd, const char *host, int port, const char *path,
                       const char *origin, int timeout_ms);
/* Begins a WebSocket that flows, from an address of this machine. False: none can be had. */
bool ws_socket_begin(struct ws_socket *out, const char *from, const char *host, int port,
                     const char *path);
/* Its handshake, to be called when it is readable or writable. 1: open; 0: not yet; -1: refused,
 * and cut. */
int ws_socket_shake(struct ws_socket *socket);
/* Sends what waits in `out`. False: cut. */
bool ws_socket_flush(struct ws_socket *socket);
/* Bytes as they are. */
bool socket_put(int fd, const void *bytes, size_t len);
/* What a browser says to make a WebSocket of it. */
int ws_socket_request(char *into, size_t size, const char *host, int port, const char *path,
                      const char *origin);
/* At once, without a closing frame: what a lost network looks like. */
void ws_socket_cut(struct ws_socket *socket);

/* One frame. final false: more pieces follow, as kind 0. */
bool ws_socket_send(struct ws_socket *socket, int kind, bool final, struct slice bytes);
/* The next whole message; control frames are dealt with. 1: *out is it (lent until the next call);
 * 0: nothing came in time; -1: closed. */
int ws_socket_receive(struct ws_socket *socket, int timeout_ms, struct slice *out);

/* One HTTP request of its own connection; the whole answer. Returns the status, 0: none came. */
int http_get(const char *host, int port, const char *request, struct buf *answer, int timeout_ms);

#endif
