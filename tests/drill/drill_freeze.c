/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGSTOP for 0.1 to 20 s. A worker that was frozen wakes believing that it still owns its rooms:
 * nothing it writes may be accepted, nothing it computes may be seen, and it is to compute nothing.
 * An append of its that was accepted would be an entry that the new owner meets with its next one
 * ("room.differs"), and that no replay explains. A frame of an epoch that is over is late when a
 * client gets it, and stale when the gateway drops it ("frames.stale"). A worker that is stopped in
 * the middle of a turn may finish it; so every other freeze waits until it has nothing in hand, and
 * a stale frame after such a one was computed after it woke.
 */
#include "drill/drill.h"

#include <inttypes.h>

static const int lengths_ms[] = {100, 300, 800, 1500, 3000, 6000, 12000, 20000};
enum {
    LENGTHS = sizeof lengths_ms / sizeof *lengths_ms,
    BRIEF_MS = 3000,
    TALLY_MS = 1200, /* within this a gateway has logged what it dropped */
};

/* Each length for every twin. */
static bool freeze(struct drill_yard *yard, enum drill_service service, int twins)
{
    int ms = yard->brief ? BRIEF_MS : lengths_ms[yard->injected / twins % LENGTHS];
    return drill_freeze(yard, drill_victim(yard, service), &yard->idle, ms);
}

static int fenced(const struct drill_yard *yard)
{
    return drill_logged(yard, DRILL_WORKER, "\"room.fenced\"");
}

/* Lines that must not be written when it wakes. */
static int differed(const struct drill_yard *yard)
{
    return drill_logged(yard, DRILL_WORKER, "\"room.differs\"");
}

static int stale(const struct drill_yard *yard)
{
    return drill_logged(yard, DRILL_GATEWAY, "\"frames.stale\"");
}

/* What came of the last freeze. */
static void count_stale(struct drill_yard *yard)
{
    int now = stale(yard);
    if (yard->idle) yard->computed += now - yard->stale;
    yard->stale = now;
}

/* Of two twins now the one is caught idle, now the other. */
static bool freeze_worker(struct drill_yard *yard)
{
    int workers = yard->cluster.workers;
    if (yard->injected == 0) {
        yard->logged = fenced(yard);
        yard->differed = differed(yard);
        yard->computed = yard->idles = 0;
        yard->idle = false;
    }
    count_stale(yard);
    yard->idle = (yard->injected / workers + yard->injected) % 2 == 0;
    if (!freeze(yard, DRILL_WORKER, workers)) return false;
    yard->idles += yard->idle;
    crowd_play(yard->crowd, TALLY_MS);
    return true;
}

static bool freeze_gateway(struct drill_yard *yard)
{
    yard->idle = false;
    return freeze(yard, DRILL_GATEWAY, yard->cluster.gateways);
}

static bool freeze_timer(struct drill_yard *yard)
{
    yard->idle = false;
    return freeze(yard, DRILL_TIMER, yard->cluster.timers);
}

static bool freeze_matchmaker(struct drill_yard *yard)
{
    yard->idle = false;
    return freeze(yard, DRILL_MATCHMAKER, yard->cluster.matchmakers);
}

static void nothing_after_it_woke(struct drill_yard *yard, struct drill_result *result)
{
    int accepted = differed(yard) - yard->differed;
    count_stale(yard);
    snprintf(result->said, sizeof result->said,
             "%" PRIu64 " rooms taken over, %d times told so on waking; appends accepted %d, late "
             "frames %" PRIu64 "; after %d with nothing in hand, computed after waking %d",
             result->times.moved, fenced(yard) - yard->logged, accepted, result->crowd.late_frames,
             yard->idles, yard->computed);
    if ((accepted || yard->computed || result->crowd.late_frames) && !result->wrong[0])
        snprintf(result->wrong, sizeof result->wrong,
                 "something came of a worker that owned the room no more");
}

static void tell_deadlines(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said, "%zu deadlines, late p99 %u ms, max %u ms",
             result->times.late.count, result->late_p99_ms, result->late_max_ms);
}

const struct drill worker_freeze_drill = {
    .name = "worker-freeze",
    .fault = "freeze of a worker, 0.1 to 20 s",
    .figure = DRILL_FROM_FAULT,
    .p99_max_ms = 3000,
    .times = 16,
    .inject = freeze_worker,
    .expect = nothing_after_it_woke,
};

const struct drill gateway_freeze_drill = {
    .name = "gateway-freeze",
    .fault = "freeze of a gateway, 0.1 to 20 s",
    .figure = DRILL_FROM_FAULT,
    .times = 16,
    .inject = freeze_gateway,
};

const struct drill timer_freeze_drill = {
    .name = "timer-freeze",
    .fault = "freeze of a timer, 0.1 to 20 s",
    .figure = DRILL_WAITING,
    .times = 16,
    .inject = freeze_timer,
    .expect = tell_deadlines,
};

const struct drill matchmaker_freeze_drill = {
    .name = "matchmaker-freeze",
    .fault = "freeze of a matchmaker, 0.1 to 20 s",
    .figure = DRILL_WAITING,
    .times = 16,
    .inject = freeze_matchmaker,
    .expect = tell_deadlines,
};
