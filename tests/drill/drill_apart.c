/* SPDX-License-Identifier: Apache-2.0
 *
 * Services that cannot reach each other for a while, although both live; and workers whose clocks
 * differ by a day, each taking over the other's rooms.
 */
#include "drill/drill.h"

#include <signal.h>

enum { CUT_MS = 5000, BRIEF_MS = 3000 };

static const char *const ways[][2] = {
    {"worker-0", "gateway"},          {"worker-0", "redis"},       {"worker-0", "matchmaker-0"},
    {"matchmaker-0", "redis"},        {"worker-0", "timer-0"},     {"timer-0", "redis"},
    {"timer-0", "matchmaker-0"},      {"matchmaker-0", "gateway"}, {"worker-0", "worker-1"},
    {"matchmaker-0", "matchmaker-1"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static bool cut_one_way(struct drill_yard *yard)
{
    const char *const *way = ways[yard->injected % WAYS];
    crowd_mark(yard->crowd);
    if (!places_cut(&yard->places, way[0], way[1], true)) return false;
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : CUT_MS);
    return places_cut(&yard->places, way[0], way[1], false);
}

static bool take_over(struct drill_yard *yard)
{
    return drill_hit(yard, drill_victim(yard, DRILL_WORKER), SIGKILL);
}

static void tell_deadlines(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said, "%llu rooms taken over, deadlines late p99 %u ms",
             (unsigned long long)result->times.moved, result->late_p99_ms);
}

const struct drill cut_drill = {
    .name = "cut",
    .fault = "5 s without a way between two",
    .figure = DRILL_FROM_FAULT,
    .times = WAYS,
    .store = DRILL_APART,
    .errs = true,
    .inject = cut_one_way,
    .expect = tell_deadlines,
};

const struct drill clock_drill = {
    .name = "clock",
    .fault = "kill -9 of workers a day apart",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = 2000,
    .times = 10,
    .store = DRILL_APART,
    .inject = take_over,
    .expect = tell_deadlines,
};
