/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

static Madang__V1__RoomState state_of(const struct stage *stage)
{
    Madang__V1__RoomView *view = stage_view(stage);
    Madang__V1__RoomState state = view->state;
    stage_view_free(view);
    return state;
}

static void a_quick_match_starts_when_everybody_matched_is_there(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open_quick(&toy_game, 3);
    stage_enter(stage, 0, "가");
    Madang__V1__RoomView *view = stage_view(stage);
    assert_true(view->quick);
    assert_true(view->starts_at == stage->now + ROOM_QUICK_MS);
    stage_view_free(view);
    stage_enter(stage, 1, "나");
    assert_false(stage->out.game_started);
    stage_enter(stage, 2, "다");
    assert_true(stage->out.game_started);
    assert_int_equal(state_of(stage), MADANG__V1__ROOM_STATE__ROOM_STATE_PLAYING);
    stage_close(stage);
}

static void a_quick_match_waits_for_who_is_seated_and_not_there(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open_quick(&toy_game, 3);
    struct room_summary summary;
    stage_enter(stage, 0, "가");
    assert_accepted(stage_public(stage, 0, true));
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed); /* not before it is known how it starts */
    stage_enter(stage, 1, "나");
    assert_accepted(stage_detach(stage, 0));
    stage_enter(stage, 2, "다");
    assert_false(room_playing(stage->room));
    stage_enter(stage, 0, "가");
    assert_true(room_playing(stage->room));
    stage_close(stage);
}

/* Whoever is the first of those matched would else begin without the others. */
static void nobody_starts_a_quick_match_while_matched_people_are_on_their_way(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open_quick(&toy_game, 3);
    stage_enter(stage, 0, "가");
    stage_enter(stage, 1, "나");
    Madang__V1__RoomView *view = stage_view(stage);
    assert_false(view->can_start);
    stage_view_free(view);
    assert_int_equal(stage_start(stage, 0), ROOM_REFUSED);
    assert_int_equal(stage->out.why.code, REASON_NOT_NOW);
    assert_accepted(stage_detach(stage, 1));
    stage_enter(stage, 2, "다");
    /* All have come; whether to wait for the one who went again is the host's choice. */
    assert_false(room_playing(stage->room));
    assert_accepted(stage_start(stage, 0));
    stage_close(stage);
}

static void a_quick_match_starts_after_twenty_seconds_with_the_minimum(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open_quick(&toy_game, 4);
    stage_enter(stage, 0, "가");
    stage_wait(stage, 5000);
    stage_enter(stage, 1, "나");
    stage_wait(stage, ROOM_QUICK_MS - 5001);
    assert_false(room_playing(stage->room));
    stage_wait(stage, 1);
    assert_true(room_playing(stage->room));
    assert_true(stage->out.game_started);
    stage_close(stage);
}

static void a_quick_match_without_enough_people_goes_on_as_an_open_room(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open_quick(&toy_game, 2);
    struct room_summary summary;
    stage_enter(stage, 0, "가");
    room_summary_of(stage->room, &summary);
    assert_false(summary.listed);
    stage_wait(stage, ROOM_QUICK_MS);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_false(view->quick);
    assert_true(view->is_public);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_LOBBY);
    stage_view_free(view);
    room_summary_of(stage->room, &summary);
    assert_true(summary.listed);
    stage_enter(stage, 1, "나");
    assert_false(room_playing(stage->room));
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_quick_match_starts_when_everybody_matched_is_there),
                     cmocka_unit_test(a_quick_match_waits_for_who_is_seated_and_not_there),
                     cmocka_unit_test(
                         nobody_starts_a_quick_match_while_matched_people_are_on_their_way),
                     cmocka_unit_test(a_quick_match_starts_after_twenty_seconds_with_the_minimum),
                     cmocka_unit_test(a_quick_match_without_enough_people_goes_on_as_an_open_room));
}
