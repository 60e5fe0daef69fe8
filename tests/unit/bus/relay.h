/* SPDX-License-Identifier: Apache-2.0
 *
 * A way through which everything to an address goes, and which can be cut: then nothing comes
 * through, and no connection ends. What was connected before stays so for good, as behind a cut that
 * lasted: TCP waits ever longer until it tries again.
 */
#ifndef UNIT_BUS_RELAY_H
#define UNIT_BUS_RELAY_H

#include <stdbool.h>
#include <uv.h>

enum { RELAY_WAYS_MAX = 64, RELAY_CROWD = 4 };

struct relay {
    uv_loop_t *loop;
    uv_tcp_t listener;
    char url[64]; /* where it listens */
    int port;     /* whither it leads */
    bool mute;    /* takes new connections, and lets nothing through */
    bool walled;  /* takes none: who comes now has no answer */
    bool waiting; /* one of those */
    int opened;
    struct relay_way *ways[RELAY_WAYS_MAX];
    int crowd[RELAY_CROWD]; /* sockets that fill the queue before a wall */
};

/* Listens, on the loop, and leads to that port of this machine. */
void relay_open(struct relay *relay, uv_loop_t *loop, int port);
/* What is connected now hears nothing any more. */
void relay_cut(struct relay *relay);
/* Nobody new comes through, or everybody again. */
void relay_wall(struct relay *relay);
void relay_open_up(struct relay *relay);
void relay_close(struct relay *relay);

#endif
