/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/watch.h"

#include "ops/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 16 << 10, STAT_BYTES_MAX = 1 << 20, FIELDS_TO_UTIME = 11 };

/* The name stands in brackets and may hold brackets and blanks itself: the last one closes it. */
bool watch_stat_read(const char *line, char name[32], uint64_t *user, uint64_t *kernel)
{
    const char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!open || !close || close < open) return false;
    snprintf(name, 32, "%.*s", (int)(close - open - 1), open + 1);
    const char *at = close + 1;
    for (int i = 0; i < FIELDS_TO_UTIME && at; i++) at = strchr(at + 1, ' ');
    unsigned long long times[2];
    if (!at || sscanf(at, "%llu %llu", &times[0], &times[1]) != 2) return false;
    *user = times[0];
    *kernel = times[1];
    return true;
}

static bool read_proc(pid_t pid, const char *what, struct buf *out)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
    buf_clear(out);
    bool read = file_read(path, FILE_BYTES_MAX, out);
    buf_put_u8(out, 0);
    return read;
}

static uint64_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void look_at_calls(struct watched *one)
{
    struct buf sums = {0};
    one->calls_counted = one->sums[0] && file_read(one->sums, sizeof one->calls, &sums) &&
                         sums.len == sizeof one->calls;
    if (one->calls_counted) memcpy(one->calls, sums.at, sizeof one->calls);
    buf_fini(&sums);
}

static void look(struct watched *one)
{
    struct buf text = {0};
    char name[32];
    uint64_t user = 0, kernel = 0;
    double a_second = (double)sysconf(_SC_CLK_TCK);
    one->gone = !read_proc(one->pid, "stat", &text) ||
                !watch_stat_read((char *)text.at, name, &user, &kernel);
    if (!one->gone && !one->name[0]) snprintf(one->name, sizeof one->name, "%s", name);
    if (!one->gone) one->cpu_s = (double)(user + kernel) / a_second;
    if (!one->gone) one->user_s = (double)user / a_second;
    look_at_calls(one);
    if (read_proc(one->pid, "status", &text)) {
        one->memory_kb = number_after((char *)text.at, "VmRSS:");
        one->peak_kb = number_after((char *)text.at, "VmHWM:");
    }
    buf_fini(&text);
}

void watch_look(struct watched *watched, int count)
{
    for (int i = 0; i < count; i++) look(&watched[i]);
}

/* user, nice, system, idle, iowait, irq, softirq, steal: what the host took is not idle either. */
bool watch_machine_read(const char *line, uint64_t *ticks)
{
    unsigned long long user, nice, kernel, idle, waits, irq, softirq, stolen;
    if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &kernel, &idle,
               &waits, &irq, &softirq, &stolen) != 8)
        return false;
    *ticks = user + nice + kernel + irq + softirq + stolen;
    return true;
}

double watch_machine(int *processors)
{
    struct buf text = {0};
    uint64_t ticks = 0;
    bool read = file_read("/proc/stat", STAT_BYTES_MAX, &text);
    buf_put_u8(&text, 0);
    *processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (!read || !watch_machine_read((char *)text.at, &ticks)) ticks = 0;
    buf_fini(&text);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static int find_listed(const char *list, struct watched *watched)
{
    int count = 0;
    while (*list && count < WATCH_MAX) {
        char *end;
        long pid = strtol(list, &end, 10);
        if (end == list || pid <= 0 || (*end && *end != ',')) return -1;
        watched[count++] = (struct watched){.pid = (pid_t)pid};
        list = *end ? end + 1 : end;
    }
    return count;
}

int watch_find(const char *list, const char *folder, struct watched watched[WATCH_MAX])
{
    char path[512], name[32];
    int count = 0, pid;
    if (list) {
        count = find_listed(list, watched);
    } else if (folder) {
        snprintf(path, sizeof path, "%s/pids", folder);
        FILE *file = fopen(path, "r");
        if (!file) return -1;
        while (count < WATCH_MAX && fscanf(file, "%31s %d", name, &pid) == 2) {
            struct watched *one = &watched[count++];
            *one = (struct watched){.pid = pid};
            memcpy(one->name, name, sizeof name);
            snprintf(one->sums, sizeof one->sums, "%s/calls/%d", folder, pid);
        }
        fclose(file);
    }
    if (count > 0) watch_look(watched, count);
    for (int i = 0; i < count; i++)
        if (watched[i].gone) return -1;
    return count;
}
