/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be seen from outside.
 */
#include <stdlib.h>

#include "base/check.h"
#include "scale/scale.h"

struct scale_balance look_balance(const struct scale_world *world)
{
    struct scale_balance out = {0};
    uint64_t rooms = 0;
    for (int i = 0; i < world->node_count; i++) {
        const struct scale_node *node = &world->nodes[i];
        if (node->kind != SERVICE_WORKER || !node->up) continue;
        out.workers++;
        rooms += node->rooms;
        if (node->rooms > out.max) out.max = node->rooms;
    }
    out.mean = out.workers ? (double)rooms / out.workers : 0;
    out.ratio = out.mean > 0 ? out.max / out.mean : 0;
    return out;
}

uint64_t look_owned(struct scale_world *world, struct id128 instance, uint64_t at_most)
{
    uint64_t count = 0;
    for (int s = 0; s < world->config.shards && count < at_most; s++) {
        struct arena arena = {0};
        struct store_reply page;
        struct store_op op = {.kind = STORE_OWNED, .shard = s, .instance = instance};
        op.limit = (int)(at_most - count);
        model_store_step(world->stores[s], &op, scale_now(world), &arena, &page);
        count += (uint64_t)page.room_count;
        arena_fini(&arena);
    }
    return count;
}

static const char *fault(const char *what, uint64_t a, uint64_t b)
{
    static char text[160];
    snprintf(text, sizeof text, "%s: %llu, %llu", what, (unsigned long long)a,
             (unsigned long long)b);
    return text;
}

/* Counts for each node the rooms that the store says are its; the first room that is wrong. */
static const char *count_owned(struct scale_world *world, uint32_t *owned)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (map_next(&world->rooms, &cursor, &id, &value)) {
        struct model_view view;
        if (!model_store_look(world->stores[room_shard(id)], id, &view))
            return fault("a room is lost", id, 0);
        const struct scale_node *node = map128_get(&world->by_instance, view.owner);
        if (!node || !node->up) return fault("nobody who is there owns a room", id, 0);
        owned[node->index]++;
    }
    return NULL;
}

const char *look_for_faults(struct scale_world *world)
{
    uint32_t *owned = calloc(SCALE_NODES_MAX, sizeof *owned);
    CHECK(owned);
    const char *wrong = count_owned(world, owned);
    for (int i = 0; i < world->node_count && !wrong; i++) {
        const struct scale_node *node = &world->nodes[i];
        if (!node->up || !node->worker) continue;
        struct worker_stats stats;
        worker_core_stats(node->worker, &stats);
        if (stats.live != owned[i] || stats.rooms != owned[i])
            wrong = fault("a worker has other rooms than the store says", stats.rooms, owned[i]);
    }
    free(owned);
    if (!wrong && world->counts.twice) wrong = fault("answered twice", world->counts.twice, 0);
    if (!wrong && world->counts.bad_notes) wrong = fault("bad notes", world->counts.bad_notes, 0);
    return wrong;
}

static uint64_t tell_refused(FILE *tell, const char *who, const char *queue, uint64_t refused)
{
    if (refused && tell)
        fprintf(tell, "%s: %s was full %llu times\n", who, queue, (unsigned long long)refused);
    return refused;
}

uint64_t look_refused(const struct scale_world *world, FILE *tell)
{
    uint64_t sum = 0;
    for (int i = 0; i < world->node_count; i++) {
        const struct scale_node *node = &world->nodes[i];
        if (node->matchmaker) {
            struct matchmaker_queues queues;
            matchmaker_core_queues(node->matchmaker, &queues);
#define X(name) sum += tell_refused(tell, node->control, #name, queues.name.refused);
            MATCHMAKER_QUEUES(X)
#undef X
        } else if (node->worker) {
            struct worker_queues queues;
            worker_core_queues(node->worker, &queues);
#define X(name) sum += tell_refused(tell, node->control, #name, queues.name.refused);
            WORKER_QUEUES(X)
#undef X
        }
    }
    return sum;
}

instant_ms look_wait_ms(const struct scale_world *world, double share)
{
    uint64_t wanted = (uint64_t)(share * (double)world->counts.placed), seen = 0;
    for (instant_ms ms = 0; ms < SCALE_WAIT_MS_MAX; ms++) {
        seen += world->counts.wait_ms[ms];
        if (seen > wanted) return ms;
    }
    return SCALE_WAIT_MS_MAX;
}
