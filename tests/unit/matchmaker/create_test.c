/* SPDX-License-Identifier: Apache-2.0
 *
 * One room for one request.
 */
#include "unit/matchmaker/bench.h"
#include "wire/reason.h"

static const struct request create = {.kind = REQ_CREATE, .id = {{5}}, .game = "toy"};

static void a_created_room_is_told_with_its_code(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &create);
    const struct effect *ask_worker = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(ask_worker);
    assert_int_equal(strlen(ask_worker->request.code), WIRE_CODE_LEN);
    struct reply made = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 9}};
    bench_reply(&bench, ask_worker->token, &made);
    assert_int_equal(bench_answer(&bench, token)->placed.epoch, 9);
}

static void the_same_request_names_the_same_room_again(void **state)
{
    (void)state;
    bench_request(&bench, &create);
    room_id first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room;
    bench_request(&bench, &create);
    assert_true(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room == first);
    struct request other = create;
    other.id = (struct id128){{6}};
    bench_request(&bench, &other);
    assert_false(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room == first);
}

/* A create that timed out may still happen: another room would be a second one. */
static void a_create_without_answer_makes_no_second_room(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &create);
    const struct effect *first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    room_id room = first->request.room;
    struct id128 id = first->request.id;
    struct reply lost = {.kind = REQ_WORKER_CREATE, .status = ST_UNAVAILABLE};
    bench_reply(&bench, first->token, &lost);
    struct store_reply none = {.kind = STORE_FIND,
                               .tag = bench_question(&bench)->op.tag,
                               .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *second = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(second);
    assert_true(second->request.room == room);
    assert_true(id128_equal(second->request.id, id));

    struct reply exists = {.kind = REQ_WORKER_CREATE, .status = ST_EXISTS};
    bench_reply(&bench, second->token, &exists);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 3};
    bench_store(&bench, &there);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}

static void a_code_that_is_taken_is_drawn_again(void **state)
{
    (void)state;
    bench_request(&bench, &create);
    const struct effect *first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    room_id room = first->request.room;
    struct reply exists = {.kind = REQ_WORKER_CREATE, .status = ST_EXISTS};
    bench_reply(&bench, first->token, &exists);
    struct store_reply none = {.kind = STORE_FIND,
                               .tag = bench_question(&bench)->op.tag,
                               .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *second = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(second);
    assert_false(second->request.room == room);
}

static void bad_options_and_unknown_games_are_refused(void **state)
{
    (void)state;
    struct request unknown = create;
    unknown.game = "tic-tac-toe";
    uint64_t token = bench_request(&bench, &unknown);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_UNKNOWN_GAME);
    struct request bad = create;
    bad.option_count = 1;
    bad.options[0] = (struct option_pair){.key = "seconds", .value = 31};
    token = bench_request(&bench, &bad);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_BAD_OPTION);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(a_created_room_is_told_with_its_code),
                     BENCH_TEST(the_same_request_names_the_same_room_again),
                     BENCH_TEST(a_create_without_answer_makes_no_second_room),
                     BENCH_TEST(a_code_that_is_taken_is_drawn_again),
                     BENCH_TEST(bad_options_and_unknown_games_are_refused));
}
