/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/table.h"

#include "cluster/cluster.h"
#include "ops/system.h"

#include <stdio.h>

enum { PATIENCE_MS = 30 * 1000, AGAIN_MS = 100 };

static bool seat_all(struct table *table, const char *host, int port)
{
    struct ws_client *players = table->players;
    for (int i = 0; i < table->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "player%d", i + 1);
        if (!ws_connect(&players[i], host, port, PATIENCE_MS)) return false;
        if (!ws_hello(&players[i], PATIENCE_MS)) return false;
        if (i == 0 && !ws_create(&players[i], table->game->id, name, NULL, 0, PATIENCE_MS))
            return false;
        if (i > 0 && !ws_join(&players[i], players[0].code, name, PATIENCE_MS)) return false;
    }
    return ws_wait(&players[0], ws_has_seated, &table->count, PATIENCE_MS);
}

const char *table_seat(struct table *table, const char *host, int port, const struct game *game)
{
    *table = (struct table){.game = game};
    table->count = game->seats_max < TABLE_SEATS_MAX ? game->seats_max : TABLE_SEATS_MAX;
    for (int i = 0; i < TABLE_SEATS_MAX; i++) table->players[i].socket.fd = -1;
    if (!bot_find(game->id)) return "no bot plays it";
    return seat_all(table, host, port) ? NULL : "the room did not fill";
}

const char *table_start(struct table *table)
{
    if (!ws_start(&table->players[0], PATIENCE_MS)) return "the game did not start";
    for (int i = 0; i < table->count; i++)
        if (!ws_wait(&table->players[i], ws_is_playing, NULL, PATIENCE_MS))
            return "no view of the game";
    return NULL;
}

/* An address behind which a gateway has just died may say no once or twice. */
static bool come_back(struct ws_client *player, int patience_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)patience_ms;
    while (clock_boot_ms() < until) {
        if (ws_come_back(player, player->port, PATIENCE_MS)) return true;
        sleep_ms(AGAIN_MS);
    }
    return false;
}

const char *table_come_back(struct table *table, int patience_ms)
{
    ws_pump_all(table->players, table->count);
    for (int i = 0; i < table->count; i++)
        if (table->players[i].socket.fd < 0 && !come_back(&table->players[i], patience_ms))
            return "somebody could not come back";
    return NULL;
}

void table_close(struct table *table)
{
    for (int i = 0; i < table->count; i++) ws_free(&table->players[i]);
}
