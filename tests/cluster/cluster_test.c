/* SPDX-License-Identifier: Apache-2.0
 *
 * Real processes, real Redis, real WebSockets: what happens when parts of a cluster die, are told
 * to leave or start again, and what a person meets who comes back, is late or is not welcome.
 */
#include "cluster/bot.h"
#include "cluster/cluster.h"
#include "ops/system.h"
#include "unit/store/redis_fixture.h"
#include "unit/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE_MS = 30 * 1000, GAME_MS = 180 * 1000, FOUR = 4, CHOOSE_MS = 15 * 1000 };

static struct cluster cluster;
static struct ws_client players[FOUR];

static int set_up(void **state)
{
    (void)state;
    cluster = (struct cluster){.gateways = 2, .matchmakers = 2, .workers = 2, .timers = 2};
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

static void greet(struct ws_client *player)
{
    assert_true(ws_connect(player, "127.0.0.1", cluster.port, PATIENCE_MS));
    assert_true(ws_hello(player, PATIENCE_MS));
}

static void seat(int count)
{
    static const char *const names[FOUR] = {"민수", "영희", "할머니", "Ben"};
    for (int i = 0; i < count; i++) {
        greet(&players[i]);
        if (i == 0)
            assert_true(ws_create(&players[0], "davinci-code", names[0], NULL, 0, PATIENCE_MS));
        else
            assert_true(ws_join(&players[i], players[0].code, names[i], PATIENCE_MS));
    }
    assert_true(ws_wait(&players[0], ws_has_seated, &count, PATIENCE_MS));
}

static void start(int count)
{
    seat(count);
    assert_true(ws_start(&players[0], PATIENCE_MS));
    for (int i = 0; i < count; i++)
        assert_true(ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS));
}

/* An address behind which a gateway has just died may say no once or twice. */
static void come_back(struct ws_client *player)
{
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    bool there = false;
    while (!there && clock_boot_ms() < until) {
        there = ws_come_back(player, cluster.port, PATIENCE_MS);
        if (!there) sleep_ms(100);
    }
    assert_true(there);
}

static void play_to_the_end(int count)
{
    const char *fault = bots_play(players, count, GAME_MS);
    if (fault) print_error("%s\n", fault);
    assert_null(fault);
}

static void play_rounds(int count, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        int accepted = 0;
        assert_null(bots_round(players, count, &accepted));
        ws_pump(&players[0], 5);
    }
}

/* The worker that has the room: of two, the one without which the room cannot answer. */
static void for_each_worker(int signal, int settle_ms, int count)
{
    char name[32];
    for (int w = 0; w < cluster.workers; w++) {
        snprintf(name, sizeof name, "worker-%d", w);
        uint64_t counters[FOUR];
        for (int i = 0; i < count; i++) counters[i] = players[i].counter;
        assert_true(cluster_signal(&cluster, name, signal));
        sleep_ms(settle_ms);
        play_rounds(count, 3);
        for (int i = 0; i < count; i++) assert_true(players[i].counter >= counters[i]);
    }
}

static void four_people_play_a_whole_game_and_another(void **state)
{
    (void)state;
    start(FOUR);
    play_to_the_end(FOUR);
    uint32_t games = players[0].view.game_number;
    assert_true(ws_start(&players[players[0].view.host], PATIENCE_MS));
    for (int i = 0; i < FOUR; i++)
        assert_true(ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS));
    play_to_the_end(FOUR);
    assert_int_equal(players[0].view.game_number, games + 1);
    uint32_t wins = 0;
    for (int i = 0; i < FOUR; i++) wins += players[0].view.seats[i].wins;
    assert_int_equal(wins, 2);
}

static void a_killed_worker_costs_no_acknowledged_action(void **state)
{
    (void)state;
    start(FOUR);
    play_rounds(FOUR, 2);
    for_each_worker(SIGKILL, 1200, FOUR);
    play_to_the_end(FOUR);
    assert_true(cluster_said(&cluster, "was killed by signal 9"));
    assert_true(cluster_said(&cluster, "runs again"));
}

static void a_frozen_worker_that_wakes_harms_nothing(void **state)
{
    (void)state;
    start(FOUR);
    play_rounds(FOUR, 1);
    assert_true(cluster_signal(&cluster, "worker-0", SIGSTOP));
    sleep_ms(3000);
    play_rounds(FOUR, 2);
    assert_true(cluster_signal(&cluster, "worker-0", SIGCONT));
    assert_true(cluster_signal(&cluster, "worker-1", SIGSTOP));
    sleep_ms(3000);
    play_rounds(FOUR, 2);
    assert_true(cluster_signal(&cluster, "worker-1", SIGCONT));
    play_to_the_end(FOUR);
}

static void a_worker_told_to_leave_hands_its_rooms_over(void **state)
{
    (void)state;
    start(FOUR);
    play_rounds(FOUR, 1);
    for_each_worker(SIGTERM, 1000, FOUR);
    play_to_the_end(FOUR);
}

static void after_a_killed_gateway_everybody_is_back_in_the_same_seat(void **state)
{
    (void)state;
    start(FOUR);
    int seats[FOUR];
    for (int i = 0; i < FOUR; i++) seats[i] = players[i].seat;
    pid_t pid = cluster_pid(&cluster, "gateway-0");
    assert_true(pid > 0 && kill(pid, SIGKILL) == 0);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (kill(pid, 0) == 0 && clock_boot_ms() < until) sleep_ms(5); /* and with it its sockets */
    for (int i = 0; i < FOUR; i++) {
        while (ws_pump(&players[i], 50) > 0) {
        }
        if (ws_pump(&players[i], 50) < 0) come_back(&players[i]);
        assert_int_equal(players[i].seat, seats[i]);
    }
    play_to_the_end(FOUR);
}

static void killed_matchmakers_and_timers_stop_no_game(void **state)
{
    (void)state;
    start(FOUR);
    assert_true(cluster_signal(&cluster, "matchmaker-0", SIGKILL));
    assert_true(cluster_signal(&cluster, "timer-0", SIGKILL));
    play_rounds(FOUR, 3);
    assert_true(cluster_signal(&cluster, "matchmaker-1", SIGKILL));
    assert_true(cluster_signal(&cluster, "timer-1", SIGKILL));
    play_to_the_end(FOUR);
}

static void a_killed_redis_pauses_the_room_and_play_goes_on(void **state)
{
    (void)state;
    start(FOUR);
    play_rounds(FOUR, 2);
    assert_true(cluster_signal(&cluster, "redis", SIGKILL));
    sleep_ms(2500);
    play_to_the_end(FOUR);
}

/* What Redis has lost its owners write again, before anybody who comes by hears that it is gone;
 * and the next owner finds it. */
static void an_emptied_redis_loses_no_room(void **state)
{
    (void)state;
    start(3);
    play_rounds(3, 2);
    struct redis_fixture own = {.pid = 0};
    snprintf(own.socket, sizeof own.socket, "%s/run/redis.sock", cluster.data);
    greet(&players[3]);
    /* Those of former tests, too; of them, only who has a living owner comes back. */
    long long rooms = redis_fixture_command(&own, "KEYS room:*");
    redis_fixture_command(&own, "FLUSHALL");
    assert_true(ws_watch(&players[3], players[0].code, "구경꾼", PATIENCE_MS));
    play_rounds(3, 2);
    for_each_worker(SIGKILL, 1200, 3);
    play_to_the_end(3);
    assert_int_equal(redis_fixture_command(&own, "EXISTS code:{%s}", players[0].code), 1);
    assert_in_range(redis_fixture_command(&own, "KEYS room:*"), 1, rooms);
}

/* Who has rooms and has not renewed a lease for so long, by this machine's clock as by Redis'. */
static long long silent_owners(struct redis_fixture *own, int ms)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    long long now_ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return redis_fixture_command(own, "ZCOUNT owners -inf %lld", now_ms - ms);
}

static void kill_all(const char *kind, int count)
{
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s-%d", kind, i);
        assert_true(cluster_signal(&cluster, name, SIGKILL));
    }
}

/* Somebody sits in a lobby when all falls, and does not come back: nothing there has a deadline,
 * and nobody asks for it. */
static void rooms_whose_owner_died_with_everybody_are_found(void **state)
{
    (void)state;
    struct redis_fixture own = {.pid = 0};
    snprintf(own.socket, sizeof own.socket, "%s/run/redis.sock", cluster.data);
    seat(1);
    kill_all("gateway", cluster.gateways);
    kill_all("worker", cluster.workers);
    kill_all("matchmaker", cluster.matchmakers);
    ws_cut(&players[0]);
    sleep_ms(1000);
    assert_true(silent_owners(&own, 900) >= 1); /* those of former tests, too */
    long long silent = 1;
    for (int waited = 0; silent > 0 && waited < 60; waited++) {
        sleep_ms(1000);
        silent = silent_owners(&own, 900);
    }
    assert_int_equal(silent, 0);
    assert_int_equal(redis_fixture_command(&own, "EXISTS code:{%s}", players[0].code), 1);
    come_back(&players[0]);
}

static void rooms_that_were_open_go_on_after_a_restart(void **state)
{
    (void)state;
    start(2);
    play_rounds(2, 2);
    struct version had = players[0].version;
    assert_true(cluster_stop(&cluster));
    for (int i = 0; i < 2; i++) ws_cut(&players[i]);
    assert_true(cluster_start(&cluster));
    for (int i = 0; i < 2; i++) come_back(&players[i]);
    assert_true(ws_wait(&players[0], ws_has_view, NULL, PATIENCE_MS));
    assert_true(players[0].version.seq >= had.seq);
    assert_int_equal(players[0].view.state, WS_PLAYING);
    play_to_the_end(2);
}

static bool has_moved_on(const struct ws_client *player, const void *version)
{
    return player->game_version > *(const uint64_t *)version;
}

/* Nobody but the clock can pick for the one who is away. */
static void an_absent_player_is_played_by_the_clock(void **state)
{
    (void)state;
    start(2);
    ws_cut(&players[1]);
    int accepted = 0;
    assert_null(bots_round(players, 1, &accepted));
    assert_int_equal(accepted, 1);
    uint64_t picked = players[0].game_version;
    assert_true(ws_wait(&players[0], has_moved_on, &picked, CHOOSE_MS + PATIENCE_MS));
}

static void a_second_window_takes_the_seat_over(void **state)
{
    (void)state;
    seat(2);
    struct ws_client *second = &players[2];
    assert_true(ws_connect(second, "127.0.0.1", cluster.port, PATIENCE_MS));
    memcpy(second->token, players[1].token, sizeof second->token);
    second->token_len = players[1].token_len;
    assert_true(ws_hello(second, PATIENCE_MS));
    assert_true(ws_join(second, players[0].code, "영희", PATIENCE_MS));
    assert_int_equal(second->seat, players[1].seat);
    assert_true(ws_wait(&players[1], ws_is_detached, NULL, PATIENCE_MS));
    assert_int_equal(players[1].detached, DROPPED_OTHER_WINDOW);
}

static void refusals_are_clear(void **state)
{
    (void)state;
    seat(FOUR);
    struct ws_client late = {0};
    greet(&late);
    assert_false(ws_join(&late, players[0].code, "늦은 사람", PATIENCE_MS));
    assert_int_equal(late.refused, REASON_ROOM_FULL);
    ws_forget(&late);
    assert_false(ws_join(&late, "ZZZZZZ", "늦은 사람", PATIENCE_MS));
    assert_int_equal(late.refused, REASON_NO_SUCH_ROOM);
    ws_forget(&late);
    assert_false(ws_join(&late, players[0].code, "\xe2\x80\x8b", PATIENCE_MS));
    assert_int_equal(late.refused, REASON_BAD_NAME);
    ws_forget(&late);
    assert_false(ws_create(&late, "chess", "늦은 사람", NULL, 0, PATIENCE_MS));
    assert_int_equal(late.refused, REASON_UNKNOWN_GAME);
    ws_forget(&late);
    assert_true(ws_watch(&late, players[0].code, "구경꾼", PATIENCE_MS));
    assert_int_equal(late.seat, -1);
    ws_free(&late);
}

static void a_kicked_person_cannot_come_back(void **state)
{
    (void)state;
    seat(3);
    uint8_t kick[] = {0x1a, 0x02, 0x08, (uint8_t)players[2].seat}; /* RoomCommand { kick } */
    size_t len = sizeof kick;
    assert_true(ws_command(&players[0], slice_of(kick, len), PATIENCE_MS));
    assert_true(ws_wait(&players[2], ws_is_detached, NULL, PATIENCE_MS));
    assert_int_equal(players[2].detached, DROPPED_KICKED);
    assert_false(ws_join(&players[2], players[0].code, "다시", PATIENCE_MS));
    assert_int_equal(players[2].refused, REASON_KICKED);
}

static void garbage_closes_its_own_connection_and_nothing_else(void **state)
{
    (void)state;
    start(2);
    static const uint8_t junk[] = {0xff, 0xff, 0xff, 0x07, 0x00};
    struct ws_client bad = {0};
    greet(&bad);
    assert_true(ws_socket_send(&bad.socket, 2, true, slice_of(junk, sizeof junk)));
    while (ws_pump(&bad, 2000) > 0) {
    }
    assert_true(bad.socket.close_code == 1007 || bad.socket.close_code == 1008);
    ws_free(&bad);
    play_to_the_end(2);
}

static bool is_host(const struct ws_client *player, const void *unused)
{
    (void)unused;
    return player->view.host == player->seat;
}

static void the_host_leaves_and_the_next_one_starts(void **state)
{
    (void)state;
    seat(3);
    assert_true(ws_leave(&players[0], PATIENCE_MS));
    assert_true(ws_wait(&players[1], is_host, NULL, PATIENCE_MS));
    assert_true(ws_start(&players[1], PATIENCE_MS));
}

#define TEST(name) cmocka_unit_test_teardown(name, free_players)

/* An argument chooses tests: a name with * and ?. */
int main(void)
{
    return RUN_TESTS_BETWEEN(set_up, tear_down, TEST(four_people_play_a_whole_game_and_another),
                             TEST(a_second_window_takes_the_seat_over), TEST(refusals_are_clear),
                             TEST(a_kicked_person_cannot_come_back),
                             TEST(garbage_closes_its_own_connection_and_nothing_else),
                             TEST(the_host_leaves_and_the_next_one_starts),
                             TEST(an_absent_player_is_played_by_the_clock),
                             TEST(a_killed_worker_costs_no_acknowledged_action),
                             TEST(a_worker_told_to_leave_hands_its_rooms_over),
                             TEST(a_frozen_worker_that_wakes_harms_nothing),
                             TEST(after_a_killed_gateway_everybody_is_back_in_the_same_seat),
                             TEST(killed_matchmakers_and_timers_stop_no_game),
                             TEST(a_killed_redis_pauses_the_room_and_play_goes_on),
                             TEST(an_emptied_redis_loses_no_room),
                             TEST(rooms_whose_owner_died_with_everybody_are_found),
                             TEST(rooms_that_were_open_go_on_after_a_restart));
}
