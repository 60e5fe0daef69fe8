/* SPDX-License-Identifier: Apache-2.0
 *
 * kill -9. Its twin is there; the supervisor starts it again meanwhile.
 */
#include "drill/drill.h"

#include <signal.h>

enum { AFTER_MS = 1500 };

static bool kill_one(struct drill_yard *yard, enum drill_service service)
{
    return drill_hit(yard, drill_victim(yard, service), SIGKILL);
}

static bool kill_worker(struct drill_yard *yard)
{
    return kill_one(yard, DRILL_WORKER);
}

static bool kill_gateway(struct drill_yard *yard)
{
    return kill_one(yard, DRILL_GATEWAY);
}

/* Deadlines are looked at for this long. */
static bool kill_and_look(struct drill_yard *yard, enum drill_service service)
{
    if (!kill_one(yard, service)) return false;
    crowd_play(yard->crowd, AFTER_MS);
    return true;
}

static bool kill_timer(struct drill_yard *yard)
{
    return kill_and_look(yard, DRILL_TIMER);
}

static bool kill_matchmaker(struct drill_yard *yard)
{
    return kill_and_look(yard, DRILL_MATCHMAKER);
}

/* Half of them workers, the others by chance. */
static bool kill_any(struct drill_yard *yard)
{
    static const enum drill_service others[] = {DRILL_GATEWAY, DRILL_TIMER, DRILL_MATCHMAKER};
    if (crowd_draw(yard->crowd, 2)) return kill_one(yard, DRILL_WORKER);
    return kill_one(yard, others[crowd_draw(yard->crowd, sizeof others / sizeof *others)]);
}

static void tell_deadlines(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said, "%zu deadlines, late p99 %u ms, max %u ms",
             result->times.late.count, result->late_p99_ms, result->late_max_ms);
}

const struct drill worker_kill_drill = {
    .name = "worker-kill",
    .fault = "kill -9 of a worker",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = 2000,
    .times = 20,
    .inject = kill_worker,
    .expect = drill_tell_moved,
};

const struct drill gateway_kill_drill = {
    .name = "gateway-kill",
    .fault = "kill -9 of a gateway",
    .figure = DRILL_COMING_BACK,
    .p99_max_ms = 2000,
    .times = 20,
    .inject = kill_gateway,
};

const struct drill timer_kill_drill = {
    .name = "timer-kill",
    .fault = "kill -9 of a timer",
    .figure = DRILL_WAITING,
    .times = 20,
    .inject = kill_timer,
    .expect = tell_deadlines,
};

const struct drill matchmaker_kill_drill = {
    .name = "matchmaker-kill",
    .fault = "kill -9 of a matchmaker",
    .figure = DRILL_WAITING,
    .times = 20,
    .inject = kill_matchmaker,
    .expect = tell_deadlines,
};

const struct drill any_kill_drill = {
    .name = "any-kill",
    .fault = "kill -9 of any process",
    .figure = DRILL_FROM_FAULT,
    .times = 40,
    .inject = kill_any,
    .expect = drill_tell_moved,
};
