/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGTERM: a worker hands its rooms over and goes; and everything is started again, one process
 * after the other, while people play.
 */
#include "drill/drill.h"

#include <signal.h>

enum { BETWEEN_MS = 500, GAMES_MS = 240 * 1000 };

static bool restart(struct drill_yard *yard, enum drill_service service)
{
    const char *name = drill_victim(yard, service);
    pid_t pid = name ? cluster_pid(&yard->cluster, name) : 0;
    return pid && kill(pid, SIGTERM) == 0 && drill_await_other(yard, name, pid);
}

static bool drain_worker(struct drill_yard *yard)
{
    if (yard->injected == 0) yard->logged = drill_logged(yard, DRILL_WORKER, "\"drain.left\"");
    const char *name = drill_victim(yard, DRILL_WORKER);
    pid_t pid = name ? cluster_pid(&yard->cluster, name) : 0;
    crowd_keen(yard->crowd, true);
    crowd_play(yard->crowd, BETWEEN_MS);
    bool left = drill_hit(yard, name, SIGTERM) && drill_await_other(yard, name, pid);
    crowd_keen(yard->crowd, false);
    return left;
}

static void no_room_was_left(struct drill_yard *yard, struct drill_result *result)
{
    int left = drill_logged(yard, DRILL_WORKER, "\"drain.left\"") - yard->logged;
    snprintf(result->said, sizeof result->said, "%llu rooms handed over",
             (unsigned long long)result->times.moved);
    if (left && !result->wrong[0])
        snprintf(result->wrong, sizeof result->wrong, "%d times rooms were left behind", left);
}

static bool restart_everything(struct drill_yard *yard)
{
    const struct cluster *cluster = &yard->cluster;
    const int counts[DRILL_SERVICE_COUNT] = {
        [DRILL_WORKER] = cluster->workers,
        [DRILL_GATEWAY] = cluster->gateways,
        [DRILL_TIMER] = cluster->timers,
        [DRILL_MATCHMAKER] = cluster->matchmakers,
    };
    for (int service = 0; service < DRILL_SERVICE_COUNT; service++)
        for (int i = 0; i < counts[service]; i++) {
            if (!restart(yard, (enum drill_service)service)) return false;
            crowd_play(yard->crowd, BETWEEN_MS);
        }
    return true;
}

/* Those that were on when it began. */
static void every_game_ends(struct drill_yard *yard, struct drill_result *result)
{
    bool ended = crowd_play_until(yard->crowd, crowd_games_ended, GAMES_MS);
    snprintf(result->said, sizeof result->said, "%llu games ended and another began",
             (unsigned long long)result->crowd.games);
    if (!ended && !result->wrong[0])
        snprintf(result->wrong, sizeof result->wrong, "a game that was on does not end");
}

const struct drill worker_drain_drill = {
    .name = "worker-drain",
    .fault = "planned drain of a worker",
    .figure = DRILL_WAITING,
    .p99_max_ms = 250,
    .times = 10,
    .inject = drain_worker,
    .expect = no_room_was_left,
};

const struct drill rolling_restart_drill = {
    .name = "rolling-restart",
    .fault = "rolling restart of every process",
    .figure = DRILL_WAITING,
    .times = 3,
    .inject = restart_everything,
    .expect = every_game_ends,
};
