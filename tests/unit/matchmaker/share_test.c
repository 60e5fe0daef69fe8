/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms lie evenly: chance decides among workers, and nobody is given more than its share.
 */
#include "unit/matchmaker/bench.h"

enum { WORKERS = 50 };

static uint32_t rooms[WORKERS], places[WORKERS];

static void beat(int number)
{
    char url[32];
    snprintf(url, sizeof url, "ipc://n%d", number);
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    beat.self = (struct member){.kind = SERVICE_WORKER,
                                .instance = {{0x40, (uint8_t)number}},
                                .inbox_url = url,
                                .control_url = url,
                                .build = "test",
                                .rooms = rooms[number],
                                .rooms_max = places[number]};
    bench_request(&bench, &beat);
}

static int empty_workers(void **state)
{
    bench_set_up(state);
    for (int i = 0; i < WORKERS; i++) {
        rooms[i] = 0;
        places[i] = 4000;
    }
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench.w1_alive = bench.w2_alive = false;
    bench_step(&bench, &gone);
    gone.peer_url = "ipc://c2";
    bench_step(&bench, &gone);
    return 0;
}

/* Makes rooms; each worker tells how many it has after every `each` of them. */
static void make(int count, int each)
{
    static int number;
    for (int i = 0; i < count; i++) {
        if (i % each == 0)
            for (int k = 0; k < WORKERS; k++) beat(k);
        struct request create = {.kind = REQ_CREATE, .game = "toy"};
        number++;
        create.id = (struct id128){{9, (uint8_t)number, (uint8_t)(number >> 8)}};
        bench_request(&bench, &create);
        const struct effect *made = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
        assert_non_null(made);
        int at = atoi(made->url + strlen("ipc://n"));
        rooms[at]++;
        struct reply reply = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 1}};
        bench_reply(&bench, made->token, &reply);
    }
}

static uint32_t fullest(void)
{
    uint32_t most = 0;
    for (int i = 0; i < WORKERS; i++)
        if (rooms[i] > most) most = rooms[i];
    return most;
}

static void a_hundred_rooms_each_are_nearly_that_for_everybody(void **state)
{
    (void)state;
    make(100 * WORKERS, 50);
    assert_in_range(fullest(), 100, 107);
}

/* Between two heartbeats it remembers what it gave to whom. */
static void also_when_all_of_them_come_at_once(void **state)
{
    (void)state;
    make(40 * WORKERS, 40 * WORKERS);
    assert_in_range(fullest(), 40, 44);
}

static void who_has_twice_the_places_gets_twice_the_rooms(void **state)
{
    (void)state;
    for (int i = 0; i < WORKERS; i += 2) places[i] = 8000;
    make(60 * WORKERS, 50);
    uint32_t large = 0;
    for (int i = 0; i < WORKERS; i += 2) large += rooms[i];
    assert_in_range(large, 37 * WORKERS, 43 * WORKERS);
}

static void who_comes_empty_is_filled_first(void **state)
{
    (void)state;
    for (int i = 5; i < WORKERS; i++) rooms[i] = 100;
    make(5 * 60, 25);
    for (int i = 0; i < 5; i++) assert_in_range(rooms[i], 40, 80);
}

/* Workers that die at once are not known to be dead at once. */
static void who_is_late_is_given_nothing_while_others_are_not(void **state)
{
    (void)state;
    for (int k = 0; k < WORKERS; k++) beat(k);
    bench_run(&bench, 250, EFFECT_EXIT, NO_KIND);
    for (instant_ms passed = 0; passed < 600; passed += 150) {
        for (int k = 10; k < WORKERS; k++) beat(k);
        bench_run(&bench, 150, EFFECT_EXIT, NO_KIND);
    }
    for (int i = 0; i < 200; i++) {
        struct request create = {.kind = REQ_CREATE, .game = "toy"};
        create.id = (struct id128){{10, (uint8_t)i}};
        bench_request(&bench, &create);
        const struct effect *made = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
        assert_non_null(made);
        assert_true(atoi(made->url + strlen("ipc://n")) >= 10);
    }
}

int main(void)
{
#define SHARE_TEST(name) cmocka_unit_test_setup_teardown(name, empty_workers, bench_tear_down)
    return RUN_TESTS(SHARE_TEST(a_hundred_rooms_each_are_nearly_that_for_everybody),
                     SHARE_TEST(also_when_all_of_them_come_at_once),
                     SHARE_TEST(who_has_twice_the_places_gets_twice_the_rooms),
                     SHARE_TEST(who_comes_empty_is_filled_first),
                     SHARE_TEST(who_is_late_is_given_nothing_while_others_are_not));
}
