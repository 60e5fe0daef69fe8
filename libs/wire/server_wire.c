/* SPDX-License-Identifier: Apache-2.0
 *
 * ServerFrame: encoding. What a gateway writes to a socket is written here and nowhere else.
 */
#include "base/check.h"
#include "wire/client_wire.h"
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

static void set_section(struct slice bytes, bool patched, ProtobufCBinaryData *whole,
                        ProtobufCBinaryData *patch)
{
    *(patched ? patch : whole) = pb_bytes(bytes);
}

static void set_sections(const struct server_room *in, CL(RoomFrame) * out)
{
    uint32_t patched = in->patched;
    set_section(in->room, patched & SECTION_ROOM, &out->room, &out->room_patch);
    set_section(in->presence, patched & SECTION_PRESENCE, &out->presence, &out->presence_patch);
    set_section(in->game, patched & SECTION_GAME, &out->game, &out->game_patch);
    set_section(in->mine, patched & SECTION_MINE, &out->mine, &out->mine_patch);
}

static void put_room(const struct server_room *in, CL(ServerFrame) * frame, struct buf *out)
{
    CHECK(in->event_count >= 0 && in->event_count <= WIRE_EVENTS_MAX);
    CL(RoomEvent) list[WIRE_EVENTS_MAX], *events[WIRE_EVENTS_MAX];
    for (int i = 0; i < in->event_count; i++) {
        list[i] = (CL(RoomEvent))CL_INIT(ROOM_EVENT);
        CHECK(in->events[i].seq <= in->version.seq);
        list[i].behind = in->version.seq - in->events[i].seq;
        list[i].shared = pb_bytes(in->events[i].shared);
        list[i].mine = pb_bytes(in->events[i].mine);
        list[i].room = pb_bytes(in->events[i].room);
        events[i] = &list[i];
    }
    CL(Version) version = CL_INIT(VERSION);
    version.epoch = in->version.epoch;
    version.seq = in->version.seq;
    CL(RoomFrame) message = CL_INIT(ROOM_FRAME);
    if (in->since == 0) {
        message.version = &version;
        message.room_time = in->room_time;
        message.game_version = in->game_version;
    } else {
        CHECK(in->since <= in->version.seq);
        message.since = in->since;
        message.ahead = (int64_t)(in->version.seq - in->since) - 1;
        message.passed = in->passed;
        message.game_ahead = in->game_ahead;
    }
    CHECK(in->since || !in->patched);
    set_sections(in, &message);
    message.events = events;
    message.n_events = (size_t)in->event_count;
    frame->room = &message;
    put(frame, out);
}

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

static void put_answer(const struct server_answer *in, CL(ServerFrame) * frame, struct buf *out)
{
    CL(Refusal) why = refusal_of(&in->why);
    CL(Answer) message = CL_INIT(ANSWER);
    message.generation = in->generation;
    message.counter = in->counter;
    message.why = in->ok ? NULL : &why;
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
    CL(ServerPing) ping = CL_INIT(SERVER_PING);
    CL(ServerPong) pong = CL_INIT(SERVER_PONG);
    switch (in->kind) {
    case SERVER_DETACHED:
        detached.why = (CL(Detached__Why))in->u.detached;
        frame->detached = &detached;
        break;
    case SERVER_NOTICE:
        notice.kind = (CL(Notice__Kind))in->u.notice;
        frame->notice = &notice;
        break;
    case SERVER_PING:
        ping.nonce = in->u.ping.nonce;
        ping.rtt_ms = in->u.ping.rtt_ms;
        frame->ping = &ping;
        break;
    case SERVER_PONG:
        pong.client_ms = in->u.pong.client_ms;
        pong.server_ms = in->u.pong.server_ms;
        frame->pong = &pong;
        break;
    default: CHECK(!"a kind of ServerFrame");
    }
    put(frame, out);
}

void server_frame_encode(const struct server_frame *in, struct buf *out)
{
    CL(ServerFrame) frame = CL_INIT(SERVER_FRAME);
    frame.kind_case = (CL(ServerFrame__KindCase))in->kind;
    switch (in->kind) {
    case SERVER_WELCOME: put_welcome(&in->u.welcome, &frame, out); return;
    case SERVER_REFUSED: put_refused(&in->u.refused, &frame, out); return;
    case SERVER_ROOMS: put_rooms(&in->u.rooms, &frame, out); return;
    case SERVER_QUICK: put_quick(&in->u.quick, &frame, out); return;
    case SERVER_SEAT: put_seat(&in->u.seat, &frame, out); return;
    case SERVER_ROOM: put_room(&in->u.room, &frame, out); return;
    case SERVER_ANSWER: put_answer(&in->u.answer, &frame, out); return;
    case SERVER_FOUND: put_found(&in->u.found, &frame, out); return;
    default: put_small(in, &frame, out);
    }
}
