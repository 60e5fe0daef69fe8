/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the matchmaker's core share; nobody else includes it.
 *
 * A question to the store or to a worker is a `pending`, found again by its tag. A room that is
 * being given an owner is a `placement`; those who want to hear where it went are its waiters.
 */
#ifndef MATCHMAKER_MATCHMAKER_STATE_H
#define MATCHMAKER_MATCHMAKER_STATE_H

#include "base/map.h"
#include "base/mutant.h"
#include "game/registry.h"
#include "matchmaker/matchmaker_core.h"

/* Somebody whose request is answered when a room's place is known. */
struct waiter {
    uint64_t token;
    enum request_kind kind;
    struct id128 id;
    struct waiter *next;
};

/* Rooms that a worker is to adopt, in the order in which it is asked; each has a placement in
 * flight. */
struct adopt_line {
    room_id *list; /* of which those from `first` on wait */
    size_t first, count, room;
    int open; /* requests not yet answered */
};

/* What workers of one build can play: they share it. */
struct known_plays {
    int users, count;
    struct rules *list; /* its strings are owned here */
    struct known_plays *next;
};

struct known_member {
    struct member is; /* its strings are owned here, but for those of plays */
    struct known_plays *plays;
    uint32_t given; /* rooms, since it told how many it has: it has those too, or will */
    instant_ms heard;
    bool dead;
    instant_ms dead_at;
    struct adopt_line adopts; /* worker */
};

enum pending_kind {
    PENDING_LEASE = 1,    /* store: our pulse on a shard */
    PENDING_PUBLIC,       /* store: the public list of a shard */
    PENDING_OWNED,        /* store: a page of a dead worker's rooms */
    PENDING_FIND,         /* store: to resolve */
    PENDING_LOOK_UP,      /* store: to describe */
    PENDING_ADOPT,        /* worker */
    PENDING_CREATE,       /* worker */
    PENDING_CREATE_FIND,  /* store: did the create that got no answer happen? */
    PENDING_TICKET,       /* store: was it claimed? */
    PENDING_MATCH_LOOK,   /* store: does that public room still wait? */
    PENDING_MATCH_FREE,   /* store: is the match's code free? */
    PENDING_MATCH_CLAIM,  /* store */
    PENDING_MATCH_CREATE, /* worker */
    PENDING_MATCH_MADE,   /* store: did the create that got no answer happen? */
    PENDING_HEARTBEAT,    /* another matchmaker */
    PENDING_SILENT,       /* store: owners of a shard that nobody may have seen die */
};

struct pending {
    enum pending_kind kind;
    struct waiter waiter;      /* FIND, LOOK_UP, TICKET */
    uint64_t stale_epoch;      /* FIND */
    struct sweep *sweep;       /* OWNED */
    struct creation *creation; /* CREATE, CREATE_FIND */
    struct match *match;       /* MATCH_* */
    struct id128 ticket;       /* TICKET */
    struct id128 worker;       /* ADOPT */
    room_id *rooms;            /* ADOPT */
    int room_count;
    int shard;
    instant_ms asked;
};

struct placement {
    room_id room;
    char code[WIRE_CODE_LEN + 1];
    uint64_t epoch; /* expected */
    struct id128 target;
    struct id128 failed; /* who could not take it, or was said not to answer for it */
    bool in_flight;
    instant_ms started;     /* of the last attempt, or the last word against the owner */
    uint64_t doubted_epoch; /* this owner was said not to answer for the room */
    instant_ms doubted_since;
    char game[WIRE_GAME_BYTES_MAX + 1]; /* the rules that it is played by; empty: unknown */
    uint32_t rules_version;
    bool awaited; /* no worker plays by them: it waits for one that registers */
    struct waiter *waiters;
};

/* A dead worker's rooms being given new owners, in passes over its owned set until nothing is
 * left. */
struct sweep {
    struct id128 instance;
    instant_ms everybodys; /* from then on whatever is left is ours to place */
    int pass, shard;
    uint64_t cursor;
    bool asking;
    uint32_t seen;        /* rooms still its own in this pass */
    instant_ms next_pass; /* when not asking */
    struct sweep *next;
};

struct creation {
    struct waiter waiter;
    struct request request; /* strings owned */
    room_id room;
    char code[WIRE_CODE_LEN + 1];
    int code_tries, worker_tries;
    bool code_taken; /* by another room, as the last worker said */
    struct id128 target;
};

enum ticket_state {
    TICKET_ASKED = 1, /* the store: was it claimed? */
    TICKET_WAITS,
    TICKET_MATCHING,
    TICKET_MATCHED,
    TICKET_LOST, /* its claim led nowhere: the gateway draws a new one */
};

struct ticket {
    struct id128 id;
    const struct game *game;
    instant_ms arrived, polled, asked;
    enum ticket_state state;
    struct match *match;          /* MATCHING; else NULL */
    room_id room;                 /* MATCHED */
    room_id avoid;                /* would not have the person; 0: none */
    struct ticket *next, *before; /* in its line */
};

struct match {
    const struct game *game;
    struct ticket *tickets[STORE_TICKETS_MAX];
    int ticket_count;
    room_id room;
    char code[WIRE_CODE_LEN + 1];
    uint32_t expected; /* people whom the room is made for (fewer than the game's minimum: an
                          ordinary public room); 0: a public room that waits already */
    int tries;
    struct id128 target;
};

struct public_entry {
    char code[WIRE_CODE_LEN + 1];
    char host[WIRE_NAME_BYTES_MAX + 1];
    const struct game *game;
    room_id room;
    uint32_t seated, seats;
    uint32_t promised; /* tickets sent there since the list was read */
};

struct shard_view {
    bool down;
    instant_ms asked; /* of the pulse in flight, INSTANT_NEVER for none */
    instant_ms next_pulse;
    instant_ms renewed;      /* Redis TIME of our last pulse there: the store is to remember it */
    instant_ms renewed_at;   /* on our own clock */
    instant_ms forgot_until; /* it did not: rooms may be missing that their owners have */
    struct public_entry list[WIRE_PUBLIC_MAX];
    int count;
    bool listing;          /* a PUBLIC is in flight */
    instant_ms listed;     /* asked for */
    instant_ms list_known; /* read; 0: never */
    instant_ms silent_at;  /* the next question for silent owners; INSTANT_NEVER: one is open */
    uint64_t silent_skip;
};

struct matchmaker_core {
    struct matchmaker_config config;
    struct known_member *members[WIRE_MEMBERS_MAX]; /* ascending by instance */
    int member_count;
    struct member_set {
        struct known_member *list[WIRE_MEMBERS_MAX]; /* ascending by instance */
        int count;
    } of_kind[SERVICE_TIMER + 1]; /* the same, by their kind */
    struct known_plays *plays;
    /* Two of each sort of workers; counted again when somebody comes, goes or changes. */
    struct known_member *examples[WIRE_MEMBERS_MAX];
    int example_count;
    bool examples_known;
    int adopts_open;                 /* requests that workers have not answered */
    bool adopts_wait;                /* some worker's line may move */
    struct map pendings, placements; /* by tag; by room */
    struct map128 tickets;
    struct ticket_line {
        struct ticket *first, *last;
        int count;
    } open[GAME_REGISTRY_MAX], /* by their game's place in the registry, in order of arrival */
        settled;               /* those that a poll ends, the longest unasked for first */
    struct sweep *sweeps;
    uint32_t sweep_count, waiter_count;
    struct { /* how often each bound was met */
#define X(name) uint64_t name;
        MATCHMAKER_QUEUES(X)
#undef X
    } refused;
    struct shard_view shards[WIRE_SHARDS_MAX];
    instant_ms now, last_step, tick_at, heartbeat_at, quick_at, tidy_at;
    instant_ms uninterrupted; /* since when we ran and the store answered, without a break */
    instant_ms public_wanted; /* somebody looked at the list then */
    instant_ms doubt_until;   /* more than half seemed dead: nobody is, before this */
    bool doubting;
    uint64_t next_tag;
    uint32_t awaited; /* rooms that wait for a worker with their rules, when last counted */
    bool leaving;
    uint8_t entropy[32];
    struct effects *out;
};

/* ---- members.c ---- */
enum owner_state { OWNER_ALIVE, OWNER_DEAD, OWNER_UNSURE };
struct known_member *member_find(const struct matchmaker_core *core, struct id128 instance);
/* Where it stands, or would. */
int member_place(const struct member_set *set, struct id128 instance);
/* This matchmaker as others are told of it; borrows from the configuration. */
struct member member_self(const struct matchmaker_core *core);
void member_heard(struct matchmaker_core *core, const struct member *self);
void member_gone(struct matchmaker_core *core, const char *control_url, struct id128 instance);
/* It has not been heard for two heartbeats: it may be about to be dead. */
bool member_late(const struct matchmaker_core *core, const struct known_member *member);
void members_judge(struct matchmaker_core *core);
void members_interrupted(struct matchmaker_core *core);
enum owner_state member_state(const struct matchmaker_core *core, struct id128 instance);
void members_fini(struct matchmaker_core *core);

/* ---- pick.c ---- */
/* The worker for a room of those rules; NULL: none has room. Who is late, or does not reach the
 * room's shard, is chosen only if all are or do not; `failed` (zero: nobody), who did not take it
 * just now, after the others. */
struct known_member *member_pick(const struct matchmaker_core *core, room_id room,
                                 struct rules rules, struct id128 failed);
/* The reason when member_pick found none. */
uint32_t member_none(const struct matchmaker_core *core, struct rules rules);
/* Whether rendezvous hashing gives the room to this matchmaker among those alive. */
bool member_mine(const struct matchmaker_core *core, room_id room);

/* ---- told.c ---- */
/* Of whom the answer tells depends on who asks; kind 0: an operator, who hears of all. */
void members_reply(struct matchmaker_core *core, const struct member *asks, struct reply *reply);

/* ---- place.c ---- */
void place_resolve(struct matchmaker_core *core, const char *code, room_id room,
                   uint64_t stale_epoch, const struct waiter *waiter);
void place_on_find(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found);
/* Gives the room a new owner unless that is under way; takes no waiter when waiter is NULL. */
void place_room(struct matchmaker_core *core, room_id room, struct rules rules, uint64_t epoch,
                const struct waiter *waiter);
/* What the room is played by, as its summary says. */
struct rules place_rules(struct matchmaker_core *core, struct slice summary);
/* A worker has registered: rooms that waited for one like it are placed. */
void place_awaited(struct matchmaker_core *core);
/* What its new owner is to be told of a room whose placement is in flight; how that went. */
struct room_epoch place_asked(struct matchmaker_core *core, room_id room);
void place_done(struct matchmaker_core *core, room_id room, uint64_t epoch);
void place_failed(struct matchmaker_core *core, room_id room);
void place_tidy(struct matchmaker_core *core);
void place_fini(struct matchmaker_core *core);
void answer_placed(struct matchmaker_core *core, const struct waiter *waiter,
                   const struct placed *placed);
void answer_refused(struct matchmaker_core *core, const struct waiter *waiter, enum status status,
                    uint32_t reason);
void answer_pending(struct matchmaker_core *core, const struct waiter *waiter);

/* ---- adopt.c ---- */
/* The room, whose placement is in flight, comes into the worker's line. */
void adopt_queue(struct matchmaker_core *core, struct known_member *worker, room_id room);
/* End of a step: requests for whatever may be asked for now. */
void adopt_flush(struct matchmaker_core *core);
/* Whether some worker has been asked and has not answered. */
bool adopt_open(const struct matchmaker_core *core);
/* The worker is dead: what stands in its line is placed anew, by whoever asks next. */
void adopt_give_up(struct matchmaker_core *core, struct known_member *worker);
void adopt_on_reply(struct matchmaker_core *core, struct pending *asked, const struct reply *reply);

/* ---- sweep.c ---- */
/* shared: the other matchmakers see it die too, and sweep their part. False: it is swept already,
 * or too many are. */
bool sweep_start(struct matchmaker_core *core, struct id128 instance, bool shared);
/* Whether another matchmaker is about to place that room of the dead instance. */
bool sweep_leaves(const struct matchmaker_core *core, struct id128 instance, room_id room);
void sweep_on_owned(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *page);
void sweep_tick(struct matchmaker_core *core);
void sweep_fini(struct matchmaker_core *core);

/* ---- silent.c ---- */
void silent_tick(struct matchmaker_core *core);
void silent_on_owners(struct matchmaker_core *core, const struct pending *asked,
                      const struct store_reply *reply);

/* ---- create.c ---- */
void create_start(struct matchmaker_core *core, const struct request *request, uint64_t token);
void create_on_worker(struct matchmaker_core *core, struct pending *asked,
                      const struct reply *reply);
void create_on_find(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *found);
void creation_free(struct creation *creation);
/* The room that follows from an id, and its code. */
room_id draw_room(const struct matchmaker_core *core, struct id128 from, char *code);

/* ---- tickets.c ---- */
void ticket_poll(struct matchmaker_core *core, const struct request *request, uint64_t token);
void ticket_cancel(struct matchmaker_core *core, const struct request *request, uint64_t token);
void ticket_on_claimed(struct matchmaker_core *core, struct pending *asked,
                       const struct store_reply *claimed);
/* It comes into the line of that state. */
void ticket_become(struct matchmaker_core *core, struct ticket *ticket, enum ticket_state state);
struct ticket_line *tickets_open(struct matchmaker_core *core, const struct game *game);
/* It may be claimed: the store is asked. */
void ticket_doubt(struct matchmaker_core *core, struct ticket *ticket);
void tickets_tidy(struct matchmaker_core *core);
void tickets_fini(struct matchmaker_core *core);

/* ---- match.c ---- */
void match_tick(struct matchmaker_core *core);
/* The ticket was claimed into the room, which was to be made for `expected` people (0: it was there
 * already). */
void match_carry_on(struct matchmaker_core *core, struct ticket *ticket, room_id room,
                    uint32_t expected);
void match_on_look(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found);
void match_on_free(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found);
void match_on_claim(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *claimed);
void match_on_worker(struct matchmaker_core *core, struct pending *asked,
                     const struct reply *reply);
void match_on_made(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found);
/* Its tickets have it no more. */
void match_free(struct match *match);

/* ---- directory.c ---- */
void directory_look_up(struct matchmaker_core *core, const struct request *request, uint64_t token);
void directory_on_find(struct matchmaker_core *core, struct pending *asked,
                       const struct store_reply *found);
void directory_public(struct matchmaker_core *core, const struct request *request, uint64_t token);
void directory_on_public(struct matchmaker_core *core, struct pending *asked,
                         const struct store_reply *list);
void directory_tick(struct matchmaker_core *core);

/* ---- matchmaker_core.c ---- */
/* A question to the store (op, filled in by the caller but for its tag) or to a control URL. NULL
 * when too many are open. */
struct pending *ask_store(struct matchmaker_core *core, enum pending_kind kind,
                          struct store_op **op, enum store_op_kind what);
struct pending *ask_peer(struct matchmaker_core *core, enum pending_kind kind, const char *url,
                         struct request **request, enum request_kind what);
/* Whether a store that answered "unknown" has forgotten, so that the room may yet be back. */
bool store_forgot(struct matchmaker_core *core, const struct store_reply *unknown);
/* Whether that shard has forgotten a moment ago, so that who it says owns a room may not. */
bool store_forgot_lately(const struct matchmaker_core *core, int shard);
struct reply *answer(struct matchmaker_core *core, const struct waiter *waiter);
void note(struct matchmaker_core *core, const char *text, uint64_t a, uint64_t b);
struct id128 draw_id(struct matchmaker_core *core);

#endif
