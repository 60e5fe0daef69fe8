/* SPDX-License-Identifier: Apache-2.0
 *
 * Handing rooms over (rule 17). A number of rooms at a time stop, have their appends confirmed and
 * a snapshot stored, are released, and are taken by the worker that rendezvous hashing names; only
 * then do their gateways hear whither. A room that no successor takes is left to the matchmaker.
 *
 * Others pay for it too: those who take the rooms, and whose people come in there. In a hurry it
 * would be a pause for everybody, so it is spread over most of the grace period.
 */
#include "worker/parts.h"

#include <stdlib.h>

enum { PUMP_MS = 10, LOOK_MS = 250, HANDING_LIMIT_MS = 3000 };
enum { MICRO = 1000 * 1000 };

void drain_begin(struct worker_core *core, bool leave)
{
    if (leave && !core->leaving) {
        core->leaving = true;
        core->drain_until = core->now + core->config.grace_ms;
    }
    if (core->draining) return;
    core->draining = true;
    core->drained = false;
    core->drain_paced_until = core->now + core->config.grace_ms / 4 * 3;
    core->drain_at = core->credit_at = core->look_at = core->now;
    core->credit = (uint64_t)WORKER_STOPS_AT_ONCE * MICRO;
    core->heartbeat_at = core->now; /* the matchmakers hear of it at once */
    core_note(core, "drain.begun", 0, core->rooms.count, 0);
}

void drain_end(struct worker_core *core)
{
    if (!core->draining) return;
    core->draining = false;
    core->to_stop.first = core->to_stop.count = 0;
    core->heartbeat_at = core->now;
    core_note(core, "drain.ended", 0, core->rooms.count, 0);
}

/* Who stays has nothing to do once it is empty. */
static bool rests(const struct worker_core *core)
{
    if (core->exited) return true;
    if (!core->draining) return core->stopped_count == 0;
    return !core->leaving && core->rooms.count == 0 && core->drained;
}

instant_ms drain_next(const struct worker_core *core)
{
    if (rests(core)) return INSTANT_NEVER;
    bool until = core->leaving && core->drain_until < core->drain_at;
    return until ? core->drain_until : core->drain_at;
}

/* ---- where rooms went ------------------------------------------------------------------------ */

void drain_remember(struct worker_core *core, room_id room, struct id128 to, const char *url,
                    uint64_t epoch)
{
    if (core->moved == NULL) {
        core->moved = calloc(WORKER_MOVED_MAX, sizeof *core->moved);
        CHECK(core->moved != NULL);
    }
    struct moved_room *moved = &core->moved[core->moved_next];
    *moved = (struct moved_room){.room = room, .to = to, .epoch = epoch};
    if (url) memcpy(moved->url, url, strnlen(url, sizeof moved->url - 1));
    core->moved_next = (core->moved_next + 1) % WORKER_MOVED_MAX;
    if (core->moved_count < WORKER_MOVED_MAX)
        core->moved_count++;
    else
        core->refused.moved++; /* the oldest: who asks for it asks the matchmaker next */
}

const struct moved_room *drain_moved(const struct worker_core *core, room_id room)
{
    for (size_t i = 1; i <= core->moved_count; i++) { /* the newest first */
        const struct moved_room *moved =
            &core->moved[(core->moved_next + WORKER_MOVED_MAX - i) % WORKER_MOVED_MAX];
        if (moved->room == room) return moved;
    }
    return NULL;
}

/* ---- one room -------------------------------------------------------------------------------- */

static void gone(struct worker_core *core, struct owned_room *o, struct id128 to, const char *url,
                 uint64_t epoch)
{
    core_note(core, "room.handed", o->id, epoch, id128_is_zero(to) ? 0 : 1);
    hold_tell_moved(core, o, to, url, epoch, false);
    drain_remember(core, o->id, to, url, epoch);
    owned_drop(core, o);
}

void drain_released(struct worker_core *core, struct owned_room *o)
{
    const struct known_member *successor = members_successor(core, o);
    if (successor == NULL) {
        gone(core, o, (struct id128){{0}}, NULL, o->epoch);
        return;
    }
    if (MUTANT(drain_before_take)) {
        gone(core, o, successor->instance, successor->inbox_url, o->epoch + 1);
        return;
    }
    o->phase = OWNED_HANDING;
    o->successor = successor->instance;
    memcpy(o->successor_url, successor->inbox_url, sizeof o->successor_url);
    core->drain_at = core->now;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool being_asked(const struct worker_core *core, struct id128 successor)
{
    for (int i = 0; i < core->handing_count; i++)
        if (id128_equal(core->handings[i].successor, successor)) return true;
    return false;
}

/* One request at a time for each successor: what gathers meanwhile goes with the next. */
static void ask(struct worker_core *core, struct owned_room **rooms, int count)
{
    struct id128 successor = rooms[0]->successor;
    if (being_asked(core, successor) || core->handing_count >= WORKER_STOPS_MAX) return;
    const struct known_member *member = members_find(core, successor);
    if (member == NULL) {
        for (int i = 0; i < count; i++)
            if (id128_equal(rooms[i]->successor, successor))
                gone(core, rooms[i], (struct id128){{0}}, NULL, rooms[i]->epoch);
        return;
    }
    uint64_t token = core_tag(core);
    struct id128 id = core_draw_id(core);
    const char *url = core_lend(core, member->control_url);
    struct effect *effect = effects_add(core->out, EFFECT_REQUEST);
    effect->url = url;
    effect->token = token;
    effect->timeout_ms = HANDING_LIMIT_MS;
    struct request *request = &effect->request;
    request->kind = REQ_WORKER_ADOPT;
    request->id = id;
    request->from = core->config.instance;
    request->rooms = arena_alloc(&core->out->arena, (size_t)count * sizeof *request->rooms);
    for (int i = 0; i < count; i++) {
        if (!id128_equal(rooms[i]->successor, successor)) continue;
        request->rooms[request->room_count].room = rooms[i]->id;
        request->rooms[request->room_count].rules = rules_of_room(rooms[i]->room);
        request->rooms[request->room_count++].epoch = rooms[i]->epoch;
        rooms[i]->life_tag = token;
    }
    core->handings[core->handing_count].token = token;
    core->handings[core->handing_count++].successor = successor;
}

/* All that live now, in the order of their ids. One that comes to life later, or again, is
 * found the next time. */
static void look_through(struct worker_core *core)
{
    size_t count;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    for (size_t i = 0; i < count; i++) {
        struct owned_room *o = core_find(core, ids[i]);
        if (o && o->phase == OWNED_LIVE) core_queue(&core->to_stop, o->id);
    }
    free(ids);
    core->look_at = core->now + LOOK_MS;
}

/* How many rooms may stop now, in millionths. A drain that falls behind its time goes faster. */
static void earn_credit(struct worker_core *core, int open)
{
    uint64_t left = core->rooms.count - (size_t)open, rate = (uint64_t)WORKER_STOPS_A_S * 1000;
    bool late = core->now >= core->drain_paced_until;
    if (!late && left * MICRO / (core->drain_paced_until - core->now) > rate)
        rate = left * MICRO / (core->drain_paced_until - core->now);
    core->credit += (core->now - core->credit_at) * rate;
    core->credit_at = core->now;
    if (late || core->credit > (uint64_t)WORKER_STOPS_AT_ONCE * MICRO)
        core->credit = (uint64_t)WORKER_STOPS_AT_ONCE * MICRO;
}

/* Looks at the few that are on their way, never at all rooms: it runs for each that comes a step
 * further. These go, also when the drain was ended meanwhile. */
static void pump(struct worker_core *core)
{
    struct owned_room *waiting[WORKER_STOPS_MAX];
    int open = 0, waits = 0;
    for (int i = 0; i < core->stopped_count; i++) {
        struct owned_room *o = core_find(core, core->stopped[i]);
        if (o == NULL || o->phase < OWNED_STOPPED) continue;
        core->stopped[open++] = o->id;
        if (o->phase == OWNED_HANDING && o->life_tag == 0) waiting[waits++] = o;
    }
    for (int i = 0; i < waits; i++)
        if (!waiting[i]->dead && waiting[i]->life_tag == 0) ask(core, &waiting[i], waits - i);
    if (core->draining && core->to_stop.count == 0 && core->now >= core->look_at)
        look_through(core);
    room_id id;
    earn_credit(core, open);
    while (open < WORKER_STOPS_MAX && core->credit >= MICRO && core_queued(&core->to_stop, &id)) {
        struct owned_room *o = core_find(core, id);
        if (o == NULL || o->phase != OWNED_LIVE) continue;
        core->credit -= MICRO;
        o->phase = OWNED_STOPPED;
        core->stopped[open++] = id;
        core_touch(core, o);
    }
    core->stopped_count = open;
}

void drain_go_on(struct worker_core *core)
{
    if (rests(core)) return;
    bool empty = core->rooms.count == 0 || MUTANT(drain_leaves_rooms);
    if (core->draining && empty && !core->drained) {
        core->drained = true;
        if (!core->leaving) core_note(core, "drain.done", 0, 0, 0);
    }
    if (core->leaving && (empty || core->now >= core->drain_until)) {
        core_note(core, empty ? "drain.done" : "drain.left", 0, core->rooms.count, 0);
        effects_add(core->out, EFFECT_EXIT);
        core->exited = true;
        return;
    }
    if (core->now < core->drain_at) return;
    core->drain_at = core->now + PUMP_MS;
    pump(core);
}

static enum status adopted_status(const struct reply *reply, room_id room, uint64_t *epoch)
{
    if (reply == NULL || reply->status != ST_OK) return ST_UNAVAILABLE;
    for (int i = 0; i < reply->adopted_count; i++) {
        if (reply->adopted[i].room != room) continue;
        *epoch = reply->adopted[i].epoch;
        return reply->adopted[i].status;
    }
    return ST_UNAVAILABLE;
}

void drain_on_reply(struct worker_core *core, uint64_t token, const struct reply *reply)
{
    int at = 0;
    while (at < core->handing_count && core->handings[at].token != token) at++;
    if (at == core->handing_count) return;
    core->handings[at] = core->handings[--core->handing_count];

    for (int i = 0; i < core->stopped_count; i++) {
        struct owned_room *o = core_find(core, core->stopped[i]);
        if (o == NULL || o->phase != OWNED_HANDING || o->life_tag != token) continue;
        uint64_t epoch = 0;
        enum status status = adopted_status(reply, o->id, &epoch);
        if (status == ST_OK)
            gone(core, o, o->successor, o->successor_url, epoch);
        else if (status == ST_UNKNOWN)
            restore_begin(core, o); /* Redis has lost it since the release: it is ours again */
        else
            gone(core, o, (struct id128){{0}}, NULL, o->epoch);
    }
    core->drain_at = core->now;
}
