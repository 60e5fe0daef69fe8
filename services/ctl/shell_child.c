/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/check.h"
#include "ctl/child.h"
#include "ctl/say.h"

void child_init(struct child *child, const char *name, const char *program, const char *log_dir)
{
    *child = (struct child){.restart_at = INSTANT_NEVER, .pause_ms = CHILD_PAUSE_MIN_MS};
    snprintf(child->name, sizeof child->name, "%s", name);
    snprintf(child->log_path, sizeof child->log_path, "%s/%s.log", log_dir, name);
    child_add_arg(child, "%s", program);
}

void child_add_arg(struct child *child, const char *format, ...)
{
    CHECK(child->arg_count < CHILD_ARGS_MAX);
    va_list list;
    va_start(list, format);
    CHECK(vasprintf(&child->args[child->arg_count], format, list) >= 0);
    va_end(list);
    child->args[++child->arg_count] = NULL;
}

void child_fini(struct child *child)
{
    for (int i = 0; i < child->arg_count; i++) free(child->args[i]);
    child->arg_count = 0;
}

/* Between fork and exec: only what is safe there. */
static void become(const struct child *child, int log, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127); /* it died before the line above */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (child->keeps) fcntl(child->keeps, F_SETFD, 0);
    execvp(child->args[0], child->args);
    dprintf(STDERR_FILENO, "cannot execute %s: %s\n", child->args[0], strerror(errno));
    _exit(127);
}

bool child_start(struct child *child, instant_ms now)
{
    int log = open(child->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log < 0) {
        say(STDERR_FILENO, "madangctl: cannot write %s: %s\n", child->log_path, strerror(errno));
        return false;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) become(child, log, parent);
    close(log);
    if (pid < 0) {
        say(STDERR_FILENO, "madangctl: cannot start %s: %s\n", child->name, strerror(errno));
        return false;
    }
    child->pid = pid;
    child->wanted = true;
    child->started = now;
    child->restart_at = INSTANT_NEVER;
    return true;
}

static void describe(const struct child *child, int status, char *text, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(text, size, "%s was killed by signal %d", child->name, WTERMSIG(status));
    else
        snprintf(text, size, "%s ended with exit code %d", child->name, WEXITSTATUS(status));
}

void child_ended(struct child *child, int status, instant_ms now, char *text, size_t text_size)
{
    describe(child, status, text, text_size);
    child->pid = 0;
    if (!child->wanted) return;
    if (now - child->started >= CHILD_HEALTHY_MS) child->pause_ms = CHILD_PAUSE_MIN_MS;
    child->restart_at = now + child->pause_ms;
    child->restarts++;
    size_t len = strlen(text);
    snprintf(text + len, text_size - len, "; starting it again in %.1f s (log: %s)",
             child->pause_ms / 1000.0, child->log_path);
    child->pause_ms =
        2 * child->pause_ms < CHILD_PAUSE_MAX_MS ? 2 * child->pause_ms : CHILD_PAUSE_MAX_MS;
}

void child_signal(const struct child *child, int signal)
{
    if (child->pid > 0) kill(child->pid, signal);
}
