/* SPDX-License-Identifier: Apache-2.0
 *
 * A shard of Redis is added while people play, and taken away while people play, as k8s/README.md
 * says. Added: everybody hears of it, and then matchmakers make rooms there. Taken away: rooms are
 * made on the first alone, and when nobody is left on the second, nobody hears of it any more.
 * Whoever plays meanwhile plays on.
 */
#include "cluster/rack.h"
#include "cluster/table.h"
#include "cluster/whole_game.h"
#include "wire/code.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAME_MS = 120 * 1000, PATIENCE_MS = 30 * 1000, ROOMS = 20, SECOND_ROOMS_MAX = 64 };

static struct redis_fixture second;
static char one[128], both[256];
static char on_second[SECOND_ROOMS_MAX][WIRE_CODE_LEN + 1]; /* rooms that were made there */
static int on_second_count;

static int open_all(void **state)
{
    (void)state;
    setenv("MADANG_OPERATOR_KEY", "the key of whoever closes rooms", 1);
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
    unsetenv("MADANG_OPERATOR_KEY");
    return closed;
}

/* One that is told this takes the place of the one that was told something else; a matchmaker is
 * reached at the same address, so the former ends first. */
static void renew(const char *program, const char *shards, const char *open)
{
    const char *const flags[] = {shards, open, NULL};
    bool former_first = strcmp(program, "matchmaker") == 0;
    if (former_first) rack_stop(rack_process(program));
    rack_start(program, flags);
    if (!former_first) rack_stop(rack_process(program));
}

static int shard_of(const char *code)
{
    return room_shard(room_id_make(code_bits(code), 0));
}

static void note_room(const struct ws_client *player)
{
    bool known = shard_of(player->code) != 1;
    for (int i = 0; i < on_second_count; i++)
        known = known || strcmp(on_second[i], player->code) == 0;
    if (known) return;
    assert_true(on_second_count < SECOND_ROOMS_MAX);
    snprintf(on_second[on_second_count++], sizeof on_second[0], "%s", player->code);
}

static void play(const char *when)
{
    const char *fault = whole_game_play(rack_port, game_at(0), note_room);
    if (fault) fail_msg("%s: %s", when, fault);
}

/* People around a table, on that shard. */
static void seat_on(struct table *table, int shard)
{
    for (int tries = 0; tries < ROOMS; tries++) {
        assert_null(table_seat(table, "127.0.0.1", rack_port, game_at(0)));
        note_room(&table->players[0]);
        if (shard_of(table->players[0].code) == shard) return;
        table_close(table);
    }
    fail_msg("of %d rooms none was made on shard %d", ROOMS, shard);
}

/* Bit s: of so many rooms that are made now some are on shard s. */
static unsigned where_rooms_are_made(void)
{
    unsigned on = 0;
    for (int i = 0; i < ROOMS; i++) {
        struct ws_client host = {0};
        assert_true(ws_connect(&host, "127.0.0.1", rack_port, PATIENCE_MS));
        assert_true(ws_hello(&host, PATIENCE_MS));
        assert_true(ws_create(&host, game_at(0)->id, "host", NULL, 0, PATIENCE_MS));
        note_room(&host);
        on |= 1u << shard_of(host.code);
        ws_free(&host);
    }
    return on;
}

static void close_room(const char *code)
{
    char command[256];
    const char *build = getenv("BUILD");
    snprintf(command, sizeof command, "%s/bin/madangctl close %s --yes --matchmakers=%s >/dev/null",
             build ? build : "build", code, rack_matchmaker_url);
    assert_int_equal(system(command), 0);
}

static bool finds(const char *code)
{
    struct ws_client guest = {0};
    assert_true(ws_connect(&guest, "127.0.0.1", rack_port, PATIENCE_MS));
    assert_true(ws_hello(&guest, PATIENCE_MS));
    bool found = ws_watch(&guest, code, "guest", PATIENCE_MS);
    if (!found) assert_int_equal(guest.refused, REASON_NO_SUCH_ROOM);
    ws_free(&guest);
    return found;
}

static void a_shard_is_added_while_people_play(void **state)
{
    (void)state;
    struct table table;
    assert_null(table_seat(&table, "127.0.0.1", rack_port, game_at(0)));
    assert_null(table_start(&table));
    renew("worker", both, NULL);
    renew("timer", both, NULL);
    renew("matchmaker", both, "--shards-open=1");
    play("while rooms are made on one shard");
    assert_int_equal(where_rooms_are_made(), 1);
    assert_int_equal(redis_fixture_command(&second, "KEYS room:*"), 0);
    renew("matchmaker", both, "--shards-open=2");
    assert_null(bots_play(table.players, table.count, GAME_MS));
    table_close(&table);

    assert_int_equal(where_rooms_are_made(), 3);
    assert_int_equal(redis_fixture_command(&second, "KEYS room:*"), on_second_count);
}

static void a_shard_is_taken_away_while_people_play(void **state)
{
    (void)state;
    struct table leaving, staying;
    seat_on(&leaving, 1);
    seat_on(&staying, 0);
    assert_null(table_start(&leaving));
    renew("matchmaker", both, "--shards-open=1");
    assert_int_equal(where_rooms_are_made(), 1);
    assert_null(bots_play(leaving.players, leaving.count, GAME_MS));
    assert_true(finds(leaving.players[0].code));
    char gone[WIRE_CODE_LEN + 1];
    snprintf(gone, sizeof gone, "%s", leaving.players[0].code);
    table_close(&leaving);

    /* Nobody who is told to waits the day after which a room without people is deleted. */
    for (int i = 0; i < on_second_count; i++) close_room(on_second[i]);
    assert_int_equal(redis_fixture_command(&second, "KEYS room:*"), 0);
    assert_null(table_start(&staying));
    renew("matchmaker", one, NULL);
    renew("worker", one, NULL);
    renew("timer", one, NULL);
    redis_fixture_kill(&second);
    assert_null(bots_play(staying.players, staying.count, GAME_MS));
    table_close(&staying);
    play("with one shard again");
    assert_false(finds(gone));
}

int main(void)
{
    return RUN_TESTS_BETWEEN(open_all, close_all,
                             cmocka_unit_test(a_shard_is_added_while_people_play),
                             cmocka_unit_test(a_shard_is_taken_away_while_people_play));
}
