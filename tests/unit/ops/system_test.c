/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/system.h"
#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 1000, DRAW_BYTES = 32 };

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, DRAW_BYTES);
}

/* More than is asked for in advance at a time: what was given is never given again. */
static void what_is_drawn_is_new_each_time(void **state)
{
    (void)state;
    static uint8_t drawn[DRAWS][DRAW_BYTES];
    for (int i = 0; i < DRAWS; i++) random_draw(drawn[i], DRAW_BYTES);
    qsort(drawn, DRAWS, DRAW_BYTES, compare);
    for (int i = 1; i < DRAWS; i++) assert_int_not_equal(compare(drawn[i - 1], drawn[i]), 0);
}

static void draws_of_any_length_are_filled(void **state)
{
    (void)state;
    static const uint8_t zeros[4096];
    static uint8_t drawn[4096];
    for (size_t len = 16; len <= sizeof drawn; len = len * 3 / 2) {
        memset(drawn, 0, sizeof drawn);
        random_draw(drawn, len);
        assert_memory_not_equal(drawn, zeros, 16);
        assert_memory_not_equal(drawn + len - 16, zeros, 16);
        assert_memory_equal(drawn + len, zeros, sizeof drawn - len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_is_new_each_time),
        cmocka_unit_test(draws_of_any_length_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
