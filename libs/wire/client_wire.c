/* SPDX-License-Identifier: Apache-2.0
 *
 * ClientFrame, both ways.
 */
#include "wire/client_wire.h"

#include "base/check.h"
#include "wire/field.h"
#include "wire/pb.h"

#include "client.pb-c.h"

#define CL(name)      Madang__V1__##name
#define CL_INIT(name) MADANG__V1__##name##__INIT
#define CL_KIND(name) MADANG__V1__CLIENT_FRAME__KIND_##name

_Static_assert((int)CLIENT_HELLO == CL_KIND(HELLO), "CLIENT_HELLO");
_Static_assert((int)CLIENT_CREATE == CL_KIND(CREATE), "CLIENT_CREATE");
_Static_assert((int)CLIENT_JOIN == CL_KIND(JOIN), "CLIENT_JOIN");
_Static_assert((int)CLIENT_QUICK == CL_KIND(QUICK), "CLIENT_QUICK");
_Static_assert((int)CLIENT_CANCEL_QUICK == CL_KIND(CANCEL_QUICK), "CLIENT_CANCEL_QUICK");
_Static_assert((int)CLIENT_WATCH_ROOMS == CL_KIND(WATCH_ROOMS), "CLIENT_WATCH_ROOMS");
_Static_assert((int)CLIENT_LEAVE == CL_KIND(LEAVE), "CLIENT_LEAVE");
_Static_assert((int)CLIENT_ACT == CL_KIND(ACT), "CLIENT_ACT");
_Static_assert((int)CLIENT_RESYNC == CL_KIND(RESYNC), "CLIENT_RESYNC");
_Static_assert((int)CLIENT_PING == CL_KIND(PING), "CLIENT_PING");
_Static_assert((int)CLIENT_PONG == CL_KIND(PONG), "CLIENT_PONG");
_Static_assert((int)CLIENT_LOOK_UP == CL_KIND(LOOK_UP), "CLIENT_LOOK_UP");

/* What decoding one frame may take, whatever its bytes claim: more than the worst well-formed one
 * does (two bytes make an empty list item, or an unknown field that is then dropped). So a list
 * beyond its bound is seen as one and refused; only what is no frame closes a connection. */
enum { FRAME_MEMORY_MAX = 128 * CLIENT_FRAME_BYTES_MAX };

/* ---- decoding -------------------------------------------------------------------------------- */

static enum status take_create(const CL(CreateRoom) * create, struct client_create *out)
{
    if (create->n_options > WIRE_OPTIONS_MAX) return ST_TOO_LARGE;
    out->game = create->game;
    out->name = create->name;
    out->is_public = create->is_public;
    for (size_t i = 0; i < create->n_options; i++)
        out->options[i] = (struct option_pair){create->options[i]->key, create->options[i]->value};
    out->option_count = (int)create->n_options;
    return ST_OK;
}

static void take_join(const CL(JoinRoom) * join, struct client_join *out)
{
    *out = (struct client_join){
        .code = join->code,
        .name = join->name,
        .spectate = join->spectate,
        .take_over = join->take_over,
        .window = join->window,
        .generation = join->generation,
    };
    if (join->have) out->have = (struct version){join->have->epoch, join->have->seq};
}

/* Fields that this build does not know are not kept, at whatever depth a command has them. */
static void forget_unknown(CL(RoomCommand) * command)
{
    command->base.n_unknown_fields = 0;
    if (command->kind_case == MADANG__V1__ROOM_COMMAND__KIND_SET_OPTIONS)
        for (size_t i = 0; i < command->set_options->n_options; i++)
            command->set_options->options[i]->base.n_unknown_fields = 0;
    /* Every message starts with its base, whichever the union holds. */
    ((ProtobufCMessage *)command->start)->n_unknown_fields = 0;
}

static enum status take_command(CL(RoomCommand) * command, struct arena *arena, struct slice *out)
{
    if (command->kind_case == MADANG__V1__ROOM_COMMAND__KIND__NOT_SET) return ST_UNKNOWN;
    forget_unknown(command);
    size_t len = protobuf_c_message_get_packed_size(&command->base);
    if (len > WIRE_ACTION_BYTES_MAX) return ST_TOO_LARGE;
    uint8_t *bytes = arena_alloc(arena, len);
    *out = slice_of(bytes, protobuf_c_message_pack(&command->base, bytes));
    return ST_OK;
}

static enum status take_act(const CL(Act) * act, struct arena *arena, struct client_act *out)
{
    out->generation = act->generation;
    out->counter = act->counter;
    out->made_for = act->made_for;
    switch (act->what_case) {
    case MADANG__V1__ACT__WHAT_GAME:
        if (act->game.len > WIRE_ACTION_BYTES_MAX) return ST_TOO_LARGE;
        out->bytes = pb_take_bytes(act->game);
        return ST_OK;
    case MADANG__V1__ACT__WHAT_ROOM:
        out->command = true;
        return take_command(act->room, arena, &out->bytes);
    default: return ST_UNKNOWN;
    }
}

static enum status take_frame(const CL(ClientFrame) * frame, struct arena *arena,
                              struct client_frame *out)
{
    out->kind = (enum client_kind)frame->kind_case;
    switch (frame->kind_case) {
    case CL_KIND(HELLO):
        out->u.hello.protocol = frame->hello->protocol;
        out->u.hello.token = pb_take_bytes(frame->hello->token);
        out->u.hello.window = frame->hello->window;
        out->u.hello.line = frame->hello->line;
        return ST_OK;
    case CL_KIND(CREATE): return take_create(frame->create, &out->u.create);
    case CL_KIND(JOIN): take_join(frame->join, &out->u.join); return ST_OK;
    case CL_KIND(QUICK):
        out->u.quick = (struct client_quick){frame->quick->game, frame->quick->name};
        return ST_OK;
    case CL_KIND(WATCH_ROOMS): out->u.watch = frame->watch_rooms->on; return ST_OK;
    case CL_KIND(ACT): return take_act(frame->act, arena, &out->u.act);
    case CL_KIND(PING): out->u.client_ms = frame->ping->client_ms; return ST_OK;
    case CL_KIND(PONG): out->u.nonce = frame->pong->nonce; return ST_OK;
    case CL_KIND(LOOK_UP): out->u.code = frame->look_up->code; return ST_OK;
    case CL_KIND(CANCEL_QUICK):
    case CL_KIND(LEAVE):
    case CL_KIND(RESYNC): return ST_OK;
    default: return ST_UNKNOWN;
    }
}

/* What comes all the time, as every client writes it: without the tables of generated code. False:
 * it is something else, and nothing is taken. */
static bool take_act_fields(struct slice rest, struct arena *arena, struct client_act *act)
{
    bool game = false;
    while (rest.len > 0) {
        uint8_t tag = *rest.at;
        uint64_t value;
        rest = slice_of(rest.at + 1, rest.len - 1);
        if (!field_take(&rest, &value)) return false;
        switch (tag) {
        case 1 << 3 | FIELD_VARINT: act->generation = (uint32_t)value; break;
        case 2 << 3 | FIELD_VARINT: act->counter = value; break;
        case 3 << 3 | FIELD_VARINT: act->made_for = value; break;
        case 4 << 3 | FIELD_BYTES:
            if (game || value > rest.len) return false;
            act->bytes = slice_of(rest.at, (size_t)value);
            rest = slice_of(rest.at + value, rest.len - (size_t)value);
            game = true;
            break;
        default: return false;
        }
        if (tag == (1 << 3 | FIELD_VARINT) && value > UINT32_MAX) return false;
    }
    if (!game || act->bytes.len > WIRE_ACTION_BYTES_MAX) return false;
    act->bytes = arena_copy(arena, act->bytes);
    return true;
}

/* Of a Ping or a Pong: the one number that it may have. */
static bool take_only_number(struct slice rest, uint64_t *value)
{
    *value = 0;
    if (rest.len == 0) return true;
    if (*rest.at != (1 << 3 | FIELD_VARINT)) return false;
    rest = slice_of(rest.at + 1, rest.len - 1);
    return field_take(&rest, value) && rest.len == 0;
}

static bool take_often(struct slice bytes, struct arena *arena, struct client_frame *out)
{
    uint64_t len;
    if (bytes.len < 2) return false;
    uint8_t tag = *bytes.at;
    struct slice inside = slice_of(bytes.at + 1, bytes.len - 1);
    if (!field_take(&inside, &len) || len != inside.len) return false;
    out->kind = (enum client_kind)(tag >> 3);
    switch (tag) {
    case CL_KIND(ACT) << 3 | FIELD_BYTES: return take_act_fields(inside, arena, &out->u.act);
    case CL_KIND(PING) << 3 | FIELD_BYTES: return take_only_number(inside, &out->u.client_ms);
    case CL_KIND(PONG) << 3 | FIELD_BYTES: return take_only_number(inside, &out->u.nonce);
    default: return false;
    }
}

enum status client_frame_decode(struct slice bytes, struct arena *arena, struct client_frame *out)
{
    *out = (struct client_frame){0};
    if (bytes.len > CLIENT_FRAME_BYTES_MAX) return ST_TOO_LARGE;
    if (take_often(bytes, arena, out)) return ST_OK;
    *out = (struct client_frame){0};
    struct pb_memory memory;
    pb_memory_init(&memory, arena);
    memory.left = FRAME_MEMORY_MAX;
    const CL(ClientFrame) *frame =
        madang__v1__client_frame__unpack(&memory.allocator, bytes.len, bytes.at);
    return frame ? take_frame(frame, arena, out) : ST_INVALID;
}

/* ---- encoding (clients) ---------------------------------------------------------------------- */

static void put(CL(ClientFrame) * frame, struct buf *out)
{
    pb_append(&frame->base, out);
}

static void put_create(const struct client_create *create, CL(ClientFrame) * frame, struct buf *out)
{
    CHECK(create->option_count >= 0 && create->option_count <= WIRE_OPTIONS_MAX);
    CL(OptionValue) values[WIRE_OPTIONS_MAX], *options[WIRE_OPTIONS_MAX];
    for (int i = 0; i < create->option_count; i++) {
        values[i] = (CL(OptionValue))CL_INIT(OPTION_VALUE);
        values[i].key = pb_text(create->options[i].key);
        values[i].value = create->options[i].value;
        options[i] = &values[i];
    }
    CL(CreateRoom) message = CL_INIT(CREATE_ROOM);
    message.game = pb_text(create->game);
    message.name = pb_text(create->name);
    message.is_public = create->is_public;
    message.options = options;
    message.n_options = (size_t)create->option_count;
    frame->create = &message;
    put(frame, out);
}

static void put_join(const struct client_join *join, CL(ClientFrame) * frame, struct buf *out)
{
    CL(Version) have = CL_INIT(VERSION);
    have.epoch = join->have.epoch;
    have.seq = join->have.seq;
    CL(JoinRoom) message = CL_INIT(JOIN_ROOM);
    message.code = pb_text(join->code);
    message.name = pb_text(join->name);
    message.spectate = join->spectate;
    message.have = have.epoch ? &have : NULL;
    message.take_over = join->take_over;
    message.window = join->window;
    message.generation = join->generation;
    frame->join = &message;
    put(frame, out);
}

/* A command is bytes of a RoomCommand already; protobuf-c packs messages, so it is read again. */
static void put_act(const struct client_act *act, CL(ClientFrame) * frame, struct buf *out)
{
    CL(RoomCommand) *command = NULL;
    CL(Act) message;
    madang__v1__act__init(&message);
    message.generation = act->generation;
    message.counter = act->counter;
    message.made_for = act->made_for;
    if (act->command) {
        command = madang__v1__room_command__unpack(NULL, act->bytes.len, act->bytes.at);
        CHECK(command != NULL);
        message.what_case = MADANG__V1__ACT__WHAT_ROOM;
        message.room = command;
    } else {
        message.what_case = MADANG__V1__ACT__WHAT_GAME;
        message.game = pb_bytes(act->bytes);
    }
    frame->act = &message;
    put(frame, out);
    if (command) madang__v1__room_command__free_unpacked(command, NULL);
}

static void put_small(const struct client_frame *in, CL(ClientFrame) * frame, struct buf *out)
{
    CL(CancelQuick) cancel = CL_INIT(CANCEL_QUICK);
    CL(WatchRooms) watch = CL_INIT(WATCH_ROOMS);
    CL(LeaveRoom) leave = CL_INIT(LEAVE_ROOM);
    CL(Resync) resync = CL_INIT(RESYNC);
    CL(Ping) ping = CL_INIT(PING);
    CL(Pong) pong = CL_INIT(PONG);
    CL(LookUp) look_up = CL_INIT(LOOK_UP);
    switch (in->kind) {
    case CLIENT_CANCEL_QUICK: frame->cancel_quick = &cancel; break;
    case CLIENT_WATCH_ROOMS:
        watch.on = in->u.watch;
        frame->watch_rooms = &watch;
        break;
    case CLIENT_LEAVE: frame->leave = &leave; break;
    case CLIENT_RESYNC: frame->resync = &resync; break;
    case CLIENT_PING:
        ping.client_ms = in->u.client_ms;
        frame->ping = &ping;
        break;
    case CLIENT_PONG:
        pong.nonce = in->u.nonce;
        frame->pong = &pong;
        break;
    case CLIENT_LOOK_UP:
        look_up.code = pb_text(in->u.code);
        frame->look_up = &look_up;
        break;
    default: CHECK(!"a kind of ClientFrame");
    }
    put(frame, out);
}

void client_frame_encode(const struct client_frame *in, struct buf *out)
{
    CL(ClientFrame) frame = CL_INIT(CLIENT_FRAME);
    frame.kind_case = (CL(ClientFrame__KindCase))in->kind;
    switch (in->kind) {
    case CLIENT_HELLO: {
        CL(Hello) hello = CL_INIT(HELLO);
        hello.protocol = in->u.hello.protocol;
        hello.token = pb_bytes(in->u.hello.token);
        hello.window = in->u.hello.window;
        hello.line = in->u.hello.line;
        frame.hello = &hello;
        put(&frame, out);
        return;
    }
    case CLIENT_CREATE: put_create(&in->u.create, &frame, out); return;
    case CLIENT_JOIN: put_join(&in->u.join, &frame, out); return;
    case CLIENT_QUICK: {
        CL(QuickMatch) quick = CL_INIT(QUICK_MATCH);
        quick.game = pb_text(in->u.quick.game);
        quick.name = pb_text(in->u.quick.name);
        frame.quick = &quick;
        put(&frame, out);
        return;
    }
    case CLIENT_ACT: put_act(&in->u.act, &frame, out); return;
    default: put_small(in, &frame, out);
    }
}
