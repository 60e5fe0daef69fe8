/* SPDX-License-Identifier: Apache-2.0
 *
 * nng_close waits until the last connection of its socket is gone, and nng 1.5 can lose one: a
 * message is read in two steps, its length and the rest, and written in as many as the system
 * wants. When its connection is closed just between two of them, nobody ends that operation, and
 * the thread that clears connections away waits for it for good; so do all that wait for that
 * thread. Whoever closes here waits in another thread, and is told when that does not come back.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { STEP_MS = 50 };

struct closing {
    void (*close)(void *what);
    void *what;
};

static void *close_it(void *context)
{
    struct closing *closing = context;
    closing->close(closing->what);
    free(closing);
    return NULL;
}

/* In steps, so that a process that was stopped meanwhile is not late because of it. */
static bool joined(pthread_t thread)
{
    struct timespec until;
    for (int waited = 0; waited < BUS_CLOSE_MS; waited += STEP_MS) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += STEP_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0) return true;
    }
    return false;
}

bool close_in_time(void (*close)(void *what), void *what)
{
    struct closing *closing = malloc(sizeof *closing);
    CHECK(closing != NULL);
    *closing = (struct closing){close, what};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, close_it, closing) == 0);
    if (joined(thread)) return true;
    pthread_detach(thread);
    return false;
}

static void close_this(void *what)
{
    const nng_socket *socket = what;
    nng_close(*socket);
}

void close_socket(const struct bus *bus, nng_socket socket)
{
    if (bus->closing)
        nng_close(socket); /* bus_close is in another thread already */
    else
        CHECK(close_in_time(close_this, &socket));
}
