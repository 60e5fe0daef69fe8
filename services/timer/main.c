/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-timer: reads the deadlines of rooms and wakes their owners.
 */
#include "ops/system.h"
#include "shell/shell.h"
#include "timer/timer_core.h"

static const char *open_core(struct shell *shell)
{
    struct timer_config config = {
        .instance = shell->instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .build = MADANG_VERSION,
        .ops_port = shell_ops_port(shell),
        .shard_count = shell->shard_count,
    };
    config.matchmaker_count = shell_matchmakers(shell, config.matchmakers);
    shell->core = timer_core_open(&config, clock_boot_ms());
    return NULL;
}

static void close_core(struct shell *shell)
{
    if (shell->core) timer_core_close(shell->core);
}

static void step(void *core, const struct event *event, instant_ms now, struct effects *out)
{
    timer_core_step(core, event, now, out);
}

static instant_ms deadline(const void *core)
{
    return timer_core_deadline(core);
}

static const char *tell(struct shell *shell)
{
    struct metrics *metrics = shell->metrics;
    struct timer_stats stats = timer_core_stats(shell->core);
    metrics_set(metrics, METRIC_timer_tracked, stats.tracked);
    metrics_set(metrics, METRIC_timer_fires, stats.fires);
    metrics_set(metrics, METRIC_timer_repeats, stats.repeats);
    metrics_set(metrics, METRIC_timer_covers, stats.covers);
    metrics_set(metrics, METRIC_timer_places, stats.places);
    metrics_set(metrics, METRIC_timer_untracked, stats.untracked);
    metrics_set_histogram(metrics, METRIC_timer_lateness, &histogram_action_ms, &stats.lateness_ms);
    return timer_core_unready(shell->core, shell->now);
}

static void tell_queues(struct shell *shell)
{
    struct timer_queues queues;
    timer_core_queues(shell->core, &queues);
#define X(name) metrics_set_queue(shell->metrics, QUEUE_timer_##name, &queues.name);
    TIMER_QUEUES(X)
#undef X
}

int main(int argc, char **argv)
{
    static const struct shell_service service = {
        .program = PROGRAM_TIMER,
        .inbox = true,
        .store = true,
        .matchmakers_max = TIMER_MATCHMAKERS_MAX,
        .open = open_core,
        .close = close_core,
        .step = step,
        .deadline = deadline,
        .tell = tell,
        .tell_queues = tell_queues,
    };
    (void)argc;
    return shell_main(&service, argv);
}
