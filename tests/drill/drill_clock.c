/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms go from workers of this machine to one whose clocks are ten days ahead, and back: room time
 * is the room's own, so no deadline passes and none is put off (rule 18).
 */
#include "drill/drill.h"
#include "unit/end_with.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MAX = 128, ARGS_BYTES = 8192, KNOWN_MS = 1500, AFTER_MS = 1500 };
#define SKEW_S "864000"

/* What a running process was started with, "cmdline" or "environ", in `bytes`; returns the number
 * of words. */
static int words_of(pid_t pid, const char *what, char bytes[ARGS_BYTES], char *words[ARGS_MAX + 1])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    int fd = open(path, O_RDONLY | O_CLOEXEC), count = 0;
    if (fd < 0) return 0;
    ssize_t len = read(fd, bytes, ARGS_BYTES - 1);
    close(fd);
    for (ssize_t at = 0; at < len && count < ARGS_MAX; at += (ssize_t)strlen(bytes + at) + 1)
        words[count++] = bytes + at;
    words[count] = NULL;
    return count;
}

/* The library lies beside this program. */
static void become_skewed(const char *log, char *const *words, char *const *settings, pid_t parent)
{
    char library[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", library, sizeof library - 32);
    if (len <= 0) _exit(127);
    library[len] = 0;
    strcpy(strrchr(library, '/'), "/skew_preload.so");
    for (; *settings; settings++)
        if (strncmp(*settings, "MADANG_", 7) == 0) putenv(*settings);
    setenv("LD_PRELOAD", library, 1);
    setenv("SKEW_S", SKEW_S, 1);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    end_with(parent, SIGKILL);
    execv(words[0], words);
    _exit(127);
}

static bool start_skewed(struct drill_yard *yard)
{
    char line[ARGS_BYTES] = "", environment[ARGS_BYTES] = "", log[200];
    char *words[ARGS_MAX + 1], *settings[ARGS_MAX + 1];
    pid_t like = cluster_pid(&yard->cluster, "worker-0");
    if (words_of(like, "cmdline", line, words) == 0) return false;
    words_of(like, "environ", environment, settings);
    snprintf(log, sizeof log, "%s/log/worker-skewed.log", yard->cluster.data);
    pid_t parent = getpid();
    yard->guest = fork();
    if (yard->guest == 0) become_skewed(log, words, settings, parent);
    crowd_play(yard->crowd, KNOWN_MS);
    return yard->guest > 0 && waitpid(yard->guest, NULL, WNOHANG) == 0;
}

static bool stop_skewed(struct drill_yard *yard)
{
    crowd_mark(yard->crowd);
    bool killed = kill(yard->guest, SIGKILL) == 0;
    waitpid(yard->guest, NULL, 0);
    yard->guest = 0;
    return killed;
}

/* There and, the next time, back. */
static bool change_clocks(struct drill_yard *yard)
{
    if (!drill_victim(yard, DRILL_WORKER)) return false; /* all run */
    bool hit = true;
    if (yard->guest) {
        hit = stop_skewed(yard);
    } else {
        hit = start_skewed(yard);
        for (int w = 0; w < yard->cluster.workers; w++) {
            char name[32];
            snprintf(name, sizeof name, "worker-%d", w);
            hit = hit && drill_hit(yard, name, SIGKILL);
        }
    }
    crowd_play(yard->crowd, AFTER_MS);
    return hit;
}

static void tell_deadlines(struct drill_yard *yard, struct drill_result *result)
{
    if (yard->guest) stop_skewed(yard);
    snprintf(result->said, sizeof result->said, "%zu deadlines, late p99 %u ms, max %u ms",
             result->times.late.count, result->late_p99_ms, result->late_max_ms);
}

const struct drill worker_clock_drill = {
    .name = "worker-clock",
    .fault = "a worker with another clock",
    .figure = DRILL_FROM_FAULT,
    .times = 10,
    .inject = change_clocks,
    .expect = tell_deadlines,
};
