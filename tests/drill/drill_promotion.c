/* SPDX-License-Identifier: Apache-2.0
 *
 * A replica is promoted by real Sentinels: because the primary was killed, because it stands still
 * (and wakes as a stranger), or because somebody asked for it. Replication is asynchronous, so the
 * new primary may lack the last writes; the workers write them again.
 */
#include "drill/drill.h"

#include <signal.h>

enum { LOOK_MS = 50, ASK_AGAIN_MS = 1000, PROMOTE_MS = 30 * 1000 };

/* Votes may be split, and an election is given up when somebody answers late: the Sentinels then
 * hold another by themselves, but not when it was asked for. */
static bool await_promotion(struct drill_yard *yard, int old, bool ask)
{
    for (int waited = 0; waited < PROMOTE_MS; waited += LOOK_MS) {
        if (ask && waited % ASK_AGAIN_MS == 0) redis_group_failover(&yard->group);
        int primary = redis_group_other_primary(&yard->group, old);
        if (primary >= 0) {
            snprintf(yard->redis, sizeof yard->redis, "%s", yard->group.servers[primary].socket);
            return true;
        }
        crowd_play(yard->crowd, LOOK_MS);
    }
    return false;
}

/* Until the one that was primary follows the new one: the Sentinels take ten seconds for that. */
static bool await_peace(struct drill_yard *yard, int old)
{
    for (int waited = 0; waited < 2 * PROMOTE_MS; waited += LOOK_MS) {
        if (!redis_group_is_primary(&yard->group, old) && redis_group_is_whole(&yard->group))
            return true;
        crowd_play(yard->crowd, LOOK_MS);
    }
    return false;
}

static bool kill_primary(struct drill_yard *yard, int primary)
{
    crowd_mark(yard->crowd);
    redis_group_kill(&yard->group, primary);
    if (!await_promotion(yard, primary, false)) return false;
    redis_group_restart(&yard->group, primary);
    return true;
}

static bool freeze_primary(struct drill_yard *yard, int primary)
{
    crowd_mark(yard->crowd);
    redis_fixture_freeze(&yard->group.servers[primary], true);
    bool promoted = await_promotion(yard, primary, false);
    redis_fixture_freeze(&yard->group.servers[primary], false);
    return promoted;
}

static bool ask_for_another(struct drill_yard *yard, int primary)
{
    crowd_mark(yard->crowd);
    return await_promotion(yard, primary, true);
}

static bool promote(struct drill_yard *yard)
{
    static bool (*const ways[])(struct drill_yard *, int) = {kill_primary, ask_for_another,
                                                             freeze_primary};
    int primary = redis_group_primary(&yard->group);
    return primary >= 0 && ways[yard->injected % 3](yard, primary) && await_peace(yard, primary);
}

static void tell_sentinels(struct drill_yard *yard, struct drill_result *result)
{
    (void)yard;
    snprintf(result->said, sizeof result->said,
             "killed, asked for, frozen in turn; down-after-milliseconds %d", GROUP_DOWN_AFTER_MS);
}

const struct drill promotion_drill = {
    .name = "promotion",
    .fault = "a replica promoted by Sentinels",
    .figure = DRILL_FROM_FAULT,
    .times = 9,
    .store = DRILL_SENTINELS,
    .inject = promote,
    .expect = tell_sentinels,
};
