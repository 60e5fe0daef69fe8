/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of attacks share: a cluster of one of each, connections from other houses, and how
 * an innocent player fares meanwhile.
 */
#ifndef CLUSTER_ATTACKER_H
#define CLUSTER_ATTACKER_H

#include "cluster/bot.h"
#include "cluster/cluster.h"
#include "ops/system.h"
#include "unit/test.h"

enum { PATIENCE_MS = 30 * 1000, AT_ONCE_MS = 2000, SOON_MS = 500, GAME_MS = 180 * 1000 };

#define HOME      "127.0.0.1"
#define NEXT_DOOR "127.0.0.2" /* another address, so other limits */

extern struct cluster attacked;
/* For a group of tests. All processes live to its end: nothing here may have stopped one. */
int attacked_set_up(void **state);
int attacked_tear_down(void **state);

/* A guest who is welcomed. from NULL: any address. */
void greet(struct ws_client *player, const char *from);
/* `count` friends in a room of Da Vinci Code, its game not started. */
void sit_together(struct ws_client *players, int count);
void start_game(struct ws_client *players, int count);
/* An innocent person opens a room: within AT_ONCE_MS, all in all. */
void assert_others_notice_nothing(void);

/* How long the gateway takes to answer that player now, ms. */
int answer_ms(struct ws_client *player);
/* That is half a second at most; a machine that was busy for a moment gets three attempts. */
void assert_answered_soon(struct ws_client *player);

bool is_open(int fd);
/* Memory that a child holds. */
long memory_kb(const char *child);

#endif
