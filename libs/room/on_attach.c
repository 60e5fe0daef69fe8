/* SPDX-License-Identifier: Apache-2.0
 *
 * Coming and going: a person sits down, comes back, drops out, leaves.
 *
 * A seat belongs to a player (the token's id) and is held by a generation: one window of one
 * device. Generations rise over the whole room and none is given twice, so an action that was sent
 * for a seat before its person left and sat down again can never be taken for a new one.
 */
#include "base/check.h"
#include "room/state.h"

static enum room_verdict sit_down(struct change *change, int wanted)
{
    struct room *room = change->room;
    if (room_runs(room)) return room_refuse(change, REASON_GAME_RUNS);
    int seat = wanted >= 0 ? wanted : room_lowest_free(room);
    if (seat < 0) return room_refuse_with(change, REASON_ROOM_FULL, (uint64_t)room->seat_count);
    if (room->seats[seat].taken) return room_refuse(change, REASON_SEAT_TAKEN);
    enum name_fault fault = room_take_name(change, change->input->name);
    if (fault != NAME_FAULT_NONE) return room_refuse_with(change, REASON_BAD_NAME, fault);

    room_seat_take(change, seat);
    if (room->quick && room->quick_since == INSTANT_NEVER) {
        room->quick_since = change->at;
    }
    change->out->seat = seat;
    return ROOM_ACCEPTED;
}

/* Somebody is there again: the game's clock goes on where it stood. */
static void wake(struct change *change)
{
    struct room *room = change->room;
    if (room->phase != ROOM_PAUSED) return;
    room->behind += change->at - room->phase_since;
    room->phase = ROOM_PLAYING;
    room->phase_since = change->at;
    change->out->changed |= SECTION_ROOM;
}

/* The person of a seat is back on it, connected and not played by the clock. */
static void take_up_again(struct change *change, int s)
{
    struct room_seat *seat = &change->room->seats[s];
    wake(change);
    if (seat->left) {
        seat->left = false;
        change->out->changed |= SECTION_ROOM;
    }
    room_seat_connect(change, s, true);
    room_tell(change, ROOM_RETURNED, s);
    room_game_presence(change, s);
}

/* The window that holds the seat keeps its generation when its connection stands; a fresh page and
 * a person's tap are newer than any other window; an older window hears of the newer one. A
 * generation that this room never gave (its log lost an end) counts as none.
 *
 * A window whose connection was cut before it heard its generation comes back with an older one: it
 * is known by its name, and of its connections the later is the newer. */
static enum room_verdict come_back(struct change *change, int s, bool take_over)
{
    const struct room_input *input = change->input;
    struct room *room = change->room;
    struct room_seat *seat = &room->seats[s];
    change->out->seat = s;

    bool same_window = input->window != 0 && input->window == seat->window;
    bool fresh = take_over || input->generation == 0 || input->generation > room->generations ||
                 (same_window && input->line > seat->line);
    bool older = same_window ? input->line < seat->line : input->generation < seat->generation;
    if (MUTANT(older_window_wins)) older = false;
    if (older && (!fresh || (same_window && !take_over)))
        return room_refuse(change, REASON_OTHER_WINDOW);
    bool keeps = !fresh && input->generation_stands;
    bool returns = !seat->connected;
    if (keeps && !returns) return ROOM_SAME;

    if (!keeps) {
        seat->generation = ++room->generations;
        seat->window = input->window;
        seat->line = input->line;
        if (seat->connected) {
            change->out->dropped = room_bit(s);
            change->out->dropped_why = DROPPED_OTHER_WINDOW;
        }
    }
    if (returns) take_up_again(change, s);
    return ROOM_ACCEPTED;
}

enum room_verdict room_come_in(struct change *change, int seat, bool take_over)
{
    struct id128 player = change->input->player;
    if (id128_is_zero(player)) return room_refuse(change, REASON_MALFORMED);
    if (room_is_kicked(change->room, player)) return room_refuse(change, REASON_KICKED);
    int own = room_seat_of(change->room, player);
    if (MUTANT(second_seat)) own = -1;
    return own >= 0 ? come_back(change, own, take_over) : sit_down(change, seat);
}

enum room_verdict room_on_attach(struct change *change)
{
    return room_come_in(change, -1, change->input->take_over);
}

enum room_verdict room_on_detach(struct change *change)
{
    int s = change->input->seat;
    const struct room_seat *seat = room_seat_at(change->room, s);
    if (seat == NULL || !seat->connected || seat->generation != change->input->generation)
        return ROOM_SAME;
    room_seat_connect(change, s, false);
    room_tell(change, ROOM_AWAY, s);
    room_game_presence(change, s);
    return ROOM_ACCEPTED;
}

enum room_verdict room_on_leave(struct change *change)
{
    int s = change->input->seat;
    const struct room_seat *seat = room_seat_at(change->room, s);
    if (seat == NULL) return room_refuse(change, REASON_NOT_SEATED);
    if (seat->generation != change->input->generation)
        return room_refuse(change, REASON_OTHER_WINDOW);
    if (seat->left) return ROOM_SAME;

    if (seat->connected) {
        change->out->dropped = room_bit(s);
        change->out->dropped_why = DROPPED_LEFT;
    }
    room_tell(change, ROOM_LEFT, s);
    room_seat_give_up(change, s);
    return ROOM_ACCEPTED;
}
