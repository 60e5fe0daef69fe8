/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary min-heap of (instant, key) with removal by handle: deadlines. Equal instants come in key
 * order, so what is popped is a pure function of what was pushed. Nodes live in the caller's
 * structs.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/types.h"

struct heap_node {
    instant_ms at;
    uint64_t key;
    size_t index; /* position + 1; 0 while outside any heap. The heap's own. */
};

struct heap {
    struct heap_node **nodes;
    size_t count, room;
};

void heap_fini(struct heap *heap); /* frees the array, not the nodes */
/* Inserts the node, or moves it when it is already in; INSTANT_NEVER removes it. */
void heap_set(struct heap *heap, struct heap_node *node, instant_ms at);
void heap_remove(struct heap *heap, struct heap_node *node); /* no effect when outside */
struct heap_node *heap_first(const struct heap *heap);       /* NULL when empty; stays in */

#endif
