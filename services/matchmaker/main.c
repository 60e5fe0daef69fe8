/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-matchmaker: decides where rooms live.
 */
#include "matchmaker/matchmaker_core.h"
#include "ops/system.h"
#include "shell/shell.h"

enum { MATCHMAKERS_MAX = 8, LAST_WORDS_MS = 100 };

static const char *open_core(struct shell *shell)
{
    static const char *peers[MATCHMAKERS_MAX];
    struct matchmaker_config config = {
        .instance = shell->instance,
        .control_url = bus_control_url(shell->bus),
        .build = MADANG_VERSION,
        .shard_count = shell->shard_count,
        .peers = peers,
        .peer_count = shell_matchmakers(shell, peers),
    };
    shell->core = matchmaker_core_open(&config, clock_boot_ms());
    return NULL;
}

static void close_core(struct shell *shell)
{
    matchmaker_core_close(shell->core);
}

static void step(void *core, const struct event *event, instant_ms now, struct effects *out)
{
    matchmaker_core_step(core, event, now, out);
}

static instant_ms deadline(const void *core)
{
    return matchmaker_core_deadline(core);
}

static const char *tell(struct shell *shell)
{
    metrics_set(shell->metrics, METRIC_matchmaker_rooms_awaited,
                matchmaker_core_awaited(shell->core));
    return matchmaker_core_unready(shell->core);
}

static void tell_queues(struct shell *shell)
{
    struct matchmaker_queues queues;
    matchmaker_core_queues(shell->core, &queues);
#define X(name) metrics_set_queue(shell->metrics, QUEUE_matchmaker_##name, &queues.name);
    MATCHMAKER_QUEUES(X)
#undef X
}

int main(int argc, char **argv)
{
    static const struct shell_service service = {
        .program = PROGRAM_MATCHMAKER,
        .control = true,
        .store = true,
        .matchmakers_max = MATCHMAKERS_MAX,
        .last_words_ms = LAST_WORDS_MS,
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
