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

int main(void)
{
    return RUN_TESTS(BENCH_TEST(a_room_that_a_worker_cannot_take_goes_to_another),
                     BENCH_TEST(also_when_nobody_asks_again_for_a_while),
                     BENCH_TEST(a_room_goes_to_another_than_the_owner_that_does_not_answer_for_it),
                     BENCH_TEST(who_cannot_take_a_room_is_asked_again_when_there_is_no_other));
}
