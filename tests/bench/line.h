/* SPDX-License-Identifier: Apache-2.0
 *
 * A WebSocket of a load test: one of thousands in a loop, so cheap. What is read goes through one
 * buffer that all lines share and is lent from there; a line keeps bytes of its own only of a frame
 * that has not come whole. It never blocks and knows nothing of what is said.
 */
#ifndef BENCH_LINE_H
#define BENCH_LINE_H

#include "base/buf.h"

enum { LINE_OUT_BYTES_MAX = 1 << 16, LINE_FRAME_BYTES_MAX = 1 << 20, LINE_READ_BYTES = 1 << 16 };

struct line {
    int fd;          /* -1: closed */
    bool open;       /* the handshake is done */
    bool wants_room; /* `out` waits for the kernel: ask for EPOLLOUT too */
    struct buf in, out;
    uint32_t mask;
};

/* One whole message; borrows. wire_len: with its header. False: read no further, cut the line. */
typedef bool (*line_heard)(void *context, struct slice message, size_t wire_len);

/* from: an address of this machine in network order, 0: any. False: no connection can be had. */
bool line_begin(struct line *line, uint32_t from, uint32_t to, uint16_t port, const char *host);
/* When the kernel says that it is readable or writable. False: it has ended, and is cut. */
bool line_ready(struct line *line, line_heard heard, void *context);
/* One binary message. How many bytes it takes on the wire; 0: the line has ended, and is cut. */
size_t line_send(struct line *line, struct slice message);
/* At once, as a lost network does. */
void line_cut(struct line *line);

#endif
