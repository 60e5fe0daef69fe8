/* SPDX-License-Identifier: Apache-2.0
 *
 * A matchmaker's core on a bench: events go in, effects are looked up. Two workers w1 and w2 are
 * heard every 250 ms for as long as they are alive; the store is answered by hand.
 */
#ifndef MATCHMAKER_BENCH_H
#define MATCHMAKER_BENCH_H

#include "matchmaker/matchmaker_core.h"

struct bench {
    struct matchmaker_core *core;
    struct effects out;
    instant_ms now;
    uint64_t next_token;
    bool w1_alive, w2_alive;
    bool store_silent; /* the pulse on the shard is not answered */
};

extern const struct id128 W1, W2, NOBODY;

void bench_open(struct bench *bench);
void bench_close(struct bench *bench);
/* One event at the present time; effects stay in bench->out. */
void bench_step(struct bench *bench, const struct event *event);
/* Time passes in ticks; living workers are heard, pulses are answered. Effects of ticks that ask a
 * question (`wanted`) are kept: the last step is the one that asked, and the run stops there. */
bool bench_run(struct bench *bench, instant_ms ms, enum effect_kind kind, int what);
void bench_heartbeat(struct bench *bench, struct id128 worker);
/* Sends a request and returns its token. */
uint64_t bench_request(struct bench *bench, const struct request *request);
void bench_store(struct bench *bench, const struct store_reply *reply);
void bench_reply(struct bench *bench, uint64_t token, const struct reply *reply);

/* The first effect of a kind in the last step (what: its request kind or op kind), or NULL. */
const struct effect *bench_find(const struct bench *bench, enum effect_kind kind, int what);
const struct reply *bench_answer(const struct bench *bench, uint64_t token);

#endif
