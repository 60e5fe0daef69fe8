/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match: one match for one ticket, whatever happens to its matchmaker.
 */
#include "unit/matchmaker/quick.h"

static void keep_polling(uint8_t tickets, instant_ms ms, int what)
{
    for (instant_ms passed = 0; passed < ms; passed += 500) {
        for (uint8_t t = 1; t <= tickets; t++) quick_poll(t);
        if (bench_find(&bench, EFFECT_STORE, what)) return;
        if (bench_run(&bench, 500, EFFECT_STORE, what)) return;
    }
}

static const struct effect *create(void)
{
    const struct effect *effect = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(effect);
    return effect;
}

static void say_create(enum status status)
{
    struct reply reply = {.kind = REQ_WORKER_CREATE, .status = status, .placed = {.epoch = 9}};
    bench_reply(&bench, create()->token, &reply);
}

static void four_wait(void)
{
    for (uint8_t t = 1; t <= 4; t++) assert_true(bench_answer(&bench, quick_poll(t))->pending);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_FIND));
}

/* From the FIND that looks for a free code to the room that was made. */
static room_id finish_match(int expected)
{
    quick_say_none();
    assert_int_equal(quick_claim()->op.ticket_count, expected);
    assert_int_equal(quick_claim()->op.expected, expected);
    quick_say_claim(ST_OK);
    room_id room = create()->request.room;
    say_create(ST_OK);
    return room;
}

/* ---- matches --------------------------------------------------------------------------------- */

static void a_full_table_is_matched_at_once(void **state)
{
    (void)state;
    four_wait();
    quick_assert_told(3, finish_match(4));
}

static void after_twenty_seconds_the_minimum_is_enough(void **state)
{
    (void)state;
    keep_polling(2, 19 * 1000, STORE_FIND);
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_FIND));
    keep_polling(2, 2 * 1000, STORE_FIND);
    finish_match(2);
}

static void one_alone_goes_on_as_an_open_public_room(void **state)
{
    (void)state;
    keep_polling(1, 21 * 1000, STORE_FIND);
    quick_say_none();
    quick_say_claim(ST_OK);
    assert_true(create()->request.is_public);
    assert_false(create()->request.quick);
}

static void a_create_without_answer_is_looked_for_before_another_worker_is_asked(void **state)
{
    (void)state;
    four_wait();
    quick_say_none();
    quick_say_claim(ST_OK);
    const struct request first = create()->request;
    say_create(ST_UNAVAILABLE);
    quick_say_none();
    assert_true(create()->request.room == first.room);
    assert_true(id128_equal(create()->request.id, first.id));
    say_create(ST_FENCED); /* the first one has made it */
    quick_say_there(first.room);
    quick_assert_told(1, first.room);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void a_ticket_that_was_matched_elsewhere_is_not_matched_again(void **state)
{
    (void)state;
    four_wait();
    quick_say_none();
    quick_say_claim(ST_EXISTS); /* one of them was claimed, and only the store knows which */
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE));
    for (uint8_t t = 1; t <= 4; t++) {
        uint64_t token = quick_ask(t);
        quick_say_claimed(t == 2 ? 4242 : 0, 0);
        if (t == 2)
            quick_say_there(4242);
        else
            assert_true(bench_answer(&bench, token)->pending);
        assert_true(bench_answer(&bench, token)->placed.room == (t == 2 ? 4242 : 0));
    }
    assert_int_equal(bench_answer(&bench, quick_poll(1))->waiting, 3);
}

static void a_claim_without_answer_is_asked_for(void **state)
{
    (void)state;
    four_wait();
    quick_say_none();
    room_id room = quick_claim()->op.room;
    quick_say_claim(ST_UNAVAILABLE);
    for (uint8_t t = 1; t <= 2; t++) {
        quick_ask(t);
        quick_say_claimed(room, 4);
    }
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_FIND)); /* the first one's stands for both */
}

static void a_ticket_claimed_before_is_told_at_once(void **state)
{
    (void)state;
    uint64_t token = quick_ask(1);
    quick_say_claimed(4242, 0);
    quick_say_there(4242);
    assert_true(bench_answer(&bench, token)->placed.room == 4242);
}

static void a_match_whose_maker_died_is_carried_on_as_it_was(void **state)
{
    four_wait();
    quick_say_none();
    quick_say_claim(ST_OK);
    struct request first = create()->request;
    char code[8];
    strcpy(code, first.code);
    bench_tear_down(state); /* killed before any worker has heard of it */
    bench_set_up(state);

    uint64_t token = quick_ask(1);
    quick_say_claimed(first.room, 4);
    assert_true(bench_question(&bench)->op.room == first.room);
    quick_say_none();
    const struct request again = create()->request;
    assert_true(id128_equal(again.id, first.id));
    assert_true(again.room == first.room);
    assert_string_equal(again.code, code);
    assert_int_equal(again.expected, 4);
    assert_true(again.quick && !again.is_public);
    uint64_t made = create()->token;

    quick_ask(2);
    quick_say_claimed(first.room, 4);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE));
    struct reply reply = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 9}};
    bench_reply(&bench, made, &reply);
    quick_assert_told(1, first.room);
    quick_assert_told(2, first.room);
    (void)token;
}

static void a_room_made_before_its_maker_died_is_found(void **state)
{
    (void)state;
    quick_ask(1);
    quick_say_claimed(4242, 4);
    quick_say_there(4242);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE));
    quick_assert_told(1, 4242);
}

/* A matchmaker that was slow, not dead, has matched it meanwhile. */
static void a_ticket_that_waits_is_asked_for_now_and_then(void **state)
{
    (void)state;
    quick_poll(1);
    bench_run(&bench, 1900, EFFECT_EXIT, NO_KIND);
    assert_null((quick_ask(1), bench_find(&bench, EFFECT_STORE, STORE_CLAIMED)));
    bench_run(&bench, 100, EFFECT_EXIT, NO_KIND);
    uint64_t token = quick_ask(1);
    quick_say_claimed(4242, 0);
    quick_say_there(4242);
    assert_true(bench_answer(&bench, token)->placed.room == 4242);
}

/* ---- tickets --------------------------------------------------------------------------------- */

static void a_ticket_nobody_asks_for_is_dropped(void **state)
{
    (void)state;
    quick_poll(1);
    bench_run(&bench, 4000, EFFECT_EXIT, NO_KIND);
    quick_poll(2);
    quick_poll(3);
    quick_poll(4);
    assert_false(bench_run(&bench, 500, EFFECT_STORE, STORE_FIND));
    assert_int_equal(bench_answer(&bench, quick_poll(2))->waiting, 3);
}

static void a_cancelled_ticket_is_gone(void **state)
{
    (void)state;
    quick_poll(1);
    struct request cancel = {.kind = REQ_TICKET_CANCEL, .id = {{4}}, .ticket = {{1}}};
    bench_request(&bench, &cancel);
    assert_int_equal(bench_answer(&bench, quick_poll(2))->waiting, 1);
}

/* The list of matchmakers has changed and a gateway takes its ticket back: what happened to it here
 * in the meantime is not lost. */
static void a_ticket_that_is_taken_back_tells_of_its_match(void **state)
{
    (void)state;
    struct request back = {.kind = REQ_TICKET_CANCEL, .id = {{4}}, .ticket = {{1}}};
    four_wait();
    uint64_t find = bench_question(&bench)->op.tag;
    assert_true(bench_answer(&bench, bench_request(&bench, &back))->pending);
    struct store_reply none = {.kind = STORE_FIND, .tag = find, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    quick_say_claim(ST_OK);
    room_id room = create()->request.room;
    say_create(ST_OK);
    uint64_t token = bench_request(&bench, &back);
    quick_say_there(room);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}

int main(void)
{
    return RUN_TESTS(
        BENCH_TEST(a_full_table_is_matched_at_once),
        BENCH_TEST(after_twenty_seconds_the_minimum_is_enough),
        BENCH_TEST(one_alone_goes_on_as_an_open_public_room),
        BENCH_TEST(a_create_without_answer_is_looked_for_before_another_worker_is_asked),
        BENCH_TEST(a_ticket_that_was_matched_elsewhere_is_not_matched_again),
        BENCH_TEST(a_claim_without_answer_is_asked_for),
        BENCH_TEST(a_ticket_claimed_before_is_told_at_once),
        BENCH_TEST(a_match_whose_maker_died_is_carried_on_as_it_was),
        BENCH_TEST(a_room_made_before_its_maker_died_is_found),
        BENCH_TEST(a_ticket_that_waits_is_asked_for_now_and_then),
        BENCH_TEST(a_ticket_nobody_asks_for_is_dropped), BENCH_TEST(a_cancelled_ticket_is_gone),
        BENCH_TEST(a_ticket_that_is_taken_back_tells_of_its_match));
}
