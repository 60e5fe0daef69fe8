/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/whole_game.h"

#include "cluster/table.h"

enum { GAME_MS = 40 * 1000 };

const char *whole_game_play(int port, const struct game *game,
                            void (*met)(const struct ws_client *player))
{
    struct table table;
    const char *fault = table_seat(&table, "127.0.0.1", port, game);
    for (int i = 0; i < table.count && !fault && met; i++) met(&table.players[i]);
    if (!fault) fault = table_start(&table);
    if (!fault) fault = bots_play(table.players, table.count, GAME_MS);
    table_close(&table);
    return fault;
}
