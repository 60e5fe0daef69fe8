/* SPDX-License-Identifier: Apache-2.0
 *
 * Owners that died unseen: the store alone knows of them.
 */
#include "unit/matchmaker/bench.h"

enum { LONGEST_MS = 2 * MATCHMAKER_SILENT_EVERY_MS, PAGE = 64, ROOMS = 16 };

static const struct id128 UNSEEN = {{0x77}};

static const struct store_op *asked_for_silent(void)
{
    assert_true(bench_run(&bench, LONGEST_MS, EFFECT_STORE, STORE_SILENT));
    return &bench_find(&bench, EFFECT_STORE, STORE_SILENT)->op;
}

static void say_silent(uint64_t tag, struct id128 *owners, int count)
{
    struct store_reply reply = {
        .kind = STORE_SILENT, .tag = tag, .owners = owners, .owner_count = count};
    bench_store(&bench, &reply);
}

static void say_one_silent(uint64_t tag, struct id128 owner)
{
    say_silent(tag, &owner, 1);
}

static void say_rooms(uint64_t tag)
{
    room_id rooms[ROOMS];
    uint64_t epochs[ROOMS];
    struct slice summaries[ROOMS] = {{0}};
    for (uint32_t i = 0; i < ROOMS; i++) {
        rooms[i] = room_id_make(i + 1, 1);
        epochs[i] = 10;
    }
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = tag,
                               .rooms = rooms,
                               .epochs = epochs,
                               .summaries = summaries,
                               .room_count = ROOMS};
    bench_store(&bench, &page);
}

/* In the last step. */
static int adoptions_asked_for(void)
{
    int rooms = 0;
    for (size_t i = 0; i < bench.out.count; i++) {
        const struct effect *effect = &bench.out.list[i];
        if (effect->kind == EFFECT_REQUEST && effect->request.kind == REQ_WORKER_ADOPT)
            rooms += effect->request.room_count;
    }
    return rooms;
}

static void say_matchmaker(void)
{
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{8}}};
    request.self = (struct member){.kind = SERVICE_MATCHMAKER,
                                   .instance = {{0x55}},
                                   .inbox_url = "",
                                   .control_url = "ipc://other",
                                   .build = "test"};
    bench_request(&bench, &request);
}

/* Another matchmaker is there, but does not know of it: nothing is left to it. */
static void who_died_unseen_is_swept(void **state)
{
    (void)state;
    const struct store_op *ask = asked_for_silent();
    assert_true(ask->silent_ms > MATCHMAKER_LEASE_MS);
    uint64_t tag = ask->tag;
    say_matchmaker();
    say_one_silent(tag, UNSEEN);
    const struct effect *owned = bench_find(&bench, EFFECT_STORE, STORE_OWNED);
    assert_non_null(owned);
    assert_true(id128_equal(owned->op.instance, UNSEEN));
    say_rooms(owned->op.tag);
    assert_int_equal(adoptions_asked_for(), ROOMS);
}

static void who_is_heard_is_left_alone_whatever_its_lease(void **state)
{
    (void)state;
    say_one_silent(asked_for_silent()->tag, W1);
    assert_false(bench_run(&bench, 3000, EFFECT_STORE, STORE_OWNED));
}

/* It may be heard in a moment: what the store said is from before. */
static void after_our_own_pause_nobody_is_silent_before_we_have_listened(void **state)
{
    (void)state;
    uint64_t tag = asked_for_silent()->tag;
    bench.now += 5000;
    say_one_silent(tag, UNSEEN);
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_OWNED));
    bench_answer_pulse(&bench);
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    say_one_silent(asked_for_silent()->tag, UNSEEN);
    assert_non_null(bench_find(&bench, EFFECT_STORE, STORE_OWNED));
}

static void a_sweep_that_our_pause_interrupts_waits_until_we_have_listened(void **state)
{
    (void)state;
    say_one_silent(asked_for_silent()->tag, UNSEEN);
    uint64_t tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag;
    bench.now += 5000;
    say_rooms(tag);
    assert_int_equal(adoptions_asked_for(), 0);
    bench_answer_pulse(&bench);
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 2000, EFFECT_STORE, STORE_OWNED));
    say_rooms(bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag);
    assert_int_equal(adoptions_asked_for(), ROOMS);
}

static void the_store_is_asked_seldom_and_once_at_a_time(void **state)
{
    (void)state;
    uint64_t tag = asked_for_silent()->tag;
    assert_false(bench_run(&bench, 2 * LONGEST_MS, EFFECT_STORE, STORE_SILENT));
    say_silent(tag, NULL, 0);
    assert_false(
        bench_run(&bench, MATCHMAKER_SILENT_EVERY_MS / 2 - 100, EFFECT_STORE, STORE_SILENT));
    asked_for_silent();
}

static void who_stays_silent_does_not_hide_the_others(void **state)
{
    (void)state;
    struct id128 owners[PAGE];
    for (int i = 0; i < PAGE; i++) owners[i] = W1;
    const struct store_op *ask = asked_for_silent();
    assert_int_equal(ask->limit, PAGE);
    assert_int_equal(ask->cursor, 0);
    say_silent(ask->tag, owners, PAGE);
    ask = asked_for_silent();
    assert_int_equal(ask->cursor, PAGE);
    say_silent(ask->tag, owners, PAGE - 1);
    assert_int_equal(asked_for_silent()->cursor, 0);
}

static void a_store_that_does_not_answer_is_asked_again(void **state)
{
    (void)state;
    struct store_reply away = {.kind = STORE_SILENT,
                               .tag = asked_for_silent()->tag,
                               .status = ST_UNAVAILABLE};
    bench_store(&bench, &away);
    asked_for_silent();
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(who_died_unseen_is_swept),
                     BENCH_TEST(who_is_heard_is_left_alone_whatever_its_lease),
                     BENCH_TEST(after_our_own_pause_nobody_is_silent_before_we_have_listened),
                     BENCH_TEST(a_sweep_that_our_pause_interrupts_waits_until_we_have_listened),
                     BENCH_TEST(the_store_is_asked_seldom_and_once_at_a_time),
                     BENCH_TEST(who_stays_silent_does_not_hide_the_others),
                     BENCH_TEST(a_store_that_does_not_answer_is_asked_again));
}
