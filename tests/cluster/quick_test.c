/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match on real processes: strangers meet, also when the matchmaker that brought them
 * together is killed in the middle of it, and nobody is sent where nobody is any more.
 */
#include "cluster/bot.h"
#include "cluster/cluster.h"
#include "ops/system.h"
#include "unit/store/redis_fixture.h"
#include "unit/test.h"

#include <signal.h>
#include <stdio.h>

enum { PATIENCE_MS = 30 * 1000, GAME_MS = 180 * 1000, FOUR = 4, AT_ONCE_MS = 15 * 1000 };

static const char *const GAME = "davinci-code";
static struct cluster cluster;
static struct ws_client players[FOUR];

static int set_up(void **state)
{
    (void)state;
    cluster = (struct cluster){.gateways = 1, .matchmakers = 2, .workers = 2};
    return cluster_start(&cluster) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    bool in_order = cluster_stop(&cluster);
    cluster_remove(&cluster);
    return in_order ? 0 : -1;
}

static int free_players(void **state)
{
    (void)state;
    for (int i = 0; i < FOUR; i++) {
        ws_free(&players[i]);
        players[i] = (struct ws_client){0};
    }
    return 0;
}

/* Once there is a gateway again. */
static void connect_soon(struct ws_client *player)
{
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (!ws_connect(player, "127.0.0.1", cluster.port, PATIENCE_MS)) {
        assert_true(clock_boot_ms() < until);
        sleep_ms(100);
    }
}

static void ask_for_strangers(struct ws_client *player)
{
    connect_soon(player);
    assert_true(ws_hello(player, PATIENCE_MS));
    struct client_frame quick = {.kind = CLIENT_QUICK};
    quick.u.quick.game = GAME;
    quick.u.quick.name = "손님";
    assert_true(ws_send(player, &quick));
}

static bool is_matched(const struct ws_client *player, const void *unused)
{
    (void)unused;
    return player->in_room;
}

static bool is_told(const struct ws_client *player, const void *unused)
{
    (void)unused;
    return player->quick.count > 0;
}

static void meet(int within_ms)
{
    for (int i = 0; i < FOUR; i++) {
        assert_true(ws_wait(&players[i], is_matched, NULL, within_ms));
        assert_string_equal(players[i].code, players[0].code);
    }
    for (int i = 0; i < FOUR; i++)
        assert_true(ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS));
}

static void four_strangers_are_matched_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < FOUR; i++) ask_for_strangers(&players[i]);
    meet(PATIENCE_MS);
    const char *fault = bots_play(players, FOUR, GAME_MS);
    if (fault) print_error("%s\n", fault);
    assert_null(fault);
}

static long long redis(const char *command, const char *key)
{
    struct redis_fixture own = {.pid = 0};
    snprintf(own.socket, sizeof own.socket, "%s/run/redis.sock", cluster.data);
    return redis_fixture_command(&own, command, key);
}

static void signal_all(const char *kind, int count, int signal)
{
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s-%d", kind, i);
        cluster_signal(&cluster, name, signal);
    }
}

/* The workers stand still, so that the room is surely not made yet when the claim is there. */
static void a_match_outlives_the_matchmaker_that_claimed_it(void **state)
{
    (void)state;
    long long before = redis("KEYS %s", "match:*");
    for (int i = 0; i < FOUR - 1; i++) {
        ask_for_strangers(&players[i]);
        assert_true(ws_wait(&players[i], is_told, NULL, PATIENCE_MS));
    }
    signal_all("worker", cluster.workers, SIGSTOP);
    ask_for_strangers(&players[FOUR - 1]);
    for (int waited = 0; redis("KEYS %s", "match:*") == before; waited++) {
        assert_true(waited < 10 * 1000);
        sleep_ms(1);
    }
    signal_all("matchmaker", cluster.matchmakers, SIGKILL);
    signal_all("worker", cluster.workers, SIGCONT);
    meet(AT_ONCE_MS);
    assert_true(redis("KEYS %s", "match:*") == before + 1); /* it is that match */
}

/* Its only person goes with the cluster; to those who come after the next start it is an empty room
 * that looks as if somebody waited there. */
static void nobody_is_sent_to_a_public_room_whose_people_went_with_the_cluster(void **state)
{
    (void)state;
    static const uint8_t show[] = {0x12, 0x02, 0x08, 0x01}; /* RoomCommand { set_public } */
    struct ws_client *host = &players[0], *stranger = &players[1];
    assert_true(ws_connect(host, "127.0.0.1", cluster.port, PATIENCE_MS));
    assert_true(ws_hello(host, PATIENCE_MS));
    assert_true(ws_create(host, GAME, "민수", NULL, 0, PATIENCE_MS));
    assert_true(ws_command(host, slice_of(show, sizeof show), PATIENCE_MS));
    signal_all("gateway", cluster.gateways, SIGKILL);
    signal_all("worker", cluster.workers, SIGKILL);
    ws_cut(host);
    assert_true(redis("ZRANGE %s 0 -1", "public") > 0);
    sleep_ms(1500);
    ask_for_strangers(stranger);
    assert_false(ws_wait(stranger, is_matched, NULL, 4000));
    assert_true(stranger->quick.count > 0);

    /* It is theirs again as soon as it is somebody's. */
    assert_true(ws_come_back(host, cluster.port, PATIENCE_MS));
    assert_true(ws_wait(stranger, is_matched, NULL, AT_ONCE_MS));
    assert_string_equal(stranger->code, host->code);
}

#define TEST(name) cmocka_unit_test_teardown(name, free_players)

int main(void)
{
    return RUN_TESTS_BETWEEN(
        set_up, tear_down, TEST(four_strangers_are_matched_at_once),
        TEST(a_match_outlives_the_matchmaker_that_claimed_it),
        TEST(nobody_is_sent_to_a_public_room_whose_people_went_with_the_cluster));
}
