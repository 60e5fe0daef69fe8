/* SPDX-License-Identifier: Apache-2.0
 *
 * Output commit (rules 1 and 2): nothing that follows from an action leaves before Redis has it.
 */
#include "unit/worker/one_rig.h"

static void wave(uint64_t counter)
{
    rig_act(&rig, GATE1, 11, 1, counter, TOY_WAVE, 5);
}

static void no_ack_and_no_view_before_the_append_is_confirmed(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    wave(2);
    assert_int_equal(rig_waiting(&rig, STORE_APPEND), 1);
    assert_int_equal(rig.sent_count, 0);
    rig_release(&rig, 1);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 1);
    const struct env_answer *answer = &rig_last(&rig, ENV_ANSWER)->u.answer;
    assert_true(answer->ok);
    assert_int_equal(answer->counter, 2);
    const struct env_update *update = &rig_last(&rig, ENV_UPDATE)->u.update;
    assert_int_equal(update->version.seq, answer->seq);
    assert_int_equal(update->event_count, 1);
    assert_int_not_equal(update->base, 0);
}

static void appends_are_pipelined_and_their_answers_keep_the_order(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    for (uint64_t c = 2; c <= 4; c++) wave(c);
    assert_int_equal(rig_waiting(&rig, STORE_APPEND), 3);
    assert_int_equal(rig.ops[1].position, rig.ops[0].position + 1);
    assert_int_equal(rig.ops[2].position, rig.ops[0].position + 2);
    rig_release(&rig, 2);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 2);
    assert_int_equal(rig_last(&rig, ENV_ANSWER)->u.answer.counter, 3);
    rig_release(&rig, 1);
    assert_int_equal(rig_last(&rig, ENV_ANSWER)->u.answer.counter, 4);
}

static void a_refusal_waits_behind_the_position_it_follows_from(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    wave(2);
    wave(9);
    assert_int_equal(rig_waiting(&rig, STORE_APPEND), 1);
    assert_int_equal(rig.sent_count, 0);
    rig_release(&rig, 1);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 2);
    assert_int_equal(rig_last(&rig, ENV_ANSWER)->u.answer.why.code, REASON_OUT_OF_ORDER);
}

static void a_repeat_gets_the_first_outcome_and_no_second_entry(void **state)
{
    (void)state;
    wave(2);
    uint64_t seq = rig_last(&rig, ENV_ANSWER)->u.answer.seq;
    uint64_t position = rig_stored(&rig, ROOM).position;
    rig_forget(&rig);
    wave(2);
    assert_true(rig_last(&rig, ENV_ANSWER)->u.answer.ok);
    assert_int_equal(rig_last(&rig, ENV_ANSWER)->u.answer.seq, seq);
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 0);
}

static void a_newcomers_view_waits_for_what_it_shows(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    wave(2);
    rig_watch(&rig, GATE2, 21, 9);
    assert_int_equal(rig.sent_count, 0);
    rig_release(&rig, 1);
    assert_non_null(rig_last_to(&rig, GATE2, ENV_ATTACHED));
    const struct envelope *whole = rig_last_to(&rig, GATE2, ENV_UPDATE);
    assert_non_null(whole);
    assert_int_equal(whole->u.update.base, 0);
    assert_int_equal(whole->u.update.sections, SECTION_ALL);
    assert_int_equal(whole->u.update.private_count, 0);
}

static void what_is_confirmed_together_leaves_as_one_update_with_all_events(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    for (uint64_t c = 2; c <= 4; c++) wave(c);
    struct store_reply reply = {.status = ST_OK, .position = rig.ops[2].position + 1};
    rig_answer(&rig, STORE_APPEND, &reply);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 3);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 1);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.event_count, 3);
}

static void unavailable_lets_nothing_out_and_repeats_in_order(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    for (uint64_t c = 2; c <= 4; c++) wave(c);
    uint64_t base = rig.ops[0].position;
    rig.answers = RIG_REFUSES;
    rig_release(&rig, 3);
    assert_int_equal(rig.sent_count, 0);
    rig.answers = RIG_HOLDS;
    rig_wait(&rig, 60);
    assert_int_equal(rig_waiting(&rig, STORE_APPEND), 1);
    int at = 0;
    while (rig.ops[at].kind != STORE_APPEND) at++;
    assert_int_equal(rig.ops[at].position, base);
    assert_int_equal(rig.ops[at].entry_count, 3);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 3);
    assert_int_equal(rig_stored(&rig, ROOM).position, base + 3);
}

static void an_append_whose_answer_was_lost_is_recognised(void **state)
{
    (void)state;
    rig.answers = RIG_LOSES;
    wave(2);
    uint64_t position = rig_stored(&rig, ROOM).position;
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 60);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

static void a_long_outage_is_told_and_its_end_too(void **state)
{
    (void)state;
    rig.answers = RIG_REFUSES;
    wave(2);
    rig_wait(&rig, 250);
    assert_int_equal(rig_count(&rig, ENV_PAUSED), 0);
    rig_wait(&rig, 100);
    assert_true(rig_last(&rig, ENV_PAUSED)->u.paused.paused);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 1100);
    assert_false(rig_last(&rig, ENV_PAUSED)->u.paused.paused);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 1);
    assert_true(rig_noted(&rig, "room.resumed"));
}

static void an_outage_is_nobodys_time(void **state)
{
    (void)state;
    instant_ms due = rig_stored(&rig, ROOM).deadline.due_in_ms;
    rig.answers = RIG_REFUSES;
    wave(2);
    rig_wait(&rig, 5000);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 1100);
    instant_ms later = rig_stored(&rig, ROOM).deadline.due_in_ms;
    assert_in_range(later - due, 4900, 6200);
}

static void at_the_bound_new_actions_are_busy_at_once(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    int sent = 0;
    for (uint64_t c = 2; c < 3 * WORKER_UNCONFIRMED_MAX && rig.sent_count == 0; c++) {
        rig_wait(&rig, 60); /* below the seat's rate limit */
        wave(c);
        sent++;
    }
    const struct envelope *busy = rig_last(&rig, ENV_ANSWER);
    assert_non_null(busy);
    assert_false(busy->u.answer.ok);
    assert_int_equal(busy->u.answer.why.code, REASON_BUSY);
    assert_int_equal(sent, WORKER_UNCONFIRMED_MAX + 1);
}

/* "Busy" passes what waits, and would be taken for the outcome. */
static void at_the_bound_an_accepted_action_is_not_called_busy(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    uint64_t c = 2;
    for (; c < 3 * WORKER_UNCONFIRMED_MAX && rig.sent_count == 0; c++) {
        rig_wait(&rig, 60);
        wave(c);
    }
    rig_forget(&rig);
    wave(2);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    rig.answers = RIG_ANSWERS;
    rig_release(&rig, rig.op_count);
    assert_true(rig_count(&rig, ENV_ANSWER) > 1);
    uint64_t next = 2;
    for (int i = 0; i < rig.sent_count; i++) {
        const struct env_answer *answer = &rig.sent[i].envelope.u.answer;
        if (rig.sent[i].envelope.kind != ENV_ANSWER) continue;
        assert_true(answer->ok);
        assert_int_equal(answer->counter, next++);
    }
}

static void fenced_drops_the_room_and_all_that_was_held(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    wave(2);
    wave(3);
    struct store_reply reply = {
        .status = ST_FENCED, .epoch = UINT64_MAX / 2, .owner = {{0x77}}, .owner_url = "elsewhere"};
    rig_answer(&rig, STORE_APPEND, &reply);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    assert_int_equal(rig_count(&rig, ENV_UPDATE), 0);
    const struct env_moved *moved = &rig_last(&rig, ENV_MOVED)->u.moved;
    assert_string_equal(moved->to_url, "elsewhere");
    assert_int_equal(moved->epoch, reply.epoch);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_ANSWER), 0);
    struct worker_stats stats;
    worker_core_stats(rig.core, &stats);
    assert_int_equal(stats.rooms, 0);
    rig_forget(&rig);
    wave(4);
    assert_string_equal(rig_last(&rig, ENV_MOVED)->u.moved.to_url, "elsewhere");
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(no_ack_and_no_view_before_the_append_is_confirmed),
                     ON_A_RIG(appends_are_pipelined_and_their_answers_keep_the_order),
                     ON_A_RIG(a_refusal_waits_behind_the_position_it_follows_from),
                     ON_A_RIG(a_repeat_gets_the_first_outcome_and_no_second_entry),
                     ON_A_RIG(a_newcomers_view_waits_for_what_it_shows),
                     ON_A_RIG(what_is_confirmed_together_leaves_as_one_update_with_all_events),
                     ON_A_RIG(unavailable_lets_nothing_out_and_repeats_in_order),
                     ON_A_RIG(an_append_whose_answer_was_lost_is_recognised),
                     ON_A_RIG(a_long_outage_is_told_and_its_end_too),
                     ON_A_RIG(an_outage_is_nobodys_time),
                     ON_A_RIG(at_the_bound_new_actions_are_busy_at_once),
                     ON_A_RIG(at_the_bound_an_accepted_action_is_not_called_busy),
                     ON_A_RIG(fenced_drops_the_room_and_all_that_was_held));
}
