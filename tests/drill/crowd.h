/* SPDX-License-Identifier: Apache-2.0
 *
 * Thousands of people who play, in one process and one loop: real WebSockets that never block. Each
 * does what the browser client does: comes back after a pause that grows, to whichever gateway
 * takes it, names what it has, and sends again what was not answered.
 *
 *     struct crowd *crowd = crowd_open(&(struct crowd_plan){.port = port, .rooms = 1000, ...});
 *     crowd_play_until(crowd, crowd_all_play, 60000);   the rooms are made, the games have begun
 *     crowd_mark(crowd);                                now something is broken
 *     crowd_play_until(crowd, crowd_is_calm, 20000);    until nobody waits for an answer
 *     crowd_gather(crowd, &times);
 *
 * Of twenty rooms one is of dobble and one of davinci-code, with two people each; eighteen are of
 * number-baseball with one. Each room acts once in `pace_ms`: some seat makes a move, or who may
 * starts the next game. In some rooms of davinci-code somebody sleeps and the clock plays for them;
 * one room in twenty can be made keen (crowd_keen), so that no short pause goes unnoticed.
 *
 * While it plays it holds what comes against what must be: epochs and versions never fall, an
 * action has one outcome, nobody loses the seat. What it says, hears of actions and, in every fifth
 * room, sees is kept for the verdict (verdict.h).
 */
#ifndef DRILL_CROWD_H
#define DRILL_CROWD_H

#include "cluster/bot.h"
#include "drill/samples.h"

#include "base/heap.h"

enum {
    CROWD_USUAL_MS = 100, /* an answer within this is no interruption */
    CROWD_CALM_MS = 300,  /* nobody waits longer: calm */
    CROWD_FAULTS_KEPT = 8,
    CROWD_SEATS_MAX = 2,
    CROWD_KEEN_MS = 100,
};

struct crowd_plan {
    int port, rooms;
    uint32_t pace_ms;
    uint64_t seed;
};

/* What somebody did with that counter: the actions that may stand in the log. */
struct crowd_act {
    uint64_t hash; /* crowd_act_hash */
};

/* A screen that somebody had before them. */
struct crowd_shown {
    uint64_t seq;
    struct id128 hash; /* crowd_shown_hash */
};

enum crowd_phase {
    CROWD_AWAY,     /* not connected; tries again at `due` */
    CROWD_SHAKING,  /* connecting, handshake */
    CROWD_GREETING, /* said hello */
    CROWD_IDLE,     /* welcome, and nothing to ask now */
    CROWD_ENTERING, /* asked to be let in */
    CROWD_SEATED,
};

struct crowd_client {
    struct ws_client ws; /* first: what `heard` is given is this */
    struct crowd *crowd;
    struct crowd_room *room;
    int index;
    enum crowd_phase phase;
    struct heap_node due;
    bool sleeps;         /* never acts */
    bool deaf;           /* does not read */
    uint32_t interest;   /* of epoll */
    int attempts, tries; /* to connect; to be let in */
    instant_ms phase_since, heard_at, ping_at, again_at;
    instant_ms move_at; /* its gateway leaves: when to go, 0: it does not */
    instant_ms lost_at; /* the seat's connection, 0: not lost */

    struct version newest;  /* ever seen */
    bool waits;             /* an action is unanswered */
    instant_ms sent_at;     /* that one */
    uint64_t acked;         /* highest counter that was acknowledged */
    struct crowd_act *acts; /* of counters acts_base + 1 .. acts_base + act_count */
    uint64_t acts_base;
    size_t act_count, act_room;
    struct crowd_shown *shown; /* since the last verdict, in rooms that are watched closely */
    size_t shown_count, shown_room, shown_judged;

    /* The countdown that it watches: lateness of deadlines. */
    uint64_t countdown_epoch;
    int64_t offset; /* its clock minus room time, at best */
    uint64_t starts;
};

struct crowd_room {
    int index;
    const struct bot *bot;
    const char *game;
    struct crowd_client *clients;
    int client_count;
    char code[8];
    bool keen;            /* one of those that can be */
    bool close;           /* watched closely: every screen is held against the log */
    bool deaf;            /* somebody there does not read: its times say nothing */
    struct heap_node due; /* acts next */
    uint32_t turns;
    instant_ms answered_at;           /* last; since it was marked also: the mark */
    instant_ms moved_at;              /* somebody saw a newer version, or had an answer */
    uint64_t epoch;                   /* newest that anybody saw */
    instant_ms epoch_at;              /* first */
    uint64_t floor;                   /* frames below this epoch come too late; see crowd_floor */
    uint64_t marked_epoch;            /* when it was marked */
    uint32_t marked_game;             /* that was on then; 0: none */
    instant_ms worst_wait, worst_gap; /* since then; see crowd_gather */
};

struct crowd_counts {
    uint64_t acknowledged, refused, busy, disordered, games;
    uint64_t paused; /* times that somebody was told that their room cannot go on now */
    uint64_t lost_connections, returns;
    uint64_t late_frames; /* below a room's floor: computed by who is not its owner any more */
    uint64_t faults;      /* what must never be */
};

struct crowd {
    struct crowd_plan plan;
    int epoll;
    struct heap due;
    instant_ms now, marked_at;
    uint64_t draws;
    bool keen;
    struct crowd_room *rooms;
    struct crowd_client *clients;
    int client_count;
    struct crowd_counts counts;
    char faults[CROWD_FAULTS_KEPT][160]; /* the first ones */
    struct samples back, late;           /* since the mark */
};

struct crowd *crowd_open(const struct crowd_plan *plan);
void crowd_close(struct crowd *crowd);

/* Plays on for so long. */
void crowd_play(struct crowd *crowd, int ms);
/* Until the condition holds; false: it did not within limit_ms. */
typedef bool (*crowd_condition)(const struct crowd *crowd);
bool crowd_play_until(struct crowd *crowd, crowd_condition condition, int limit_ms);

bool crowd_all_play(const struct crowd *crowd);   /* every room's game has begun */
bool crowd_all_seated(const struct crowd *crowd); /* everybody is connected and in their seat */
/* Everybody seated, nobody waits for an answer longer than CROWD_CALM_MS, and every room has had
 * its turn since the mark. */
bool crowd_is_calm(const struct crowd *crowd);
/* Every game that was on at the mark has ended; those with sleepers take too long. */
bool crowd_games_ended(const struct crowd *crowd);

/* Whether the keen rooms act every 100 ms. */
void crowd_keen(struct crowd *crowd, bool keen);
/* Whether one person in ten reads what comes. */
void crowd_deaf(struct crowd *crowd, bool deaf);

/* Times are counted from now. */
void crowd_mark(struct crowd *crowd);
struct crowd_times {
    /* Of each room in which an action waited longer than CROWD_USUAL_MS since the mark: the longest
     * such wait, from its sending or from the mark. */
    struct samples wait;
    /* Of those, and of each room that has another owner since: the longest time from the room's
     * last answer, or the mark, to such an action's, or to the first view of the new owner. */
    struct samples gap;
    struct samples back; /* of each connection that broke: until its person sat again */
    struct samples late; /* of each countdown: how long after its deadline its end was seen */
    uint64_t moved;      /* rooms with a newer epoch than when they were marked */
};
/* Adds what came about since the mark. */
void crowd_gather(struct crowd *crowd, struct crowd_times *times);
void crowd_times_fini(struct crowd_times *times);
/* Rooms that wait for an answer, or in which nothing has moved since then (somebody who sleeps has
 * the time of a turn). */
int crowd_stalled(const struct crowd *crowd, instant_ms since);
/* From now on, frames of a room below its newest epoch are counted as late. */
void crowd_floor(struct crowd *crowd);

/* Something that must never be. Kept and counted. */
void crowd_fault(struct crowd *crowd, const struct crowd_client *client, const char *what);
uint64_t crowd_act_hash(bool command, struct slice bytes);
/* Of what the room, the game and this seat alone show. */
struct id128 crowd_shown_hash(struct slice room, struct slice game, struct slice mine);

/* ---- between its files ----------------------------------------------------------------------- */

uint32_t crowd_draw(struct crowd *crowd, uint32_t below);
/* crowd_client.c */
void crowd_client_open(struct crowd_client *client);
void crowd_client_ready(struct crowd_client *client, uint32_t events);
void crowd_client_due(struct crowd_client *client);
void crowd_client_welcome(struct crowd_client *client);
void crowd_client_ask(struct crowd_client *client); /* to be let in, when there is a room */
/* Does what `again_at` is for at that time. */
void crowd_client_again(struct crowd_client *client, instant_ms at);
/* Plays on until then, then hangs up and comes again at once. */
void crowd_client_move(struct crowd_client *client, instant_ms at);
/* What waits bears another counter from now on. False: one that cannot be. */
bool crowd_client_recount(struct crowd_client *client, uint64_t counter);
void crowd_client_act(struct crowd_client *client, bool command, struct slice bytes);
void crowd_client_deaf(struct crowd_client *client, bool deaf);
/* crowd_reads.c */
void crowd_heard(struct ws_client *ws, const struct server_frame *frame);
/* crowd_room.c */
void crowd_room_due(struct crowd *crowd, struct crowd_room *room);
/* crowd_moves_wire.c: a guess of number-baseball that nobody thinks about; the countdown. */
size_t crowd_baseball_move(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX]);
bool crowd_baseball_starts(const struct ws_client *player, bool *counting, uint64_t *starts);

#endif
