/* SPDX-License-Identifier: Apache-2.0
 *
 * A player without a screen: speaks client.proto over a WebSocket, answers pings, folds frames,
 * remembers what it was told. Everything that waits has a limit and says whether it came about.
 *
 *     struct ws_client player = {0};
 *     ws_connect(&player, "127.0.0.1", port, 2000);
 *     ws_hello(&player, 2000);
 *     ws_create(&player, "davinci-code", "민수", NULL, 0, 2000);
 *     ws_wait(&player, ws_is_playing, NULL, 5000);
 *
 * Fields are for reading. One thread; many clients are served by waiting for one after the other
 * (the others' frames lie in their sockets meanwhile), or with ws_pump_all.
 */
#ifndef CLUSTER_WS_CLIENT_H
#define CLUSTER_WS_CLIENT_H

#include "cluster/ws_socket.h"
#include "wire/delta.h"
#include "wire/reason.h"

enum { WS_TOKEN_BYTES_MAX = 128, WS_SEATS_MAX = 12 };

/* RoomView of client.proto. */
struct ws_view {
    char code[8], game[32];
    int state; /* RoomState */
    int host;
    bool is_public, can_start, abandoned;
    int seat_count;
    struct {
        bool taken, automatic;
        char name[100];
        uint32_t wins, games, points;
    } seats[WS_SEATS_MAX];
    uint32_t game_number;
    int playing[WS_SEATS_MAX], playing_count;
    int starter;
};
enum { WS_LOBBY = 1, WS_PLAYING, WS_RESULT, WS_PAUSED, WS_SET_ASIDE }; /* view.state */
bool ws_view_decode(struct slice bytes, struct ws_view *out);

struct ws_client {
    struct ws_socket socket;
    /* Told of each frame once the client has made of it what it does. A delta of a room then says
     * what it is, or has no epoch: its base was missing. NULL: nobody is told. */
    void (*heard)(struct ws_client *client, const struct server_frame *frame);
    char host[64];
    int port;

    uint8_t token[WS_TOKEN_BYTES_MAX];
    size_t token_len;
    uint64_t window; /* of this page load; drawn at the first hello */
    uint32_t line;
    bool welcomed;

    bool in_room; /* SeatGranted came, Detached did not */
    char code[8], name[100];
    int seat; /* -1: watches */
    uint32_t generation;
    uint64_t counter; /* of the last accepted act */
    int detached;     /* why, 0: not */

    struct version version; /* of the views below; {0, 0}: none yet */
    uint64_t game_version, room_time;
    struct ws_view view;
    struct buf room, presence, game, mine;
    int frames, wholes, resyncs;

    struct server_answer answer; /* the last; why.domain is "" or the game's id */
    char answer_domain[32];
    int answers; /* to the last act that was sent */
    struct {
        struct buf bytes;
        bool is_open, command;
        uint64_t counter, made_for;
    } act;
    struct client_frame entering; /* what it last asked to come in by; its texts are the caller's */
    uint32_t refused;             /* Reason of the last Refused, 0: none since ws_forget */
    int32_t refused_param;
    uint32_t notices; /* bits of 1 << notice_kind */
    uint32_t rtt_ms;
    int pongs; /* answers to its own pings */
    struct {
        bool came;
        char code[8], game[32];
        uint32_t seated, seats;
        bool playing;
    } found;
    struct {
        int count;
        char first[8];
        int lists;
    } rooms; /* the last PublicRooms */
    struct {
        int count;
        uint32_t waiting, needed;
    } quick;
};

/* ---- the connection -------------------------------------------------------------------------- */

bool ws_connect(struct ws_client *client, const char *host, int port, int timeout_ms);
/* On a connection of socket_dial; takes fd. */
bool ws_connect_on(struct ws_client *client, int fd, const char *host, int port, int timeout_ms);
/* Cut, as by a lift or a tunnel. Token, seat and views are kept, as a browser keeps them. */
void ws_cut(struct ws_client *client);
/* Cut, connect, hello, and back into the room with what it has. */
bool ws_come_back(struct ws_client *client, int port, int timeout_ms);
void ws_free(struct ws_client *client);

/* Takes what has come, for at most timeout_ms until there is something. 1: a frame; 0: none; -1:
 * closed (socket.close_code). */
int ws_pump(struct ws_client *client, int timeout_ms);
/* Without waiting, from all of them. */
void ws_pump_all(struct ws_client *clients, int count);
/* Until the condition holds. */
typedef bool (*ws_condition)(const struct ws_client *client, const void *context);
bool ws_wait(struct ws_client *client, ws_condition condition, const void *context, int timeout_ms);
bool ws_send(struct ws_client *client, const struct client_frame *frame);

/* ---- what a player says: nothing is waited for ----------------------------------------------- */

bool ws_say_hello(struct ws_client *client);
bool ws_say_create(struct ws_client *client, const char *game, const char *name,
                   const struct option_pair *options, int option_count);
bool ws_say_join(struct ws_client *client, const char *code, const char *name);
/* Back into the room with what it has. */
bool ws_say_return(struct ws_client *client);

/* ---- what a player does: each waits for the answer ------------------------------------------- */

bool ws_hello(struct ws_client *client, int timeout_ms);
bool ws_create(struct ws_client *client, const char *game, const char *name,
               const struct option_pair *options, int option_count, int timeout_ms);
bool ws_join(struct ws_client *client, const char *code, const char *name, int timeout_ms);
bool ws_watch(struct ws_client *client, const char *code, const char *name, int timeout_ms);
bool ws_leave(struct ws_client *client, int timeout_ms);
/* A game's Action, made for the view that the client holds. True: accepted; else see answer. */
bool ws_act(struct ws_client *client, struct slice action, int timeout_ms);
/* A RoomCommand. */
bool ws_command(struct ws_client *client, struct slice command, int timeout_ms);
bool ws_start(struct ws_client *client, int timeout_ms);
/* Sends without waiting; the counter it went out with. */
uint64_t ws_send_act(struct ws_client *client, bool command, struct slice bytes);
/* The last one once more, after an answer that was none ("busy"). */
void ws_repeat_act(struct ws_client *client);
void ws_forget(struct ws_client *client); /* refused, notices, found */

/* ---- conditions ------------------------------------------------------------------------------ */

bool ws_is_playing(const struct ws_client *client, const void *unused);
bool ws_has_result(const struct ws_client *client, const void *unused);
bool ws_has_view(const struct ws_client *client, const void *unused);
bool ws_is_detached(const struct ws_client *client, const void *unused);
bool ws_is_refused(const struct ws_client *client, const void *unused);
bool ws_has_seated(const struct ws_client *client, const void *count);    /* const int * */
bool ws_has_reached(const struct ws_client *client, const void *version); /* struct version * */

#endif
