/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms go to workers that play by their rules; when there is none they wait for one (rule 9).
 */
#include "room/room.h"
#include "unit/matchmaker/bench.h"
#include "unit/test.h"
#include "wire/reason.h"

static struct buf summary;

static struct slice played_by(uint32_t version)
{
    struct room_summary told = {
        .code = "000012", .game = "toy", .host = "가", .rules_version = version};
    buf_clear(&summary);
    room_summary_encode(&told, &summary);
    return buf_slice(&summary);
}

/* W1 plays the first version, W2 the second. */
static int set_up(void **state)
{
    bench_versions[0] = 1;
    bench_versions[1] = 2;
    return bench_set_up(state);
}

static int tear_down(void **state)
{
    bench_versions[0] = bench_versions[1] = 0;
    buf_fini(&summary);
    return bench_tear_down(state);
}

/* Somebody asks for an ownerless room; what it is answered, NULL: it waits for an adoption. */
static const struct reply *ask_for(uint32_t chance, uint32_t version)
{
    struct request resolve = {.kind = REQ_RESOLVE, .id = {{5}}, .code = "000012"};
    uint64_t token = bench_request(&bench, &resolve);
    struct store_reply found = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room_id_make(code_bits("000012"), chance),
                                .owner_url = "",
                                .epoch = 40,
                                .summary = played_by(version)};
    bench_store(&bench, &found);
    return bench_answer(&bench, token);
}

static const struct effect *adoption(void)
{
    return bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
}

/* The worker says that it has none of them, so that it is asked for the next. */
static void refuse(const struct effect *asked)
{
    struct reply lost = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, asked->token, &lost);
}

static void a_room_goes_to_a_worker_that_plays_by_its_rules(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 20; i++) {
        uint32_t version = 1 + i % 2;
        assert_null(ask_for(i, version));
        assert_non_null(adoption());
        assert_string_equal(adoption()->url, version == 1 ? "ipc://c1" : "ipc://c2");
        assert_string_equal(adoption()->request.rooms[0].rules.game, "toy");
        assert_int_equal(adoption()->request.rooms[0].rules.version, version);
        refuse(adoption());
    }
}

static void a_room_whose_version_nobody_told_goes_to_any(void **state)
{
    (void)state;
    bool seen[2] = {false, false};
    for (uint32_t i = 1; i <= 40; i++) {
        assert_null(ask_for(i, 0));
        seen[strcmp(adoption()->url, "ipc://c1") == 0] = true;
        refuse(adoption());
    }
    assert_true(seen[0] && seen[1]);
}

static void a_room_that_no_worker_can_play_waits_with_a_clear_word(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct reply *reply = ask_for(1, 3);
        assert_non_null(reply);
        assert_int_equal(reply->status, ST_UNAVAILABLE);
        assert_int_equal(reply->reason, REASON_NO_RULES);
        assert_null(adoption());
    }
    bench_run(&bench, 1500, EFFECT_EXIT, NO_KIND);
    assert_int_equal(matchmaker_core_awaited(bench.core), 1);
    bench_run(&bench, MATCHMAKER_AWAITED_MS, EFFECT_EXIT, NO_KIND); /* nobody asks any more */
    assert_int_equal(matchmaker_core_awaited(bench.core), 0);
}

static void it_is_adopted_as_soon_as_one_registers(void **state)
{
    (void)state;
    assert_non_null(ask_for(1, 3));
    struct rules plays[] = {{"toy", 3}, {"toy", 2}};
    struct request heartbeat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    heartbeat.self = (struct member){.kind = SERVICE_WORKER,
                                     .instance = {{3}},
                                     .inbox_url = "ipc://w3",
                                     .control_url = "ipc://c3",
                                     .build = "newer",
                                     .rooms_max = 100,
                                     .plays = plays,
                                     .play_count = 2};
    bench_request(&bench, &heartbeat);
    assert_non_null(adoption());
    assert_string_equal(adoption()->url, "ipc://c3");
    assert_int_equal(adoption()->request.rooms[0].epoch, 40);
    /* And others hear what it can play. */
    heartbeat.self.instance = (struct id128){{4}};
    heartbeat.self.control_url = "ipc://c4";
    const struct reply *list = bench_answer(&bench, bench_request(&bench, &heartbeat));
    int versions = 0;
    for (int i = 0; i < list->member_count; i++) versions += list->members[i].play_count;
    assert_int_equal(versions, 1 + 1 + 2);
}

static void the_rooms_of_a_dead_worker_are_sorted_by_their_rules(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c2"};
    bench.w2_alive = false;
    bench_step(&bench, &gone);
    room_id rooms[] = {room_id_make(1, 1), room_id_make(2, 2)};
    uint64_t epochs[] = {10, 20};
    struct buf other = {0};
    buf_put_slice(&other, played_by(2));
    struct slice summaries[] = {played_by(1), buf_slice(&other)};
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag,
                               .rooms = rooms,
                               .epochs = epochs,
                               .summaries = summaries,
                               .room_count = 2};
    bench_store(&bench, &page);
    assert_int_equal(adoption()->request.room_count, 1);
    assert_true(adoption()->request.rooms[0].room == rooms[0]);
    assert_string_equal(adoption()->url, "ipc://c1");
    bench_run(&bench, 1500, EFFECT_EXIT, NO_KIND);
    assert_int_equal(matchmaker_core_awaited(bench.core), 1);
    buf_fini(&other);
}

static void a_room_is_made_where_its_game_is_known(void **state)
{
    (void)state;
    struct rules others[] = {{"another", 1}};
    struct request heartbeat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    heartbeat.self = (struct member){.kind = SERVICE_WORKER,
                                     .instance = {{3}},
                                     .inbox_url = "ipc://w3",
                                     .control_url = "ipc://c3",
                                     .build = "other",
                                     .rooms_max = 100000,
                                     .plays = others,
                                     .play_count = 1};
    bench_request(&bench, &heartbeat);
    for (uint8_t i = 1; i <= 20; i++) {
        struct request create = {.kind = REQ_CREATE, .id = {{i}}, .game = "toy"};
        bench_request(&bench, &create);
        const struct effect *made = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
        assert_non_null(made);
        assert_string_not_equal(made->url, "ipc://c3");
    }
}

int main(void)
{
#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    return RUN_TESTS(ON_BENCH(a_room_goes_to_a_worker_that_plays_by_its_rules),
                     ON_BENCH(a_room_whose_version_nobody_told_goes_to_any),
                     ON_BENCH(a_room_that_no_worker_can_play_waits_with_a_clear_word),
                     ON_BENCH(it_is_adopted_as_soon_as_one_registers),
                     ON_BENCH(the_rooms_of_a_dead_worker_are_sorted_by_their_rules),
                     ON_BENCH(a_room_is_made_where_its_game_is_known));
}
