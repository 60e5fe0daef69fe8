/* SPDX-License-Identifier: Apache-2.0
 *
 * A gateway as a process of its own, with a small site and no cluster behind it, for the tests of a
 * program: set-up and tear-down of a group, and what its tests do to such processes.
 */
#ifndef CLUSTER_LONE_GATEWAY_H
#define CLUSTER_LONE_GATEWAY_H

#include "cluster/ws_client.h"
#include "unit/test.h"

#include <sys/types.h>

enum { PATIENCE_MS = 30 * 1000 };

extern char lone_folder[64], lone_key_file[128]; /* its files; the key that it made */
extern int lone_port;

int lone_set_up(void **unused);
/* Ends it; fails when it does not end in order. */
int lone_tear_down(void **unused);

/* Another one; what it says goes to `log`. flags: further ones, NULL at the end, or NULL. */
pid_t lone_start(int port, const char *key, const char *log);
pid_t lone_start_with(int port, const char *key, const char *log, const char *const *flags);
/* The exit code; -1: it had to be killed. */
int lone_wait(pid_t pid);
/* The first one answers, after a while. */
bool lone_answers(void);
bool lone_file_says(const char *path, const char *text);

/* One request to the first one; the status, 0: none. `header` ends with its line end. */
int lone_get(const char *request, struct buf *answer);
int lone_get_path(const char *path, const char *header, struct buf *answer);

#endif
