/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not of a room: leases of instances, claims of tickets. Both end by themselves.
 */
#include "base/check.h"
#include "base/hash.h"
#include "sim/model_state.h"

#include <stdlib.h>

enum { CLAIM_KEEP_MS = 600 * 1000, LEASE_KEEP_MS = 7 * 24 * 3600 * 1000 };

instant_ms model_lease_of(const struct model_store *store, struct id128 instance, instant_ms now)
{
    const struct model_lease *lease = map128_get(&store->leases, instance);
    return lease && lease->at && now < lease->at + LEASE_KEEP_MS ? lease->at : 0;
}

void model_name_run(struct model_store *store)
{
    uint64_t run[2] = {store->run, store->crashes};
    store->run_id = hash_128_for("model run", slice_of(run, sizeof run));
}

static struct model_lease *lease_at(struct model_store *store, struct id128 instance)
{
    struct model_lease *lease = map128_get(&store->leases, instance);
    if (lease) return lease;
    lease = calloc(1, sizeof *lease);
    CHECK(lease != NULL);
    map128_put(&store->leases, instance, lease);
    return lease;
}

void model_disown(struct model_store *store, struct id128 owner, struct id128 taker)
{
    if (id128_is_zero(owner) || id128_equal(owner, taker)) return;
    lease_at(store, owner)->taken++;
}

void model_lease(struct model_store *store, const struct store_op *op, instant_ms now,
                 struct store_reply *reply)
{
    struct model_lease *lease = lease_at(store, op->instance);
    reply->last_lease_redis_ms = model_lease_of(store, op->instance, now);
    lease->at = now;
    reply->run_id = store->run_id;
    reply->taken = lease->taken;
}

void model_claim(struct model_store *store, const struct store_op *op, instant_ms now,
                 struct store_reply *reply)
{
    for (int i = 0; i < op->ticket_count; i++) {
        const struct model_claimed *claim = map128_get(&store->claims, op->tickets[i]);
        if (!claim || claim->until <= now || claim->room == op->room) continue;
        if (MUTANT(ticket_matched_twice)) continue;
        reply->status = ST_EXISTS;
        reply->room = claim->room;
        return;
    }
    for (int i = 0; i < op->ticket_count; i++) {
        struct model_claimed *claim = map128_get(&store->claims, op->tickets[i]);
        if (!claim) claim = calloc(1, sizeof *claim);
        CHECK(claim != NULL);
        *claim = (struct model_claimed){op->room, op->expected, now + CLAIM_KEEP_MS, false};
        map128_put(&store->claims, op->tickets[i], claim);
    }
}

void model_claimed(const struct model_store *store, const struct store_op *op, instant_ms now,
                   struct store_reply *reply)
{
    const struct model_claimed *claim = map128_get(&store->claims, op->tickets[0]);
    if (!claim || claim->until <= now) {
        reply->status = ST_UNKNOWN;
        return;
    }
    reply->room = claim->room;
    reply->expected = claim->expected;
}
