/* SPDX-License-Identifier: Apache-2.0
 *
 * Which processes a local cluster has, and what each is told.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "ctl/up_state.h"

static struct child *add(struct up *up, enum rank rank, const char *name, int number)
{
    CHECK(up->count < UP_CHILDREN_MAX);
    char full[32], program[PATH_MAX + 64];
    snprintf(full, sizeof full, number < 0 ? "%s" : "%s-%d", name, number);
    snprintf(program, sizeof program, "%s/madang-%s", up->bin, name);
    struct child *child = &up->children[up->count];
    up->rank[up->count++] = rank;
    child_init(child, full, number < 0 ? "redis-server" : program, up->log);
    child->keeps = up->children_lock;
    return child;
}

static void describe_redis(struct up *up)
{
    if (*up->config->redis) {
        snprintf(up->redis, sizeof up->redis, "%s", up->config->redis);
        return;
    }
    snprintf(up->redis, sizeof up->redis, "unix://%s/redis.sock", up->run);
    struct child *redis = add(up, RANK_REDIS, "redis", -1);
    const char *const args[] = {"--port",
                                "0",
                                "--save",
                                "",
                                "--appendonly",
                                "yes",
                                "--daemonize",
                                "no",
                                "--maxmemory-policy",
                                "noeviction",
                                "--latency-tracking", /* of every call within a script, too */
                                "no",
                                "--list-compress-depth", /* finished games */
                                "1"};
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) child_add_arg(redis, "%s", args[i]);
    child_add_arg(redis, "--appendfsync");
    child_add_arg(redis, "%s", up->config->fsync);
    child_add_arg(redis, "--dir");
    child_add_arg(redis, "%s/redis", up->data);
    child_add_arg(redis, "--unixsocket");
    child_add_arg(redis, "%s/redis.sock", up->run);
    child_add_arg(redis, "--unixsocketperm");
    child_add_arg(redis, "700");
}

/* Between the services TCP on loopback, not Unix sockets: with many connections at once the IPC
 * transport of nng 1.5 leaves one in a few hundred without a reader. Ports are the system's choice;
 * those of the matchmakers, which others must know beforehand, are looked for here. */
static bool describe_matchmakers(struct up *up)
{
    int count = up->config->matchmakers, ports[UP_MATCHMAKERS_MAX];
    size_t len = 0;
    if (!free_ports(ports, count)) return up_fail("matchmakers", "no free port on loopback");
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(up->matchmakers + len, sizeof up->matchmakers - len,
                                "%stcp://127.0.0.1:%d", i ? "," : "", ports[i]);
    for (int i = 0; i < count; i++) {
        struct child *child = add(up, RANK_CONTROL, "matchmaker", i);
        child_add_arg(child, "--control=tcp://127.0.0.1:%d", ports[i]);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
    }
    return true;
}

static void describe_services(struct up *up)
{
    const struct up_config *config = up->config;
    for (int i = 0; i < config->timers; i++) {
        struct child *child = add(up, RANK_CONTROL, "timer", i);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
    }
    for (int i = 0; i < config->workers; i++) {
        struct child *child = add(up, RANK_WORKER, "worker", i);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
        child_add_arg(child, "--operator-key-file=%s", up->operator_key);
    }
    for (int i = 0; i < config->gateways; i++) {
        struct child *child = add(up, RANK_GATEWAY, "gateway", i);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
        child_add_arg(child, "--port=%d", config->port);
        child_add_arg(child, "--bind=%s", config->bind);
        child_add_arg(child, "--web-dir=%s", config->web_dir);
        child_add_arg(child, "--key-file=%s/session.key", up->data);
    }
}

/* Each tells the matchmakers at which port of loopback it may be watched. */
static void describe_ops(struct up *up)
{
    for (int i = 0; i < up->count; i++)
        if (up->rank[i] != RANK_REDIS) child_add_arg(&up->children[i], "--ops=http://127.0.0.1:0");
}

bool up_plan(struct up *up)
{
    describe_redis(up);
    /* Everybody reads a command line, and there may be a password in it. */
    if (setenv("MADANG_REDIS", up->redis, 1) != 0) return up_fail("redis", "no memory");
    if (!up_make_key(up) || !describe_matchmakers(up)) return false;
    describe_services(up);
    describe_ops(up);
    return true;
}
