/* SPDX-License-Identifier: Apache-2.0 */
#include "base/heap.h"

#include "base/check.h"

#include <stdlib.h>

void heap_fini(struct heap *heap)
{
    free(heap->nodes);
    *heap = (struct heap){0};
}

static bool before(const struct heap_node *a, const struct heap_node *b)
{
    return a->at != b->at ? a->at < b->at : a->key < b->key;
}

static void place(struct heap *heap, size_t position, struct heap_node *node)
{
    heap->nodes[position] = node;
    node->index = position + 1;
}

/* Moves the node from a free position towards the root, then towards the leaves: one of the two
 * does nothing. */
static void settle(struct heap *heap, size_t position, struct heap_node *node)
{
    while (position > 0) {
        size_t parent = (position - 1) / 2;
        if (!before(node, heap->nodes[parent])) break;
        place(heap, position, heap->nodes[parent]);
        position = parent;
    }
    for (;;) {
        size_t child = 2 * position + 1;
        if (child >= heap->count) break;
        if (child + 1 < heap->count && before(heap->nodes[child + 1], heap->nodes[child])) child++;
        if (!before(heap->nodes[child], node)) break;
        place(heap, position, heap->nodes[child]);
        position = child;
    }
    place(heap, position, node);
}

static void grow(struct heap *heap)
{
    if (heap->count < heap->room) return;
    size_t room = heap->room ? 2 * heap->room : 16;
    struct heap_node **nodes = realloc(heap->nodes, room * sizeof(struct heap_node *));
    CHECK(nodes != NULL);
    heap->nodes = nodes;
    heap->room = room;
}

void heap_set(struct heap *heap, struct heap_node *node, instant_ms at)
{
    if (at == INSTANT_NEVER) {
        heap_remove(heap, node);
        return;
    }
    node->at = at;
    if (node->index == 0) {
        grow(heap);
        heap->count++;
        settle(heap, heap->count - 1, node);
    } else {
        CHECK(node->index <= heap->count && heap->nodes[node->index - 1] == node);
        settle(heap, node->index - 1, node);
    }
}

void heap_remove(struct heap *heap, struct heap_node *node)
{
    if (node->index == 0) return;
    size_t position = node->index - 1;
    CHECK(position < heap->count && heap->nodes[position] == node);
    node->index = 0;
    heap->count--;
    if (position < heap->count) settle(heap, position, heap->nodes[heap->count]);
}

struct heap_node *heap_first(const struct heap *heap)
{
    return heap->count ? heap->nodes[0] : NULL;
}
