/* SPDX-License-Identifier: Apache-2.0
 *
 * What a game in real time needs of its room: claims that are bound to no screen, claims that
 * nobody may notice yet, absence that the game minds itself, points, practice. The stage checks
 * each step besides (stage.h).
 */
#include "games/dobble/dobble.h"
#include "room/state.h"
#include "unit/room/stage.h"

enum { COUNTDOWN = DOBBLE_COUNTDOWN_MS };

static const struct dobble_state *state_of(const struct stage *stage)
{
    return stage->room->game_state;
}

static struct stage *with_dobble(int people, const char *option, int32_t value)
{
    struct stage *stage = stage_open(&dobble_game);
    for (int i = 0; i < people; i++) assert_int_equal(stage_enter(stage, i, "이름"), i);
    if (option) assert_accepted(stage_options(stage, 0, option, value));
    assert_accepted(stage_start(stage, 0));
    stage_wait(stage, COUNTDOWN);
    assert_int_equal(state_of(stage)->phase, DOBBLE_PLAYING);
    return stage;
}

/* The right claim of a seat in a tower. */
static struct dobble_action answer(const struct stage *stage, int seat)
{
    const struct dobble_state *state = state_of(stage);
    struct dobble_action action;
    memset(&action, 0, sizeof action);
    action.claim.card[0] = (uint8_t)dobble_top(&state->seat[seat].pile);
    action.claim.card[1] = (uint8_t)dobble_top(&state->centre);
    action.claim.art = (uint8_t)dobble_answer(state, seat, -1);
    return action;
}

static enum room_verdict claim(struct stage *stage, int seat, const struct dobble_action *action,
                               uint64_t made_for, uint32_t rtt_ms)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct room_input input = {
        .kind = ROOM_ACT,
        .seat = seat,
        .generation = room_generation(stage->room, seat),
        .counter = room_counter(stage->room, seat) + 1,
        .made_for = made_for,
        .rtt_ms = rtt_ms,
        .bytes = slice_of(bytes, dobble_write_action(action, bytes)),
    };
    return stage_step(stage, input);
}

static enum room_verdict find(struct stage *stage, int seat)
{
    struct dobble_action action = answer(stage, seat);
    return claim(stage, seat, &action, 0, 0);
}

static void a_claim_is_judged_by_its_cards_whatever_screen_it_was_made_for(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(2, NULL, 0);
    struct dobble_action late = answer(stage, 1);
    assert_accepted(find(stage, 0));
    assert_int_equal(claim(stage, 1, &late, room_game_version(stage->room), 0), ROOM_REFUSED);
    assert_string_equal(stage->out.why.domain, "dobble");
    assert_int_equal(stage->out.why.code, DOBBLE_LATE);
    assert_accepted(find(stage, 1)); /* made for version 0: no screen there was */
    stage_close(stage);
}

static void a_claim_in_the_window_is_logged_and_moves_no_version(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(3, "latencyComp", 1);
    stage_wait(stage, 1000);
    uint64_t seq = room_seq(stage->room), version = room_game_version(stage->room);
    uint64_t position = room_position(stage->room);
    struct dobble_action mine = answer(stage, 1);
    assert_accepted(find(stage, 0));
    stage->now += 40;
    assert_accepted(claim(stage, 1, &mine, 0, 200));
    assert_int_equal(stage->out.changed, 0);
    assert_true(room_position(stage->room) == position + 2);
    assert_true(room_seq(stage->room) == seq && room_game_version(stage->room) == version);
    stage_wait(stage, 19);
    assert_true(room_seq(stage->room) == seq);
    stage_wait(stage, 1); /* the timer's */
    assert_true(room_seq(stage->room) == seq + 1);
    assert_int_equal(state_of(stage)->seat[1].pile.len, 2); /* the round trip is in the log */
    stage_close(stage);
}

static void a_claim_after_the_window_resolves_it_first_when_no_timer_came(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(2, "latencyComp", 1);
    struct dobble_action late = answer(stage, 1);
    assert_accepted(find(stage, 0));
    stage->now += 100; /* the stage lets due clocks come first, as a worker does */
    assert_int_equal(claim(stage, 1, &late, 0, 400), ROOM_REFUSED);
    assert_int_equal(stage->out.why.code, DOBBLE_LATE);
    assert_int_equal(state_of(stage)->seat[0].pile.len, 2);
    stage_close(stage);
}

static void the_game_minds_absence_itself_and_ends_at_the_standing(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(2, NULL, 0);
    assert_accepted(find(stage, 1));
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage_wait(stage, DOBBLE_GRACE_MS);
    assert_int_equal(state_of(stage)->phase, DOBBLE_PAUSED);
    assert_int_equal(stage->room->phase, ROOM_PLAYING);
    stage_wait(stage, DOBBLE_PAUSE_MS);
    assert_int_equal(stage->room->phase, ROOM_RESULT);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_false(view->abandoned);
    assert_int_equal(view->seats[1]->points, 3);
    assert_int_equal(view->seats[0]->points, 2);
    stage_view_free(view);
    stage_close(stage);
}

static void who_leaves_the_well_forfeits_and_scores_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(3, "miniGame", DOBBLE_WELL);
    assert_accepted(stage_leave(stage, 2));
    stage_wait(stage, DOBBLE_FORFEIT_MS);
    assert_int_equal(state_of(stage)->seat[2].part, DOBBLE_FORFEITED);
    while (stage->room->phase == ROOM_PLAYING) {
        stage_wait(stage, 500);
        assert_accepted(find(stage, 0));
    }
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[0]->points, 3);
    assert_int_equal(view->seats[0]->wins, 1);
    assert_int_equal(view->seats[1]->points, 2);
    assert_false(view->seats[2]->taken);
    assert_true(view->players[2]->left);
    stage_view_free(view);
    stage_close(stage);
}

static void practice_is_for_one_and_counts_nothing(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(1, "practice", 1);
    while (stage->room->phase == ROOM_PLAYING) {
        stage_wait(stage, 500);
        assert_accepted(find(stage, 0));
    }
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->seats[0]->games, 0);
    assert_int_equal(view->seats[0]->wins, 0);
    assert_int_equal(view->seats[0]->points, 0);
    assert_true(view->can_start);
    stage_view_free(view);
    stage_enter(stage, 1, "나");
    view = stage_view(stage);
    assert_string_equal(view->verdict, "refusal.dobble.practice_alone");
    assert_false(view->can_start);
    stage_view_free(view);
    stage_close(stage);
}

/* Twenty a second and 40 at once: more than fingers do, less than a flood (P9). */
static void taps_are_limited_a_seat(void **unused)
{
    (void)unused;
    struct stage *stage = with_dobble(2, "wrongLockoutMs", 0);
    struct dobble_action wrong = answer(stage, 0);
    wrong.claim.art = (uint8_t)((wrong.claim.art + 1) % 57);
    for (int i = 0; i < ROOM_ACTIONS_BURST; i++) assert_accepted(claim(stage, 0, &wrong, 0, 0));
    assert_refused(stage, claim(stage, 0, &wrong, 0, 0), REASON_TOO_FAST);
    assert_accepted(find(stage, 1)); /* the other's own */
    stage->now += 1000;
    struct dobble_action again = answer(stage, 0);
    assert_accepted(claim(stage, 0, &again, 0, 0));
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(a_claim_is_judged_by_its_cards_whatever_screen_it_was_made_for),
        cmocka_unit_test(a_claim_in_the_window_is_logged_and_moves_no_version),
        cmocka_unit_test(a_claim_after_the_window_resolves_it_first_when_no_timer_came),
        cmocka_unit_test(the_game_minds_absence_itself_and_ends_at_the_standing),
        cmocka_unit_test(who_leaves_the_well_forfeits_and_scores_nothing),
        cmocka_unit_test(practice_is_for_one_and_counts_nothing),
        cmocka_unit_test(taps_are_limited_a_seat));
}
