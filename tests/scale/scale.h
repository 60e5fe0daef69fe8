/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster far larger than this machine, in simulated time: the real cores of matchmakers and
 * workers, each request and answer as its bytes on the wire, the simulated store (sim/model_store)
 * behind a few shards. What people, gateways and timers do is played by stand-ins: the crowd asks
 * for quick matches, comes into the rooms it is given and goes away again.
 *
 * It asks what tests/sim does not: how evenly rooms lie on a thousand workers, how long tickets
 * wait, how soon the rooms of dead workers have owners again, what a placement and a room cost.
 * Nothing goes wrong here by chance; what can is tests/sim's.
 *
 * Left out: gateways' and timers' cores, sockets, batches, a store that fails. A step takes no
 * simulated time; how much of a processor each kind of step took is counted beside it.
 */
#ifndef SCALE_SCALE_H
#define SCALE_SCALE_H

#include <stdio.h>

#include "base/heap.h"
#include "base/map.h"
#include "matchmaker/matchmaker_core.h"
#include "sim/model_store.h"
#include "sim/queue.h"
#include "worker/worker_core.h"

#define SCALE_KEY "the operator of a large cluster"
enum {
    SCALE_NODES_MAX = 1536,
    SCALE_MATCHMAKERS_MAX = 8,
    SCALE_SHARDS_MAX = 8,
    SCALE_WAIT_MS_MAX = 60 * 1000, /* of a ticket, as the histogram goes */
    SCALE_SLOT_MS = 10,            /* the stand-ins act so often */
};

struct scale_config {
    uint64_t seed;
    int matchmakers, workers, gateways, shards;
    uint32_t rooms_max; /* of each worker */
    uint32_t tickets_a_s;
    size_t rooms_kept;   /* beyond so many the oldest go; 0: none does */
    uint32_t people_max; /* of a match so many come */
    instant_ms stay_ms;  /* and go so long after they came; INSTANT_NEVER: they stay */
    const char *game;    /* of all tickets; NULL: each game in turn */
};

/* What a step was for. */
#define SCALE_WORK(X)                                                      \
    X(heartbeats) /* and what they are answered */                         \
    X(tickets)    /* questions of gateways, claims, rooms being found */   \
    X(creates)    /* steps that gave a new room to a worker, or made it */ \
    X(adoptions)  /* rooms of dead workers, from the page to the answer */ \
    X(play)       /* envelopes, appends, snapshots */                      \
    X(ticks)      /* and leases */
enum scale_work {
#define X(name) SCALE_WORK_##name,
    SCALE_WORK(X)
#undef X
        SCALE_WORK_COUNT,
};
struct scale_cost {
    uint64_t ns[SCALE_WORK_COUNT], steps[SCALE_WORK_COUNT];
};

struct scale_node {
    enum service_kind kind;
    int index;
    uint32_t life;
    bool up;
    struct id128 instance;
    char inbox[32], control[32];
    struct matchmaker_core *matchmaker;
    struct worker_core *worker;
    struct effects out;
    struct map asked; /* tokens of requests that wait for their answer */
    instant_ms tick_at;
    uint32_t rooms; /* as its last heartbeat said */
};

struct scale_room {
    uint32_t people;           /* that came */
    struct heap_node deadline; /* key: the room */
    uint64_t number;
};

struct scale_ticket {
    uint64_t number;
    struct id128 id;
    const char *game;
    instant_ms since;
    bool asking; /* its question is under way: one at a time, as gateways do */
};

struct scale_counts {
    uint64_t tickets, placed, refused, lost; /* tickets: asked, answered with a room, with "no" */
    uint64_t twice;                          /* answers to what was not, or no longer, asked */
    uint64_t created, closed, adopted, fires, moved, attached;
    uint64_t replies, reply_bytes; /* to heartbeats of workers */
    uint64_t gateway_replies, gateway_reply_bytes;
    uint64_t bad_notes;
    uint32_t wait_ms[SCALE_WAIT_MS_MAX]; /* tickets by what they waited */
};

struct scale_world {
    struct scale_config config;
    struct queue queue;
    uint64_t scheduled, draws;
    struct scale_node *nodes; /* matchmakers first */
    int node_count;
    const char *matchmaker_urls[SCALE_MATCHMAKERS_MAX];
    struct map128 by_instance;
    struct model_store *stores[SCALE_SHARDS_MAX];
    struct map routes; /* requests being answered, by the token that the core was given */
    uint64_t next_route;
    struct map rooms, tickets; /* by id; by number */
    struct {
        room_id *list; /* in the order in which they were made; some are gone by now */
        size_t first, count, room;
    } by_age;
    uint64_t orders;
    struct heap deadlines;
    uint64_t next_ticket;
    uint64_t due_tickets; /* thousandths, not yet asked for */
    bool crowd_rests;     /* nobody new asks */
    struct arena scratch;
    struct buf bytes;
    struct scale_cost matchmaker_cost, worker_cost;
    struct scale_counts counts;
};

/* ---- world.c --------------------------------------------------------------------------------- */

struct scale_world *scale_open(const struct scale_config *config);
void scale_close(struct scale_world *world);
void scale_run(struct scale_world *world, instant_ms ms);
instant_ms scale_now(const struct scale_world *world);
uint64_t scale_draw(struct scale_world *world);

enum scale_event {
    SCALE_TICK = 1,
    SCALE_REQUEST,
    SCALE_REPLY, /* without bytes: none came within its time */
    SCALE_STORE,
    SCALE_ENVELOPE,
    SCALE_GONE,
    SCALE_SLOT,
    SCALE_ASK,   /* of the crowd: about a ticket */
    SCALE_HEARD, /* of the crowd: an answer */
};
struct scale_message {
    struct queued queued; /* first */
    enum scale_event kind;
    int to; /* node */
    uint32_t life;
    uint64_t token;
    struct buf bytes;
    struct envelope envelope;
    char name[24];
    int peer; /* gateway that speaks; of the watched node that is gone */
    struct store_reply reply;
    struct arena arena; /* what the reply points to */
};
struct scale_message *scale_send(struct scale_world *world, enum scale_event kind,
                                 instant_ms after_ms);

/* ---- nodes.c --------------------------------------------------------------------------------- */

void node_open(struct scale_world *world, enum service_kind kind);
void node_close(struct scale_node *node);
void node_event(struct scale_world *world, struct scale_node *node, struct event *event);
void node_message(struct scale_world *world, struct scale_message *message);
/* The node that the URL is of; NULL: none, or not up. */
struct scale_node *node_at(struct scale_world *world, const char *url);
/* Ends it. refuses: as a process does whose machine runs on: its pipes close, and redials are
 * refused. Else nobody hears anything of it any more. */
void node_kill(struct scale_world *world, struct scale_node *node, bool refuses);

/* ---- wires.c --------------------------------------------------------------------------------- */

/* from: who asks; NULL: the crowd. */
void wire_request(struct scale_world *world, struct scale_node *from, struct scale_node *to,
                  uint64_t token, const struct request *request, instant_ms timeout_ms);
void wire_answer(struct scale_world *world, const struct effect *effect);
void wire_store(struct scale_world *world, struct scale_node *node, const struct store_op *op);

/* ---- crowd.c --------------------------------------------------------------------------------- */

void crowd_slot(struct scale_world *world);
void crowd_ask(struct scale_world *world, uint64_t ticket);
void crowd_heard(struct scale_world *world, const struct scale_message *message);
void crowd_remember(struct scale_world *world, room_id room);

/* ---- look.c ---------------------------------------------------------------------------------- */

struct scale_balance {
    int workers;
    uint32_t max;
    double mean, ratio;
};
struct scale_balance look_balance(const struct scale_world *world);
/* Rooms that the store says are that instance's. */
uint64_t look_owned(struct scale_world *world, struct id128 instance, uint64_t at_most);
/* NULL, or what is wrong with who owns what: each room that was made and not closed is in the
 * store, is owned by a worker that is up, and lives there and nowhere else. Lent. */
const char *look_for_faults(struct scale_world *world);
/* Requests that a bound turned away so far, in all cores. */
uint64_t look_refused(const struct scale_world *world, FILE *tell);
instant_ms look_wait_ms(const struct scale_world *world, double share);

#endif
