/* SPDX-License-Identifier: Apache-2.0
 *
 * What other processes take of the machine, read from /proc: the services of a cluster and its
 * Redis, while something else loads them.
 */
#ifndef BENCH_WATCH_H
#define BENCH_WATCH_H

#include "base/types.h"
#include "bench/calls.h"

#include <sys/types.h>

enum { WATCH_MAX = 64 };

struct watched {
    pid_t pid;
    char name[32];
    char sums[512];              /* the file in which calls_preload counts; empty: it does not */
    double cpu_s, user_s;        /* user and system, of all its threads; of it, user */
    uint64_t memory_kb, peak_kb; /* resident; peak since it started */
    bool gone;
    bool calls_counted;
    uint64_t calls[CALL_KINDS]; /* of the kernel, since it started */
};

/* Whom to watch: pids with commas between them, or (when list is NULL) those of the cluster that
 * `madangctl up` runs in that folder, with what calls_preload.c counts in its folder `calls`. How
 * many; -1: the list or the folder cannot be read. */
int watch_find(const char *list, const char *folder, struct watched watched[WATCH_MAX]);
/* Looks again at each. */
void watch_look(struct watched *watched, int count);

/* Seconds that all processors together were not idle since the machine started, and how many
 * processors there are. */
double watch_machine(int *processors);
/* The first line of /proc/stat; false: it is not that. */
bool watch_machine_read(const char *line, uint64_t *ticks);

/* A line of /proc/<pid>/stat; false: it is not one. */
bool watch_stat_read(const char *line, char name[32], uint64_t *user, uint64_t *kernel);

#endif
