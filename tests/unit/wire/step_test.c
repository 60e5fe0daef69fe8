/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/test.h"
#include "wire/step.h"

static void effects_are_zeroed_and_stay_through_growth(void **unused)
{
    (void)unused;
    struct effects effects = {0};
    for (uint64_t i = 0; i < 100; i++) {
        struct effect *effect = effects_add(&effects, EFFECT_NOTE);
        assert_int_equal(effect->kind, EFFECT_NOTE);
        assert_int_equal(effect->token, 0);
        assert_null(effect->url);
        effect->token = i + 1;
    }
    assert_int_equal(effects.count, 100);
    for (uint64_t i = 0; i < 100; i++) assert_int_equal(effects.list[i].token, i + 1);
    effects_fini(&effects);
    assert_null(effects.list);
}

static void a_reset_empties_list_and_arena(void **unused)
{
    (void)unused;
    struct effects effects = {0};
    effects_add(&effects, EFFECT_SEND)->url = arena_text(&effects.arena, "tcp://127.0.0.1:1");
    effects_reset(&effects);
    assert_int_equal(effects.count, 0);
    assert_null(effects_add(&effects, EFFECT_SEND)->url); /* the same memory, zeroed again */
    effects_fini(&effects);
}

static void a_huge_step_does_not_keep_its_memory(void **unused)
{
    (void)unused;
    struct effects effects = {0};
    for (int i = 0; i < 3000; i++) effects_add(&effects, EFFECT_NOTE);
    effects_reset(&effects);
    assert_int_equal(effects.room, 0);
    effects_add(&effects, EFFECT_NOTE);
    effects_fini(&effects);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(effects_are_zeroed_and_stay_through_growth),
                     cmocka_unit_test(a_reset_empties_list_and_arena),
                     cmocka_unit_test(a_huge_step_does_not_keep_its_memory));
}
