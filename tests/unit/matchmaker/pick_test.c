/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the workers gets a room: who is likely to be able to take it, but somebody always.
 */
#include "unit/matchmaker/bench.h"

/* Somebody asks for the room, of which the store knows that owner: the request that a worker gets;
 * NULL: none does. */
static const struct effect *asked_for(struct id128 owner, uint64_t stale_epoch)
{
    struct request resolve = {.kind = REQ_RESOLVE, .id = {{5}}, .code = "000012"};
    resolve.stale_epoch = stale_epoch;
    bench_request(&bench, &resolve);
    struct store_reply found = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room_id_make(code_bits("000012"), 77),
                                .owner = owner,
                                .owner_url = "",
                                .epoch = 40};
    bench_store(&bench, &found);
    return bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
}

/* An attempt to give it its owner fails, and time passes: where it went to. */
static const char *attempt_fails(instant_ms ms)
{
    const struct effect *adopt = asked_for(NOBODY, 0);
    assert_non_null(adopt);
    const char *url = strcmp(adopt->url, "ipc://c1") == 0 ? "ipc://c1" : "ipc://c2";
    assert_string_equal(adopt->url, url);
    struct reply failed = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, adopt->token, &failed);
    bench_run(&bench, ms, EFFECT_EXIT, NO_KIND);
    return url;
}

static void a_room_that_a_worker_cannot_take_goes_to_another(void **state)
{
    (void)state;
    const char *first = attempt_fails(300);
    assert_string_not_equal(attempt_fails(300), first);
    assert_string_equal(attempt_fails(300), first);
}

static void also_when_nobody_asks_again_for_a_while(void **state)
{
    (void)state;
    const char *first = attempt_fails(MATCHMAKER_FAILED_MS - 500);
    assert_string_not_equal(attempt_fails(MATCHMAKER_FAILED_MS + 2000), first);
    assert_string_equal(attempt_fails(300), first); /* by then it is as good as anybody */
}

static void who_cannot_take_a_room_is_asked_again_when_there_is_no_other(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench.w1_alive = false;
    bench_step(&bench, &gone);
    assert_string_equal(attempt_fails(300), "ipc://c2");
    assert_string_equal(attempt_fails(300), "ipc://c2");
}

/* Each of the two in its turn: one of them is who hashing would choose. */
static void a_room_goes_to_another_than_the_owner_that_does_not_answer_for_it(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        const struct effect *adopt = NULL;
        for (instant_ms passed = 0; !adopt && passed < 2 * MATCHMAKER_DOUBT_MS; passed += 250) {
            adopt = asked_for(turn ? W1 : W2, 40);
            if (!adopt) bench_run(&bench, 250, EFFECT_EXIT, NO_KIND);
        }
        assert_non_null(adopt);
        assert_string_equal(adopt->url, turn ? "ipc://c2" : "ipc://c1");
        struct reply failed = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
        bench_reply(&bench, adopt->token, &failed);
    }
}

/* From now on W1 and W2 say so. */
static void away(uint32_t w1, uint32_t w2)
{
    bench_shards_away[0] = w1;
    bench_shards_away[1] = w2;
    bench_run(&bench, 300, EFFECT_EXIT, NO_KIND);
}

static int all_reach(void **state)
{
    bench_shards_away[0] = bench_shards_away[1] = 0;
    return bench_tear_down(state);
}

static const char *where_rooms_are_made(int number)
{
    struct request create = {.kind = REQ_CREATE, .game = "toy"};
    create.id = (struct id128){{5, (uint8_t)number}};
    bench_request(&bench, &create);
    const struct effect *made = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(made);
    return made->url;
}

static void rooms_go_to_workers_that_reach_the_store(void **state)
{
    (void)state;
    away(UINT32_MAX, 0);
    assert_string_equal(attempt_fails(300), "ipc://c2");
    for (int i = 0; i < 20; i++) assert_string_equal(where_rooms_are_made(i), "ipc://c2");
    away(0, UINT32_MAX);
    assert_string_equal(attempt_fails(300), "ipc://c1");
    for (int i = 20; i < 40; i++) assert_string_equal(where_rooms_are_made(i), "ipc://c1");
}

static void only_the_shard_of_the_room_matters(void **state)
{
    (void)state;
    uint32_t its = 1u << room_shard(room_id_make(code_bits("000012"), 0));
    away(0, 0);
    const char *usual = attempt_fails(MATCHMAKER_FAILED_MS + 2000);
    away(~its, ~its);
    assert_string_equal(attempt_fails(MATCHMAKER_FAILED_MS + 2000), usual);
    away(its, ~its);
    assert_string_equal(attempt_fails(300), "ipc://c2");
}

static void when_no_worker_reaches_the_store_rooms_are_placed_all_the_same(void **state)
{
    (void)state;
    away(UINT32_MAX, UINT32_MAX);
    const char *first = attempt_fails(300);
    assert_string_not_equal(attempt_fails(300), first);
    where_rooms_are_made(1);
}

int main(void)
{
#define REACH_TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, all_reach)
    return RUN_TESTS(BENCH_TEST(a_room_that_a_worker_cannot_take_goes_to_another),
                     BENCH_TEST(also_when_nobody_asks_again_for_a_while),
                     BENCH_TEST(a_room_goes_to_another_than_the_owner_that_does_not_answer_for_it),
                     BENCH_TEST(who_cannot_take_a_room_is_asked_again_when_there_is_no_other),
                     REACH_TEST(rooms_go_to_workers_that_reach_the_store),
                     REACH_TEST(only_the_shard_of_the_room_matters),
                     REACH_TEST(when_no_worker_reaches_the_store_rooms_are_placed_all_the_same));
}
