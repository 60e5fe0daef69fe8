/* SPDX-License-Identifier: Apache-2.0
 *
 * What a room shows: its own part as RoomView, Presence and RoomHappened of client.proto, and the
 * game's sections, which the game alone writes. The room part reads seats, options and the phase,
 * never the game's state.
 */
#include "base/check.h"
#include "room/state.h"

#include "client.pb-c.h"

_Static_assert(ROOM_LOBBY == (int)MADANG__V1__ROOM_STATE__ROOM_STATE_LOBBY &&
                   ROOM_SET_ASIDE == (int)MADANG__V1__ROOM_STATE__ROOM_STATE_SET_ASIDE,
               "phases are numbered as on the wire");
_Static_assert(ROOM_NAMED == (int)MADANG__V1__ROOM_HAPPENED__KIND__KIND_NAMED &&
                   ROOM_PAUSED_NOW == (int)MADANG__V1__ROOM_HAPPENED__KIND__KIND_PAUSED,
               "happenings are numbered as on the wire");

static void append(const ProtobufCMessage *message, struct buf *out)
{
    size_t len = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, buf_extend(out, len));
}

void room_happened_encode(enum room_happening kind, int seat, const char *name, struct buf *out)
{
    Madang__V1__RoomHappened wire = MADANG__V1__ROOM_HAPPENED__INIT;
    wire.kind = (Madang__V1__RoomHappened__Kind)kind;
    wire.seat = seat > 0 ? (uint32_t)seat : 0;
    wire.name = (char *)name;
    append(&wire.base, out);
}

/* ---- the room -------------------------------------------------------------------------------- */

struct view_parts {
    Madang__V1__RoomView view;
    Madang__V1__SeatView seat[GAME_SEATS_MAX], *seats[GAME_SEATS_MAX];
    Madang__V1__PlayerView player[GAME_SEATS_MAX], *players[GAME_SEATS_MAX];
    Madang__V1__OptionValue option[GAME_OPTIONS_MAX], *options[GAME_OPTIONS_MAX];
    uint32_t playing[GAME_SEATS_MAX];
};

/* The first of several who look alike goes without a number, the one who came next is 2, and so
 * on. */
static uint32_t number_among(uint32_t alike_before)
{
    return alike_before == 0 ? 0 : alike_before + 1;
}

static uint32_t seat_number(const struct room *room, const struct room_seat *seat)
{
    uint32_t before = 0, alike = 0;
    for (int s = 0; s < room->seat_count; s++) {
        const struct room_seat *other = &room->seats[s];
        if (!other->taken || other->look != seat->look) continue;
        alike++;
        before += other->member < seat->member;
    }
    return alike > 1 ? number_among(before) : 0;
}

static uint32_t player_number(const struct room *room, const struct room_player *player)
{
    uint32_t before = 0;
    for (int g = 0; g < room->player_count; g++)
        before += room->players[g].look == player->look && room->players[g].member < player->member;
    return number_among(before);
}

static void fill_seats(const struct room *room, struct view_parts *parts)
{
    seat_mask hurried = room_hurried(room);
    for (int s = 0; s < room->seat_count; s++) {
        const struct room_seat *from = &room->seats[s];
        Madang__V1__SeatView *to = parts->seats[s] = &parts->seat[s];
        madang__v1__seat_view__init(to);
        if (!from->taken) continue;
        to->taken = true;
        to->name = (char *)from->name;
        to->name_number = seat_number(room, from);
        to->wins = from->wins;
        to->points = from->points;
        to->games = from->games;
        to->automatic = from->left;
        to->hurried = (hurried & room_bit(s)) != 0;
        to->member = from->member;
    }
    parts->view.n_seats = (size_t)room->seat_count;
    parts->view.seats = parts->seats;
}

static void fill_players(const struct room *room, struct view_parts *parts)
{
    for (int g = 0; g < room->player_count; g++) {
        const struct room_player *from = &room->players[g];
        Madang__V1__PlayerView *to = parts->players[g] = &parts->player[g];
        madang__v1__player_view__init(to);
        to->name = (char *)from->name;
        to->name_number = player_number(room, from);
        to->member = from->member;
        to->left = room_runs(room) ? room->seats[from->seat].left : from->left;
        parts->playing[g] = from->seat;
    }
    parts->view.n_players = parts->view.n_playing = (size_t)room->player_count;
    parts->view.players = parts->players;
    parts->view.playing = parts->playing;
}

static void fill_options(const struct room *room, struct view_parts *parts)
{
    const struct game *game = room->game;
    for (int i = 0; i < game->option_count; i++) {
        Madang__V1__OptionValue *to = parts->options[i] = &parts->option[i];
        madang__v1__option_value__init(to);
        to->key = (char *)game->options[i].key;
        to->value = room->options.value[i];
    }
    parts->view.n_options = (size_t)game->option_count;
    parts->view.options = parts->options;
}

static void fill_start(const struct room *room, Madang__V1__RoomView *view)
{
    bool refused;
    int unused, missing = game_seats_least(room->game, &room->options);
    missing -= room_count_connected(room);
    view->verdict = (char *)room_options_verdict(room, &refused);
    bool may_start = room_start_fault(room, &unused) == REASON_NONE;
    view->can_start = may_start && !room_awaits_matched(room);
    view->seats_needed = missing > 0 && !room_runs(room) ? (uint32_t)missing : 0;
    view->quick = room->quick;
    if (room->quick && room->phase == ROOM_LOBBY && room->quick_since != INSTANT_NEVER)
        view->starts_at = room->quick_since + ROOM_QUICK_MS;
    if (room->phase == ROOM_PAUSED) view->closes_at = room->phase_since + ROOM_ABANDON_MS;
    view->starter = room->phase == ROOM_RESULT ? room_seat_of_member(room, room->starter) : -1;
}

void room_write_view(const struct room *room, struct buf *out)
{
    struct view_parts parts;
    Madang__V1__RoomView *view = &parts.view;
    madang__v1__room_view__init(view);
    view->code = (char *)room->record.code;
    view->game = (char *)room->game->id;
    view->state = (Madang__V1__RoomState)room->phase;
    view->is_public = room->is_public;
    view->host = room_seat_of_member(room, room->host);
    view->game_number = room->game_number;
    view->abandoned = room->abandoned;
    view->game_behind = room->behind;
    fill_seats(room, &parts);
    fill_players(room, &parts);
    fill_options(room, &parts);
    fill_start(room, view);
    append(&view->base, out);
}

void room_write_presence(const struct room *room, const uint32_t *rtt_ms, uint32_t watchers,
                         const char *const *watcher_names, int name_count, struct buf *out)
{
    Madang__V1__Presence presence = MADANG__V1__PRESENCE__INIT;
    Madang__V1__SeatPresence seat[GAME_SEATS_MAX], *seats[GAME_SEATS_MAX];
    char *names[ROOM_SPECTATOR_NAMES_MAX];
    bool shown = room_shows_rtt(room);
    for (int s = 0; s < room->seat_count; s++) {
        seats[s] = &seat[s];
        madang__v1__seat_presence__init(&seat[s]);
        seat[s].connected = room->seats[s].taken && room->seats[s].connected;
        seat[s].rtt_ms = seat[s].connected && rtt_ms && shown ? rtt_ms[s] : 0;
    }
    if (name_count > ROOM_SPECTATOR_NAMES_MAX) name_count = ROOM_SPECTATOR_NAMES_MAX;
    for (int i = 0; i < name_count; i++) names[i] = (char *)watcher_names[i];
    presence.n_seats = (size_t)room->seat_count;
    presence.seats = seats;
    presence.spectators = watchers;
    presence.n_spectator_names = (size_t)name_count;
    presence.spectator_names = names;
    append(&presence.base, out);
}

/* ---- the game -------------------------------------------------------------------------------- */

void room_write_game(const struct room *room, struct buf *shared)
{
    if (room->game_state == NULL) return;
    struct game_viewer viewer = {.seat = GAME_SPECTATOR};
    room->game->view(room->game_state, &viewer, shared, NULL);
}

void room_write_mine(const struct room *room, int seat, struct buf *mine)
{
    int game_seat = room_game_seat(room, seat);
    if (room->game_state == NULL || game_seat < 0) return;
    struct game_viewer viewer = {
        .seat = game_seat,
        .host = room->seats[seat].member == room->host,
    };
    room->game->view(room->game_state, &viewer, NULL, mine);
}
