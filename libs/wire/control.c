/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests and replies to bytes and back. When encoding, lists of generated structs lie in an arena
 * that is freed with the call: the control plane is slow enough for that.
 */
#include "wire/bounds.h"
#include "wire/operate.h"
#include "wire/pb.h"

/* The wire has numbers of its own, so that the list of statuses may grow anywhere. */
static const PB(Status) status_on_wire[] = {
#define ON_WIRE(name) [ST_##name] = MADANG__V1__CLUSTER__STATUS__STATUS_##name
    ON_WIRE(OK),          ON_WIRE(INVALID), ON_WIRE(TOO_LARGE), ON_WIRE(REFUSED),
    ON_WIRE(STALE),       ON_WIRE(UNKNOWN), ON_WIRE(EXISTS),    ON_WIRE(FULL),
    ON_WIRE(UNAVAILABLE), ON_WIRE(FENCED),  ON_WIRE(MISMATCH),
#undef ON_WIRE
};
enum { STATUS_COUNT = sizeof status_on_wire / sizeof *status_on_wire };
_Static_assert((int)STATUS_COUNT == (int)ST_MISMATCH + 1, "every status has a number on the wire");

static bool take_status(PB(Status) from, enum status *to)
{
    for (int i = 0; i < (int)STATUS_COUNT; i++) {
        if (status_on_wire[i] != from) continue;
        *to = (enum status)i;
        return true;
    }
    return false;
}

/* ---- members --------------------------------------------------------------------------------- */

static void put_rules(struct rules from, PB(Rules) * to)
{
    *to = (PB(Rules))PB_INIT(RULES);
    to->game = pb_text(from.game);
    to->version = from.version;
}

static void put_member(const struct member *from, struct arena *arena, PB(Member) * to)
{
    *to = (PB(Member))PB_INIT(MEMBER);
    to->kind = (PB(Service))from->kind;
    to->instance = pb_id(&from->instance);
    to->inbox_url = pb_text(from->inbox_url);
    to->control_url = pb_text(from->control_url);
    to->build = pb_text(from->build);
    to->rooms = from->rooms;
    to->rooms_max = from->rooms_max;
    to->connections = from->connections;
    to->draining = from->draining;
    to->silent_ms = from->silent_ms;
    to->ops_port = from->ops_port;
    to->orders = from->orders;
    to->shards_away = from->shards_away;
    size_t count = to->n_plays = (size_t)from->play_count;
    to->plays = arena_alloc(arena, count * sizeof *to->plays);
    for (size_t i = 0; i < count; i++) {
        to->plays[i] = arena_alloc(arena, sizeof *to->plays[i]);
        put_rules(from->plays[i], to->plays[i]);
    }
}

static enum status take_member(const PB(Member) * from, struct arena *arena, struct member *to)
{
    to->kind = (enum service_kind)from->kind;
    to->inbox_url = from->inbox_url;
    to->control_url = from->control_url;
    to->build = from->build;
    to->rooms = from->rooms;
    to->rooms_max = from->rooms_max;
    to->connections = from->connections;
    to->draining = from->draining;
    to->silent_ms = from->silent_ms;
    to->ops_port = from->ops_port;
    to->orders = from->orders;
    to->shards_away = from->shards_away;
    if (from->n_plays > WIRE_PLAYS_MAX) return ST_TOO_LARGE;
    to->play_count = (int)from->n_plays;
    to->plays = from->n_plays ? arena_alloc(arena, from->n_plays * sizeof *to->plays) : NULL;
    for (size_t i = 0; i < from->n_plays; i++)
        to->plays[i] = (struct rules){from->plays[i]->game, from->plays[i]->version};
    return pb_take_id(from->instance, &to->instance) ? ST_OK : ST_INVALID;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void put_request_lists(const struct request *from, struct arena *arena, PB(Request) * to)
{
    size_t options = (size_t)from->option_count, rooms = (size_t)from->room_count;
    to->n_options = options;
    to->options = arena_alloc(arena, options * sizeof *to->options);
    Madang__V1__OptionValue *option = arena_alloc(arena, options * sizeof *option);
    for (size_t i = 0; i < options; i++) {
        option[i] = (Madang__V1__OptionValue)MADANG__V1__OPTION_VALUE__INIT;
        option[i].key = pb_text(from->options[i].key);
        option[i].value = from->options[i].value;
        to->options[i] = &option[i];
    }
    to->n_rooms = rooms;
    to->rooms = arena_alloc(arena, rooms * sizeof *to->rooms);
    PB(RoomEpoch) *room = arena_alloc(arena, rooms * sizeof *room);
    for (size_t i = 0; i < rooms; i++) {
        room[i] = (PB(RoomEpoch))PB_INIT(ROOM_EPOCH);
        room[i].room = from->rooms[i].room;
        room[i].epoch = from->rooms[i].epoch;
        to->rooms[i] = &room[i];
        if (from->rooms[i].rules.game == NULL || from->rooms[i].rules.game[0] == '\0') continue;
        room[i].rules = arena_alloc(arena, sizeof *room[i].rules);
        put_rules(from->rooms[i].rules, room[i].rules);
    }
}

enum status request_encode(const struct request *request, struct buf *out)
{
    enum status status = bounds_request(request);
    if (status != ST_OK) return status;

    struct arena arena = {0};
    PB(Request) to = PB_INIT(REQUEST);
    PB(Member) self;
    PB(Order) order;
    to.kind = (PB(RequestKind))request->kind;
    to.id = pb_id(&request->id);
    to.from = pb_id(&request->from);
    if (request->kind == REQ_HEARTBEAT) {
        put_member(&request->self, &arena, &self);
        to.self = &self;
    }
    to.game = pb_text(request->game);
    to.is_public = request->is_public;
    to.quick = request->quick;
    to.expected = request->expected;
    to.code = pb_text(request->code);
    to.room = request->room;
    to.stale_epoch = request->stale_epoch;
    to.ticket = pb_id(&request->ticket);
    put_request_lists(request, &arena, &to);
    if (request_is_order(request->kind)) {
        order_put(&request->order, &order);
        to.order = &order;
    }
    pb_append(&to.base, out);
    arena_fini(&arena);
    return ST_OK;
}

static enum status take_request_lists(const PB(Request) * from, struct arena *arena,
                                      struct request *to)
{
    if (from->n_options > WIRE_OPTIONS_MAX || from->n_rooms > WIRE_ROOMS_MAX) return ST_TOO_LARGE;
    to->option_count = (int)from->n_options;
    for (size_t i = 0; i < from->n_options; i++)
        to->options[i] = (struct option_pair){from->options[i]->key, from->options[i]->value};

    to->room_count = (int)from->n_rooms;
    if (to->room_count == 0) return ST_OK;
    to->rooms = arena_alloc(arena, from->n_rooms * sizeof *to->rooms);
    for (size_t i = 0; i < from->n_rooms; i++) {
        to->rooms[i].room = from->rooms[i]->room;
        to->rooms[i].epoch = from->rooms[i]->epoch;
        const PB(Rules) *rules = from->rooms[i]->rules;
        to->rooms[i].rules =
            rules ? (struct rules){rules->game, rules->version} : (struct rules){.game = ""};
    }
    return ST_OK;
}

/* A member that is absent has no texts; they are empty ones then, as everywhere. */
static enum status take_self(const PB(Member) * from, struct arena *arena, struct member *to)
{
    static const PB(Member) absent = PB_INIT(MEMBER);
    return take_member(from ? from : &absent, arena, to);
}

enum status request_decode(struct slice bytes, struct arena *arena, struct request *out)
{
    memset(out, 0, sizeof *out);
    if (bytes.len > WIRE_CONTROL_BYTES_MAX) return ST_TOO_LARGE;
    struct pb_memory memory;
    pb_memory_init(&memory, arena);
    const PB(Request) *from =
        madang__v1__cluster__request__unpack(&memory.allocator, bytes.len, bytes.at);
    if (from == NULL) return ST_INVALID;

    out->kind = (enum request_kind)from->kind;
    bool ids = pb_take_id(from->id, &out->id) && pb_take_id(from->from, &out->from) &&
               pb_take_id(from->ticket, &out->ticket);
    if (!ids) return ST_INVALID;
    enum status status = take_self(from->self, arena, &out->self);
    if (status != ST_OK) return status;
    out->game = from->game;
    out->is_public = from->is_public;
    out->quick = from->quick;
    out->expected = from->expected;
    out->code = from->code;
    out->room = from->room;
    out->stale_epoch = from->stale_epoch;
    if (!order_take(from->order, &out->order)) return ST_INVALID;
    status = take_request_lists(from, arena, out);
    return status == ST_OK ? bounds_request(out) : status;
}

/* ---- replies --------------------------------------------------------------------------------- */

static void put_members(const struct reply *from, struct arena *arena, PB(Reply) * to)
{
    size_t count = (size_t)from->member_count;
    to->n_members = count;
    to->members = arena_alloc(arena, count * sizeof *to->members);
    for (size_t i = 0; i < count; i++) {
        to->members[i] = arena_alloc(arena, sizeof *to->members[i]);
        put_member(&from->members[i], arena, to->members[i]);
    }
}

static void put_publics(const struct reply *from, struct arena *arena, PB(Reply) * to)
{
    size_t count = (size_t)from->public_count;
    to->n_publics = count;
    to->publics = arena_alloc(arena, count * sizeof *to->publics);
    for (size_t i = 0; i < count; i++) {
        PB(PublicRoom) *room = to->publics[i] = arena_alloc(arena, sizeof *room);
        *room = (PB(PublicRoom))PB_INIT(PUBLIC_ROOM);
        room->code = pb_text(from->publics[i].code);
        room->game = pb_text(from->publics[i].game);
        room->host = pb_text(from->publics[i].host);
        room->seated = from->publics[i].seated;
        room->seats = from->publics[i].seats;
    }
}

static void put_adopted(const struct reply *from, struct arena *arena, PB(Reply) * to)
{
    size_t count = (size_t)from->adopted_count;
    to->n_adopted = count;
    to->adopted = arena_alloc(arena, count * sizeof *to->adopted);
    for (size_t i = 0; i < count; i++) {
        PB(Adopted) *room = to->adopted[i] = arena_alloc(arena, sizeof *room);
        *room = (PB(Adopted))PB_INIT(ADOPTED);
        room->room = from->adopted[i].room;
        room->status = status_on_wire[from->adopted[i].status];
        room->epoch = from->adopted[i].epoch;
    }
}

static void put_placed(const struct placed *from, PB(Placed) * to)
{
    *to = (PB(Placed))PB_INIT(PLACED);
    to->room = from->room;
    to->code = pb_text(from->code);
    to->owner = pb_id(&from->owner);
    to->owner_url = pb_text(from->owner_url);
    to->epoch = from->epoch;
}

static void put_found(const struct reply *from, PB(Found) * to)
{
    *to = (PB(Found))PB_INIT(FOUND);
    to->game = pb_text(from->found.game);
    to->seated = from->found.seated;
    to->seats = from->found.seats;
    to->playing = from->found.playing;
}

enum status reply_encode(const struct reply *reply, struct buf *out)
{
    enum status status = bounds_reply(reply);
    if (status != ST_OK) return status;

    struct arena arena = {0};
    PB(Reply) to = PB_INIT(REPLY);
    PB(Placed) placed;
    PB(Found) found;
    put_placed(&reply->placed, &placed);
    put_found(reply, &found);
    to.kind = (PB(RequestKind))reply->kind;
    to.id = pb_id(&reply->id);
    to.status = status_on_wire[reply->status];
    to.reason = reply->reason;
    to.pending = reply->pending;
    to.placed = &placed;
    to.found = &found;
    to.waiting = reply->waiting;
    to.needed = reply->needed;
    to.left_ms = reply->left_ms;
    to.rooms = reply->rooms;
    put_members(reply, &arena, &to);
    put_publics(reply, &arena, &to);
    put_adopted(reply, &arena, &to);
    operate_put(reply, &arena, &to);
    pb_append(&to.base, out);
    arena_fini(&arena);
    return ST_OK;
}

static bool take_placed(const PB(Placed) * from, struct placed *to)
{
    static const PB(Placed) absent = PB_INIT(PLACED);
    if (from == NULL) from = &absent;
    to->room = from->room;
    to->code = from->code;
    to->owner_url = from->owner_url;
    to->epoch = from->epoch;
    return pb_take_id(from->owner, &to->owner);
}

static void take_found(const PB(Found) * from, struct reply *to)
{
    static const PB(Found) absent = PB_INIT(FOUND);
    if (from == NULL) from = &absent;
    to->found.game = from->game;
    to->found.seated = from->seated;
    to->found.seats = from->seats;
    to->found.playing = from->playing;
}

static enum status take_members(const PB(Reply) * from, struct arena *arena, struct reply *to)
{
    enum status status = ST_OK;
    to->member_count = (int)from->n_members;
    if (to->member_count == 0) return ST_OK;
    to->members = arena_alloc(arena, from->n_members * sizeof *to->members);
    for (int i = 0; i < to->member_count && status == ST_OK; i++)
        status = take_member(from->members[i], arena, &to->members[i]);
    return status;
}

static void take_publics(const PB(Reply) * from, struct arena *arena, struct reply *to)
{
    to->public_count = (int)from->n_publics;
    if (to->public_count == 0) return;
    to->publics = arena_alloc(arena, from->n_publics * sizeof *to->publics);
    for (int i = 0; i < to->public_count; i++) {
        const PB(PublicRoom) *room = from->publics[i];
        to->publics[i] = (struct public_room){.code = room->code,
                                              .game = room->game,
                                              .host = room->host,
                                              .seated = room->seated,
                                              .seats = room->seats};
    }
}

static bool take_adopted(const PB(Reply) * from, struct arena *arena, struct reply *to)
{
    to->adopted_count = (int)from->n_adopted;
    if (to->adopted_count == 0) return true;
    to->adopted = arena_alloc(arena, from->n_adopted * sizeof *to->adopted);
    for (int i = 0; i < to->adopted_count; i++) {
        to->adopted[i].room = from->adopted[i]->room;
        to->adopted[i].epoch = from->adopted[i]->epoch;
        if (!take_status(from->adopted[i]->status, &to->adopted[i].status)) return false;
    }
    return true;
}

static enum status take_reply_lists(const PB(Reply) * from, struct arena *arena, struct reply *to)
{
    take_publics(from, arena, to);
    take_found(from->found, to);
    if (!take_adopted(from, arena, to) || !take_placed(from->placed, &to->placed))
        return ST_INVALID;
    enum status status = operate_take(from, arena, to);
    return status == ST_OK ? take_members(from, arena, to) : status;
}

enum status reply_decode(struct slice bytes, struct arena *arena, struct reply *out)
{
    memset(out, 0, sizeof *out);
    if (bytes.len > WIRE_CONTROL_BYTES_MAX) return ST_TOO_LARGE;
    struct pb_memory memory;
    pb_memory_init(&memory, arena);
    const PB(Reply) *from =
        madang__v1__cluster__reply__unpack(&memory.allocator, bytes.len, bytes.at);
    if (from == NULL) return ST_INVALID;
    if (from->n_members > WIRE_MEMBERS_MAX || from->n_publics > WIRE_PUBLIC_MAX ||
        from->n_adopted > WIRE_ROOMS_MAX || from->n_lines > WIRE_LINES_MAX)
        return ST_TOO_LARGE;

    out->kind = (enum request_kind)from->kind;
    if (!pb_take_id(from->id, &out->id) || !take_status(from->status, &out->status))
        return ST_INVALID;
    out->reason = from->reason;
    out->pending = from->pending;
    out->waiting = from->waiting;
    out->needed = from->needed;
    out->left_ms = from->left_ms;
    out->rooms = from->rooms;
    enum status status = take_reply_lists(from, arena, out);
    return status == ST_OK ? bounds_reply(out) : status;
}
