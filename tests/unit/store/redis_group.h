/* SPDX-License-Identifier: Apache-2.0
 *
 * A primary with replicas and three Sentinels over them: real processes on loopback ports, removed
 * with the test. The primary is called "yard".
 */
#ifndef UNIT_STORE_REDIS_GROUP_H
#define UNIT_STORE_REDIS_GROUP_H

#include "unit/store/redis_fixture.h"

enum {
    GROUP_SERVERS_MAX = 3,
    GROUP_SENTINELS = 3,
    GROUP_DOWN_AFTER_MS = 500, /* the Sentinels take a server that is silent so long for dead */
};

struct redis_group {
    struct redis_fixture servers[GROUP_SERVERS_MAX], sentinels[GROUP_SENTINELS];
    int ports[GROUP_SERVERS_MAX], sentinel_ports[GROUP_SENTINELS];
    int count;
    const char *const *options;
    char url[128]; /* sentinel://... */
};

/* Starts `count` servers, the first being the primary, and waits until every replica follows and
 * the Sentinels know them and each other. options: as for a fixture; borrowed. */
void redis_group_start(struct redis_group *group, int count, const char *const *options);
/* Whether it runs and says that it is a primary. */
bool redis_group_is_primary(struct redis_group *group, int server);
/* The one that does; -1: none, or more than one. */
int redis_group_primary(struct redis_group *group);
/* One that does and is not `old`, which may do so too; -1: none. */
int redis_group_other_primary(struct redis_group *group, int old);
/* Whether there is one primary, and all others run and have its data. */
bool redis_group_is_whole(struct redis_group *group);
/* Asks the Sentinels for an orderly promotion. False: they refuse (yet). */
bool redis_group_failover(struct redis_group *group);
void redis_group_kill(struct redis_group *group, int server);
/* Back with what it has on disk; the Sentinels make a replica of it. */
void redis_group_restart(struct redis_group *group, int server);
void redis_group_stop(struct redis_group *group);

#endif
