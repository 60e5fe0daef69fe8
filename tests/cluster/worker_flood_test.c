/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker that is behind: Redis stands still while many rooms act, a gateway reads nothing of what
 * it is sent. Players hear "busy, try again", memory stays what it was, and afterwards everybody
 * plays on.
 */
#include "cluster/stranger.h"
#include "cluster/ws_client.h"
#include "ops/system.h"

#include <stdio.h>

enum {
    ROOMS = 40, /* all that may wait in them is well above BACKLOG_KB */
    SEATS = 12,
    PLAYERS = ROOMS * SEATS,
    ACTS = 8,
    FIRST_ROUNDS = 4,
    WATCHED = 10,
    RESYNCS = 60,
    BACKLOG_KB = 1024,
    BUSY = 100,
    BURSTS_MAX = 5,
    STILL_MS = 300,
    BURST_MS = 1200,
    MOST_MS = 1500, /* before the connection to Redis counts as lost */
    KEPT_MS = 9 * 1000,
    AT_ONCE_MS = 1000,
};

static struct ws_client players[PLAYERS];
static int busy_answers;

/* ---- a hall full of people ------------------------------------------------------------------- */

static void come(struct ws_client *player)
{
    assert_true(ws_connect(player, "127.0.0.1", rack_port, RACK_PATIENCE_MS));
    assert_true(ws_hello(player, RACK_PATIENCE_MS));
}

static int open_all(void **state)
{
    (void)state;
    static const char *const small[] = {"--backlog-mb=1", NULL};
    rack_open(NULL);
    rack_start("worker", small);
    rack_start("gateway", NULL);
    for (int i = 0; i < PLAYERS; i++) {
        char name[32];
        const struct ws_client *host = &players[i / SEATS * SEATS];
        snprintf(name, sizeof name, "사람%d", i % SEATS + 1);
        come(&players[i]);
        bool in = i % SEATS == 0
                      ? ws_create(&players[i], "number-baseball", name, NULL, 0, RACK_PATIENCE_MS)
                      : ws_join(&players[i], host->code, name, RACK_PATIENCE_MS);
        assert_true(in);
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < PLAYERS; i++) ws_free(&players[i]);
    return rack_close();
}

/* A RoomCommand that renames: accepted from everybody at any time. */
static void send_rename(struct ws_client *player, uint64_t counter)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = player->generation,
                                      .counter = counter,
                                      .command = true,
                                      .bytes = slice_text("\x3a\x03\x0a\x01x")};
    assert_true(ws_send(player, &frame));
}

static void hear_all(int ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)ms;
    do {
        for (int i = 0; i < PLAYERS; i++) {
            int before = players[i].answers;
            while (ws_pump(&players[i], 0) == 1) {
                bool news = players[i].answers > before;
                busy_answers +=
                    news && !players[i].answer.ok && players[i].answer.why.code == REASON_BUSY;
                before = players[i].answers;
            }
        }
    } while (clock_boot_ms() < until);
}

static bool is_answered(const struct ws_client *player, const void *counter)
{
    return player->answer.counter == *(const uint64_t *)counter && player->answers > 0;
}

/* Everybody acts once, and it is done. */
static void assert_all_play_on(void)
{
    hear_all(300);
    instant_ms from = clock_boot_ms();
    for (int i = 0; i < PLAYERS; i++) {
        uint64_t next = players[i].counter + 1;
        players[i].answers = 0;
        send_rename(&players[i], next);
        assert_true(ws_wait(&players[i], is_answered, &next, RACK_PATIENCE_MS));
        assert_true(players[i].answer.ok);
    }
    print_message("    %d actions, one after the other: %d ms\n", PLAYERS,
                  (int)(clock_boot_ms() - from));
    struct rack_span span = rack_span_begin();
    uint64_t next = players[0].counter + 1;
    players[0].answers = 0;
    send_rename(&players[0], next);
    assert_true(ws_wait(&players[0], is_answered, &next, RACK_PATIENCE_MS));
    assert_true(rack_span_ms(&span) <= AT_ONCE_MS);
}

/* ---- Redis stands still ---------------------------------------------------------------------- */

static void act_all(void)
{
    for (int i = 0; i < PLAYERS; i++)
        for (uint64_t k = 1; k <= ACTS; k++) send_rename(&players[i], players[i].counter + k);
}

/* Redis stands still until a hundred have heard that it is busy; then all is done. Always as long,
 * so that there are always as many within the 5 s for which entries are kept. */
static bool burst(void)
{
    instant_ms start = clock_boot_ms(), now;
    busy_answers = 0;
    redis_fixture_freeze(&rack_redis, true);
    act_all();
    do {
        hear_all(STILL_MS);
        now = clock_boot_ms();
    } while (busy_answers < BUSY && now < start + MOST_MS);
    redis_fixture_freeze(&rack_redis, false);
    hear_all(now + STILL_MS < start + BURST_MS ? (int)(start + BURST_MS - now) : STILL_MS);
    return busy_answers >= BUSY;
}

/* A machine that is busy may not get through so much so soon; then it is done once more. */
static void burst_till_busy(void)
{
    int tries = 1;
    while (!burst()) assert_true(++tries <= BURSTS_MAX);
}

/* What is confirmed is kept for 5 s, for a Redis that forgets: before the first round, as much is
 * kept as ever will be. */
static void a_flood_of_actions_while_redis_stands_still_is_busy_and_leaves_nothing(void **state)
{
    (void)state;
    const struct process *process = rack_process("worker");
    struct rack_watch worker = {.process = process}, gateway = {.process = rack_process("gateway")};
    for (instant_ms until = clock_boot_ms() + KEPT_MS; clock_boot_ms() < until;) burst_till_busy();
    for (int round = 1; round <= RACK_ROUNDS; round++) {
        burst_till_busy();
        rack_watch_round(&worker, &round);
        rack_watch_round(&gateway, &round);
    }
    assert_true(rack_queue(process, "refused_total", "worker_unconfirmed") > 1000);
    assert_true(rack_queue(process, "refused_total", "worker_backlog") > 0);
    assert_true(rack_wait_below(process, "depth", "worker_backlog", 0));
    assert_all_play_on();
}

/* The bound is met while there is memory: what waits is never much more than it. */
static void what_waits_for_redis_stays_near_its_bound(void **state)
{
    (void)state;
    const struct process *process = rack_process("worker");
    redis_fixture_freeze(&rack_redis, true);
    for (int i = 0; i < 4; i++) {
        act_all();
        hear_all(STILL_MS);
    }
    assert_true(rack_wait_above(process, "depth", "worker_backlog", BACKLOG_KB << 10));
    assert_true(rack_queue(process, "depth", "worker_backlog") < 2 * BACKLOG_KB << 10);
    redis_fixture_freeze(&rack_redis, false);
    assert_true(rack_wait_below(process, "depth", "worker_backlog", 0));
    assert_all_play_on();
}

/* ---- a gateway that has stopped -------------------------------------------------------------- */

static void watch_and_ask(struct stranger *stranger, const char *code)
{
    struct envelope watch = {.kind = ENV_ATTACH}, resync = {.kind = ENV_RESYNC};
    assert_true(stranger_find(stranger, code));
    resync.u.resync.room = stranger->placed.room;
    watch.u.attach = (struct env_attach){.room = stranger->placed.room,
                                         .client = 1,
                                         .player = stranger->instance,
                                         .name = "x",
                                         .intent = ATTACH_WATCH};
    stranger_send(stranger, stranger->owner_url, &watch, 1);
    for (int i = 0; i < RESYNCS; i++) stranger_send(stranger, stranger->owner_url, &resync, 1);
}

/* All that it asks for again and again waits for it, and goes when it is dead. */
static void a_gateway_that_reads_nothing_costs_a_bounded_outbox(void **state)
{
    (void)state;
    const struct process *process = rack_process("worker");
    struct rack_watch worker = {.process = process};
    for (int round = 1 - FIRST_ROUNDS; round <= RACK_ROUNDS; round++) {
        static struct stranger stranger; /* its threads outlive a test that fails */
        stranger_open(&stranger, true);
        for (int r = 0; r < WATCHED; r++) watch_and_ask(&stranger, players[r * SEATS].code);
        if (round == RACK_ROUNDS) {
            assert_true(rack_wait_above(process, "depth", "bus_outbox", 4 << 10));
            assert_true(rack_queue(process, "depth", "bus_outbox") <= BUS_OUTBOX_BYTES_MAX);
        }
        int64_t gone = rack_metric(process, "madang_bus_peers_gone_total");
        stranger_close(&stranger);
        assert_true(rack_wait_metric(process, "madang_bus_peers_gone_total", gone + 1, INT64_MAX));
        rack_watch_round(&worker, &round);
    }
    assert_true(rack_wait_below(process, "depth", "bus_outbox", 1 << 20));
    assert_all_play_on();
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all,
        cmocka_unit_test(a_flood_of_actions_while_redis_stands_still_is_busy_and_leaves_nothing),
        cmocka_unit_test(what_waits_for_redis_stays_near_its_bound),
        cmocka_unit_test(a_gateway_that_reads_nothing_costs_a_bounded_outbox));
}
