/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/log.h"

#include <sys/time.h>
#include <unistd.h>

/* One per process, as stderr is. Used by the loop's thread alone. */
static struct {
    enum program program;
    enum log_level least;
    uint64_t lines;
    struct buf line;
} log_state = {.program = PROGRAM_ALL, .least = LOG_INFO};

void log_open(enum program program, enum log_level least)
{
    log_state.program = program;
    log_state.least = least;
}

static void write_line(const char *event, const uint64_t values[3], const char *text)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    int64_t wall_ms = (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000;
    buf_clear(&log_state.line);
    if (!log_format(log_state.program, log_state.least, wall_ms, event, values, text,
                    &log_state.line))
        return;
    log_state.lines++;
    /* One call, so that lines of several processes do not mix. A log that cannot be written is no
     * reason to stop. */
    ssize_t written = write(STDERR_FILENO, log_state.line.at, log_state.line.len);
    (void)written;
}

void log_note(const char *event, const uint64_t values[3])
{
    write_line(event, values, NULL);
}

void log_text(const char *event, const char *text)
{
    static const uint64_t none[3];
    write_line(event, none, text);
}

uint64_t log_lines(void)
{
    return log_state.lines;
}
