/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms are taken over from an owner that is gone. A take answers record, snapshot and log of one
 * instant; replaying them gives the state that the former owner had confirmed. A replay that
 * disagrees with its hashes sets the room aside (rule 9) and stops nothing else.
 *
 * A room that is already here is taken again when Redis' log and ours differ, or when Redis forgot
 * that it is ours: its state stays when the log turns out to be a beginning of ours.
 */
#include "worker/parts.h"

#include <stdlib.h>

bool adopt_add_asker(struct asker *askers, int *count, uint64_t token, struct id128 request)
{
    if (*count >= ASKERS_MAX) return false;
    askers[(*count)++] = (struct asker){token, request};
    return true;
}

struct reply *adopt_reply_to(struct worker_core *core, struct asker asker, enum request_kind kind,
                             enum status status)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    effect->token = asker.token;
    effect->reply.kind = kind;
    effect->reply.id = asker.request;
    effect->reply.status = status;
    return &effect->reply;
}

/* ---- the request ----------------------------------------------------------------------------- */

void adopt_forget(struct adoption *adoption)
{
    if (adoption == NULL) return;
    free(adoption->rooms);
    free(adoption->expected);
    free(adoption);
}

void adopt_rooms(struct worker_core *core, const struct event *event)
{
    const struct request *request = event->request;
    struct asker asker = {event->token, request->id};
    int slot = -1;
    for (int i = WORKER_ADOPTIONS_MAX - 1; i >= 0; i--) {
        struct adoption *there = core->adoptions[i];
        if (there == NULL)
            slot = i;
        else if (id128_equal(there->askers[0].request, request->id)) {
            adopt_add_asker(there->askers, &there->asker_count, event->token, request->id);
            return;
        }
    }
    bool bad = request->room_count < 0 || request->room_count > WIRE_ROOMS_MAX;
    if (slot < 0 || core->draining || bad) {
        core->refused.adoptions += slot < 0;
        adopt_reply_to(core, asker, REQ_WORKER_ADOPT,
                       bad              ? ST_INVALID
                       : core->draining ? ST_UNAVAILABLE
                                        : ST_FULL);
        return;
    }
    struct adoption *adoption = calloc(1, sizeof *adoption);
    CHECK(adoption != NULL);
    size_t count = (size_t)request->room_count;
    adoption->rooms = calloc(count + 1, sizeof *adoption->rooms);
    adoption->expected = calloc(count + 1, sizeof *adoption->expected);
    CHECK(adoption->rooms != NULL && adoption->expected != NULL);
    for (size_t i = 0; i < count; i++) {
        adoption->rooms[i].room = request->rooms[i].room;
        adoption->rooms[i].unfit = !rules_playable(core, request->rooms[i].rules);
        adoption->expected[i] = request->rooms[i].epoch;
    }
    adoption->room_count = request->room_count;
    adopt_add_asker(adoption->askers, &adoption->asker_count, event->token, request->id);
    core->adoptions[slot] = adoption;
    core->adoption_count++;
}

static void answer_adoption(struct worker_core *core, const struct adoption *adoption)
{
    for (int i = 0; i < adoption->asker_count; i++) {
        struct reply *reply = adopt_reply_to(core, adoption->askers[i], REQ_WORKER_ADOPT, ST_OK);
        size_t count = (size_t)adoption->room_count;
        reply->adopted = arena_alloc(&core->out->arena, (count + 1) * sizeof *reply->adopted);
        reply->adopted_count = adoption->room_count;
        for (size_t k = 0; k < count; k++) {
            reply->adopted[k].room = adoption->rooms[k].room;
            reply->adopted[k].status = adoption->rooms[k].status;
            reply->adopted[k].epoch = adoption->rooms[k].epoch;
        }
    }
}

static void send_take(struct worker_core *core, struct owned_room *o)
{
    struct store_op *op = core_op(core, STORE_TAKE, o);
    op->tag = o->life_tag = core_tag(core);
    op->epoch = o->take_expected;
    op->owner_url = core->config.inbox_url;
    core->takes_open++;
}

static void take_next(struct worker_core *core, struct adoption *adoption)
{
    struct adopted *adopted = &adoption->rooms[adoption->next];
    uint64_t expected = adoption->expected[adoption->next++];
    struct owned_room *o = map_get(&core->rooms, adopted->room);
    if (o && !o->dead && o->phase == OWNED_LIVE && o->epoch < expected) {
        /* The store has seen an owner after us: we were cut off and have not noticed. It is gone
         * from here before it can be taken anew, with all that was held. */
        struct store_reply present = {.epoch = expected, .owner_url = ""};
        repair_fenced(core, o, &present);
        adopted->status = ST_UNAVAILABLE;
        adopted->epoch = expected;
    } else if (o) {
        adopted->status = !o->dead && o->phase == OWNED_LIVE ? ST_OK : ST_UNAVAILABLE;
        adopted->epoch = o->epoch;
    } else if (adopted->unfit) {
        adopted->status = ST_REFUSED; /* nobody's epoch has risen */
    } else if (room_shard(adopted->room) >= core->config.shards) {
        adopted->status = ST_UNKNOWN;
    } else if (core->draining) {
        adopted->status = ST_UNAVAILABLE;
    } else if (core->rooms.count >= core->config.rooms_max) {
        core->refused.rooms++;
        adopted->status = ST_FULL;
    } else {
        o = owned_open(core, adopted->room, OWNED_TAKING);
        o->adoption = adoption;
        o->take_expected = expected;
        adoption->open++;
        send_take(core, o);
    }
}

void adopt_send_takes(struct worker_core *core)
{
    for (int i = 0; i < WORKER_ADOPTIONS_MAX && core->adoption_count > 0; i++) {
        struct adoption *adoption = core->adoptions[i];
        if (adoption == NULL) continue;
        while (adoption->next < adoption->room_count && core->takes_open < WORKER_TAKES_MAX)
            take_next(core, adoption);
        if (adoption->next < adoption->room_count || adoption->open > 0) continue;
        answer_adoption(core, adoption);
        adopt_forget(adoption);
        core->adoptions[i] = NULL;
        core->adoption_count--;
    }
}

void adopt_settle(struct owned_room *o, enum status status, uint64_t epoch)
{
    struct adoption *adoption = o->adoption;
    if (adoption == NULL) return;
    o->adoption = NULL;
    adoption->open--;
    for (int i = 0; i < adoption->room_count; i++) {
        struct adopted *adopted = &adoption->rooms[i];
        if (adopted->room != o->id || adopted->done) continue;
        *adopted = (struct adopted){o->id, status, epoch, true, false};
        return;
    }
}

/* ---- the room -------------------------------------------------------------------------------- */

void adopt_again(struct worker_core *core, struct owned_room *o, uint64_t expected)
{
    o->phase = OWNED_TAKING;
    o->take_expected = expected;
    o->tries = 0;
    o->snapshot_tag = 0;
    owned_freeze(core, o);
    append_restart(core, o, o->confirmed);
    send_take(core, o);
}

void adopt_retry(struct worker_core *core, struct owned_room *o)
{
    if (o->life_tag != 0) return;
    if (o->phase == OWNED_CREATING)
        create_send(core, o);
    else if (o->phase == OWNED_RESTORING)
        restore_again(core, o);
    else if (o->phase == OWNED_ASIDE)
        aside_send(core, o);
    else
        send_take(core, o);
}

/* Rules 18 and 21. After an orderly put-away the whole difference counts. A room that was released
 * in the middle of a game was not put away: its owner had to stop, and what passed until somebody
 * took it is our outage, unless it was a hand-over. */
static void take_over_time(struct worker_core *core, struct owned_room *o,
                           const struct store_reply *reply)
{
    bool cut_short = !reply->released || room_playing(o->room);
    instant_ms last = room_time(o->room), time = last, from = reply->last_entry_redis_ms;
    instant_ms till = reply->released ? reply->released_redis_ms : reply->last_lease_redis_ms;
    if (!cut_short || MUTANT(outage_is_counted)) till = reply->redis_ms;
    if (till > reply->redis_ms) till = reply->redis_ms; /* by the clock before it jumped back */
    if (till > from) time += till - from;
    if (MUTANT(time_backwards)) time -= time < till - from ? time : till - from;
    instant_ms due = room_deadline(o->room, NULL);
    /* But not back to one that had passed when it was set: the room's time would stand still until
     * it has come to its last entry again, and what it waits for would come late by as much. */
    if (cut_short && time > due) time = due > last ? due : last;
    bool handed = reply->released && reply->redis_ms <= till + WORKER_LEASE_MS;
    o->was_put_away = !cut_short;
    o->was_cut_off = cut_short && !handed;
    if (cut_short && till > 0 && reply->redis_ms >= till)
        count_unowned(core, reply->redis_ms - till);
    o->frozen = false;
    owned_set_time(core, o, time);
}

/* The same chain as ours, under a new epoch. */
static void keep_state(struct worker_core *core, struct owned_room *o,
                       const struct store_reply *reply)
{
    if (reply->position < o->confirmed) {
        core_note(core, "room.repaired", o->id, reply->epoch, o->confirmed - reply->position);
        o->confirmed = reply->position;
    }
    append_confirm(core, o, reply->position);
    append_restart(core, o, reply->position);
    hold_discard_views(o);
    o->phase = OWNED_LIVE;
    o->checking = false;
    o->tries = 0;
    o->retry_at = o->tail_retry_at = INSTANT_NEVER;
    snapshot_archive_again(core, o);
    viewers_call_in(core, o);
    append_recovered(core, o);
}

static void forget_state(struct worker_core *core, struct owned_room *o,
                         const struct store_reply *reply)
{
    if (o->room == NULL) return;
    hold_tell_moved(core, o, core->config.instance, core->config.inbox_url, reply->epoch, false);
    hold_discard(o);
    append_forget(o);
    snapshot_drop_all(o);
    room_close(o->room);
    o->room = NULL;
    o->viewer_count = o->gateway_count = 0;
    o->visit_by = INSTANT_NEVER;
    o->hint = o->put_away = o->deleted = o->checking = o->outage = false;
    o->changed = 0;
    for (int s = 0; s < GAME_SEATS_MAX; s++)
        o->seats[s] = (struct seat_binding){.detach_at = INSTANT_NEVER};
}

void adopt_go_live(struct worker_core *core, struct owned_room *o)
{
    owned_go_live(core, o);
    if (o->was_put_away) o->visit_by = core->now + WORKER_VISIT_MS;
    adopt_settle(o, ST_OK, o->epoch);
    core_note(core, "room.adopted", o->id, o->epoch, room_position(o->room));
    members_tell_owned(core, o);
    struct room_input input = {.kind = ROOM_RESUMED, .seat = -1};
    struct room_outcome out;
    if (o->was_cut_off && owned_input(core, o, &input, &out)) viewers_follow(core, o, &out);
}

void adopt_taken(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    o->epoch = reply->epoch;
    if (reply->kind == STORE_TAKE) o->owned_since = reply->epoch;
    if (o->room && repair_on_our_chain(o, reply->position, reply->hash)) {
        keep_state(core, o, reply);
        return;
    }
    if (reply->kind != STORE_TAKE) { /* what the store has did not come with it */
        adopt_again(core, o, reply->epoch);
        return;
    }
    if (o->room && reply->position + 1 < o->kept_first) {
        /* Set back further than the kept tail goes: what is there cannot be added to. The room is
         * here whole, and nobody else has written to it since it became ours. */
        core_note(core, "room.forgotten", o->id, o->epoch, reply->position);
        restore_begin(core, o);
        return;
    }
    forget_state(core, o, reply);
    enum status status = load_room(core, o, reply);
    if (status != ST_OK) {
        core_note(core, "room.unreadable", o->id, o->epoch, (uint64_t)status);
        core_op(core, STORE_RELEASE, o); /* for a worker that can; its answer is not awaited */
        adopt_settle(o, status, 0);
        owned_drop(core, o);
        return;
    }
    take_over_time(core, o, reply);
    if (o->set_aside)
        aside_begin(core, o);
    else
        adopt_go_live(core, o);
}

void adopt_on_taken(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    if (o->phase != OWNED_TAKING || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    bool again = o->room != NULL;
    switch (reply->status) {
    case ST_OK: adopt_taken(core, o, reply); return;
    case ST_UNAVAILABLE:
        /* It may have been carried out: then the room is ours, and nobody else's to miss. So it is
         * asked until the store can say, whoever may have given up waiting for that. */
        if (!again && ++o->tries == WORKER_TRIES_MAX) adopt_settle(o, ST_UNAVAILABLE, 0);
        o->life_retry_at = core->now + (o->tries < WORKER_TRIES_MAX ? 2 * WORKER_RETRY_MIN_MS
                                                                    : WORKER_RETRY_MAX_MS);
        return;
    case ST_FENCED:
        if (again) {
            repair_fenced(core, o, reply);
            return;
        }
        break;
    default:
        if (again) {
            restore_begin(core, o);
            return;
        }
        break;
    }
    adopt_settle(o, reply->status, reply->epoch);
    owned_drop(core, o);
}
