/* SPDX-License-Identifier: Apache-2.0
 *
 * A matchmaker that is asked far too much, also while Redis stands still: who is one too many hears
 * "busy, try again" at once, nobody is taken for dead, its memory stays what it was, and honest
 * players come in as before. And when all workers are full, players are told so.
 */
#include "cluster/stranger.h"
#include "cluster/ws_client.h"
#include "ops/system.h"

#include <unistd.h>

enum { ROOMS_MAX = 12, EACH = 1500, TICKETS = 400, WAIT_MS = 3000, AT_ONCE_MS = 2000 };

static struct stranger stranger;
static struct ws_client host;

static int open_all(void **state)
{
    (void)state;
    static const char *const few_rooms[] = {"--rooms-max=12", NULL};
    rack_open(NULL);
    rack_start("worker", few_rooms);
    rack_start("gateway", NULL);
    stranger_open(&stranger, false);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    ws_free(&host);
    stranger_close(&stranger);
    return rack_close();
}

static bool opens_a_room(struct ws_client *player)
{
    return ws_create(player, "davinci-code", "민수", NULL, 0, RACK_PATIENCE_MS);
}

static void come(struct ws_client *player)
{
    *player = (struct ws_client){0};
    assert_true(ws_connect(player, "127.0.0.1", rack_port, RACK_PATIENCE_MS));
    assert_true(ws_hello(player, RACK_PATIENCE_MS));
}

/* Somebody looks up a code, and hears at once what is behind it. */
static void assert_served(void)
{
    struct ws_client guest;
    struct client_frame look = {.kind = CLIENT_LOOK_UP};
    come(&guest);
    look.u.code = host.code;
    struct rack_span span = rack_span_begin();
    assert_true(ws_send(&guest, &look));
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    while (!guest.found.came && clock_boot_ms() < until) ws_pump(&guest, 50);
    assert_true(guest.found.came);
    assert_true(rack_span_ms(&span) <= AT_ONCE_MS);
    ws_free(&guest);
}

/* A code that nobody has, on the shard that there is: Redis is asked. */
static void draw_code(char code[WIRE_CODE_LEN + 1])
{
    uint32_t bits = 1;
    while (room_shard(room_id_make(bits, 0)) != 0) bits++;
    code_write(bits, code);
}

static void ask_many(int count)
{
    char code[WIRE_CODE_LEN + 1];
    struct request look = {.kind = REQ_LOOK_UP, .code = code};
    draw_code(code);
    for (int i = 0; i < count; i++) {
        stranger_ask(&stranger, &look, WAIT_MS);
        if (i % 100 == 0) stranger_run(&stranger, 0);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

static void a_flood_of_questions_is_answered_or_busy_and_leaves_nothing(void **state)
{
    (void)state;
    struct rack_watch watch = {.process = rack_process("matchmaker")};
    come(&host);
    assert_true(opens_a_room(&host));
    for (int round = 1; round <= RACK_ROUNDS; round++) {
        ask_many(EACH);
        assert_true(stranger_hear_out(&stranger));
        assert_served();
        rack_watch_round(&watch, &round);
    }
    assert_true(rack_wait_below(watch.process, "depth", "matchmaker_pending", 8));
}

/* All who ask wait for it; heartbeats are heard all the same, so no worker is taken for dead. */
static void while_redis_stands_still_further_questions_are_busy_at_once(void **state)
{
    (void)state;
    const struct process *matchmaker = rack_process("matchmaker");
    int64_t refused = rack_queue(matchmaker, "refused_total", "bus_answers");
    int busy = stranger.busy;
    redis_fixture_freeze(&rack_redis, true);
    struct rack_span span = rack_span_begin();
    ask_many(1000);
    instant_ms until = clock_boot_ms() + WAIT_MS;
    while (stranger.busy == busy && clock_boot_ms() < until) stranger_run(&stranger, 20);
    assert_true(rack_span_ms(&span) < 2500); /* not when its time is over */
    assert_true(stranger.busy > busy);
    sleep(2); /* beyond every lease */
    redis_fixture_freeze(&rack_redis, false);
    assert_true(stranger_hear_out(&stranger));
    assert_true(rack_wait_above(matchmaker, "refused_total", "bus_answers", refused + 100));
    assert_true(rack_wait_below(matchmaker, "depth", "bus_answers", 4));
    assert_served();
    int64_t adopted = rack_metric(rack_process("worker"), "madang_worker_rooms_adopted_total");
    assert_int_equal(adopted, 0);
}

/* ---- full workers ---------------------------------------------------------------------------- */

static void when_all_workers_are_full_players_are_told_and_then_served(void **state)
{
    (void)state;
    struct ws_client players[ROOMS_MAX + 1];
    int opened = 0;
    for (; opened < ROOMS_MAX; opened++) {
        come(&players[opened]);
        if (!opens_a_room(&players[opened])) break;
    }
    assert_int_equal(players[opened].refused, REASON_NO_CAPACITY);
    assert_int_equal(opened, ROOMS_MAX - 1); /* the host of before has one */
    assert_true(rack_wait_above(rack_process("worker"), "depth", "worker_rooms", ROOMS_MAX));

    /* Creates and tickets by the hundred change nothing but the answers. */
    struct rack_watch matchmaker = {.process = rack_process("matchmaker")};
    struct rack_watch worker = {.process = rack_process("worker")};
    for (int round = 1; round <= RACK_ROUNDS; round++) {
        int full = stranger.full;
        struct request create = {.kind = REQ_CREATE, .game = "davinci-code"};
        struct request ticket = {.kind = REQ_TICKET, .game = "number-baseball"};
        for (int i = 0; i < TICKETS; i++) {
            ticket.ticket = (struct id128){{9, (uint8_t)i, (uint8_t)(i >> 8)}};
            stranger_ask(&stranger, &create, WAIT_MS);
            stranger_ask(&stranger, &ticket, WAIT_MS);
        }
        assert_true(stranger_hear_out(&stranger));
        assert_true(stranger.full > full);
        rack_watch_round(&matchmaker, &round);
        rack_watch_round(&worker, &round);
    }
    rack_start("worker", NULL); /* another one comes */
    come(&players[ROOMS_MAX]);
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    bool there = false;
    while (!there && clock_boot_ms() < until) {
        there = opens_a_room(&players[ROOMS_MAX]);
        ws_forget(&players[ROOMS_MAX]);
    }
    assert_true(there);
    ws_free(&players[ROOMS_MAX]);
    for (int i = 0; i <= opened; i++) ws_free(&players[i]);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all,
        cmocka_unit_test(a_flood_of_questions_is_answered_or_busy_and_leaves_nothing),
        cmocka_unit_test(while_redis_stands_still_further_questions_are_busy_at_once),
        cmocka_unit_test(when_all_workers_are_full_players_are_told_and_then_served));
}
