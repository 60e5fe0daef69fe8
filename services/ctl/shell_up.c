/* SPDX-License-Identifier: Apache-2.0
 *
 * The local supervisor. One thread: it waits for a signal (a child's end is one) or for the next
 * restart that is due.
 */
#include "ctl/up.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "ctl/child.h"

enum {
    UP_CHILDREN_MAX = 64,
    UP_MATCHMAKERS_MAX = 8,
    UP_REDIS_START_MS = 20 * 1000,
    UP_GATEWAY_START_MS = 15 * 1000,
    UP_SOCKET_PATH_MAX = 80, /* a unix socket's whole path has 107 bytes */
};

/* Stopped rank by rank, the highest first: players' sockets, rooms, then what those lean on. */
enum rank { RANK_REDIS, RANK_CONTROL, RANK_WORKER, RANK_GATEWAY, RANK_COUNT };
static const int stop_ms[RANK_COUNT] = {
    [RANK_REDIS] = 10000, [RANK_CONTROL] = 3000, [RANK_WORKER] = 15000, [RANK_GATEWAY] = 6000};

struct up {
    const struct up_config *config;
    char data[PATH_MAX], run[PATH_MAX], log[PATH_MAX], bin[PATH_MAX];
    bool run_is_ours; /* made under /tmp because data's path is too long for sockets */
    char matchmakers[4096], redis[PATH_MAX + 32];
    struct child children[UP_CHILDREN_MAX];
    enum rank rank[UP_CHILDREN_MAX];
    int count;
    int signals;
    int lock;
    bool stop, hurry;
};

static instant_ms clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (instant_ms)now.tv_sec * 1000 + (instant_ms)now.tv_nsec / 1000000;
}

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "madangctl: %s: %s\n", what, why);
    return false;
}

static bool make_dir(const char *path)
{
    return mkdir(path, 0755) == 0 || errno == EEXIST || fail(path, strerror(errno));
}

static bool make_dirs(struct up *up)
{
    char path[PATH_MAX + 16];
    if (!make_dir(up->config->data_dir)) return false;
    if (!realpath(up->config->data_dir, up->data))
        return fail(up->config->data_dir, strerror(errno));
    snprintf(up->log, sizeof up->log, "%.*s/log", PATH_MAX - 16, up->data);
    snprintf(path, sizeof path, "%s/redis", up->data);
    if (!make_dir(up->log) || !make_dir(path)) return false;
    if (strlen(up->data) + 4 <= UP_SOCKET_PATH_MAX) {
        snprintf(up->run, sizeof up->run, "%.*s/run", PATH_MAX - 16, up->data);
        return make_dir(up->run);
    }
    strcpy(up->run, "/tmp/madang-XXXXXX");
    up->run_is_ours = mkdtemp(up->run) != NULL;
    return up->run_is_ours || fail(up->run, strerror(errno));
}

static bool lock_data(struct up *up)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/lock", up->data);
    up->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (up->lock < 0) return fail(path, strerror(errno));
    if (flock(up->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return fail(up->data, "another cluster runs on this data; stop it, or name another DATA=");
}

static bool check_port(const struct up_config *config)
{
    char what[128];
    snprintf(what, sizeof what, "port %d on %s", config->port, config->bind);
    switch (port_probe(config->bind, config->port)) {
    case PORT_FREE: return true;
    case PORT_BUSY:
        return fail(what, "another program listens there; choose another one, as in PORT=9000");
    case PORT_BAD_ADDRESS: return fail(what, "that is not an address of this machine (BIND=)");
    case PORT_FORBIDDEN: return fail(what, "not allowed; ports below 1024 need privileges");
    }
    return false;
}

static bool find_programs(struct up *up)
{
    ssize_t len = readlink("/proc/self/exe", up->bin, sizeof up->bin - 1);
    if (len <= 0) return fail("/proc/self/exe", strerror(errno));
    up->bin[len] = 0;
    *strrchr(up->bin, '/') = 0;
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/index.html", up->config->web_dir);
    if (access(path, R_OK)) return fail(path, "the browser client is not built; run `make`");
    return true;
}

static struct child *add(struct up *up, enum rank rank, const char *name, int number)
{
    CHECK(up->count < UP_CHILDREN_MAX);
    char full[32], program[PATH_MAX + 64];
    snprintf(full, sizeof full, number < 0 ? "%s" : "%s-%d", name, number);
    snprintf(program, sizeof program, "%s/madang-%s", up->bin, name);
    struct child *child = &up->children[up->count];
    up->rank[up->count++] = rank;
    child_init(child, full, number < 0 ? "redis-server" : program, up->log);
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
    if (!free_ports(ports, count)) return fail("matchmakers", "no free port on loopback");
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(up->matchmakers + len, sizeof up->matchmakers - len,
                                "%stcp://127.0.0.1:%d", i ? "," : "", ports[i]);
    for (int i = 0; i < count; i++) {
        struct child *child = add(up, RANK_CONTROL, "matchmaker", i);
        child_add_arg(child, "--control=tcp://127.0.0.1:%d", ports[i]);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
        child_add_arg(child, "--redis=%s", up->redis);
    }
    return true;
}

static void describe_services(struct up *up)
{
    const struct up_config *config = up->config;
    for (int i = 0; i < config->timers; i++) {
        struct child *child = add(up, RANK_CONTROL, "timer", i);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
        child_add_arg(child, "--redis=%s", up->redis);
    }
    for (int i = 0; i < config->workers; i++) {
        struct child *child = add(up, RANK_WORKER, "worker", i);
        child_add_arg(child, "--matchmakers=%s", up->matchmakers);
        child_add_arg(child, "--redis=%s", up->redis);
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

/* Name and pid of every child, for tools and tests. Written aside and renamed: never half. */
static void write_pids(const struct up *up)
{
    char path[PATH_MAX + 16], aside[PATH_MAX + 24];
    snprintf(path, sizeof path, "%s/pids", up->data);
    snprintf(aside, sizeof aside, "%s.new", path);
    FILE *file = fopen(aside, "we");
    if (!file) return;
    for (int i = 0; i < up->count; i++)
        if (up->children[i].pid)
            fprintf(file, "%s %d\n", up->children[i].name, up->children[i].pid);
    fclose(file);
    rename(aside, path);
}

static void reap(struct up *up)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < up->count; i++) {
            if (up->children[i].pid != pid) continue;
            char text[1024];
            bool wanted = up->children[i].wanted;
            child_ended(&up->children[i], status, clock_now(), text, sizeof text);
            if (wanted) fprintf(stderr, "madangctl: %s\n", text);
            write_pids(up);
        }
}

/* Waits up to ms for a signal and handles it. */
static void wait_signal(struct up *up, int ms)
{
    struct pollfd poll_fd = {.fd = up->signals, .events = POLLIN};
    if (poll(&poll_fd, 1, ms) <= 0) return;
    struct signalfd_siginfo info;
    while (read(up->signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            reap(up);
        } else {
            up->hurry = up->stop; /* asked twice */
            up->stop = true;
        }
    }
}

static bool open_signals(struct up *up)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    up->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return up->signals >= 0 || fail("signalfd", strerror(errno));
}

static bool start_rank(struct up *up, enum rank rank)
{
    for (int i = 0; i < up->count; i++)
        if (up->rank[i] == rank && !child_start(&up->children[i], clock_now())) return false;
    write_pids(up);
    return true;
}

static bool await(struct up *up, bool (*answers)(const struct up *), int limit_ms, const char *what)
{
    instant_ms until = clock_now() + (instant_ms)limit_ms;
    while (!up->stop) {
        if (answers(up)) return true;
        if (clock_now() > until)
            return fail(what, "did not come up; its log is in the data folder");
        wait_signal(up, 20);
    }
    return false;
}

static bool redis_is_up(const struct up *up)
{
    return redis_answers(up->redis + strlen("unix://"));
}

static bool gateway_is_up(const struct up *up)
{
    return tcp_answers(up->config->bind, up->config->port);
}

static bool start_all(struct up *up)
{
    bool own_redis = !*up->config->redis;
    if (own_redis) {
        if (!start_rank(up, RANK_REDIS)) return false;
        if (!await(up, redis_is_up, UP_REDIS_START_MS, "redis")) return false;
    }
    return start_rank(up, RANK_CONTROL) && start_rank(up, RANK_WORKER) &&
           start_rank(up, RANK_GATEWAY) &&
           await(up, gateway_is_up, UP_GATEWAY_START_MS, "the gateway");
}

static bool running(const struct up *up, enum rank rank)
{
    for (int i = 0; i < up->count; i++)
        if (up->rank[i] == rank && up->children[i].pid) return true;
    return false;
}

static void stop_rank(struct up *up, enum rank rank)
{
    for (int i = 0; i < up->count; i++) {
        if (up->rank[i] != rank) continue;
        up->children[i].wanted = false;
        child_signal(&up->children[i], SIGTERM);
        child_signal(&up->children[i], SIGCONT); /* one that was frozen stops too */
    }
    instant_ms until = clock_now() + (instant_ms)stop_ms[rank];
    while (running(up, rank) && !up->hurry && clock_now() < until) wait_signal(up, 50);
    for (int i = 0; i < up->count; i++)
        if (up->rank[i] == rank) child_signal(&up->children[i], SIGKILL);
    until = clock_now() + 2000;
    while (running(up, rank) && clock_now() < until) wait_signal(up, 50);
}

static void stop_all(struct up *up)
{
    for (int rank = RANK_COUNT - 1; rank >= 0; rank--) stop_rank(up, (enum rank)rank);
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/pids", up->data);
    unlink(path);
}

static int until_restart_ms(const struct up *up)
{
    instant_ms now = clock_now(), next = now + 60 * 1000;
    for (int i = 0; i < up->count; i++)
        if (!up->children[i].pid && up->children[i].restart_at < next)
            next = up->children[i].restart_at;
    return next > now ? (int)(next - now) : 0;
}

static void restart_due(struct up *up)
{
    instant_ms now = clock_now();
    for (int i = 0; i < up->count; i++) {
        struct child *child = &up->children[i];
        if (child->pid || now < child->restart_at) continue;
        if (child_start(child, now))
            fprintf(stderr, "madangctl: %s runs again\n", child->name);
        else
            child->restart_at = now + CHILD_PAUSE_MAX_MS;
        write_pids(up);
    }
}

static void say_where(const struct up *up)
{
    const struct up_config *config = up->config;
    char address[64], url[128];
    snprintf(address, sizeof address, "%s", config->bind);
    if (!strcmp(config->bind, "0.0.0.0") && !lan_address(address)) strcpy(address, "127.0.0.1");
    snprintf(url, sizeof url, "http://%s:%d/", address, config->port);
    printf("\n  Madang is up:  %s\n\n", url);
    if (isatty(STDOUT_FILENO)) qr_print(url);
    if (!strncmp(address, "127.", 4))
        printf("  Only this machine can reach it. For phones in the same network: BIND=0.0.0.0\n");
    printf("  %d gateway(s), %d matchmaker(s), %d worker(s), %d timer(s); data in %s\n"
           "  Ctrl-C stops it. Rooms that are open go on at the next start.\n\n",
           config->gateways, config->matchmakers, config->workers, config->timers, up->data);
    fflush(stdout);
}

/* The folder of sockets under /tmp holds nothing else. */
static void remove_sockets(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.') unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir) closedir(dir);
    rmdir(path);
}

static void up_close(struct up *up)
{
    for (int i = 0; i < up->count; i++) child_fini(&up->children[i]);
    if (up->run_is_ours) remove_sockets(up->run);
    if (up->lock > 0) close(up->lock);
    if (up->signals > 0) close(up->signals);
    free(up);
}

int up_run(const struct up_config *config)
{
    struct up *up = calloc(1, sizeof *up);
    CHECK(up);
    up->config = config;
    bool started = make_dirs(up) && lock_data(up) && check_port(config) && find_programs(up) &&
                   open_signals(up);
    if (started) {
        describe_redis(up);
        started = describe_matchmakers(up);
        describe_services(up);
        started = started && start_all(up);
        if (started) say_where(up);
        while (started && !up->stop) {
            wait_signal(up, until_restart_ms(up));
            if (!up->stop) restart_due(up);
        }
        bool asked = up->stop;
        if (asked) printf("  stopping ...\n");
        stop_all(up);
        if (asked) printf("  stopped\n");
        started = started || asked;
    }
    up_close(up);
    return started ? 0 : 1;
}
