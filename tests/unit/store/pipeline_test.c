/* SPDX-License-Identifier: Apache-2.0
 *
 * What one turn of the loop asks goes to Redis in few calls, in order, within bounds.
 */
#include "unit/store/client.h"
#include "unit/store/ops.h"
#include "unit/test.h"

#include <stdio.h>

#define A test_id(1)

static struct redis_fixture server;

static struct client client;

static int start(void **unused)
{
    (void)unused;
    redis_fixture_command(&server, "FLUSHALL");
    client_open(&client, &server);
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    client_close(&client);
    return 0;
}

static void add(struct store_op op)
{
    client_add(&client, &op);
}

static struct store_reply run(struct store_op op)
{
    return client_run(&client, &op);
}

static uint64_t calls(void)
{
    return store_counters_of(client.store)->calls;
}

static void the_appends_of_a_turn_are_one_call(void **unused)
{
    (void)unused;
    uint64_t epochs[50];
    for (uint32_t i = 0; i < 50; i++) epochs[i] = run(create_op(test_room(i, 1), A)).epoch;
    client_clear(&client);
    uint64_t before = calls();
    for (uint32_t i = 0; i < 50; i++) {
        add(append_op(test_room(i, 1), epochs[i], A, 0, "one two"));
        client_carry(&client); /* one step each, one turn for all */
    }
    client_wait_replies(&client, 50);
    assert_int_equal(calls() - before, 1);
    for (uint32_t i = 0; i < 50; i++) {
        assert_int_equal(client.replies[i].status, ST_OK);
        assert_true(client.replies[i].room == test_room(i, 1) && client.replies[i].position == 2);
    }
}

static void rooms_of_one_call_do_not_depend_on_each_other(void **unused)
{
    (void)unused;
    uint64_t epoch = run(create_op(test_room(0, 1), A)).epoch;
    uint64_t other = run(create_op(test_room(1, 1), A)).epoch;
    client_clear(&client);
    add(append_op(test_room(0, 1), epoch, A, 0, "one"));
    add(append_op(test_room(1, 1), other - 1, A, 0, "fenced"));
    add(append_op(test_room(2, 1), 5, A, 0, "unknown"));
    add(append_op(test_room(0, 1), epoch, A, 5, "gap"));
    add(append_op(test_room(0, 1), epoch, A, 1, "two"));
    uint64_t before = calls();
    client_carry(&client);
    client_wait_replies(&client, 5);
    assert_int_equal(calls() - before, 1);
    assert_int_equal(client.replies[0].status, ST_OK);
    assert_int_equal(client.replies[1].status, ST_FENCED);
    assert_true(client.replies[1].epoch == other && id128_equal(client.replies[1].owner, A));
    assert_int_equal(client.replies[2].status, ST_UNKNOWN);
    assert_int_equal(client.replies[3].status, ST_MISMATCH);
    assert_true(client.replies[3].position == 1);
    assert_true(client.replies[4].status == ST_OK && client.replies[4].position == 2);
}

static void a_batch_is_split_at_its_bound(void **unused)
{
    (void)unused;
    uint64_t epoch = run(create_op(test_room(0, 1), A)).epoch;
    client_clear(&client);
    uint64_t before = calls();
    char word[16];
    for (int i = 0; i < STORE_BATCH_OPS_MAX + 1; i++) {
        snprintf(word, sizeof word, "entry%d", i);
        add(append_op(test_room(0, 1), epoch, A, (uint64_t)i, word));
        client_carry(&client);
    }
    client_wait_replies(&client, STORE_BATCH_OPS_MAX + 1);
    assert_int_equal(calls() - before, 2);
    assert_true(client.replies[STORE_BATCH_OPS_MAX].position == STORE_BATCH_OPS_MAX + 1);
}

static void ops_of_a_room_keep_their_order(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(create_op(room, A)).epoch;
    client_clear(&client);
    add(append_op(room, epoch, A, 0, "one two"));
    struct store_op snapshot = owner_op(STORE_SNAPSHOT, room, epoch, A);
    snapshot.position = 2;
    snapshot.snapshot = slice_text("state");
    add(snapshot);
    add(append_op(room, epoch, A, 2, "three"));
    add(owner_op(STORE_RELEASE, room, epoch, A));
    client_carry(&client);
    client_wait_replies(&client, 4);
    static const enum store_op_kind kinds[] = {STORE_APPEND, STORE_SNAPSHOT, STORE_APPEND,
                                               STORE_RELEASE};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(client.replies[i].kind, kinds[i]);
        assert_int_equal(client.replies[i].status, ST_OK);
    }
}

static void a_large_append_goes_through_whole(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(create_op(room, A)).epoch;
    static uint8_t bytes[STORE_ENTRY_BYTES_MAX];
    static struct store_entry entries[STORE_ENTRIES_MAX];
    for (int i = 0; i < STORE_ENTRIES_MAX; i++)
        entries[i] = (struct store_entry){slice_of(bytes, sizeof bytes), test_id(9)};
    struct store_op op = owner_op(STORE_APPEND, room, epoch, A);
    op.entries = entries;
    op.entry_count = STORE_ENTRIES_MAX;
    assert_true(run(op).position == STORE_ENTRIES_MAX);
    struct store_reply taken = run(take_op(room, epoch, A));
    assert_int_equal(taken.entry_count, STORE_ENTRIES_MAX);
    assert_int_equal(taken.entries[STORE_ENTRIES_MAX - 1].len, STORE_ENTRY_BYTES_MAX);
}

static void a_room_of_no_shard_is_unknown(void **unused)
{
    (void)unused;
    room_id elsewhere = room_id_make(1, 1);
    assert_int_not_equal(room_shard(elsewhere), 0);
    assert_int_equal(run(take_op(elsewhere, 0, A)).status, ST_UNKNOWN);
    assert_int_equal(run((struct store_op){.kind = STORE_PUBLIC, .shard = 1, .limit = 5}).status,
                     ST_UNKNOWN);
}

static void a_room_lives_on_the_shard_that_its_code_names(void **unused)
{
    (void)unused;
    client_close(&client);
    struct store_config config = {0};
    char urls[256];
    const char *why;
    snprintf(urls, sizeof urls, "%s,%s?db=1", server.url, server.url);
    assert_int_equal(store_config_parse(urls, NULL, &config, &why), ST_OK);
    client_open_with(&client, NULL, config);
    client_wait_up(&client);
    assert_int_equal(client.ups, 2);

    uint32_t bits = 0;
    while (room_shard(room_id_make(bits, 1)) != 1) bits++;
    room_id first = test_room(0, 1), second = room_id_make(bits, 1);
    uint64_t first_epoch = run(create_op(first, A)).epoch;
    struct store_reply created = run(create_op(second, A));
    assert_true(created.status == ST_OK && created.shard == 1);
    assert_int_equal(redis_fixture_command(&server, "KEYS room:*"), 1); /* database 0 */

    client_clear(&client);
    uint64_t before = calls();
    add(append_op(first, first_epoch, A, 0, "one"));
    add(append_op(second, created.epoch, A, 0, "one two"));
    client_carry(&client);
    client_wait_replies(&client, 2);
    assert_int_equal(calls() - before, 2); /* one for each shard */
    assert_int_equal(client.replies[0].position + client.replies[1].position, 3);

    char code[WIRE_CODE_LEN + 1];
    code_write(bits, code);
    struct store_reply found = run((struct store_op){.kind = STORE_FIND, .code = code});
    assert_true(found.status == ST_OK && found.room == second && found.shard == 1);
}

static void beyond_the_bound_ops_are_refused_at_once(void **unused)
{
    (void)unused;
    redis_fixture_freeze(&server, true);
    struct store_op op = {.kind = STORE_PUBLIC, .limit = 1};
    for (int i = 0; i < STORE_OUTSTANDING_OPS_MAX + 10; i++) {
        op.tag = (uint64_t)i;
        client_add(&client, &op);
    }
    client_carry(&client);
    assert_int_equal(client.reply_count, 0); /* never from inside store_carry */
    struct fullness ops, bytes;
    store_fullness(client.store, &ops, &bytes);
    assert_int_equal(ops.depth, STORE_OUTSTANDING_OPS_MAX);
    assert_int_equal(ops.refused, 10);
    assert_in_range(bytes.depth, 1, STORE_OUTSTANDING_BYTES_MAX);
    client_wait_replies(&client, 10);
    assert_int_equal(client.reply_count, 10);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(client.replies[i].status, ST_UNAVAILABLE);
        assert_true(client.replies[i].tag == (uint64_t)(STORE_OUTSTANDING_OPS_MAX + i));
    }
    redis_fixture_freeze(&server, false);
    client_wait_replies(&client, STORE_OUTSTANDING_OPS_MAX + 10);
    assert_int_equal(client.replies[10].status, ST_OK);
    store_fullness(client.store, &ops, &bytes);
    assert_int_equal(ops.depth, 0);
    assert_int_equal(bytes.depth, 0);
    assert_int_equal(run(op).status, ST_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    redis_fixture_start(&server, NULL);
    int failed =
        RUN_TESTS(TEST(the_appends_of_a_turn_are_one_call),
                  TEST(rooms_of_one_call_do_not_depend_on_each_other),
                  TEST(a_batch_is_split_at_its_bound), TEST(ops_of_a_room_keep_their_order),
                  TEST(a_large_append_goes_through_whole), TEST(a_room_of_no_shard_is_unknown),
                  TEST(a_room_lives_on_the_shard_that_its_code_names),
                  TEST(beyond_the_bound_ops_are_refused_at_once));
    redis_fixture_stop(&server);
    return failed;
}
