/* SPDX-License-Identifier: Apache-2.0
 *
 * The store on Redis passes the stores' suite, against a server of its own.
 */
#include "unit/store/client.h"
#include "unit/store/conformance.h"
#include "unit/store/ops.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

struct served {
    struct redis_fixture server;
    struct client client;
};

static struct store_reply run(void *self, const struct store_op *op)
{
    struct served *served = self;
    return client_run(&served->client, op);
}

static void pass(void *self, instant_ms ms)
{
    struct served *served = self;
    client_turn_for(&served->client, ms + 1);
}

static long long keys(void *self)
{
    struct served *served = self;
    long long all = redis_fixture_command(&served->server, "KEYS *");
    all -= redis_fixture_command(&served->server, "KEYS lease:*");
    all -= redis_fixture_command(&served->server, "KEYS taken:*");
    all -= redis_fixture_command(&served->server, "KEYS ticket:*");
    all -= redis_fixture_command(&served->server, "KEYS gone:*");
    all -= redis_fixture_command(&served->server, "KEYS aside:*");
    return all - redis_fixture_command(&served->server, "KEYS game:*");
}

static long long game(void *self, room_id room, uint32_t number)
{
    struct served *served = self;
    long long len = redis_fixture_command(&served->server, "LLEN game:{%016llx}:%u",
                                          (unsigned long long)room, number);
    return len > 0 ? len : -1;
}

static long long aside(void *self, room_id room, uint64_t position)
{
    struct served *served = self;
    long long len = redis_fixture_command(&served->server, "LLEN aside:{%016llx}:%llu",
                                          (unsigned long long)room, (unsigned long long)position);
    return len > 0 ? len : -1;
}

static void in_dir(const struct served *served, const char *format)
{
    char command[256];
    snprintf(command, sizeof command, format, served->server.dir, served->server.dir);
    if (system(command) != 0) fail_msg("%s", command);
}

static void remember(void *self)
{
    struct served *served = self;
    redis_fixture_command(&served->server, "SAVE");
    in_dir(served, "cp %s/dump.rdb %s/remembered");
}

static void restore(void *self)
{
    struct served *served = self;
    int downs = served->client.downs;
    redis_fixture_kill(&served->server);
    in_dir(served, "cp %s/remembered %s/dump.rdb");
    client_wait_down(&served->client, downs + 1);
    redis_fixture_restart(&served->server, NULL);
    client_wait_up(&served->client);
}

static void clear(void *self)
{
    struct served *served = self;
    redis_fixture_command(&served->server, "FLUSHALL");
    client_clear(&served->client);
}

static struct served served;

/* Where the clock was set back a renewal may be ahead of it, for hours. */
static void a_renewal_from_before_the_clock_was_set_back_counts_as_one_of_now(void **unused)
{
    (void)unused;
    struct store_op create = create_op(test_room(0, 1), test_id(1));
    struct store_op ask = {.kind = STORE_SILENT, .silent_ms = 300, .limit = 5};
    clear(&served);
    assert_int_equal(run(&served, &create).status, ST_OK);
    assert_int_equal(redis_fixture_command(&served.server, "ZINCRBY owners 3600000 %s",
                                           "01010101010101010101010101010101"),
                     13 /* digits */);
    assert_int_equal(run(&served, &ask).owner_count, 0);
    pass(&served, 301);
    assert_int_equal(run(&served, &ask).owner_count, 1);
}

static void a_room_that_was_removed_by_hand_is_not_looked_for_again(void **unused)
{
    (void)unused;
    struct store_op create = create_op(test_room(0, 1), test_id(1));
    struct store_op owned = {.kind = STORE_OWNED, .instance = test_id(1), .limit = 5};
    struct store_op ask = {.kind = STORE_SILENT, .limit = 5};
    clear(&served);
    assert_int_equal(run(&served, &create).status, ST_OK);
    assert_int_equal(run(&served, &ask).owner_count, 1);
    redis_fixture_command(&served.server, "DEL room:{%016llx}", (unsigned long long)create.room);
    assert_int_equal(run(&served, &owned).room_count, 0);
    assert_int_equal(run(&served, &ask).owner_count, 0);
}

int main(void)
{
    test_begin();
    redis_fixture_start(&served.server, NULL);
    client_open(&served.client, &served.server);
    const struct store_under_test store = {&served, run,      pass,    keys, game,
                                           aside,   remember, restore, clear};
    int failed = store_conformance(&store);
    failed += RUN_TESTS(cmocka_unit_test(
                            a_renewal_from_before_the_clock_was_set_back_counts_as_one_of_now),
                        cmocka_unit_test(a_room_that_was_removed_by_hand_is_not_looked_for_again));
    client_close(&served.client);
    redis_fixture_stop(&served.server);
    return failed;
}
