/* SPDX-License-Identifier: Apache-2.0
 *
 * The structs that the files of this core share. Nothing here is for the shell or for tests.
 *
 * A client or mirror that is done with is freed at the end of the step, so a pointer stays good
 * throughout a handler. `gone` ones are in no table any more.
 */
#ifndef GATEWAY_STATE_H
#define GATEWAY_STATE_H

#include "base/check.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/mutant.h"
#include "game/rng.h"
#include "gateway/gateway_core.h"
#include "wire/client_wire.h"
#include "wire/reason.h"

enum {
    GATEWAY_STOOD_STILL_MS = 2000, /* between two steps; heartbeats come four times a second */
    GATEWAY_UNREADY_MS = 3000,
    GATEWAY_LACKS_MS = 500, /* an update that a client waits for: then the room is asked */
};

/* ---- limits ---------------------------------------------------------------------------------- */

/* A leaky bucket as one number (GCRA): the instant, in microseconds, at which it is empty again. */
struct bucket {
    uint64_t empty_us;
};

struct address {
    struct id128 key;
    uint32_t connections;
};

/* ---- clients --------------------------------------------------------------------------------- */

enum client_state {
    CLIENT_NEW = 1,  /* no Hello yet */
    CLIENT_IDLE,     /* in no room */
    CLIENT_ASKING,   /* task is under way */
    CLIENT_ENTERING, /* in a mirror; the room has not let it in yet */
    CLIENT_IN_ROOM,
    CLIENT_LEAVING, /* gave its seat up; the room has not confirmed it yet */
};

enum task_kind { TASK_CREATE = 1, TASK_JOIN, TASK_LOOK_UP, TASK_QUICK };

struct task { /* a question that a client has put to the matchmakers */
    enum task_kind kind;
    uint64_t token;   /* of the request under way, 0: none */
    instant_ms at;    /* when to ask (again), or INSTANT_NEVER */
    instant_ms until; /* then it is given up */
    instant_ms begun_at;
    uint32_t tries;
    struct id128 id;     /* CREATE: the request's; QUICK: the ticket */
    struct id128 holder; /* QUICK: the matchmaker that has the ticket; zero: none */
    bool taking_back;    /* from that one, before another gets it */
    room_id avoid;       /* QUICK: this one would not have the person */
    char code[WIRE_CODE_LEN + 1];
    const char *game; /* the registry's text */
    bool is_public;
    struct option_pair *options; /* keys are the game's texts */
    int option_count;
    bool spectate, take_over;
    uint64_t window; /* of a join by a person's tap; 0: that of the connection */
    uint32_t generation;
    struct version have;
};

struct act { /* not answered yet */
    struct act *next;
    uint32_t generation;
    uint64_t counter, made_for;
    instant_ms received_at;
    instant_ms at;      /* when to send it again */
    uint64_t epoch;     /* of the owner it was sent to last */
    uint64_t seq;       /* GHOST: the version that it was refused at first, */
    struct refusal why; /* and why */
    char domain[WIRE_GAME_BYTES_MAX + 1];
    uint32_t copy; /* the last that was sent */
    uint16_t len;
    uint8_t tries; /* without an answer in time */
    bool command;
    bool ghost; /* refused, while a later copy may still be accepted */
    uint8_t bytes[];
};

struct client {
    struct heap_node timer; /* key: socket */
    uint64_t socket;
    struct client *next_gone;
    struct address *address;
    struct id128 player;
    uint64_t window;
    uint32_t line;
    char *name; /* NULL: none */
    struct task *task;
    struct mirror *mirror;
    struct act *acts;  /* in the order in which they came */
    uint32_t copies;   /* of acts, that were sent */
    const char *quick; /* ENTERING by quick match: the game; else NULL */
    enum client_state state : 8;
    bool gone, watches, told_down, want_whole, waits_attach, take_over, spectate;
    uint8_t act_count; /* without ghosts */
    uint8_t ghost_count;
    uint8_t tries;       /* of the attach or leave under way */
    uint8_t turned_away; /* since it asked for a quick match */
    uint8_t strikes;     /* frames above the limit */
    int8_t seat;         /* -1: watches */
    uint32_t generation;
    uint64_t seat_epoch; /* of the owner that said so */

    struct version sent;  /* newest frame written; before the first, what it came with */
    uint64_t sent_serial; /* of the mirror */
    uint64_t sent_game_version;
    instant_ms sent_room_time;
    uint32_t rooms_serial; /* of the public list */
    uint32_t watcher_index;
    uint32_t outstanding;   /* bytes given to the socket */
    bool frame_outstanding; /* a RoomFrame among them */
    instant_ms slow_at; /* taking nothing until then is too slow; INSTANT_NEVER: nothing waits */

    struct bucket frames, bytes;
    instant_ms heard_at;    /* or: opened (NEW); asked to speak more often */
    instant_ms attach_at;   /* when to send the attach or leave again */
    instant_ms enter_until; /* ENTERING, LEAVING */
    instant_ms ping_at, ping_sent_at, rtt_told_at;
    uint32_t ping_every_ms; /* as it was told with the last ping */
    uint64_t nonce;         /* 0: no ping under way */
    uint32_t rtt_us, rtt_told_ms;
    instant_ms close_at; /* drain; INSTANT_NEVER */
};

/* ---- mirrors --------------------------------------------------------------------------------- */

struct section {
    uint8_t *bytes;
    uint32_t len, room; /* room: bytes that there is memory for */
    uint64_t serial;    /* of the mirror when it changed last */
};

/* A section that changed in this step: what makes it of the bytes that it had before. Those who
 * were sent these, and nobody else, are sent the patch. It lies in the arena of the step; nothing
 * of it is kept. */
struct section_change {
    struct section_change *next;
    const struct section *section;
    uint64_t from, until; /* they were there while the mirror's serial was from <= serial < until;
                           * from == until: nobody may be sent a patch */
    struct slice before;
    bool made; /* patch is what makes the present bytes of them; empty: the whole is no larger */
    struct slice patch;
};

struct cached_event {
    uint64_t seq;
    int32_t seat;        /* whom the private part is for, -1: nobody */
    uint32_t generation; /* of that seat's holder then */
    uint32_t shared_len, mine_len, room_len;
    size_t room;     /* of bytes */
    uint8_t bytes[]; /* shared, mine, room */
};

struct mirror {
    struct heap_node timer; /* key: room */
    room_id room;
    char code[WIRE_CODE_LEN + 1];
    bool dirty, lost, told_down, paused, filled;
    bool gap; /* an update was lost; the room was asked for it */
    struct mirror *next_dirty;

    struct id128 owner;
    char owner_url[WIRE_URL_BYTES_MAX + 1];
    uint64_t epoch; /* highest seen */
    uint64_t token; /* of the resolve under way, 0: none */
    instant_ms lost_at, ask_at, resync_at;
    uint32_t tries;

    struct version version;
    uint64_t game_version;
    instant_ms room_time;
    instant_ms plays_until;         /* its people are near: round trips are measured closely */
    uint64_t serial;                /* rises with every change of a section */
    struct section_change *changes; /* of the step under way */
    struct section room_view, presence, game;
    struct section mine[WIRE_PRIVATES_MAX];
    uint32_t mine_of[WIRE_PRIVATES_MAX]; /* generation that mine is for; 0: unknown */
    uint32_t holder[WIRE_PRIVATES_MAX];  /* newest generation connected here; 0: none */
    struct cached_event **events;        /* rising seq; at most WIRE_EVENTS_MAX */
    uint32_t event_count;
    uint64_t events_after, events_until; /* all events above the one and up to the other are held */

    struct client **clients;
    uint32_t client_count, client_room;
};

/* ---- the core -------------------------------------------------------------------------------- */

/* A frame without any private part, and what it was made of: for all who are to be sent the same.
 */
struct shared_frame {
    const struct mirror *mirror; /* NULL: none */
    uint64_t serial;             /* of the mirror then */
    bool whole;
    struct version sent; /* as in struct client, before it was sent this */
    uint64_t sent_serial, sent_game_version;
    instant_ms sent_room_time;
    struct slice bytes;
};

struct member_known {
    enum service_kind kind;
    struct id128 instance;
    char url[WIRE_URL_BYTES_MAX + 1]; /* control (matchmaker) or inbox (worker) */
    instant_ms heard_at;              /* by a matchmaker */
    instant_ms spoke_at;              /* itself, to us; 0: never */
    bool silent, draining;
};

/* NOBODY: the reply does not matter. */
enum ask_kind { ASK_NOBODY, ASK_HEARTBEAT, ASK_CLIENT, ASK_MIRROR, ASK_PUBLIC };
struct ask {
    enum ask_kind kind;
    uint64_t id; /* index of a matchmaker, socket, room */
};

struct detached { /* lately: told again when the worker may have missed it */
    room_id room;
    uint64_t client;
    struct id128 owner;
    instant_ms at;
};
enum { DETACHED_KEPT_MS = 5000 };

struct gateway_core {
    struct gateway_config config;
    char inbox_url[WIRE_URL_BYTES_MAX + 1], build[WIRE_NAME_BYTES_MAX + 1];
    uint32_t ops_port;
    char matchmaker_url[GATEWAY_MATCHMAKERS_MAX][WIRE_URL_BYTES_MAX + 1];

    /* the step under way */
    instant_ms now;
    uint64_t wall_s;       /* with the last frame */
    instant_ms resumed_at; /* this process last stood still until then: no silence before */
    struct effects *out;
    const uint8_t *entropy;
    struct rng rng;
    bool rng_ready;
    uint32_t drawn; /* numbers of 8 bytes, from the entropy itself */
    struct buf scratch;
    struct shared_frame shared;

    struct map clients; /* socket */
    struct heap client_timers;
    struct client *gone_clients;
    struct map mirrors; /* room */
    struct heap mirror_timers;
    struct mirror *dirty_mirrors;
    uint32_t seated, lost_rooms;
    struct { /* since the last note, of rooms lost and found and frames of former owners: one line
              * tells of many */
        uint64_t lost, clients, found, away_ms, tries, stale; /* away_ms, tries: the worst */
        instant_ms told_at;
    } tally;

    struct map asks;       /* token */
    struct ask *spare_ask; /* the last that was answered, for the next; NULL: none */
    uint64_t last_token;

    struct map128 addresses;
    struct map128 tries; /* sessions and addresses with wrong codes */
    instant_ms tries_swept_at;

    struct map128 members;
    uint64_t beat_token[GATEWAY_MATCHMAKERS_MAX];
    instant_ms beat_at, answered_at;

    struct client **watchers;
    uint32_t watcher_count, watcher_room;
    struct buf public_frame; /* encoded; empty: not known yet */
    uint32_t public_serial;
    uint64_t public_token;
    instant_ms public_at;

    struct detached detached[GATEWAY_DETACHED_MAX];
    uint32_t detached_next;

    struct gateway_counts counts;
    uint64_t outstanding; /* bytes given to all sockets */
    struct {              /* how often each bound was met */
#define X(name) uint64_t name;
        GATEWAY_QUEUES(X)
#undef X
    } refused;

    bool draining, exited;
};

#endif
