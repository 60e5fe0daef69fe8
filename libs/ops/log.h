/* SPDX-License-Identifier: Apache-2.0
 *
 * One JSON object a line on stderr:
 *
 *     {"ts":"2026-01-31T12:00:00.123Z","level":"info","service":"worker","event":"room.adopted",
 *      "room":"1f...","epoch":7,"position":12}
 *
 * An event is a stable id that people search and alert by. Lines carry numbers that log_events.h
 * allows, and at most one sentence that the program itself wrote. Never a secret: no seed, token,
 * hash, tile or nickname.
 */
#ifndef OPS_LOG_H
#define OPS_LOG_H

#include "base/buf.h"
#include "base/fullness.h"
#include "ops/program.h"

enum {
    LOG_LINES_BURST = 20000, /* at once: a worker with all its rooms adopted is told of whole */
    LOG_LINES_PER_S = 500,   /* from then on; beyond, lines are counted and told of in one */
};

enum log_level {
    LOG_DEBUG,
    LOG_INFO,
    LOG_WARN,
    LOG_ERROR
}; /* as the setting log-level counts them */

/* Appends one line with its newline. values: as many as log_events.h names for the event; text: a
 * sentence, or NULL. False, and nothing: the event is below the level. */
bool log_format(enum program program, enum log_level least, int64_t wall_ms, const char *event,
                const uint64_t values[3], const char *text, struct buf *out);

/* How many lines were written lately: rises with each, falls by LOG_LINES_PER_S. */
struct log_flow {
    int64_t at_ms;
    uint64_t lines_1000; /* in thousandths */
    uint64_t dropped, dropped_told;
};
/* Counts a line; false: it is one too many. Pure. */
bool log_flow_take(struct log_flow *flow, int64_t now_ms);
/* The lines dropped that nobody has been told of, once there is some room again; else 0. */
uint64_t log_flow_news(struct log_flow *flow);

/* For shells: from now on lines of this program at or above this level are written (log_os.c). */
void log_open(enum program program, enum log_level least);
/* A note of a core. */
void log_note(const char *event, const uint64_t values[3]);
/* An event of the shell, with a sentence. */
void log_text(const char *event, const char *text);
uint64_t log_lines(void);
struct fullness log_fullness(void);

#endif
