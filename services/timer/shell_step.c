/* SPDX-License-Identifier: Apache-2.0
 *
 * Events into the core, effects out of it, and its one timer.
 */
#include "base/check.h"
#include "ops/log.h"
#include "ops/system.h"
#include "timer/shell.h"

enum { TELL_MS = 250 }; /* between two looks at what health and metrics say */

static void on_timer(uv_timer_t *timer);

static void arm(struct shell *shell)
{
    instant_ms at = timer_core_deadline(shell->core);
    if (shell->closed || at == shell->armed_at) return;
    shell->armed_at = at;
    uv_update_time(&shell->loop);
    uv_timer_start(&shell->timer, on_timer, at > shell->now ? at - shell->now : 0, 0);
}

static void carry(struct shell *shell)
{
    store_carry(shell->store, &shell->out);
    bus_carry(shell->bus, &shell->out);
    for (size_t i = 0; i < shell->out.count; i++) {
        if (shell->out.list[i].kind != EFFECT_EXIT) continue;
        shell->closed = true;
        uv_stop(&shell->loop);
    }
}

/* What a step brings about reaches the core as later events, never from inside it. */
static void step(struct shell *shell, struct event *event)
{
    CHECK(!shell->stepping);
    if (shell->closed) return;
    shell->stepping = true;
    instant_ms now = clock_boot_ms();
    if (now > shell->now) shell->now = now;
    random_fill(event->entropy, sizeof event->entropy);
    timer_core_step(shell->core, event, shell->now, &shell->out);
    metrics_add(shell->metrics, METRIC_core_steps, 1);
    metrics_add(shell->metrics, METRIC_core_effects, shell->out.count);
    carry(shell);
    shell->stepping = false;
    arm(shell);
}

static void on_timer(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    struct event event = {.kind = EVENT_TICK};
    instant_ms due = shell->armed_at, now = clock_boot_ms();
    metrics_set(shell->metrics, METRIC_loop_late, now > due ? now - due : 0);
    shell->armed_at = INSTANT_NEVER;
    step(shell, &event);
}

void shell_on_bus(void *context, struct event *event)
{
    step(context, event);
}

void shell_on_store(void *context, struct event *event)
{
    struct shell *shell = context;
    if (event->kind == EVENT_STORE_RESET) {
        if (event->store_up)
            log_text("store.back", NULL);
        else
            log_text("store.away", store_trouble(shell->store, event->shard));
    }
    step(shell, event);
}

/* ---- what others see ------------------------------------------------------------------------- */

static void tell_timer(struct metrics *metrics, const struct timer_stats *stats)
{
    metrics_set(metrics, METRIC_timer_tracked, stats->tracked);
    metrics_set(metrics, METRIC_timer_fires, stats->fires);
    metrics_set(metrics, METRIC_timer_repeats, stats->repeats);
    metrics_set(metrics, METRIC_timer_covers, stats->covers);
    metrics_set(metrics, METRIC_timer_places, stats->places);
    metrics_set(metrics, METRIC_timer_untracked, stats->untracked);
    metrics_set_histogram(metrics, METRIC_timer_lateness, timer_lateness_bounds_ms, stats->lateness,
                          TIMER_LATENESS_BUCKETS, stats->lateness_ms);
}

static void tell_store(struct metrics *metrics, const struct store *store)
{
    struct store_counters counters = store_counters_of(store);
    metrics_set(metrics, METRIC_store_up, store_up(store));
    metrics_set(metrics, METRIC_store_ops, counters.ops);
    metrics_set(metrics, METRIC_store_calls, counters.calls);
    metrics_set(metrics, METRIC_store_unavailable, counters.unavailable);
    metrics_set(metrics, METRIC_store_resets, counters.resets);
    metrics_set(metrics, METRIC_store_troubles, counters.troubles);
}

static void on_telling(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    struct metrics *metrics = shell->metrics;
    const char *why = timer_core_unready(shell->core, clock_boot_ms());
    struct timer_stats stats = timer_core_stats(shell->core);
    health_set_ready(shell->health, why);
    metrics_set(metrics, METRIC_ready, why == NULL);
    metrics_set(metrics, METRIC_log_lines, log_lines());
    tell_timer(metrics, &stats);
    tell_store(metrics, shell->store);
    const struct bus_counters *bus = bus_counters(shell->bus);
#define X(name) metrics_set(metrics, METRIC_bus_##name, bus->name);
    BUS_COUNTERS(X)
#undef X
}

static void on_turn(uv_prepare_t *turn)
{
    const struct shell *shell = turn->data;
    metrics_add(shell->metrics, METRIC_loop_turns, 1);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void on_stop(void *context, bool at_once)
{
    struct shell *shell = context;
    if (at_once) {
        uv_stop(&shell->loop);
        return;
    }
    log_text("process.stopping", NULL);
    struct event event = {.kind = EVENT_DRAIN};
    step(shell, &event);
}

void shell_start(struct shell *shell)
{
    CHECK(uv_timer_init(&shell->loop, &shell->timer) == 0);
    CHECK(uv_timer_init(&shell->loop, &shell->telling) == 0);
    CHECK(uv_prepare_init(&shell->loop, &shell->turn) == 0);
    shell->timer.data = shell->telling.data = shell->turn.data = shell;
    shell->armed_at = INSTANT_NEVER;
    uv_prepare_start(&shell->turn, on_turn);
    uv_timer_start(&shell->telling, on_telling, TELL_MS, TELL_MS);
    signals_open(&shell->signals, &shell->loop, on_stop, shell);
    struct event event = {.kind = EVENT_TICK};
    step(shell, &event);
}

void shell_stop(struct shell *shell)
{
    shell->closed = true;
    uv_close((uv_handle_t *)&shell->timer, NULL);
    uv_close((uv_handle_t *)&shell->telling, NULL);
    uv_close((uv_handle_t *)&shell->turn, NULL);
    signals_close(&shell->signals);
}
