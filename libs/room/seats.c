/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sits where, who is connected, who is host.
 */
#include "base/check.h"
#include "room/state.h"

#include <stdio.h>

struct room_seat *room_seat_at(const struct room *room, int seat)
{
    if (seat < 0 || seat >= room->seat_count || !room->seats[seat].taken) return NULL;
    return &room->seats[seat];
}

int room_seat_of_member(const struct room *room, uint32_t member)
{
    for (int s = 0; s < room->seat_count && member != 0; s++)
        if (room->seats[s].taken && room->seats[s].member == member) return s;
    return -1;
}

static bool is_of(const struct room_seat *seat, struct id128 player)
{
    const uint32_t *shown = &seat->member; /* to everybody */
    if (MUTANT(seat_by_public_id) && memcmp(player.byte, shown, sizeof *shown) == 0) return true;
    return id128_equal(seat->player, player);
}

int room_seat_of(const struct room *room, struct id128 player)
{
    if (id128_is_zero(player)) return -1;
    for (int s = 0; s < room->seat_count; s++)
        if (room->seats[s].taken && is_of(&room->seats[s], player)) return s;
    return -1;
}

int room_lowest_free(const struct room *room)
{
    for (int s = 0; s < room->seat_count; s++)
        if (!room->seats[s].taken) return s;
    return -1;
}

int room_count_taken(const struct room *room)
{
    int count = 0;
    for (int s = 0; s < room->seat_count; s++) count += room->seats[s].taken;
    return count;
}

int room_count_connected(const struct room *room)
{
    int count = 0;
    for (int s = 0; s < room->seat_count; s++)
        count += room->seats[s].taken && room->seats[s].connected;
    return count;
}

seat_mask room_taken(const struct room *room)
{
    seat_mask mask = 0;
    for (int s = 0; s < room->seat_count; s++)
        if (room->seats[s].taken) mask |= room_bit(s);
    return mask;
}

bool room_is_kicked(const struct room *room, struct id128 player)
{
    for (int i = 0; i < room->kicked_count; i++)
        if (id128_equal(room->kicked[i], player)) return true;
    return false;
}

void room_seat_name(struct room_seat *seat, const char *name)
{
    memset(seat->name, 0, sizeof seat->name);
    snprintf(seat->name, sizeof seat->name, "%s", name);
    seat->look = name_look(slice_text(seat->name));
}

void room_seat_take(struct change *change, int s)
{
    struct room *room = change->room;
    struct room_seat *seat = &room->seats[s];
    CHECK(!seat->taken);
    *seat = (struct room_seat){
        .taken = true,
        .connected = true,
        .member = ++room->members,
        .player = change->input->player,
        .generation = ++room->generations,
        .window = change->input->window,
        .line = change->input->line,
    };
    room_seat_name(seat, change->name);
    change->out->changed |= SECTION_ROOM | SECTION_PRESENCE;
    room_tell(change, ROOM_JOINED, s);
}

void room_seat_connect(struct change *change, int s, bool connected)
{
    struct room_seat *seat = &change->room->seats[s];
    CHECK(seat->taken && seat->connected != connected);
    seat->connected = connected;
    seat->away_since = connected ? 0 : change->at;
    /* Who is connected decides whether a start is possible, which the view tells. */
    change->out->changed |= SECTION_PRESENCE | (room_runs(change->room) ? 0 : SECTION_ROOM);
}

void room_seat_free(struct room *room, int s)
{
    room->seats[s] = (struct room_seat){0};
}

void room_seat_give_up(struct change *change, int s)
{
    struct room *room = change->room;
    struct room_seat *seat = &room->seats[s];
    change->out->changed |= SECTION_ROOM | SECTION_PRESENCE | SECTION_MINE;
    if (!room_runs(room)) {
        room_seat_free(room, s);
        return;
    }
    seat->left = true;
    if (seat->connected) room_seat_connect(change, s, false);
    room_game_presence(change, s);
}

uint32_t room_longest_seated(const struct room *room, uint32_t except)
{
    uint32_t first = 0;
    for (int s = 0; s < room->seat_count; s++) {
        const struct room_seat *seat = &room->seats[s];
        if (!seat->taken || !seat->connected || seat->member == except) continue;
        if (first == 0 || seat->member < first) first = seat->member;
    }
    return first;
}

void room_pass_host(struct change *change)
{
    struct room *room = change->room;
    uint32_t next = room_longest_seated(room, room->host);
    if (next == room->host) return;
    room->host = next;
    /* A game may show its host more than others. */
    change->out->changed |= SECTION_ROOM | (room->game_state ? SECTION_MINE : 0);
    if (next != 0) room_tell(change, ROOM_HOST, room_seat_of_member(room, next));
}
