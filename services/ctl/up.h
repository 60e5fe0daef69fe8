/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl up`: a whole cluster on this machine, with its own Redis. It starts everything in
 * order, says where to play, starts again what dies, and on Ctrl-C stops what it started and
 * nothing else.
 */
#ifndef CTL_UP_H
#define CTL_UP_H

#include "base/types.h"

struct up_config {
    int port;
    const char *bind;
    int gateways, matchmakers, workers, timers;
    const char *data_dir; /* Redis' files, keys, logs */
    const char *web_dir;  /* the built browser client */
    const char *redis;    /* shards to use instead of an own Redis; empty: own */
    const char *fsync;    /* of the own Redis: everysec or always */
};

/* Runs until it is told to stop. The process' exit code: 0 after an orderly stop, 1 when the
 * cluster could not be started (said on stderr). */
int up_run(const struct up_config *config);

void qr_print(const char *text);

enum port_state { PORT_FREE, PORT_BUSY, PORT_BAD_ADDRESS, PORT_FORBIDDEN };
enum port_state port_probe(const char *address, int port);
/* Different free ports on loopback. */
bool free_ports(int *ports, int count);
bool tcp_answers(const char *address, int port);
bool redis_answers(const char *path);
/* The first address of this machine that others can reach. */
bool lan_address(char out[64]);

#endif
