/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/process.h"

#include "ops/system.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 64 << 10, FIELDS_BEFORE_NAME_END = 2 };

/* Of /proc/self/stat, as proc(5) counts its fields from 1. */
enum { STAT_USER = 14, STAT_SYSTEM = 15, STAT_START = 22, STAT_VIRTUAL = 23, STAT_RESIDENT = 24 };

static uint64_t stat_field(const char *stat, int field)
{
    uint64_t value = 0;
    const char *at = strrchr(stat, ')'); /* the second field: a name, which may hold blanks */
    for (int i = FIELDS_BEFORE_NAME_END; at && i < field; i++) at = strchr(at + 1, ' ');
    if (at) sscanf(at, "%" SCNu64, &value);
    return value;
}

/* When the machine was started, in seconds since 1970. */
static uint64_t booted_at_s(void)
{
    struct buf text = {0};
    uint64_t value = 0;
    if (file_read("/proc/stat", 1 << 20, &text)) {
        buf_put_u8(&text, 0);
        const char *at = strstr((const char *)text.at, "\nbtime ");
        if (at) sscanf(at, "\nbtime %" SCNu64, &value);
    }
    buf_fini(&text);
    return value;
}

static uint64_t open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return 0;
    uint64_t count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count > 3 ? count - 3 : 0; /* without ".", ".." and the folder itself */
}

static void put(struct buf *out, const char *name, const char *kind, const char *help, double value)
{
    char text[256];
    snprintf(text, sizeof text, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", name, help, name, kind,
             name, value);
    buf_put_slice(out, slice_text(text));
}

void process_render(struct buf *out)
{
    struct buf text = {0};
    if (!file_read("/proc/self/stat", FILE_BYTES_MAX, &text)) {
        buf_fini(&text);
        return;
    }
    buf_put_u8(&text, 0);
    const char *stat = (const char *)text.at;
    double ticks = (double)sysconf(_SC_CLK_TCK), page = (double)sysconf(_SC_PAGESIZE);
    struct rlimit files = {0};
    getrlimit(RLIMIT_NOFILE, &files);
    double cpu = (double)(stat_field(stat, STAT_USER) + stat_field(stat, STAT_SYSTEM)) / ticks;
    double started = (double)booted_at_s() + (double)stat_field(stat, STAT_START) / ticks;
    put(out, "process_cpu_seconds_total", "counter", "CPU time used, user and system", cpu);
    put(out, "process_resident_memory_bytes", "gauge", "memory in use",
        (double)stat_field(stat, STAT_RESIDENT) * page);
    put(out, "process_virtual_memory_bytes", "gauge", "memory mapped",
        (double)stat_field(stat, STAT_VIRTUAL));
    put(out, "process_open_fds", "gauge", "files and sockets open", (double)open_files());
    put(out, "process_max_fds", "gauge", "at most so many", (double)files.rlim_cur);
    put(out, "process_start_time_seconds", "gauge", "when it was started, since 1970", started);
    buf_fini(&text);
}
