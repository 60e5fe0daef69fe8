/* SPDX-License-Identifier: Apache-2.0 */
#include "game/registry.h"
#include "unit/test.h"

static const struct game first = {.id = "first"}, second = {.id = "second"};

/* This program links no games. */
static void a_program_without_games_has_an_empty_list(void **unused)
{
    (void)unused;
    assert_int_equal(game_count(), 0);
    assert_null(game_find(slice_text("first")));
}

static void games_added_by_tests_are_found_by_their_whole_id(void **unused)
{
    (void)unused;
    game_register_for_tests(&first);
    game_register_for_tests(&second);
    assert_int_equal(game_count(), 2);
    assert_ptr_equal(game_at(0), &first);
    assert_ptr_equal(game_at(1), &second);
    assert_ptr_equal(game_find(slice_text("second")), &second);
    assert_null(game_find(slice_text("secon")));
    assert_null(game_find((struct slice){0}));
}

static void a_previous_version_is_found_by_its_number_alone(void **unused)
{
    (void)unused;
    static const struct game before = {.id = "third", .rules_version = 4};
    static const struct game third = {.id = "third", .rules_version = 5, .previous = &before};
    game_register_for_tests(&third);
    assert_ptr_equal(game_find(slice_text("third")), &third);
    assert_ptr_equal(game_find_version(slice_text("third"), 5), &third);
    assert_ptr_equal(game_find_version(slice_text("third"), 4), &before);
    assert_null(game_find_version(slice_text("third"), 3));
    assert_null(game_find_version(slice_text("fourth"), 1));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_program_without_games_has_an_empty_list),
                     cmocka_unit_test(games_added_by_tests_are_found_by_their_whole_id),
                     cmocka_unit_test(a_previous_version_is_found_by_its_number_alone));
}
