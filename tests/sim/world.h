/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the simulator share.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdio.h>

#include "sim/chance.h"
#include "sim/queue.h"
#include "sim/shadow.h"
#include "sim/sim.h"

enum happening_kind {
    HAPPEN_TICK = 1,      /* node */
    HAPPEN_FLUSH,         /* node: the end of its loop turn */
    HAPPEN_BATCH,         /* node: bytes arrive at its inbox */
    HAPPEN_LINK_LOST,     /* node: its pipe to url has closed */
    HAPPEN_GONE,          /* node: the process behind a watched url is dead */
    HAPPEN_REQUEST,       /* node: bytes arrive at its control listener; from node `peer`, token */
    HAPPEN_REPLY,         /* node: the answer to its request `token`; empty bytes: none came */
    HAPPEN_STORE_OP,      /* an op of a node reaches the store; token: its connection */
    HAPPEN_STORE_REPLY,   /* node; token: the connection, 0: it was not sent */
    HAPPEN_STORE_LOST,    /* node: that connection (token) has broken, or is silent for too long */
    HAPPEN_STORE_BACK,    /* node: its connection to the store is back */
    HAPPEN_SOCKET_OPEN,   /* gateway node; socket */
    HAPPEN_SOCKET_FRAME,  /* gateway node */
    HAPPEN_SOCKET_TAKEN,  /* gateway node: the browser has read what was written */
    HAPPEN_SOCKET_CLOSED, /* gateway node */
    HAPPEN_PLAYER_FRAME,  /* player: a ServerFrame; for its connection `socket` */
    HAPPEN_PLAYER_CLOSED, /* player */
    HAPPEN_PLAYER_TURN,   /* player: it looks at its screen */
    HAPPEN_START,         /* node: starts again */
    HAPPEN_WAKE,          /* node: a frozen process goes on */
    HAPPEN_KILL,          /* node */
    HAPPEN_TERM,          /* node: it hears that it is to leave */
    HAPPEN_FAULT,         /* something may go wrong */
    HAPPEN_STORE_START,   /* the crashed store serves again */
    HAPPEN_STORE_SYNC,    /* what the store has now it has for good */
    HAPPEN_CHECK,         /* slow checks */
    HAPPEN_UPGRADE,       /* the next worker is replaced by another binary */
    HAPPEN_REPLACE,       /* the next node (at) is replaced, and then those after it */
    HAPPEN_DAY,           /* a day passes at once */
    HAPPEN_EXIT,          /* node: was given until now to leave in order */
};

struct happening {
    struct queued queued; /* first */
    enum happening_kind kind;
    int at, peer;  /* index of node or player */
    uint64_t life; /* of that node or connection when it was scheduled: else it is dropped */
    uint64_t token, socket;
    bool later; /* bytes are of a later protocol */
    char *url;
    uint8_t *bytes;
    size_t len;
    struct store_op *op;
    struct store_reply *reply;
    struct arena arena; /* of op and reply */
};

struct route { /* where the answer to a request goes */
    int peer;
    uint64_t life, token;
};

struct asked_op { /* as its answer must name it */
    enum store_op_kind kind;
    uint64_t tag;
    int shard;
    room_id room;
};

/* A node's connection to the store. Both ways keep their order. */
struct store_line {
    bool up;          /* as the node knows */
    instant_ms since; /* it was set up then, when it is up */
    bool broken;      /* the node has not heard of it yet */
    uint64_t number;  /* of this connection */
    instant_ms last_op, last_reply;
    instant_ms deaf_until, mute_until; /* nothing gets there; no answer comes back */
    struct asked_op *asked;            /* without an answer, oldest first */
    size_t asked_count, asked_room;
};

enum store_mood { STORE_WELL, STORE_MISCONF, STORE_READONLY, STORE_WAIT_SHORT };
struct store_server {
    bool down;
    instant_ms down_until, frozen_until, slow_until, slow_ms;
    enum store_mood mood;
    instant_ms mood_until;
    instant_ms clock; /* Redis TIME - world time */
};

struct sim_node {
    enum service_kind kind;
    int index, number;
    bool up;
    bool newer;   /* a worker of the new binary */
    bool leaving; /* was told to */
    uint64_t life;
    instant_ms frozen_until;
    instant_ms skew;   /* its CLOCK_BOOTTIME at world time 0 */
    int32_t drift_ppm; /* and how much faster than world time it runs */
    struct id128 instance;
    char inbox[32], control[32];
    union {
        struct gateway_core *gateway;
        struct matchmaker_core *matchmaker;
        struct worker_core *worker;
        struct timer_core *timer;
    } core;
    struct link link;
    struct effects out;
    bool flush_queued;
    instant_ms tick_at; /* of the tick that is queued */
    int overdue;        /* turns in a row after which it asked for the next at once */
    struct store_line store;
    /* for checkers, see checks.h */
    struct map told;     /* worker: room -> struct told */
    struct map heard;    /* gateway: room -> highest epoch of which it has heard */
    struct map attempts; /* matchmaker: room and epoch -> world time of the last one */
    uint64_t lease_tag;
    instant_ms lease_sent_at, fresh_until, troubled_until, told_to_leave_at, started_at, ended_at;

    struct map asked;   /* tokens of control requests that wait */
    struct map sockets; /* gateway: those open here */
    char watched[SIM_NODES_MAX][32];
    int watched_count;
    /* To each node: a pipe keeps its order, but what an older pipe held may come late. */
    instant_ms last_arrival[SIM_NODES_MAX], overtaken_until[SIM_NODES_MAX];
};

/* From one node to another, see faults_cut.c. */
struct sim_cut {
    instant_ms until;
    bool keeps; /* what is sent meanwhile comes afterwards; else it is lost */
};

struct player;

struct world {
    struct sim_config config;
    struct chance chance; /* of whoever acts now */
    struct chance_table begun;
    uint64_t about;                 /* what is happening */
    uint32_t occurred[FAULT_COUNT]; /* numbers given */
    struct fault_list happened;     /* in order */
    instant_ms last_fault_at;
    instant_ms day_at; /* world time at which a day passed at once; 0: none has */
    instant_ms now;
    struct queue queue;
    struct happening *spare; /* to be used again */
    struct arena scratch;    /* of the step */
    struct arena *arenas;    /* emptied ones, for ops */
    size_t arena_count, arena_room;
    uint64_t next_key;
    struct sim_node nodes[SIM_NODES_MAX];
    int node_count;
    struct player *players;
    int player_count;
    struct sim_cut cuts[SIM_NODES_MAX][SIM_NODES_MAX];
    struct model_store *store;
    struct store_server server;
    instant_ms serves_from;      /* the store, without a break */
    instant_ms troubled_until;   /* all that have to do with the store */
    struct map shadows;          /* room -> struct shadow */
    struct map128 made, matched; /* requests and tickets -> their room, see check_once.c */
    struct map routes;           /* of requests being answered -> struct route */
    uint64_t next_route;
    uint64_t next_socket;
    struct sim_counts counts;
    int puppets;       /* the group that does nothing by itself in a game; -1: none */
    int changed;       /* the group whose game is changed behind its room's back; -1: none */
    struct buf *notes; /* if there is one: all that goes into a log, of every node */
    char *failure;     /* what broke; set once */
    bool broken;       /* a CHECK failed: memory is left as it is */
    struct world *next_broken;
    const char *failed_by; /* the format of that: which check it was */
    const char *matchmaker_urls[8];
};

/* ---- world.c ---- */
struct happening *world_schedule(struct world *world, enum happening_kind kind, instant_ms at);
/* It happens then instead, before what was scheduled after it for that instant. */
struct happening *world_put_off(struct world *world, struct happening *what, instant_ms at);
/* A line of the trace, when the run is traced: each begins with whom it is about. */
void world_trace_line(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define world_trace(world, ...) \
    ((world)->config.trace ? world_trace_line(world, __VA_ARGS__) : (void)0)
/* An invariant is broken: the run ends after this step. The first one counts. */
void world_fail(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool world_calm(const struct world *world);
void happening_bytes(struct happening *happening, struct slice bytes);
/* For what lives as long as it does: it is emptied and used again. */
struct arena *happening_arena(struct world *world, struct happening *happening);

/* ---- chance.c ---- */
/* From now on that actor draws, about something. Returns who did, to be put back into
 * world->chance. */
struct chance chance_begin(struct world *world, enum actor actor, int index, uint64_t about);
uint32_t chance_below(struct world *world, uint32_t bound);
/* That depends on no instant: it is the same as long as what it is about is. */
uint32_t chance_lasting(const struct world *world, enum actor actor, int index, uint64_t about,
                        uint32_t bound);
bool chance_ppm(struct world *world, uint32_t ppm); /* never once the run is calm */
instant_ms chance_between(struct world *world, instant_ms low, instant_ms high);
void chance_bytes(struct world *world, uint8_t *into, size_t len);

/* ---- occurrence.c ---- */
/* A fault of that kind is drawn, for somebody. False: it cannot happen now, or this run leaves it
 * out. Ask each time one is drawn, so that its number does not depend on what can happen. */
bool fault_happens(struct world *world, enum fault kind, bool can, const char *whom);
/* The same for what strikes by chance, until the run is calm. */
bool fault_strikes(struct world *world, enum fault kind, uint32_t ppm, const char *whom);
const char *fault_name(enum fault kind);
void fault_list_add(struct fault_list *list, struct fault_id id);
void fault_list_sort(struct fault_list *list);
void fault_list_fini(struct fault_list *list);
/* "crash:3,loss:17" or "none". False: it is neither. */
bool fault_list_read(const char *text, struct fault_list *list);
void fault_list_write(const struct fault_list *list, FILE *out);

/* ---- node.c ---- */
void node_event(struct world *world, struct sim_node *node, struct event *event);
void node_happening(struct world *world, struct happening *what);
struct sim_node *node_by_inbox(struct world *world, const char *url);
struct sim_node *node_by_control(struct world *world, const char *url);
const char *node_name(const struct sim_node *node);
/* Its CLOCK_BOOTTIME; and the first world time at which that has reached an instant. */
instant_ms node_now(const struct world *world, const struct sim_node *node);
instant_ms node_when(const struct sim_node *node, instant_ms at);

/* ---- node_life.c ---- */
void node_add(struct world *world, enum service_kind kind, int number);
void node_start(struct world *world, struct sim_node *node);
/* A worker that has room, when the others have been full for a while. */
void node_add_later(struct world *world);
void node_crash(struct world *world, struct sim_node *node);
void node_freeze(struct world *world, struct sim_node *node, instant_ms ms);
/* SIGTERM; it starts again when it is done. */
void node_replace(struct world *world, struct sim_node *node);
void node_hears_term(struct world *world, struct sim_node *node);
/* It has handed over what it had, or its time for that is over. */
void node_leave(struct world *world, struct sim_node *node);
void node_close(struct sim_node *node);

/* ---- network.c ---- */
void network_flush(struct world *world, struct sim_node *node);
void network_request(struct world *world, struct sim_node *node, const struct effect *effect);
void network_answer(struct world *world, struct sim_node *node, const struct effect *effect);
void network_happening(struct world *world, struct sim_node *node, struct happening *what);

/* ---- storage.c ---- */
void storage_op(struct world *world, struct sim_node *node, const struct store_op *op);
/* A new process has no connection at first. */
void storage_connect(struct world *world, struct sim_node *node);
void storage_close(struct sim_node *node);
/* The connection breaks; a frozen process hears of it when it wakes. */
void storage_break(struct world *world, struct sim_node *node);
/* Nothing will be answered for so long: with that patience a client gives the connection up. */
void storage_silent(struct world *world, struct sim_node *node, instant_ms ms);
void storage_arrives(struct world *world, struct happening *what);
void storage_happening(struct world *world, struct sim_node *node, struct happening *what);
instant_ms storage_now(const struct world *world);

/* ---- faults_store.c ---- */
void store_crash(struct world *world);
void store_promote(struct world *world);
void store_forget(struct world *world);
void store_freeze(struct world *world, instant_ms ms);
void store_slow_down(struct world *world);
void store_refuse(struct world *world);
void store_jump(struct world *world);
void store_partition(struct world *world, struct sim_node *node);
void store_happening(struct world *world, struct happening *what);

/* ---- faults_cut.c ---- */
void cut_network(struct world *world);
/* NULL: nothing is between the two. */
const struct sim_cut *cut_between(const struct world *world, const struct sim_node *from,
                                  const struct sim_node *to);

/* ---- upgrade.c ---- */
void upgrade_start(struct world *world);
void upgrade_happening(struct world *world, struct happening *what);
/* What a worker of that binary can play; NULL: all there is. */
const struct rules *upgrade_plays(const struct world *world, const struct sim_node *node,
                                  int *count);

/* ---- night.c ---- */
void night_start(struct world *world);
void night_happening(struct world *world, struct happening *what);
/* When that player gets up again; 0: it is not asleep. */
instant_ms night_asleep_until(const struct world *world, const struct player *player);
/* A day has passed since, which was no more than a moment here. */
bool night_passed_since(const struct world *world, instant_ms at);
/* For how long nothing has been in the way: since the calm, or since a day passed, and since what
 * had gone wrong before was over. */
instant_ms world_well_for(const struct world *world);

/* ---- faults_replace.c ---- */
void replace_start(struct world *world);
void replace_happening(struct world *world, struct happening *what);

/* ---- newer.c ---- */
/* Whether that node speaks a later protocol than the others. */
bool newer_speaks(const struct world *world, const struct sim_node *node);
/* What it sends, with what the others do not know. */
void newer_batch(struct world *world, struct slice bytes, struct buf *out);
void newer_request(struct world *world, struct slice bytes, struct buf *out);
void newer_reply(struct world *world, struct slice bytes, struct buf *out);

/* ---- faults.c ---- */
void faults_start(struct world *world);
void faults_happening(struct world *world, struct happening *what);
/* How long a fault lasts: it is over when the run calms down. */
instant_ms fault_ms(struct world *world, instant_ms low, instant_ms high);

/* ---- player.c ---- */
void players_open(struct world *world);
void players_close(struct world *world);
void player_happening(struct world *world, struct happening *what);
void player_socket_sent(struct world *world, struct sim_node *gateway, uint64_t socket,
                        struct slice frame);
void player_socket_closed(struct world *world, struct sim_node *gateway, uint64_t socket);
void player_gateway_died(struct world *world, struct sim_node *gateway);
void player_cut(struct world *world, int index);
const char *player_name(const struct world *world, int index);
/* Its browser reads slowly for a while. */
void player_slow_down(struct world *world, int index);
/* Some of what the room's people did was lost with the store and its owner. */
void players_lost(struct world *world, const struct shadow *shadow);

#endif
