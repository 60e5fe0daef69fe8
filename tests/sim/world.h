/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the simulator share.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdio.h>

#include "sim/chance.h"
#include "sim/sim.h"

enum happening_kind {
    HAPPEN_TICK = 1,      /* node */
    HAPPEN_FLUSH,         /* node: the end of its loop turn */
    HAPPEN_BATCH,         /* node: bytes arrive at its inbox */
    HAPPEN_LINK_LOST,     /* node: its pipe to url has closed */
    HAPPEN_GONE,          /* node: the process behind a watched url is dead */
    HAPPEN_REQUEST,       /* node: bytes arrive at its control listener; from node `peer`, token */
    HAPPEN_REPLY,         /* node: the answer to its request `token`; empty bytes: none came */
    HAPPEN_STORE_REPLY,   /* node */
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
    HAPPEN_FAULT,         /* something may go wrong */
    HAPPEN_STORE_START,   /* the crashed store serves again */
    HAPPEN_CHECK,         /* slow checks */
    HAPPEN_UPGRADE,       /* the next worker is replaced by another binary */
};

struct happening {
    struct heap_node node; /* key: order of scheduling, so equal instants keep their order */
    enum happening_kind kind;
    int at, peer;  /* index of node or player */
    uint64_t life; /* of that node or connection when it was scheduled: else it is dropped */
    uint64_t token, socket;
    char *url;
    uint8_t *bytes;
    size_t len;
    struct store_reply *reply;
    struct arena arena; /* of the reply */
};

struct route { /* where the answer to a request goes */
    int peer;
    uint64_t life, token;
};

struct sim_node {
    enum service_kind kind;
    int index, number;
    bool up;
    bool newer; /* a worker of the new binary */
    uint64_t life;
    instant_ms frozen_until;
    instant_ms cut_until; /* nothing from or to other nodes arrives before */
    instant_ms skew;      /* its CLOCK_BOOTTIME - world time */
    struct chance chance;
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
    bool store_cut;
    instant_ms last_store_reply;
    struct map asked;   /* tokens of control requests that wait */
    struct map sockets; /* gateway: those open here */
    char watched[SIM_NODES_MAX][32];
    int watched_count;
    instant_ms
        last_arrival[SIM_NODES_MAX]; /* a stream between two nodes keeps its order unless doubled */
};

struct player;
struct shadow;

struct world {
    struct sim_config config;
    struct chance *chance; /* of whoever acts now */
    struct chance setting, luck_of[FAULT_COUNT];
    uint32_t occurred[FAULT_COUNT]; /* numbers given */
    struct fault_list happened;     /* in order */
    instant_ms last_fault_at;
    instant_ms now;
    struct heap queue;
    uint64_t next_key;
    struct sim_node nodes[SIM_NODES_MAX];
    int node_count;
    struct player *players;
    int player_count;
    struct model_store *store;
    bool store_down;
    instant_ms repaired_at; /* by then its owners have appended again what the store forgot */
    instant_ms store_skew;
    struct map shadows; /* room -> struct shadow */
    struct map routes;  /* of requests being answered -> struct route */
    uint64_t next_route;
    uint64_t next_socket;
    struct sim_counts counts;
    char *failure;         /* what broke; set once */
    bool broken;           /* a CHECK failed: memory is left as it is */
    const char *failed_by; /* the format of that: which check it was */
    const char *matchmaker_urls[8];
};

/* ---- world.c ---- */
struct happening *world_schedule(struct world *world, enum happening_kind kind, instant_ms at);
/* A line of the trace, when the run is traced: each begins with whom it is about. */
void world_trace_line(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define world_trace(world, ...) \
    ((world)->config.trace ? world_trace_line(world, __VA_ARGS__) : (void)0)
/* An invariant is broken: the run ends after this step. The first one counts. */
void world_fail(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool world_calm(const struct world *world);
void happening_bytes(struct happening *happening, struct slice bytes);

/* ---- chance.c: drawn from the stream of who acts now ---- */
uint32_t chance_below(struct world *world, uint32_t bound);
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
void node_add(struct world *world, enum service_kind kind, int number);
void node_start(struct world *world, struct sim_node *node);
void node_crash(struct world *world, struct sim_node *node);
void node_freeze(struct world *world, struct sim_node *node, instant_ms ms);
void node_cut_off(struct world *world, struct sim_node *node, instant_ms ms);
void node_event(struct world *world, struct sim_node *node, struct event *event);
void node_close(struct sim_node *node);
void node_happening(struct world *world, struct happening *what);
struct sim_node *node_by_inbox(struct world *world, const char *url);
struct sim_node *node_by_control(struct world *world, const char *url);
const char *node_name(const struct sim_node *node);

/* ---- network.c ---- */
void network_flush(struct world *world, struct sim_node *node);
void network_request(struct world *world, struct sim_node *node, const struct effect *effect);
void network_answer(struct world *world, struct sim_node *node, const struct effect *effect);
void network_happening(struct world *world, struct sim_node *node, struct happening *what);

/* ---- storage.c ---- */
void storage_op(struct world *world, struct sim_node *node, const struct store_op *op);
/* A new process has no connection at first. */
void storage_connect(struct world *world, struct sim_node *node);
void storage_cut(struct world *world, struct sim_node *node);
void storage_crash(struct world *world);
void storage_forget(struct world *world);
void storage_happening(struct world *world, struct sim_node *node, struct happening *what);
instant_ms storage_now(const struct world *world);
/* What the store holds right now may be less than what was acknowledged. */
bool storage_repairing(const struct world *world);

/* ---- upgrade.c ---- */
void upgrade_start(struct world *world);
void upgrade_happening(struct world *world, struct happening *what);
/* What a worker of that binary can play; NULL: all there is. */
const struct rules *upgrade_plays(const struct world *world, const struct sim_node *node,
                                  int *count);

/* ---- faults.c ---- */
void faults_start(struct world *world);
void faults_happening(struct world *world, struct happening *what);

/* ---- player.c ---- */
void players_open(struct world *world);
void players_close(struct world *world);
void player_happening(struct world *world, struct happening *what);
void player_socket_sent(struct world *world, struct sim_node *gateway, uint64_t socket,
                        struct slice frame);
void player_socket_closed(struct world *world, struct sim_node *gateway, uint64_t socket);
void player_gateway_died(struct world *world, struct sim_node *gateway);
void player_cut(struct world *world, int index);
struct chance *player_chance(struct world *world, int index);
const char *player_name(const struct world *world, int index);

/* ---- shadow.c ---- */
struct shadow_seq {
    uint64_t seq;
    struct id128 view, game;
    struct id128 mine[GAME_SEATS_MAX];
};
struct shadow_time { /* see check_entry.c */
    bool known;
    instant_ms last, latest; /* room time of the last entry; the latest that is possible */
    instant_ms world, store; /* when it was accepted */
};
struct shadow_start {
    uint64_t position; /* 0: none */
    struct game_seed seed;
};
struct shadow {
    room_id id;
    struct room *room;
    uint64_t position;
    uint64_t epoch;
    struct shadow_seq seqs[SIM_SEQS]; /* by seq % SIM_SEQS */
    instant_ms moved_at;              /* world time of the last entry */
    uint32_t games;
    struct shadow_time time;
    struct shadow_start starts[SIM_STARTS];
};
struct shadow *shadow_of(struct world *world, room_id room);
struct shadow *shadow_by_code(struct world *world, const char *code);
/* The store has carried out an op: what it accepted is replayed. */
void shadow_follow(struct world *world, room_id room);
/* The store forgot: every room is replayed from what is left. */
void shadow_rebuild(struct world *world);
void shadows_close(struct world *world);

/* ---- check_*.c ---- */
void check_room_moves(struct world *world);     /* promise 5, every second */
void check_acknowledged(struct world *world);   /* promise 2, at the end */
void check_reached_newest(struct world *world); /* at the end */
void check_entry(struct world *world, struct shadow *shadow, struct slice bytes);
void check_frame(struct world *world, struct player *player, const struct server_room *frame);
void check_ack(struct world *world, struct player *player, const struct server_answer *answer);

#endif
