/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/cluster.h"

#include "unit/end_with.h"
#include "unit/free_port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START_MS = 90 * 1000, STOP_MS = 60 * 1000, STEP_MS = 20 };

void sleep_ms(int ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* .../tests/cluster/x_test lies beside .../bin; the browser client is not what these tests are
 * about: any page will do. */
bool cluster_bin(char *out)
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 32);
    if (len <= 0) return false;
    out[len] = 0;
    for (int i = 0; i < 3; i++) *strrchr(out, '/') = 0;
    strcat(out, "/bin");
    return true;
}

static bool make_folder(struct cluster *cluster)
{
    if (cluster->data[0]) return true;
    strcpy(cluster->data, "/tmp/madang-test-XXXXXX");
    if (!mkdtemp(cluster->data)) return false;
    snprintf(cluster->log, sizeof cluster->log, "%s/said", cluster->data);
    char page[160];
    snprintf(page, sizeof page, "%s/web", cluster->data);
    if (mkdir(page, 0700) != 0) return false;
    strcat(page, "/index.html");
    FILE *file = fopen(page, "w");
    if (!file) return false;
    fputs("<!doctype html><title>test</title>", file);
    fclose(file);
    return true;
}

static void become(const struct cluster *cluster, const char *binary, pid_t parent)
{
    char flags[7][200], redis[300];
    snprintf(flags[0], sizeof flags[0], "--port=%d", cluster->port);
    snprintf(flags[1], sizeof flags[1], "--data=%s", cluster->data);
    snprintf(flags[2], sizeof flags[2], "--web-dir=%s/web", cluster->data);
    snprintf(flags[3], sizeof flags[3], "--gateways=%d", cluster->gateways);
    snprintf(flags[4], sizeof flags[4], "--matchmakers=%d", cluster->matchmakers);
    snprintf(flags[5], sizeof flags[5], "--workers=%d", cluster->workers);
    snprintf(flags[6], sizeof flags[6], "--timers=%d", cluster->timers);
    snprintf(redis, sizeof redis, "--redis=%s", cluster->redis ? cluster->redis : "");
    int log = open(cluster->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, 1);
    dup2(log, 2);
    end_with(parent, SIGINT); /* as if by cluster_stop, with all that it started */
    execl(binary, binary, "up", flags[0], flags[1], flags[2], flags[3], flags[4], flags[5],
          flags[6], redis, (char *)NULL);
    _exit(127);
}

bool cluster_said(const struct cluster *cluster, const char *text)
{
    char all[65536];
    FILE *file = fopen(cluster->log, "r");
    if (!file) return false;
    size_t len = fread(all, 1, sizeof all - 1, file);
    fclose(file);
    all[len] = 0;
    return strstr(all, text) != NULL;
}

static void show_log(const struct cluster *cluster)
{
    char command[400];
    snprintf(command, sizeof command, "cat %s; tail -n 5 %s/log/*.log", cluster->log,
             cluster->data);
    FILE *said = popen(command, "r");
    char line[1000];
    while (said && fgets(line, sizeof line, said)) fprintf(stderr, "    %s", line);
    if (said) pclose(said);
}

bool cluster_start(struct cluster *cluster)
{
    char binary[PATH_MAX];
    if (!cluster->gateways) cluster->gateways = 1;
    if (!cluster->matchmakers) cluster->matchmakers = 1;
    if (!cluster->workers) cluster->workers = 2;
    if (!cluster->timers) cluster->timers = 1;
    if (!cluster->port) cluster->port = free_port();
    if (cluster->bin) strcpy(binary, cluster->bin);
    if (!(cluster->bin || cluster_bin(binary)) || !make_folder(cluster)) return false;
    strcat(binary, "/madangctl");
    unlink(cluster->log);
    pid_t parent = getpid();
    cluster->supervisor = fork();
    if (cluster->supervisor == 0) become(cluster, binary, parent);
    for (int waited = 0; waited < START_MS; waited += STEP_MS) {
        if (cluster_said(cluster, "Madang is up")) return true;
        int status;
        if (waitpid(cluster->supervisor, &status, WNOHANG) == cluster->supervisor) break;
        sleep_ms(STEP_MS);
    }
    show_log(cluster);
    return false;
}

bool cluster_stop(struct cluster *cluster)
{
    int status;
    pid_t children[32];
    int count = 0;
    char path[200], name[64];
    snprintf(path, sizeof path, "%s/pids", cluster->data);
    FILE *file = fopen(path, "r");
    while (file && count < 32 && fscanf(file, "%63s %d", name, &children[count]) == 2) count++;
    if (file) fclose(file);
    kill(cluster->supervisor, SIGINT);
    for (int waited = 0; waited < STOP_MS; waited += STEP_MS) {
        if (waitpid(cluster->supervisor, &status, WNOHANG) == cluster->supervisor) {
            for (int i = 0; i < count; i++)
                if (kill(children[i], 0) == 0) return false;
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        sleep_ms(STEP_MS);
    }
    kill(cluster->supervisor, SIGKILL);
    waitpid(cluster->supervisor, &status, 0);
    return false;
}

void cluster_remove(struct cluster *cluster)
{
    char command[200];
    if (!cluster->data[0]) return;
    snprintf(command, sizeof command, "rm -rf %s", cluster->data);
    FILE *pipe = popen(command, "r");
    if (pipe) pclose(pipe);
    *cluster = (struct cluster){0};
}

pid_t cluster_pid(const struct cluster *cluster, const char *name)
{
    char path[200], each[64];
    int pid;
    snprintf(path, sizeof path, "%s/pids", cluster->data);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    pid_t found = 0;
    while (!found && fscanf(file, "%63s %d", each, &pid) == 2)
        if (!strcmp(each, name)) found = pid;
    fclose(file);
    return found;
}

bool cluster_signal(const struct cluster *cluster, const char *name, int signal)
{
    pid_t pid = cluster_pid(cluster, name);
    return pid > 0 && kill(pid, signal) == 0;
}
