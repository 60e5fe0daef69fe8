/* SPDX-License-Identifier: Apache-2.0
 *
 * A Redis that is lost, stands still, forgets its scripts, is full, becomes a replica or wants more
 * of them than there are: what is told, and that it comes again.
 */
#include "unit/store/client.h"
#include "unit/store/ops.h"
#include "unit/test.h"

#include <stdio.h>

#define A test_id(1)

enum { SILENCE_MS = 1000 }; /* longer than a server is kept waiting for a processor */

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

/* Turns the loop until the store says that this is its trouble, and is not up. */
static void wait_trouble(const char *text)
{
    for (int i = 0; i < 4000 && !strstr(store_trouble(client.store, 0), text); i++) {
        client_turn_for(&client, 10);
    }
    assert_true(strstr(store_trouble(client.store, 0), text) != NULL);
    assert_false(store_up(client.store));
}

static void a_lost_connection_answers_everything_and_comes_again(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(create_op(room, A)).epoch;
    client_clear(&client);
    redis_fixture_freeze(&server, true);
    for (int i = 0; i < 3; i++) {
        add((struct store_op){.kind = STORE_TAIL, .room = room, .tag = (uint64_t)i});
        client_carry(&client);
        client_turn_for(&client, 1);
    }
    redis_fixture_kill(&server);
    client_wait_replies(&client, 3);
    client_wait_down(&client, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(client.replies[i].status, ST_UNAVAILABLE);
        assert_true(client.replies[i].tag == (uint64_t)i && client.replies[i].room == room);
    }
    assert_int_equal(client.count_at_down, 3); /* answers first, then the event */
    assert_int_equal(run(append_op(room, epoch, A, 0, "one")).status, ST_UNAVAILABLE);

    redis_fixture_restart(&server, NULL);
    client_wait_up(&client);
    assert_int_equal(client.ups, 2);
    assert_int_equal(run(append_op(room, epoch, A, 0, "one")).status,
                     ST_UNKNOWN); /* it has forgotten the room */
}

static void a_frozen_server_is_given_up_after_the_limit(void **unused)
{
    (void)unused;
    client_close(&client);
    client_open_with(&client, server.url, (struct store_config){.silence_ms = SILENCE_MS});
    client_wait_up(&client);
    redis_fixture_freeze(&server, true);
    uint64_t before = uv_hrtime();
    struct store_reply reply = run((struct store_op){.kind = STORE_PUBLIC, .limit = 1});
    uint64_t waited_ms = (uv_hrtime() - before) / 1000000;
    assert_int_equal(reply.status, ST_UNAVAILABLE);
    assert_in_range(waited_ms, SILENCE_MS - 50, 20 * 1000);
    client_wait_down(&client, 1);
    redis_fixture_freeze(&server, false);
    client_wait_up(&client);
    assert_int_equal(run((struct store_op){.kind = STORE_PUBLIC, .limit = 1}).status, ST_OK);
}

static void a_loop_that_stood_still_does_not_blame_the_server(void **unused)
{
    (void)unused;
    client_close(&client);
    client_open_with(&client, server.url, (struct store_config){.silence_ms = SILENCE_MS});
    client_wait_up(&client);
    add((struct store_op){.kind = STORE_PUBLIC, .limit = 1});
    client_carry(&client);
    redis_fixture_freeze(&server, true); /* else the answer may be there in the same turn */
    uv_run(&client.loop, UV_RUN_NOWAIT); /* sent */
    redis_fixture_freeze(&server, false);
    assert_int_equal(client.reply_count, 0);
    uv_sleep(2 * SILENCE_MS + 100);
    client_wait_replies(&client, 1);
    assert_int_equal(client.replies[0].status, ST_OK);
    assert_int_equal(client.downs, 0);
}

static void scripts_that_were_flushed_are_loaded_again(void **unused)
{
    (void)unused;
    redis_fixture_command(&server, "SCRIPT FLUSH");
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_UNAVAILABLE);
    client_wait_up(&client);
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_OK);
}

static void a_server_without_memory_is_unavailable_and_changes_nothing(void **unused)
{
    (void)unused;
    uint64_t epoch = run(create_op(test_room(0, 1), A)).epoch;
    uint64_t other = run(create_op(test_room(1, 1), A)).epoch;
    redis_fixture_command(&server, "CONFIG SET maxmemory 1");
    client_clear(&client);
    add(append_op(test_room(0, 1), epoch, A, 0, "one"));
    add(append_op(test_room(1, 1), other, A, 0, "one"));
    client_carry(&client);
    client_wait_replies(&client, 2);
    assert_int_equal(client.replies[0].status, ST_UNAVAILABLE);
    assert_int_equal(client.replies[1].status, ST_UNAVAILABLE);
    assert_true(strstr(store_trouble(client.store, 0), "OOM") != NULL);
    redis_fixture_command(&server, "CONFIG SET maxmemory 0");
    assert_true(store_up(client.store)); /* the connection has stayed */
    assert_true(run(append_op(test_room(0, 1), epoch, A, 0, "one")).position == 1);
    assert_int_equal(store_counters_of(client.store)->troubles, 0);
}

static void a_server_that_became_a_replica_is_not_used(void **unused)
{
    (void)unused;
    redis_fixture_command(&server, "REPLICAOF localhost 1");
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_UNAVAILABLE);
    client_wait_down(&client, 1);
    wait_trouble("primary");
    redis_fixture_command(&server, "REPLICAOF NO ONE");
    client_wait_up(&client);
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_OK);
}

static void a_promotion_changes_the_run_id(void **unused)
{
    (void)unused;
    struct store_op lease = {.kind = STORE_LEASE, .instance = A};
    struct id128 before = run(lease).run_id;
    redis_fixture_command(&server, "REPLICAOF localhost 1");
    redis_fixture_command(&server, "REPLICAOF NO ONE");
    assert_true(store_up(client.store));
    assert_false(id128_equal(run(lease).run_id, before));
}

static void a_write_without_enough_replicas_is_unknown(void **unused)
{
    (void)unused;
    client_close(&client);
    client_open_with(&client, server.url, (struct store_config){.wait_replicas = 1, .wait_ms = 20});
    client_wait_up(&client);
    room_id room = test_room(0, 1);
    add(create_op(room, A));
    add((struct store_op){.kind = STORE_TAIL, .room = room});
    client_carry(&client);
    client_wait_replies(&client, 2);
    assert_true(client.replies[0].kind == STORE_CREATE &&
                client.replies[0].status == ST_UNAVAILABLE);
    assert_true(client.replies[1].kind == STORE_TAIL && client.replies[1].status == ST_OK);
    struct store_reply fenced = run(append_op(room, 1, A, 0, "one"));
    assert_int_equal(fenced.status, ST_FENCED); /* a no needs no replica */
    assert_string_equal(fenced.owner_url, "tcp://worker:1");
}

static void a_password_is_used(void **unused)
{
    (void)unused;
    client_close(&client);
    redis_fixture_command(&server, "CONFIG SET requirepass secret");
    char url[128];
    snprintf(url, sizeof url, "unix://:wrong@%s", server.socket);
    client_open_with(&client, url, (struct store_config){0});
    wait_trouble("AUTH");
    client_close(&client);
    snprintf(url, sizeof url, "unix://:secret@%s?db=3", server.socket);
    client_open_with(&client, url, (struct store_config){0});
    client_wait_up(&client);
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_OK);
}

/* With no more rights than the docs say it needs. */
static void a_user_with_few_rights_is_enough(void **unused)
{
    (void)unused;
    client_close(&client);
    redis_fixture_command(&server,
                          "ACL SETUSER yard on >secret ~* resetchannels -@all +@read +@write "
                          "+@scripting +@connection +info +wait +time");
    char url[128];
    snprintf(url, sizeof url, "unix://yard:secret@%s", server.socket);
    client_open_with(&client, url, (struct store_config){0});
    client_wait_up(&client);
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_OK);
}

static void a_refused_port_is_tried_again_with_pauses(void **unused)
{
    (void)unused;
    client_close(&client);
    client_open_with(&client, "tcp://localhost:1", (struct store_config){0});
    wait_trouble("refused");
    assert_int_equal(client.downs, 0); /* it was never up */
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_UNAVAILABLE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    redis_fixture_start(&server, NULL);
    int failed = RUN_TESTS(TEST(a_lost_connection_answers_everything_and_comes_again),
                           TEST(a_frozen_server_is_given_up_after_the_limit),
                           TEST(a_loop_that_stood_still_does_not_blame_the_server),
                           TEST(scripts_that_were_flushed_are_loaded_again),
                           TEST(a_server_without_memory_is_unavailable_and_changes_nothing),
                           TEST(a_server_that_became_a_replica_is_not_used),
                           TEST(a_promotion_changes_the_run_id),
                           TEST(a_write_without_enough_replicas_is_unknown),
                           TEST(a_refused_port_is_tried_again_with_pauses),
                           TEST(a_user_with_few_rights_is_enough), TEST(a_password_is_used));
    redis_fixture_stop(&server);
    return failed;
}
