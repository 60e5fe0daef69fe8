/* SPDX-License-Identifier: Apache-2.0
 *
 * What metrics and health say of this worker.
 */
#include "ops/log.h"
#include "worker/shell.h"

static void tell_store(struct shell *shell)
{
    struct store_counters store = store_counters_of(shell->store);
    metrics_set(shell->metrics, METRIC_store_up, store_up(shell->store));
    metrics_set(shell->metrics, METRIC_store_ops, store.ops);
    metrics_set(shell->metrics, METRIC_store_calls, store.calls);
    metrics_set(shell->metrics, METRIC_store_unavailable, store.unavailable);
    metrics_set(shell->metrics, METRIC_store_resets, store.resets);
    metrics_set(shell->metrics, METRIC_store_troubles, store.troubles);
}

void shell_tell(struct shell *shell)
{
    struct worker_stats stats;
    const char *why = worker_core_unready(shell->core);
    worker_core_stats(shell->core, &stats);
    health_set_ready(shell->health, why);
    metrics_set(shell->metrics, METRIC_ready, why == NULL);
    metrics_set(shell->metrics, METRIC_worker_rooms, stats.rooms);
    metrics_set(shell->metrics, METRIC_worker_rooms_live, stats.live);
    metrics_set(shell->metrics, METRIC_worker_unconfirmed, stats.unconfirmed);
    metrics_set(shell->metrics, METRIC_worker_held, stats.held);
    metrics_set(shell->metrics, METRIC_worker_draining, stats.draining);
    metrics_set(shell->metrics, METRIC_log_lines, log_lines());
    tell_store(shell);
    const struct bus_counters *bus = bus_counters(shell->bus);
#define X(name) metrics_set(shell->metrics, METRIC_bus_##name, bus->name);
    BUS_COUNTERS(X)
#undef X
}

void shell_count_note(struct shell *shell, const char *event)
{
    static const struct {
        const char *event;
        enum metric metric;
    } counted[] = {
        {"game.finished", METRIC_worker_games_finished},
        {"room.adopted", METRIC_worker_rooms_adopted},
        {"room.fenced", METRIC_worker_rooms_fenced},
        {"room.set_aside", METRIC_worker_rooms_set_aside},
        {"room.repaired", METRIC_worker_rooms_repaired},
    };
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (strcmp(event, counted[i].event) == 0) metrics_add(shell->metrics, counted[i].metric, 1);
}
