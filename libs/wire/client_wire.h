/* SPDX-License-Identifier: Apache-2.0
 *
 * What a browser and a gateway say to each other (client.proto), as plain structs. The gateway
 * decodes ClientFrames and encodes ServerFrames; clients written in C (tests, simulator, tools) use
 * the other two functions.
 *
 * Texts are NUL-terminated and never NULL. Decoding copies into an arena and never keeps the bytes.
 * What a frame carries for somebody else (a game's action, a section of a view) stays bytes.
 */
#ifndef WIRE_CLIENT_WIRE_H
#define WIRE_CLIENT_WIRE_H

#include "wire/cluster.h"

enum {
    CLIENT_PROTOCOL = 2,           /* the number that this build speaks */
    CLIENT_FRAME_BYTES_MAX = 4096, /* of a ClientFrame */
    SERVER_FRAME_BYTES_MAX = 1 << 17,
    CLIENT_GAMES_MAX = 16,
    CLIENT_CHOICES_MAX = 12, /* of an option */
};

/* ---- browser to gateway ---------------------------------------------------------------------- */

/* The numbers of the fields in client.proto. */
enum client_kind {
    CLIENT_HELLO = 1,
    CLIENT_CREATE,
    CLIENT_JOIN,
    CLIENT_QUICK,
    CLIENT_CANCEL_QUICK,
    CLIENT_WATCH_ROOMS,
    CLIENT_LEAVE,
    CLIENT_ACT,
    CLIENT_RESYNC,
    CLIENT_PING,
    CLIENT_PONG,
    CLIENT_LOOK_UP,
};

struct client_hello {
    uint32_t protocol;
    struct slice token;
    uint64_t window; /* which page load this is; later ones are higher */
    uint32_t line;   /* which connection of it: 1, 2, ... */
};
struct client_create {
    const char *game, *name;
    bool is_public;
    struct option_pair options[WIRE_OPTIONS_MAX];
    int option_count;
};
struct client_join {
    const char *code, *name;
    bool spectate;
    struct version have;
    bool take_over;
    uint64_t window; /* of this coming in; 0: that of the hello */
    uint32_t generation;
};
struct client_quick {
    const char *game, *name;
};
struct client_act {
    uint32_t generation;
    uint64_t counter, made_for;
    bool command; /* bytes are a RoomCommand, without what this build does not know of it */
    struct slice bytes;
};

struct client_frame {
    enum client_kind kind;
    union {
        struct client_hello hello;
        struct client_create create;
        struct client_join join;
        struct client_quick quick;
        bool watch; /* WATCH_ROOMS */
        struct client_act act;
        uint64_t client_ms; /* PING */
        uint64_t nonce;     /* PONG */
        const char *code;   /* LOOK_UP */
    } u;
};

/* ST_INVALID: not a ClientFrame. ST_TOO_LARGE: a frame, a list or an action beyond its bound.
 * ST_UNKNOWN: a frame of a kind that this build does not know; out->kind is then 0, or CLIENT_ACT
 * for an act of an unknown kind, whose id (generation, counter) can be answered. */
enum status client_frame_decode(struct slice bytes, struct arena *arena, struct client_frame *out);
void client_frame_encode(const struct client_frame *frame, struct buf *out);

/* ---- gateway to browser ---------------------------------------------------------------------- */

enum server_kind {
    SERVER_WELCOME = 1,
    SERVER_REFUSED,
    SERVER_ROOMS,
    SERVER_QUICK,
    SERVER_SEAT,
    SERVER_ROOM,
    SERVER_ANSWER,
    SERVER_DETACHED,
    SERVER_NOTICE,
    SERVER_PING,
    SERVER_PONG,
    SERVER_FOUND,
};

struct client_option {
    const char *key;
    int kind; /* OptionKind of client.proto */
    struct {
        int32_t value;
        const char *key;
    } choices[CLIENT_CHOICES_MAX];
    int choice_count;
    int32_t min, max, default_value;
    const char *depends_key;
    int32_t depends_value;
};
struct client_game {
    const char *id;
    uint32_t seats_min, seats_max, rules_version;
    struct client_option *options;
    int option_count;
    const char *solo_key; /* "" for none */
};

struct server_welcome {
    uint32_t protocol;
    struct slice token;
    struct client_game *games;
    int game_count;
    const char *build;
};
struct server_refused {
    struct refusal why;
    bool retry;
};
struct server_rooms {
    struct public_room *list;
    int count;
};
struct server_quick {
    const char *game;
    uint32_t waiting, needed, left_ms;
};
struct server_seat {
    const char *code;
    int32_t seat;
    uint32_t generation;
    uint64_t counter, epoch;
};
struct server_event {
    uint64_t seq;
    struct slice shared, mine, room;
};
/* Whole, or a delta. Of a delta that was decoded, epoch, room_time and game_version are 0 and the
 * patched sections are patches, until delta_resolve (wire/delta.h) has made them what they are. */
struct server_room {
    struct version version;
    uint64_t since; /* the seq it builds on; 0: whole */
    uint64_t room_time, game_version;
    int64_t passed;     /* a delta: ms of room time since its base */
    int64_t game_ahead; /* a delta: by how much more than seq game_version has risen */
    uint32_t patched;   /* SECTION_ bits */
    struct slice room, presence, game, mine; /* empty: absent */
    struct server_event *events;
    int event_count;
};
struct server_answer {
    uint32_t generation;
    uint64_t counter;
    bool ok;
    struct refusal why; /* when not ok */
    uint64_t seq;
};
/* The numbers of Notice.Kind. */
enum notice_kind {
    NOTICE_ROOM_UNREACHABLE = 1,
    NOTICE_ROOM_BACK,
    NOTICE_GATEWAY_LEAVING,
    NOTICE_MATCHED
};
struct server_found {
    const char *code, *game;
    uint32_t seated, seats;
    bool playing;
};

struct server_frame {
    enum server_kind kind;
    union {
        struct server_welcome welcome;
        struct server_refused refused;
        struct server_rooms rooms;
        struct server_quick quick;
        struct server_seat seat;
        struct server_room room;
        struct server_answer answer;
        enum dropped_why detached; /* the numbers of Detached.Why */
        enum notice_kind notice;
        struct {
            uint64_t nonce;
            uint32_t rtt_ms;
            uint32_t next_ms; /* until the next ping; 0: not told */
        } ping;
        struct {
            uint64_t client_ms, server_ms;
        } pong;
        struct server_found found;
    } u;
};

void server_frame_encode(const struct server_frame *frame, struct buf *out);
/* As client_frame_decode; ST_UNKNOWN for a kind that this build does not know. */
enum status server_frame_decode(struct slice bytes, struct arena *arena, struct server_frame *out);

#endif
