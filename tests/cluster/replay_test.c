/* SPDX-License-Identifier: Apache-2.0
 *
 * Finished games of a running cluster, looked into with madangctl: of each kind one is played to
 * its end, replayed, saved, verified; what is damaged is told from what is good.
 */
#include "cluster/steer.h"

#include "ops/system.h"
#include "room/archive.h"
#include "unit/test.h"

#include "room.pb-c.h"

#include <hiredis/hiredis.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAME_MS = 180 * 1000 };

/* The game is over for its players before its archive is stored. */
static void play(const char *game, int people)
{
    char command[64];
    party_start(game, people, NULL);
    snprintf(command, sizeof command, "replay %s", party[0].code);
    assert_int_equal(steer(NULL, "%s", command), 5); /* while it runs */
    assert_true(steer_told("one that runs is not shown"));
    party_play(people, GAME_MS);
    assert_true(steer_until(0, command));
}

/* The key of the archive of the game that was just played. */
static void key_of_game(char out[64])
{
    redisReply *id = redisCommand(steer_redis, "GET code:{%s}", party[0].code);
    assert_non_null(id);
    assert_int_equal(id->type, REDIS_REPLY_STRING);
    snprintf(out, 64, "game:{%s}:1", id->str);
    freeReplyObject(id);
}

static redisReply *entry_at(const char *key, int at)
{
    redisReply *reply = redisCommand(steer_redis, "LINDEX %s %d", key, at);
    assert_non_null(reply);
    assert_int_equal(reply->type, REDIS_REPLY_STRING);
    return reply;
}

static void put_entry(const char *key, int at, const void *bytes, size_t len)
{
    redisReply *reply = redisCommand(steer_redis, "LSET %s %d %b", key, at, bytes, len);
    assert_non_null(reply);
    assert_int_equal(reply->type, REDIS_REPLY_STATUS);
    freeReplyObject(reply);
}

/* ---- what is good ---------------------------------------------------------------------------- */

static void look_through(const char *game, int people)
{
    char file[PATH_MAX];
    play(game, people);
    snprintf(file, sizeof file, "%s/%s.madang", party_cluster.data, game);
    assert_int_equal(steer(NULL, "replay %s", party[0].code), 0);
    assert_true(steer_told("start"));
    assert_true(steer_told("each gives the state that the game had"));
    assert_int_equal(steer(NULL, "replay %s --json --save=%s", party[0].code, file), 0);
    assert_true(steer_told("\"good\": true"));
    assert_true(steer_told(game));
    assert_int_equal(steer(NULL, "replay %s --save=%s", party[0].code, file), 2);
    assert_true(steer_told("File exists"));

    assert_int_equal(steer(NULL, "replay %s", file), 0);
    assert_true(steer_told(game));
    assert_int_equal(steer(NULL, "replay %s --step=1", file), 0);
    assert_true(steer_told("What a spectator sees"));
    assert_true(steer_told("What seat 2 alone sees"));
    assert_int_equal(steer(NULL, "replay %s --step=100000", file), 2);
    assert_int_equal(steer(NULL, "verify %s %s", file, party[0].code), 0);
    assert_true(steer_told("2 finished games and 1 room"));
    assert_true(steer_told("all good"));
    unlink(file);
}

static void a_game_of_davinci_code_is_replayed(void **state)
{
    (void)state;
    look_through("davinci-code", 3);
}

static void a_game_of_dobble_is_replayed(void **state)
{
    (void)state;
    look_through("dobble", 3);
}

static void a_game_of_number_baseball_is_replayed(void **state)
{
    (void)state;
    look_through("number-baseball", 2);
}

static void all_that_is_stored_is_verified_while_people_play(void **state)
{
    (void)state;
    play("davinci-code", 2);
    party_leave(NULL);
    party_start("davinci-code", 2, NULL);
    assert_int_equal(steer(NULL, "verify"), 0);
    assert_true(steer_told("all good"));
    assert_false(steer_told("0 finished games"));
    assert_int_equal(steer(NULL, "verify --json --shard=0"), 0);
    assert_true(steer_told("\"good\": true"));
    party_play(2, GAME_MS);
}

/* What a user of Redis has of rights who may do what services do (.github/SECURITY.md). */
static const char rights[] = "~* resetchannels -@all +@read +@write +@scripting +@connection "
                             "+info +wait +time";

static void the_rights_of_services_suffice(void **state)
{
    (void)state;
    static const char as_service[] = "MADANG_REDIS_USER=yard MADANG_REDIS_PASSWORD=secret";
    char command[256] = "ACL SETUSER yard reset on >secret ";
    play("davinci-code", 2);
    redisReply *reply = redisCommand(steer_redis, strcat(command, rights));
    assert_non_null(reply);
    assert_int_equal(reply->type, REDIS_REPLY_STATUS);
    freeReplyObject(reply);
    assert_int_equal(steer(as_service, "verify"), 0);
    assert_false(steer_told(" 0 rooms"));
    assert_int_equal(steer(as_service, "verify %s", party[0].code), 0);
    assert_true(steer_told("1 finished game and 1 room"));
    assert_int_equal(steer(as_service, "replay %s", party[0].code), 0);
    assert_int_equal(steer(as_service, "doctor"), 0);
    assert_true(steer_told("maxmemory-policy is noeviction"));
    freeReplyObject(redisCommand(steer_redis, "ACL DELUSER yard"));
}

/* A room whose snapshot cannot be read: nothing that could be is hidden, and nobody is told that
 * all is well. */
static void what_could_not_be_read_is_not_called_good(void **state)
{
    (void)state;
    play("davinci-code", 2);
    freeReplyObject(redisCommand(steer_redis, "SET snap:{00000000deadbeef} text"));
    freeReplyObject(redisCommand(steer_redis, "HSET room:{00000000deadbeef} record x pos 1"));
    assert_int_equal(steer(NULL, "verify"), 3);
    assert_true(steer_told("WRONGTYPE"));
    assert_true(steer_told("replayed, and those are good; the rest could not be read"));
    assert_int_equal(steer(NULL, "verify --json"), 3);
    assert_true(steer_told("\"good\": false"));
    assert_true(steer_told("\"whole\": false"));
    assert_int_equal(steer(NULL, "verify --json --redis=tcp://127.0.0.1:1 --timeout=1"), 3);
    assert_true(steer_told("\"good\": false"));
    freeReplyObject(
        redisCommand(steer_redis, "DEL snap:{00000000deadbeef} room:{00000000deadbeef}"));
    assert_int_equal(steer(NULL, "verify"), 0);
}

/* ---- what is not ----------------------------------------------------------------------------- */

/* Rewrites an entry of an archive; its bytes as they were, for restore. */
static redisReply *change(const char *key, int at, void (*how)(Madang__V1__Room__LogEntry *))
{
    struct buf bytes = {0};
    redisReply *entry = entry_at(key, at);
    Madang__V1__Room__LogEntry *wire =
        madang__v1__room__log_entry__unpack(NULL, (size_t)entry->len, (const uint8_t *)entry->str);
    assert_non_null(wire);
    how(wire);
    size_t len = madang__v1__room__log_entry__get_packed_size(wire);
    madang__v1__room__log_entry__pack(wire, buf_extend(&bytes, len));
    madang__v1__room__log_entry__free_unpacked(wire, NULL);
    put_entry(key, at, bytes.at, bytes.len);
    buf_fini(&bytes);
    return entry;
}

static void restore(const char *key, int at, redisReply *entry)
{
    put_entry(key, at, entry->str, (size_t)entry->len);
    freeReplyObject(entry);
}

static void other_hash(Madang__V1__Room__LogEntry *entry)
{
    entry->state_hash.data[5] ^= 1;
}

/* As an older version wrote it. */
static void without_beginning(Madang__V1__Room__LogEntry *entry)
{
    assert_non_null(entry->start);
    entry->start->before.len = 0;
}

static void a_changed_entry_is_named(void **state)
{
    (void)state;
    char key[64];
    play("davinci-code", 2);
    key_of_game(key);
    redisReply *was = change(key, 3, other_hash);
    assert_int_equal(steer(NULL, "replay %s", party[0].code), 1);
    assert_true(steer_told("gives another state than its game had"));
    assert_int_equal(steer(NULL, "verify"), 1);
    assert_true(steer_told("1 not good"));
    assert_int_equal(steer(NULL, "verify --json"), 1);
    assert_true(steer_told("\"fault\": \"differs\""));
    restore(key, 3, was);
    assert_int_equal(steer(NULL, "verify"), 0);
}

static void an_archive_without_its_beginning_is_refused_clearly(void **state)
{
    (void)state;
    char key[64];
    play("davinci-code", 2);
    key_of_game(key);
    redisReply *was = change(key, 1, without_beginning);
    assert_int_equal(steer(NULL, "replay %s", party[0].code), 1);
    assert_true(steer_told("was made by an older version of Madang"));
    restore(key, 1, was);
}

static void what_is_not_there_or_no_archive_is_said(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "replay ZZZZZZ"), 5);
    assert_true(steer_told("there is no such room"));
    assert_int_equal(steer(NULL, "replay 00000000deadbeef"), 5);
    assert_true(steer_told("no finished game of that room is kept"));
    assert_int_equal(steer(NULL, "verify ZZZZZZ"), 5);
    assert_int_equal(steer(NULL, "replay /nowhere/at/all"), 5);
    assert_int_equal(steer(NULL, "replay /etc/passwd"), 1);
    assert_true(steer_told("no archive of a game"));
    assert_int_equal(steer(NULL, "verify /etc/passwd"), 1);
    assert_int_equal(steer(NULL, "verify --shard=7"), 2);
    assert_int_equal(steer(NULL, "verify --redis=tcp://127.0.0.1:1 --timeout=1"), 3);
    assert_true(steer_told("nobody answers"));
    assert_int_equal(steer(NULL, "verify --redis=nonsense"), 2);
    assert_int_equal(steer(NULL, "replay ZZZZZZ --game-number=0"), 2);
    assert_int_equal(steer(NULL, "replay"), 2);
}

#define TEST(name) cmocka_unit_test_teardown(name, party_leave)

int main(void)
{
    return RUN_TESTS_BETWEEN(
        steer_open, steer_close, TEST(a_game_of_davinci_code_is_replayed),
        TEST(a_game_of_dobble_is_replayed), TEST(a_game_of_number_baseball_is_replayed),
        TEST(all_that_is_stored_is_verified_while_people_play),
        TEST(the_rights_of_services_suffice), TEST(what_could_not_be_read_is_not_called_good),
        TEST(a_changed_entry_is_named), TEST(an_archive_without_its_beginning_is_refused_clearly),
        TEST(what_is_not_there_or_no_archive_is_said));
}
