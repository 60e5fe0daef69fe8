/* SPDX-License-Identifier: Apache-2.0
 *
 * Events into the core, effects out of it, and its one timer.
 */
#include "base/check.h"
#include "gateway/shell.h"
#include "ops/log.h"
#include "ops/system.h"

enum {
    LAST_WORDS_MS = 500, /* for closing frames to reach browsers */
    TELL_MS = 250,       /* between two looks at what health and metrics say */
};

static void on_last_words(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    uv_stop(&shell->loop);
}

static void leave(struct shell *shell)
{
    shell->closed = true;
    uv_timer_start(&shell->timer, on_last_words, LAST_WORDS_MS, 0);
}

static void carry(struct shell *shell)
{
    for (size_t i = 0; i < shell->out.count; i++) {
        const struct effect *effect = &shell->out.list[i];
        switch (effect->kind) {
        case EFFECT_SOCKET_SEND:
            metrics_add(shell->metrics, METRIC_gateway_frames_out, 1);
            metrics_add(shell->metrics, METRIC_gateway_bytes_out, effect->frame.len);
            socket_carry(shell, effect);
            break;
        case EFFECT_SOCKET_CLOSE:
            metrics_add(shell->metrics, METRIC_gateway_closed, 1);
            socket_carry(shell, effect);
            break;
        case EFFECT_NOTE: log_note(effect->text, effect->value); break;
        case EFFECT_EXIT: leave(shell); break;
        default: /* the bus' */ break;
        }
    }
    bus_carry(shell->bus, &shell->out);
}

static void tell(struct shell *shell)
{
    struct gateway_stats stats;
    const char *why = gateway_core_unready(shell->core);
    gateway_core_stats(shell->core, &stats);
    health_set_ready(shell->health, why);
    metrics_set(shell->metrics, METRIC_ready, why == NULL);
    metrics_set(shell->metrics, METRIC_gateway_connections, stats.clients);
    metrics_set(shell->metrics, METRIC_gateway_seated, stats.seated);
    metrics_set(shell->metrics, METRIC_gateway_rooms, stats.rooms);
    metrics_set(shell->metrics, METRIC_gateway_rooms_lost, stats.lost_rooms);
    metrics_set(shell->metrics, METRIC_log_lines, log_lines());
    const struct bus_counters *bus = bus_counters(shell->bus);
#define X(name) metrics_set(shell->metrics, METRIC_bus_##name, bus->name);
    BUS_COUNTERS(X)
#undef X
}

static void on_timer(uv_timer_t *timer)
{
    struct shell *shell = timer->data;
    struct event event = {.kind = EVENT_TICK};
    instant_ms due = shell->armed_at, now = clock_boot_ms();
    metrics_set(shell->metrics, METRIC_loop_late, now > due ? now - due : 0);
    shell->armed_at = INSTANT_NEVER;
    door_retry(shell);
    shell_step(shell, &event);
    if (now - shell->told_at >= TELL_MS) {
        shell->told_at = now;
        tell(shell);
    }
}

static void arm(struct shell *shell)
{
    instant_ms at = gateway_core_deadline(shell->core);
    if (shell->closed || at == shell->armed_at) return;
    shell->armed_at = at;
    uv_update_time(&shell->loop);
    uv_timer_start(&shell->timer, on_timer, at > shell->now ? at - shell->now : 0, 0);
}

/* What a step brings about reaches the core as later events, never from inside it. */
void shell_step(struct shell *shell, struct event *event)
{
    CHECK(!shell->stepping);
    if (shell->closed) return;
    shell->stepping = true;
    instant_ms now = clock_boot_ms();
    if (now > shell->now) shell->now = now;
    random_fill(event->entropy, sizeof event->entropy);
    gateway_core_step(shell->core, event, shell->now, &shell->out);
    metrics_add(shell->metrics, METRIC_core_steps, 1);
    metrics_add(shell->metrics, METRIC_core_effects, shell->out.count);
    if (event->kind == EVENT_SOCKET_FRAME) metrics_add(shell->metrics, METRIC_gateway_frames_in, 1);
    carry(shell);
    shell->stepping = false;
    arm(shell);
}

void shell_on_bus(void *context, struct event *event)
{
    shell_step(context, event);
}

static void on_turn(uv_prepare_t *turn)
{
    const struct shell *shell = turn->data;
    metrics_add(shell->metrics, METRIC_loop_turns, 1);
}

static void on_stop(void *context, bool at_once)
{
    struct shell *shell = context;
    if (at_once) {
        uv_stop(&shell->loop);
        return;
    }
    log_text("process.stopping", NULL);
    door_close(shell);
    struct event event = {.kind = EVENT_DRAIN};
    shell_step(shell, &event);
}

void shell_start(struct shell *shell)
{
    CHECK(uv_timer_init(&shell->loop, &shell->timer) == 0);
    CHECK(uv_prepare_init(&shell->loop, &shell->turn) == 0);
    shell->timer.data = shell;
    shell->turn.data = shell;
    shell->armed_at = INSTANT_NEVER;
    uv_prepare_start(&shell->turn, on_turn);
    uv_unref((uv_handle_t *)&shell->turn);
    signals_open(&shell->signals, &shell->loop, on_stop, shell);
    struct event event = {.kind = EVENT_TICK};
    shell_step(shell, &event);
}

void shell_stop(struct shell *shell)
{
    shell->closed = true;
    uv_close((uv_handle_t *)&shell->timer, NULL);
    uv_close((uv_handle_t *)&shell->turn, NULL);
    signals_close(&shell->signals);
}
