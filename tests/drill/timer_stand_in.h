/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker as far as timers can tell: it owns any number of rooms in a real Redis, arms a
 * deadline in each, takes fires on a real inbox and answers them as a worker does. A fire for
 * the deadline that is due is logged by an append, which puts the deadline off, and answered
 * when Redis has confirmed that; for any other number the answer is "over". It measures how
 * late each deadline's first fire came, by Redis' clock.
 *
 * One loop, one shard. It registers as a worker that is full, so that nothing else is given to it.
 */
#ifndef DRILL_TIMER_STAND_IN_H
#define DRILL_TIMER_STAND_IN_H

#include "base/types.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct stand_in;

/* Both URLs as services take them. NULL never: what cannot be opened ends the program. */
struct stand_in *stand_in_open(uv_loop_t *loop, const char *redis, const char *matchmaker,
                               int rooms);
void stand_in_close(struct stand_in *stand_in);

/* Makes all rooms, each with a deadline an hour ahead. */
void stand_in_create(struct stand_in *stand_in);
/* Arms the first `count` rooms anew: the first is due in ahead_ms, `rate` of them each second.
 * Returns when that is, in microseconds of Redis' clock. */
uint64_t stand_in_arm(struct stand_in *stand_in, int count, int rate, instant_ms ahead_ms);

struct deadline {
    uint64_t due_us;
    uint32_t late_us;
    bool fired;
};
/* How it went with the deadline of room i of those armed. */
struct deadline stand_in_deadline(const struct stand_in *stand_in, int room);
int stand_in_fired(const struct stand_in *stand_in);
/* Fires of deadlines that had been fired before. */
int stand_in_repeated(const struct stand_in *stand_in);
/* Waits until nothing is under way, then asks Redis: rooms among the first `count` whose log
 * has fewer, or more, entries than deadlines were armed and fired. */
void stand_in_check(struct stand_in *stand_in, int count, int *lost, int *doubled);

/* Microseconds of the machine's clock, which is Redis' too. */
uint64_t wall_us(void);

#endif
