/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operator does to a room, and what a host's kick has in common with it.
 */
#include "base/check.h"
#include "room/state.h"

#include <stdlib.h>

/* Nobody put out is ever forgotten: a list that is full refuses the next. */
static void shut_out(struct room *room, struct id128 player)
{
    if (room->kicked == NULL) {
        room->kicked = calloc(ROOM_KICKED_MAX, sizeof *room->kicked);
        CHECK(room->kicked != NULL);
    }
    CHECK(room->kicked_count < ROOM_KICKED_MAX);
    room->kicked[room->kicked_count++] = player;
}

enum reason room_put_out_fault(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    if (person == NULL || id128_is_zero(person->player)) return REASON_NOT_SEATED;
    return room->kicked_count == ROOM_KICKED_MAX ? REASON_NOT_NOW : REASON_NONE;
}

void room_put_out(struct change *change, int s)
{
    struct room_seat *seat = &change->room->seats[s];
    shut_out(change->room, seat->player);
    if (seat->connected) {
        change->out->dropped = room_bit(s);
        change->out->dropped_why = DROPPED_KICKED;
    }
    seat->player = (struct id128){0};
    room_tell(change, ROOM_KICKED, s);
    room_seat_give_up(change, s);
}

enum room_verdict room_on_put_out(struct change *change)
{
    enum reason fault = room_put_out_fault(change->room, change->input->seat);
    if (fault != REASON_NONE) return room_refuse(change, fault);
    room_put_out(change, change->input->seat);
    return ROOM_ACCEPTED;
}

enum room_verdict room_on_shut(struct change *change)
{
    if (room_runs(change->room)) room_game_abandon(change);
    change->room->deleted = true;
    change->out->deleted = true;
    change->out->changed |= SECTION_ROOM;
    return ROOM_ACCEPTED;
}
