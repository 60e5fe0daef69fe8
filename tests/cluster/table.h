/* SPDX-License-Identifier: Apache-2.0
 *
 * People around one room of a game, at any address where a cluster can be played at.
 */
#ifndef CLUSTER_TABLE_H
#define CLUSTER_TABLE_H

#include "cluster/bot.h"

enum { TABLE_SEATS_MAX = 4 };

struct table {
    const struct game *game;
    struct ws_client players[TABLE_SEATS_MAX];
    int count;
};

/* A room of that game with as many people as it takes, four at most; then the game begins. NULL, or
 * what went wrong; table_close in either case. */
const char *table_seat(struct table *table, const char *host, int port, const struct game *game);
const char *table_start(struct table *table);
/* Everybody whose connection has ended comes back to their seat, through the same address. */
const char *table_come_back(struct table *table, int patience_ms);
void table_close(struct table *table);

#endif
