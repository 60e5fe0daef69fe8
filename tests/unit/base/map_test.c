/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/map.h"
#include "unit/test.h"

#include <stdlib.h>

static int values[4096];

static void an_empty_map_answers(void **unused)
{
    (void)unused;
    struct map map = {0};
    size_t cursor = 0, count = 9;
    uint64_t key;
    void *value;
    assert_null(map_get(&map, 0));
    assert_null(map_remove(&map, 0));
    assert_false(map_next(&map, &cursor, &key, &value));
    assert_null(map_keys_sorted(&map, &count));
    assert_int_equal(count, 0);
    map_fini(&map);
}

static void put_returns_what_was_there(void **unused)
{
    (void)unused;
    struct map map = {0};
    assert_null(map_put(&map, 0, &values[1]));
    assert_ptr_equal(map_put(&map, 0, &values[2]), &values[1]);
    assert_int_equal(map.count, 1);
    assert_ptr_equal(map_remove(&map, 0), &values[2]);
    assert_null(map_get(&map, 0));
    assert_int_equal(map.count, 0);
    map_fini(&map);
}

/* A plain array beside the map says what must be in it. */
static void it_agrees_with_an_array_over_many_random_steps(void **unused)
{
    (void)unused;
    enum { KEYS = 4096, STEPS = 200000 };
    static void *model[KEYS];
    struct map map = {0};
    size_t count = 0;
    uint64_t random = 1;
    for (int step = 0; step < STEPS; step++) {
        random = hash_mix64(random);
        size_t key = random % KEYS;
        /* Phases of growth and of shrinking. */
        if ((random >> 32) % 10 < (step / 20000 % 2 ? 3u : 7u)) {
            void *value = &values[(random >> 40) % 4096];
            assert_ptr_equal(map_put(&map, key, value), model[key]);
            count += model[key] == NULL;
            model[key] = value;
        } else {
            assert_ptr_equal(map_remove(&map, key), model[key]);
            count -= model[key] != NULL;
            model[key] = NULL;
        }
        assert_int_equal(map.count, count);
    }
    for (size_t key = 0; key < KEYS; key++) assert_ptr_equal(map_get(&map, key), model[key]);
    map_fini(&map);
}

static void a_map_that_is_used_and_emptied_for_long_stays_small(void **unused)
{
    (void)unused;
    struct map map = {0};
    for (uint64_t key = 0; key < 100000; key++) {
        map_put(&map, key, &values[0]);
        map_remove(&map, key);
    }
    assert_true(map.room <= 64);
    map_fini(&map);
}

static void a_walk_sees_each_entry_once_and_may_remove_it(void **unused)
{
    (void)unused;
    enum { KEYS = 1000 };
    struct map map = {0};
    int seen[KEYS] = {0};
    for (uint64_t key = 0; key < KEYS; key++) map_put(&map, key, &values[key]);

    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (map_next(&map, &cursor, &key, &value)) {
        assert_ptr_equal(value, &values[key]);
        seen[key]++;
        if (key % 2) map_remove(&map, key);
    }
    for (uint64_t k = 0; k < KEYS; k++) {
        assert_int_equal(seen[k], 1);
        assert_ptr_equal(map_get(&map, k), k % 2 ? NULL : &values[k]);
    }
    map_fini(&map);
}

static void sorted_keys_ascend_whatever_the_order_of_insertion(void **unused)
{
    (void)unused;
    struct map map = {0};
    static const uint64_t keys[] = {UINT64_MAX, 5, 1ull << 63, 0, 77};
    static const uint64_t sorted[] = {0, 5, 77, 1ull << 63, UINT64_MAX};
    for (size_t i = 0; i < 5; i++) map_put(&map, keys[i], &values[i]);
    size_t count;
    uint64_t *out = map_keys_sorted(&map, &count);
    assert_int_equal(count, 5);
    assert_memory_equal(out, sorted, sizeof sorted);
    free(out);
    map_fini(&map);
}

static struct id128 id(uint8_t first, uint8_t last)
{
    return (struct id128){{[0] = first, [15] = last}};
}

static void long_keys_work_alike(void **unused)
{
    (void)unused;
    struct map128 map = {0};
    for (int i = 0; i < 500; i++)
        assert_null(map128_put(&map, id((uint8_t)i, (uint8_t)(i / 256)), &values[i]));
    assert_int_equal(map.count, 500);
    assert_ptr_equal(map128_get(&map, id(243, 1)), &values[499]);
    assert_null(map128_get(&map, id(244, 1)));
    assert_ptr_equal(map128_remove(&map, id(3, 0)), &values[3]);
    assert_null(map128_get(&map, id(3, 0)));

    size_t count;
    struct id128 *keys = map128_keys_sorted(&map, &count);
    assert_int_equal(count, 499);
    for (size_t i = 1; i < count; i++) assert_true(id128_compare(keys[i - 1], keys[i]) < 0);
    free(keys);

    size_t cursor = 0;
    struct id128 key;
    void *value;
    while (map128_next(&map, &cursor, &key, &value)) map128_remove(&map, key);
    assert_int_equal(map.count, 0);
    map128_fini(&map);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(an_empty_map_answers),
                     cmocka_unit_test(put_returns_what_was_there),
                     cmocka_unit_test(it_agrees_with_an_array_over_many_random_steps),
                     cmocka_unit_test(a_map_that_is_used_and_emptied_for_long_stays_small),
                     cmocka_unit_test(a_walk_sees_each_entry_once_and_may_remove_it),
                     cmocka_unit_test(sorted_keys_ascend_whatever_the_order_of_insertion),
                     cmocka_unit_test(long_keys_work_alike));
}
