/* SPDX-License-Identifier: Apache-2.0
 *
 * What a heartbeat is answered: each process is told of those that it deals with, and nothing else.
 * Every process asks four times a second, so that a list of all workers to each of them would cost
 * the square of their number: a thousand would take more than a processor of each matchmaker.
 *
 * A worker deals with few others. It has to know who could take its rooms when it leaves, and what
 * all of them can play. So it is told of the next ones after it by instance, which is a list of its
 * own for each worker and hardly changes; of more of them while it leaves; and of an example of
 * every sort of worker there is.
 */
#include "base/check.h"
#include "matchmaker/matchmaker_state.h"

enum { SUCCESSORS = 8, SUCCESSORS_OF_LEAVING = 64 };

static bool deals_with(enum service_kind kind, enum service_kind other)
{
    switch (kind) {
    case SERVICE_GATEWAY: return other == SERVICE_WORKER || other == SERVICE_MATCHMAKER;
    case SERVICE_WORKER: return other == SERVICE_GATEWAY || other == SERVICE_TIMER;
    case SERVICE_TIMER: return other == SERVICE_TIMER;
    case SERVICE_MATCHMAKER: return false; /* it hears them itself */
    }
    return true; /* an operator */
}

static bool is_told(const struct reply *reply, struct id128 instance)
{
    for (int i = 0; i < reply->member_count; i++)
        if (id128_equal(reply->members[i].instance, instance)) return true;
    return false;
}

static void tell(struct matchmaker_core *core, const struct known_member *member,
                 enum service_kind asks, struct reply *reply)
{
    struct arena *arena = &core->out->arena;
    if (reply->member_count == WIRE_MEMBERS_MAX) return;
    struct member *out = &reply->members[reply->member_count++];
    *out = member->is;
    out->inbox_url = arena_text(arena, out->inbox_url);
    out->control_url = arena_text(arena, out->control_url);
    out->build = asks ? "" : arena_text(arena, out->build);
    if (asks == SERVICE_GATEWAY || asks == SERVICE_TIMER) out->play_count = 0;
    out->plays = arena_alloc(arena, (size_t)out->play_count * sizeof *out->plays);
    for (int i = 0; i < out->play_count; i++)
        out->plays[i] = (struct rules){arena_text(arena, member->is.plays[i].game),
                                       member->is.plays[i].version};
    out->silent_ms = member->dead ? MEMBER_DEAD : (uint32_t)(core->now - member->heard);
}

/* Dead workers are in it too, and called so: players of a frozen one wait for the news, and who is
 * merely absent may be so by chance. An operator is told of all the dead. */
static void tell_all(struct matchmaker_core *core, enum service_kind asks, struct reply *reply)
{
    for (int kind = SERVICE_GATEWAY; kind <= SERVICE_TIMER; kind++) {
        const struct member_set *set = &core->of_kind[kind];
        if (!deals_with(asks, (enum service_kind)kind)) continue;
        for (int i = 0; i < set->count; i++)
            if (!set->list[i]->dead || asks == 0) tell(core, set->list[i], asks, reply);
    }
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    if (asks == 0 || !deals_with(asks, SERVICE_WORKER)) return;
    for (int i = 0; i < workers->count; i++)
        if (workers->list[i]->dead) tell(core, workers->list[i], asks, reply);
}

/* ---- workers of workers ---------------------------------------------------------------------- */

static bool alike(const struct known_member *one, const struct known_member *other)
{
    return one->plays == other->plays && one->is.orders == other->is.orders &&
           one->is.draining == other->is.draining;
}

/* Two of each sort: who asks may be one of them. */
static void find_examples(struct matchmaker_core *core)
{
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    core->example_count = 0;
    for (int i = 0; i < workers->count; i++) {
        int such = 0;
        if (workers->list[i]->dead) continue;
        for (int k = 0; k < core->example_count && such < 2; k++)
            such += alike(core->examples[k], workers->list[i]);
        if (such < 2) core->examples[core->example_count++] = workers->list[i];
    }
    core->examples_known = true;
}

static bool fit(const struct known_member *worker)
{
    return !worker->dead && !worker->is.draining && worker->is.rooms < worker->is.rooms_max;
}

static void tell_successors(struct matchmaker_core *core, const struct member *asks,
                            struct reply *reply)
{
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    int most = asks->draining ? SUCCESSORS_OF_LEAVING : SUCCESSORS;
    int first = member_place(workers, asks->instance);
    for (int i = 0; i < workers->count && most > 0; i++) {
        const struct known_member *worker = workers->list[(first + i) % workers->count];
        if (!fit(worker) || id128_equal(worker->is.instance, asks->instance)) continue;
        tell(core, worker, asks->kind, reply);
        most--;
    }
}

static void tell_examples(struct matchmaker_core *core, const struct member *asks,
                          struct reply *reply)
{
    if (!core->examples_known) find_examples(core);
    for (int i = 0; i < core->example_count; i++) {
        const struct known_member *example = core->examples[i];
        if (id128_equal(example->is.instance, asks->instance)) continue;
        if (!is_told(reply, example->is.instance)) tell(core, example, asks->kind, reply);
    }
}

/* So many are told of at most. */
static int count_told(struct matchmaker_core *core, const struct member *asks)
{
    int count = 0;
    for (int kind = SERVICE_GATEWAY; kind <= SERVICE_TIMER; kind++)
        if (deals_with(asks->kind, (enum service_kind)kind)) count += core->of_kind[kind].count;
    if (asks->kind == SERVICE_WORKER) {
        if (!core->examples_known) find_examples(core);
        count += SUCCESSORS_OF_LEAVING + core->example_count;
    }
    return count + 1;
}

void members_reply(struct matchmaker_core *core, const struct member *asks, struct reply *reply)
{
    struct arena *arena = &core->out->arena;
    reply->members = arena_take(arena, (size_t)count_told(core, asks) * sizeof *reply->members);
    reply->members[reply->member_count++] = member_self(core);
    tell_all(core, asks->kind, reply);
    if (asks->kind != SERVICE_WORKER) return;
    tell_successors(core, asks, reply);
    tell_examples(core, asks, reply);
}
