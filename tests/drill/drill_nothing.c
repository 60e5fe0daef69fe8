/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is broken: what this machine makes of the same load, to read the other rows by.
 */
#include "drill/drill.h"

enum { LOOK_MS = 10 * 1000, BRIEF_MS = 2000 };

static bool look_on(struct drill_yard *yard)
{
    crowd_mark(yard->crowd);
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : LOOK_MS);
    return true;
}

static void tell_deadlines(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said, "%zu deadlines, late p99 %u ms, max %u ms",
             result->times.late.count, result->late_p99_ms, result->late_max_ms);
}

const struct drill nothing_drill = {
    .name = "nothing",
    .fault = "none, for 10 s",
    .figure = DRILL_WAITING,
    .times = 2,
    .inject = look_on,
    .expect = tell_deadlines,
};
