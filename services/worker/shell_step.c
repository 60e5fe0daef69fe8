/* SPDX-License-Identifier: Apache-2.0
 *
 * Events into the core, effects out of it, and its one timer.
 */
#include "base/check.h"
#include "ops/log.h"
#include "ops/system.h"
#include "worker/shell.h"

#include <sodium.h>

enum {
    LAST_WORDS_MS = 200, /* for the last batches to reach the gateways */
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
    bool leaves = false;
    for (size_t i = 0; i < shell->out.count; i++) {
        const struct effect *effect = &shell->out.list[i];
        if (effect->kind == EFFECT_EXIT) leaves = true;
        if (effect->kind != EFFECT_NOTE) continue;
        log_note(effect->text, effect->value);
        shell_count_note(shell, effect->text);
    }
    bus_carry(shell->bus, &shell->out);
    store_carry(shell->store, &shell->out);
    if (leaves) leave(shell);
}

static void arm(struct shell *shell);

/* What a step brings about reaches the core as later events, never from inside it. */
static void step(struct shell *shell, struct event *event)
{
    CHECK(!shell->stepping);
    if (shell->closed || !shell->started) return;
    shell->stepping = true;
    instant_ms now = clock_boot_ms();
    if (now > shell->now) shell->now = now;
    random_fill(event->entropy, sizeof event->entropy);
    worker_core_step(shell->core, event, shell->now, &shell->out);
    sodium_memzero(event->entropy, sizeof event->entropy);
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
    shell->armed_at = INSTANT_NEVER;
    step(shell, &event);
    if (shell->now < shell->told_at + TELL_MS) return;
    shell->told_at = shell->now;
    shell_tell(shell);
}

static void arm(struct shell *shell)
{
    instant_ms at = worker_core_deadline(shell->core);
    if (shell->closed || at == shell->armed_at) return;
    shell->armed_at = at;
    uv_update_time(&shell->loop);
    uv_timer_start(&shell->timer, on_timer, at > shell->now ? at - shell->now : 0, 0);
}

void shell_on_event(void *context, struct event *event)
{
    step(context, event);
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
        shell->exit_code = 1;
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
    CHECK(uv_prepare_init(&shell->loop, &shell->turn) == 0);
    shell->timer.data = shell;
    shell->turn.data = shell;
    shell->armed_at = INSTANT_NEVER;
    uv_prepare_start(&shell->turn, on_turn);
    uv_unref((uv_handle_t *)&shell->turn);
    signals_open(&shell->signals, &shell->loop, on_stop, shell);
    shell->started = true;
    struct event event = {.kind = EVENT_TICK};
    step(shell, &event);
}

void shell_stop(struct shell *shell)
{
    shell->closed = true;
    uv_close((uv_handle_t *)&shell->timer, NULL);
    uv_close((uv_handle_t *)&shell->turn, NULL);
    signals_close(&shell->signals);
}
