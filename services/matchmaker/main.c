/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-matchmaker: decides where rooms live.
 */
#include "matchmaker/matchmaker_core.h"
#include "ops/system.h"
#include "shell/shell.h"

enum { MATCHMAKERS_MAX = 8, LAST_WORDS_MS = 100 };

static const struct {
    enum service_kind kind;
    const char *label;
} kinds[] = {
    {SERVICE_GATEWAY, "kind=\"gateway\""},
    {SERVICE_MATCHMAKER, "kind=\"matchmaker\""},
    {SERVICE_WORKER, "kind=\"worker\""},
    {SERVICE_TIMER, "kind=\"timer\""},
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static int members_label; /* of the first */

static void label_members(struct metrics *metrics)
{
    for (int i = 0; i < KINDS; i++) {
        int label = metrics_label(metrics, METRIC_matchmaker_members, kinds[i].label);
        if (i == 0) members_label = label;
    }
}

static const char *open_core(struct shell *shell)
{
    label_members(shell->metrics);
    int open = (int)setting(&shell->settings, SETTING_SHARDS_OPEN)->number;
    if (open > shell->shard_count) return "--shards-open: there are not so many shards";
    static const char *peers[MATCHMAKERS_MAX];
    struct matchmaker_config config = {
        .instance = shell->instance,
        .control_url = bus_control_url(shell->bus),
        .build = MADANG_VERSION,
        .ops_port = shell_ops_port(shell),
        .shard_count = shell->shard_count,
        .shards_open = open,
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
    for (int i = 0; i < KINDS; i++)
        metrics_set_labelled(shell->metrics, members_label + i,
                             matchmaker_core_members(shell->core, kinds[i].kind));
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
    static const struct shell_counted counted[] = {
        {"member.dead", METRIC_matchmaker_members_dead, false},
        {"owner.silent", METRIC_matchmaker_owners_silent, false},
        {"quick.matched", METRIC_matchmaker_tickets_matched, true},
        {"room.created", METRIC_matchmaker_rooms_created, false},
        {"rooms.placed", METRIC_matchmaker_rooms_placed, true},
        {NULL, 0, false},
    };
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
        .counted = counted,
    };
    (void)argc;
    return shell_main(&service, argv);
}
