/* SPDX-License-Identifier: Apache-2.0
 *
 * Rule 5: a matchmaker tries at most once in 250 ms to give a room another owner than the one of
 * that epoch. (That one may die as soon as it has become it: that is another matter, rule 16. And
 * a worker that has just come is asked at once for what nobody else can play, rule 9.)
 */
#include "base/hash.h"
#include "matchmaker/matchmaker_core.h"
#include "sim/checks.h"

enum { DRIFT_MS = 1, NEWCOMER_MS = 3000 };

void check_attempts(struct world *world, struct sim_node *node, const struct effect *effect)
{
    const struct request *request = &effect->request;
    if (request->kind != REQ_WORKER_ADOPT) return;
    const struct sim_node *target = effect->url ? node_by_control(world, effect->url) : NULL;
    bool newcomer = target && world->now < target->started_at + NEWCOMER_MS;
    for (int i = 0; i < request->room_count; i++) {
        room_id room = request->rooms[i].room;
        uint64_t key = hash_mix64(room ^ hash_mix64(request->rooms[i].epoch));
        instant_ms last = (instant_ms)(uintptr_t)map_get(&node->attempts, key);
        if (last && !newcomer && world->now + DRIFT_MS < last + MATCHMAKER_ATTEMPT_MS)
            world_fail(world, "%s: places room %llx again after %llu ms", node_name(node),
                       (unsigned long long)room, (unsigned long long)(world->now - last));
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): the instant itself is kept in its place */
        map_put(&node->attempts, key, (void *)(uintptr_t)world->now);
    }
}
