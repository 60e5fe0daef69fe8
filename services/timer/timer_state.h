/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timer's core keeps; its own files alone see this.
 */
#ifndef TIMER_TIMER_STATE_H
#define TIMER_TIMER_STATE_H

#include "base/heap.h"
#include "base/map.h"
#include "base/mutant.h"
#include "timer/timer_core.h"

/* A room whose deadline is near or past. */
struct tracked {
    struct heap_node node;          /* when something is to be done about it; key: the room */
    struct tracked *before, *after; /* in its shard's list */
    room_id room;
    uint64_t number;
    instant_ms due;     /* on our clock */
    instant_ms listed;  /* when the sweep began that last listed it; 0: a hint alone told us */
    instant_ms first;   /* when it was first fired to this owner */
    uint64_t sweep;     /* that listed it last, or went on when it came */
    struct id128 owner; /* zero: nobody */
    char owner_url[WIRE_URL_BYTES_MAX + 1];
    uint64_t epoch; /* 0: a hint alone told us */
    int shard;
    int rank;     /* among the timers, for this room: 0 is ours */
    int fires;    /* to this owner */
    bool waits;   /* the owner has answered: not before node.at */
    bool doubted; /* the owner says it is not: it must change, or be placed */
};

/* The reading of a shard's set, in pages, several of them asked for at once. Tracked rooms stand in
 * a list in the order of the sweep that last listed them, so those that a whole sweep has not
 * listed are in front. */
struct reading {
    bool up;
    uint64_t sweep;      /* number of the running, or else of the last one */
    int asked, answered; /* pages of the running one; equal: none is running */
    int filled;          /* of these, that held something */
    int guess;           /* so many pages it will take */
    bool failed;         /* a page had no answer */
    int64_t
        next_due_in; /* of what stands behind the sweep's last page; negative: not reached yet */
    instant_ms began, next; /* of the running one; when the next begins */
    instant_ms done;        /* when the last whole one ended; 0: none yet */
    int64_t ahead[2];       /* our clock, of the store's: least seen in this span, in the last */
    instant_ms span_ends;
    struct tracked *head, *tail;
};

struct matchmaker {
    const char *url;
    uint64_t token; /* of the heartbeat in flight, 0: none */
    instant_ms next;
    struct id128 timers[TIMER_PEERS_MAX]; /* that it knows and hears */
    int timer_count;
};

/* Another timer. */
struct twin {
    struct id128 instance;
    char url[WIRE_URL_BYTES_MAX + 1]; /* of its inbox */
    instant_ms gone_at;               /* when its process was found dead; INSTANT_NEVER: it lives */
};

struct timer_core {
    struct timer_config config;
    instant_ms now;
    struct effects *out;
    uint8_t entropy[32]; /* of this step */
    uint64_t drawn, last_token;

    struct map rooms; /* room to tracked */
    struct heap heap;
    struct reading shards[WIRE_SHARDS_MAX];

    struct matchmaker matchmakers[TIMER_MATCHMAKERS_MAX];
    struct id128 timers[TIMER_PEERS_MAX]; /* who share the rooms, ascending, ourselves included */
    int timer_count;
    struct twin twins[TIMER_PEERS_MAX]; /* that some matchmaker hears */
    int twin_count;

    uint64_t places[TIMER_PLACES_MAX]; /* tokens of requests in flight */
    struct placement {
        room_id room;
        uint64_t epoch;
    } wanted[WIRE_ROOMS_MAX];
    int wanted_count, wanted_most;
    uint64_t refused_wanted, refused_places, refused_peers; /* how often each bound was met */

    bool draining;
    instant_ms leave;
    struct timer_stats stats;
};

/* ---- rooms (rooms.c) ------------------------------------------------------------------------- */

/* NULL when the table is full. A new one belongs to the shard's running sweep. */
struct tracked *rooms_add(struct timer_core *core, room_id room, int shard);
struct tracked *rooms_find(const struct timer_core *core, room_id room);
void rooms_forget(struct timer_core *core, struct tracked *entry);
/* The running sweep has listed it, or need not. */
void rooms_keep(struct timer_core *core, struct tracked *entry);
/* Forgets the rooms of the shard that the sweep just ended has not listed. */
void rooms_forget_unlisted(struct timer_core *core, struct reading *shard);
void rooms_set_owner(struct tracked *entry, struct id128 owner, const char *url, uint64_t epoch);
/* From the start: due, fired never. */
void rooms_arm(struct timer_core *core, struct tracked *entry, uint64_t number, instant_ms due);
/* When its first fire is ours to send. */
instant_ms rooms_turn(const struct tracked *entry);
/* The set of timers has changed: every room's rank with it. */
void rooms_rank_all(struct timer_core *core);

/* ---- the set (on_due.c) ---------------------------------------------------------------------- */

void due_tick(struct timer_core *core);
void due_on_reply(struct timer_core *core, const struct store_reply *reply);
void due_on_reset(struct timer_core *core, int shard, bool up);
/* Reads the room's shard at once: what is known of the room is out of date. */
void due_hurry(struct timer_core *core, int shard);
instant_ms due_deadline(const struct timer_core *core);

/* ---- fires (on_fire.c) ----------------------------------------------------------------------- */

/* Does what is to be done by now. */
void fire_tick(struct timer_core *core);
/* A sweep has listed the room: one of the twin's that waited for that is fired in this step. */
void fire_on_listed(struct timer_core *core, struct tracked *entry);
void fire_on_envelopes(struct timer_core *core, const struct event *event);
/* Asks for a placement of one room, at the end of the step. */
void fire_want_place(struct timer_core *core, struct tracked *entry);
/* Sends what the step has gathered. */
void fire_send_places(struct timer_core *core);
/* False: not the reply to one of ours. */
bool fire_on_reply(struct timer_core *core, uint64_t token);

/* ---- timers and matchmakers (members.c) ------------------------------------------------------ */

void timers_open(struct timer_core *core);
void timers_tick(struct timer_core *core);
bool timers_on_reply(struct timer_core *core, uint64_t token, const struct reply *reply);
/* Nobody listens at that inbox any more: what was a timer's there is the others'. */
void timers_on_gone(struct timer_core *core, const char *url);
/* Our place in the order of timers for a room. */
int timers_rank(const struct timer_core *core, room_id room);
void timers_drain(struct timer_core *core);
instant_ms timers_deadline(const struct timer_core *core);

/* ---- the other timers' processes (twins.c) --------------------------------------------------- */

/* A matchmaker hears it. */
void twins_hear(struct timer_core *core, const struct member *member);
bool twins_gone(struct timer_core *core, struct id128 instance);
/* True when that was a timer's inbox, and is news. */
bool twins_on_gone(struct timer_core *core, const char *url);
/* Those that are not listed any more. */
void twins_forget(struct timer_core *core, bool (*listed)(const struct timer_core *, struct id128));

/* A request with id and sender filled in, to url (NULL: any matchmaker). */
struct request *core_request(struct timer_core *core, enum request_kind kind, const char *url,
                             uint64_t *token);

#endif
