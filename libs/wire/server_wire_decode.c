/* SPDX-License-Identifier: Apache-2.0
 *
 * ServerFrame: decoding, for clients written in C.
 */
#include "wire/client_wire.h"
#include "wire/pb.h"

#include "client.pb-c.h"

#define CL(name)      Madang__V1__##name
#define CL_KIND(name) MADANG__V1__SERVER_FRAME__KIND_##name

static enum status take_refusal(const CL(Refusal) * message, struct refusal *out)
{
    if (message == NULL) return ST_OK;
    if (message->n_params > WIRE_PARAMS_MAX) return ST_TOO_LARGE;
    out->domain = message->domain;
    out->code = message->code;
    out->param_count = (int)message->n_params;
    for (size_t i = 0; i < message->n_params; i++) out->params[i] = message->params[i];
    return ST_OK;
}

static enum status take_option(const CL(OptionInfo) * info, struct client_option *out)
{
    if (info->n_choices > CLIENT_CHOICES_MAX) return ST_TOO_LARGE;
    *out = (struct client_option){
        .key = info->key,
        .kind = (int)info->kind,
        .choice_count = (int)info->n_choices,
        .min = info->min,
        .max = info->max,
        .default_value = info->default_value,
        .depends_key = info->depends_key,
        .depends_value = info->depends_value,
    };
    for (size_t i = 0; i < info->n_choices; i++) {
        out->choices[i].value = info->choices[i]->value;
        out->choices[i].key = info->choices[i]->key;
    }
    return ST_OK;
}

static enum status take_game(const CL(GameInfo) * info, struct arena *arena,
                             struct client_game *out)
{
    if (info->n_options > WIRE_OPTIONS_MAX) return ST_TOO_LARGE;
    *out = (struct client_game){
        .id = info->id,
        .seats_min = info->seats_min,
        .seats_max = info->seats_max,
        .rules_version = info->rules_version,
        .solo_key = info->solo_key,
        .options = arena_alloc(arena, info->n_options * sizeof *out->options),
        .option_count = (int)info->n_options,
    };
    enum status status = ST_OK;
    for (size_t i = 0; i < info->n_options && status == ST_OK; i++)
        status = take_option(info->options[i], &out->options[i]);
    return status;
}

static enum status take_welcome(const CL(Welcome) * message, struct arena *arena,
                                struct server_welcome *out)
{
    if (message->n_games > CLIENT_GAMES_MAX) return ST_TOO_LARGE;
    out->protocol = message->protocol;
    out->token = pb_take_bytes(message->token);
    out->build = message->build;
    out->games = arena_alloc(arena, message->n_games * sizeof *out->games);
    out->game_count = (int)message->n_games;
    enum status status = ST_OK;
    for (size_t i = 0; i < message->n_games && status == ST_OK; i++)
        status = take_game(message->games[i], arena, &out->games[i]);
    return status;
}

static enum status take_rooms(const CL(PublicRooms) * message, struct arena *arena,
                              struct server_rooms *out)
{
    if (message->n_rooms > WIRE_PUBLIC_MAX) return ST_TOO_LARGE;
    out->count = (int)message->n_rooms;
    out->list = arena_alloc(arena, message->n_rooms * sizeof *out->list);
    for (size_t i = 0; i < message->n_rooms; i++) {
        const CL(PublicRoom) *room = message->rooms[i];
        out->list[i] = (struct public_room){
            .code = room->code,
            .game = room->game,
            .host = room->host,
            .seated = room->seated,
            .seats = room->seats,
        };
    }
    return ST_OK;
}

/* The numbers of a whole frame, or of a delta, whose own are relative to its base. */
static enum status take_numbers(const CL(RoomFrame) * message, struct server_room *out)
{
    out->since = message->since;
    if (message->since == 0) {
        if (message->version)
            out->version = (struct version){message->version->epoch, message->version->seq};
        out->room_time = message->room_time;
        out->game_version = message->game_version;
        return ST_OK;
    }
    bool falls = message->ahead < -1 || message->ahead >= INT64_MAX - 1;
    uint64_t risen = falls ? 0 : (uint64_t)(message->ahead + 1);
    if (falls || message->since > UINT64_MAX - risen) return ST_INVALID;
    out->version.seq = message->since + risen;
    out->passed = message->passed;
    out->game_ahead = message->game_ahead;
    return ST_OK;
}

static struct slice take_section(ProtobufCBinaryData whole, ProtobufCBinaryData patch, uint32_t bit,
                                 uint32_t *patched)
{
    if (patch.len == 0) return pb_take_bytes(whole);
    *patched |= bit;
    return pb_take_bytes(patch);
}

static enum status take_sections(const CL(RoomFrame) * message, struct server_room *out)
{
    uint32_t patched = 0;
    out->room = take_section(message->room, message->room_patch, SECTION_ROOM, &patched);
    out->presence =
        take_section(message->presence, message->presence_patch, SECTION_PRESENCE, &patched);
    out->game = take_section(message->game, message->game_patch, SECTION_GAME, &patched);
    out->mine = take_section(message->mine, message->mine_patch, SECTION_MINE, &patched);
    out->patched = patched;
    return patched && message->since == 0 ? ST_INVALID : ST_OK;
}

static enum status take_events(const CL(RoomFrame) * message, struct arena *arena,
                               struct server_room *out)
{
    if (message->n_events > WIRE_EVENTS_MAX) return ST_TOO_LARGE;
    out->event_count = (int)message->n_events;
    out->events = arena_alloc(arena, message->n_events * sizeof *out->events);
    for (size_t i = 0; i < message->n_events; i++) {
        const CL(RoomEvent) *event = message->events[i];
        if (event->behind > out->version.seq) return ST_INVALID;
        out->events[i] = (struct server_event){
            .seq = out->version.seq - event->behind,
            .shared = pb_take_bytes(event->shared),
            .mine = pb_take_bytes(event->mine),
            .room = pb_take_bytes(event->room),
        };
    }
    return ST_OK;
}

static enum status take_room(const CL(RoomFrame) * message, struct arena *arena,
                             struct server_room *out)
{
    enum status status = take_numbers(message, out);
    if (status == ST_OK) status = take_sections(message, out);
    if (status == ST_OK) status = take_events(message, arena, out);
    return status;
}

static enum status take_answer(const CL(Answer) * message, struct server_answer *out)
{
    out->generation = message->generation;
    out->counter = message->counter;
    out->ok = message->why == NULL;
    out->seq = message->seq;
    return take_refusal(message->why, &out->why);
}

static void take_seat(const CL(SeatGranted) * message, struct server_seat *out)
{
    *out = (struct server_seat){
        .code = message->code,
        .seat = message->seat,
        .generation = message->generation,
        .counter = message->counter,
        .epoch = message->epoch,
    };
}

static enum status take_frame(const CL(ServerFrame) * frame, struct arena *arena,
                              struct server_frame *out)
{
    out->kind = (enum server_kind)frame->kind_case;
    switch (frame->kind_case) {
    case CL_KIND(WELCOME): return take_welcome(frame->welcome, arena, &out->u.welcome);
    case CL_KIND(REFUSED):
        out->u.refused.retry = frame->refused->retry;
        return take_refusal(frame->refused->why, &out->u.refused.why);
    case CL_KIND(ROOMS): return take_rooms(frame->rooms, arena, &out->u.rooms);
    case CL_KIND(QUICK):
        out->u.quick = (struct server_quick){frame->quick->game, frame->quick->waiting,
                                             frame->quick->needed, frame->quick->left_ms};
        return ST_OK;
    case CL_KIND(SEAT): take_seat(frame->seat, &out->u.seat); return ST_OK;
    case CL_KIND(ROOM): return take_room(frame->room, arena, &out->u.room);
    case CL_KIND(ANSWER): return take_answer(frame->answer, &out->u.answer);
    case CL_KIND(DETACHED): out->u.detached = (enum dropped_why)frame->detached->why; return ST_OK;
    case CL_KIND(NOTICE): out->u.notice = (enum notice_kind)frame->notice->kind; return ST_OK;
    case CL_KIND(PING):
        out->u.ping.nonce = frame->ping->nonce;
        out->u.ping.rtt_ms = frame->ping->rtt_ms;
        out->u.ping.next_ms = frame->ping->next_ms;
        return ST_OK;
    case CL_KIND(PONG):
        out->u.pong.client_ms = frame->pong->client_ms;
        out->u.pong.server_ms = frame->pong->server_ms;
        return ST_OK;
    case CL_KIND(FOUND):
        out->u.found =
            (struct server_found){frame->found->code, frame->found->game, frame->found->seated,
                                  frame->found->seats, frame->found->playing};
        return ST_OK;
    default: return ST_UNKNOWN;
    }
}

enum status server_frame_decode(struct slice bytes, struct arena *arena, struct server_frame *out)
{
    *out = (struct server_frame){0};
    if (bytes.len > SERVER_FRAME_BYTES_MAX) return ST_TOO_LARGE;
    struct pb_memory memory;
    pb_memory_init(&memory, arena);
    const CL(ServerFrame) *frame =
        madang__v1__server_frame__unpack(&memory.allocator, bytes.len, bytes.at);
    return frame ? take_frame(frame, arena, out) : ST_INVALID;
}
