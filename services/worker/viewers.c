/* SPDX-License-Identifier: Apache-2.0
 *
 * Who looks at a room through which gateway, and which connection holds which seat. All of it is
 * soft: a new owner begins with nobody and hears of everybody from their gateways. A seat has one
 * holder; a newer one displaces it, and the older is told so and can act no more (ruling P2).
 */
#include "worker/parts.h"

#include <stdlib.h>

struct viewer *viewer_find(struct owned_room *o, struct id128 gateway, uint64_t client)
{
    for (int i = 0; i < o->viewer_count; i++)
        if (o->viewers[i].client == client && id128_equal(o->viewers[i].gateway, gateway))
            return &o->viewers[i];
    return NULL;
}

struct viewer *viewer_of_seat(struct owned_room *o, int seat)
{
    for (int i = 0; i < o->viewer_count; i++)
        if (o->viewers[i].seat == seat) return &o->viewers[i];
    return NULL;
}

int viewers_watching(const struct owned_room *o)
{
    int count = 0;
    for (int i = 0; i < o->viewer_count; i++) count += o->viewers[i].seat < 0;
    return count;
}

bool viewers_full(const struct owned_room *o)
{
    return o->viewer_count >= WORKER_WATCHERS_MAX + GAME_SEATS_MAX + 1;
}

/* A newcomer watches until it is given a seat. */
struct viewer *viewer_add(struct owned_room *o, struct id128 gateway, uint64_t client)
{
    if (viewers_full(o)) return NULL;
    if (o->viewer_count == o->viewer_room) {
        o->viewer_room += 4; /* mostly there are as many as seats */
        o->viewers = realloc(o->viewers, (size_t)o->viewer_room * sizeof *o->viewers);
        CHECK(o->viewers != NULL);
    }
    struct viewer *viewer = &o->viewers[o->viewer_count++];
    *viewer = (struct viewer){.gateway = gateway, .client = client, .seat = -1, .have = UINT64_MAX};
    gateway_add(o, gateway);
    return viewer;
}

static bool gateway_in_use(const struct owned_room *o, struct id128 gateway)
{
    for (int i = 0; i < o->viewer_count; i++)
        if (id128_equal(o->viewers[i].gateway, gateway)) return true;
    return false;
}

static void gateway_remove(struct owned_room *o, struct id128 instance)
{
    struct room_gateway *gateway = gateway_find(o, instance);
    if (gateway == NULL) return;
    size_t after = (size_t)(&o->gateways[o->gateway_count] - (gateway + 1));
    memmove(gateway, gateway + 1, after * sizeof *gateway);
    o->gateway_count--;
}

void viewer_remove(struct owned_room *o, struct viewer *viewer)
{
    struct id128 gateway = viewer->gateway;
    hold_discard_whole(o, gateway, viewer->client);
    size_t after = (size_t)(&o->viewers[o->viewer_count] - (viewer + 1));
    memmove(viewer, viewer + 1, after * sizeof *viewer);
    o->viewer_count--;
    if (!gateway_in_use(o, gateway)) gateway_remove(o, gateway);
}

struct room_gateway *gateway_find(struct owned_room *o, struct id128 instance)
{
    for (int i = 0; i < o->gateway_count; i++)
        if (id128_equal(o->gateways[i].instance, instance)) return &o->gateways[i];
    return NULL;
}

struct room_gateway *gateway_add(struct owned_room *o, struct id128 instance)
{
    struct room_gateway *gateway = gateway_find(o, instance);
    if (gateway || o->gateway_count >= WORKER_PEERS_MAX) return gateway;
    if (o->gateway_count == o->gateway_room) {
        o->gateway_room = o->gateway_room ? 2 * o->gateway_room : 2;
        o->gateways = realloc(o->gateways, (size_t)o->gateway_room * sizeof *o->gateways);
        CHECK(o->gateways != NULL);
    }
    gateway = &o->gateways[o->gateway_count++];
    *gateway = (struct room_gateway){.instance = instance, .have = UINT64_MAX};
    return gateway;
}

struct envelope viewers_here(const struct worker_core *core, const struct owned_room *o)
{
    struct envelope envelope = {.kind = ENV_MOVED};
    envelope.u.moved = (struct env_moved){.room = o->id,
                                          .epoch = o->epoch,
                                          .to = core->config.instance,
                                          .to_url = core->config.inbox_url};
    return envelope;
}

void viewers_call_in(struct worker_core *core, struct owned_room *o)
{
    for (int i = o->gateway_count - 1; i >= 0; i--) {
        struct id128 instance = o->gateways[i].instance;
        if (gateway_in_use(o, instance)) continue;
        const struct envelope envelope = viewers_here(core, o);
        core_send(core, instance, &envelope);
        gateway_remove(o, instance);
    }
}

/* ---- seats ----------------------------------------------------------------------------------- */

static void tell_dropped(struct worker_core *core, struct owned_room *o,
                         const struct viewer *viewer, enum dropped_why why)
{
    struct envelope envelope = {.kind = ENV_DROPPED};
    envelope.u.dropped = (struct env_dropped){
        .room = o->id, .client = viewer->client, .epoch = o->epoch, .why = why};
    hold_envelope(core, o, room_position(o->room), viewer->gateway, &envelope);
}

void viewers_tell_attached(struct worker_core *core, struct owned_room *o, struct viewer *viewer)
{
    struct envelope envelope = {.kind = ENV_ATTACHED};
    struct env_attached *attached = &envelope.u.attached;
    *attached = (struct env_attached){.room = o->id,
                                      .client = viewer->client,
                                      .epoch = o->epoch,
                                      .seat = viewer->seat,
                                      .code = o->record.code};
    if (viewer->seat >= 0) {
        attached->generation = room_generation(o->room, viewer->seat);
        attached->counter = room_counter(o->room, viewer->seat);
    }
    hold_envelope(core, o, room_position(o->room), viewer->gateway, &envelope);
}

void viewer_bind(struct worker_core *core, struct owned_room *o, struct viewer *viewer, int seat)
{
    CHECK(seat >= 0 && seat < GAME_SEATS_MAX);
    struct id128 gateway = viewer->gateway;
    uint64_t client = viewer->client;
    struct seat_binding *binding = &o->seats[seat];
    struct viewer *former = viewer_of_seat(o, seat);
    if (former && former != viewer) {
        binding->former_gateway = former->gateway;
        binding->former_client = former->client;
        tell_dropped(core, o, former, DROPPED_OTHER_WINDOW);
        viewer_remove(o, former);
        viewer = viewer_find(o, gateway, client);
        CHECK(viewer != NULL);
    }
    if (binding->former_client == client && id128_equal(binding->former_gateway, gateway)) {
        binding->former_client = 0;
        binding->former_gateway = (struct id128){{0}};
    }
    if (viewer->seat >= 0 && viewer->seat != seat) o->seats[viewer->seat].detach_at = core->now;
    viewer->seat = seat;
    binding->gateway = gateway;
    if (!MUTANT(return_is_forgotten)) binding->detach_at = INSTANT_NEVER;
    binding->mine_hash = (struct id128){{0}};
    o->presence_dirty = true;
}

/* One viewer after an input. False when it was removed. */
static bool follow(struct worker_core *core, struct owned_room *o, struct viewer *viewer,
                   const struct room_outcome *outcome)
{
    int was = viewer->seat;
    int seat = room_seat_of(o->room, viewer->player);
    if (was >= 0 && seat != was && outcome->dropped >> was & 1) {
        tell_dropped(core, o, viewer, outcome->dropped_why);
        viewer_remove(o, viewer);
        o->presence_dirty = true;
        return false;
    }
    if (seat == was) return true;
    /* Another window of a person who watches and sits stays what it is. */
    if (was < 0 && (seat != outcome->seat || viewer_of_seat(o, seat))) return true;
    viewer->seat = -1;
    if (seat >= 0) viewer_bind(core, o, viewer, seat);
    viewer->wants_whole = true;
    viewers_tell_attached(core, o, viewer);
    o->presence_dirty = true;
    return true;
}

void viewers_follow(struct worker_core *core, struct owned_room *o,
                    const struct room_outcome *outcome)
{
    if (outcome->verdict != ROOM_ACCEPTED) return;
    for (int i = 0; i < o->viewer_count;)
        if (follow(core, o, &o->viewers[i], outcome)) i++;
}

/* ---- gone without a word --------------------------------------------------------------------- */

void viewers_lose_gateway(struct worker_core *core, struct owned_room *o, struct id128 gateway)
{
    for (int i = o->viewer_count - 1; i >= 0; i--) {
        struct viewer *viewer = &o->viewers[i];
        if (!id128_equal(viewer->gateway, gateway)) continue;
        if (viewer->seat >= 0)
            o->seats[viewer->seat].detach_at = core->now + WORKER_GATEWAY_GRACE_MS;
        viewer_remove(o, viewer);
        o->presence_dirty = true;
    }
    gateway_remove(o, gateway);
}

void viewers_expect_back(struct worker_core *core, struct owned_room *o)
{
    for (int s = 0; s < GAME_SEATS_MAX; s++) o->seats[s].bound_at = core->now;
    for (int s = 0; s < room_seat_count(o->room); s++)
        if (room_connected(o->room, s) && viewer_of_seat(o, s) == NULL)
            o->seats[s].detach_at = core->now + WORKER_GATEWAY_GRACE_MS;
}

void viewers_detach_lost(struct worker_core *core, struct owned_room *o)
{
    for (int s = 0; s < room_seat_count(o->room); s++) {
        struct seat_binding *binding = &o->seats[s];
        if (binding->detach_at > core->now) continue;
        struct room_input input = {.kind = ROOM_DETACH,
                                   .seat = s,
                                   .generation = room_generation(o->room, s)};
        struct room_outcome out;
        if (!owned_has_room(core, o, true) || !owned_input(core, o, &input, &out)) {
            binding->detach_at = core->now + WORKER_RETRY_MIN_MS;
            return;
        }
        binding->detach_at = INSTANT_NEVER;
        binding->rtt_ms = 0;
        viewers_follow(core, o, &out);
    }
}

instant_ms viewers_next_lost(const struct owned_room *o)
{
    instant_ms next = INSTANT_NEVER;
    for (int s = 0; s < GAME_SEATS_MAX; s++)
        if (o->seats[s].detach_at < next) next = o->seats[s].detach_at;
    return next;
}
