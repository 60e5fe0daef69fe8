/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-worker: owns rooms. Ends with 0 when it was told to and had handed over what it could.
 */
#include <sodium.h>

#include "ops/system.h"
#include "shell/shell.h"
#include "worker/worker_core.h"

#include <stdio.h>

enum {
    LAST_WORDS_MS = 200, /* for the last batches to reach the gateways */
    KEY_FILE_BYTES_MAX = 1024,
};

/* NULL, or why not. */
static const char *read_operator_key(const struct shell *shell, struct order_key *out)
{
    const char *text = shell_text(shell, SETTING_OPERATOR_KEY);
    const char *file = shell_text(shell, SETTING_OPERATOR_KEY_FILE);
    struct buf bytes = {0};
    if (text == NULL && file == NULL) return NULL;
    if (file && !file_read(file, KEY_FILE_BYTES_MAX, &bytes))
        return "operator-key-file: it cannot be read";
    struct slice key = file ? order_key_line(buf_slice(&bytes)) : slice_text(text);
    bool good = order_key_from(key, out);
    if (bytes.at) sodium_memzero(bytes.at, bytes.len);
    buf_fini(&bytes);
    return good ? NULL : "operator-key: it has from 16 to 256 bytes";
}

/* Where the values with labels begin in the metrics. */
static struct {
    int actions, games_started, games_finished, refusals, rooms;
} labels;

static void label_rooms(struct metrics *metrics)
{
    static const char *const phases[WORKER_ROOM_PHASES] = {
        [WORKER_ROOM_WAITING] = "waiting",
        [WORKER_ROOM_PLAYING] = "playing",
        [WORKER_ROOM_MOVING] = "moving",
    };
    char text[METRICS_LABELS_BYTES_MAX + 1];
    int last = 0;
    for (int i = 0; i <= game_count(); i++)
        for (int phase = 0; phase < WORKER_ROOM_PHASES; phase++) {
            const char *game = i < game_count() ? game_at(i)->id : "unknown";
            snprintf(text, sizeof text, "game=\"%s\",phase=\"%s\"", game, phases[phase]);
            last = metrics_label(metrics, METRIC_worker_rooms, text);
        }
    labels.rooms = last + 1 - (game_count() + 1) * WORKER_ROOM_PHASES;
}

static const char *open_core(struct shell *shell)
{
    struct metrics *metrics = shell->metrics;
    labels.actions = shell_label_games(metrics, METRIC_worker_actions);
    labels.games_started = shell_label_games(metrics, METRIC_worker_games_started);
    labels.games_finished = shell_label_games(metrics, METRIC_worker_games_finished);
    labels.refusals = shell_label_reasons(metrics, METRIC_worker_refusals);
    label_rooms(metrics);
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
        .traces = shell->traces,
    };
    config.matchmaker_count = shell_matchmakers(shell, config.matchmakers);
    config.ops_port = shell_ops_port(shell);
    const char *why = read_operator_key(shell, &config.operator_key);
    if (why) {
        shell->exit_code = SHELL_EXIT_WRONG_SETTING;
        return why;
    }
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

/* The last place is a room whose game is not known yet. */
static void tell_rooms(struct metrics *metrics, const struct worker_stats *stats)
{
    for (int i = 0; i <= game_count(); i++)
        for (int phase = 0; phase < WORKER_ROOM_PHASES; phase++)
            metrics_set_labelled(metrics, labels.rooms + i * WORKER_ROOM_PHASES + phase,
                                 stats->by_game[i < game_count() ? i : GAME_REGISTRY_MAX][phase]);
}

static void tell_counts(struct metrics *metrics, const struct worker_counts *counts)
{
    shell_tell_games(metrics, labels.actions, counts->actions);
    shell_tell_games(metrics, labels.games_started, counts->games_started);
    shell_tell_games(metrics, labels.games_finished, counts->games_finished);
    shell_tell_reasons(metrics, labels.refusals, counts->refusals);
    metrics_set(metrics, METRIC_worker_actions_repeated, counts->repeated);
    metrics_set_histogram(metrics, METRIC_worker_action_durable, &histogram_action_ms,
                          &counts->durable_ms);
    metrics_set_histogram(metrics, METRIC_worker_room_unowned, &histogram_outage_ms,
                          &counts->unowned_ms);
    metrics_set_histogram(metrics, METRIC_worker_room_paused, &histogram_outage_ms,
                          &counts->paused_ms);
}

static const char *tell(struct shell *shell)
{
    struct worker_stats stats;
    worker_core_stats(shell->core, &stats);
    tell_rooms(shell->metrics, &stats);
    tell_counts(shell->metrics, worker_core_counts(shell->core));
    const struct store_counters *store = store_counters_of(shell->store);
    metrics_set_histogram(shell->metrics, METRIC_store_append, &histogram_call_us,
                          &store->append_us);
    metrics_set_histogram(shell->metrics, METRIC_store_append_rooms, &histogram_batch,
                          &store->append_rooms);
    metrics_set(shell->metrics, METRIC_worker_rooms_live, stats.live);
    metrics_set(shell->metrics, METRIC_worker_unconfirmed, stats.unconfirmed);
    metrics_set(shell->metrics, METRIC_worker_oldest_unconfirmed, stats.oldest_unconfirmed_ms);
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

int main(int argc, char **argv)
{
    static const struct shell_counted counted[] = {
        {"room.adopted", METRIC_worker_rooms_adopted, false},
        {"room.created", METRIC_worker_rooms_created, false},
        {"room.fenced", METRIC_worker_rooms_fenced, false},
        {"room.handed", METRIC_worker_rooms_handed, false},
        {"room.repaired", METRIC_worker_rooms_repaired, false},
        {"room.set_aside", METRIC_worker_replay_mismatches, false},
        {"room.unreadable", METRIC_worker_rooms_unreadable, false},
        {NULL, 0, false},
    };
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
        .counted = counted,
    };
    (void)argc;
    return shell_main(&service, argv);
}
