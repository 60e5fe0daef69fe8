/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there, and who is dead. Silence counts only over time in which this process ran and the
 * store answered it; after either interruption everybody gets a full lease anew. A process whose
 * pipe closed and refuses a new one is dead at once.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

static int place_of(const struct matchmaker_core *core, struct id128 instance, bool *found)
{
    int low = 0, high = core->member_count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = id128_compare(core->members[middle]->is.instance, instance);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

struct known_member *member_find(const struct matchmaker_core *core, struct id128 instance)
{
    bool found;
    int at = place_of(core, instance, &found);
    return found ? core->members[at] : NULL;
}

static char *own(const char *text)
{
    char *copy = strdup(text ? text : "");
    CHECK(copy);
    return copy;
}

static void member_free(struct known_member *member)
{
    free((char *)member->is.inbox_url);
    free((char *)member->is.control_url);
    free((char *)member->is.build);
    for (int i = 0; i < member->is.play_count; i++) free((char *)member->is.plays[i].game);
    free(member->is.plays);
    free(member->adopts.list);
    free(member);
}

/* It is the same for the life of a process. */
static void own_plays(struct member *is)
{
    struct rules *plays = calloc((size_t)is->play_count + 1, sizeof *plays);
    CHECK(plays);
    for (int i = 0; i < is->play_count; i++)
        plays[i] = (struct rules){own(is->plays[i].game), is->plays[i].version};
    is->plays = plays;
}

/* To hear at once when its process dies: of workers alone, whose rooms wait for it. */
static void watch(struct matchmaker_core *core, const struct known_member *member,
                  enum effect_kind what)
{
    if (member->is.kind != SERVICE_WORKER) return;
    effects_add(core->out, what)->url = arena_text(&core->out->arena, member->is.control_url);
}

static struct known_member *add(struct matchmaker_core *core, const struct member *self)
{
    bool found;
    int at = place_of(core, self->instance, &found);
    if (core->member_count == WIRE_MEMBERS_MAX) {
        core->refused.members++;
        return NULL;
    }
    struct known_member *member = calloc(1, sizeof *member);
    CHECK(member);
    memmove(core->members + at + 1, core->members + at,
            (size_t)(core->member_count - at) * sizeof core->members[0]);
    core->members[at] = member;
    core->member_count++;
    member->is = *self;
    member->is.inbox_url = own(self->inbox_url);
    member->is.control_url = own(self->control_url);
    member->is.build = own(self->build);
    own_plays(&member->is);
    watch(core, member, EFFECT_WATCH);
    note(core, "member.joined", (uint64_t)self->kind, (uint64_t)core->member_count);
    return member;
}

/* A process that restarts at the same address is another instance: the former one is dead. */
static void replace_former(struct matchmaker_core *core, const struct member *self)
{
    if (self->kind != SERVICE_WORKER) return;
    for (int i = 0; i < core->member_count; i++) {
        struct known_member *other = core->members[i];
        if (other->is.kind == SERVICE_WORKER && !other->dead &&
            !id128_equal(other->is.instance, self->instance) &&
            strcmp(other->is.control_url, self->control_url) == 0)
            member_gone(core, NULL, other->is.instance);
    }
}

void member_heard(struct matchmaker_core *core, const struct member *self)
{
    if (id128_is_zero(self->instance)) return;
    /* In the list of matchmakers this one may stand under another name than it gives itself. */
    if (id128_equal(self->instance, core->config.instance)) return;
    struct known_member *member = member_find(core, self->instance);
    bool news = false;
    if (!member) {
        replace_former(core, self);
        member = add(core, self);
        news = true;
    }
    if (!member) return;
    /* The bus tells a death once. Who was taken for dead and is heard lives, and dies again. */
    if (member->dead) watch(core, member, EFFECT_WATCH);
    member->heard = core->now;
    member->dead = false;
    member->is.rooms = self->rooms;
    member->is.rooms_max = self->rooms_max;
    member->is.connections = self->connections;
    member->is.draining = self->draining;
    member->is.shards_away = self->shards_away;
    if (news && self->kind == SERVICE_WORKER) place_awaited(core);
}

static void declare_dead(struct matchmaker_core *core, struct known_member *member)
{
    member->dead = true;
    member->dead_at = core->now;
    note(core, "member.dead", (uint64_t)member->is.kind, core->now - member->heard);
    if (member->is.kind != SERVICE_WORKER) return;
    adopt_give_up(core, member);
    sweep_start(core, member->is.instance, true);
}

void member_gone(struct matchmaker_core *core, const char *control_url, struct id128 instance)
{
    for (int i = 0; i < core->member_count; i++) {
        struct known_member *member = core->members[i];
        bool it = !id128_is_zero(instance)
                      ? id128_equal(member->is.instance, instance)
                      : control_url && !strcmp(member->is.control_url, control_url);
        if (it && !member->dead) declare_dead(core, member);
    }
}

static instant_ms silent_ms(const struct matchmaker_core *core, const struct known_member *member)
{
    instant_ms from = member->heard > core->uninterrupted ? member->heard : core->uninterrupted;
    return core->now - from;
}

static bool seems_dead(const struct matchmaker_core *core, const struct known_member *member)
{
    if (MUTANT(dead_before_lease_ends))
        return silent_ms(core, member) > 2 * MATCHMAKER_HEARTBEAT_MS;
    return silent_ms(core, member) > MATCHMAKER_LEASE_MS + MATCHMAKER_HEARTBEAT_MS;
}

/* A process that was started again has the address of the one before. */
static bool watched_for_another(const struct matchmaker_core *core,
                                const struct known_member *member)
{
    if (MUTANT(watch_ends_with_former)) return false;
    for (int i = 0; i < core->member_count; i++) {
        const struct known_member *other = core->members[i];
        if (other == member || other->is.kind != SERVICE_WORKER) continue;
        if (!strcmp(other->is.control_url, member->is.control_url)) return true;
    }
    return false;
}

static void forget_old(struct matchmaker_core *core)
{
    for (int i = core->member_count - 1; i >= 0; i--) {
        struct known_member *member = core->members[i];
        if (!member->dead || core->now - member->dead_at < MATCHMAKER_FORGET_MS) continue;
        if (!watched_for_another(core, member)) watch(core, member, EFFECT_UNWATCH);
        member_free(member);
        core->member_count--;
        memmove(core->members + i, core->members + i + 1,
                (size_t)(core->member_count - i) * sizeof core->members[0]);
    }
}

/* More than half silent at once says more about this process than about them: it waits one lease
 * more. */
void members_judge(struct matchmaker_core *core)
{
    int alive = 0, silent = 0;
    for (int i = 0; i < core->member_count; i++) {
        if (core->members[i]->dead) continue;
        alive++;
        if (seems_dead(core, core->members[i])) silent++;
    }
    if (silent * 2 > alive && alive > 1 && !MUTANT(watcher_trusts_itself)) {
        if (!core->doubting) {
            core->doubting = true;
            core->doubt_until = core->now + MATCHMAKER_LEASE_MS;
        }
        if (core->now < core->doubt_until) return;
    } else {
        core->doubting = false;
    }
    for (int i = 0; i < core->member_count; i++)
        if (!core->members[i]->dead && seems_dead(core, core->members[i]))
            declare_dead(core, core->members[i]);
    forget_old(core);
}

void members_interrupted(struct matchmaker_core *core)
{
    if (MUTANT(watcher_trusts_itself) && core->uninterrupted) return;
    core->uninterrupted = core->now;
}

enum owner_state member_state(const struct matchmaker_core *core, struct id128 instance)
{
    if (id128_is_zero(instance)) return OWNER_DEAD;
    const struct known_member *member = member_find(core, instance);
    if (member) return member->dead ? OWNER_DEAD : OWNER_ALIVE;
    /* Never heard of: after a full lease of listening it is nobody. */
    return core->now - core->uninterrupted > MATCHMAKER_LEASE_MS + MATCHMAKER_HEARTBEAT_MS
               ? OWNER_DEAD
               : OWNER_UNSURE;
}

static bool takes(const struct known_member *member, struct rules rules)
{
    const struct member *is = &member->is;
    if (is->kind != SERVICE_WORKER || member->dead || is->draining) return false;
    return is->rooms < is->rooms_max && member_plays(is, rules);
}

/* The lower, the likelier it takes the room now. */
static int doubt(const struct member *is, room_id room, struct id128 failed)
{
    return 2 * room_shard_in(is->shards_away, room) + id128_equal(is->instance, failed);
}

struct known_member *member_pick(const struct matchmaker_core *core, room_id room,
                                 struct rules rules, struct id128 failed)
{
    struct id128 ids[WIRE_MEMBERS_MAX];
    double weights[WIRE_MEMBERS_MAX];
    int index[WIRE_MEMBERS_MAX], count = 0, least = 0;
    for (int i = 0; i < core->member_count; i++) {
        const struct member *is = &core->members[i]->is;
        if (!takes(core->members[i], rules)) continue;
        int its = doubt(is, room, failed);
        if (count > 0 && its > least) continue;
        if (its < least) count = 0; /* better than those so far */
        least = its;
        ids[count] = is->instance;
        weights[count] = 1.0 - (double)is->rooms / (double)is->rooms_max;
        index[count++] = i;
    }
    int at = rendezvous_pick(room, ids, weights, count);
    return at < 0 ? NULL : core->members[index[at]];
}

/* Workers that are there and full are one thing, workers that play by other rules another; that
 * none is there, or that all of them leave, is a moment's: a start, a fall, a restart of all. */
uint32_t member_none(const struct matchmaker_core *core, struct rules rules)
{
    uint32_t reason = REASON_BUSY;
    for (int i = 0; i < core->member_count; i++) {
        const struct member *is = &core->members[i]->is;
        if (is->kind != SERVICE_WORKER || core->members[i]->dead || is->draining) continue;
        if (member_plays(is, rules)) return REASON_NO_CAPACITY;
        reason = REASON_NO_RULES;
    }
    return reason;
}

bool member_mine(const struct matchmaker_core *core, room_id room)
{
    struct id128 ids[WIRE_MEMBERS_MAX + 1];
    int count = 0;
    ids[count++] = core->config.instance;
    for (int i = 0; i < core->member_count; i++)
        if (core->members[i]->is.kind == SERVICE_MATCHMAKER && !core->members[i]->dead)
            ids[count++] = core->members[i]->is.instance;
    int at = rendezvous_pick(room, ids, NULL, count);
    return at == 0;
}

/* Every process asks four times a second: each is told of those that it deals with, and nothing
 * else. What a worker can play matters to workers, who hand rooms over. */
static bool deals_with(enum service_kind kind, enum service_kind other)
{
    switch (kind) {
    case SERVICE_GATEWAY: return other == SERVICE_WORKER || other == SERVICE_MATCHMAKER;
    case SERVICE_WORKER: return other != SERVICE_MATCHMAKER;
    case SERVICE_TIMER: return other == SERVICE_TIMER;
    case SERVICE_MATCHMAKER: return false; /* it hears them itself */
    }
    return true; /* an operator */
}

static void list(struct matchmaker_core *core, const struct known_member *member,
                 enum service_kind asks, struct reply *reply)
{
    struct arena *arena = &core->out->arena;
    if (reply->member_count == WIRE_MEMBERS_MAX) return;
    if (!deals_with(asks, member->is.kind)) return;
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
 * merely absent may be so by chance. */
void members_reply(struct matchmaker_core *core, enum service_kind asks, struct reply *reply)
{
    struct arena *arena = &core->out->arena;
    reply->members = arena_alloc(arena, (size_t)(core->member_count + 1) * sizeof *reply->members);
    struct member self = {.kind = SERVICE_MATCHMAKER,
                          .instance = core->config.instance,
                          .inbox_url = "",
                          .control_url = core->config.control_url,
                          .build = core->config.build,
                          .ops_port = core->config.ops_port,
                          .draining = core->leaving};
    reply->members[reply->member_count++] = self;
    for (int i = 0; i < core->member_count; i++)
        if (!core->members[i]->dead) list(core, core->members[i], asks, reply);
    for (int i = 0; i < core->member_count; i++)
        if (core->members[i]->dead && core->members[i]->is.kind == SERVICE_WORKER)
            list(core, core->members[i], asks, reply);
}

void members_fini(struct matchmaker_core *core)
{
    for (int i = 0; i < core->member_count; i++) member_free(core->members[i]);
    core->member_count = 0;
}
