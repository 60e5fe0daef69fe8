/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a start came to nothing, and what to do about it: what a child said last, in a sentence for
 * people who do not know Redis.
 */
#include "ctl/say.h"
#include "ctl/up_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TAIL_BYTES = 2048, EXIT_NOT_FOUND = 127 };

/* The end of its log. */
static void read_tail(const struct child *child, char tail[TAIL_BYTES])
{
    tail[0] = '\0';
    FILE *file = fopen(child->log_path, "re");
    if (!file) return;
    if (fseek(file, -(TAIL_BYTES - 1), SEEK_END)) rewind(file);
    size_t len = fread(tail, 1, TAIL_BYTES - 1, file);
    fclose(file);
    while (len && tail[len - 1] == '\n') len--;
    tail[len] = '\0';
}

/* Where its last two lines begin. */
static const char *last_words(const char *tail)
{
    const char *at = tail + strlen(tail);
    for (int lines = 0; at > tail; at--)
        if (at[-1] == '\n' && ++lines == 2) break;
    return at;
}

static void say_damaged(const struct up *up)
{
    say(STDERR_FILENO,
        "madangctl: the file in which Redis keeps the rooms is damaged.\n"
        "  To keep what can be read of it (what was written after the damage is lost):\n"
        "    cp -a %s/redis %s/redis.damaged\n"
        "    redis-check-aof --fix %s/redis/appendonlydir/appendonly.aof.manifest\n"
        "  To begin without any rooms:\n"
        "    mv %s/redis %s/redis.damaged\n",
        up->data, up->data, up->data, up->data, up->data);
}

void trouble_tell(const struct up *up, const struct child *child, int status)
{
    char tail[TAIL_BYTES];
    read_tail(child, tail);
    bool setting = WEXITSTATUS(status) == CHILD_EXIT_WRONG_SETTING;
    if (setting)
        up_fail(child->name, "does not take its settings");
    else if (WEXITSTATUS(status) == EXIT_NOT_FOUND)
        up_fail(child->args[0], "cannot be started; `make deps` installs what is missing");
    else if (strstr(tail, "append only file") || strstr(tail, "redis-check-aof"))
        say_damaged(up);
    else
        up_fail(child->name, "does not start");
    say(STDERR_FILENO, "  It said:\n%s\n  Its log: %s\n", last_words(tail), child->log_path);
}

bool trouble_room(const struct up *up)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/room", up->data);
    signal(SIGXFSZ, SIG_IGN); /* a limit is an error like any other */
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return up_fail(path, strerror(errno));
    int error = posix_fallocate(fd, 0, UP_ROOM_BYTES);
    unlink(path);
    close(fd);
    if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return true;
    char what[128];
    snprintf(what, sizeof what, "not enough room for the rooms' data: %s", strerror(error));
    return up_fail(up->data, what);
}
