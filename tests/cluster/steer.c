/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/steer.h"

#include "ops/system.h"

#include <hiredis/hiredis.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { AGAIN_MS = 100 };

struct steer_said steer_said;
redisContext *steer_redis;

int steer_open(void **state)
{
    char path[PATH_MAX + 32];
    if (party_open(state) != 0) return -1;
    snprintf(path, sizeof path, "%s/run/redis.sock", party_cluster.data);
    steer_redis = redisConnectUnix(path);
    return steer_redis && steer_redis->err == 0 ? 0 : -1;
}

int steer_close(void **state)
{
    if (steer_redis) redisFree(steer_redis);
    return party_close(state);
}

static int run(const char *line)
{
    size_t len = 0;
    FILE *pipe = popen(line, "r");
    if (pipe == NULL) return -1;
    for (size_t got; len < STEER_SAID_MAX - 1 &&
                     (got = fread(steer_said.text + len, 1, STEER_SAID_MAX - 1 - len, pipe)) > 0;)
        len += got;
    steer_said.text[len] = 0;
    int status = pclose(pipe);
    steer_said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return steer_said.code;
}

int steer(const char *variable, const char *format, ...)
{
    char bin[PATH_MAX], command[512], line[PATH_MAX + 1024];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    if (!cluster_bin(bin)) return -1;
    snprintf(line, sizeof line, "%s %s/madangctl %s --data=%s 2>&1 </dev/null",
             variable ? variable : "", bin, command, party_cluster.data);
    int code = run(line);
    if (getenv("SHOW")) printf("$ madangctl %s\n%s[%d]\n\n", command, steer_said.text, code);
    return code;
}

bool steer_told(const char *text)
{
    return strstr(steer_said.text, text) != NULL;
}

bool steer_until(int code, const char *command)
{
    instant_ms until = clock_boot_ms() + PARTY_PATIENCE_MS;
    do {
        if (steer(NULL, "%s", command) == code) return true;
        sleep_ms(AGAIN_MS);
    } while (clock_boot_ms() < until);
    return false;
}

bool steer_until_told(const char *text, const char *command)
{
    instant_ms until = clock_boot_ms() + PARTY_PATIENCE_MS;
    do {
        steer(NULL, "%s", command);
        if (steer_told(text)) return true;
        sleep_ms(AGAIN_MS);
    } while (clock_boot_ms() < until);
    return false;
}

bool steer_worker(const char *state, char id[16])
{
    if (steer(NULL, "status") < 0) return false;
    for (char *line = strtok(steer_said.text, "\n"); line; line = strtok(NULL, "\n")) {
        char version[32], is[32];
        if (sscanf(line, "worker %15s %31s %31s", id, version, is) == 3 && strcmp(is, state) == 0)
            return true;
    }
    return false;
}

bool steer_logged(const char *text)
{
    char line[512];
    snprintf(line, sizeof line, "grep -q '%s' %s/log/worker-*", text, party_cluster.data);
    return run(line) == 0;
}
