/* SPDX-License-Identifier: Apache-2.0
 *
 * One process of the local cluster: started, watched, started again with a growing pause, stopped.
 *
 * A child is in a process group of its own, so a Ctrl-C in the terminal reaches the supervisor
 * alone, and dies with the supervisor even when that is killed. Its output goes to a log file.
 */
#ifndef CTL_CHILD_H
#define CTL_CHILD_H

#include <sys/types.h>

#include "base/types.h"

enum {
    CHILD_ARGS_MAX = 40,
    CHILD_PAUSE_MIN_MS = 200,
    CHILD_PAUSE_MAX_MS = 5000,
    CHILD_EXIT_WRONG_SETTING = 2, /* what services end with then */
    CHILD_HEALTHY_MS = 30 * 1000, /* alive this long: the next pause is the shortest again */
};

struct child {
    char name[32];
    char *args[CHILD_ARGS_MAX + 1]; /* args[0] is the program; owned; ends at NULL */
    int arg_count;
    char log_path[512];
    int keeps; /* a descriptor that stays open in it, 0: none */
    pid_t pid; /* 0: not running */
    bool wanted;
    instant_ms started, restart_at; /* CLOCK_BOOTTIME; restart_at INSTANT_NEVER: not due */
    uint32_t pause_ms;
    int restarts;
};

/* Copies. The child is not started yet. */
void child_init(struct child *child, const char *name, const char *program, const char *log_dir);
void child_add_arg(struct child *child, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void child_fini(struct child *child);

/* Forks and executes. False with a message on stderr when that is not possible. */
bool child_start(struct child *child, instant_ms now);

/* The process has ended with a status of waitpid. Writes what happened as a sentence into text and
 * sets restart_at when it is wanted. */
void child_ended(struct child *child, int status, instant_ms now, char *text, size_t text_size);

void child_signal(const struct child *child, int signal);

#endif
