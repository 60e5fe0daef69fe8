/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster and up to twelve people in one of its rooms, for tests that play one game. A call that
 * does not come about fails the test.
 */
#ifndef CLUSTER_PARTY_H
#define CLUSTER_PARTY_H

#include "cluster/bot.h"
#include "cluster/cluster.h"

enum { PARTY_PATIENCE_MS = 30 * 1000 };

extern struct cluster party_cluster;
extern struct ws_client party[GAME_SEATS_MAX];

/* For cmocka: the cluster of a group; everybody's end after a test. */
int party_open(void **state);
int party_close(void **state);
int party_leave(void **state);

struct party_option {
    const char *key;
    int32_t value;
};
enum { PARTY_OPTIONS_MAX = 4 };
/* So many people in a room of that game, and the game begun. Options end at key NULL. */
void party_start(const char *game, int count, const struct party_option *options);
/* Bots play to the end. */
void party_play(int count, int limit_ms);
/* Takes what comes to everybody, for so long. */
void party_pump(int count, int ms);

#endif
