/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "unit/test.h"

#include <stdalign.h>

static void allocations_are_zeroed_aligned_and_apart(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    uint8_t *before = NULL;
    for (size_t size = 0; size < 300; size++) {
        uint8_t *at = arena_alloc(&arena, size);
        assert_non_null(at);
        assert_int_equal((uintptr_t)at % alignof(max_align_t), 0);
        assert_ptr_not_equal(at, before);
        for (size_t i = 0; i < size; i++) assert_int_equal(at[i], 0);
        memset(at, 0xff, size); /* an overlap would show in the next one */
        before = at;
    }
    arena_fini(&arena);
}

static void memory_used_before_a_reset_is_zeroed_again(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    uint8_t *first = arena_alloc(&arena, 100);
    memset(first, 0xff, 100);
    arena_reset(&arena);
    uint8_t *second = arena_alloc(&arena, 100);
    assert_ptr_equal(second, first); /* the memory was kept */
    for (int i = 0; i < 100; i++) assert_int_equal(second[i], 0);
    arena_fini(&arena);
}

static void a_reset_keeps_at_most_a_quarter_mebibyte(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    for (int i = 0; i < 100; i++) arena_alloc(&arena, 10000);
    assert_true(arena.total >= 1000000);
    arena_reset(&arena);
    assert_true(arena.total > 0 && arena.total <= 256 << 10);
    arena_alloc(&arena, 1 << 20);
    arena_reset(&arena);
    assert_true(arena.total <= 256 << 10);
    arena_fini(&arena);
}

static void rounds_of_the_same_size_do_not_grow_it(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    size_t total = 0;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 20; i++) arena_alloc(&arena, 5000);
        if (round == 0) total = arena.total;
        assert_int_equal(arena.total, total);
        arena_reset(&arena);
    }
    arena_fini(&arena);
}

static void one_large_allocation_fits(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    uint8_t *small = arena_alloc(&arena, 1);
    uint8_t *large = arena_alloc(&arena, 3 << 20);
    memset(large, 1, 3 << 20);
    assert_int_equal(small[0], 0);
    arena_fini(&arena);
    assert_null(arena.first);
    assert_int_equal(arena.total, 0);
    arena_fini(&arena);
}

static void copies_are_copies_and_an_empty_slice_stays_empty(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    char text[] = "한글";
    struct slice copy = arena_copy(&arena, slice_text(text));
    char *again = arena_text(&arena, text);
    memset(text, 'x', sizeof text - 1);
    assert_true(slice_equal(copy, slice_text("한글")));
    assert_string_equal(again, "한글");
    struct slice none = arena_copy(&arena, (struct slice){0});
    assert_null(none.at);
    assert_int_equal(none.len, 0);
    arena_fini(&arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(allocations_are_zeroed_aligned_and_apart),
                     cmocka_unit_test(memory_used_before_a_reset_is_zeroed_again),
                     cmocka_unit_test(a_reset_keeps_at_most_a_quarter_mebibyte),
                     cmocka_unit_test(rounds_of_the_same_size_do_not_grow_it),
                     cmocka_unit_test(one_large_allocation_fits),
                     cmocka_unit_test(copies_are_copies_and_an_empty_slice_stays_empty));
}
