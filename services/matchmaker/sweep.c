/* SPDX-License-Identifier: Apache-2.0
 *
 * A dead worker's rooms, in passes over its owned set. At first each matchmaker places those that
 * rendezvous hashing gives to it, so that workers are asked once for each room; after SHARED_MS
 * whatever is still there is everybody's, so that a matchmaker which died too, or has not noticed,
 * is covered. A pass that finds nothing ends it; so does the worker when it is heard again. While
 * we do not know whether it is dead, because we did not run or the store did not answer, it waits.
 */
#include <stdlib.h>

#include "base/check.h"
#include "matchmaker/matchmaker_state.h"

enum { SWEEP_PAGE = 256, SWEEP_PAUSE_MS = 300, SWEEP_PAUSE_MAX_MS = 2000, SHARED_MS = 2500 };

/* Whether the room is this matchmaker's to place. */
static bool ours(const struct matchmaker_core *core, const struct sweep *sweep, room_id room)
{
    return core->now >= sweep->everybodys || member_mine(core, room);
}

bool sweep_leaves(const struct matchmaker_core *core, struct id128 instance, room_id room)
{
    const struct sweep *sweep = core->sweeps;
    while (sweep && !id128_equal(sweep->instance, instance)) sweep = sweep->next;
    return sweep && !ours(core, sweep, room);
}

bool sweep_start(struct matchmaker_core *core, struct id128 instance, bool shared)
{
    struct sweep **at = &core->sweeps;
    for (; *at; at = &(*at)->next)
        if (id128_equal((*at)->instance, instance)) return false;
    if (core->sweep_count == MATCHMAKER_SWEEPS_MAX) {
        core->refused.sweeps++; /* until another ends its rooms are placed as they are asked for */
        return false;
    }
    struct sweep *sweep = calloc(1, sizeof *sweep);
    CHECK(sweep);
    sweep->instance = instance;
    sweep->next_pass = core->now;
    sweep->everybodys = core->now + (shared ? SHARED_MS : 0);
    *at = sweep;
    core->sweep_count++;
    sweep_tick(core);
    return true;
}

static void ask_page(struct matchmaker_core *core, struct sweep *sweep)
{
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_OWNED, &op, STORE_OWNED);
    if (!asked) {
        sweep->asking = false;
        sweep->next_pass = core->now + SWEEP_PAUSE_MS;
        return;
    }
    asked->sweep = sweep;
    op->shard = sweep->shard;
    op->instance = sweep->instance;
    op->cursor = sweep->cursor;
    op->limit = SWEEP_PAGE;
    sweep->asking = true;
}

static void end_pass(struct matchmaker_core *core, struct sweep *sweep)
{
    instant_ms pause = SWEEP_PAUSE_MS * (instant_ms)(sweep->pass + 1);
    sweep->asking = false;
    sweep->pass++;
    sweep->next_pass = core->now + (pause < SWEEP_PAUSE_MAX_MS ? pause : SWEEP_PAUSE_MAX_MS);
}

void sweep_on_owned(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *page)
{
    struct sweep *sweep = asked->sweep;
    bool dead = member_state(core, sweep->instance) == OWNER_DEAD || MUTANT(watcher_trusts_itself);
    if (store_forgot_lately(core, sweep->shard)) dead = false; /* it may be another's by then */
    if (page->status != ST_OK || !dead) {
        end_pass(core, sweep);
        sweep->seen++; /* not known to be empty */
        return;
    }
    for (int i = 0; i < page->room_count; i++) {
        sweep->seen++;
        if (!ours(core, sweep, page->rooms[i])) continue;
        struct rules rules = place_rules(core, page->summaries[i]);
        place_room(core, page->rooms[i], rules, page->epochs[i], NULL);
    }
    sweep->cursor = page->cursor;
    if (sweep->cursor == 0) sweep->shard++;
    if (sweep->shard < core->config.shard_count)
        ask_page(core, sweep);
    else
        end_pass(core, sweep);
}

static bool over(const struct matchmaker_core *core, const struct sweep *sweep)
{
    if (sweep->asking) return false;
    if (member_state(core, sweep->instance) == OWNER_ALIVE) return true;
    return sweep->pass > 0 && sweep->seen == 0;
}

/* While workers load what they were asked for there is nothing for a pass to find but that,
 * until what was left to others is looked at too. */
static bool loading(const struct matchmaker_core *core, const struct sweep *sweep)
{
    return sweep->pass > 0 && core->now < sweep->everybodys && adopt_open(core);
}

void sweep_tick(struct matchmaker_core *core)
{
    struct sweep **at = &core->sweeps;
    while (*at) {
        struct sweep *sweep = *at;
        if (over(core, sweep)) {
            note(core, "worker.swept", (uint64_t)sweep->pass, 0);
            *at = sweep->next;
            core->sweep_count--;
            free(sweep);
            continue;
        }
        bool known = member_state(core, sweep->instance) != OWNER_UNSURE;
        if (!sweep->asking && core->now >= sweep->next_pass && known && !loading(core, sweep)) {
            sweep->shard = 0;
            sweep->cursor = 0;
            sweep->seen = 0;
            ask_page(core, sweep);
        }
        at = &sweep->next;
    }
}

void sweep_fini(struct matchmaker_core *core)
{
    while (core->sweeps) {
        struct sweep *next = core->sweeps->next;
        free(core->sweeps);
        core->sweeps = next;
    }
}
