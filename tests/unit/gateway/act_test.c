/* SPDX-License-Identifier: Apache-2.0
 *
 * Acts on their way to the room and their answers on the way back.
 */
#include "unit/gateway/yard.h"

static const struct server_answer *last_answer(struct yard *yard, uint64_t socket)
{
    const struct server_frame *frame = yard_last(yard, socket, SERVER_ANSWER);
    return frame ? &frame->u.answer : NULL;
}

static void an_act_is_forwarded_with_its_id_and_answered_once(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = 3, .counter = 5, .made_for = 17, .bytes = slice_text("guess")};
    yard_say(&yard, socket, &frame);
    const struct env_act *act = &yard_last_post(&yard, ENV_ACT)->u.act;
    assert_true(act->room == yard_room());
    assert_true(act->client == socket);
    assert_int_equal(act->generation, 3);
    assert_int_equal(act->counter, 5);
    assert_int_equal(act->made_for, 17);
    assert_false(act->command);
    assert_true(slice_equal(act->bytes, slice_text("guess")));
    yard_answer(&yard, socket, 3, 5, true);
    assert_true(last_answer(&yard, socket)->ok);
    assert_int_equal(last_answer(&yard, socket)->seq, 3);
    yard_answer(&yard, socket, 3, 5, true);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    yard_close(&yard);
}

static void a_refusal_keeps_its_domain_and_params(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 1);
    struct envelope envelope = {.kind = ENV_ANSWER};
    envelope.u.answer = (struct env_answer){
        .room = yard_room(),
        .client = socket,
        .epoch = 100,
        .generation = 3,
        .counter = 1,
        .why = {.domain = "toy", .code = 8, .params = {-3, 12}, .param_count = 2}};
    yard_worker_says(&yard, &envelope);
    const struct server_answer *answer = last_answer(&yard, socket);
    assert_false(answer->ok);
    assert_string_equal(answer->why.domain, "toy");
    assert_int_equal(answer->why.code, 8);
    assert_int_equal(answer->why.params[0], -3);
    assert_int_equal(answer->why.params[1], 12);
    yard_close(&yard);
}

static void a_command_is_forwarded_without_what_nobody_knows(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_watching(&yard);
    /* act { counter 1, room { take_seat { seat 2, field 15: 9 }, field 15: 7 } } */
    static const uint8_t bytes[] = {0x42, 0x0c, 0x10, 0x01, 0x2a, 0x08, 0x2a,
                                    0x04, 0x08, 0x02, 0x78, 0x09, 0x78, 0x07};
    yard_say_bytes(&yard, socket, bytes, sizeof bytes);
    const struct env_act *act = &yard_last_post(&yard, ENV_ACT)->u.act;
    assert_true(act->command);
    static const uint8_t clean[] = {0x2a, 0x02, 0x08, 0x02};
    assert_true(slice_equal(act->bytes, slice_of(clean, sizeof clean)));
    yard_close(&yard);
}

static void a_ninth_unanswered_act_is_busy(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    for (uint64_t counter = 1; counter <= 8; counter++) yard_act(&yard, socket, 3, counter);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 8);
    assert_null(last_answer(&yard, socket));
    yard_act(&yard, socket, 3, 9);
    assert_int_equal(last_answer(&yard, socket)->counter, 9);
    assert_int_equal(last_answer(&yard, socket)->why.code, REASON_BUSY);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 8);
    yard_act(&yard, socket, 3, 4); /* a repeat of one of the eight goes out again */
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 9);
    yard_answer(&yard, socket, 3, 1, true);
    yard_act(&yard, socket, 3, 9);
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.counter, 9);
    yard_close(&yard);
}

static void without_a_seat_there_is_an_answer_and_no_envelope(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_act(&yard, socket, 3, 1);
    assert_int_equal(last_answer(&yard, socket)->why.code, REASON_NOT_SEATED);
    yard_join(&yard, socket, (struct client_join){0});
    yard_act(&yard, socket, 3, 2);
    assert_int_equal(last_answer(&yard, socket)->counter, 2);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0);
    yard_close(&yard);
}

static void an_unanswered_act_is_sent_again_under_its_id(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 1);
    yard_pass(&yard, GATEWAY_RESEND_MS);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 2);
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.counter, 1);
    yard_answer(&yard, socket, 3, 1, true);
    yard_pass(&yard, 5000);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 2);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1); /* that of the join */
    yard_close(&yard);
}

static void an_owner_that_answers_no_act_is_looked_for_anew(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 1);
    yard_forget(&yard);
    yard_pass(&yard, (GATEWAY_RESENDS_MAX + 2) * GATEWAY_RESEND_MS);
    const struct request *request = &yard_last_request(&yard, REQ_RESOLVE)->request;
    assert_true(request->room == yard_room());
    assert_int_equal(request->stale_epoch, 100);
    assert_int_equal(yard_last(&yard, socket, SERVER_NOTICE)->u.notice, NOTICE_ROOM_UNREACHABLE);
    yard_close(&yard);
}

/* Act 5 of generation 3 was not answered in time. */
static uint64_t sent_twice(struct yard *yard)
{
    yard_open(yard);
    uint64_t socket = yard_seated(yard, 1, 3);
    yard_act(yard, socket, 3, 5);
    yard_pass(yard, GATEWAY_RESEND_MS);
    return socket;
}

/* The same id serves the next act after a refusal, so nobody hears of one before it is certain. */
static void an_act_that_was_sent_twice_is_refused_when_its_last_copy_is(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket = sent_twice(&yard);
    yard_answer_copy(&yard, socket, 5, 1, false);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 0);
    yard_answer_copy(&yard, socket, 5, 2, false);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    assert_false(last_answer(&yard, socket)->ok);
    yard_act(&yard, socket, 3, 5); /* another act, same id */
    yard_answer(&yard, socket, 3, 5, true);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 2);
    assert_true(last_answer(&yard, socket)->ok);
    yard_close(&yard);
}

/* What comes first is not lost with its answer: copies are judged in order. */
static void a_refusal_of_the_last_copy_stands_for_those_before_it(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket = sent_twice(&yard);
    yard_answer_copy(&yard, socket, 5, 2, false);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    assert_false(last_answer(&yard, socket)->ok);
    yard_close(&yard);
}

/* Each copy is judged at its time; what a late one is accepted for must not be told of the next. */
static void an_act_that_is_refused_and_then_accepted_has_one_outcome(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket = sent_twice(&yard);
    yard_answer_copy(&yard, socket, 5, 1, false);
    yard_act(&yard, socket, 3, 5); /* whoever cannot wait does not get another one in */
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 2);
    yard_answer_copy(&yard, socket, 5, 2, true);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    assert_true(last_answer(&yard, socket)->ok);
    yard_pass(&yard, 5000);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    yard_close(&yard);
}

/* However late a worker is: the copy may be in its inbox, so it is asked once more. */
static void a_refusal_whose_last_copy_is_unanswered_is_told_when_one_more_is_refused(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket = sent_twice(&yard);
    yard_answer_copy(&yard, socket, 5, 1, false);
    yard_pass(&yard, 1500);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 2);
    yard_pass(&yard, 1000);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 3);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 0);
    yard_answer_copy(&yard, socket, 5, 2, false); /* it was not lost, but late */
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 0);
    yard_answer_copy(&yard, socket, 5, 3, false);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 1);
    assert_false(last_answer(&yard, socket)->ok);
    yard_close(&yard);
}

static void leaving_is_confirmed_by_the_room(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 1);
    struct client_frame leave = {.kind = CLIENT_LEAVE};
    yard_say(&yard, socket, &leave);
    assert_int_equal(yard_last_post(&yard, ENV_LEAVE)->u.client.client, socket);
    assert_null(yard_last(&yard, socket, SERVER_DETACHED));
    yard_say(&yard, socket, &leave);
    assert_int_equal(yard_refused(&yard, socket), REASON_OUT_OF_PLACE);
    struct envelope dropped = {.kind = ENV_DROPPED};
    dropped.u.dropped = (struct env_dropped){yard_room(), socket, 100, DROPPED_LEFT};
    yard_worker_says(&yard, &dropped);
    assert_int_equal(yard_last(&yard, socket, SERVER_DETACHED)->u.detached, DROPPED_LEFT);
    yard_answer(&yard, socket, 3, 1, true); /* nobody waits for it any more */
    assert_null(last_answer(&yard, socket));
    yard_forget(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void a_leave_that_nobody_confirms_ends_all_the_same(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    struct client_frame leave = {.kind = CLIENT_LEAVE};
    yard_say(&yard, socket, &leave);
    yard_pass(&yard, GATEWAY_LEAVE_MS);
    assert_true(yard_count_posts(&yard, ENV_LEAVE) >= 2);
    assert_int_equal(yard_last(&yard, socket, SERVER_DETACHED)->u.detached, DROPPED_LEFT);
    yard_close(&yard);
}

static void the_other_window_leaves_the_connection_open_and_roomless(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    struct envelope dropped = {.kind = ENV_DROPPED};
    dropped.u.dropped = (struct env_dropped){yard_room(), socket, 100, DROPPED_OTHER_WINDOW};
    yard_worker_says(&yard, &dropped);
    assert_int_equal(yard_last(&yard, socket, SERVER_DETACHED)->u.detached, DROPPED_OTHER_WINDOW);
    assert_int_equal(yard_closed(&yard, socket), 0);
    yard_act(&yard, socket, 3, 1);
    assert_int_equal(last_answer(&yard, socket)->why.code, REASON_NOT_SEATED);
    /* Only a person's tap takes the seat back. */
    yard_join(&yard, socket, (struct client_join){.generation = 3, .take_over = true});
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE), reply);
    assert_true(yard_last_post(&yard, ENV_ATTACH)->u.attach.take_over);
    yard_close(&yard);
}

static void rtt_goes_with_acts_and_to_the_room_at_most_every_two_seconds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    for (int i = 0; i < 10; i++) {
        yard_pass(&yard, GATEWAY_REST_PING_MS - 100);
        struct client_frame pong = {.kind = CLIENT_PONG};
        while (yard_last(&yard, socket, SERVER_PING) == NULL) yard_pass(&yard, 10);
        yard_pass(&yard, 40);
        pong.u.nonce = yard_last(&yard, socket, SERVER_PING)->u.ping.nonce;
        yard_say(&yard, socket, &pong);
    }
    assert_in_range(yard_count_posts(&yard, ENV_RTT), 1, 10);
    yard_act(&yard, socket, 3, 1);
    assert_true(yard_last_post(&yard, ENV_ACT)->u.act.rtt_ms > 0);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(an_act_is_forwarded_with_its_id_and_answered_once),
        cmocka_unit_test(a_refusal_keeps_its_domain_and_params),
        cmocka_unit_test(a_command_is_forwarded_without_what_nobody_knows),
        cmocka_unit_test(a_ninth_unanswered_act_is_busy),
        cmocka_unit_test(without_a_seat_there_is_an_answer_and_no_envelope),
        cmocka_unit_test(an_unanswered_act_is_sent_again_under_its_id),
        cmocka_unit_test(an_owner_that_answers_no_act_is_looked_for_anew),
        cmocka_unit_test(an_act_that_was_sent_twice_is_refused_when_its_last_copy_is),
        cmocka_unit_test(an_act_that_is_refused_and_then_accepted_has_one_outcome),
        cmocka_unit_test(a_refusal_of_the_last_copy_stands_for_those_before_it),
        cmocka_unit_test(a_refusal_whose_last_copy_is_unanswered_is_told_when_one_more_is_refused),
        cmocka_unit_test(leaving_is_confirmed_by_the_room),
        cmocka_unit_test(a_leave_that_nobody_confirms_ends_all_the_same),
        cmocka_unit_test(the_other_window_leaves_the_connection_open_and_roomless),
        cmocka_unit_test(rtt_goes_with_acts_and_to_the_room_at_most_every_two_seconds));
}
