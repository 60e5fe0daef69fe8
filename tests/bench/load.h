/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-load: real games, played by as many people as are asked for, to measure a cluster from the
 * outside. One process has one loop and its share of the rooms; what it counts lies in memory that
 * it shares with the process that people started, which adds up, shows progress and reports.
 *
 *     load_main.c     starts the processes, leads them through the phases
 *     load_plan.c     the command line
 *     load_run.c      the loop of one process: the schedule, the pings, the storms
 *     load_client.c   one person's connection, up to the seat
 *     load_heard.c    what comes, and what of it must never be
 *     load_room.c     who acts next in a room, and what came of it
 *     load_report.c   the figures, as a table and as JSON
 *     watch.c         what the processes of the cluster take meanwhile
 *
 * A room has at most one action on its way, and that is over when it is answered and everybody in
 * the room has been shown its outcome. In a closed loop the next one follows at once, with at most
 * `in_flight` on their way in all rooms; in an open loop actions are due at fixed moments, and each
 * goes to a room that is drawn among those that are free. Between two games a room counts down. So
 * a closed loop has more rooms than in_flight, of which those that have begun a game play it to its
 * end, and the others are ready by then.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include "base/heap.h"
#include "bench/latency.h"
#include "bench/line.h"
#include "bench/reads.h"
#include "bench/watch.h"
#include "cluster/bot.h"

enum {
    LOAD_TARGETS_MAX = 64,
    LOAD_PROCESSES_MAX = 64,
    LOAD_SEATS_MAX = 12,
    LOAD_FAULTS_KEPT = 4,
    LOAD_UNANSWERED_MS = 10 * 1000, /* an action without an outcome for so long is an error */
};

struct load_target {
    char host[48];
    uint32_t address; /* network order */
    uint16_t port;
};

struct load_plan {
    struct load_target targets[LOAD_TARGETS_MAX];
    int target_count;
    char game[32];
    int rooms, players, idle; /* idle: connections seated in rooms whose game never starts */
    double rate;              /* actions a second; 0: a closed loop */
    int in_flight;            /* of a closed loop; 0: one for each room */
    double warmup_s, duration_s, ramp_s;
    double storm_s; /* between two; 0: none */
    int storm_percent;
    int processes;
    uint64_t seed;
    const char *json, *watch, *cluster;
    bool quiet;
};

/* ---- what is counted ------------------------------------------------------------------------- */

/* What can happen to a healthy client of a cluster in trouble. */
#define LOAD_ERRORS(X)                                       \
    X(CONNECT, "connect", "connections that were not made")  \
    X(LOST, "lost", "connections that broke")                \
    X(ENTRY, "entry", "refusals to let somebody in")         \
    X(DETACHED, "detached", "people put out of their rooms") \
    X(REFUSED, "refused", "actions refused")                 \
    X(BUSY, "busy", "answers: busy, or too fast")            \
    X(PAUSED, "paused", "notices that a room cannot go on")  \
    X(UNANSWERED, "unanswered", "actions without an outcome for 10 s")

/* What must never happen. */
#define LOAD_FAULTS(X)                                                               \
    X(VERSION, "version", "a version that falls")                                    \
    X(BASE, "base", "a delta whose base the client does not have")                   \
    X(TWICE, "twice", "an action answered twice, or lost after it was acknowledged") \
    X(DIFFERS, "differs", "two people shown different things of one version")        \
    X(TOLD, "told", "something shown that nobody may know yet")                      \
    X(MISSING, "missing", "a last version that did not arrive")                      \
    X(UNREADABLE, "unreadable", "a frame that cannot be read")

#define X(name, key, text) LOAD_ERROR_##name,
enum load_error { LOAD_ERRORS(X) LOAD_ERROR_COUNT };
#undef X
#define X(name, key, text) LOAD_FAULT_##name,
enum load_fault { LOAD_FAULTS(X) LOAD_FAULT_COUNT };
#undef X

enum load_traffic {
    LOAD_ACTS,
    LOAD_VIEWS,
    LOAD_ANSWERS,
    LOAD_REST_UP,
    LOAD_REST_DOWN,
    LOAD_TRAFFICS
};

/* Of the time that is measured. */
struct load_figures {
    uint64_t accepted, sent, games, returns;
    uint64_t starved; /* due while every room counted down: the plan has too few rooms */
    uint64_t unsent;  /* due, and never sent: added to the latencies with the time they waited */
    uint64_t errors[LOAD_ERROR_COUNT];
    struct {
        uint64_t frames, bytes;
    } traffic[LOAD_TRAFFICS];
    struct latency own;  /* an action: until its sender has answer and view */
    struct latency last; /* until the last person in the room has the view */
    struct latency back; /* a connection that broke: until its person sits again */
    struct latency turn; /* of the loop: how long what came waited at most */
    uint64_t measured_us, cpu_us, memory_kb;
};

enum load_phase { LOAD_GATHER, LOAD_WARM, LOAD_MEASURE, LOAD_SETTLE, LOAD_END };

/* In shared memory: one for each process. Written by that process alone. */
struct load_share {
    struct load_figures figures;
    uint64_t faults[LOAD_FAULT_COUNT];         /* of the whole time */
    char said[LOAD_FAULTS_KEPT][160];          /* the first ones */
    uint64_t connected, seated, playing, done; /* now */
    bool settled;
};

struct load_shared {
    enum load_phase phase; /* written by the process that leads */
    struct load_share share[LOAD_PROCESSES_MAX];
};

/* ---- people and rooms ------------------------------------------------------------------------ */

enum load_state {
    LOAD_AWAY,     /* not connected; tries at `due` */
    LOAD_SHAKING,  /* connecting, handshake */
    LOAD_GREETING, /* said hello */
    LOAD_WAITING,  /* welcome; the room has no code yet, or a pause before asking again */
    LOAD_ENTERING, /* asked to be let in */
    LOAD_SEATED,
};

struct load_client {
    struct line line;
    struct load *load;
    struct load_room *room;
    struct heap_node due;
    enum load_state state;
    uint32_t index, interest; /* interest: of epoll */
    int tries;
    uint32_t hellos;
    bool renewed; /* sits by another generation than at first */
    uint64_t since_ms, ping_at_ms;
    uint32_t every_ms; /* between two pings of the gateway, as it says */
    uint64_t lost_us;  /* 0: it was not seated when it broke, or it did not */
    int seat;          /* -1: none yet */
    uint32_t generation;
    uint64_t counter; /* of its last accepted action */
    struct version version;
    uint64_t game_version;
    uint64_t shown_us;           /* when that version came */
    struct buf view, game, mine; /* what it was sent last: patches are made from it */
    uint8_t token[128];
    uint8_t token_len;
};

struct load_room {
    struct load *load;
    struct load_client *clients;
    int count;
    bool idles;
    char code[8];
    struct heap_node due; /* sends its action again */
    struct ws_view view;  /* of the newest version that brought one */
    struct version view_version;
    struct version newest;       /* that anybody has */
    struct version game_version; /* of `game` */
    struct buf game;             /* the part that all viewers share */
    struct tower tower;          /* read from it */
    uint64_t made_for;
    bool queued; /* among the free rooms */
    int turn;    /* the seat that is asked first */

    struct {
        struct load_client *by; /* NULL: none is on its way */
        bool command, answered, overdue;
        uint64_t counter, seq; /* seq 0: accepted, and not known as what */
        uint64_t due_us, sent_us, answered_us;
        uint8_t bytes[GAME_ACTION_BYTES_MAX];
        size_t len;
    } act;
};

struct load {
    const struct load_plan *plan;
    struct load_shared *shared;
    struct load_share *share;
    enum load_phase phase;
    int process, epoll;
    struct heap due;
    uint64_t now_us, looked_us;
    uint64_t draws;
    struct load_room *rooms;
    struct load_client *clients;
    int room_count, client_count, look_at;
    struct load_room **free; /* those that could act, perhaps */
    int free_count, flights, flights_max;
    double next_us, interval_us; /* of the open loop */
    bool starving;
    bool settling; /* has been told to: what is missing at the end is a fault */
    uint64_t storm_us, measure_us, cpu_us;
    const struct bot *bot;
    bool lean; /* dobble: read without the bot */
};

/* ---- between its files ----------------------------------------------------------------------- */

/* load_plan.c. The exit code; -1: go on. */
int load_plan_read(struct load_plan *plan, int argc, char **argv);

/* load_run.c. One process from begin to end. */
void load_run(const struct load_plan *plan, struct load_shared *shared, int process);
uint64_t load_clock_us(void);
uint32_t load_draw(struct load *load, uint32_t below);
void load_error(struct load *load, enum load_error error);
void load_fault(const struct load_client *client, enum load_fault fault, const char *what);
bool load_measures(const struct load *load);

/* load_client.c */
void load_client_open(struct load_client *client, struct load *load, struct load_room *room,
                      uint32_t index);
void load_client_ready(struct load_client *client);
void load_client_due(struct load_client *client);
/* Something was heard: a ping of its own is due only when the next of the gateway is late. */
void load_client_alive(struct load_client *client);
void load_client_look(struct load_client *client); /* once a second: pings, silence */
void load_client_ask(struct load_client *client);  /* to be let in */
void load_client_retry(struct load_client *client);
void load_client_lose(struct load_client *client, enum load_error why, bool at_once);
bool load_client_say(struct load_client *client, const struct client_frame *frame);

/* load_heard.c: a line_heard. */
bool load_heard(void *client, struct slice message, size_t wire_len);

/* load_room.c */
void load_room_changed(struct load_room *room); /* something came: is it free, is an action over? */
void load_room_due(struct load_room *room);
void load_room_look(struct load_room *room); /* once a second */
/* A free room acts: in a closed loop the one that was freed last, else any. False: none does. */
bool load_room_act(struct load *load, uint64_t due_us);
void load_room_answered(struct load_room *room, const struct answer_frame *answer);
void load_room_returned(struct load_room *room, struct load_client *client);

/* load_report.c */
struct load_outcome {
    struct load_figures all;
    uint64_t faults[LOAD_FAULT_COUNT];
    const char *said[LOAD_FAULTS_KEPT];
    double busiest;    /* share of a core of the process that had most to do */
    bool began;        /* everybody played, or sat, before the time was over */
    double gathered_s; /* until they did */
    struct watched before[WATCH_MAX], after[WATCH_MAX];
    int watched;
    double watched_s;
    double machine_s; /* that all processors were busy in that time */
    int processors;
};
void load_add_up(const struct load_plan *plan, const struct load_shared *shared,
                 struct load_outcome *out);
/* Sentences on why the figures say less than they seem to; how many. */
int load_doubts(const struct load_plan *plan, const struct load_outcome *outcome,
                char doubts[][160], int max);
void load_table(const struct load_plan *plan, const struct load_outcome *outcome);
bool load_json(const struct load_plan *plan, const struct load_outcome *outcome);
/* 0 sound; 1 faults; 3 it never began; 4 the generator was the limit; 5 errors. */
int load_exit(const struct load_plan *plan, const struct load_outcome *outcome);

#endif
