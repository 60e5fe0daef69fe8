/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there, and who is dead. Silence counts only over time in which this process ran and the
 * store answered it; after either interruption everybody gets a full lease anew. A process whose
 * pipe closed and refuses a new one is dead at once.
 */
#include <stdlib.h>

#include "base/check.h"
#include "matchmaker/matchmaker_state.h"

static int place_in(struct known_member *const *list, int count, struct id128 instance, bool *found)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = id128_compare(list[middle]->is.instance, instance);
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

int member_place(const struct member_set *set, struct id128 instance)
{
    bool found;
    return place_in(set->list, set->count, instance, &found);
}

struct member member_self(const struct matchmaker_core *core)
{
    return (struct member){.kind = SERVICE_MATCHMAKER,
                           .instance = core->config.instance,
                           .inbox_url = "",
                           .control_url = core->config.control_url,
                           .build = core->config.build,
                           .ops_port = core->config.ops_port,
                           .draining = core->leaving};
}

struct known_member *member_find(const struct matchmaker_core *core, struct id128 instance)
{
    bool found;
    int at = place_in(core->members, core->member_count, instance, &found);
    return found ? core->members[at] : NULL;
}

static char *own(const char *text)
{
    char *copy = strdup(text ? text : "");
    CHECK(copy);
    return copy;
}

/* ---- what workers play ----------------------------------------------------------------------- */

static bool plays_same(const struct known_plays *known, const struct member *is)
{
    if (known->count != is->play_count) return false;
    for (int i = 0; i < known->count; i++)
        if (known->list[i].version != is->plays[i].version ||
            strcmp(known->list[i].game, is->plays[i].game) != 0)
            return false;
    return true;
}

/* It is the same for the life of a process, and for all processes of a build. */
static struct known_plays *plays_of(struct matchmaker_core *core, const struct member *is)
{
    struct known_plays *known = core->plays;
    while (known && !plays_same(known, is)) known = known->next;
    if (!known) {
        known = calloc(1, sizeof *known);
        CHECK(known);
        known->count = is->play_count;
        known->list = calloc((size_t)is->play_count + 1, sizeof *known->list);
        CHECK(known->list);
        for (int i = 0; i < is->play_count; i++)
            known->list[i] = (struct rules){own(is->plays[i].game), is->plays[i].version};
        known->next = core->plays;
        core->plays = known;
    }
    known->users++;
    return known;
}

static void plays_release(struct matchmaker_core *core, struct known_plays *plays)
{
    if (--plays->users > 0) return;
    struct known_plays **at = &core->plays;
    while (*at != plays) at = &(*at)->next;
    *at = plays->next;
    for (int i = 0; i < plays->count; i++) free((char *)plays->list[i].game);
    free(plays->list);
    free(plays);
}

/* ---- coming and going ------------------------------------------------------------------------ */

static void member_free(struct matchmaker_core *core, struct known_member *member)
{
    free((char *)member->is.inbox_url);
    free((char *)member->is.control_url);
    free((char *)member->is.build);
    plays_release(core, member->plays);
    free(member->adopts.list);
    free(member);
}

/* To hear at once when its process dies: of workers alone, whose rooms wait for it. */
static void watch(struct matchmaker_core *core, const struct known_member *member,
                  enum effect_kind what)
{
    if (member->is.kind != SERVICE_WORKER) return;
    effects_add(core->out, what)->url = arena_text(&core->out->arena, member->is.control_url);
}

static void put_in(struct known_member **list, int *count, struct known_member *member)
{
    bool found;
    int at = place_in(list, *count, member->is.instance, &found);
    memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
    list[at] = member;
    ++*count;
}

static void take_out(struct known_member **list, int *count, const struct known_member *member)
{
    bool found;
    int at = place_in(list, *count, member->is.instance, &found);
    CHECK(found);
    --*count;
    memmove(list + at, list + at + 1, (size_t)(*count - at) * sizeof *list);
}

static struct known_member *add(struct matchmaker_core *core, const struct member *self)
{
    if (core->member_count == WIRE_MEMBERS_MAX) {
        core->refused.members++;
        return NULL;
    }
    struct known_member *member = calloc(1, sizeof *member);
    CHECK(member);
    member->is = *self;
    member->is.inbox_url = own(self->inbox_url);
    member->is.control_url = own(self->control_url);
    member->is.build = own(self->build);
    member->plays = plays_of(core, self);
    member->is.plays = member->plays->list;
    put_in(core->members, &core->member_count, member);
    put_in(core->of_kind[self->kind].list, &core->of_kind[self->kind].count, member);
    core->examples_known = false;
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
    if (self->kind < SERVICE_GATEWAY || self->kind > SERVICE_TIMER) return; /* of a later build */
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
    if (member->dead || member->is.draining != self->draining) core->examples_known = false;
    member->heard = core->now;
    member->dead = false;
    member->is.rooms = self->rooms;
    member->given = (uint32_t)member->adopts.count; /* it has not been asked for these yet */
    member->is.rooms_max = self->rooms_max;
    member->is.connections = self->connections;
    member->is.draining = self->draining;
    member->is.shards_away = self->shards_away;
    if (news && self->kind == SERVICE_WORKER) place_awaited(core);
}

static void declare_dead(struct matchmaker_core *core, struct known_member *member)
{
    core->examples_known = false;
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

bool member_late(const struct matchmaker_core *core, const struct known_member *member)
{
    return silent_ms(core, member) > 2 * MATCHMAKER_HEARTBEAT_MS;
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
        struct member_set *set = &core->of_kind[member->is.kind];
        take_out(core->members, &core->member_count, member);
        take_out(set->list, &set->count, member);
        core->examples_known = false;
        member_free(core, member);
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

void members_fini(struct matchmaker_core *core)
{
    for (int i = 0; i < core->member_count; i++) member_free(core, core->members[i]);
    core->member_count = 0;
}
