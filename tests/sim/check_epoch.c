/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 3: an epoch is given once, and later ones are higher, whatever the store has forgotten.
 */
#include "sim/checks.h"

void check_epoch(struct world *world, struct shadow *shadow, const struct store_op *op,
                 const struct model_view *look)
{
    bool gives = op->kind == STORE_CREATE || op->kind == STORE_TAKE || op->kind == STORE_RESTORE;
    if (look->epoch == shadow->epoch) return;
    shadow->epoch_at = world->now;
    shadow_time_changes_hands(world, shadow);
    if (!gives || !id128_equal(look->owner, op->instance)) {
        world_fail(world, "room %llx: epoch changes from %llu to %llu without a take",
                   (unsigned long long)shadow->id, (unsigned long long)shadow->epoch,
                   (unsigned long long)look->epoch);
    } else if (look->epoch <= shadow->highest) {
        world_fail(world, "room %llx: epoch %llu is given after %llu",
                   (unsigned long long)shadow->id, (unsigned long long)look->epoch,
                   (unsigned long long)shadow->highest);
    }
}
