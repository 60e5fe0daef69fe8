/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated browser. It knows what a browser knows: what arrived on its socket. Only to choose a
 * move it looks into the shadow of its room, as a person would look at the table.
 */
#ifndef SIM_PLAYER_H
#define SIM_PLAYER_H

#include "sim/world.h"

enum player_kind { PLAYER_HONEST, PLAYER_CLUMSY, PLAYER_HOSTILE };

/* What became of an accepted action, see check_action.c. */
struct player_outcome {
    room_id room; /* 0: none */
    uint32_t generation;
    uint64_t counter, seq;
};

struct player {
    int index, group; /* of one group is who shares a room */
    enum player_kind kind;
    bool looks; /* at the list of public rooms, and nothing else */
    bool alone; /* has a room of its own, since it was shut out of the other */
    bool told_full;
    int tries;    /* a hostile one's, of codes one after the other */
    bool watches; /* the table is full without it */
    char name[16];
    struct rng moves; /* what a game draws its random action from */

    uint64_t socket; /* 0: not connected */
    int gateway;
    uint64_t gateway_life;
    instant_ms last_in, last_out; /* a socket keeps its order, both ways */
    uint64_t floor;               /* of the frame that it reads now, see check_floor.c */
    int unread;                   /* frames on their way to it */
    instant_ms slow_until;        /* its browser reads slowly */
    instant_ms reads_until;       /* and what it was given meanwhile, until then */
    instant_ms opened_at;
    instant_ms asked_at; /* create or join is under way since then; 0: not */
    bool welcomed, attached, reload;
    uint64_t window; /* this page load */
    uint32_t line;
    uint8_t token[64];
    size_t token_len;
    struct id128 id; /* out of the token, for the checkers */

    char code[WIRE_CODE_LEN + 1];
    room_id room;
    int seat;
    uint32_t generation;
    uint64_t counter;
    struct version version;
    uint64_t game_version;
    instant_ms room_time;   /* of the last frame */
    struct buf sections[4]; /* room, presence, game, mine: folded */

    bool acting; /* one act is unanswered */
    struct {
        uint64_t counter, made_for;
        bool command;
        uint8_t bytes[GAME_ACTION_BYTES_MAX];
        size_t len;
    } act;
    struct player_outcome outcomes[ROOM_OUTCOMES_MAX]; /* by counter */
    uint64_t acked; /* highest counter acknowledged in this room */
    /* What it was told may be lost, until it hears of the room, and of its seat, as they are. */
    bool lossy, lossy_seat;
    instant_ms attached_at;

    room_id shut_out;       /* of that room; 0: of none */
    uint64_t shut_out_lost; /* what that room had lost by then: it may have lost the kick since */
    int turned_away;        /* times, since then */
    bool knocks;            /* there, once more */

    room_id list[WIRE_PUBLIC_MAX]; /* that it sees */
    int list_count;
    instant_ms list_at; /* since when; 0: it sees none */

    struct buf *tape; /* if there is one: instant and bytes of all that its socket was given */
    bool stranger;    /* comes in by quick match, alone */
    instant_ms quick_since;
};

/* ---- player_socket.c ---- */
void player_open_socket(struct world *world, struct player *player);
/* The browser lets go of its socket; the gateway hears of it now or later. */
void player_drop_socket(struct world *world, struct player *player, instant_ms later_ms);
void player_has_read(struct world *world, struct player *player);
void player_forget_socket(struct player *player);
void player_send(struct world *world, struct player *player, const struct client_frame *frame);
void player_send_garbage(struct world *world, struct player *player);

/* ---- player_reads.c ---- */
void player_on_frame(struct world *world, struct player *player, struct slice bytes);

/* ---- player_rude.c ---- */
/* Whether it sent something that is to be refused, instead of what others would do now. */
bool player_is_rude(struct world *world, struct player *player);

/* ---- player_host.c ---- */
/* Some options of the game, at random; none when they do not go together for so many. */
void player_choose_options(struct world *world, struct client_create *create);
/* Whether it did what hosts do, instead of what everybody does. */
bool player_hosts(struct world *world, struct player *player, const struct room *room);

/* ---- player_list.c ---- */
void player_looks(struct world *world, struct player *player);
void player_on_list(struct world *world, struct player *player, const struct server_rooms *rooms);

/* ---- player.c ---- */
/* That it wants to play. */
const struct game *player_game(const struct world *world, const struct player *player);
void player_command(struct world *world, struct player *player, struct slice command);
void player_send_act(struct world *world, struct player *player);
/* The room is no more: it starts from nothing. */
void player_leave_room(struct player *player);
/* A game's action for the screen that it has. */
void player_act(struct world *world, struct player *player, struct slice action);

#endif
