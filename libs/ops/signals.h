/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGTERM and SIGINT on the loop. The first asks for an orderly end (drain), a second for an end at
 * once.
 */
#ifndef OPS_SIGNALS_H
#define OPS_SIGNALS_H

#include <stdbool.h>
#include <uv.h>

struct signals {
    uv_signal_t term, interrupt;
    int count; /* of signals so far */
    void (*on_stop)(void *context, bool at_once);
    void *context;
};

/* At the start of a process: SIGPIPE does nothing, SIGXFSZ neither (a log that may grow no more is
 * no reason to stop), nor SIGHUP, which asks a gateway with TLS to read its certificate anew and
 * must not end the others. */
void signals_ignore(void);
/* The struct lies still until the loop has run the close callbacks. */
void signals_open(struct signals *signals, uv_loop_t *loop,
                  void (*on_stop)(void *context, bool at_once), void *context);
void signals_close(struct signals *signals);

#endif
