/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/redis_fixture.h"

#include "unit/end_with.h"

#include <hiredis/hiredis.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000, WORDS_MAX = 32 };

_Noreturn static void give_up(const char *why)
{
    fprintf(stderr, "redis fixture: %s\n", why);
    exit(1);
}

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static redisContext *connect_to(const struct redis_fixture *fixture)
{
    redisContext *context = redisConnectUnix(fixture->socket);
    if (context && !context->err) return context;
    if (context) redisFree(context);
    return NULL;
}

static bool answers(const struct redis_fixture *fixture)
{
    redisContext *context = connect_to(fixture);
    if (!context) return false;
    redisReply *reply = redisCommand(context, "PING");
    bool ready = reply && reply->type == REDIS_REPLY_STATUS;
    if (reply) freeReplyObject(reply);
    redisFree(context);
    return ready;
}

/* Runs these words, and waits until it answers. */
static void launch(struct redis_fixture *fixture, const char *const *words)
{
    pid_t parent = getpid();
    fixture->pid = fork();
    if (fixture->pid < 0) give_up("cannot fork");
    if (fixture->pid == 0) {
        end_with(parent, SIGKILL);
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    for (int waited = 0; !answers(fixture); waited += 5) {
        if (waited > PATIENCE_MS) give_up("the server does not answer");
        if (waitpid(fixture->pid, NULL, WNOHANG) == fixture->pid)
            give_up("the server ended at once");
        pause_ms(5);
    }
}

static void make_place(struct redis_fixture *fixture)
{
    *fixture = (struct redis_fixture){0};
    strcpy(fixture->dir, "/tmp/madang-redis-XXXXXX");
    if (!mkdtemp(fixture->dir)) give_up("cannot make a directory");
    snprintf(fixture->socket, sizeof fixture->socket, "%s/redis.sock", fixture->dir);
    snprintf(fixture->url, sizeof fixture->url, "unix://%s", fixture->socket);
}

void redis_fixture_restart(struct redis_fixture *fixture, const char *const *options)
{
    const char *words[WORDS_MAX] = {"redis-server", "--port",        "0",
                                    "--unixsocket", fixture->socket, "--dir",
                                    fixture->dir,   "--save",        "",
                                    "--logfile",    "redis.log"};
    int count = 11;
    for (; options && *options && count < WORDS_MAX - 1; options++) words[count++] = *options;
    launch(fixture, words);
}

void redis_fixture_start(struct redis_fixture *fixture, const char *const *options)
{
    make_place(fixture);
    redis_fixture_restart(fixture, options);
}

void redis_fixture_start_sentinel(struct redis_fixture *fixture, const char *config)
{
    char path[80];
    make_place(fixture);
    snprintf(path, sizeof path, "%s/sentinel.conf", fixture->dir);
    FILE *file = fopen(path, "w");
    if (!file) give_up("cannot write a configuration");
    fprintf(file, "unixsocket %s\ndir %s\nlogfile sentinel.log\n%s", fixture->socket, fixture->dir,
            config);
    fclose(file);
    launch(fixture, (const char *[]){"redis-server", path, "--sentinel", NULL});
}

void redis_fixture_freeze(struct redis_fixture *fixture, bool freeze)
{
    kill(fixture->pid, freeze ? SIGSTOP : SIGCONT);
}

void redis_fixture_kill(struct redis_fixture *fixture)
{
    if (fixture->pid <= 0) return;
    kill(fixture->pid, SIGKILL);
    waitpid(fixture->pid, NULL, 0);
    fixture->pid = 0;
    unlink(fixture->socket);
}

void redis_fixture_stop(struct redis_fixture *fixture)
{
    redis_fixture_kill(fixture);
    if (!fixture->dir[0]) return;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->dir);
    if (system(command) != 0) give_up("cannot remove the directory");
    fixture->dir[0] = 0;
}

long long redis_fixture_command(struct redis_fixture *fixture, const char *format, ...)
{
    redisContext *context = connect_to(fixture);
    if (!context) give_up("the server is away");
    va_list list;
    va_start(list, format);
    redisReply *reply = redisvCommand(context, format, list);
    va_end(list);
    long long result = -1;
    if (reply && reply->type == REDIS_REPLY_INTEGER)
        result = reply->integer;
    else if (reply && reply->type == REDIS_REPLY_ARRAY)
        result = (long long)reply->elements;
    else if (reply && (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS)) {
        result = (long long)reply->len;
    }
    if (reply) freeReplyObject(reply);
    redisFree(context);
    return result;
}
