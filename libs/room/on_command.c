/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands to the room itself: options, public or private, kick, start, seats, names.
 */
#include "base/check.h"
#include "room/state.h"

static bool is_host(const struct change *change)
{
    const struct room_seat *seat = room_seat_at(change->room, change->input->seat);
    return seat && seat->member == change->room->host;
}

static enum room_verdict set_options(struct change *change, const struct room_command *command)
{
    struct room *room = change->room;
    if (!is_host(change)) return room_refuse(change, REASON_NOT_HOST);
    if (room_runs(room)) return room_refuse(change, REASON_NOT_NOW);
    /* All or none. */
    struct game_options options = room->options;
    for (int i = 0; i < command->option_count; i++)
        if (game_options_set(room->game, &options, slice_text(command->options[i].key),
                             command->options[i].value) != ST_OK)
            return room_refuse(change, REASON_BAD_OPTION);

    if (game_shows_rtt(room->game, &options) != room_shows_rtt(room))
        change->out->changed |= SECTION_PRESENCE;
    room->options = options;
    change->out->changed |= SECTION_ROOM;
    room_record_action(change, change->input->seat);
    room_tell(change, ROOM_OPTIONS, change->input->seat);
    return ROOM_ACCEPTED;
}

static enum room_verdict set_public(struct change *change, const struct room_command *command)
{
    if (!is_host(change)) return room_refuse(change, REASON_NOT_HOST);
    change->room->is_public = command->is_public;
    change->out->changed |= SECTION_ROOM;
    room_record_action(change, change->input->seat);
    room_tell(change, ROOM_OPTIONS, change->input->seat);
    return ROOM_ACCEPTED;
}

static enum room_verdict kick(struct change *change, const struct room_command *command)
{
    struct room *room = change->room;
    int target = command->seat < GAME_SEATS_MAX ? (int)command->seat : -1;
    if (!is_host(change)) return room_refuse(change, REASON_NOT_HOST);
    if (target == change->input->seat) return room_refuse(change, REASON_MALFORMED);
    enum reason fault = room_put_out_fault(room, target);
    if (fault != REASON_NONE) return room_refuse(change, fault);

    room_record_action(change, change->input->seat);
    room_put_out(change, target);
    return ROOM_ACCEPTED;
}

static enum room_verdict start(struct change *change)
{
    struct room *room = change->room;
    const struct room_seat *seat = room_seat_at(room, change->input->seat);
    bool may = is_host(change) || seat->member == room->starter;
    int param;
    enum reason fault = room_start_fault(room, &param);
    if (fault == REASON_NOT_NOW || room_awaits_matched(room))
        return room_refuse(change, REASON_NOT_NOW);
    if (!may) return room_refuse(change, REASON_NOT_HOST);
    if (fault == REASON_TOO_FEW) return room_refuse_with(change, fault, (uint64_t)param);
    if (fault != REASON_NONE) return room_refuse(change, fault);

    room_record_action(change, change->input->seat);
    room_game_start(change);
    return ROOM_ACCEPTED;
}

/* A player moves with all that is the person's: generation, counter, outcomes, board. */
static enum room_verdict move(struct change *change, int to)
{
    struct room *room = change->room;
    int from = change->input->seat;
    if (room_runs(room)) return room_refuse(change, REASON_NOT_NOW);
    if (room->seats[to].taken) return room_refuse(change, REASON_SEAT_TAKEN);

    room_record_action(change, from);
    room->seats[to] = room->seats[from];
    room_seat_free(room, from);
    change->out->seat = to;
    change->out->changed |= SECTION_ROOM | SECTION_PRESENCE | SECTION_MINE;
    return ROOM_ACCEPTED;
}

static enum room_verdict take_seat(struct change *change, const struct room_command *command)
{
    if (command->seat >= (uint32_t)change->room->seat_count)
        return room_refuse(change, REASON_MALFORMED);
    int seat = (int)command->seat;
    /* A watcher who has a seat already (another window, or this command once before) takes that one
     * over. */
    if (change->input->seat < 0) return room_come_in(change, seat, true);
    return move(change, seat);
}

static enum room_verdict stand_up(struct change *change)
{
    struct room *room = change->room;
    int seat = change->input->seat;
    if (room_runs(room)) return room_refuse(change, REASON_NOT_NOW);
    room_tell(change, ROOM_LEFT, seat);
    room_seat_give_up(change, seat);
    change->out->seat = -1;
    return ROOM_ACCEPTED;
}

static enum room_verdict rename_person(struct change *change, const struct room_command *command)
{
    struct room *room = change->room;
    int seat = change->input->seat;
    if (room_runs(room)) return room_refuse(change, REASON_NOT_NOW);
    /* In a replay the input carries the name as it was normalised then. */
    struct slice typed =
        change->replayed ? change->input->name : slice_of(command->name, command->name_len);
    enum name_fault fault = room_take_name(change, typed);
    if (fault != NAME_FAULT_NONE) return room_refuse_with(change, REASON_BAD_NAME, fault);

    room_seat_name(&room->seats[seat], change->name);
    change->out->changed |= SECTION_ROOM;
    room_record_action(change, seat);
    room_tell(change, ROOM_NAMED, seat);
    return ROOM_ACCEPTED;
}

enum room_verdict room_on_command(struct change *change)
{
    struct room_command command;
    bool watcher = change->input->seat < 0;
    enum room_verdict verdict = watcher ? ROOM_ACCEPTED : room_admit(change);
    if (verdict != ROOM_ACCEPTED) return verdict;
    if (room_command_decode(change->input->bytes, &command) != ST_OK)
        return room_refuse(change, REASON_MALFORMED);
    if (watcher && command.kind != ROOM_TAKE_SEAT) return room_refuse(change, REASON_NOT_SEATED);

    switch (command.kind) {
    case ROOM_SET_OPTIONS: return set_options(change, &command);
    case ROOM_SET_PUBLIC: return set_public(change, &command);
    case ROOM_KICK: return kick(change, &command);
    case ROOM_START: return start(change);
    case ROOM_TAKE_SEAT: return take_seat(change, &command);
    case ROOM_STAND_UP: return stand_up(change);
    case ROOM_RENAME: return rename_person(change, &command);
    }
    return room_refuse(change, REASON_MALFORMED);
}
