/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/whole_game.h"

#include "cluster/bot.h"

#include <stdio.h>

enum { PATIENCE_MS = 8000, GAME_MS = 40 * 1000, PLAYERS_MAX = 4 };

static bool seat_all(int port, const struct game *game, struct ws_client *players, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "player%d", i + 1);
        if (!ws_connect(&players[i], "127.0.0.1", port, PATIENCE_MS)) return false;
        if (!ws_hello(&players[i], PATIENCE_MS)) return false;
        if (i == 0 && !ws_create(&players[i], game->id, name, NULL, 0, PATIENCE_MS)) return false;
        if (i > 0 && !ws_join(&players[i], players[0].code, name, PATIENCE_MS)) return false;
    }
    return ws_wait(&players[0], ws_has_seated, &count, PATIENCE_MS);
}

const char *whole_game_play(int port, const struct game *game,
                            void (*met)(const struct ws_client *player))
{
    struct ws_client players[PLAYERS_MAX] = {0};
    int count = game->seats_max < PLAYERS_MAX ? game->seats_max : PLAYERS_MAX;
    const char *fault = NULL;
    if (!bot_find(game->id)) fault = "no bot plays it";
    if (!fault && !seat_all(port, game, players, count)) fault = "the room did not fill";
    for (int i = 0; i < count && !fault && met; i++) met(&players[i]);
    if (!fault && !ws_start(&players[0], PATIENCE_MS)) fault = "the game did not start";
    for (int i = 0; i < count && !fault; i++)
        if (!ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS)) fault = "no view of the game";
    if (!fault) fault = bots_play(players, count, GAME_MS);
    for (int i = 0; i < count; i++) ws_free(&players[i]);
    return fault;
}
