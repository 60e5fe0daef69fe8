/* SPDX-License-Identifier: Apache-2.0
 *
 * Whom it hits, and how.
 */
#include "drill/drill.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

enum { LOOK_MS = 20, SETTLE_MS = 1000, TRIES_MAX = 40, HUSH_MS = 50 };

static const char *const names[DRILL_SERVICE_COUNT] = {
    [DRILL_WORKER] = "worker",
    [DRILL_GATEWAY] = "gateway",
    [DRILL_TIMER] = "timer",
    [DRILL_MATCHMAKER] = "matchmaker",
};

static int count_of(const struct drill_yard *yard, enum drill_service service)
{
    const struct cluster *cluster = &yard->cluster;
    const int counts[DRILL_SERVICE_COUNT] = {
        [DRILL_WORKER] = cluster->workers,
        [DRILL_GATEWAY] = cluster->gateways,
        [DRILL_TIMER] = cluster->timers,
        [DRILL_MATCHMAKER] = cluster->matchmakers,
    };
    return counts[service];
}

static bool all_run(const struct drill_yard *yard, enum drill_service service)
{
    char name[32];
    for (int i = 0; i < count_of(yard, service); i++) {
        snprintf(name, sizeof name, "%s-%d", names[service], i);
        if (cluster_pid(&yard->cluster, name) == 0) return false;
    }
    return true;
}

/* One that has just come up is given a moment until the others know it. */
const char *drill_victim(struct drill_yard *yard, enum drill_service service)
{
    static char name[32];
    int waited = 0;
    for (; !all_run(yard, service); waited += LOOK_MS) {
        if (waited > DRILL_BACK_MS) {
            drill_trouble(yard, "not all processes of a service run again");
            return NULL;
        }
        crowd_play(yard->crowd, LOOK_MS);
    }
    if (waited) crowd_play(yard->crowd, SETTLE_MS);
    snprintf(name, sizeof name, "%s-%d", names[service],
             yard->turns[service]++ % count_of(yard, service));
    return name;
}

bool drill_hit(struct drill_yard *yard, const char *name, int signal)
{
    crowd_mark(yard->crowd);
    return name && cluster_signal(&yard->cluster, name, signal);
}

/* A stopped thread that was waiting in the kernel for something to happen; see proc(5), syscall. */
static bool thread_waits(pid_t pid, const char *thread)
{
    static const long waits[] = {SYS_epoll_wait, SYS_epoll_pwait, SYS_futex,
                                 SYS_poll,       SYS_ppoll,       SYS_clock_nanosleep};
    char path[100];
    long call = -1;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/syscall", (int)pid, thread);
    FILE *file = fopen(path, "r");
    bool read = file && fscanf(file, "%ld", &call) == 1;
    if (file) fclose(file);
    for (size_t i = 0; read && i < sizeof waits / sizeof *waits; i++)
        if (call == waits[i]) return true;
    return false;
}

static bool all_wait(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    bool wait = threads != NULL;
    struct dirent *entry;
    while (wait && (entry = readdir(threads)))
        if (entry->d_name[0] != '.') wait = thread_waits(pid, entry->d_name);
    if (threads) closedir(threads);
    return wait;
}

/* Bytes of an answer of Redis that a stopped process has not read, on one of its files. */
static bool answer_waits(int process, int file)
{
    struct sockaddr_un peer = {.sun_family = AF_UNSPEC};
    socklen_t len = sizeof peer;
    int unread = 0, copy = (int)syscall(SYS_pidfd_getfd, process, file, 0);
    if (copy < 0) return false;
    bool redis = getpeername(copy, (struct sockaddr *)&peer, &len) == 0 &&
                 peer.sun_family == AF_UNIX && strstr(peer.sun_path, "redis");
    bool waits = redis && ioctl(copy, FIONREAD, &unread) == 0 && unread > 0;
    close(copy);
    return waits;
}

static bool any_answer_waits(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    DIR *files = opendir(path);
    bool waits = false;
    struct dirent *entry;
    while (process >= 0 && files && !waits && (entry = readdir(files)))
        if (entry->d_name[0] != '.') waits = answer_waits(process, atoi(entry->d_name));
    if (files) closedir(files);
    if (process >= 0) close(process);
    return waits;
}

/* Stops it again and again until it is caught between two of its turns; *idle: it was. On a machine
 * that is short of time it may never be. Before that the crowd is still for a moment, so that no
 * append is on its way whose answer would let out what was computed before; and should Redis have
 * been slower than that, its answer has come by now and is seen. */
static bool stop(struct drill_yard *yard, const char *name, bool *idle)
{
    pid_t pid = cluster_pid(&yard->cluster, name);
    bool wanted = *idle;
    if (wanted) sleep_ms(HUSH_MS);
    for (int i = 0; drill_hit(yard, name, SIGSTOP); i++) {
        sleep_ms(1); /* until all its threads stand */
        if (wanted) sleep_ms(HUSH_MS);
        *idle = wanted && all_wait(pid) && !any_answer_waits(pid);
        if (*idle == wanted || i == TRIES_MAX) return true;
        kill(pid, SIGCONT);
        crowd_play(yard->crowd, 1);
        sleep_ms(HUSH_MS);
    }
    return false;
}

bool drill_freeze(struct drill_yard *yard, const char *name, bool *idle, int ms)
{
    if (!name || !stop(yard, name, idle)) return false;
    pid_t pid = cluster_pid(&yard->cluster, name);
    crowd_play(yard->crowd, ms);
    crowd_floor(yard->crowd);
    return kill(pid, SIGCONT) == 0;
}

bool drill_await_other(struct drill_yard *yard, const char *name, pid_t former)
{
    for (int waited = 0; waited < DRILL_BACK_MS; waited += LOOK_MS) {
        pid_t pid = cluster_pid(&yard->cluster, name);
        if (pid && pid != former) return true;
        crowd_play(yard->crowd, LOOK_MS);
    }
    return drill_trouble(yard, "a process does not end and start again");
}

struct redis_fixture drill_redis(const struct drill_yard *yard)
{
    struct redis_fixture redis = {.pid = 0};
    snprintf(redis.socket, sizeof redis.socket, "%s", yard->redis);
    return redis;
}

int drill_logged(const struct drill_yard *yard, enum drill_service service, const char *text)
{
    int found = 0;
    char path[200], line[1024];
    for (int i = 0; i < count_of(yard, service); i++) {
        snprintf(path, sizeof path, "%s/log/%s-%d.log", yard->cluster.data, names[service], i);
        FILE *file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file)) found += strstr(line, text) != NULL;
        if (file) fclose(file);
    }
    return found;
}
