/* SPDX-License-Identifier: Apache-2.0
 *
 * madangctl as an operator types it, at the cluster of party.h: what it printed and what it ended
 * with.
 */
#ifndef CLUSTER_STEER_H
#define CLUSTER_STEER_H

#include "cluster/party.h"

enum { STEER_SAID_MAX = 1 << 20 };
struct steer_said {
    int code;
    char text[STEER_SAID_MAX]; /* both streams, as they came */
};
extern struct steer_said steer_said;

/* For cmocka: party_open and party_close, with a connection to that cluster's Redis besides. */
extern struct redisContext *steer_redis;
int steer_open(void **state);
int steer_close(void **state);

/* Runs `madangctl COMMAND --data=...`, with one more variable of the environment (NULL: none).
 * Returns the exit code; what was said stands in steer_said. */
__attribute__((format(printf, 2, 3))) int steer(const char *variable, const char *format, ...);
bool steer_told(const char *text);
/* Again until it ends with this, for at most PARTY_PATIENCE_MS. */
bool steer_until(int code, const char *command);
/* Again until it says this. */
bool steer_until_told(const char *text, const char *command);
/* The first digits of the id of a worker in this state; false: there is none. */
bool steer_worker(const char *state, char id[16]);
/* Whether the log of any worker has this. */
bool steer_logged(const char *text);

#endif
