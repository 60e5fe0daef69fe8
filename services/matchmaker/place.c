/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a room is, and giving a room without a living owner a new one. A placement names the epoch
 * it expects, so two matchmakers that place the same room at once get one owner; the slower one
 * looks again and finds it.
 */
#include <stdlib.h>

#include "base/check.h"
#include "matchmaker/matchmaker_state.h"
#include "room/room.h"
#include "wire/reason.h"

void answer_placed(struct matchmaker_core *core, const struct waiter *waiter,
                   const struct placed *placed)
{
    struct reply *reply = answer(core, waiter);
    reply->placed = *placed;
    reply->placed.code = arena_text(&core->out->arena, placed->code);
    reply->placed.owner_url = arena_text(&core->out->arena, placed->owner_url);
}

void answer_refused(struct matchmaker_core *core, const struct waiter *waiter, enum status status,
                    uint32_t reason)
{
    struct reply *reply = answer(core, waiter);
    reply->status = status;
    reply->reason = reason;
}

void answer_pending(struct matchmaker_core *core, const struct waiter *waiter)
{
    answer(core, waiter)->pending = true;
}

static struct placement *placement_of(const struct matchmaker_core *core, room_id room)
{
    return map_get(&core->placements, room);
}

/* Each that waits holds an answer open, of which there are few and heartbeats need one too: one too
 * many hears "not yet" at once, as it would later. */
static void add_waiter(struct matchmaker_core *core, struct placement *placement,
                       const struct waiter *waiter)
{
    if (core->waiter_count == MATCHMAKER_WAITERS_MAX) {
        core->refused.waiters++;
        answer_pending(core, waiter);
        return;
    }
    struct waiter *copy = malloc(sizeof *copy);
    CHECK(copy);
    core->waiter_count++;
    *copy = *waiter;
    copy->next = placement->waiters;
    placement->waiters = copy;
}

/* Tells the waiters, oldest first, and forgets them. placed NULL: not yet. */
static void release_waiters(struct matchmaker_core *core, struct placement *placement,
                            const struct placed *placed, uint32_t reason)
{
    struct waiter *oldest = NULL;
    while (placement->waiters) {
        struct waiter *next = placement->waiters->next;
        placement->waiters->next = oldest;
        oldest = placement->waiters;
        placement->waiters = next;
    }
    while (oldest) {
        struct waiter *next = oldest->next;
        if (placed)
            answer_placed(core, oldest, placed);
        else if (reason)
            answer_refused(core, oldest, ST_UNAVAILABLE, reason);
        else
            answer_pending(core, oldest);
        free(oldest);
        core->waiter_count--;
        oldest = next;
    }
}

static void forget(struct matchmaker_core *core, struct placement *placement)
{
    CHECK(!placement->waiters);
    map_remove(&core->placements, placement->room);
    free(placement);
}

static struct placement *placement_new(struct matchmaker_core *core, room_id room)
{
    struct placement *placement = calloc(1, sizeof *placement);
    CHECK(placement);
    placement->room = room;
    code_write(room_id_bits(room), placement->code);
    map_put(&core->placements, room, placement);
    return placement;
}

static struct rules rules_of(const struct placement *placement)
{
    return (struct rules){placement->game, placement->rules_version};
}

/* No worker that is here plays by the room's rules. It is remembered for whoever registers next. */
static void await(struct matchmaker_core *core, struct placement *placement,
                  const struct waiter *waiter)
{
    placement->awaited = true;
    placement->started = core->now;
    if (waiter) answer_refused(core, waiter, ST_UNAVAILABLE, REASON_NO_RULES);
}

/* ---- placing --------------------------------------------------------------------------------- */

/* True when the room is being placed, or was a moment ago: the waiter has heard, or will. */
static bool under_way(struct matchmaker_core *core, struct placement *placement,
                      const struct waiter *waiter)
{
    bool recent = core->now - placement->started < MATCHMAKER_ATTEMPT_MS;
    if (!placement->in_flight && (placement->doubted_epoch || !recent)) return false;
    if (waiter == NULL) return true;
    if (placement->in_flight)
        add_waiter(core, placement, waiter);
    else if (placement->awaited)
        answer_refused(core, waiter, ST_UNAVAILABLE, REASON_NO_RULES);
    else
        answer_pending(core, waiter);
    return true;
}

void place_room(struct matchmaker_core *core, room_id room, struct rules rules, uint64_t epoch,
                const struct waiter *waiter)
{
    struct placement *placement = placement_of(core, room);
    if (placement && under_way(core, placement, waiter)) return;
    struct id128 failed = placement ? placement->failed : (struct id128){{0}};
    struct known_member *target = member_pick(core, room, rules, failed);
    bool full = !placement && core->placements.count >= MATCHMAKER_PLACEMENTS_MAX;
    uint32_t reason = target ? REASON_BUSY : member_none(core, rules);
    core->refused.placements += full;
    if (full || (!target && reason != REASON_NO_RULES)) {
        if (waiter) answer_refused(core, waiter, ST_UNAVAILABLE, reason);
        return;
    }
    if (!placement) placement = placement_new(core, room);
    placement->epoch = epoch;
    placement->doubted_epoch = 0;
    placement->rules_version = rules.version;
    memset(placement->game, 0, sizeof placement->game);
    if (rules.game) memcpy(placement->game, rules.game, strlen(rules.game));
    if (!target) {
        await(core, placement, waiter);
        return;
    }
    placement->awaited = false;
    placement->target = target->is.instance;
    placement->in_flight = true;
    placement->started = core->now;
    if (waiter) add_waiter(core, placement, waiter);
    adopt_queue(core, target, room);
}

struct room_epoch place_asked(struct matchmaker_core *core, room_id room)
{
    struct placement *placement = placement_of(core, room);
    CHECK(placement && placement->in_flight);
    placement->started = core->now; /* it has waited in a line: the attempt is made now */
    struct rules rules = rules_of(placement);
    rules.game = arena_text(&core->out->arena, rules.game);
    return (struct room_epoch){.room = room, .epoch = placement->epoch, .rules = rules};
}

void place_done(struct matchmaker_core *core, room_id room, uint64_t epoch)
{
    struct placement *placement = placement_of(core, room);
    if (!placement || !placement->in_flight) return;
    const struct known_member *owner = member_find(core, placement->target);
    struct placed placed = {.room = room,
                            .code = placement->code,
                            .owner = placement->target,
                            .owner_url = owner ? owner->is.inbox_url : "",
                            .epoch = epoch};
    placement->in_flight = false;
    placement->failed = (struct id128){{0}};
    release_waiters(core, placement, owner ? &placed : NULL, 0);
    /* Kept until the next attempt may be made: who still believes in the former owner asks late. */
}

/* Kept for a while without anything in flight: the next attempt waits, and goes to another worker.
 * Who asks again finds out where it is. */
void place_failed(struct matchmaker_core *core, room_id room)
{
    struct placement *placement = placement_of(core, room);
    if (!placement || !placement->in_flight) return;
    placement->in_flight = false;
    placement->failed = placement->target;
    release_waiters(core, placement, NULL, 0);
}

void place_resolve(struct matchmaker_core *core, const char *code, room_id room,
                   uint64_t stale_epoch, const struct waiter *waiter)
{
    bool by_code = code && *code;
    room_id of = by_code ? room_id_make(code_bits(code), 0) : room;
    if (room_shard(of) >= core->config.shard_count) {
        if (waiter) answer_refused(core, waiter, ST_UNKNOWN, REASON_NO_SUCH_ROOM);
        return;
    }
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_FIND, &op, STORE_FIND);
    if (!asked) {
        if (waiter) answer_refused(core, waiter, ST_UNAVAILABLE, REASON_BUSY);
        return;
    }
    if (waiter) asked->waiter = *waiter;
    asked->stale_epoch = stale_epoch;
    op->room = of;
    if (by_code) op->code = arena_text(&core->out->arena, code);
}

/* A living worker may have dropped a room (it was set back by a paused moment, say) without the
 * store knowing. When others say for a second that it does not answer for the room, the room gets a
 * new owner; the epoch keeps that safe. */
static bool owner_fails(struct matchmaker_core *core, const struct store_reply *found,
                        uint64_t stale_epoch)
{
    if (found->epoch != stale_epoch) return false;
    struct placement *placement = placement_of(core, found->room);
    if (!placement && core->placements.count >= MATCHMAKER_PLACEMENTS_MAX) {
        core->refused.placements++;
        return false;
    }
    if (!placement) placement = placement_new(core, found->room);
    if (placement->in_flight) return true;
    if (placement->doubted_epoch != found->epoch) {
        placement->doubted_epoch = found->epoch;
        placement->doubted_since = core->now;
    }
    placement->failed = found->owner;
    placement->started = core->now;
    return core->now - placement->doubted_since >= MATCHMAKER_DOUBT_MS;
}

/* A worker that was given rooms as soon as it started may not have been heard of here yet. Epochs
 * are moments of the store's clock (rule 3): who took the room just now has its lease to be heard.
 */
static bool has_just_come(const struct matchmaker_core *core, const struct store_reply *found)
{
    const struct shard_view *shard = &core->shards[room_shard(found->room)];
    if (id128_is_zero(found->owner) || member_find(core, found->owner)) return false;
    instant_ms there = shard->renewed + (core->now - shard->renewed_at);
    instant_ms ago = there > found->epoch ? there - found->epoch : found->epoch - there;
    return ago <= MATCHMAKER_LEASE_MS + MATCHMAKER_HEARTBEAT_MS;
}

/* A store that forgot may name the owner before the last, or nobody: the last one has all that was
 * acknowledged, and writes it again. */
static enum owner_state owner_of(const struct matchmaker_core *core,
                                 const struct store_reply *found)
{
    enum owner_state state = member_state(core, found->owner);
    bool wait = has_just_come(core, found) || store_forgot_lately(core, room_shard(found->room));
    return state == OWNER_DEAD && wait ? OWNER_UNSURE : state;
}

void place_on_find(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found)
{
    const struct waiter *waiter = asked->waiter.token ? &asked->waiter : NULL;
    if (found->status == ST_UNKNOWN && !store_forgot(core, found)) {
        if (waiter) answer_refused(core, waiter, ST_UNKNOWN, REASON_NO_SUCH_ROOM);
        return;
    }
    if (found->status != ST_OK) {
        if (waiter) answer_pending(core, waiter);
        return;
    }
    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(found->room), code);
    const struct rules rules = place_rules(core, found->summary);
    switch (owner_of(core, found)) {
    case OWNER_ALIVE: {
        if (asked->stale_epoch && owner_fails(core, found, asked->stale_epoch)) {
            place_room(core, found->room, rules, found->epoch, waiter);
            return;
        }
        if (!waiter) return;
        struct placed placed = {.room = found->room,
                                .code = code,
                                .owner = found->owner,
                                .owner_url = found->owner_url,
                                .epoch = found->epoch};
        answer_placed(core, waiter, &placed);
        return;
    }
    case OWNER_UNSURE:
        if (waiter) answer_pending(core, waiter);
        return;
    case OWNER_DEAD:
        if (!sweep_leaves(core, found->owner, found->room))
            place_room(core, found->room, rules, found->epoch, waiter);
        else if (waiter)
            answer_pending(core, waiter);
    }
}

static instant_ms kept_ms(const struct placement *placement)
{
    if (placement->awaited) return MATCHMAKER_AWAITED_MS;
    if (placement->doubted_epoch) return MATCHMAKER_DOUBT_MS;
    return id128_is_zero(placement->failed) ? MATCHMAKER_ATTEMPT_MS : MATCHMAKER_FAILED_MS;
}

/* Placements that are over are remembered only as long as they hold the next attempt back, or turn
 * it to another worker; rooms that wait for one, as long as somebody asks for them. */
void place_tidy(struct matchmaker_core *core)
{
    size_t count = 0;
    uint32_t awaited = 0;
    uint64_t *rooms = map_keys_sorted(&core->placements, &count);
    for (size_t i = 0; i < count; i++) {
        struct placement *placement = placement_of(core, rooms[i]);
        if (!placement->in_flight && core->now - placement->started >= kept_ms(placement))
            forget(core, placement);
        else if (placement->awaited)
            awaited++;
    }
    free(rooms);
    if (awaited != core->awaited) note(core, "rooms.awaited", awaited, 0);
    core->awaited = awaited;
}

void place_fini(struct matchmaker_core *core)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&core->placements, &cursor, &room, &value)) {
        struct placement *placement = value;
        while (placement->waiters) {
            struct waiter *next = placement->waiters->next;
            free(placement->waiters);
            placement->waiters = next;
        }
        free(placement);
    }
    map_fini(&core->placements);
}
