/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/heap.h"
#include "unit/test.h"

static void the_earliest_comes_first(void **unused)
{
    (void)unused;
    struct heap heap = {0};
    struct heap_node a = {.key = 1}, b = {.key = 2}, c = {.key = 3};
    assert_null(heap_first(&heap));
    heap_set(&heap, &a, 30);
    heap_set(&heap, &b, 10);
    heap_set(&heap, &c, 20);
    assert_ptr_equal(heap_first(&heap), &b);
    heap_remove(&heap, &b);
    assert_ptr_equal(heap_first(&heap), &c);
    heap_remove(&heap, &b); /* outside: no effect */
    assert_int_equal(heap.count, 2);
    heap_fini(&heap);
}

static void equal_instants_come_in_key_order(void **unused)
{
    (void)unused;
    enum { NODES = 100 };
    struct heap heap = {0};
    struct heap_node nodes[NODES] = {0};
    for (int i = 0; i < NODES; i++) {
        nodes[i].key = hash_mix64((uint64_t)i) % 1000000;
        heap_set(&heap, &nodes[i], 7);
    }
    uint64_t before = 0;
    while (heap_first(&heap)) {
        assert_true(heap_first(&heap)->key >= before);
        before = heap_first(&heap)->key;
        heap_remove(&heap, heap_first(&heap));
    }
    heap_fini(&heap);
}

static void setting_again_moves_and_never_removes(void **unused)
{
    (void)unused;
    struct heap heap = {0};
    struct heap_node a = {.key = 1}, b = {.key = 2};
    heap_set(&heap, &a, 10);
    heap_set(&heap, &b, 20);
    heap_set(&heap, &a, 30);
    assert_ptr_equal(heap_first(&heap), &b);
    heap_set(&heap, &a, 5);
    assert_ptr_equal(heap_first(&heap), &a);
    assert_int_equal(heap.count, 2);
    heap_set(&heap, &a, INSTANT_NEVER);
    assert_ptr_equal(heap_first(&heap), &b);
    assert_int_equal(a.index, 0);
    heap_set(&heap, &a, INSTANT_NEVER); /* outside already */
    assert_int_equal(heap.count, 1);
    heap_fini(&heap);
}

/* The slow way: look at all of them. */
static const struct heap_node *earliest(const struct heap_node *nodes, int count)
{
    const struct heap_node *best = NULL;
    for (int i = 0; i < count; i++) {
        const struct heap_node *node = &nodes[i];
        if (node->index == 0) continue;
        if (!best || node->at < best->at || (node->at == best->at && node->key < best->key))
            best = node;
    }
    return best;
}

static void it_agrees_with_a_search_over_many_random_steps(void **unused)
{
    (void)unused;
    enum { NODES = 64, STEPS = 50000 };
    struct heap heap = {0};
    struct heap_node nodes[NODES] = {0};
    for (int i = 0; i < NODES; i++) nodes[i].key = (uint64_t)(NODES - i);
    uint64_t random = 3;
    for (int step = 0; step < STEPS; step++) {
        random = hash_mix64(random);
        struct heap_node *node = &nodes[random % NODES];
        if ((random >> 20) % 3)
            heap_set(&heap, node, (random >> 30) % 40);
        else
            heap_remove(&heap, node);
        assert_ptr_equal(heap_first(&heap), earliest(nodes, NODES));
    }
    heap_fini(&heap);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_earliest_comes_first),
                     cmocka_unit_test(equal_instants_come_in_key_order),
                     cmocka_unit_test(setting_again_moves_and_never_removes),
                     cmocka_unit_test(it_agrees_with_a_search_over_many_random_steps));
}
