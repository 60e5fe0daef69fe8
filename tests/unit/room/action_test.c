/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

static struct room_input wave(const struct stage *stage, int seat, uint32_t generation,
                              uint64_t counter)
{
    static const uint8_t bytes[] = {TOY_WAVE, 0};
    return (struct room_input){.kind = ROOM_ACT,
                               .seat = seat,
                               .generation = generation,
                               .counter = counter,
                               .made_for = room_game_version(stage->room),
                               .bytes = slice_of(bytes, sizeof bytes)};
}

static void a_repeat_gets_the_first_answer(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint32_t generation = room_generation(stage->room, 0);
    uint64_t first = 0;
    /* The start was seat 0's first action. */
    for (uint64_t counter = 2; counter <= 17; counter++) {
        stage->now += 1000;
        assert_accepted(stage_step(stage, wave(stage, 0, generation, counter)));
        if (counter == 2) first = stage->out.seq;
    }
    assert_int_equal(stage_step(stage, wave(stage, 0, generation, 2)), ROOM_REPEATED);
    assert_true(stage->out.seq == first);
    assert_true(stage->out.counter == 17);
    assert_int_equal(stage_step(stage, wave(stage, 0, generation, 17)), ROOM_REPEATED);
    assert_true(stage->out.seq == room_seq(stage->room));
    stage_close(stage);
}

static void what_is_older_than_sixteen_is_already_handled(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint32_t generation = room_generation(stage->room, 0);
    for (uint64_t counter = 2; counter <= 17; counter++) {
        stage->now += 1000;
        assert_accepted(stage_step(stage, wave(stage, 0, generation, counter)));
    }
    assert_refused(stage, stage_step(stage, wave(stage, 0, generation, 1)), REASON_ALREADY_HANDLED);
    assert_refused(stage, stage_step(stage, wave(stage, 0, generation, 0)), REASON_MALFORMED);
    stage_close(stage);
}

static void a_counter_that_skips_ahead_is_out_of_order(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint32_t generation = room_generation(stage->room, 1);
    assert_refused(stage, stage_step(stage, wave(stage, 1, generation, 2)), REASON_OUT_OF_ORDER);
    assert_int_equal(stage->out.why.params[0], 1);
    assert_accepted(stage_step(stage, wave(stage, 1, generation, 1)));
    stage_close(stage);
}

static void an_older_generation_cannot_act_but_hears_what_became_of_its_own(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint32_t old = room_generation(stage->room, 1);
    assert_accepted(stage_step(stage, wave(stage, 1, old, 1)));
    uint64_t first = stage->out.seq;
    assert_accepted(stage_attach(stage, 1, old, false, false));
    uint32_t newer = stage->out.generation;
    assert_true(stage->out.counter == 1);

    assert_refused(stage, stage_step(stage, wave(stage, 1, old, 2)), REASON_OTHER_WINDOW);
    /* The action that was under way when the connection broke, under either generation. */
    assert_int_equal(stage_step(stage, wave(stage, 1, old, 1)), ROOM_REPEATED);
    assert_true(stage->out.seq == first);
    assert_int_equal(stage_step(stage, wave(stage, 1, newer, 1)), ROOM_REPEATED);
    /* An action that the newer window has sent is no answer to one of the older. */
    assert_accepted(stage_step(stage, wave(stage, 1, newer, 2)));
    assert_refused(stage, stage_step(stage, wave(stage, 1, old, 2)), REASON_OTHER_WINDOW);
    stage_close(stage);
}

static void nobody_acts_from_an_empty_seat_or_without_being_connected(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_refused(stage, stage_act(stage, 4, TOY_WAVE, 0), REASON_NOT_SEATED);
    assert_refused(stage, stage_act(stage, 12, TOY_WAVE, 0), REASON_NOT_SEATED);
    assert_refused(stage, stage_act(stage, -1, TOY_WAVE, 0), REASON_NOT_SEATED);
    assert_accepted(stage_detach(stage, 1));
    assert_refused(stage, stage_act(stage, 1, TOY_WAVE, 0), REASON_OUT_OF_PLACE);
    stage_close(stage);
}

static void a_burst_of_forty_passes_and_then_twenty_a_second(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    for (int i = 0; i < ROOM_ACTIONS_BURST; i++) assert_accepted(stage_act(stage, 1, TOY_WAVE, 0));
    assert_refused(stage, stage_act(stage, 1, TOY_WAVE, 0), REASON_TOO_FAST);
    stage_save_and_load(stage);
    stage->now += 49;
    assert_refused(stage, stage_act(stage, 1, TOY_WAVE, 0), REASON_TOO_FAST);
    stage->now += 1;
    assert_accepted(stage_act(stage, 1, TOY_WAVE, 0));
    assert_refused(stage, stage_act(stage, 1, TOY_WAVE, 0), REASON_TOO_FAST);
    stage->now += 1000;
    for (int i = 0; i < ROOM_ACTIONS_PER_S; i++) assert_accepted(stage_act(stage, 1, TOY_WAVE, 0));
    assert_refused(stage, stage_act(stage, 1, TOY_WAVE, 0), REASON_TOO_FAST);
    /* Another seat is not slowed. */
    assert_accepted(stage_act(stage, 0, TOY_WAVE, 0));
    stage_close(stage);
}

static void refusals_do_not_count_against_the_rate(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    int waiting = 1 - stage_turn_seat(stage);
    for (int i = 0; i < 100; i++) assert_int_equal(stage_say(stage, waiting, 1), ROOM_REFUSED);
    for (int i = 0; i < ROOM_ACTIONS_BURST - 1; i++)
        assert_accepted(stage_act(stage, waiting, TOY_WAVE, 0));
    stage_close(stage);
}

static void a_bound_action_made_for_another_version_is_stale(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    int seat = stage_turn_seat(stage);
    uint64_t version = room_game_version(stage->room);
    static const uint8_t say[] = {TOY_SAY, 5};
    struct room_input input = {.kind = ROOM_ACT,
                               .seat = seat,
                               .generation = room_generation(stage->room, seat),
                               .counter = room_counter(stage->room, seat) + 1,
                               .made_for = version - 1,
                               .bytes = slice_of(say, sizeof say)};
    assert_refused(stage, stage_step(stage, input), REASON_STALE);
    input.made_for = version + 1;
    assert_refused(stage, stage_step(stage, input), REASON_STALE);
    input.made_for = version;
    assert_accepted(stage_step(stage, input));
    assert_true(room_game_version(stage->room) == version + 1);
    stage_close(stage);
}

static void a_free_action_needs_no_version(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    struct room_input input = wave(stage, 1, room_generation(stage->room, 1), 1);
    input.made_for = 12345;
    input.rtt_ms = 70;
    assert_accepted(stage_step(stage, input));
    stage_close(stage);
}

static void anothers_coming_and_going_makes_nothing_stale(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    uint64_t version = room_game_version(stage->room);
    int other = (stage_turn_seat(stage) + 1) % 3;
    assert_accepted(stage_detach(stage, other));
    assert_int_equal(stage_enter(stage, other, "이름"), other);
    assert_true(room_game_version(stage->room) == version);
    stage_close(stage);
}

static void versions_never_fall_so_nothing_of_a_former_game_fits_the_next(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    stage_play_out(stage, 0);
    uint64_t last = room_game_version(stage->room);
    assert_accepted(stage_start(stage, 0));
    assert_true(room_game_version(stage->room) > last);
    stage_close(stage);
}

static void the_game_refuses_with_its_own_reason(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    int turn = stage_turn_seat(stage), waiting = 1 - turn;
    assert_int_equal(stage_say(stage, waiting, 3), ROOM_REFUSED);
    assert_string_equal(stage->out.why.domain, "toy");
    assert_int_equal(stage->out.why.code, TOY_NOT_YOUR_TURN);
    assert_int_equal(stage->out.why.param_count, 1);
    assert_int_equal(stage->out.why.params[0], turn);
    assert_int_equal(stage_act(stage, turn, 200, 0), ROOM_REFUSED);
    assert_int_equal(stage->out.why.code, TOY_MALFORMED);
    /* A refused action does not use its counter up. */
    assert_accepted(stage_say(stage, turn, 3));
    stage_close(stage);
}

static void an_action_outside_a_game_is_not_for_now(void **unused)
{
    (void)unused;
    struct stage *stage = stage_open(&toy_game);
    stage_enter(stage, 0, "가");
    assert_refused(stage, stage_act(stage, 0, TOY_WAVE, 0), REASON_NOT_NOW);
    stage_close(stage);
}

static void an_action_longer_than_any_game_reads_is_malformed(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint8_t bytes[GAME_ACTION_BYTES_MAX + 1] = {TOY_WAVE};
    struct room_input input = wave(stage, 1, room_generation(stage->room, 1), 1);
    input.bytes = slice_of(bytes, sizeof bytes);
    assert_refused(stage, stage_step(stage, input), REASON_MALFORMED);
    stage_close(stage);
}

static void a_hidden_action_leaves_versions_and_views_alone(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    uint64_t seq = room_seq(stage->room), version = room_game_version(stage->room);
    struct buf before = {0}, after = {0};
    room_write_view(stage->room, &before);
    room_write_game(stage->room, &before);
    room_write_mine(stage->room, 0, &before);
    uint64_t number, later;
    room_deadline(stage->room, &number);

    assert_accepted(stage_act(stage, 1, TOY_WHISPER, 0));
    assert_int_equal(stage->out.changed, 0);
    assert_true(stage->out.seq == seq && room_seq(stage->room) == seq);
    assert_true(room_game_version(stage->room) == version);
    room_write_view(stage->room, &after);
    room_write_game(stage->room, &after);
    room_write_mine(stage->room, 0, &after);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.at, after.at, after.len);
    struct update_event list[ROOM_EVENTS_MAX];
    assert_int_equal(room_events_since(stage->room, seq, list), 0);
    /* But it is logged, answered again, and its window is a deadline. */
    assert_true(stage_deadline(stage) == stage->now + TOY_WHISPER_MS);
    room_deadline(stage->room, &later);
    assert_true(later > number);
    struct room_input again = wave(stage, 1, room_generation(stage->room, 1), 1);
    assert_int_equal(stage_step(stage, again), ROOM_REPEATED);
    assert_true(stage->out.seq == seq);
    stage_next_deadline(stage);
    assert_int_equal(room_events_since(stage->room, seq, list), 1);
    assert_true(room_seq(stage->room) == seq + 1);
    stage_close(stage);
    buf_fini(&before);
    buf_fini(&after);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(a_repeat_gets_the_first_answer),
        cmocka_unit_test(what_is_older_than_sixteen_is_already_handled),
        cmocka_unit_test(a_counter_that_skips_ahead_is_out_of_order),
        cmocka_unit_test(an_older_generation_cannot_act_but_hears_what_became_of_its_own),
        cmocka_unit_test(nobody_acts_from_an_empty_seat_or_without_being_connected),
        cmocka_unit_test(a_burst_of_forty_passes_and_then_twenty_a_second),
        cmocka_unit_test(refusals_do_not_count_against_the_rate),
        cmocka_unit_test(a_bound_action_made_for_another_version_is_stale),
        cmocka_unit_test(a_free_action_needs_no_version),
        cmocka_unit_test(anothers_coming_and_going_makes_nothing_stale),
        cmocka_unit_test(versions_never_fall_so_nothing_of_a_former_game_fits_the_next),
        cmocka_unit_test(the_game_refuses_with_its_own_reason),
        cmocka_unit_test(an_action_outside_a_game_is_not_for_now),
        cmocka_unit_test(an_action_longer_than_any_game_reads_is_malformed),
        cmocka_unit_test(a_hidden_action_leaves_versions_and_views_alone));
}
