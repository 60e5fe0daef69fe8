/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/redis_group.h"

#include "unit/free_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 90000, STEP_MS = 20, WORDS_MAX = 20 };

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
}

static void run_server(struct redis_group *group, int server, bool again)
{
    char port[8], primary[8];
    snprintf(port, sizeof port, "%d", group->ports[server]);
    snprintf(primary, sizeof primary, "%d", group->ports[0]);
    const char *words[WORDS_MAX] = {
        "--port", port, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0"};
    int count = 6;
    if (server > 0 && !again) {
        words[count++] = "--replicaof";
        words[count++] = "127.0.0.1";
        words[count++] = primary;
    }
    for (const char *const *more = group->options; more && *more; more++) words[count++] = *more;
    if (again)
        redis_fixture_restart(&group->servers[server], words);
    else
        redis_fixture_start(&group->servers[server], words);
}

static void run_sentinel(struct redis_group *group, int i)
{
    char config[400];
    snprintf(config, sizeof config,
             "port %d\nbind 127.0.0.1\n"
             "sentinel monitor yard 127.0.0.1 %d 2\n"
             "sentinel down-after-milliseconds yard %d\n"
             "sentinel failover-timeout yard 2000\n",
             group->sentinel_ports[i], group->ports[0], GROUP_DOWN_AFTER_MS);
    redis_fixture_start_sentinel(&group->sentinels[i], config);
}

static bool is_known(struct redis_group *group)
{
    for (int i = 0; i < GROUP_SENTINELS; i++) {
        struct redis_fixture *sentinel = &group->sentinels[i];
        if (redis_fixture_command(sentinel, "SENTINEL REPLICAS yard") != group->count - 1 ||
            redis_fixture_command(sentinel, "SENTINEL SENTINELS yard") != GROUP_SENTINELS - 1)
            return false;
    }
    return true;
}

/* ROLE of a replica has five elements, that of a primary three. */
bool redis_group_is_primary(struct redis_group *group, int server)
{
    return group->servers[server].pid > 0 &&
           redis_fixture_command(&group->servers[server], "ROLE") == 3;
}

int redis_group_primary(struct redis_group *group)
{
    int found = -1;
    for (int i = 0; i < group->count; i++) {
        if (!redis_group_is_primary(group, i)) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

int redis_group_other_primary(struct redis_group *group, int old)
{
    for (int i = 0; i < group->count; i++)
        if (i != old && redis_group_is_primary(group, i)) return i;
    return -1;
}

bool redis_group_is_whole(struct redis_group *group)
{
    int primary = redis_group_primary(group), others = group->count - 1;
    return primary >= 0 &&
           redis_fixture_command(&group->servers[primary], "WAIT %d 10", others) >= others;
}

/* Ends the test program when a condition does not come about. */
static void await(struct redis_group *group, bool (*holds)(struct redis_group *group),
                  const char *otherwise)
{
    for (int waited = 0; !holds(group); waited += STEP_MS) {
        if (waited > PATIENCE_MS) {
            fprintf(stderr, "redis group: %s\n", otherwise);
            exit(1);
        }
        rest();
    }
}

void redis_group_start(struct redis_group *group, int count, const char *const *options)
{
    *group = (struct redis_group){.count = count, .options = options};
    for (int i = 0; i < count; i++) group->ports[i] = free_port();
    for (int i = 0; i < GROUP_SENTINELS; i++) group->sentinel_ports[i] = free_port();
    snprintf(group->url, sizeof group->url,
             "sentinel://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/yard", group->sentinel_ports[0],
             group->sentinel_ports[1], group->sentinel_ports[2]);
    for (int i = 0; i < count; i++) run_server(group, i, false);
    await(group, redis_group_is_whole, "the replicas do not follow");
    for (int i = 0; i < GROUP_SENTINELS; i++) run_sentinel(group, i);
    await(group, is_known, "the Sentinels do not find each other");
}

bool redis_group_failover(struct redis_group *group)
{
    return redis_fixture_command(&group->sentinels[0], "SENTINEL FAILOVER yard") >= 0;
}

void redis_group_kill(struct redis_group *group, int server)
{
    redis_fixture_kill(&group->servers[server]);
}

void redis_group_restart(struct redis_group *group, int server)
{
    run_server(group, server, true);
}

void redis_group_stop(struct redis_group *group)
{
    for (int i = 0; i < GROUP_SENTINELS; i++) redis_fixture_stop(&group->sentinels[i]);
    for (int i = 0; i < group->count; i++) redis_fixture_stop(&group->servers[i]);
}
