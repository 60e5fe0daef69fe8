/* SPDX-License-Identifier: Apache-2.0
 *
 * A room: what every game needs around it, once for all games. Lobby and host, seats and their
 * generations, spectators that sit down, action ids and the table of outcomes, stale and repeated
 * actions, missed turns, presence and pauses, deadlines, points over several games, rematch. The
 * rules of play are the game's (game/game.h).
 *
 * state = replay(record, log). A room changes through room_step and room_replay alone; each
 * accepted input is one log entry that carries its position, its room time and the hash of the
 * state after it. The room does no I/O, keeps no clock and draws nothing: time and seed are
 * arguments.
 *
 * Generations rise over the whole room and none is given twice; a seat's counter carries on over
 * its generations, and both move along when its person moves to another seat.
 *
 * A game has its own clock: room time minus the pauses in which nobody was there. Its deadlines are
 * translated by the room; its views name instants of its own clock, and RoomView.game_behind says
 * how far that lies behind room time.
 *
 * It does not own: sockets, gateways, who watches, RTT (unlogged; the worker's), when an entry is
 * confirmed (the worker's), where it is stored.
 */
#ifndef ROOM_ROOM_H
#define ROOM_ROOM_H

#include "game/game.h"
#include "wire/cluster.h"

enum {
    ROOM_OUTCOMES_MAX = 16, /* kept per seat */
    ROOM_EVENTS_MAX = WIRE_EVENTS_MAX,
    ROOM_ACTIONS_PER_S = 20, /* per seat, burst below */
    ROOM_ACTIONS_BURST = 40,
    ROOM_GRACE_MS = 10 * 1000, /* nobody connected: then the game pauses */
    ROOM_ABANDON_MS = 5 * 60 * 1000,
    ROOM_HOST_AWAY_MS = 30 * 1000,   /* in a lobby: then the host passes on */
    ROOM_IDLE_MS = 10 * 60 * 1000,   /* a lobby without visitors: then it is put away */
    ROOM_KEEP_MS = 24 * 3600 * 1000, /* and after that deleted */
    ROOM_QUICK_MS = 20 * 1000, /* a quick match waits this long for the matched people to arrive */
    ROOM_MISSED_TURNS = 3,     /* in a row: then the seat is hurried */
    ROOM_KICKED_MAX = 32,
};

struct room;

/* What a room is made from; fixed for its life. */
struct room_record {
    room_id id;
    char code[WIRE_CODE_LEN + 1];
    const struct game
        *game;              /* of the version below, where this build carries it, else the newest */
    uint32_t rules_version; /* that it was made under; 0: the game's */
    bool is_public;
    bool quick;
    uint32_t expected; /* quick: people that were matched */
    struct game_options options;
};
void room_record_encode(const struct room_record *record, struct buf *out);
/* ST_UNKNOWN: a game that this build cannot play. */
enum status room_record_decode(struct slice bytes, struct room_record *out);
/* Whether the log of the room may be replayed from its beginning here; else a snapshot is due. */
bool room_record_carried(const struct room_record *record);

/* A room as it was created; NULL never. room_close frees. */
struct room *room_open(const struct room_record *record);
void room_close(struct room *room);
/* Bytes of memory that one room usually takes while it plays. */
size_t room_size(const struct game *game);

/* ---- inputs ---------------------------------------------------------------------------------- */

enum room_input_kind {
    ROOM_ATTACH = 1, /* a person comes in, or comes back, to sit (watchers are not logged) */
    ROOM_DETACH,     /* the socket of a seat is gone */
    ROOM_LEAVE,      /* gives the seat up */
    ROOM_ACT,        /* the game's Action */
    ROOM_COMMAND,    /* RoomCommand of client.proto */
    ROOM_CLOCK,      /* the deadline has passed */
    ROOM_RESUMED,    /* a new owner took over after an outage: time stood still meanwhile */
    /* From an operator. A build that knows no orders cannot replay them: ORDERS_VERSION. */
    ROOM_PUT_OUT, /* the person of a seat, for good */
    ROOM_SHUT,    /* ends the room; a game that is on is abandoned */
};

struct room_input {
    enum room_input_kind kind;
    instant_ms now; /* room time; below the last entry's it is raised to it */
    int seat; /* DETACH, LEAVE, ACT, COMMAND, PUT_OUT; a COMMAND of a watcher (take seat): -1 */
    uint32_t generation;    /* ATTACH: known to the client, 0 none; others: the sender's */
    bool generation_stands; /* ATTACH: same connection as before, no newer one known: keep the
                               generation */
    uint64_t counter;       /* ACT, COMMAND (of a seat) */
    uint64_t made_for;      /* ACT */
    struct slice bytes;     /* ACT, COMMAND */
    uint32_t rtt_ms;        /* ACT */
    struct id128 player;    /* ATTACH; COMMAND of a watcher */
    struct slice name; /* ATTACH; COMMAND of a watcher: checked and normalised by the gateway */
    bool take_over;    /* ATTACH: a person's tap */
    /* ATTACH; COMMAND of a watcher: which page load, and which connection of it. A window that lost
     * its connection before it heard its generation is known by these. Of two windows of a browser
     * the later has the higher number; whether one comes too late is asked before (room_window). */
    uint64_t window;
    uint32_t line;
    struct game_seed seed;  /* fresh; used when this input starts a game */
    uint32_t rules_version; /* of the game that this input may start; 0: as the room has it */
};

enum room_verdict {
    ROOM_ACCEPTED = 1, /* state has changed; entry is to be appended */
    ROOM_REFUSED,      /* nothing has changed */
    ROOM_REPEATED,     /* an action that was accepted before: same answer, nothing has changed */
    ROOM_SAME, /* nothing to do (a late clock, a detach of an older generation): nothing changed */
};

struct room_outcome {
    enum room_verdict verdict;
    struct refusal why; /* REFUSED */
    struct slice entry; /* ACCEPTED: encoded log entry, lent until the next call */
    uint64_t position;  /* of the entry, or of the state judged against */
    uint64_t seq;       /* visible version after it; REPEATED: of the first outcome */
    /* ATTACH: the seat. COMMAND: the actor's afterwards: the one taken or moved to; -1 when the
     * actor stood up or is a watcher still. Else as in the input. */
    int seat;
    uint32_t generation; /* of that seat now */
    uint64_t counter;    /* highest accepted of that seat */
    uint32_t changed;  /* SECTION_ bits: which parts of views may differ now (MINE: of any seat) */
    seat_mask dropped; /* room seats whose connection is out now, see dropped_why */
    enum dropped_why dropped_why;
    bool game_started;
    bool game_finished; /* archive game_number: its entries are first .. position */
    uint32_t game_number;
    uint64_t first;
    bool put_away; /* release the room; its deadline stays armed */
    bool deleted;  /* delete the room */
};

/* Judges and, where accepted, applies one input. Overwrites *out; borrows input's slices until it
 * returns. The clock comes first: while room_deadline is at or before input->now, the caller steps
 * ROOM_CLOCK with now = that deadline before any other input (the function checks it). A clock that
 * comes too early, late a second time or without need is ROOM_SAME; one that is due is stamped with
 * the deadline whatever its now.
 *
 * Whatever the verdict, position, seq, seat, generation and counter are set. An ATTACH that is
 * ROOM_SAME is let in: its seat, generation and connection stand as they are. What happened is told
 * by room_events_since(position's seq - 1). An accepted entry with changed 0 and seq unmoved may be
 * noticed by nobody but its sender (a hidden one). How actions are judged: on_act.c. */
void room_step(struct room *room, const struct room_input *input, struct room_outcome *out);

/* Applies one entry of the log. ST_MISMATCH: the hash differs (set the room aside); ST_INVALID:
 * unreadable; ST_STALE: not the next position; ST_UNKNOWN: it started a game by rules that this
 * build does not carry. After anything but ST_OK the room is unusable. */
enum status room_replay(struct room *room, struct slice entry);

/* After a replay disagreed, in whatever state that left the room: a lobby with the same people,
 * that lets a new game start. Its next entry gets the position given (above 0). */
void room_set_aside(struct room *room, uint64_t next_position);

/* ---- what a room tells ----------------------------------------------------------------------- */

struct room_record room_record_of(const struct room *room);
/* The version of the game that is in force: of the game on the screen, else of the next. It is the
 * record's until a start names another with as many seats. */
const struct game *room_game(const struct room *room);
uint64_t room_position(const struct room *room); /* of the last entry, 0 before the first */
uint64_t room_seq(const struct room *room);
/* What a bound action names: rises with each action and clock that the game took, with each coming
 * or going that it told something about, and with each start; never falls. */
uint64_t room_game_version(const struct room *room);
instant_ms room_time(const struct room *room); /* of the last entry */
bool room_playing(const struct room *room);
/* The number of RoomState of client.proto. */
uint32_t room_phase_number(const struct room *room);
/* It has ended, and only waits to be deleted. */
bool room_is_over(const struct room *room);
/* Number of the last game started here, 0 before the first; *first: position of its start entry. */
uint32_t room_last_game(const struct room *room, uint64_t *first);
/* The next instant at which ROOM_CLOCK is due (INSTANT_NEVER for none; it may have passed already)
 * and the number that names it: it rises with each change of the instant. */
instant_ms room_deadline(const struct room *room, uint64_t *number);

/* The seat of a player, -1 for none. */
int room_seat_of(const struct room *room, struct id128 player);
uint32_t room_generation(const struct room *room, int seat);
uint64_t room_window(const struct room *room, int seat); /* that holds it; 0: unknown */
uint64_t room_counter(const struct room *room, int seat);
bool room_connected(const struct room *room, int seat);
/* Whether a player may watch (false: kicked). */
bool room_may_watch(const struct room *room, struct id128 player);
int room_seat_count(const struct room *room); /* seats_max of the game */
seat_mask room_taken(const struct room *room);

/* Sections as encoded messages of client.proto (RoomView) and of the game. Functions of the state
 * alone. */
void room_write_view(const struct room *room, struct buf *out);
void room_write_game(const struct room *room, struct buf *shared); /* empty before the first game */
void room_write_mine(const struct room *room, int seat, struct buf *mine); /* room seat */
/* Whether everybody's round trip is shown, as the game and its options say. */
bool room_shows_rtt(const struct room *room);
/* Presence of client.proto: logged connections, watchers, and the worker's unlogged RTT (per room
 * seat, 0 unknown) where it is shown. */
void room_write_presence(const struct room *room, const uint32_t *rtt_ms, uint32_t watchers,
                         const char *const *watcher_names, int name_count, struct buf *out);

/* Events after seq `since`, oldest first, as update_events with each one's private part (mine, seat
 * = room seat); into at most WIRE_EVENTS_MAX. Returns the count, or -1 when the room no longer
 * holds them all. Slices are lent until the next step. */
int room_events_since(const struct room *room, uint64_t since, struct update_event *out);

/* For the directory: what LookUp and the public list need; *listed: belongs into the public list
 * now. */
struct room_summary {
    char code[WIRE_CODE_LEN + 1];
    const char *game;
    const char *host; /* name */
    uint32_t seated, seats;
    uint32_t rules_version; /* that an owner must be able to play; 0: not told */
    bool playing, listed;
};
void room_summary_of(const struct room *room, struct room_summary *out);
void room_summary_encode(const struct room_summary *summary, struct buf *out);
enum status room_summary_decode(struct slice bytes, struct arena *arena, struct room_summary *out);

/* ---- saving ---------------------------------------------------------------------------------- */

/* Canonical: equal rooms give equal bytes. Holds everything: seats and generations, outcomes,
 * events, game. */
void room_encode(const struct room *room, struct buf *out);
/* From the record and a snapshot; NULL when the bytes are damaged or of a version this build cannot
 * read. */
struct room *room_decode(const struct room_record *record, struct slice bytes);
/* Why room_decode gave nothing: ST_UNKNOWN for rules or a format that this build does not carry,
 * else ST_INVALID. */
enum status room_decode_fault(const struct room_record *record, struct slice bytes);
struct id128 room_hash(const struct room *room);

/* Position, room time and payload kind of an encoded entry, for tools and checks. */
struct room_entry_head {
    uint64_t position;
    instant_ms at;
    enum room_input_kind kind;
    struct id128 state_hash;
};
enum status room_entry_head(struct slice entry, struct room_entry_head *out);

#endif
