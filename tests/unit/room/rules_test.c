/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules versions (rule 9): a running game keeps its own, the next may be one of another; what this
 * build does not carry is told from what is damaged.
 */
#include "room/state.h"
#include "unit/room/stage.h"

static struct stage *seated(const struct game *game)
{
    struct stage *stage = stage_open(game);
    assert_int_equal(stage_enter(stage, 0, "가"), 0);
    assert_int_equal(stage_enter(stage, 1, "나"), 1);
    return stage;
}

static const struct toy_state *toy_of(const struct stage *stage)
{
    return stage->room->game_state;
}

static void a_room_goes_over_to_other_rules_when_a_game_starts(void **unused)
{
    (void)unused;
    struct stage *stage = seated(&toy_rules_1);
    assert_accepted(stage_options(stage, 0, "rounds", 2));
    assert_accepted(stage_start(stage, 0)); /* nobody names a version: it stays */
    assert_ptr_equal(room_game(stage->room), &toy_rules_1);
    stage->rules_version = 2;
    stage_play_out(stage, 0); /* and the game that runs keeps its own */
    assert_ptr_equal(room_game(stage->room), &toy_rules_1);

    assert_accepted(stage_start(stage, 0));
    assert_ptr_equal(room_game(stage->room), &toy_rules_2);
    assert_ptr_equal(room_game(stage->twin), &toy_rules_2);
    assert_int_equal(toy_of(stage)->points[0], 2); /* the new option's default */
    assert_int_equal(toy_of(stage)->turns, 2 * 2); /* the options came along by their keys */
    stage_play_out(stage, 1);

    stage->rules_version = 1; /* and back, when only older owners could follow */
    assert_accepted(stage_start(stage, 0));
    assert_ptr_equal(room_game(stage->room), &toy_rules_1);
    stage_close(stage);
}

static void rules_that_do_not_fit_the_room_are_not_gone_over_to(void **unused)
{
    (void)unused;
    struct stage *stage = seated(&toy_rules_1);
    stage->rules_version = 7; /* never heard of */
    assert_accepted(stage_start(stage, 0));
    assert_ptr_equal(room_game(stage->room), &toy_rules_1);
    stage_close(stage);

    struct game wider = toy_rules_1;
    wider.seats_max = 5;
    stage = seated(&wider);
    stage->rules_version = 2;
    assert_accepted(stage_start(stage, 0));
    assert_ptr_equal(room_game(stage->room), &wider);
    stage_close(stage);
}

static void the_summary_names_what_an_owner_must_play(void **unused)
{
    (void)unused;
    struct stage *stage = seated(&toy_rules_1);
    struct room_summary summary;
    room_summary_of(stage->room, &summary);
    assert_int_equal(summary.rules_version, 1);
    stage->rules_version = 2;
    assert_accepted(stage_start(stage, 0));
    room_summary_of(stage->room, &summary);
    struct buf bytes = {0};
    struct arena arena = {0};
    room_summary_encode(&summary, &bytes);
    assert_int_equal(room_summary_decode(buf_slice(&bytes), &arena, &summary), ST_OK);
    assert_string_equal(summary.game, "toy-rules");
    assert_int_equal(summary.rules_version, 2);
    buf_fini(&bytes);
    arena_fini(&arena);
    stage_close(stage);
}

static void a_snapshot_of_other_rules_is_told_from_a_damaged_one(void **unused)
{
    (void)unused;
    struct game future = toy_rules_2;
    future.rules_version = 3;
    future.previous = &toy_rules_2;
    struct stage *stage = seated(&future);
    assert_accepted(stage_start(stage, 0));
    struct buf bytes = {0};
    room_encode(stage->room, &bytes);
    struct room_record record = stage->record;
    record.game = &toy_rules_2;
    record.rules_version = 3;
    assert_null(room_decode(&record, buf_slice(&bytes)));
    assert_int_equal(room_decode_fault(&record, buf_slice(&bytes)), ST_UNKNOWN);
    bytes.at[bytes.len - 1] ^= 1;
    assert_null(room_decode(&stage->record, buf_slice(&bytes)));
    assert_int_equal(room_decode_fault(&stage->record, buf_slice(&bytes)), ST_INVALID);
    buf_fini(&bytes);
    stage_close(stage);
}

/* Made by rules that are gone by now; what it plays since is carried. */
static void a_room_outlives_the_rules_that_it_was_made_by(void **unused)
{
    (void)unused;
    struct game older = toy_rules_1;
    older.rules_version = 9;
    struct room_record record = {.id = 1, .code = "ABCDEF", .game = &older};
    game_options_default(&older, &record.options);
    struct buf bytes = {0}, again = {0};
    room_record_encode(&record, &bytes);
    assert_int_equal(room_record_decode(buf_slice(&bytes), &record), ST_OK);
    assert_ptr_equal(record.game, &toy_rules_2);
    assert_false(room_record_carried(&record));
    room_record_encode(&record, &again); /* its version is not rewritten */
    assert_int_equal(room_record_decode(buf_slice(&again), &record), ST_OK);
    assert_int_equal(record.rules_version, 9);

    struct stage *stage = seated(&toy_rules_1);
    stage->rules_version = 2;
    assert_accepted(stage_start(stage, 0));
    buf_clear(&bytes);
    room_encode(stage->room, &bytes);
    struct room *room = room_decode(&record, buf_slice(&bytes));
    assert_non_null(room);
    assert_ptr_equal(room_game(room), &toy_rules_2);
    room_close(room);
    buf_fini(&bytes);
    buf_fini(&again);
    stage_close(stage);
}

int main(void)
{
    game_register_for_tests(&toy_rules_2);
    return RUN_TESTS(cmocka_unit_test(a_room_goes_over_to_other_rules_when_a_game_starts),
                     cmocka_unit_test(rules_that_do_not_fit_the_room_are_not_gone_over_to),
                     cmocka_unit_test(the_summary_names_what_an_owner_must_play),
                     cmocka_unit_test(a_snapshot_of_other_rules_is_told_from_a_damaged_one),
                     cmocka_unit_test(a_room_outlives_the_rules_that_it_was_made_by));
}
