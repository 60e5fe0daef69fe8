/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/queue.h"

#include "base/check.h"

void queue_fini(struct queue *queue)
{
    heap_fini(&queue->later);
}

/* Nearly always it is the last one. */
static void put_into_ring(struct queue *queue, struct queued *item)
{
    size_t place = item->node.at % QUEUE_RING;
    struct queued **link = &queue->ring[place].first;
    struct queued *last = queue->ring[place].last;
    if (*link && last->node.key < item->node.key) link = &last->next;
    while (*link && (*link)->node.key < item->node.key) link = &(*link)->next;
    item->next = *link;
    *link = item;
    if (!item->next) queue->ring[place].last = item;
}

void queue_put(struct queue *queue, struct queued *item, instant_ms at)
{
    CHECK(at >= queue->now);
    if (at - queue->now >= QUEUE_RING) {
        heap_set(&queue->later, &item->node, at);
        return;
    }
    item->node.at = at;
    put_into_ring(queue, item);
}

/* One more millisecond comes into the ring. */
static void advance(struct queue *queue)
{
    queue->now++;
    struct heap_node *node;
    while ((node = heap_first(&queue->later)) && node->at - queue->now < QUEUE_RING) {
        instant_ms at = node->at;
        heap_remove(&queue->later, node);
        node->at = at;
        put_into_ring(queue, (struct queued *)(void *)node);
    }
}

static struct queued *take(struct queue *queue, size_t place)
{
    struct queued *first = queue->ring[place].first;
    queue->ring[place].first = first->next;
    first->next = NULL;
    return first;
}

struct queued *queue_take(struct queue *queue, instant_ms until)
{
    while (!queue->ring[queue->now % QUEUE_RING].first) {
        if (queue->now >= until) return NULL;
        advance(queue);
    }
    return queue->now <= until ? take(queue, queue->now % QUEUE_RING) : NULL;
}

struct queued *queue_take_any(struct queue *queue)
{
    struct heap_node *node = heap_first(&queue->later);
    if (node) {
        heap_remove(&queue->later, node);
        return (struct queued *)(void *)node;
    }
    for (size_t place = 0; place < QUEUE_RING; place++)
        if (queue->ring[place].first) return take(queue, place);
    return NULL;
}
