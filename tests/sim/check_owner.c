/* SPDX-License-Identifier: Apache-2.0
 *
 * Promise 1: a room is written to by its owner alone, whoever takes it names the epoch that is, and
 * an epoch is given to one instance (rules 2, 3 and 5). Asked when the store has carried an op out,
 * before the shadow follows it.
 */
#include "sim/checks.h"
#include "sim/world.h"

static void check_write(struct world *world, const struct shadow *shadow, const struct store_op *op)
{
    if (op->epoch == shadow->epoch && id128_equal(op->instance, shadow->owner)) return;
    world_fail(world, "room %llx: a write under epoch %llu is accepted, its owner's is %llu",
               (unsigned long long)op->room, (unsigned long long)op->epoch,
               (unsigned long long)shadow->epoch);
}

static void remember(struct shadow *shadow, uint64_t epoch, struct id128 instance)
{
    shadow->given[shadow->given_count++ % SIM_EPOCHS] = (struct shadow_epoch){epoch, instance};
}

static void check_given(struct world *world, struct shadow *shadow, const struct store_op *op,
                        uint64_t epoch)
{
    for (int i = 0; i < SIM_EPOCHS; i++) {
        const struct shadow_epoch *given = &shadow->given[i];
        if (given->epoch != epoch) continue;
        if (!id128_equal(given->instance, op->instance))
            world_fail(world, "room %llx: epoch %llu is given to a second owner",
                       (unsigned long long)op->room, (unsigned long long)epoch);
        return; /* a repeat */
    }
    bool forgot = shadow->forgotten || shadow->lost_epoch >= shadow->epoch;
    if (op->kind == STORE_TAKE && op->epoch != shadow->epoch && !forgot)
        world_fail(world, "room %llx: is taken from epoch %llu when it is at %llu",
                   (unsigned long long)op->room, (unsigned long long)op->epoch,
                   (unsigned long long)shadow->epoch);
    remember(shadow, epoch, op->instance);
}

void check_owner(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    struct shadow *shadow = shadow_of(world, op->room);
    if (!shadow || reply->status != ST_OK) return;
    switch (op->kind) {
    case STORE_APPEND:
    case STORE_SNAPSHOT:
    case STORE_FINISH:
    case STORE_ASIDE:
    case STORE_DELETE:
        if (!shadow->forgotten) check_write(world, shadow, op);
        return;
    case STORE_TAKE:
    case STORE_CREATE:
    case STORE_RESTORE: check_given(world, shadow, op, reply->epoch); return;
    default: return;
    }
}
