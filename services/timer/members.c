/* SPDX-License-Identifier: Apache-2.0
 *
 * Heartbeats: every matchmaker hears of us, once we have read the sets, and tells which timers it
 * hears. All of these share the rooms, but for those whose process is known to be dead; a
 * matchmaker that is away leaves what it said last in force, since a share that nobody works off is
 * covered all the same.
 */
#include "base/check.h"
#include "base/hash.h"
#include "timer/timer_state.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct id128));
}

static bool contains(const struct id128 *list, int count, struct id128 id)
{
    for (int i = 0; i < count; i++) {
        if (id128_equal(list[i], id)) return true;
    }
    return false;
}

static void add_once(struct timer_core *core, struct id128 *list, int *count, struct id128 id)
{
    if (contains(list, *count, id)) return;
    if (*count < TIMER_PEERS_MAX)
        list[(*count)++] = id;
    else
        core->refused_peers++;
}

static bool is_listed(const struct timer_core *core, struct id128 id)
{
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        const struct matchmaker *matchmaker = &core->matchmakers[m];
        if (contains(matchmaker->timers, matchmaker->timer_count, id)) return true;
    }
    return false;
}

/* Everybody that some matchmaker hears, and ourselves. */
static void share_anew(struct timer_core *core)
{
    struct id128 timers[TIMER_PEERS_MAX] = {core->config.instance};
    int count = 1;
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        const struct matchmaker *matchmaker = &core->matchmakers[m];
        for (int i = 0; i < matchmaker->timer_count; i++)
            if (!twins_gone(core, matchmaker->timers[i]))
                add_once(core, timers, &count, matchmaker->timers[i]);
    }
    qsort(timers, (size_t)count, sizeof *timers, by_id);
    if (count == core->timer_count &&
        memcmp(timers, core->timers, (size_t)count * sizeof *timers) == 0)
        return;
    memcpy(core->timers, timers, sizeof timers);
    core->timer_count = count;
    rooms_rank_all(core);
}

void timers_open(struct timer_core *core)
{
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        core->matchmakers[m].url = core->config.matchmakers[m];
        core->matchmakers[m].next = core->now;
    }
    share_anew(core);
}

int timers_rank(const struct timer_core *core, room_id room)
{
    struct id128 left[TIMER_PEERS_MAX];
    int count = core->timer_count;
    memcpy(left, core->timers, sizeof left);
    for (int rank = 0;; rank++) {
        int winner = rendezvous_pick(room, left, NULL, count);
        CHECK(winner >= 0); /* we are among them */
        if (id128_equal(left[winner], core->config.instance)) return rank;
        left[winner] = left[--count];
    }
}

static void beat(struct timer_core *core, struct matchmaker *matchmaker)
{
    struct request *request =
        core_request(core, REQ_HEARTBEAT, matchmaker->url, &matchmaker->token);
    request->self = (struct member){.kind = SERVICE_TIMER,
                                    .instance = core->config.instance,
                                    .inbox_url = core->config.inbox_url,
                                    .control_url = "",
                                    .build = core->config.build,
                                    .ops_port = core->config.ops_port,
                                    .draining = core->draining};
    matchmaker->next = core->now + TIMER_HEARTBEAT_MS;
}

/* Who has not read every set yet could not work its share off: it is for the others to cover. */
static bool takes_part(const struct timer_core *core)
{
    for (int i = 0; i < core->config.shard_count && !core->draining; i++)
        if (core->shards[i].done == 0) return false;
    return true;
}

void timers_tick(struct timer_core *core)
{
    bool all_told = true;
    if (!takes_part(core)) return;
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        struct matchmaker *matchmaker = &core->matchmakers[m];
        if (matchmaker->token == 0 && matchmaker->next <= core->now) beat(core, matchmaker);
        if (matchmaker->token) all_told = false;
    }
    if (core->leave == INSTANT_NEVER || (!all_told && core->leave > core->now)) return;
    core->leave = INSTANT_NEVER;
    effects_add(core->out, EFFECT_EXIT);
}

bool timers_on_reply(struct timer_core *core, uint64_t token, const struct reply *reply)
{
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        struct matchmaker *matchmaker = &core->matchmakers[m];
        if (matchmaker->token != token) continue;
        matchmaker->token = 0;
        if (reply->status != ST_OK || reply->kind != REQ_HEARTBEAT) return true;
        if (!MUTANT(fire_lost_with_timer)) matchmaker->timer_count = 0;
        for (int i = 0; i < reply->member_count; i++) {
            const struct member *member = &reply->members[i];
            if (member->kind != SERVICE_TIMER || member->draining ||
                member->silent_ms >= TIMER_SILENT_MS)
                continue;
            add_once(core, matchmaker->timers, &matchmaker->timer_count, member->instance);
            twins_hear(core, member);
        }
        twins_forget(core, is_listed);
        share_anew(core);
        return true;
    }
    return false;
}

void timers_on_gone(struct timer_core *core, const char *url)
{
    if (url && twins_on_gone(core, url)) share_anew(core);
}

/* One last heartbeat to everyone, that says so; the rest of what we hold is the others' as well. */
void timers_drain(struct timer_core *core)
{
    if (core->draining) return;
    core->draining = true;
    core->leave = core->now + TIMER_DRAIN_MS;
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        core->matchmakers[m].token = 0; /* an answer to an older one tells nothing of that */
        core->matchmakers[m].next = core->now;
    }
}

instant_ms timers_deadline(const struct timer_core *core)
{
    instant_ms at = core->leave;
    if (!takes_part(core)) return at;
    for (int m = 0; m < core->config.matchmaker_count; m++) {
        const struct matchmaker *matchmaker = &core->matchmakers[m];
        if (matchmaker->token == 0 && matchmaker->next < at) at = matchmaker->next;
    }
    return at;
}
