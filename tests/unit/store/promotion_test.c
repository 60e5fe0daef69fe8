/* SPDX-License-Identifier: Apache-2.0
 *
 * The store on a real primary with replicas under real Sentinels: a primary that is killed, one
 * that stands still and wakes as a stranger, an orderly promotion, and writes that wait for
 * replicas.
 */
#include "store/state.h"
#include "unit/store/client.h"
#include "unit/store/ops.h"
#include "unit/store/redis_group.h"
#include "unit/test.h"

#define A test_id(1)

/* What the Sentinels take on top of GROUP_DOWN_AFTER_MS to agree and promote (they look every 100
 * ms and wait up to a second for each other's votes), and this machine. */
enum { ELECTION_MS = 60 * 1000 };

/* A replica that is there has said so by then, on a busy machine too. */
enum { WAIT_MS = 1000 };

static struct redis_group group;
static struct client client;
static struct id128 server_before;

static struct store_reply run(struct store_op op)
{
    return client_run(&client, &op);
}

static struct id128 server_now(void)
{
    return run((struct store_op){.kind = STORE_LEASE, .instance = A}).run_id;
}

static int start(void **unused)
{
    (void)unused;
    redis_group_start(&group, 3, NULL);
    client_open_with(&client, group.url,
                     (struct store_config){.wait_replicas = 1, .wait_ms = WAIT_MS});
    client_wait_up(&client);
    server_before = server_now();
    client_clear(&client);
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    client_close(&client);
    redis_group_stop(&group);
    return 0;
}

static int server_in_use(void)
{
    int port = client.store->shards[0].connection.at.port, i = 0;
    while (i < group.count && group.ports[i] != port) i++;
    assert_in_range(i, 0, group.count - 1);
    return i;
}

/* Repeats an op until the store carries it out, as cores do. */
static struct store_reply insist(struct store_op op)
{
    uint64_t from = uv_hrtime();
    for (;;) {
        struct store_reply reply = run(op);
        if (reply.status != ST_UNAVAILABLE) return reply;
        if ((uv_hrtime() - from) / 1000000 > ELECTION_MS) fail_msg("no primary was promoted");
        client_turn_for(&client, 50);
    }
}

static uint64_t create(room_id room)
{
    struct store_reply made = insist(create_op(room, A));
    assert_int_equal(made.status, ST_OK);
    return made.epoch;
}

static void assert_another_server_has(room_id room, uint64_t epoch)
{
    struct store_reply reply = insist(append_op(room, epoch, A, 1, "two"));
    assert_int_equal(reply.status, ST_OK);
    assert_int_equal(reply.position, 2);
    assert_false(id128_equal(server_now(), server_before)); /* owners compare their tails */
    assert_true(client.downs >= 1);
}

static void after_a_kill_the_promoted_replica_has_what_it_confirmed(void **unused)
{
    (void)unused;
    room_id room = test_room(1, 1);
    uint64_t epoch = create(room);
    assert_int_equal(insist(append_op(room, epoch, A, 0, "one")).status, ST_OK);
    redis_group_kill(&group, server_in_use());
    assert_another_server_has(room, epoch);
}

static void an_orderly_promotion_is_followed(void **unused)
{
    (void)unused;
    room_id room = test_room(2, 1);
    uint64_t epoch = create(room);
    assert_int_equal(insist(append_op(room, epoch, A, 0, "one")).status, ST_OK);
    /* Asked anew: an election is given up when a server answers late. */
    for (int old = server_in_use(), i = 0; i < 30; i++) {
        if (redis_group_other_primary(&group, old) >= 0) break;
        redis_group_failover(&group);
        client_turn_for(&client, 1000);
    }
    client_wait_down(&client, 1);
    assert_another_server_has(room, epoch);
}

static long long log_len(int server, room_id room)
{
    return redis_fixture_command(&group.servers[server], "LLEN log:{%016llx}",
                                 (unsigned long long)room);
}

/* It wakes believing that it is the primary still, and is written to by nobody. */
static void a_primary_that_slept_through_a_promotion_gets_nothing(void **unused)
{
    (void)unused;
    room_id room = test_room(3, 1);
    uint64_t epoch = create(room);
    assert_int_equal(insist(append_op(room, epoch, A, 0, "one")).status, ST_OK);
    int old = server_in_use();
    redis_fixture_freeze(&group.servers[old], true);
    assert_int_equal(run((struct store_op){.kind = STORE_TAIL, .room = room}).status,
                     ST_UNAVAILABLE);
    assert_another_server_has(room, epoch);
    redis_fixture_freeze(&group.servers[old], false);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run((struct store_op){.kind = STORE_LEASE, .instance = A}).status, ST_OK);
        client_turn_for(&client, 50);
    }
    assert_int_not_equal(server_in_use(), old);
    assert_int_equal(client.downs, 1);
    assert_int_equal(log_len(old, room), 1);
    assert_int_equal(log_len(server_in_use(), room), 2);
}

static void a_write_that_no_replica_has_is_unknown_until_one_is_back(void **unused)
{
    (void)unused;
    room_id room = test_room(4, 1);
    uint64_t epoch = create(room);
    int primary = server_in_use();
    for (int i = 0; i < group.count; i++)
        if (i != primary) redis_fixture_freeze(&group.servers[i], true);
    assert_int_equal(run(append_op(room, epoch, A, 0, "one")).status, ST_UNAVAILABLE);
    for (int i = 0; i < group.count; i++)
        if (i != primary) redis_fixture_freeze(&group.servers[i], false);
    struct store_reply again = insist(append_op(room, epoch, A, 0, "one"));
    assert_int_equal(again.status, ST_OK);
    assert_int_equal(again.position, 1); /* it had been carried out: once */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    return RUN_TESTS(TEST(after_a_kill_the_promoted_replica_has_what_it_confirmed),
                     TEST(an_orderly_promotion_is_followed),
                     TEST(a_primary_that_slept_through_a_promotion_gets_nothing),
                     TEST(a_write_that_no_replica_has_is_unknown_until_one_is_back));
}
