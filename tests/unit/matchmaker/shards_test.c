/* SPDX-License-Identifier: Apache-2.0
 *
 * A shard that is there and on which no rooms are made: one that others are still being told of, or
 * one that is to go.
 */
#include "unit/matchmaker/bench.h"
#include "wire/code.h"
#include "wire/reason.h"

enum { DRAWS = 64, SHARDS = 3 };

static void told(int shards, int open)
{
    struct matchmaker_config config = {.instance = SELF,
                                       .control_url = "ipc://m",
                                       .build = "test",
                                       .shard_count = shards,
                                       .shards_open = open};
    matchmaker_core_close(bench.core);
    bench.core = matchmaker_core_open(&config, bench.now);
    bench_heartbeat(&bench, W1);
    bench_heartbeat(&bench, W2);
}

/* A bit for each shard on which one of many rooms was made. */
static uint32_t where_rooms_are_made(void)
{
    uint32_t on = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct request create = {.kind = REQ_CREATE, .id = {{5, (uint8_t)i}}, .game = "toy"};
        bench_request(&bench, &create);
        const struct effect *made = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
        assert_non_null(made);
        on |= 1u << room_shard(made->request.room);
    }
    return on;
}

static void rooms_are_made_on_all_shards_when_nothing_else_is_said(void **state)
{
    (void)state;
    told(SHARDS, 0);
    assert_int_equal(where_rooms_are_made(), 7);
    told(SHARDS, SHARDS);
    assert_int_equal(where_rooms_are_made(), 7);
}

static void rooms_are_made_on_the_first_shards_alone(void **state)
{
    (void)state;
    told(SHARDS, 1);
    assert_int_equal(where_rooms_are_made(), 1);
    told(SHARDS, 2);
    assert_int_equal(where_rooms_are_made(), 3);
}

/* Somebody else makes them there already, or did. */
static void rooms_are_found_on_the_others_too(void **state)
{
    (void)state;
    char code[WIRE_CODE_LEN + 1] = "";
    for (uint32_t bits = 0; room_shard(room_id_make(bits, 0)) != SHARDS - 1; bits++)
        code_write(bits + 1, code);
    struct request look = {.kind = REQ_LOOK_UP, .code = code};
    told(SHARDS - 1, 1);
    uint64_t token = bench_request(&bench, &look);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_NO_SUCH_ROOM);
    told(SHARDS, 1);
    bench_request(&bench, &look);
    assert_string_equal(bench_question(&bench)->op.code, code);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(rooms_are_made_on_all_shards_when_nothing_else_is_said),
                     BENCH_TEST(rooms_are_made_on_the_first_shards_alone),
                     BENCH_TEST(rooms_are_found_on_the_others_too));
}
