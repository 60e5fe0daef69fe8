/* SPDX-License-Identifier: Apache-2.0
 *
 * What services say to each other, as plain structs; cluster.proto is the same on the wire. Two
 * planes:
 *
 *   data plane    a `struct batch` of envelopes, PUSH/PULL: player input to rooms, views to
 *                 gateways, deadlines.
 *   control plane `struct request` / `struct reply`, REQ/REP: create, resolve, register, adopt,
 *                 drain.
 *
 * Decoding copies into an arena and never keeps the bytes; every list is bounded, and what is
 * beyond a bound or cannot be read is refused as a whole (ST_INVALID, ST_TOO_LARGE).
 */
#ifndef WIRE_CLUSTER_H
#define WIRE_CLUSTER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/types.h"
#include "wire/code.h"

enum {
    WIRE_NAME_BYTES_MAX = 96, /* of every short text: nickname, game, build, option key, domain */
    WIRE_URL_BYTES_MAX = 128,
    WIRE_ACTION_BYTES_MAX = 1024,
    WIRE_SECTION_BYTES_MAX = 16384,
    WIRE_BATCH_ENVELOPES_MAX = 4096,
    WIRE_BATCH_BYTES_MAX = 4 << 20,
    WIRE_CONTROL_BYTES_MAX = 4 << 20, /* above every request and reply within the bounds below */
    WIRE_EVENTS_MAX = 64,             /* also how far back a room answers a reconnect */
    WIRE_PRIVATES_MAX = 12,
    WIRE_MEMBERS_MAX = 2048,
    WIRE_PLAYS_MAX = 32, /* games and versions that a worker can play */
    WIRE_GAME_BYTES_MAX = 32,
    WIRE_ROOMS_MAX = 1024, /* in one adopt, place or list */
    WIRE_LINES_MAX = 512,  /* rooms on a page for an operator */
    WIRE_PUBLIC_MAX = 50,
    WIRE_OPTIONS_MAX = 16,
    WIRE_PARAMS_MAX = 4,
};

/* (owner's epoch, number of entries that all may see). Compared epoch first. {0, 0}: none. */
struct version {
    uint64_t epoch, seq;
};
static inline int version_compare(struct version a, struct version b)
{
    if (a.epoch != b.epoch) return a.epoch < b.epoch ? -1 : 1;
    return a.seq < b.seq ? -1 : a.seq > b.seq;
}

/* client.proto's Refusal. domain NULL or "": Reason of client.proto. */
struct refusal {
    const char *domain;
    uint32_t code;
    int32_t params[WIRE_PARAMS_MAX];
    int param_count;
};

/* ---- data plane ------------------------------------------------------------------------------ */

enum envelope_kind {
    /* gateway to worker */
    ENV_ATTACH = 1, /* this client wants in: a seat, its seat again, or to watch */
    ENV_DETACH,     /* its socket is gone */
    ENV_LEAVE,      /* it gives its seat up */
    ENV_ACT,
    ENV_RESYNC, /* the gateway lacks something of the room: send what is missing or the whole */
    ENV_RTT,
    /* worker to gateway */
    ENV_ATTACHED,
    ENV_ATTACH_REFUSED,
    ENV_UPDATE,  /* new state of a room for all its viewers on that gateway */
    ENV_ANSWER,  /* to one act */
    ENV_DROPPED, /* that client is out of the room */
    ENV_MOVED,   /* not (or no longer) mine: ask the matchmaker, or go where it says */
    ENV_PAUSED,  /* the room cannot confirm writes right now; or can again */
    /* worker and timer */
    ENV_HINT,        /* to timers: a new, earlier deadline */
    ENV_FIRE,        /* to a worker: that deadline has passed */
    ENV_FIRE_ANSWER, /* to the timer */
};

enum attach_intent { ATTACH_SEAT = 1, ATTACH_WATCH };

struct env_attach {
    room_id room;
    uint64_t client;     /* the gateway's name for the connection; never used again for another */
    struct id128 player; /* from the token: what a seat is reached by */
    const char *name;
    enum attach_intent intent;
    uint32_t generation; /* the seat's, as the client knows it; 0: none (a fresh page) */
    bool take_over;
    uint64_t window; /* the page load the connection belongs to; 0: unknown */
    uint32_t line;   /* which connection of it: a later one is newer */
    struct version have;
    uint32_t rtt_ms;
};
struct env_client {
    room_id room;
    uint64_t client;
}; /* DETACH, LEAVE */
struct env_act {
    room_id room;
    uint64_t client;
    uint32_t generation;
    uint64_t counter;
    uint64_t made_for;
    bool command; /* bytes are a RoomCommand; else the game's Action */
    struct slice bytes;
    uint32_t rtt_ms;
    uint32_t copy; /* rises with each sending of it */
};
struct env_resync {
    room_id room;
    struct version have;
};
struct env_rtt {
    room_id room;
    uint64_t client;
    uint32_t rtt_ms;
};

struct env_attached {
    room_id room;
    uint64_t client;
    uint64_t epoch;
    int32_t seat; /* -1: spectator */
    uint32_t generation;
    uint64_t counter; /* highest accepted of that seat */
    const char *code;
};
struct env_attach_refused {
    room_id room;
    uint64_t client;
    struct refusal why;
};

struct update_private {
    int32_t seat;
    struct slice mine;
};
struct update_event {
    uint64_t seq;
    struct slice shared; /* the game's part for all */
    int32_t seat;        /* whom `mine` is for, -1: nobody */
    struct slice mine;
    struct slice room; /* RoomHappened */
};
enum {
    SECTION_ROOM = 1,
    SECTION_PRESENCE = 2,
    SECTION_GAME = 4,
    SECTION_MINE = 8,
    SECTION_ALL = 15
};
struct env_update {
    room_id room;
    struct version version;
    uint64_t base; /* seq this gateway was last sent of this room in this epoch; 0: whole */
    uint64_t game_version;
    instant_ms room_time;
    uint32_t
        sections; /* SECTION_ bits present; MINE: privates lists every seat whose part changed */
    struct slice room_view, presence, game;
    struct update_private privates[WIRE_PRIVATES_MAX];
    int private_count;
    struct update_event
        *events; /* at most WIRE_EVENTS_MAX; one entry may tell several: seq never falls */
    int event_count;
    uint64_t only_client; /* 0: for all viewers; else an answer to that client's attach alone */
};
struct env_answer {
    room_id room;
    uint64_t client;
    uint64_t epoch;
    uint32_t generation;
    uint64_t counter;
    bool ok;
    struct refusal why;
    uint64_t seq;
    uint32_t copy; /* of the act that is answered */
};
enum dropped_why { DROPPED_OTHER_WINDOW = 1, DROPPED_KICKED, DROPPED_CLOSED, DROPPED_LEFT };
struct env_dropped {
    room_id room;
    uint64_t client;
    uint64_t epoch;
    enum dropped_why why;
};
struct env_moved {
    room_id room;
    uint64_t epoch;  /* the new owner's, 0: unknown */
    struct id128 to; /* zero: unknown, ask the matchmaker */
    const char *to_url;
    bool gone; /* the room does not exist any more */
};
struct env_paused {
    room_id room;
    uint64_t epoch;
    bool paused;
};

struct env_deadline { /* HINT, FIRE */
    room_id room;
    uint64_t number;
    instant_ms due_in_ms; /* HINT: from now */
};
struct env_fire_answer {
    room_id room;
    uint64_t number;
    bool over; /* handled, or not this worker's deadline any more */
    bool not_owner;
    instant_ms remaining_ms; /* early: how long is left */
};

struct envelope {
    enum envelope_kind kind;
    union {
        struct env_attach attach;
        struct env_client client;
        struct env_act act;
        struct env_resync resync;
        struct env_rtt rtt;
        struct env_attached attached;
        struct env_attach_refused attach_refused;
        struct env_update update;
        struct env_answer answer;
        struct env_dropped dropped;
        struct env_moved moved;
        struct env_paused paused;
        struct env_deadline deadline;
        struct env_fire_answer fire_answer;
    } u;
};

/* One nng message: everything one process had for a peer in one loop turn. An empty batch is the
 * heartbeat and repeats the last number (0: none yet); the first one with envelopes has number
 * 1. */
struct batch {
    struct id128 from, to; /* instances; to is zero until the sender has heard from the receiver */
    const char *from_url;  /* the sender's inbox */
    uint64_t stream;       /* rises whenever the sender starts to count anew (wire/link.h) */
    uint64_t number;
    struct envelope *list;
    int count;
};

/* Appends the encoded batch to out. ST_TOO_LARGE when a bound is passed, ST_INVALID for a kind or
 * value that is none (nothing is appended then). NULL strings are sent as empty ones; decoded
 * strings are never NULL, decoded lists are NULL when empty. */
enum status batch_encode(const struct batch *batch, struct buf *out);
enum status batch_decode(struct slice bytes, struct arena *arena, struct batch *out);

/* ---- control plane --------------------------------------------------------------------------- */

#include "wire/steering.h"

enum service_kind { SERVICE_GATEWAY = 1, SERVICE_MATCHMAKER, SERVICE_WORKER, SERVICE_TIMER };

/* A game by one version of its rules. */
struct rules {
    const char *game;
    uint32_t version;
};

struct member {
    enum service_kind kind;
    struct id128 instance;
    const char *inbox_url;   /* data plane; empty for a matchmaker */
    const char *control_url; /* empty for a gateway and a timer */
    const char *build;
    uint32_t rooms; /* worker: owned */
    uint32_t rooms_max;
    uint32_t connections; /* gateway */
    bool draining;
    uint32_t silent_ms;  /* in a list: how long ago it was heard, or MEMBER_DEAD */
    struct rules *plays; /* worker: what it can play; none: it does not say, and counts as able */
    int play_count;
    uint32_t ops_port;    /* 0: none */
    uint32_t orders;      /* worker: ORDERS_VERSION of its build, 0: it knows none */
    uint32_t shards_away; /* worker: bit s: it has no lease on shard s, or knows none such */
};
/* Whether a worker that says this of itself can play by those rules. version 0: some version of the
 * game; game empty: whatever it is. */
bool member_plays(const struct member *member, struct rules rules);
#define MEMBER_DEAD UINT32_MAX /* declared dead: its rooms are being adopted */

struct option_pair {
    const char *key;
    int32_t value;
};

struct placed { /* where a room is */
    room_id room;
    const char *code;
    struct id128 owner;
    const char *owner_url; /* inbox */
    uint64_t epoch;
};

enum request_kind {
    /* to a matchmaker */
    REQ_HEARTBEAT = 1, /* I am here; answers those of its members that I deal with */
    REQ_CREATE,        /* make a room and place it */
    REQ_RESOLVE,       /* by code or id; places a room that nobody owns */
    REQ_LOOK_UP,       /* what waits behind a code; places nothing */
    REQ_PUBLIC,        /* the list of public waiting rooms */
    REQ_TICKET,        /* quick match: enter, or ask how it stands (same ticket id) */
    REQ_TICKET_CANCEL,
    REQ_PLACE, /* these rooms have no owner that answers (from a timer) */
    REQ_STATUS,
    /* to a worker */
    REQ_WORKER_CREATE,
    REQ_WORKER_ADOPT,
    REQ_WORKER_STATUS,
    /* to a worker, from an operator; they need the key, but for ROOM without reveal (order.h) */
    REQ_WORKER_ROOMS, /* a page of its rooms */
    REQ_WORKER_ROOM,  /* how one looks to a spectator; reveal: to each seat too */
    REQ_WORKER_DRAIN, /* hands its rooms over and stays */
    REQ_WORKER_UNDRAIN,
    REQ_WORKER_KICK,
    REQ_WORKER_CLOSE,
};
static inline bool request_is_order(enum request_kind kind)
{
    return kind >= REQ_WORKER_ROOMS && kind <= REQ_WORKER_CLOSE;
}

struct room_epoch {
    room_id room;
    uint64_t epoch;
    struct rules rules; /* WORKER_ADOPT: that it is played by at that epoch; game empty: unknown */
};

struct request {
    enum request_kind kind;
    struct id128 id;    /* idempotent by it */
    struct id128 from;  /* instance of the sender */
    struct member self; /* HEARTBEAT */
    const char *game;   /* CREATE, TICKET, WORKER_CREATE */
    bool is_public;
    bool quick;        /* WORKER_CREATE: starts by itself */
    uint32_t expected; /* WORKER_CREATE of a quick match: people that were matched */
    struct option_pair options[WIRE_OPTIONS_MAX];
    int option_count;
    const char *code;         /* RESOLVE, LOOK_UP (normalised), WORKER_CREATE */
    room_id room;             /* RESOLVE without a code, WORKER_CREATE */
    uint64_t stale_epoch;     /* RESOLVE: the owner of this epoch did not answer; 0: none */
    struct id128 ticket;      /* TICKET, TICKET_CANCEL */
    struct room_epoch *rooms; /* PLACE, WORKER_ADOPT: epoch expected */
    int room_count;
    struct order order; /* of an operator's requests */
};

struct public_room {
    const char *code, *game, *host;
    uint32_t seated, seats;
};

struct reply {
    enum request_kind kind; /* of the request */
    struct id128 id;
    enum status status;     /* ST_OK, or why not */
    uint32_t reason;        /* Reason of client.proto for the player, 0: none */
    bool pending;           /* RESOLVE: being placed, ask again soon; TICKET: still waiting */
    struct placed placed;   /* CREATE, RESOLVE, TICKET when matched, WORKER_CREATE (epoch) */
    struct member *members; /* HEARTBEAT, STATUS */
    int member_count;
    struct {
        const char *game;
        uint32_t seated, seats;
        bool playing;
    } found; /* LOOK_UP */
    struct public_room *publics;
    int public_count;
    uint32_t waiting, needed, left_ms; /* TICKET */
    struct {
        room_id room;
        enum status status;
        uint64_t epoch;
    } * adopted; /* WORKER_ADOPT; ST_REFUSED: it cannot play that, and has not touched the room */
    int adopted_count;
    uint32_t rooms; /* WORKER_STATUS */
    struct worker_load load;
    enum order_fault fault;  /* of an order that was refused */
    struct room_line *lines; /* WORKER_ROOMS, by id */
    int line_count;
    bool more;                /* there are rooms after the last line */
    struct room_shown *shown; /* WORKER_ROOM; NULL: none */
};

enum status request_encode(const struct request *request, struct buf *out);
enum status request_decode(struct slice bytes, struct arena *arena, struct request *out);
enum status reply_encode(const struct reply *reply, struct buf *out);
enum status reply_decode(struct slice bytes, struct arena *arena, struct reply *out);

#endif
