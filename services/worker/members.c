/* SPDX-License-Identifier: Apache-2.0
 *
 * Heartbeats to the matchmakers, and what they answer: which timers there are (to be sent hints
 * of earlier deadlines), which other workers (to hand rooms to), and which gateways (to be told
 * of rooms that came here; some fell silent).
 */
#include "worker/parts.h"

#include <stdlib.h>

enum { HEARTBEAT_LIMIT_MS = 1000 };

/* ---- the lists ------------------------------------------------------------------------------- */

static void expire(struct worker_core *core, struct member_list *members)
{
    int kept = 0;
    for (int i = 0; i < members->count; i++)
        if (members->list[i].heard + WORKER_MEMBER_MS > core->now)
            members->list[kept++] = members->list[i];
    members->count = kept;
}

static struct known_member *place_for(struct member_list *members, struct id128 instance)
{
    int at = 0;
    while (at < members->count && id128_compare(members->list[at].instance, instance) < 0) at++;
    if (at < members->count && id128_equal(members->list[at].instance, instance))
        return &members->list[at];
    if (members->count == members->max) return NULL;
    if (members->list == NULL) {
        members->list = calloc((size_t)members->max, sizeof *members->list);
        CHECK(members->list != NULL);
    }
    memmove(&members->list[at + 1], &members->list[at],
            (size_t)(members->count - at) * sizeof *members->list);
    members->count++;
    members->list[at] = (struct known_member){.instance = instance};
    return &members->list[at];
}

static void copy_url(char to[WIRE_URL_BYTES_MAX], const char *url)
{
    size_t len = url ? strnlen(url, WIRE_URL_BYTES_MAX - 1) : 0;
    if (len) memcpy(to, url, len);
    to[len] = 0;
}

/* Who was not known before; else NULL. */
static const struct known_member *hear(struct worker_core *core, struct member_list *members,
                                       const struct member *member, uint64_t *refused)
{
    instant_ms heard = member->silent_ms < core->now ? core->now - member->silent_ms : 0;
    if (member->silent_ms >= WORKER_MEMBER_MS) return NULL;
    struct known_member *known = place_for(members, member->instance);
    if (known == NULL) (*refused)++;
    if (known == NULL || known->heard > heard) return NULL;
    bool is_new = known->heard == 0;
    known->heard = heard;
    known->rooms = member->rooms;
    known->rooms_max = member->rooms_max;
    known->draining = member->draining;
    known->able = rules_able(core, member);
    known->shards_away = member->shards_away;
    known->replays_orders = member->orders >= ORDERS_VERSION;
    copy_url(known->inbox_url, member->inbox_url);
    copy_url(known->control_url, member->control_url);
    return is_new ? known : NULL;
}

static bool fit(const struct worker_core *core, const struct known_member *worker)
{
    return !worker->draining && worker->rooms < worker->rooms_max &&
           worker->heard + WORKER_MEMBER_MS > core->now;
}

bool members_any_fit(const struct worker_core *core)
{
    for (int i = 0; i < core->workers.count; i++)
        if (fit(core, &core->workers.list[i])) return true;
    return false;
}

bool members_replay_orders(const struct worker_core *core)
{
    for (int i = 0; i < core->workers.count; i++)
        if (!core->workers.list[i].replays_orders) return false;
    return true;
}

static void find_common_rules(struct worker_core *core)
{
    core->common = UINT32_MAX;
    for (int i = 0; i < core->workers.count; i++)
        if (!core->workers.list[i].draining) core->common &= core->workers.list[i].able;
}

/* A gateway that no matchmaker has heard for so long is gone, its pipe closed or not. It counts
 * only over time in which matchmakers answered us without a gap (rule 16). */
static void bury_gateways(struct worker_core *core)
{
    if (core->heard_at == 0 || core->heard_at + WORKER_LEASE_MS < core->now)
        core->heard_from = core->now;
    core->heard_at = core->now;
    if (core->heard_from + WORKER_GATEWAY_SILENCE_MS > core->now) return;
    for (int i = core->gateways.count - 1; i >= 0; i--) {
        const struct known_member *gateway = &core->gateways.list[i];
        if (gateway->heard + WORKER_GATEWAY_SILENCE_MS > core->now) continue;
        on_peer_gone(core, gateway->instance);
        core->gateways.count--;
        memmove(&core->gateways.list[i], &core->gateways.list[i + 1],
                (size_t)(core->gateways.count - i) * sizeof *core->gateways.list);
    }
}

/* Whether somebody who sits in the room is connected to a gateway that has not come here yet. */
static bool awaited(struct owned_room *o)
{
    for (int s = 0; s < room_seat_count(o->room); s++)
        if (room_connected(o->room, s) && viewer_of_seat(o, s) == NULL) return true;
    return false;
}

static void tell_owned(struct worker_core *core, const struct owned_room *o,
                       const struct known_member *gateway)
{
    const char *url = core_lend(core, gateway->inbox_url);
    struct effect *effect = effects_add(core->out, EFFECT_SEND);
    effect->peer = gateway->instance;
    effect->url = url;
    effect->envelope = viewers_here(core, o);
}

/* Wherever the room's players are connected, they wait for its owner, and whom they lost cannot say
 * on which gateways: each of them hears where the room is now, and passes it over when nobody there
 * is in it. */
void members_tell_owned(struct worker_core *core, struct owned_room *o)
{
    if (!awaited(o)) return;
    for (int i = 0; i < core->gateways.count; i++)
        if (core->gateways.list[i].heard + WORKER_MEMBER_MS > core->now)
            tell_owned(core, o, &core->gateways.list[i]);
}

/* Of all rooms that wait for their players. */
static void tell_all_owned(struct worker_core *core, const struct known_member *gateway)
{
    size_t count;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    for (size_t i = 0; i < count; i++) {
        struct owned_room *o = core_find(core, ids[i]);
        if (o && o->phase == OWNED_LIVE && awaited(o)) tell_owned(core, o, gateway);
    }
    free(ids);
}

void members_tell_again(struct worker_core *core, struct id128 instance, const char *url)
{
    for (int i = 0; i < core->gateways.count; i++) {
        const struct known_member *gateway = &core->gateways.list[i];
        bool by_url = id128_is_zero(instance) && url && strcmp(gateway->inbox_url, url) == 0;
        if (by_url || id128_equal(gateway->instance, instance)) tell_all_owned(core, gateway);
    }
}

void members_on_reply(struct worker_core *core, const struct reply *reply)
{
    if (reply == NULL || reply->kind != REQ_HEARTBEAT || reply->status != ST_OK) return;
    expire(core, &core->timers);
    expire(core, &core->workers);
    for (int i = 0; i < reply->member_count; i++) {
        const struct member *member = &reply->members[i];
        if (id128_equal(member->instance, core->config.instance)) continue;
        if (member->kind == SERVICE_TIMER) hear(core, &core->timers, member, &core->refused.timers);
        if (member->kind == SERVICE_WORKER)
            hear(core, &core->workers, member, &core->refused.workers);
        if (member->kind != SERVICE_GATEWAY) continue;
        const struct known_member *gateway =
            hear(core, &core->gateways, member, &core->refused.peers);
        /* A worker that has just started is given rooms before it has heard of all gateways. */
        if (gateway) tell_all_owned(core, gateway);
    }
    find_common_rules(core);
    bury_gateways(core);
}

const struct known_member *members_find(const struct worker_core *core, struct id128 instance)
{
    for (int i = 0; i < core->workers.count; i++)
        if (id128_equal(core->workers.list[i].instance, instance)) return &core->workers.list[i];
    return NULL;
}

/* By rendezvous hashing, weighted by the room that each has left. -1: none. */
static int successor(const struct worker_core *core, const struct owned_room *o, bool reaching)
{
    const struct rules rules = rules_of_room(o->room);
    struct id128 ids[WORKER_SUCCESSORS_MAX];
    double weights[WORKER_SUCCESSORS_MAX];
    int count = core->workers.count;
    for (int i = 0; i < count; i++) {
        const struct known_member *member = &core->workers.list[i];
        bool able = fit(core, member) && rules_able_to(core, member->able, rules);
        if (reaching && room_shard_in(member->shards_away, o->id)) able = false;
        ids[i] = member->instance;
        weights[i] = able ? (double)(member->rooms_max - member->rooms) / member->rooms_max : 0;
    }
    return count > 0 ? rendezvous_pick(o->id, ids, weights, count) : -1;
}

/* One that does not reach the room's shard may do so in a moment: better than none. */
const struct known_member *members_successor(const struct worker_core *core,
                                             const struct owned_room *o)
{
    int pick = successor(core, o, true);
    if (pick < 0) pick = successor(core, o, false);
    return pick < 0 ? NULL : &core->workers.list[pick];
}

/* ---- what they are told ---------------------------------------------------------------------- */

void members_due(struct worker_core *core)
{
    if (core->heartbeat_at > core->now) return;
    core->heartbeat_at = core->now + WORKER_HEARTBEAT_MS;
    for (int i = 0; i < core->config.matchmaker_count; i++) {
        struct id128 id = core_draw_id(core);
        uint64_t token = core_tag(core);
        struct effect *effect = effects_add(core->out, EFFECT_REQUEST);
        effect->url = core->config.matchmakers[i];
        effect->token = token;
        effect->timeout_ms = HEARTBEAT_LIMIT_MS;
        effect->request.kind = REQ_HEARTBEAT;
        effect->request.id = id;
        effect->request.from = core->config.instance;
        effect->request.self = (struct member){.kind = SERVICE_WORKER,
                                               .instance = core->config.instance,
                                               .inbox_url = core->config.inbox_url,
                                               .control_url = core->config.control_url,
                                               .build = core->config.build,
                                               .rooms = (uint32_t)core->rooms.count,
                                               .rooms_max = core->config.rooms_max,
                                               .draining = core->draining,
                                               .plays = core->plays,
                                               .play_count = core->play_count,
                                               .ops_port = core->config.ops_port,
                                               .orders = ORDERS_VERSION,
                                               .shards_away = lease_shards_away(core)};
    }
}

/* Rule 19: batched by the loop turn; the set in Redis is the truth. */
void members_hint(struct worker_core *core, const struct owned_room *o)
{
    struct envelope envelope = {.kind = ENV_HINT};
    uint64_t number;
    instant_ms due = room_deadline(o->room, &number), at = owned_time(core, o);
    if (due == INSTANT_NEVER) return;
    envelope.u.deadline = (struct env_deadline){.room = o->id,
                                                .number = number,
                                                .due_in_ms = due > at ? due - at : 0};
    for (int i = 0; i < core->timers.count; i++) {
        const char *url = core_lend(core, core->timers.list[i].inbox_url);
        struct effect *effect = effects_add(core->out, EFFECT_SEND);
        effect->peer = core->timers.list[i].instance;
        effect->url = url;
        effect->envelope = envelope;
    }
}
