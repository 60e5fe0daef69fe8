/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 18 and 21: while nobody owned a room its time stood still. Whoever takes it goes on from
 * its last entry by what the former owner still had of its lease; after an orderly put-away by all
 * that has passed. Held against the entries that follow, check_entry.c.
 */
#include "sim/checks.h"

enum { CLOCKS_MS = 250 }; /* by which clocks that drift may differ over an owner's time */

void check_outage(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    struct shadow *shadow = shadow_of(world, op->room);
    if (op->kind != STORE_TAKE || reply->status != ST_OK || !shadow || !shadow->room) return;
    if (reply->epoch == shadow->epoch || !shadow->time.known) return; /* a repeat */
    if (shadow->forgotten || shadow->lost_epoch >= shadow->epoch) return;
    if (id128_equal(op->instance, shadow->owner)) return; /* it has the room in memory */
    bool in_order = reply->released && !room_playing(shadow->room);
    instant_ms from = reply->last_entry_redis_ms;
    instant_ms till = reply->released ? reply->released_redis_ms : reply->last_lease_redis_ms;
    if (in_order) till = reply->redis_ms;
    struct shadow_time *time = &shadow->time;
    shadow_time_passes(world, time);
    instant_ms latest = time->last + (till > from ? till - from : 0) + CLOCKS_MS;
    if (latest < time->latest) time->latest = latest;
}
