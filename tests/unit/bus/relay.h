/* SPDX-License-Identifier: Apache-2.0
 *
 * A way through which everything to an address goes, and which can be cut: then nothing comes
 * through, and no connection ends. What was connected before stays so for good, as behind a cut
 * that lasted: TCP waits ever longer until it tries again.
 */
#ifndef UNIT_BUS_RELAY_H
#define UNIT_BUS_RELAY_H

#include <stdbool.h>
#include <uv.h>

enum { RELAY_WAYS_MAX = 64 };

struct relay {
    uv_loop_t *loop;
    uv_tcp_t listener;
    char url[64]; /* where it listens */
    int port;     /* whither it leads */
    bool mute;    /* takes new connections, and lets nothing through */
    int opened;
    struct relay_way *ways[RELAY_WAYS_MAX];
};

/* Listens, on the loop, and leads to that port of this machine. */
void relay_open(struct relay *relay, uv_loop_t *loop, int port);
/* What is connected now hears nothing any more. */
void relay_cut(struct relay *relay);
/* Who comes now has no answer; or everybody comes through again. */
void relay_wall(struct relay *relay);
void relay_open_up(struct relay *relay);
/* One that was never opened is let be. */
void relay_close(struct relay *relay);

#endif
