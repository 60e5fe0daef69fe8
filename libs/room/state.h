/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a room and what its files share. Nobody outside libs/room and its tests includes
 * this.
 *
 *   room.c       open, close, step, replay: one input in, one outcome out
 *   on_*.c       one handler per kind of input: guard first, change after, never half
 *   seats.c      who sits where, who is connected, who is host
 *   play.c       the room's side of a game: start, inputs, missed turns, end
 *   events.c     the last 64 events
 *   codec.c      canonical bytes and the hash
 *   *_wire.c     protobuf
 *   name.c       nicknames
 *
 * Persons are named by their member number, which no one else in this room ever gets: host, starter
 * and the players of a game survive a change of seats that way, and the longest seated is the one
 * with the smallest number.
 */
#ifndef ROOM_STATE_H
#define ROOM_STATE_H

#include "base/check.h"
#include "base/mutant.h"
#include "room/name.h"
#include "room/room.h"
#include "wire/reason.h"

enum {
    ROOM_EVENT_BYTES_USUAL = 2048,
    ROOM_ENTRY_BYTES_USUAL = 256, /* a start has more: that is given back */
    ROOM_EVENT_BYTES_MAX = 16384, /* of all events kept: older ones go first */
    ROOM_PAY_MS = 1000 / ROOM_ACTIONS_PER_S,
    ROOM_SPECTATOR_NAMES_MAX = 8,
};

/* The numbers of RoomState on the wire. */
enum room_phase { ROOM_LOBBY = 1, ROOM_PLAYING, ROOM_RESULT, ROOM_PAUSED, ROOM_SET_ASIDE };

/* The numbers of RoomHappened.Kind on the wire. */
enum room_happening {
    ROOM_JOINED = 1,
    ROOM_LEFT,
    ROOM_KICKED,
    ROOM_HOST,
    ROOM_OPTIONS,
    ROOM_STARTED,
    ROOM_FINISHED,
    ROOM_PAUSED_NOW,
    ROOM_RESUMED_NOW,
    ROOM_RETURNED,
    ROOM_AWAY,
    ROOM_ABANDONED,
    ROOM_NAMED,
};

/* Outcome of an accepted action; its counter is known from its place. */
struct room_answer {
    uint32_t generation; /* with the counter: the action's id */
    uint32_t seq;        /* low half of the version it is part of */
};

struct room_seat {
    bool taken;
    bool connected;
    bool left;           /* in a game: gave the seat up or was kicked */
    uint32_t member;     /* 1, 2, ... */
    struct id128 player; /* zero: kicked, nobody reaches this seat again */
    char name[WIRE_NAME_BYTES_MAX + 1];
    uint64_t look; /* name_look(name): derived */
    uint32_t generation;
    uint64_t window; /* that holds it, and by which of its connections */
    uint32_t line;
    uint64_t counter;                              /* highest accepted */
    struct room_answer answers[ROOM_OUTCOMES_MAX]; /* of counter c at c % 16 */
    instant_ms paid_until; /* accepted actions so far cost time until then, see room_admit */
    instant_ms away_since; /* while not connected */
    uint32_t wins, games;
    int32_t points;
    uint32_t missed; /* turns in a row, at most ROOM_MISSED_TURNS */
};

/* Who plays or played, by game seat; fixed at the start. */
struct room_player {
    uint32_t member;
    uint8_t seat; /* room seat at the start; holds while the game runs */
    bool left;    /* was played by the clock when the game ended */
    char name[WIRE_NAME_BYTES_MAX + 1];
    uint64_t look;
};

struct room_event {
    uint64_t seq;
    uint32_t member; /* whom `mine` is for, wherever that person sits now; 0: nobody */
    uint16_t shared_len, mine_len, room_len;
};

/* The last events, oldest first; their bytes follow each other in `bytes`: shared, mine, room. */
struct room_events {
    struct room_event *list; /* at most ROOM_EVENTS_MAX */
    int count, room;
    struct buf bytes;
    uint64_t whole_since; /* every event after this version is held */
    struct id128 chain;   /* over every event ever told: stands for the list in the state's hash */
};

enum room_due {
    ROOM_DUE_NOTHING,
    ROOM_DUE_PAUSE, /* nobody connected for ROOM_GRACE_MS */
    ROOM_DUE_GAME,
    ROOM_DUE_ABANDON,
    ROOM_DUE_QUICK, /* a quick match starts, or goes on as an open room */
    ROOM_DUE_HOST,  /* the host has been away from a lobby */
    ROOM_DUE_PUT_AWAY,
    ROOM_DUE_DELETE,
};

struct room {
    struct room_record record;
    const struct game *game; /* the version in force */

    uint64_t position, seq;
    uint64_t game_version; /* never falls, also not at a new game */
    instant_ms now;        /* stamp of the last entry */
    enum room_phase phase;
    instant_ms phase_since;
    bool is_public, quick, abandoned, put_away, deleted;
    struct game_options options;

    uint32_t members, generations; /* last given; neither is given twice in a room */
    uint32_t host, starter;        /* members; 0: none, as the starter is but after a game */
    instant_ms quiet_since; /* nobody seated is connected since then; INSTANT_NEVER: somebody is */
    instant_ms quick_since; /* first attach to a quick room */
    instant_ms put_away_since;

    uint32_t game_number;
    uint64_t first;    /* position of the game's start entry */
    instant_ms behind; /* the game's clock = room time - behind: pauses are not its time */
    bool turn_acted;   /* whose turn it is has done something in it */

    int seat_count, player_count;
    struct room_seat *seats; /* seat_count of each */
    struct room_player *players;
    struct id128 *kicked; /* ROOM_KICKED_MAX, once there is one */
    int kicked_count;

    void *game_state; /* NULL before the first game */
    struct room_events events;

    uint64_t deadline_number;
    instant_ms deadline; /* derived from the above */
    enum room_due due;

    struct buf entry;  /* lent */
    struct buf before; /* while an input that may start a game is on its way */
};

/* One input on its way through the room. */
struct change {
    struct room *room;
    const struct room_input *input; /* now is settled */
    instant_ms at;                  /* input->now */
    bool replayed;                  /* from the log */
    bool hidden;                    /* nobody may notice it: versions stay */
    char name[WIRE_NAME_BYTES_MAX +
              1]; /* normalised, of an input that brings one: goes into the log */
    struct room_outcome *out;
};

/* ---- room.c */
enum room_verdict room_refuse(struct change *change, enum reason reason);
enum room_verdict room_refuse_with(struct change *change, enum reason reason, uint64_t param);
/* The name that an input brings, normalised; NAME_FAULT_NONE leaves it in change->name. */
enum name_fault room_take_name(struct change *change, struct slice typed);
static inline bool room_runs(const struct room *room)
{
    return room->phase == ROOM_PLAYING || room->phase == ROOM_PAUSED;
}

/* ---- on_*.c */
enum room_verdict room_on_attach(struct change *change);
enum room_verdict room_on_detach(struct change *change);
enum room_verdict room_on_leave(struct change *change);
enum room_verdict room_on_act(struct change *change);
enum room_verdict room_on_command(struct change *change);
enum room_verdict room_on_clock(struct change *change);
enum room_verdict room_on_put_out(struct change *change);
enum room_verdict room_on_shut(struct change *change);

/* A person comes in, or comes back; on_attach.c. A new one takes `seat` (-1: the lowest free). */
enum room_verdict room_come_in(struct change *change, int seat, bool take_over);

/* What an action must fulfil before anybody looks into it; ROOM_ACCEPTED when it may go on.
 * on_act.c. */
enum room_verdict room_admit(struct change *change);
/* Takes that person out for good, unless nobody sits there or too many were; the room is then
 * untouched. on_order.c. */
enum reason room_put_out_fault(const struct room *room, int seat);
void room_put_out(struct change *change, int seat);
/* Enters an accepted action of this seat into its table. */
void room_record_action(struct change *change, int seat);

/* The next thing the clock does; on_clock.c. */
enum room_due room_next_due(const struct room *room, instant_ms *at);

/* ---- seats.c */
static inline seat_mask room_bit(int seat)
{
    CHECK(seat >= 0 && seat < GAME_SEATS_MAX);
    return (seat_mask)(1u << seat);
}
struct room_seat *room_seat_at(const struct room *room,
                               int seat); /* NULL: no such seat, or not taken */
int room_seat_of_member(const struct room *room, uint32_t member); /* -1: gone */
int room_lowest_free(const struct room *room);                     /* -1: full */
int room_count_taken(const struct room *room);
int room_count_connected(const struct room *room);
bool room_is_kicked(const struct room *room, struct id128 player);
void room_seat_name(struct room_seat *seat, const char *name);
void room_seat_take(struct change *change, int seat);
void room_seat_connect(struct change *change, int seat, bool connected);
/* Leaves or is kicked: out of the room, or in a game played by the clock from now on. */
void room_seat_give_up(struct change *change, int seat);
void room_seat_free(struct room *room, int seat);
void room_pass_host(struct change *change);
/* The connected one who has sat longest, never `except`; 0: nobody. */
uint32_t room_longest_seated(const struct room *room, uint32_t except);

/* ---- play.c */
/* Whether somebody who was matched is still on the way: the room starts by itself. */
bool room_awaits_matched(const struct room *room);
/* REASON_NONE when a game may start now; *param for TOO_FEW. */
enum reason room_start_fault(const struct room *room, int *param);
void room_game_start(struct change *change);
/* The game's answer to one input; on a refusal *why is set and nothing has changed. */
enum status room_game_input(struct change *change, const struct game_input *input,
                            struct refusal *why);
/* Tells the game that a seat is connected or not, where one runs. */
void room_game_presence(struct change *change, int seat);
void room_game_abandon(struct change *change);
void room_game_forget(struct room *room);
instant_ms room_game_time(const struct room *room, instant_ms at);
int room_game_seat(const struct room *room, int seat); /* of a room seat's person; -1: none */
seat_mask room_hurried(const struct room *room);       /* room seats */
const char *room_options_verdict(const struct room *room, bool *refused);

/* ---- events.c */
void room_events_init(struct room_events *events);
void room_events_fini(struct room_events *events);
void room_events_clear(struct room_events *events, uint64_t whole_since);
/* told->seat is not read: `mine` is the member's. */
void room_events_push(struct room_events *events, const struct update_event *told, uint32_t member);
void room_tell(struct change *change, enum room_happening kind, int seat);
void room_tell_named(struct change *change, enum room_happening kind, int seat, const char *name);

/* ---- room_wire.c, view_wire.c */
struct room_entry {
    uint64_t position;
    struct room_input input;
    bool started;
    uint32_t rules_version, game_number;
    struct id128 state_hash;
    uint8_t bytes[WIRE_ACTION_BYTES_MAX];
    char name[WIRE_NAME_BYTES_MAX + 1];
};
/* before: of an entry that started a game (room_encode_before), else empty. */
void room_entry_encode(const struct room_entry *entry, struct slice before, struct buf *out);
enum status room_entry_decode(struct slice bytes, struct room_entry *out);
/* Appends what the game that this entry started found. ST_UNKNOWN: the entry does not say. */
enum status room_entry_before(struct slice bytes, struct buf *before);

/* ---- codec.c */
enum { ROOM_BEFORE_BYTES_MAX = 6144 };
/* The room as a snapshot, without what a start makes an end of: the former game and its events. */
void room_encode_before(const struct room *room, struct buf *out);

enum room_command_kind {
    ROOM_SET_OPTIONS = 1,
    ROOM_SET_PUBLIC,
    ROOM_KICK,
    ROOM_START,
    ROOM_TAKE_SEAT,
    ROOM_STAND_UP,
    ROOM_RENAME,
};
struct room_command {
    enum room_command_kind kind;
    struct {
        char key[WIRE_NAME_BYTES_MAX + 1];
        int32_t value;
    } options[WIRE_OPTIONS_MAX];
    int option_count;
    bool is_public;
    uint32_t seat;
    uint8_t name[WIRE_ACTION_BYTES_MAX];
    size_t name_len;
};
enum status room_command_decode(struct slice bytes, struct room_command *out);

void room_snapshot_encode(const struct room *room, struct slice body, struct buf *out);
/* The body, as a copy in *body, and the version of the game that was in force. */
enum status room_snapshot_decode(const struct room_record *record, struct slice bytes,
                                 struct buf *body, const struct game **game);
void room_happened_encode(enum room_happening kind, int seat, const char *name, struct buf *out);

#endif
