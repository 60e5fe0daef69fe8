/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-worker: owns rooms. Ends with 0 when it was told to and had handed over what it could.
 */
#include "shell/shell.h"
#include "worker/worker_core.h"

enum { LAST_WORDS_MS = 200 }; /* for the last batches to reach the gateways */

static const char *open_core(struct shell *shell)
{
    struct worker_config config = {
        .instance = shell->instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .control_url = bus_control_url(shell->bus),
        .build = MADANG_VERSION,
        .shards = shell->shard_count,
        .rooms_max = (uint32_t)shell_number(shell, SETTING_ROOMS_MAX),
        .backlog_bytes_max = (uint64_t)shell_number(shell, SETTING_BACKLOG_MB) << 20,
        .grace_ms = (uint32_t)shell_number(shell, SETTING_GRACE),
        .archive_s = (uint32_t)(shell_number(shell, SETTING_ARCHIVE) / 1000),
    };
    config.matchmaker_count = shell_matchmakers(shell, config.matchmakers);
    shell->core = worker_core_open(&config);
    return NULL;
}

static void close_core(struct shell *shell)
{
    worker_core_close(shell->core);
}

static void step(void *core, const struct event *event, instant_ms now, struct effects *out)
{
    worker_core_step(core, event, now, out);
}

static instant_ms deadline(const void *core)
{
    return worker_core_deadline(core);
}

static const char *tell(struct shell *shell)
{
    struct worker_stats stats;
    worker_core_stats(shell->core, &stats);
    metrics_set(shell->metrics, METRIC_worker_rooms, stats.rooms);
    metrics_set(shell->metrics, METRIC_worker_rooms_live, stats.live);
    metrics_set(shell->metrics, METRIC_worker_unconfirmed, stats.unconfirmed);
    metrics_set(shell->metrics, METRIC_worker_held, stats.held);
    metrics_set(shell->metrics, METRIC_worker_draining, stats.draining);
    metrics_set(shell->metrics, METRIC_worker_rooms_restored, stats.restored);
    metrics_set(shell->metrics, METRIC_worker_rooms_lost, stats.lost);
    return worker_core_unready(shell->core);
}

static void tell_queues(struct shell *shell)
{
    struct worker_queues queues;
    worker_core_queues(shell->core, &queues);
#define X(name) metrics_set_queue(shell->metrics, QUEUE_worker_##name, &queues.name);
    WORKER_QUEUES(X)
#undef X
}

static void count_note(struct shell *shell, const struct effect *effect)
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
    if (effect->kind != EFFECT_NOTE) return;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (strcmp(effect->text, counted[i].event) == 0)
            metrics_add(shell->metrics, counted[i].metric, 1);
}

int main(int argc, char **argv)
{
    static const struct shell_service service = {
        .program = PROGRAM_WORKER,
        .inbox = true,
        .control = true,
        .store = true,
        .matchmakers_max = WORKER_MATCHMAKERS_MAX,
        .last_words_ms = LAST_WORDS_MS,
        .open = open_core,
        .close = close_core,
        .step = step,
        .deadline = deadline,
        .tell = tell,
        .tell_queues = tell_queues,
        .carry = count_note,
    };
    (void)argc;
    return shell_main(&service, argv);
}
