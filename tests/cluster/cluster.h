/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole cluster of real processes for a test: `madangctl up` with its own Redis on a free port,
 * in a folder of its own. Everything it started is gone after cluster_stop.
 */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <sys/types.h>

struct cluster {
    int port;
    pid_t supervisor;
    char data[128], log[160];
    int gateways, matchmakers, workers, timers;
    const char *redis; /* shards to use instead of an own Redis; NULL: its own */
    const char *bin;   /* the folder of madangctl and the services; NULL: where they are built */
};

/* Starts it with the numbers set (0: one, workers: two) and waits until browsers can connect. False
 * when that does not come about; the log is then on stderr. Called again after cluster_stop with
 * the folder kept, it goes on with the same data. */
bool cluster_start(struct cluster *cluster);
/* Ctrl-C; waits for the end. False: something is left, or it did not end in order. The folder stays
 * until cluster_remove. */
bool cluster_stop(struct cluster *cluster);
void cluster_remove(struct cluster *cluster);

/* The pid of a child ("worker-1"), 0: it does not run. */
pid_t cluster_pid(const struct cluster *cluster, const char *name);
/* Sends a signal to a child. */
bool cluster_signal(const struct cluster *cluster, const char *name, int signal);
/* Whether the supervisor has said this. */
bool cluster_said(const struct cluster *cluster, const char *text);

/* Where they are built: PATH_MAX bytes. */
bool cluster_bin(char *out);

void sleep_ms(int ms);

#endif
