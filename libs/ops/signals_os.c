/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/signals.h"

#include "base/check.h"

#include <signal.h>

static void on_signal(uv_signal_t *handle, int number)
{
    struct signals *signals = handle->data;
    (void)number;
    signals->on_stop(signals->context, ++signals->count > 1);
}

static void open_one(struct signals *signals, uv_loop_t *loop, uv_signal_t *handle, int number)
{
    CHECK(uv_signal_init(loop, handle) == 0);
    handle->data = signals;
    CHECK(uv_signal_start(handle, on_signal, number) == 0);
    uv_unref((uv_handle_t *)handle); /* waiting for a signal keeps nobody alive */
}

void signals_ignore(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

void signals_open(struct signals *signals, uv_loop_t *loop,
                  void (*on_stop)(void *context, bool at_once), void *context)
{
    *signals = (struct signals){.on_stop = on_stop, .context = context};
    open_one(signals, loop, &signals->term, SIGTERM);
    open_one(signals, loop, &signals->interrupt, SIGINT);
}

void signals_close(struct signals *signals)
{
    uv_close((uv_handle_t *)&signals->term, NULL);
    uv_close((uv_handle_t *)&signals->interrupt, NULL);
}
