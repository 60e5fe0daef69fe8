/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/log.h"

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

/* One per process, as stderr is. Used by the loop's thread alone. */
static struct {
    enum program program;
    enum log_level least;
    uint64_t lines;
    struct log_flow flow;
    struct buf line;
} log_state = {.program = PROGRAM_ALL, .least = LOG_INFO};

void log_open(enum program program, enum log_level least)
{
    log_state.program = program;
    log_state.least = least;
}

/* Whoever reads a pipe may have stopped; the process would stop with it, and with it everybody's
 * games. A pipe that is ready takes a whole page, which no line is longer than. */
static bool takes_a_line(void)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLOUT);
}

/* False: it is below the level, or one too many, which is counted. */
static bool put_note(int64_t wall_ms, const char *event, const uint64_t values[3], const char *text)
{
    buf_clear(&log_state.line);
    if (!log_format(log_state.program, log_state.least, wall_ms, event, values, text,
                    &log_state.line) ||
        !log_flow_take(&log_state.flow, wall_ms))
        return false;
    if (!takes_a_line()) {
        log_state.flow.dropped++;
        return false;
    }
    log_state.lines++;
    /* One call, so that lines of several processes do not mix. A log that cannot be written is no
     * reason to stop. */
    ssize_t written = write(STDERR_FILENO, log_state.line.at, log_state.line.len);
    (void)written;
    return true;
}

static int64_t wall_now(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000;
}

static void write_line(const char *event, const uint64_t values[3], const char *text)
{
    if (!put_note(wall_now(), event, values, text)) return;
    uint64_t dropped = log_flow_news(&log_state.flow);
    if (dropped == 0) return;
    bool told = put_note(wall_now(), "log.dropped", (uint64_t[3]){dropped}, NULL);
    if (!told) log_state.flow.dropped_told -= dropped; /* another time */
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

struct fullness log_fullness(void)
{
    return (struct fullness){(log_state.flow.lines_1000 + 999) / 1000, LOG_LINES_BURST,
                             log_state.flow.dropped};
}
