/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster on free ports plays one whole game of every registered game with real clients over real
 * sockets; each client checks its own views. Ends in "N games finished".
 */
#include "cluster/bot.h"
#include "cluster/cluster.h"

#include "ops/system.h"

#include <stdio.h>

enum { PATIENCE_MS = 8000, GAME_MS = 40 * 1000 };

static bool seat_all(const struct cluster *cluster, const struct game *game,
                     struct ws_client *players, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "player%d", i + 1);
        if (!ws_connect(&players[i], "127.0.0.1", cluster->port, PATIENCE_MS)) return false;
        if (!ws_hello(&players[i], PATIENCE_MS)) return false;
        if (i == 0 && !ws_create(&players[i], game->id, name, NULL, 0, PATIENCE_MS)) return false;
        if (i > 0 && !ws_join(&players[i], players[0].code, name, PATIENCE_MS)) return false;
    }
    return ws_wait(&players[0], ws_has_seated, &count, PATIENCE_MS);
}

static const char *play(const struct cluster *cluster, const struct game *game)
{
    struct ws_client players[GAME_SEATS_MAX] = {0};
    int count = game->seats_max < 4 ? game->seats_max : 4;
    const char *fault = NULL;
    if (!bot_find(game->id)) fault = "no bot plays it";
    if (!fault && !seat_all(cluster, game, players, count)) fault = "the room did not fill";
    if (!fault && !ws_start(&players[0], PATIENCE_MS)) fault = "the game did not start";
    for (int i = 0; i < count && !fault; i++)
        if (!ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS)) fault = "no view of the game";
    if (!fault) fault = bots_play(players, count, GAME_MS);
    for (int i = 0; i < count; i++) ws_free(&players[i]);
    return fault;
}

int main(void)
{
    struct cluster cluster = {.gateways = 2, .matchmakers = 2, .timers = 2};
    int finished = 0, failed = 0;
    instant_ms began = clock_boot_ms();
    if (!cluster_start(&cluster)) {
        printf("the cluster did not start\n");
        failed++;
    }
    for (int g = 0; g < game_count() && !failed; g++) {
        const char *fault = play(&cluster, game_at(g));
        if (fault) {
            printf("%s: %s\n", game_at(g)->id, fault);
            failed++;
        } else {
            finished++;
        }
    }
    if (!cluster_stop(&cluster)) {
        printf("the cluster did not stop in order\n");
        failed++;
    }
    if (failed == 0)
        cluster_remove(&cluster);
    else
        printf("logs: %s\n", cluster.data);
    printf("%d games finished in %.1f s\n", finished, (double)(clock_boot_ms() - began) / 1000);
    printf("%d passed, %d failed\n", finished, failed);
    return failed ? 1 : 0;
}
