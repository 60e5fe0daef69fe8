/* SPDX-License-Identifier: Apache-2.0
 *
 * What people command, as RoomCommand messages.
 */
#include "unit/room/stage.h"

enum room_verdict stage_command(struct stage *stage, int seat, struct slice bytes)
{
    struct room_input input = {
        .kind = ROOM_COMMAND,
        .seat = seat,
        .generation = room_generation(stage->room, seat),
        .counter = room_counter(stage->room, seat) + 1,
        .bytes = bytes,
    };
    return stage_step(stage, input);
}

static enum room_verdict send(struct stage *stage, int seat, const Madang__V1__RoomCommand *command)
{
    uint8_t bytes[2048];
    assert_true(madang__v1__room_command__get_packed_size(command) <= sizeof bytes);
    size_t len = madang__v1__room_command__pack(command, bytes);
    return stage_command(stage, seat, slice_of(bytes, len));
}

#define COMMAND(which, field, part)                                   \
    Madang__V1__RoomCommand command = MADANG__V1__ROOM_COMMAND__INIT; \
    command.kind_case = MADANG__V1__ROOM_COMMAND__KIND_##which;       \
    command.field = &(part)

enum room_verdict stage_options(struct stage *stage, int seat, const char *key, int32_t value)
{
    Madang__V1__OptionValue option = MADANG__V1__OPTION_VALUE__INIT, *options[] = {&option};
    Madang__V1__SetOptions part = MADANG__V1__SET_OPTIONS__INIT;
    option.key = (char *)key;
    option.value = value;
    part.n_options = 1;
    part.options = options;
    COMMAND(SET_OPTIONS, set_options, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_public(struct stage *stage, int seat, bool is_public)
{
    Madang__V1__SetPublic part = MADANG__V1__SET_PUBLIC__INIT;
    part.is_public = is_public;
    COMMAND(SET_PUBLIC, set_public, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_kick(struct stage *stage, int seat, uint32_t target)
{
    Madang__V1__Kick part = MADANG__V1__KICK__INIT;
    part.seat = target;
    COMMAND(KICK, kick, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_start(struct stage *stage, int seat)
{
    Madang__V1__Start part = MADANG__V1__START__INIT;
    COMMAND(START, start, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_take_seat(struct stage *stage, int seat, uint32_t to)
{
    Madang__V1__TakeSeat part = MADANG__V1__TAKE_SEAT__INIT;
    part.seat = to;
    COMMAND(TAKE_SEAT, take_seat, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_watcher_sits(struct stage *stage, int number, const char *name, uint32_t to)
{
    uint8_t bytes[64];
    Madang__V1__TakeSeat part = MADANG__V1__TAKE_SEAT__INIT;
    part.seat = to;
    COMMAND(TAKE_SEAT, take_seat, part);
    size_t len = madang__v1__room_command__pack(&command, bytes);
    struct room_input input = {
        .kind = ROOM_COMMAND,
        .seat = -1,
        .bytes = slice_of(bytes, len),
        .player = person(number),
        .name = slice_text(name),
    };
    return stage_step(stage, input);
}

enum room_verdict stage_stand_up(struct stage *stage, int seat)
{
    Madang__V1__StandUp part = MADANG__V1__STAND_UP__INIT;
    COMMAND(STAND_UP, stand_up, part);
    return send(stage, seat, &command);
}

enum room_verdict stage_rename(struct stage *stage, int seat, const char *name)
{
    Madang__V1__Rename part = MADANG__V1__RENAME__INIT;
    part.name = (char *)name;
    COMMAND(RENAME, rename, part);
    return send(stage, seat, &command);
}
