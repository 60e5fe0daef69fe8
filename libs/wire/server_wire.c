/* SPDX-License-Identifier: Apache-2.0
 *
 * ServerFrame: encoding. What a gateway writes to a socket is written here and nowhere else.
 */
#include "base/check.h"
#include "wire/client_wire.h"
#include "wire/field.h"
#include "wire/pb.h"

#include "client.pb-c.h"

#define CL(name)      Madang__V1__##name
#define CL_INIT(name) MADANG__V1__##name##__INIT
#define CL_KIND(name) MADANG__V1__SERVER_FRAME__KIND_##name

_Static_assert((int)SERVER_WELCOME == CL_KIND(WELCOME), "SERVER_WELCOME");
_Static_assert((int)SERVER_REFUSED == CL_KIND(REFUSED), "SERVER_REFUSED");
_Static_assert((int)SERVER_ROOMS == CL_KIND(ROOMS), "SERVER_ROOMS");
_Static_assert((int)SERVER_QUICK == CL_KIND(QUICK), "SERVER_QUICK");
_Static_assert((int)SERVER_SEAT == CL_KIND(SEAT), "SERVER_SEAT");
_Static_assert((int)SERVER_ROOM == CL_KIND(ROOM), "SERVER_ROOM");
_Static_assert((int)SERVER_ANSWER == CL_KIND(ANSWER), "SERVER_ANSWER");
_Static_assert((int)SERVER_DETACHED == CL_KIND(DETACHED), "SERVER_DETACHED");
_Static_assert((int)SERVER_NOTICE == CL_KIND(NOTICE), "SERVER_NOTICE");
_Static_assert((int)SERVER_PING == CL_KIND(PING), "SERVER_PING");
_Static_assert((int)SERVER_PONG == CL_KIND(PONG), "SERVER_PONG");
_Static_assert((int)SERVER_FOUND == CL_KIND(FOUND), "SERVER_FOUND");
_Static_assert((int)DROPPED_OTHER_WINDOW == MADANG__V1__DETACHED__WHY__WHY_OTHER_WINDOW, "why");
_Static_assert((int)DROPPED_KICKED == MADANG__V1__DETACHED__WHY__WHY_KICKED, "why");
_Static_assert((int)DROPPED_CLOSED == MADANG__V1__DETACHED__WHY__WHY_CLOSED, "why");
_Static_assert((int)DROPPED_LEFT == MADANG__V1__DETACHED__WHY__WHY_LEFT, "why");
_Static_assert((int)NOTICE_MATCHED == MADANG__V1__NOTICE__KIND__KIND_MATCHED, "notice");

static void put(CL(ServerFrame) * frame, struct buf *out)
{
    pb_append(&frame->base, out);
}

static CL(Refusal) refusal_of(const struct refusal *why)
{
    CHECK(why->param_count >= 0 && why->param_count <= WIRE_PARAMS_MAX);
    CL(Refusal) message = CL_INIT(REFUSAL);
    message.domain = pb_text(why->domain);
    message.code = why->code;
    message.params = (int32_t *)why->params;
    message.n_params = (size_t)why->param_count;
    return message;
}

static CL(OptionInfo) * option_of(const struct client_option *option, struct arena *arena)
{
    CHECK(option->choice_count >= 0 && option->choice_count <= CLIENT_CHOICES_MAX);
    CL(OptionInfo) *info = arena_alloc(arena, sizeof *info);
    *info = (CL(OptionInfo))CL_INIT(OPTION_INFO);
    info->key = pb_text(option->key);
    info->kind = (CL(OptionKind))option->kind;
    info->n_choices = (size_t)option->choice_count;
    info->choices = arena_alloc(arena, info->n_choices * sizeof *info->choices);
    for (size_t i = 0; i < info->n_choices; i++) {
        info->choices[i] = arena_alloc(arena, sizeof **info->choices);
        *info->choices[i] = (CL(OptionChoice))CL_INIT(OPTION_CHOICE);
        info->choices[i]->value = option->choices[i].value;
        info->choices[i]->key = pb_text(option->choices[i].key);
    }
    info->min = option->min;
    info->max = option->max;
    info->default_value = option->default_value;
    info->depends_key = pb_text(option->depends_key);
    info->depends_value = option->depends_value;
    return info;
}

static CL(GameInfo) * game_of(const struct client_game *game, struct arena *arena)
{
    CL(GameInfo) *info = arena_alloc(arena, sizeof *info);
    *info = (CL(GameInfo))CL_INIT(GAME_INFO);
    info->id = pb_text(game->id);
    info->seats_min = game->seats_min;
    info->seats_max = game->seats_max;
    info->rules_version = game->rules_version;
    info->solo_key = pb_text(game->solo_key);
    info->n_options = (size_t)game->option_count;
    info->options = arena_alloc(arena, info->n_options * sizeof *info->options);
    for (size_t i = 0; i < info->n_options; i++)
        info->options[i] = option_of(&game->options[i], arena);
    return info;
}

static void put_welcome(const struct server_welcome *in, CL(ServerFrame) * frame, struct buf *out)
{
    CHECK(in->game_count >= 0 && in->game_count <= CLIENT_GAMES_MAX);
    struct arena arena = {0};
    CL(GameInfo) * games[CLIENT_GAMES_MAX];
    for (int i = 0; i < in->game_count; i++) games[i] = game_of(&in->games[i], &arena);
    CL(Welcome) message = CL_INIT(WELCOME);
    message.protocol = in->protocol;
    message.token = pb_bytes(in->token);
    message.games = games;
    message.n_games = (size_t)in->game_count;
    message.build = pb_text(in->build);
    frame->welcome = &message;
    put(frame, out);
    arena_fini(&arena);
}

static void put_rooms(const struct server_rooms *in, CL(ServerFrame) * frame, struct buf *out)
{
    CHECK(in->count >= 0 && in->count <= WIRE_PUBLIC_MAX);
    CL(PublicRoom) list[WIRE_PUBLIC_MAX], *rooms[WIRE_PUBLIC_MAX];
    for (int i = 0; i < in->count; i++) {
        list[i] = (CL(PublicRoom))CL_INIT(PUBLIC_ROOM);
        list[i].code = pb_text(in->list[i].code);
        list[i].game = pb_text(in->list[i].game);
        list[i].host = pb_text(in->list[i].host);
        list[i].seated = in->list[i].seated;
        list[i].seats = in->list[i].seats;
        rooms[i] = &list[i];
    }
    CL(PublicRooms) message = CL_INIT(PUBLIC_ROOMS);
    message.rooms = rooms;
    message.n_rooms = (size_t)in->count;
    frame->rooms = &message;
    put(frame, out);
}

/* ---- what comes with every action: by hand --------------------------------------------------- */

enum {
    KIND_HEAD_MAX = 1 + 5,                                 /* kinds are below 16 */
    ROOM_MAX = 16 * FIELD_HEAD_MAX + 4 * FIELD_VARINT_MAX, /* without its bytes and events */
    EVENT_MAX = 5 * FIELD_HEAD_MAX,                        /* without its bytes */
    SMALL_MAX = 4 * FIELD_HEAD_MAX,
};

/* Room for the kind and so many bytes of it. */
static uint8_t *begin(struct buf *out, size_t bound)
{
    return buf_extend(out, KIND_HEAD_MAX + bound) + KIND_HEAD_MAX;
}

/* What was written between the two is a frame of that kind: its head goes before it. */
static void finish(enum server_kind kind, uint8_t *from, const uint8_t *end, struct buf *out)
{
    size_t len = (size_t)(end - from);
    uint8_t *start = from - KIND_HEAD_MAX;
    uint8_t *inside = field_head(start, kind, len);
    memmove(inside, from, len);
    out->len = (size_t)(inside + len - out->at);
}

static size_t bytes_len(uint32_t number, struct slice bytes)
{
    uint8_t head[FIELD_HEAD_MAX];
    return bytes.len ? (size_t)(field_head(head, number, bytes.len) - head) + bytes.len : 0;
}

static uint8_t *put_event(uint8_t *at, const struct server_event *event, uint64_t behind)
{
    uint8_t last[FIELD_HEAD_MAX];
    size_t last_len = (size_t)(field_number(last, 5, behind) - last);
    at = field_head(at, 9,
                    bytes_len(2, event->shared) + bytes_len(3, event->mine) +
                        bytes_len(4, event->room) + last_len);
    at = field_bytes(at, 2, event->shared);
    at = field_bytes(at, 3, event->mine);
    at = field_bytes(at, 4, event->room);
    return field_number(at, 5, behind);
}

static uint8_t *put_section(uint8_t *at, const struct server_room *in, uint32_t bit, bool patches,
                            uint32_t number, struct slice bytes)
{
    return !(in->patched & bit) == !patches ? field_bytes(at, number, bytes) : at;
}

/* Whole: where the room is. A delta says it by what lies between. */
static uint8_t *put_whole(uint8_t *at, const struct server_room *in)
{
    uint8_t version[2 * FIELD_HEAD_MAX], *end = field_number(version, 1, in->version.epoch);
    end = field_number(end, 2, in->version.seq);
    at = field_head(at, 1, (uint64_t)(end - version));
    memcpy(at, version, (size_t)(end - version));
    at = field_number(at + (end - version), 3, in->room_time);
    return field_number(at, 4, in->game_version);
}

static uint8_t *put_delta(uint8_t *at, const struct server_room *in)
{
    CHECK(in->since <= in->version.seq);
    at = field_signed(at, 10, (int64_t)(in->version.seq - in->since) - 1);
    at = field_signed(at, 11, in->passed);
    return field_signed(at, 12, in->game_ahead);
}

static size_t room_bound(const struct server_room *in)
{
    size_t bound = ROOM_MAX + in->room.len + in->presence.len + in->game.len + in->mine.len;
    for (int i = 0; i < in->event_count; i++) {
        const struct server_event *event = &in->events[i];
        bound += EVENT_MAX + event->shared.len + event->mine.len + event->room.len;
    }
    return bound;
}

/* Fields in the order of their numbers, as protobuf-c writes them. */
static void put_room(const struct server_room *in, struct buf *out)
{
    CHECK(in->event_count >= 0 && in->event_count <= WIRE_EVENTS_MAX);
    CHECK(in->since || !in->patched);
    uint8_t *from = begin(out, room_bound(in)), *at = from;
    at = in->since ? field_number(at, 2, in->since) : put_whole(at, in);
    at = put_section(at, in, SECTION_ROOM, false, 5, in->room);
    at = put_section(at, in, SECTION_PRESENCE, false, 6, in->presence);
    at = put_section(at, in, SECTION_GAME, false, 7, in->game);
    at = put_section(at, in, SECTION_MINE, false, 8, in->mine);
    for (int i = 0; i < in->event_count; i++) {
        CHECK(in->events[i].seq <= in->version.seq);
        at = put_event(at, &in->events[i], in->version.seq - in->events[i].seq);
    }
    if (in->since) at = put_delta(at, in);
    at = put_section(at, in, SECTION_GAME, true, 13, in->game);
    at = put_section(at, in, SECTION_PRESENCE, true, 14, in->presence);
    at = put_section(at, in, SECTION_MINE, true, 15, in->mine);
    at = put_section(at, in, SECTION_ROOM, true, 16, in->room);
    finish(SERVER_ROOM, from, at, out);
}

static void put_accepted(const struct server_answer *in, struct buf *out)
{
    uint8_t *from = begin(out, SMALL_MAX), *at = field_number(from, 1, in->generation);
    at = field_number(at, 2, in->counter);
    finish(SERVER_ANSWER, from, field_number(at, 5, in->seq), out);
}

static void put_ping(const struct server_frame *in, struct buf *out)
{
    uint8_t *from = begin(out, SMALL_MAX), *at = field_number(from, 1, in->u.ping.nonce);
    at = field_number(at, 2, in->u.ping.rtt_ms);
    finish(SERVER_PING, from, field_number(at, 3, in->u.ping.next_ms), out);
}

static void put_pong(const struct server_frame *in, struct buf *out)
{
    uint8_t *from = begin(out, SMALL_MAX), *at = field_number(from, 1, in->u.pong.client_ms);
    finish(SERVER_PONG, from, field_number(at, 2, in->u.pong.server_ms), out);
}

/* ---- what is rare ---------------------------------------------------------------------------- */

static void put_seat(const struct server_seat *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(SeatGranted) message = CL_INIT(SEAT_GRANTED);
    message.code = pb_text(in->code);
    message.seat = in->seat;
    message.generation = in->generation;
    message.counter = in->counter;
    message.epoch = in->epoch;
    frame->seat = &message;
    put(frame, out);
}

static void put_refused_act(const struct server_answer *in, CL(ServerFrame) * frame,
                            struct buf *out)
{
    CL(Refusal) why = refusal_of(&in->why);
    CL(Answer) message = CL_INIT(ANSWER);
    message.generation = in->generation;
    message.counter = in->counter;
    message.why = &why;
    message.seq = in->seq;
    frame->answer = &message;
    put(frame, out);
}

static void put_refused(const struct server_refused *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(Refusal) why = refusal_of(&in->why);
    CL(Refused) message = CL_INIT(REFUSED);
    message.why = &why;
    message.retry = in->retry;
    frame->refused = &message;
    put(frame, out);
}

static void put_found(const struct server_found *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(Found) message = CL_INIT(FOUND);
    message.code = pb_text(in->code);
    message.game = pb_text(in->game);
    message.seated = in->seated;
    message.seats = in->seats;
    message.playing = in->playing;
    frame->found = &message;
    put(frame, out);
}

static void put_quick(const struct server_quick *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(QuickStatus) message = CL_INIT(QUICK_STATUS);
    message.game = pb_text(in->game);
    message.waiting = in->waiting;
    message.needed = in->needed;
    message.left_ms = in->left_ms;
    frame->quick = &message;
    put(frame, out);
}

static void put_small(const struct server_frame *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(Detached) detached = CL_INIT(DETACHED);
    CL(Notice) notice = CL_INIT(NOTICE);
    switch (in->kind) {
    case SERVER_DETACHED:
        detached.why = (CL(Detached__Why))in->u.detached;
        frame->detached = &detached;
        break;
    case SERVER_NOTICE:
        notice.kind = (CL(Notice__Kind))in->u.notice;
        frame->notice = &notice;
        break;
    default: CHECK(!"a kind of ServerFrame");
    }
    put(frame, out);
}

static void put_rare(const struct server_frame *in, struct buf *out)
{
    CL(ServerFrame) frame = CL_INIT(SERVER_FRAME);
    frame.kind_case = (CL(ServerFrame__KindCase))in->kind;
    switch (in->kind) {
    case SERVER_WELCOME: put_welcome(&in->u.welcome, &frame, out); return;
    case SERVER_REFUSED: put_refused(&in->u.refused, &frame, out); return;
    case SERVER_ROOMS: put_rooms(&in->u.rooms, &frame, out); return;
    case SERVER_QUICK: put_quick(&in->u.quick, &frame, out); return;
    case SERVER_SEAT: put_seat(&in->u.seat, &frame, out); return;
    case SERVER_ANSWER: put_refused_act(&in->u.answer, &frame, out); return;
    case SERVER_FOUND: put_found(&in->u.found, &frame, out); return;
    default: put_small(in, &frame, out);
    }
}

void server_frame_encode(const struct server_frame *in, struct buf *out)
{
    if (in->kind == SERVER_ROOM)
        put_room(&in->u.room, out);
    else if (in->kind == SERVER_ANSWER && in->u.answer.ok)
        put_accepted(&in->u.answer, out);
    else if (in->kind == SERVER_PING)
        put_ping(in, out);
    else if (in->kind == SERVER_PONG)
        put_pong(in, out);
    else
        put_rare(in, out);
}
