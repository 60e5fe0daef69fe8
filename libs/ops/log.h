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
#include "ops/program.h"

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

/* For shells: from now on lines of this program at or above this level are written (log_os.c). */
void log_open(enum program program, enum log_level least);
/* A note of a core. */
void log_note(const char *event, const uint64_t values[3]);
/* An event of the shell, with a sentence. */
void log_text(const char *event, const char *text);
uint64_t log_lines(void);

#endif
