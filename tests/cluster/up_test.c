/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl up` where it cannot start, or cannot yet: one clear sentence at once, nothing tried
 * again and again, nothing left running.
 */
#include "cluster/cluster.h"
#include "ops/system.h"
#include "unit/end_with.h"
#include "unit/test.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE_MS = 15 * 1000, GONE_MS = 60 * 1000, LITTLE_ROOM = 1 << 20 };

static struct cluster cluster;

static int remove_cluster(void **state)
{
    (void)state;
    unsetenv("MADANG_GRACE");
    /* One that a failed test has left running. */
    bool runs = cluster.supervisor > 0 && kill(cluster.supervisor, 0) == 0;
    if (runs) cluster_stop(&cluster);
    cluster_remove(&cluster);
    return 0;
}

static void assert_told(const char *sentence)
{
    instant_ms from = clock_boot_ms();
    assert_false(cluster_start(&cluster));
    assert_true(clock_boot_ms() - from < AT_ONCE_MS);
    assert_true(cluster_said(&cluster, sentence));
    assert_false(cluster_said(&cluster, "starting it again"));
    assert_false(cluster_said(&cluster, "Madang is up"));
}

static void run_once(void)
{
    assert_true(cluster_start(&cluster));
    assert_true(cluster_stop(&cluster));
}

static bool shell(const char *format, ...)
{
    char command[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    FILE *pipe = popen(command, "r");
    char line[256];
    while (pipe && fgets(line, sizeof line, pipe)) continue;
    return pipe && pclose(pipe) == 0;
}

/* ---- settings and places --------------------------------------------------------------------- */

static void a_wrong_setting_is_told_at_once(void **state)
{
    (void)state;
    setenv("MADANG_GRACE", "never", 1);
    assert_told("does not take its settings");
    assert_true(cluster_said(&cluster, "'never' is not a duration")); /* the service's own words */
}

static void a_data_folder_that_cannot_be_is_told(void **state)
{
    (void)state;
    run_once();
    assert_true(shell("rm -r %s/log && touch %s/log", cluster.data, cluster.data));
    assert_told("is to be a folder");
    assert_true(shell("rm %s/log && rm %s/lock && mkdir %s/lock", cluster.data, cluster.data,
                      cluster.data));
    assert_told("cannot be written");
    assert_true(shell("rmdir %s/lock", cluster.data));
    run_once();
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = LITTLE_ROOM;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    assert_told("not enough room");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void two_clusters_never_run_on_one_folder(void **state)
{
    (void)state;
    struct cluster second = {0};
    assert_true(cluster_start(&cluster));
    strcpy(second.data, cluster.data);
    snprintf(second.log, sizeof second.log, "%s/said-2", cluster.data);
    assert_false(cluster_start(&second));
    assert_true(cluster_said(&second, "another cluster runs on this data"));
    assert_true(cluster_stop(&cluster));
}

/* A worn folder: what is left of a machine that lost its power. */
static void leavings_of_a_former_life_hinder_nothing(void **state)
{
    (void)state;
    run_once();
    assert_true(shell("cd %s && echo 'worker-0 1' > pids && touch pids.new run/redis.sock room "
                      "&& rm -rf log",
                      cluster.data));
    run_once();
}

/* ---- Redis ----------------------------------------------------------------------------------- */

static void a_redis_that_is_not_installed_is_told(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_told("redis-server: cannot be started; `make deps` installs what is missing");
    setenv("PATH", path, 1);
}

static void damage_the_log(void)
{
    char path[200], garbage[100];
    snprintf(path, sizeof path, "%s/redis/appendonlydir/appendonly.aof.1.incr.aof", cluster.data);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_true(fd >= 0);
    memset(garbage, 'x', sizeof garbage);
    assert_int_equal(write(fd, garbage, sizeof garbage), sizeof garbage);
    close(fd);
}

/* What it says to do, done as it is said. */
static void a_damaged_log_of_redis_is_told_with_what_to_do(void **state)
{
    (void)state;
    char command[400];
    run_once();
    damage_the_log();
    assert_told("the file in which Redis keeps the rooms is damaged");
    snprintf(command, sizeof command, "cp -a %s/redis %s/redis.damaged", cluster.data,
             cluster.data);
    assert_true(cluster_said(&cluster, command));
    assert_true(shell("%s", command));
    snprintf(command, sizeof command,
             "redis-check-aof --fix %s/redis/appendonlydir/appendonly.aof.manifest", cluster.data);
    assert_true(cluster_said(&cluster, command));
    assert_true(shell("yes | %s", command));
    run_once();
}

/* ---- supervisors ----------------------------------------------------------------------------- */

/* Its children hold the lock as long as one of them lives. */
static int children_lock(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/children.lock", cluster.data);
    int lock = open(path, O_RDWR | O_CLOEXEC);
    assert_true(lock >= 0);
    return lock;
}

/* They were told to end with their supervisor, but for a moment Redis still writes and a gateway
 * still listens: the next start waits for them. */
static void a_start_after_a_killed_supervisor_waits_for_its_children(void **state)
{
    (void)state;
    assert_true(cluster_start(&cluster));
    int lock = children_lock();
    assert_int_equal(kill(cluster.supervisor, SIGKILL), 0);
    assert_int_equal(waitpid(cluster.supervisor, NULL, 0), cluster.supervisor);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), -1);
    close(lock);
    assert_true(cluster_start(&cluster));
    assert_true(cluster_stop(&cluster));
}

/* A test that dies as badly as one can: everything that it started goes with it. */
static void a_cluster_ends_with_the_test_that_started_it(void **state)
{
    (void)state;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool told =
            cluster_start(&cluster) && write(pipes[1], &cluster, sizeof cluster) == sizeof cluster;
        raise(told ? SIGKILL : SIGTERM);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &cluster, sizeof cluster), sizeof cluster);
    close(pipes[0]);
    int lock = children_lock();
    instant_ms until = clock_boot_ms() + GONE_MS;
    while (flock(lock, LOCK_EX | LOCK_NB) != 0 && clock_boot_ms() < until) sleep_ms(20);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
    while (kill(cluster.supervisor, 0) == 0 && clock_boot_ms() < until) sleep_ms(20);
    assert_int_not_equal(kill(cluster.supervisor, 0), 0);
    close(lock);
}

static void a_busy_port_is_told(void **state)
{
    (void)state;
    struct cluster second = {0};
    assert_true(cluster_start(&cluster));
    second.port = cluster.port;
    assert_false(cluster_start(&second));
    assert_true(cluster_said(&second, "another program listens there"));
    cluster_remove(&second);
    assert_true(cluster_stop(&cluster));
}

/* ---- what it says ---------------------------------------------------------------------------- */

/* In the folder of the cluster that has just run; what it says goes into a pipe that is full. The
 * end that nobody reads. */
static int start_unheard(void)
{
    static const char filler[4096];
    char binary[PATH_MAX], port[32], data[160], web[160];
    int ends[2];
    assert_true(cluster_bin(binary));
    strcat(binary, "/madangctl");
    snprintf(port, sizeof port, "--port=%d", cluster.port);
    snprintf(data, sizeof data, "--data=%s", cluster.data);
    snprintf(web, sizeof web, "--web-dir=%s/web", cluster.data);
    assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    while (write(ends[1], filler, sizeof filler) > 0) continue;
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
    pid_t parent = getpid();
    cluster.supervisor = fork();
    if (cluster.supervisor == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        end_with(parent, SIGINT);
        execl(binary, binary, "up", port, data, web, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return ends[0];
}

/* Waits for a child that is not `former`. */
static pid_t awaited(const char *name, pid_t former)
{
    instant_ms until = clock_boot_ms() + GONE_MS;
    pid_t pid = 0;
    while ((pid == 0 || pid == former) && clock_boot_ms() < until) {
        pid = cluster_pid(&cluster, name);
        sleep_ms(20);
    }
    assert_true(pid != 0 && pid != former);
    return pid;
}

static void a_reader_that_stops_holds_nothing_up(void **state)
{
    (void)state;
    run_once();
    int unread = start_unheard();
    awaited("gateway-0", 0);
    for (int i = 0; i < 2; i++) {
        pid_t former = awaited("worker-0", 0);
        assert_int_equal(kill(former, SIGKILL), 0);
        awaited("worker-0", former);
    }
    assert_true(cluster_stop(&cluster));
    close(unread);
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_cluster)

int main(void)
{
    return RUN_TESTS(TEST(a_wrong_setting_is_told_at_once),
                     TEST(a_data_folder_that_cannot_be_is_told), TEST(a_full_disk_is_told),
                     TEST(two_clusters_never_run_on_one_folder),
                     TEST(leavings_of_a_former_life_hinder_nothing),
                     TEST(a_redis_that_is_not_installed_is_told),
                     TEST(a_damaged_log_of_redis_is_told_with_what_to_do),
                     TEST(a_start_after_a_killed_supervisor_waits_for_its_children),
                     TEST(a_cluster_ends_with_the_test_that_started_it), TEST(a_busy_port_is_told),
                     TEST(a_reader_that_stops_holds_nothing_up));
}
