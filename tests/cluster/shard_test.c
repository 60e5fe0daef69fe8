/* SPDX-License-Identifier: Apache-2.0
 *
 * A shard of Redis is added while people play, in the order that k8s/README.md says: workers and
 * timers hear of it first, then the matchmaker, who makes rooms there from then on. Whoever plays
 * meanwhile plays on.
 */
#include "cluster/rack.h"
#include "cluster/table.h"
#include "cluster/whole_game.h"

#include <stdio.h>

enum { GAME_MS = 40 * 1000, GAMES_MAX = 20 };

static struct redis_fixture second;
static char one[128], both[256];

static int open_all(void **state)
{
    (void)state;
    rack_open(NULL);
    redis_fixture_start(&second, NULL);
    snprintf(one, sizeof one, "--redis=%s", rack_redis.url);
    snprintf(both, sizeof both, "--redis=%s,%s", rack_redis.url, second.url);
    const char *const flags[] = {one, NULL};
    rack_start("worker", flags);
    rack_start("timer", flags);
    rack_start("gateway", NULL);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    int closed = rack_close();
    redis_fixture_stop(&second);
    return closed;
}

/* One that knows both shards takes the place of the one that knows the first alone. */
static void renew(const char *program, bool new_one_first)
{
    const char *const flags[] = {both, NULL};
    if (!new_one_first) rack_stop(rack_process(program));
    rack_start(program, flags);
    if (new_one_first) rack_stop(rack_process(program));
}

static void a_shard_is_added_while_people_play(void **state)
{
    (void)state;
    struct table table;
    assert_null(table_seat(&table, "127.0.0.1", rack_port, game_at(0)));
    assert_null(table_start(&table));
    renew("worker", true);
    renew("timer", true);
    const char *fault = whole_game_play(rack_port, game_at(0), NULL);
    if (fault) fail_msg("while the matchmaker knows one shard: %s", fault);
    assert_int_equal(redis_fixture_command(&second, "KEYS room:*"), 0);
    renew("matchmaker", false); /* they are reached at the same address */
    assert_null(bots_play(table.players, table.count, GAME_MS));
    table_close(&table);

    int games = 0;
    while (games++ < GAMES_MAX && redis_fixture_command(&second, "KEYS game:*") == 0) {
        fault = whole_game_play(rack_port, game_at(0), NULL);
        if (fault) fail_msg("with two shards: %s", fault);
    }
    assert_true(redis_fixture_command(&second, "KEYS game:*") > 0);
    assert_true(redis_fixture_command(&rack_redis, "KEYS game:*") > 0);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(open_all, close_all,
                             cmocka_unit_test(a_shard_is_added_while_people_play));
}
