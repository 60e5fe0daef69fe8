/* SPDX-License-Identifier: Apache-2.0
 *
 * The shell of the worker: what connects its core to nng, Redis, signals and the clock. It carries
 * effects out in order and decides nothing.
 *
 *   main.c         settings, opening everything or nothing, the loop
 *   shell_step.c   events into the core, effects out of it, its timer
 *   shell_tell.c   what metrics and health say of it
 */
#ifndef WORKER_SHELL_H
#define WORKER_SHELL_H

#include "bus/bus.h"
#include "ops/health.h"
#include "ops/signals.h"
#include "store/store.h"
#include "worker/worker_core.h"

struct shell {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_prepare_t turn;
    struct signals signals;
    instant_ms armed_at, now, told_at;

    struct worker_core *core;
    struct effects out;
    struct bus *bus;
    struct store *store;
    struct metrics *metrics;
    struct health *health;
    bool started, stepping, closed;
    int exit_code;
};

/* shell_step.c */
void shell_start(struct shell *shell);
void shell_stop(struct shell *shell);
/* Of the bus and of the store. */
void shell_on_event(void *context, struct event *event);

/* shell_tell.c */
void shell_tell(struct shell *shell);
void shell_count_note(struct shell *shell, const char *event);

#endif
