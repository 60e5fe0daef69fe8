/* SPDX-License-Identifier: Apache-2.0
 *
 * All drills, in the order in which they run.
 */
#include "drill/drill.h"

#define DRILLS(X)        \
    X(nothing)           \
    X(worker_kill)       \
    X(gateway_kill)      \
    X(timer_kill)        \
    X(matchmaker_kill)   \
    X(any_kill)          \
    X(worker_freeze)     \
    X(gateway_freeze)    \
    X(timer_freeze)      \
    X(matchmaker_freeze) \
    X(worker_drain)      \
    X(rolling_restart)   \
    X(together)          \
    X(worker_clock)      \
    X(deaf)              \
    X(redis_kill)        \
    X(redis_kill_always) \
    X(redis_owners_kill) \
    X(redis_freeze)      \
    X(redis_full)        \
    X(redis_memory)      \
    X(promotion)         \
    X(cut)               \
    X(clock)

#define X(name) extern const struct drill name##_drill;
DRILLS(X)
#undef X

#define X(name) &name##_drill,
static const struct drill *const drills[] = {DRILLS(X)};
#undef X

const struct drill *drill_at(int index)
{
    return index < (int)(sizeof drills / sizeof *drills) ? drills[index] : NULL;
}

const struct drill *drill_find(const char *name)
{
    for (int i = 0; drill_at(i); i++)
        if (!strcmp(drill_at(i)->name, name)) return drill_at(i);
    return NULL;
}
