/* SPDX-License-Identifier: Apache-2.0
 *
 * Single processes of Madang with flags of a test's choice and a Redis of its own, for tests that
 * look at them from outside: what their metrics say, what memory they hold. One matchmaker, and
 * whatever else is started; no supervisor, so a process that dies stays dead, and rack_close tells.
 */
#ifndef CLUSTER_RACK_H
#define CLUSTER_RACK_H

#include "base/buf.h"
#include "base/types.h"
#include "unit/store/redis_fixture.h"
#include "unit/test.h"

enum { RACK_PROCESSES_MAX = 8, RACK_PATIENCE_MS = 60 * 1000 };

struct process {
    char name[32];
    pid_t pid;
    int ops_port;
};

extern struct redis_fixture rack_redis;
extern char rack_matchmaker_url[64];
extern int rack_port; /* where the gateway takes browsers */

/* Redis, and a matchmaker with these flags (NULL at the end, or NULL). */
void rack_open(const char *const *flags);
/* "worker", "timer", "gateway"; waits until it says that it is ready. A test fails where it does
 * not. */
struct process *rack_start(const char *program, const char *const *flags);
struct process *rack_process(const char *program); /* the first of that name */
/* Ends it in order and forgets it. Pointers to those that were started later are void then. */
void rack_stop(struct process *process);
void rack_freeze(const struct process *process, bool freeze);
/* Ends everything in order; -1: a process had died, or did not end. */
int rack_close(void);

/* A value of its metrics: of the line that begins with this text; -1: there is none. */
int64_t rack_metric(const struct process *process, const char *line);
/* Waits until it is from least to most. */
bool rack_wait_metric(const struct process *process, const char *line, int64_t least, int64_t most);
/* The whole text, which ends with a zero. */
void rack_metrics(const struct process *process, struct buf *text);
/* "depth", "bound" or "refused_total" of a queue. */
int64_t rack_queue(const struct process *process, const char *what, const char *queue);
/* Waits until that value of a queue is at least, or at most, so much. */
bool rack_wait_above(const struct process *process, const char *what, const char *queue,
                     int64_t least);
bool rack_wait_below(const struct process *process, const char *what, const char *queue,
                     int64_t most);

/* Memory that it holds (RSS). */
long rack_memory_kb(const struct process *process);
/* How long all of them, Redis and this process together were ready to run and not let, so far: what
 * a busy machine took from them. 0 where the kernel does not tell. */
int64_t rack_kept_waiting_ms(void);
/* A span of time without what a busy machine took. */
struct rack_span {
    instant_ms from;
    int64_t waited_ms;
};
struct rack_span rack_span_begin(void);
int64_t rack_span_ms(const struct rack_span *span);

/* After the second and after the tenth round of a flood the memory is the same, within 5 %. How
 * much comes together in a round is chance on a busy machine: where that was most in between, there
 * are ten rounds more (*round begins anew), twice at most. What leaks is found every time. */
enum { RACK_ROUNDS = 10, RACK_TRIES = 3 };
struct rack_watch {
    const struct process *process;
    bool peak; /* the most that it ever held: where a round fills a table and empties it again */
    long second_kb;
    int tries;
};
void rack_watch_round(struct rack_watch *watch, int *round);

#endif
