/* SPDX-License-Identifier: Apache-2.0
 *
 * A room comes into being: the matchmaker has drawn its code, the store sees to it that the code is
 * nobody else's, and the same request makes it once however often it is sent.
 */
#include "worker/parts.h"

static void answer_create(struct worker_core *core, struct asker asker, const struct owned_room *o,
                          enum status status, enum reason reason)
{
    struct reply *reply = adopt_reply_to(core, asker, REQ_WORKER_CREATE, status);
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
    out->game = request->game ? game_find_version(slice_text(request->game),
                                                  rules_for_start(core, request->game))
                              : NULL;
    if (out->game == NULL) {
        *reason = REASON_UNKNOWN_GAME;
        return ST_UNKNOWN;
    }
    game_options_default(out->game, &out->options);
    for (int i = 0; i < request->option_count; i++) {
        const struct option_pair *pair = &request->options[i];
        struct slice key = slice_text(pair->key ? pair->key : "");
        enum status status = game_options_set(out->game, &out->options, key, pair->value);
        if (status == ST_OK) continue;
        /* Of newer rules than the room begins with: as if it had not been chosen. */
        if (status == ST_UNKNOWN &&
            game_option_find(game_find(slice_text(out->game->id)), key) >= 0)
            continue;
        *reason = REASON_BAD_OPTION;
        return ST_REFUSED;
    }
    return ST_OK;
}

void create_send(struct worker_core *core, struct owned_room *o)
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

void create_room(struct worker_core *core, const struct event *event)
{
    const struct request *request = event->request;
    struct asker asker = {event->token, request->id};
    struct owned_room *o = core_find(core, request->room);
    if (o) {
        bool same = id128_equal(o->created_by, request->id) && !id128_is_zero(request->id);
        if (same && o->phase == OWNED_CREATING &&
            adopt_add_asker(o->askers, &o->asker_count, event->token, request->id))
            return;
        answer_create(core, asker, same ? o : NULL, same ? ST_OK : ST_EXISTS, REASON_NONE);
        return;
    }
    if (core->draining || core->rooms.count >= core->config.rooms_max) {
        core->refused.rooms += !core->draining;
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
    adopt_add_asker(o->askers, &o->asker_count, event->token, request->id);
    owned_set_time(core, o, room_time(o->room));
    create_send(core, o);
}

void create_on_reply(struct worker_core *core, struct owned_room *o,
                     const struct store_reply *reply)
{
    if (o->phase != OWNED_CREATING || reply->tag != o->life_tag) return;
    o->life_tag = 0;
    if (reply->status == ST_UNAVAILABLE) {
        /* It may have been carried out, and the room be ours and nobody else's to miss: as a take
         * (adopt.c) it is asked again until the store can say, whoever has given up. */
        if (++o->tries >= WORKER_TRIES_MAX) answer_creates(core, o, ST_UNAVAILABLE, REASON_NONE);
        o->life_retry_at =
            core->now + (o->tries < WORKER_TRIES_MAX ? WORKER_RETRY_MIN_MS * (instant_ms)o->tries
                                                     : WORKER_RETRY_MAX_MS);
        return;
    }
    if (reply->status != ST_OK) {
        answer_creates(core, o, reply->status, REASON_NONE);
        owned_drop(core, o);
        return;
    }
    o->epoch = o->owned_since = reply->epoch;
    owned_set_time(core, o, room_time(o->room));
    owned_go_live(core, o);
    answer_creates(core, o, ST_OK, REASON_NONE);
    members_hint(core, o);
    core_note(core, "room.created", o->id, o->epoch, 0);
}
