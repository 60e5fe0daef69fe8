/* SPDX-License-Identifier: Apache-2.0
 *
 * What will happen, by (instant, order of scheduling). Nearly all of it is due within seconds: a
 * ring of lists, one a millisecond, holds that, and a heap the rest until the ring reaches it.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "base/heap.h"

enum { QUEUE_RING = 2048 };

/* In the caller's struct, first. node.key is the order of scheduling, node.at the instant. */
struct queued {
    struct heap_node node;
    struct queued *next;
};

struct queue {
    instant_ms now; /* nothing in it is earlier */
    struct {
        struct queued *first, *last;
    } ring[QUEUE_RING]; /* by instant % QUEUE_RING: now .. now + QUEUE_RING - 1 */
    struct heap later;
};

/* A zeroed struct is an empty queue at instant 0. fini frees no item. */
void queue_fini(struct queue *queue);
/* at is not before queue->now. */
void queue_put(struct queue *queue, struct queued *item, instant_ms at);
/* Takes the first one out that is due by then; NULL: there is none, and queue->now is that
 * instant. */
struct queued *queue_take(struct queue *queue, instant_ms until);
/* Takes out any; NULL when it is empty. */
struct queued *queue_take_any(struct queue *queue);

#endif
