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

void model_own(struct model_store *store, struct id128 owner, struct model_room *room,
               instant_ms now)
{
    struct model_lease *lease = lease_at(store, owner);
    if (!lease->owner) lease->owner = now;
    map_put(&lease->rooms, room->id, room);
}

void model_let_go(struct model_store *store, struct id128 owner, room_id room)
{
    struct model_lease *lease = lease_at(store, owner);
    map_remove(&lease->rooms, room);
    if (lease->rooms.count == 0) lease->owner = 0;
}

void model_disown(struct model_store *store, struct id128 owner, room_id room, struct id128 taker)
{
    if (id128_is_zero(owner) || id128_equal(owner, taker)) return;
    lease_at(store, owner)->taken++;
    model_let_go(store, owner, room);
}

void model_sort_rooms(struct model_store *store)
{
    size_t cursor = 0;
    struct id128 instance;
    uint64_t id;
    void *value;
    while (map128_next(&store->leases, &cursor, &instance, &value)) {
        struct model_lease *lease = value;
        map_fini(&lease->rooms);
        lease->rooms = (struct map){0};
    }
    map_fini(&store->listed);
    store->listed = (struct map){0};
    for (cursor = 0; map_next(&store->rooms, &cursor, &id, &value);) {
        struct model_room *room = value;
        if (room->listed) map_put(&store->listed, id, room);
        if (!id128_is_zero(room->owner)) map_put(&lease_at(store, room->owner)->rooms, id, room);
    }
}

struct silent {
    struct id128 owner;
    instant_ms since;
};

static int longest_first(const void *a, const void *b)
{
    const struct silent *left = a, *right = b;
    if (left->since != right->since) return left->since < right->since ? -1 : 1;
    return id128_compare(left->owner, right->owner);
}

void model_silent(struct model_store *store, const struct store_op *op, instant_ms now,
                  struct arena *arena, struct store_reply *reply)
{
    struct silent *list = arena_alloc(arena, (store->leases.count + 1) * sizeof *list);
    size_t cursor = 0, count = 0;
    struct id128 id;
    void *value;
    while (map128_next(&store->leases, &cursor, &id, &value)) {
        struct model_lease *lease = value;
        if (lease->owner >= now + op->silent_ms) lease->owner = now;
        if (lease->owner && lease->owner + op->silent_ms <= now)
            list[count++] = (struct silent){id, lease->owner};
    }
    qsort(list, count, sizeof *list, longest_first);
    reply->owners = arena_alloc(arena, (size_t)op->limit * sizeof *reply->owners);
    for (size_t i = op->cursor; i < count && reply->owner_count < op->limit; i++)
        reply->owners[reply->owner_count++] = list[i].owner;
}

void model_lease(struct model_store *store, const struct store_op *op, instant_ms now,
                 struct store_reply *reply)
{
    struct model_lease *lease = lease_at(store, op->instance);
    reply->last_lease_redis_ms = model_lease_of(store, op->instance, now);
    lease->at = now;
    if (lease->owner) lease->owner = now;
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
