/* SPDX-License-Identifier: Apache-2.0
 *
 * What a room tells of itself to whoever keeps it.
 */
#include "room/room.h"

#include "room/state.h"

#include <stdio.h>

struct room_record room_record_of(const struct room *room)
{
    return room->record;
}

const struct game *room_game(const struct room *room)
{
    return room->game;
}

uint64_t room_position(const struct room *room)
{
    return room->position;
}

uint64_t room_seq(const struct room *room)
{
    return room->seq;
}

uint64_t room_game_version(const struct room *room)
{
    return room->game_version;
}

instant_ms room_time(const struct room *room)
{
    return room->now;
}

bool room_playing(const struct room *room)
{
    return room_runs(room);
}

uint32_t room_phase_number(const struct room *room)
{
    return (uint32_t)room->phase;
}

bool room_is_over(const struct room *room)
{
    return room->deleted;
}

uint32_t room_last_game(const struct room *room, uint64_t *first)
{
    *first = room->first;
    return room->game_number;
}

instant_ms room_deadline(const struct room *room, uint64_t *number)
{
    if (number) *number = room->deadline_number;
    return room->deadline;
}

uint32_t room_generation(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    return person ? person->generation : 0;
}

uint64_t room_window(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    return person ? person->window : 0;
}

uint64_t room_counter(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    return person ? person->counter : 0;
}

bool room_connected(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    return person && person->connected;
}

bool room_may_watch(const struct room *room, struct id128 player)
{
    return !room_is_kicked(room, player);
}

int room_seat_count(const struct room *room)
{
    return room->seat_count;
}

bool room_shows_rtt(const struct room *room)
{
    return game_shows_rtt(room->game, &room->options);
}

void room_summary_of(const struct room *room, struct room_summary *out)
{
    const struct room_seat *host = room_seat_at(room, room_seat_of_member(room, room->host));
    int seated = room_count_taken(room);
    *out = (struct room_summary){
        .game = room->game->id,
        .host = host ? host->name : "",
        .seated = (uint32_t)seated,
        .seats = (uint32_t)room->seat_count,
        .rules_version = room->game->rules_version,
        .playing = room_runs(room),
        .listed = room->is_public && !room->quick && !room_runs(room) && !room->deleted &&
                  seated < room->seat_count && room_count_connected(room) > 0,
    };
    memcpy(out->code, room->record.code, sizeof out->code);
}
