/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ws_client.h"

#include "client.pb-c.h"

static void copy(char *to, size_t size, const char *from)
{
    size_t len = strnlen(from, size - 1);
    memcpy(to, from, len);
    to[len] = '\0';
}

bool ws_view_decode(struct slice bytes, struct ws_view *out)
{
    Madang__V1__RoomView *view = madang__v1__room_view__unpack(NULL, bytes.len, bytes.at);
    if (view == NULL) return false;
    *out = (struct ws_view){
        .state = (int)view->state,
        .host = view->host,
        .is_public = view->is_public,
        .can_start = view->can_start,
        .abandoned = view->abandoned,
        .game_number = view->game_number,
        .starter = view->starter,
    };
    copy(out->code, sizeof out->code, view->code);
    copy(out->game, sizeof out->game, view->game);
    for (size_t i = 0; i < view->n_seats && i < WS_SEATS_MAX; i++) {
        const Madang__V1__SeatView *seat = view->seats[i];
        out->seats[i].taken = seat->taken;
        out->seats[i].automatic = seat->automatic;
        out->seats[i].wins = seat->wins;
        out->seats[i].games = seat->games;
        out->seats[i].points = seat->points;
        copy(out->seats[i].name, sizeof out->seats[i].name, seat->name);
        out->seat_count = (int)i + 1;
    }
    for (size_t i = 0; i < view->n_playing && i < WS_SEATS_MAX; i++)
        out->playing[out->playing_count++] = (int)view->playing[i];
    madang__v1__room_view__free_unpacked(view, NULL);
    return true;
}
