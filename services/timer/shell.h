/* SPDX-License-Identifier: Apache-2.0
 *
 * The shell of the timer: what connects its core to Redis, nng and the clock. It carries effects
 * out in order and decides nothing.
 *
 *   main.c        settings, opening everything or nothing, the loop
 *   shell_step.c  events into the core, effects out of it, its timer, what health and metrics say
 */
#ifndef TIMER_SHELL_H
#define TIMER_SHELL_H

#include "bus/bus.h"
#include "ops/health.h"
#include "ops/signals.h"
#include "store/store.h"
#include "timer/timer_core.h"

struct shell {
    uv_loop_t loop;
    uv_timer_t timer, telling;
    uv_prepare_t turn;
    struct signals signals;
    instant_ms armed_at, now;

    struct timer_core *core;
    struct effects out;
    struct store *store;
    struct bus *bus;
    struct metrics *metrics;
    struct health *health;
    bool stepping, closed;
};

void shell_start(struct shell *shell);
void shell_stop(struct shell *shell);
void shell_on_bus(void *shell, struct event *event);
void shell_on_store(void *shell, struct event *event);

#endif
