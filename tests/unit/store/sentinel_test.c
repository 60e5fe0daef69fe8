/* SPDX-License-Identifier: Apache-2.0
 *
 * A shard behind three Sentinels of the test's own, which lie, are silent, talk nonsense or change
 * their minds, and two real servers: `yard`, the primary, and `twin`, its replica unless a test
 * promotes it.
 */
#include "store/state.h"
#include "unit/free_port.h"
#include "unit/store/client.h"
#include "unit/store/fake_sentinel.h"
#include "unit/store/ops.h"
#include "unit/test.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <unistd.h>

#define A test_id(1)

/* Long enough for a frozen moment of this machine, short of what it is told from. */
enum { SLACK_MS = 600, TRIES = 3 };

static struct redis_fixture yard, twin;
static int yard_port, twin_port;
static struct fake_sentinel fakes[3];
static struct client client;

static void start_server(struct redis_fixture *fixture, int *port)
{
    char text[8];
    *port = free_port();
    snprintf(text, sizeof text, "%d", *port);
    redis_fixture_start(fixture, (const char *[]){"--port", text, "--bind", "127.0.0.1",
                                                  "--repl-diskless-sync-delay", "0", NULL});
}

static void follow(struct redis_fixture *replica, int port)
{
    redis_fixture_command(replica, "REPLICAOF 127.0.0.1 %d", port);
}

static void promote(struct redis_fixture *replica)
{
    redis_fixture_command(replica, "REPLICAOF NO ONE");
}

static int start(void **unused)
{
    (void)unused;
    redis_fixture_freeze(&yard, false); /* whatever failed before */
    promote(&yard);
    redis_fixture_command(&yard, "FLUSHALL");
    follow(&twin, yard_port);
    assert_int_equal(redis_fixture_command(&yard, "WAIT 1 10000"), 1);
    for (int i = 0; i < 3; i++) {
        fake_sentinel_init(&fakes[i]);
        fakes[i].names_port = yard_port;
        fakes[i].epoch = 5;
    }
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) fake_sentinel_stop(&fakes[i]);
    client_close(&client);
    return 0;
}

static void open_with(const char *more)
{
    char url[200];
    snprintf(url, sizeof url, "sentinel://127.0.0.1:%d,localhost:%d,127.0.0.1:%d/yard%s",
             fakes[0].port, fakes[1].port, fakes[2].port, more);
    client_open_with(&client, url, (struct store_config){0});
    for (int i = 0; i < 3; i++) fake_sentinel_serve(&fakes[i], &client.loop);
}

static void open_up(void)
{
    open_with("");
    client_wait_up(&client);
}

static void all_name(int port, int epoch)
{
    for (int i = 0; i < 3; i++) {
        fakes[i].names_port = port;
        fakes[i].epoch = epoch;
    }
}

static int port_in_use(void)
{
    return store_up(client.store) ? client.store->shards[0].connection.at.port : 0;
}

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

/* Turns the loop until that server is in use; how long it took. */
static uint64_t wait_for_use(int port)
{
    uint64_t from = now_ms();
    while (port_in_use() != port && now_ms() < from + 45000) client_turn_for(&client, 5);
    assert_int_equal(port_in_use(), port);
    return now_ms() - from;
}

static void wait_trouble(const char *text)
{
    for (int i = 0; i < 4000 && !strstr(store_trouble(client.store, 0), text); i++)
        client_turn_for(&client, 10);
    if (!strstr(store_trouble(client.store, 0), text))
        fail_msg("'%s' instead of '%s'", store_trouble(client.store, 0), text);
    assert_false(store_up(client.store));
}

/* Until everybody has just been asked, so that nobody is asked for almost a second. */
static void wait_asked(void)
{
    int before = fakes[0].asked;
    for (int i = 0; i < 1000 && fakes[0].asked == before; i++) client_turn_for(&client, 5);
    assert_true(fakes[0].asked > before);
}

static struct store_reply run(struct store_op op)
{
    return client_run(&client, &op);
}

/* What else runs on this machine may take it away for a moment, but not again and again. */
static void assert_takes(uint64_t (*it)(void), uint64_t most_ms)
{
    uint64_t took = it();
    for (int i = 1; took > most_ms && i < TRIES; i++) {
        stop(NULL);
        start(NULL);
        took = it();
    }
    assert_in_range(took, 0, most_ms);
}

/* ---- finding it ------------------------------------------------------------------------------ */

static void the_primary_that_they_name_is_used(void **unused)
{
    (void)unused;
    open_up();
    assert_int_equal(port_in_use(), yard_port);
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_OK);
    uint64_t from = now_ms();
    client_turn_for(&client, 1500);
    assert_int_equal(client.downs, 0);
    /* At first, then once a second. */
    assert_in_range(fakes[0].asked, 2, 3 + (now_ms() - from) / STORE_SENTINEL_ASK_MS);
}

static uint64_t past_silent_ones(void)
{
    fakes[0].manner = fakes[1].manner = FAKE_SILENT;
    open_with("");
    return wait_for_use(yard_port);
}

static void silent_ones_cost_no_more_than_the_patience(void **unused)
{
    (void)unused;
    assert_takes(past_silent_ones, STORE_SENTINEL_PATIENCE_MS + SLACK_MS);
}

static void nonsense_is_not_listened_to(void **unused)
{
    (void)unused;
    fakes[0].manner = FAKE_BABBLING;
    fakes[1].manner = FAKE_ENDLESS;
    open_with("");
    wait_for_use(yard_port);
    client_turn_for(&client, 1500);
    assert_int_equal(client.downs, 0);
}

static uint64_t past_one_that_names_a_replica(void)
{
    fakes[0].names_port = twin_port;
    fakes[0].epoch = 9;
    open_with("");
    return wait_for_use(yard_port);
}

static void one_that_names_a_replica_is_passed_over(void **unused)
{
    (void)unused;
    assert_takes(past_one_that_names_a_replica, 2 * STORE_RETRY_MS + SLACK_MS);
    client_turn_for(&client, 2500);
    assert_int_equal(client.downs, 0); /* nor does it lead us away later */
}

static void one_that_names_nobody_is_passed_over(void **unused)
{
    (void)unused;
    fakes[0].names_port = 1;
    fakes[0].epoch = 9;
    open_with("");
    wait_for_use(yard_port);
}

static void a_group_that_knows_no_primary_says_so_until_it_does(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) fakes[i].manner = FAKE_IGNORANT;
    open_with("");
    wait_trouble("no Sentinel names a primary (127.0.0.1:");
    assert_non_null(strstr(store_trouble(client.store, 0), "knows no such name"));
    assert_int_equal(run(create_op(test_room(0, 1), A)).status, ST_UNAVAILABLE);
    fakes[2].manner = FAKE_HONEST;
    client_wait_up(&client);
}

static void sentinels_have_a_password_of_their_own(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) fakes[i].password = "watch";
    open_with("");
    wait_trouble("NOAUTH");
    for (int i = 0; i < 3; i++) fake_sentinel_stop(&fakes[i]);
    client_close(&client);
    for (int i = 0; i < 3; i++) {
        fake_sentinel_init(&fakes[i]);
        fakes[i].names_port = yard_port;
        fakes[i].password = "watch";
    }
    open_with("?sentinel=:wrong");
    wait_trouble("WRONGPASS");
    for (int i = 0; i < 3; i++) fakes[i].password = "wrong";
    client_wait_up(&client);
}

/* ---- losing it ------------------------------------------------------------------------------- */

static uint64_t to_the_one_that_was_told_of(void)
{
    open_up();
    wait_asked();
    promote(&twin);
    all_name(twin_port, 6);
    fake_sentinel_publish(&fakes[1], "other 127.0.0.1 1 127.0.0.1 2");
    client_turn_for(&client, 100);
    assert_int_equal(client.downs, 0); /* that was not about us */
    fake_sentinel_publish(&fakes[1], "yard 127.0.0.1 1 127.0.0.1 2");
    return wait_for_use(twin_port);
}

static void a_promotion_is_followed_when_it_is_told(void **unused)
{
    (void)unused;
    assert_takes(to_the_one_that_was_told_of, STORE_SENTINEL_ASK_MS - 300);
    assert_int_equal(client.downs, 1);
}

static uint64_t to_the_one_that_nobody_told_of(void)
{
    open_up();
    promote(&twin);
    fakes[2].names_port = twin_port; /* it alone knows yet */
    fakes[2].epoch = 6;
    return wait_for_use(twin_port);
}

static void a_promotion_is_followed_although_nobody_tells(void **unused)
{
    (void)unused;
    assert_takes(to_the_one_that_nobody_told_of, STORE_SENTINEL_ASK_MS + SLACK_MS);
    client_turn_for(&client, 1500);
    assert_int_equal(port_in_use(), twin_port); /* whatever the others still think */
    assert_int_equal(client.downs, 1);
}

static void what_was_outstanding_at_a_promotion_is_unknown(void **unused)
{
    (void)unused;
    open_up();
    run(create_op(test_room(0, 1), A));
    client_clear(&client);
    for (int i = 0; i < 4000 && !redis_fixture_command(&twin, "KEYS room:*"); i++)
        client_turn_for(&client, 10);
    redis_fixture_freeze(&yard, true);
    struct store_op op = {.kind = STORE_TAIL, .room = test_room(0, 1)};
    client_add(&client, &op);
    client_carry(&client);
    promote(&twin);
    all_name(twin_port, 6);
    fake_sentinel_publish(&fakes[0], "yard 127.0.0.1 1 127.0.0.1 2");
    client_wait_replies(&client, 1);
    assert_int_equal(client.replies[0].status, ST_UNAVAILABLE);
    wait_for_use(twin_port);
    assert_int_equal(run(op).status, ST_OK); /* it had come over */
    redis_fixture_freeze(&yard, false);
}

static void a_demoted_primary_is_not_written_to(void **unused)
{
    (void)unused;
    open_up();
    struct id128 before = run((struct store_op){.kind = STORE_LEASE, .instance = A}).run_id;
    promote(&twin);
    follow(&yard, twin_port);
    assert_int_equal(run(create_op(test_room(7, 1), A)).status, ST_UNAVAILABLE);
    client_wait_down(&client, 1);
    wait_trouble("not a primary"); /* they still name it */
    all_name(twin_port, 6);
    wait_for_use(twin_port);
    assert_int_equal(redis_fixture_command(&twin, "KEYS code:*"), 0);
    struct id128 after = run((struct store_op){.kind = STORE_LEASE, .instance = A}).run_id;
    assert_false(id128_equal(before, after)); /* owners compare their tails */
}

static void one_that_changes_its_mind_costs_one_look(void **unused)
{
    (void)unused;
    open_up();
    fakes[0].names_port = twin_port; /* a replica */
    fakes[0].epoch = 7;
    client_wait_down(&client, 1);
    wait_for_use(yard_port);
    client_turn_for(&client, 2500);
    assert_int_equal(client.downs, 1);
    all_name(yard_port, 5);
    client_turn_for(&client, 1500);
    assert_int_equal(client.downs, 1);
}

static void a_cut_off_one_leads_nobody_back(void **unused)
{
    (void)unused;
    all_name(yard_port, 6);
    open_up();
    promote(&twin); /* the old primary, which fakes[0] still believes in */
    fakes[0].names_port = twin_port;
    fakes[0].epoch = 5;
    fakes[1].manner = fakes[2].manner = FAKE_IGNORANT;
    client_turn_for(&client, 1500);
    assert_int_equal(client.downs, 0);
    redis_fixture_command(&yard, "CLIENT KILL TYPE normal");
    wait_trouble("older configuration");
    fakes[1].manner = FAKE_HONEST;
    wait_for_use(yard_port);
    /* A group that was set up anew counts from 0, and more than half of it is believed. */
    all_name(twin_port, 0);
    fakes[2].manner = FAKE_HONEST;
    wait_for_use(twin_port);
}

static void it_can_be_closed_at_any_moment(void **unused)
{
    (void)unused;
    open_with("");
    for (int turns = 0; turns < 12; turns++) {
        for (int i = 0; i < turns; i++) uv_run(&client.loop, UV_RUN_NOWAIT);
        for (int i = 0; i < 3; i++) fake_sentinel_stop(&fakes[i]);
        client_close(&client);
        start(NULL);
        open_with("");
    }
    client_wait_up(&client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    start_server(&yard, &yard_port);
    start_server(&twin, &twin_port);
    int failed = RUN_TESTS(
        TEST(the_primary_that_they_name_is_used), TEST(silent_ones_cost_no_more_than_the_patience),
        TEST(nonsense_is_not_listened_to), TEST(one_that_names_a_replica_is_passed_over),
        TEST(one_that_names_nobody_is_passed_over),
        TEST(a_group_that_knows_no_primary_says_so_until_it_does),
        TEST(sentinels_have_a_password_of_their_own), TEST(a_promotion_is_followed_when_it_is_told),
        TEST(a_promotion_is_followed_although_nobody_tells),
        TEST(what_was_outstanding_at_a_promotion_is_unknown),
        TEST(a_demoted_primary_is_not_written_to), TEST(one_that_changes_its_mind_costs_one_look),
        TEST(a_cut_off_one_leads_nobody_back), TEST(it_can_be_closed_at_any_moment));
    redis_fixture_stop(&yard);
    redis_fixture_stop(&twin);
    return failed;
}
