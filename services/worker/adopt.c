/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms come into being here, or are taken over. A take answers record, snapshot and log of one
 * instant; replaying them gives the state that the former owner had confirmed. A replay that
 * disagrees with its hashes sets the room aside (rule 9) and stops nothing else.
 *
 * A room that is already here is taken again when Redis' log and ours differ, or when Redis forgot
 * that it is ours: its state stays when the log turns out to be a beginning of ours.
 */
#include "worker/parts.h"

#include <stdlib.h>

static bool add_asker(struct asker *askers, int *count, uint64_t token, struct id128 request)
{
    if (*count >= ASKERS_MAX) return false;
    askers[(*count)++] = (struct asker){token, request};
    return true;
}

static struct reply *reply_to(struct worker_core *core, struct asker asker, enum request_kind kind,
                              enum status status)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    effect->token = asker.token;
    effect->reply.kind = kind;
    effect->reply.id = asker.request;
    effect->reply.status = status;
    return &effect->reply;
}

/* ---- create ---------------------------------------------------------------------------------- */

static void answer_create(struct worker_core *core, struct asker asker, const struct owned_room *o,
                          enum status status, enum reason reason)
{
    struct reply *reply = reply_to(core, asker, REQ_WORKER_CREATE, status);
    reply->reason = reason;
    if (o == NULL) return;
    reply->placed = (struct placed){.room = o->id,
                                    .epoch = o->epoch,
                                    .owner = core->config.instance,
                                    .owner_url = core->config.inbox_url};
    reply->placed.code = arena_text(&core->out->arena, o->record.code);
}

static void answer_creates(struct worker_core *core, struct owned_room *o, enum status status,
                           enum reason reason)
{
    for (int i = 0; i < o->asker_count; i++) answer_create(core, o->askers[i], o, status, reason);
    o->asker_count = 0;
}

/* ST_OK, or why there can be no such room. */
static enum status read_record(const struct worker_core *core, const struct request *request,
                               struct room_record *out, enum reason *reason)
{
    *out = (struct room_record){.id = request->room,
                                .is_public = request->is_public,
                                .quick = request->quick,
                                .expected = request->expected};
    if (request->code == NULL || strlen(request->code) != WIRE_CODE_LEN ||
        code_bits(request->code) != room_id_bits(request->room) ||
        room_shard(request->room) >= core->config.shards) {
        *reason = REASON_MALFORMED;
        return ST_INVALID;
    }
    memcpy(out->code, request->code, WIRE_CODE_LEN);
    out->game = request->game ? game_find(slice_text(request->game)) : NULL;
    if (out->game == NULL) {
        *reason = REASON_UNKNOWN_GAME;
        return ST_UNKNOWN;
    }
    game_options_default(out->game, &out->options);
    for (int i = 0; i < request->option_count; i++) {
        const struct option_pair *pair = &request->options[i];
        if (pair->key &&
            game_options_set(out->game, &out->options, slice_text(pair->key), pair->value) == ST_OK)
            continue;
        *reason = REASON_BAD_OPTION;
        return ST_REFUSED;
    }
    return ST_OK;
}

static void send_create(struct worker_core *core, struct owned_room *o)
{
    struct buf bytes = {0};
    room_record_encode(&o->record, &bytes);
    CHECK(bytes.len <= STORE_RECORD_BYTES_MAX);
    struct slice record = arena_copy(&core->out->arena, buf_slice(&bytes));
    buf_fini(&bytes);
    struct store_op *op = core_op(core, STORE_CREATE, o);
    op->tag = o->life_tag = core_tag(core);
    op->epoch = 0;
    op->owner_url = core->config.inbox_url;
    op->request = o->created_by;
    op->code = o->record.code;
    op->record = record;
    o->deadline_told = o->summary_told = false;
    append_fill_told(core, o, op);
    o->hint = false;
}

void adopt_create(struct worker_core *core, const struct event *event)
{
    const struct request *request = event->request;
    struct asker asker = {event->token, request->id};
    struct owned_room *o = core_find(core, request->room);
    if (o) {
        bool same = id128_equal(o->created_by, request->id) && !id128_is_zero(request->id);
        if (same && o->phase == OWNED_CREATING &&
            add_asker(o->askers, &o->asker_count, event->token, request->id))
            return;
        answer_create(core, asker, same ? o : NULL, same ? ST_OK : ST_EXISTS, REASON_NONE);
        return;
    }
    if (core->draining || core->rooms.count >= core->config.rooms_max) {
        answer_create(core, asker, NULL, core->draining ? ST_UNAVAILABLE : ST_FULL,
                      REASON_NO_CAPACITY);
        return;
    }
    struct room_record record;
    enum reason reason = REASON_NONE;
    enum status status = read_record(core, request, &record, &reason);
    if (status != ST_OK || map_get(&core->rooms, request->room)) {
        answer_create(core, asker, NULL, status != ST_OK ? status : ST_UNAVAILABLE, reason);
        return;
    }
    o = owned_open(core, request->room, OWNED_CREATING);
    o->record = record;
    o->room = room_open(&record);
    o->created_by = request->id;
    add_asker(o->askers, &o->asker_count, event->token, request->id);
    owned_set_time(core, o, room_time(o->room));
    send_create(core, o);
}

void adopt_on_created(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply)
{
    if (o->phase != OWNED_CREATING || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    if (reply->status == ST_UNAVAILABLE && ++o->tries < WORKER_TRIES_MAX) {
        o->life_retry_at = core->now + WORKER_RETRY_MIN_MS * (instant_ms)o->tries;
        return;
    }
    if (reply->status != ST_OK) {
        answer_creates(core, o, reply->status, REASON_NONE);
        owned_drop(core, o);
        return;
    }
    o->epoch = reply->epoch;
    owned_set_time(core, o, room_time(o->room));
    owned_go_live(core, o);
    answer_creates(core, o, ST_OK, REASON_NONE);
    members_hint(core, o);
    core_note(core, "room.created", o->id, o->epoch, 0);
}

/* ---- adopt: the request ---------------------------------------------------------------------- */

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
            add_asker(there->askers, &there->asker_count, event->token, request->id);
            return;
        }
    }
    bool bad = request->room_count < 0 || request->room_count > WIRE_ROOMS_MAX;
    if (slot < 0 || core->draining || bad) {
        reply_to(core, asker, REQ_WORKER_ADOPT,
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
        adoption->expected[i] = request->rooms[i].epoch;
    }
    adoption->room_count = request->room_count;
    add_asker(adoption->askers, &adoption->asker_count, event->token, request->id);
    core->adoptions[slot] = adoption;
}

static void answer_adoption(struct worker_core *core, const struct adoption *adoption)
{
    for (int i = 0; i < adoption->asker_count; i++) {
        struct reply *reply = reply_to(core, adoption->askers[i], REQ_WORKER_ADOPT, ST_OK);
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
    if (o) {
        adopted->status = !o->dead && o->phase == OWNED_LIVE ? ST_OK : ST_UNAVAILABLE;
        adopted->epoch = o->epoch;
    } else if (room_shard(adopted->room) >= core->config.shards) {
        adopted->status = ST_UNKNOWN;
    } else if (core->draining) {
        adopted->status = ST_UNAVAILABLE;
    } else if (core->rooms.count >= core->config.rooms_max) {
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
    for (int i = 0; i < WORKER_ADOPTIONS_MAX; i++) {
        struct adoption *adoption = core->adoptions[i];
        if (adoption == NULL) continue;
        while (adoption->next < adoption->room_count && core->takes_open < WORKER_TAKES_MAX)
            take_next(core, adoption);
        if (adoption->next < adoption->room_count || adoption->open > 0) continue;
        answer_adoption(core, adoption);
        adopt_forget(adoption);
        core->adoptions[i] = NULL;
    }
}

static void settle_adoption(struct owned_room *o, enum status status, uint64_t epoch)
{
    struct adoption *adoption = o->adoption;
    if (adoption == NULL) return;
    o->adoption = NULL;
    adoption->open--;
    for (int i = 0; i < adoption->room_count; i++) {
        struct adopted *adopted = &adoption->rooms[i];
        if (adopted->room != o->id || adopted->done) continue;
        *adopted = (struct adopted){o->id, status, epoch, true};
        return;
    }
}

/* ---- adopt: the room ------------------------------------------------------------------------- */

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
        send_create(core, o);
    else
        send_take(core, o);
}

/* Rule 18. */
static void take_over_time(struct worker_core *core, struct owned_room *o,
                           const struct store_reply *reply)
{
    instant_ms time = room_time(o->room), from = reply->last_entry_redis_ms;
    instant_ms till = reply->released ? reply->redis_ms : reply->last_lease_redis_ms;
    if (till > from) time += till - from;
    instant_ms due = room_deadline(o->room, NULL);
    if (!reply->released && time > due) time = due;
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
    o->hint = o->put_away = o->deleted = o->checking = o->outage = false;
    o->changed = 0;
    for (int s = 0; s < GAME_SEATS_MAX; s++)
        o->seats[s] = (struct seat_binding){.detach_at = INSTANT_NEVER};
}

static void taken(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    o->epoch = reply->epoch;
    if (o->room && repair_on_our_chain(o, reply->position, reply->hash)) {
        keep_state(core, o, reply);
        return;
    }
    forget_state(core, o, reply);
    enum status status = load_room(core, o, reply);
    if (status != ST_OK) {
        core_note(core, "room.unreadable", o->id, o->epoch, (uint64_t)status);
        core_op(core, STORE_RELEASE, o); /* for a worker that can; its answer is not awaited */
        settle_adoption(o, status, 0);
        owned_drop(core, o);
        return;
    }
    take_over_time(core, o, reply);
    owned_go_live(core, o);
    settle_adoption(o, ST_OK, o->epoch);
    core_note(core, "room.adopted", o->id, o->epoch, room_position(o->room));
    struct room_input input = {.kind = ROOM_RESUMED, .seat = -1};
    struct room_outcome out;
    if (!reply->released && owned_input(core, o, &input, &out)) viewers_follow(core, o, &out);
}

void adopt_on_taken(struct worker_core *core, struct owned_room *o, const struct store_reply *reply)
{
    if (o->phase != OWNED_TAKING || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    bool again = o->room != NULL;
    switch (reply->status) {
    case ST_OK: taken(core, o, reply); return;
    case ST_UNAVAILABLE:
        if (!again && ++o->tries >= WORKER_TRIES_MAX) break;
        o->life_retry_at = core->now + WORKER_RETRY_MIN_MS * 2;
        return;
    case ST_FENCED:
        if (again) {
            repair_fenced(core, o, reply);
            return;
        }
        break;
    default:
        if (again) {
            repair_lost(core, o);
            return;
        }
        break;
    }
    settle_adoption(o, reply->status, reply->epoch);
    owned_drop(core, o);
}
