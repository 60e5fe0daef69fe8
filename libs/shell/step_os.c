/* SPDX-License-Identifier: Apache-2.0
 *
 * Events into the core, effects out of it, its one timer, and what metrics and health say.
 */
#include <sodium.h>

#include "base/check.h"
#include "ops/log.h"
#include "ops/system.h"
#include "shell/shell.h"

static void on_last_words(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    uv_stop(&shell->loop);
}

static void note(struct shell *shell, const struct effect *effect)
{
    log_note(effect->text, effect->value);
    const struct shell_counted *counted = shell->service->counted;
    for (; counted && counted->event; counted++)
        if (strcmp(counted->event, effect->text) == 0)
            metrics_add(shell->metrics, counted->metric, counted->sum ? effect->value[0] : 1);
}

/* The step of an action's way on which it leaves for Redis. */
static void trace_append(const struct store_op *op)
{
    for (int i = 0; op->traces && i < op->entry_count; i++) {
        if (op->traces[i] == 0) continue;
        uint64_t values[3] = {op->traces[i], op->room, op->position + 1 + (uint64_t)i};
        log_note("append.sent", values);
    }
}

static void carry(struct shell *shell)
{
    for (size_t i = 0; i < shell->out.count; i++) {
        const struct effect *effect = &shell->out.list[i];
        if (effect->kind == EFFECT_NOTE) note(shell, effect);
        if (effect->kind == EFFECT_STORE && shell->traces) trace_append(&effect->op);
        if (effect->kind == EFFECT_EXIT) shell->leaving = true;
        if (shell->service->carry) shell->service->carry(shell, effect);
    }
    bus_carry(shell->bus, &shell->out);
    if (shell->store) store_carry(shell->store, &shell->out);
    if (shell->leaving)
        uv_timer_start(&shell->timer, on_last_words, shell->service->last_words_ms, 0);
}

static void tell_store(struct metrics *metrics, const struct store *store)
{
    const struct store_counters *counters = store_counters_of(store);
    metrics_set(metrics, METRIC_store_up, store_up(store));
    metrics_set(metrics, METRIC_store_ops, counters->ops);
    metrics_set(metrics, METRIC_store_calls, counters->calls);
    metrics_set(metrics, METRIC_store_unavailable, counters->unavailable);
    metrics_set(metrics, METRIC_store_fenced, counters->fenced);
    metrics_set(metrics, METRIC_store_resets, counters->resets);
    metrics_set(metrics, METRIC_store_troubles, counters->troubles);
}

static void tell_queues(struct shell *shell)
{
    if (shell->now < shell->queues_told_at + SHELL_TELL_QUEUES_MS) return;
    shell->queues_told_at = shell->now;
    struct metrics *metrics = shell->metrics;
    struct bus_queues queues;
    bus_queues(shell->bus, &queues);
#define X(name) metrics_set_queue(metrics, QUEUE_bus_##name, &queues.name);
    BUS_QUEUES(X)
#undef X
    struct fullness lines = log_fullness(), ops, bytes;
    metrics_set_queue(metrics, QUEUE_log_lines, &lines);
    if (shell->store) {
        store_fullness(shell->store, &ops, &bytes);
        metrics_set_queue(metrics, QUEUE_store_ops, &ops);
        metrics_set_queue(metrics, QUEUE_store_bytes, &bytes);
    }
    shell->service->tell_queues(shell);
}

static void tell_loop(struct shell *shell)
{
    struct metrics *metrics = shell->metrics;
    metrics_set(metrics, METRIC_loop_turns, shell->counts.turns);
    metrics_set(metrics, METRIC_core_steps, shell->counts.steps);
    metrics_set(metrics, METRIC_core_effects, shell->counts.effects);
    metrics_set_histogram(metrics, METRIC_loop_late, &histogram_action_ms, &shell->counts.late_ms);
}

static void tell(struct shell *shell)
{
    if (shell->now < shell->told_at + SHELL_TELL_MS) return;
    shell->told_at = shell->now;
    struct metrics *metrics = shell->metrics;
    const char *why = shell->service->tell(shell);
    health_set_ready(shell->health, why);
    metrics_set(metrics, METRIC_ready, why == NULL);
    metrics_set(metrics, METRIC_log_lines, log_lines());
    tell_loop(shell);
    if (shell->store) tell_store(metrics, shell->store);
    const struct bus_counters *bus = bus_counters(shell->bus);
#define X(name) metrics_set(metrics, METRIC_bus_##name, bus->name);
    BUS_COUNTERS(X)
#undef X
    metrics_set_histogram(metrics, METRIC_bus_batch_envelopes, &histogram_batch, &bus->batches);
    tell_queues(shell);
}

static void arm(struct shell *shell);

static void on_timer(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    struct event event = {.kind = EVENT_TICK};
    instant_ms due = shell->armed_at, now = clock_boot_ms();
    histogram_add(&shell->counts.late_ms, &histogram_action_ms, now > due ? now - due : 0);
    shell->armed_at = INSTANT_NEVER;
    shell->ticking = true;
    if (shell->service->turn) shell->service->turn(shell);
    shell_step(shell, &event);
    shell->ticking = false;
    tell(shell);
}

/* libuv runs timers of no delay until there is none, and a timer that arms itself so would keep it
 * from every socket. */
static void arm(struct shell *shell)
{
    instant_ms at = shell->service->deadline(shell->core);
    if (shell->leaving || at == shell->armed_at) return;
    shell->armed_at = at;
    if (at == INSTANT_NEVER) {
        uv_timer_stop(&shell->timer);
        return;
    }
    uv_update_time(&shell->loop);
    instant_ms soonest = shell->ticking ? 1 : 0;
    uv_timer_start(&shell->timer, on_timer, at > shell->now ? at - shell->now : soonest, 0);
}

/* What a step brings about reaches the core as later events, never from inside it. */
void shell_step(struct shell *shell, struct event *event)
{
    CHECK(!shell->stepping);
    if (shell->leaving || !shell->started) return;
    shell->stepping = true;
    instant_ms now = clock_boot_ms();
    if (now > shell->now) shell->now = now;
    random_draw(event->entropy, sizeof event->entropy);
    shell->service->step(shell->core, event, shell->now, &shell->out);
    sodium_memzero(event->entropy, sizeof event->entropy);
    shell->counts.steps++;
    shell->counts.effects += shell->out.count;
    carry(shell);
    shell->stepping = false;
    arm(shell);
}

void shell_on_event(void *context, struct event *event)
{
    struct shell *shell = context;
    if (event->kind == EVENT_STORE_RESET) {
        if (event->store_up)
            log_text("store.back", NULL);
        else
            log_text("store.away", store_trouble(shell->store, event->shard));
    }
    shell_step(shell, event);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct shell *shell = prepare->data;
    shell->counts.turns++;
}

static void on_stop(void *context, bool at_once)
{
    struct shell *shell = context;
    if (at_once) {
        shell->exit_code = SHELL_EXIT_FAILED;
        uv_stop(&shell->loop);
        return;
    }
    log_text("process.stopping", NULL);
    struct event event = {.kind = EVENT_DRAIN};
    shell_step(shell, &event);
}

void shell_start(struct shell *shell)
{
    CHECK(uv_timer_init(&shell->loop, &shell->timer) == 0);
    CHECK(uv_prepare_init(&shell->loop, &shell->prepare) == 0);
    shell->timer.data = shell->prepare.data = shell;
    shell->armed_at = INSTANT_NEVER;
    uv_prepare_start(&shell->prepare, on_prepare);
    uv_unref((uv_handle_t *)&shell->prepare);
    signals_open(&shell->signals, &shell->loop, on_stop, shell);
    shell->started = true;
    struct event event = {.kind = EVENT_TICK};
    shell_step(shell, &event);
}

void shell_stop(struct shell *shell)
{
    shell->leaving = true;
    uv_close((uv_handle_t *)&shell->timer, NULL);
    uv_close((uv_handle_t *)&shell->prepare, NULL);
    signals_close(&shell->signals);
}
