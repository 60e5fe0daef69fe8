/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of `madangctl up` share: the cluster being supervised.
 */
#ifndef CTL_UP_STATE_H
#define CTL_UP_STATE_H

#include <limits.h>

#include "ctl/child.h"
#include "ctl/up.h"

enum {
    UP_CHILDREN_MAX = 64,
    UP_MATCHMAKERS_MAX = 8,
    UP_FORMER_MS = 30 * 1000, /* for the children of a supervisor that was killed to end */
    UP_REDIS_START_MS = 20 * 1000,
    UP_GATEWAY_START_MS = 15 * 1000,
    UP_ROOM_BYTES = 8 << 20, /* free on the disk, at least */
    UP_SOCKET_PATH_MAX = 80, /* a unix socket's whole path has 107 bytes */
};

/* Stopped rank by rank, the highest first: players' sockets, rooms, then what those lean on. */
enum rank { RANK_REDIS, RANK_CONTROL, RANK_WORKER, RANK_GATEWAY, RANK_COUNT };
struct up {
    const struct up_config *config;
    char data[PATH_MAX], run[PATH_MAX], log[PATH_MAX], bin[PATH_MAX];
    bool run_is_ours; /* made under /tmp because data's path is too long for sockets */
    char matchmakers[4096], redis[PATH_MAX + 32];
    char operator_key[PATH_MAX + 16]; /* a file */
    struct child children[UP_CHILDREN_MAX];
    enum rank rank[UP_CHILDREN_MAX];
    int count;
    int signals;
    int lock;          /* held while this process lives */
    int children_lock; /* held while it or one of its children lives */
    bool stop, hurry;
    bool starting, wrong; /* a setting is wrong: trying again would not help */
};

/* shell_plan.c: which processes there are, with which settings. False: said on stderr. */
bool up_plan(struct up *up);
/* The operator's key of this cluster, made once. False: said on stderr. */
bool up_make_key(struct up *up);
/* Tells the other commands of madangctl where the cluster is. */
void up_leave_note(const struct up *up);

/* shell_trouble.c. A child that ended at the start and would do so again: why, on stderr. */
void trouble_tell(const struct up *up, const struct child *child, int status);
/* False: the data folder's disk is full; said on stderr. */
bool trouble_room(const struct up *up);

/* Says what is wrong; always false. */
bool up_fail(const char *what, const char *why);

#endif
