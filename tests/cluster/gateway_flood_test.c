/* SPDX-License-Identifier: Apache-2.0
 *
 * A gateway that hundreds of connections at a time come to, say much to, and take nothing from,
 * again and again: its memory stays what it was and those who play do not notice. And while its
 * worker stands still, what players do waits within bounds and is done afterwards.
 */
#include "cluster/rack.h"
#include "cluster/ws_client.h"
#include "ops/system.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HOUSES = 4,       /* addresses that the crowd comes from */
    FIRST_ROUNDS = 4, /* how much comes together is chance: the first rounds see the most */
    CROWD = 500,
    CALLERS = 400, /* connections that say nothing, or half a request */
    PINGS = 40,
    WINDOW_BYTES = 2048,
    SOON_MS = 400,
    TOLD_MS = 300, /* metrics are as old as that */
    PAY_MS = 450,  /* eight actions' worth of a seat's rate */
};

static struct ws_client friends[2];
static struct ws_client crowd[CROWD];
static int callers[CALLERS];
static int64_t played_ms, played;

static int open_all(void **state)
{
    (void)state;
    static const char *const limits[] = {"--address-connections-max=400",
                                         "--address-handshakes-max=10000", NULL};
    rack_open(NULL);
    rack_start("worker", NULL);
    rack_start("timer", NULL);
    rack_start("gateway", limits);
    for (int i = 0; i < 2; i++) {
        assert_true(ws_connect(&friends[i], "127.0.0.1", rack_port, RACK_PATIENCE_MS));
        assert_true(ws_hello(&friends[i], RACK_PATIENCE_MS));
    }
    assert_true(ws_create(&friends[0], "davinci-code", "민수", NULL, 0, RACK_PATIENCE_MS));
    assert_true(ws_join(&friends[1], friends[0].code, "영희", RACK_PATIENCE_MS));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) ws_free(&friends[i]);
    return rack_close();
}

static bool renames(struct ws_client *player)
{
    return ws_command(player, slice_text("\x3a\x03\x0a\x01x"), RACK_PATIENCE_MS);
}

/* A friend acts, and the other sees it. */
static void friends_play(void)
{
    struct rack_span span = rack_span_begin();
    assert_true(renames(&friends[0]));
    assert_true(ws_wait(&friends[1], ws_has_reached, &friends[0].version, RACK_PATIENCE_MS));
    played_ms += rack_span_ms(&span);
    played++;
}

/* As a rule at once. */
static void assert_friends_noticed_nothing(void)
{
    friends_play();
    print_message("    %d times seen by the other friend, %d ms each\n", (int)played,
                  (int)(played_ms / played));
    assert_true(played_ms / played <= SOON_MS);
    played_ms = played = 0;
}

/* ---- a crowd --------------------------------------------------------------------------------- */

static int dial(int number)
{
    char from[32];
    snprintf(from, sizeof from, "127.0.1.%d", number % HOUSES + 1);
    return socket_dial(from, "127.0.0.1", rack_port, WINDOW_BYTES);
}

/* In, but deaf from now on: asks for the list of rooms, watches the friends' game, says a lot. */
static void come_deaf(struct ws_client *deaf, int number)
{
    struct client_frame watch = {.kind = CLIENT_WATCH_ROOMS}, ping = {.kind = CLIENT_PING};
    struct client_frame join = {.kind = CLIENT_JOIN};
    join.u.join = (struct client_join){.code = friends[0].code, .spectate = true, .name = ""};
    watch.u.watch = true;
    assert_true(ws_connect_on(deaf, dial(number), "127.0.0.1", rack_port, RACK_PATIENCE_MS));
    assert_true(ws_hello(deaf, RACK_PATIENCE_MS));
    ws_send(deaf, &watch);
    ws_send(deaf, &join);
    for (int i = 0; i < PINGS; i++) ws_send(deaf, &ping);
}

static void come_and_say_nothing(int number)
{
    callers[number] = dial(number);
    assert_true(callers[number] >= 0);
    if (number % 2) send(callers[number], "GET / HTTP/1.1\r\nX: ", 19, MSG_NOSIGNAL);
}

static void a_crowd_that_comes_and_reads_nothing_leaves_nothing(void **state)
{
    (void)state;
    struct rack_watch gateway = {.process = rack_process("gateway")};
    for (int round = 1 - FIRST_ROUNDS; round <= RACK_ROUNDS; round++) {
        for (int i = 0; i < CROWD; i++) {
            come_deaf(&crowd[i], i);
            if (i % 100 == 0) friends_play();
        }
        for (int i = 0; i < CALLERS; i++) come_and_say_nothing(i);
        friends_play();
        for (int i = 0; i < CROWD; i++) ws_free(&crowd[i]);
        for (int i = 0; i < CALLERS; i++) close(callers[i]);
        usleep(TOLD_MS * 1000);
        assert_true(rack_wait_metric(gateway.process, "madang_gateway_connections", 0, 2));
        rack_watch_round(&gateway, &round);
    }
    assert_true(rack_wait_below(gateway.process, "depth", "gateway_sockets", 4096));
    assert_true(rack_wait_below(gateway.process, "depth", "gateway_guests", 0));
    assert_true(rack_wait_below(gateway.process, "depth", "gateway_tries", CROWD));
    assert_true(rack_queue(rack_process("worker"), "refused_total", "worker_watchers") > 100);
    assert_friends_noticed_nothing();
}

/* One address has its share, and is told when it is used up. */
static void a_house_that_is_full_is_told_and_others_are_let_in(void **state)
{
    (void)state;
    const struct process *gateway = rack_process("gateway");
    for (int i = 0; i < 400; i++) {
        int fd = socket_dial("127.0.1.9", "127.0.0.1", rack_port, WINDOW_BYTES);
        assert_true(ws_connect_on(&crowd[i], fd, "127.0.0.1", rack_port, RACK_PATIENCE_MS));
    }
    int fd = socket_dial("127.0.1.9", "127.0.0.1", rack_port, 0);
    struct ws_client late = {0};
    assert_true(ws_connect_on(&late, fd, "127.0.0.1", rack_port, RACK_PATIENCE_MS));
    while (ws_pump(&late, RACK_PATIENCE_MS) == 1) continue;
    assert_int_equal(late.socket.close_code, 4004);
    assert_true(rack_wait_above(gateway, "refused_total", "gateway_address", 1));
    assert_true(rack_wait_above(gateway, "depth", "gateway_address", 400));
    assert_friends_noticed_nothing();
    for (int i = 0; i < 400; i++) ws_free(&crowd[i]);
    ws_free(&late);
}

/* ---- a worker that stands still -------------------------------------------------------------- */

static void send_rename(struct ws_client *player, uint64_t counter)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = player->generation,
                                      .counter = counter,
                                      .command = true,
                                      .bytes = slice_text("\x3a\x03\x0a\x01x")};
    assert_true(ws_send(player, &frame));
}

/* Eight actions wait, the ninth is busy; all eight are done once it goes on. */
static void what_players_do_while_their_worker_stands_still_is_kept_within_bounds(void **state)
{
    (void)state;
    const struct process *gateway = rack_process("gateway");
    struct rack_watch watch = {.process = gateway};
    for (int round = 1; round <= RACK_ROUNDS; round++) {
        uint64_t first = friends[0].counter + 1;
        rack_freeze(rack_process("worker"), true);
        friends[0].answers = 0;
        for (uint64_t k = 0; k < 10; k++) send_rename(&friends[0], first + k);
        while (friends[0].answers < 2) assert_true(ws_pump(&friends[0], RACK_PATIENCE_MS) >= 0);
        assert_false(friends[0].answer.ok);
        assert_int_equal(friends[0].answer.why.code, REASON_BUSY);
        rack_freeze(rack_process("worker"), false);
        instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
        while (friends[0].counter < first + 7 && clock_boot_ms() < until) ws_pump(&friends[0], 50);
        assert_int_equal(friends[0].counter, first + 7);
        usleep(PAY_MS * 1000);
        rack_watch_round(&watch, &round);
    }
    assert_true(rack_queue(gateway, "refused_total", "gateway_acts") >= RACK_ROUNDS);
    assert_friends_noticed_nothing();
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all, cmocka_unit_test(a_crowd_that_comes_and_reads_nothing_leaves_nothing),
        cmocka_unit_test(a_house_that_is_full_is_told_and_others_are_let_in),
        cmocka_unit_test(what_players_do_while_their_worker_stands_still_is_kept_within_bounds));
}
