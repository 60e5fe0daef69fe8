/* SPDX-License-Identifier: Apache-2.0
 *
 * A matchmaker's core on a bench: events go in, effects are looked up. Two workers w1 and w2 are
 * heard every 250 ms for as long as they are alive; the store is answered by hand.
 */
#ifndef MATCHMAKER_BENCH_H
#define MATCHMAKER_BENCH_H

#include "unit/test.h"

#include "matchmaker/matchmaker_core.h"

enum { NO_KIND = -1 };

struct bench {
    struct matchmaker_core *core;
    struct effects out;
    instant_ms now;
    uint64_t next_token;
    bool w1_alive, w2_alive;
    bool store_silent; /* the pulse on the shard is not answered */
    instant_ms pulsed; /* what the store remembers of the lease; 0: it has forgotten it */
};

extern const struct id128 W1, W2, SELF, NOBODY;

/* The version of the toy that W1 and W2 say they play; 0: they say nothing (default). */
extern uint32_t bench_versions[2];
/* Which shards W1 and W2 say they do not reach; 0: none (default). */
extern uint32_t bench_shards_away[2];

/* The one of the test that runs. */
extern struct bench bench;
int bench_set_up(void **state);
int bench_tear_down(void **state);
#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

void bench_open(struct bench *b);
void bench_close(struct bench *b);
/* One event at the present time; effects stay in b->out. */
void bench_step(struct bench *b, const struct event *event);
/* Time passes in ticks; living workers are heard, pulses are answered. Effects of ticks that ask a
 * question (`wanted`) are kept: the last step is the one that asked, and the run stops there. */
bool bench_run(struct bench *b, instant_ms ms, enum effect_kind kind, int what);
void bench_heartbeat(struct bench *b, struct id128 worker);
/* Sends a request and returns its token. */
uint64_t bench_request(struct bench *b, const struct request *request);
void bench_store(struct bench *b, const struct store_reply *reply);
/* The pulse that the last step sent, if it did. */
void bench_answer_pulse(struct bench *b);
void bench_reply(struct bench *b, uint64_t token, const struct reply *reply);

/* The first effect of a kind in the last step (what: its request kind or op kind), or NULL. */
const struct effect *bench_find(const struct bench *b, enum effect_kind kind, int what);
/* The FIND that the last step asked of the store; there must be one. */
const struct effect *bench_question(const struct bench *b);
const struct reply *bench_answer(const struct bench *b, uint64_t token);

#endif
