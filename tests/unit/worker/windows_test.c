/* SPDX-License-Identifier: Apache-2.0
 *
 * One person, several windows (ruling P2).
 */
#include "unit/worker/one_rig.h"

static void the_newer_window_is_live_and_the_older_can_act_no_more(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    const struct env_dropped *dropped = &rig_last_to(&rig, GATE1, ENV_DROPPED)->u.dropped;
    assert_int_equal(dropped->client, 11);
    assert_int_equal(dropped->why, DROPPED_OTHER_WINDOW);
    uint32_t generation = rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation;
    assert_true(generation > 1);

    uint64_t before = position();
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(answer()->why.code, REASON_OTHER_WINDOW);
    rig_act(&rig, GATE1, 11, generation, 2, TOY_WAVE, 5);
    assert_int_equal(answer()->why.code, REASON_OTHER_WINDOW);
    assert_int_equal(position(), before);
    rig_act(&rig, GATE2, 21, generation, 2, TOY_WAVE, 5);
    assert_true(answer()->ok);
}

/* A gateway that has not heard the answer yet repeats what it knew before. */
static void an_attach_that_is_sent_twice_gives_one_generation(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    uint32_t generation = rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation;
    uint64_t before = position();
    rig_forget(&rig);
    rig_attach(&rig, GATE2, 21, 1, 0);
    assert_int_equal(rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation, generation);
    assert_int_equal(position(), before);
    assert_null(rig_last_to(&rig, GATE2, ENV_DROPPED));
    rig_act(&rig, GATE2, 21, generation, 2, TOY_WAVE, 5);
    assert_true(answer()->ok);
}

static void the_older_window_does_not_come_back_by_itself(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    rig_forget(&rig);
    rig_attach(&rig, GATE1, 13, 1, 1);
    const struct env_attach_refused *refused =
        &rig_last_to(&rig, GATE1, ENV_ATTACH_REFUSED)->u.attach_refused;
    assert_int_equal(refused->why.code, REASON_OTHER_WINDOW);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
}

/* The page `window` of person 1, without a generation. */
static void comes(struct id128 gate, uint64_t client, uint64_t window, bool tap)
{
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){.room = ROOM,
                                            .client = client,
                                            .player = person(1),
                                            .name = "one",
                                            .intent = ATTACH_SEAT,
                                            .take_over = tap,
                                            .window = window,
                                            .line = 1};
    rig_forget(&rig);
    rig_envelope(&rig, gate, &envelope);
}

static bool is_refused(struct id128 gate)
{
    const struct envelope *refused = rig_last_to(&rig, gate, ENV_ATTACH_REFUSED);
    return refused && refused->u.attach_refused.why.code == REASON_OTHER_WINDOW;
}

/* Its gateway has not noticed yet that it is gone, and repeats what it said of it. */
static void a_page_that_was_left_does_not_take_the_seat_from_the_next(void **state)
{
    (void)state;
    comes(GATE1, 11, 1000, true);
    assert_non_null(rig_last_to(&rig, GATE1, ENV_ATTACHED));
    comes(GATE2, 21, 1001, false);
    assert_non_null(rig_last_to(&rig, GATE2, ENV_ATTACHED));
    rig_wait(&rig, 5000);
    comes(GATE1, 11, 1000, false);
    assert_true(is_refused(GATE1));
    comes(GATE1, 11, 1000, true); /* a tap, but one of before */
    assert_true(is_refused(GATE1));
    assert_null(rig_last_to(&rig, GATE2, ENV_DROPPED));
    comes(GATE1, 12, 1002, true); /* that one is new */
    assert_non_null(rig_last_to(&rig, GATE1, ENV_ATTACHED));
    assert_non_null(rig_last_to(&rig, GATE2, ENV_DROPPED));
}

/* Two devices with one session: their clocks need not agree for long. */
static void a_lower_number_comes_in_when_nobody_can_be_late_any_more(void **state)
{
    (void)state;
    comes(GATE1, 12, 1000, true);
    rig_wait(&rig, WORKER_LATE_MS - 100);
    comes(GATE2, 21, 900, true);
    assert_true(is_refused(GATE2));
    rig_wait(&rig, 200);
    comes(GATE2, 21, 900, true);
    assert_non_null(rig_last_to(&rig, GATE2, ENV_ATTACHED));
}

static void the_same_connection_that_attaches_again_keeps_its_generation(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_attach(&rig, GATE1, 11, 1, 1);
    assert_int_equal(rig_last(&rig, ENV_ATTACHED)->u.attached.generation, 1);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
    assert_int_equal(position(), before);
}

static void an_act_of_a_client_that_never_came_in_asks_it_to(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_act(&rig, GATE2, 77, 1, 2, TOY_WAVE, 5);
    assert_string_equal(rig_last_to(&rig, GATE2, ENV_MOVED)->u.moved.to_url, "inbox1");
    assert_int_equal(position(), before);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(the_newer_window_is_live_and_the_older_can_act_no_more),
                     ON_A_RIG(an_attach_that_is_sent_twice_gives_one_generation),
                     ON_A_RIG(the_older_window_does_not_come_back_by_itself),
                     ON_A_RIG(a_page_that_was_left_does_not_take_the_seat_from_the_next),
                     ON_A_RIG(a_lower_number_comes_in_when_nobody_can_be_late_any_more),
                     ON_A_RIG(the_same_connection_that_attaches_again_keeps_its_generation),
                     ON_A_RIG(an_act_of_a_client_that_never_came_in_asks_it_to));
}
