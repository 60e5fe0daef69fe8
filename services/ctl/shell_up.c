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
#include "ctl/local.h"
#include "ctl/say.h"
#include "ctl/up_state.h"

static const int stop_ms[RANK_COUNT] = {
    [RANK_REDIS] = 10000, [RANK_CONTROL] = 3000, [RANK_WORKER] = 15000, [RANK_GATEWAY] = 6000};

static instant_ms clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (instant_ms)now.tv_sec * 1000 + (instant_ms)now.tv_nsec / 1000000;
}

bool up_fail(const char *what, const char *why)
{
    say(STDERR_FILENO, "madangctl: %s: %s\n", what, why);
    return false;
}

static bool make_dir(const char *path)
{
    char why[128];
    struct stat there;
    if (mkdir(path, 0755) == 0) return true;
    int error = errno;
    if (error == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return true;
    snprintf(why, sizeof why, "is to be a folder of the cluster's data (DATA=): %s",
             error == EEXIST ? "it is something else" : strerror(error));
    return up_fail(path, why);
}

static bool make_dirs(struct up *up)
{
    char path[PATH_MAX + 16];
    if (!make_dir(up->config->data_dir)) return false;
    if (!realpath(up->config->data_dir, up->data))
        return up_fail(up->config->data_dir, strerror(errno));
    snprintf(up->log, sizeof up->log, "%.*s/log", PATH_MAX - 16, up->data);
    snprintf(path, sizeof path, "%s/redis", up->data);
    if (!make_dir(up->log) || !make_dir(path)) return false;
    if (strlen(up->data) + 4 <= UP_SOCKET_PATH_MAX) {
        snprintf(up->run, sizeof up->run, "%.*s/run", PATH_MAX - 16, up->data);
        return make_dir(up->run);
    }
    strcpy(up->run, "/tmp/madang-XXXXXX");
    up->run_is_ours = mkdtemp(up->run) != NULL;
    return up->run_is_ours || up_fail(up->run, strerror(errno));
}

static bool open_lock(const struct up *up, const char *name, int *fd)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", up->data, name);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    char why[128];
    snprintf(why, sizeof why, "cannot be written (DATA= names another folder): %s",
             strerror(errno));
    return *fd >= 0 || up_fail(path, why);
}

static bool lock_data(struct up *up)
{
    if (!open_lock(up, "lock", &up->lock)) return false;
    if (flock(up->lock, LOCK_EX | LOCK_NB) == 0) return true;
    return up_fail(up->data, "another cluster runs on this data; stop it, or name another DATA=");
}

/* When a supervisor is killed its children are told to end, but until they have, Redis writes and
 * gateways listen: two must never write the same files. */
static bool lock_children(struct up *up)
{
    if (!open_lock(up, "children.lock", &up->children_lock)) return false;
    instant_ms until = clock_now() + UP_FORMER_MS;
    while (flock(up->children_lock, LOCK_EX | LOCK_NB)) {
        if (clock_now() > until)
            return up_fail(up->data, "processes of a former cluster still run on this data");
        poll(NULL, 0, 50);
    }
    return true;
}

static bool check_port(const struct up_config *config)
{
    char what[128];
    snprintf(what, sizeof what, "port %d on %s", config->port, config->bind);
    switch (port_probe(config->bind, config->port)) {
    case PORT_FREE: return true;
    case PORT_BUSY:
        return up_fail(what, "another program listens there; choose another one, as in PORT=9000");
    case PORT_BAD_ADDRESS: return up_fail(what, "that is not an address of this machine (BIND=)");
    case PORT_FORBIDDEN: return up_fail(what, "not allowed; ports below 1024 need privileges");
    }
    return false;
}

static bool find_programs(struct up *up)
{
    ssize_t len = readlink("/proc/self/exe", up->bin, sizeof up->bin - 1);
    if (len <= 0) return up_fail("/proc/self/exe", strerror(errno));
    up->bin[len] = 0;
    *strrchr(up->bin, '/') = 0;
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/index.html", up->config->web_dir);
    if (access(path, R_OK)) return up_fail(path, "the browser client is not built; run `make`");
    return true;
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

/* At the start, a service that does not take its settings never will, and neither will a Redis that
 * ends by itself. Later, the same end may be a port that somebody else took meanwhile: then it is
 * tried again. */
static bool is_final(const struct up *up, int i, int status)
{
    if (!up->starting || !WIFEXITED(status)) return false;
    return WEXITSTATUS(status) == CHILD_EXIT_WRONG_SETTING || up->rank[i] == RANK_REDIS;
}

static void on_end(struct up *up, int i, int status)
{
    struct child *child = &up->children[i];
    char text[1024];
    bool wanted = child->wanted;
    child_ended(child, status, clock_now(), text, sizeof text);
    write_pids(up);
    if (!wanted || up->wrong) return;
    if (!is_final(up, i, status)) {
        say(STDERR_FILENO, "madangctl: %s\n", text);
        return;
    }
    trouble_tell(up, child, status);
    up->wrong = up->stop = true;
}

static void reap(struct up *up)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < up->count; i++)
            if (up->children[i].pid == pid) on_end(up, i, status);
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
    return up->signals >= 0 || up_fail("signalfd", strerror(errno));
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
            return up_fail(what, "did not come up; its log is in the data folder");
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
    snprintf(path, sizeof path, "%s/" LOCAL_FILE, up->data);
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
            say(STDERR_FILENO, "madangctl: %s runs again\n", child->name);
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
    bool heard = say(STDOUT_FILENO, "\n  Madang is up:  %s\n\n", url);
    if (heard && isatty(STDOUT_FILENO)) {
        qr_print(url);
        fflush(stdout);
    }
    if (!strncmp(address, "127.", 4))
        say(STDOUT_FILENO,
            "  Only this machine can reach it. For phones in the same network: BIND=0.0.0.0\n");
    say(STDOUT_FILENO,
        "  %d gateway(s), %d matchmaker(s), %d worker(s), %d timer(s); data in %s\n"
        "  Ctrl-C stops it. Rooms that are open go on at the next start.\n\n",
        config->gateways, config->matchmakers, config->workers, config->timers, up->data);
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
    if (up->children_lock > 0) close(up->children_lock);
    if (up->lock > 0) close(up->lock);
    if (up->signals > 0) close(up->signals);
    free(up);
}

int up_run(const struct up_config *config)
{
    struct up *up = calloc(1, sizeof *up);
    CHECK(up);
    up->config = config;
    bool started = make_dirs(up) && lock_data(up) && lock_children(up) && trouble_room(up) &&
                   check_port(config) && find_programs(up) && open_signals(up);
    if (started) {
        up->starting = true;
        started = up_plan(up) && start_all(up) && !up->wrong;
        up->starting = false;
        if (started) up_leave_note(up);
        if (started) say_where(up);
        while (started && !up->stop) {
            wait_signal(up, until_restart_ms(up));
            if (!up->stop) restart_due(up);
        }
        bool asked = up->stop && !up->wrong;
        if (asked) say(STDOUT_FILENO, "  stopping ...\n");
        stop_all(up);
        if (asked) say(STDOUT_FILENO, "  stopped\n");
        started = started || asked;
    }
    up_close(up);
    return started ? 0 : 1;
}
