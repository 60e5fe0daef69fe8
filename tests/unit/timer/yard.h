/* SPDX-License-Identifier: Apache-2.0
 *
 * Timers at work: one or two cores over the simulated store, workers that do as they are told, a
 * matchmaker that answers heartbeats. Every message takes a millisecond. What the timers send is
 * written down.
 */
#ifndef UNIT_TIMER_YARD_H
#define UNIT_TIMER_YARD_H

#include "sim/model_store.h"
#include "timer/timer_core.h"

enum { YARD_TIMERS = 2, YARD_SENT_MAX = 8192, YARD_WORKERS = 4 };

enum worker_mood {
    WORKER_HANDLES = 0, /* appends the clock, which ends the deadline, and answers "over" */
    WORKER_SILENT,
    WORKER_EARLY, /* answers that `remaining` is left */
    WORKER_OVER,  /* answers "over", but appends nothing */
    WORKER_NOT_OWNER,
};

struct yard_sent {
    instant_ms at;
    int timer, worker; /* worker -1: a placement */
    room_id room;
    uint64_t number;
};

struct yard_item;

struct yard {
    instant_ms now;
    struct timer_core *timers[YARD_TIMERS]; /* NULL: dead */
    struct effects out[YARD_TIMERS];
    bool left[YARD_TIMERS]; /* has said that it may end */
    struct model_store *store;
    bool store_away;
    instant_ms store_ms; /* how long an answer takes */
    bool matchmaker_away;
    enum worker_mood moods[YARD_WORKERS];
    instant_ms remaining;
    struct yard_sent sent[YARD_SENT_MAX];
    int sent_count, place_requests, heartbeats;
    bool draining_told[YARD_TIMERS];
    bool watches[YARD_TIMERS][YARD_TIMERS];
    struct yard_item *items; /* under way */
};

void yard_open(struct yard *yard, int timers);
void yard_close(struct yard *yard);
void yard_pass(struct yard *yard, instant_ms ms);
struct id128 yard_timer(int timer);
const char *yard_timer_url(int timer);
struct id128 yard_worker(int worker);

/* A room of that worker (-1: of nobody) whose deadline `number` is due in so many ms (negative: not
 * possible; 0: now). */
room_id yard_room(struct yard *yard, uint32_t n, int worker, uint64_t number, instant_ms due_in);
/* The owner appends one entry and with it a new deadline. */
void yard_rearm(struct yard *yard, room_id room, int worker, uint64_t number, instant_ms due_in);
void yard_take(struct yard *yard, room_id room, int worker);

void yard_event(struct yard *yard, int timer, const struct event *event);
void yard_from_worker(struct yard *yard, int timer, int worker, const struct envelope *envelope);
void yard_reset_store(struct yard *yard, int timer, bool up);

/* How many fires (worker >= 0) of a room, and when the k-th left (INSTANT_NEVER: there is none). */
int yard_fires(const struct yard *yard, room_id room);
instant_ms yard_fire(const struct yard *yard, room_id room, int k);
int yard_places(const struct yard *yard, room_id room);

#endif
