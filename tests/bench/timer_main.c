/* SPDX-License-Identifier: Apache-2.0
 *
 * How late the timer is: ROOMS deadlines armed on a real Redis, RATE of them due each second for
 * SECONDS; every fire is answered as a worker would, by an append that puts the deadline off.
 * Timer, worker and store share one loop here.
 *
 *     timer_main [rooms]          default 200,000
 */
#include "base/check.h"
#include "base/hash.h"
#include "store/store.h"
#include "timer/timer_core.h"
#include "unit/store/redis_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RATE = 5000, SECONDS = 8, DUE = RATE * SECONDS, AT_A_TIME = 4000, FAR_MS = 3600 * 1000 };

struct armed {
    room_id room;
    uint64_t epoch, position;
    instant_ms due_in; /* when the append that arms it is carried out */
    uint64_t due_us;   /* wall clock, which is Redis' too */
    bool fired;
};

static struct redis_fixture server;
static uv_loop_t loop;
static struct store *timer_store, *worker_store;
static struct timer_core *core;
static struct effects out, writes;
static uv_timer_t tick;
static struct armed *rooms;
static uint32_t *late_us;
static int room_count, fired, repeated, answered, created;
static const struct id128 worker = {{1}};

static uint64_t wall_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static instant_ms boot_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (instant_ms)now.tv_sec * 1000 + (instant_ms)now.tv_nsec / 1000000;
}

/* The low 32 bits of a room here are its index. */
static void append(struct armed *armed, instant_ms due_in)
{
    static const struct slice bytes = {(const uint8_t *)"an entry of the clock", 21};
    static struct store_entry entry;
    if (id128_is_zero(entry.hash)) entry = (struct store_entry){bytes, hash_128(bytes)};
    struct store_op *op = &effects_add(&writes, EFFECT_STORE)->op;
    *op = (struct store_op){.kind = STORE_APPEND,
                            .room = armed->room,
                            .epoch = armed->epoch,
                            .instance = worker,
                            .position = armed->position,
                            .entries = &entry,
                            .entry_count = 1};
    armed->position++;
    op->deadline_changed = true;
    op->deadline = (struct store_deadline){true, armed->position + 1, due_in};
}

static void on_fire(room_id room)
{
    struct armed *armed = &rooms[(uint32_t)room];
    if (armed->fired) {
        repeated++;
        return;
    }
    armed->fired = true;
    uint64_t now = wall_us();
    late_us[fired++] = now > armed->due_us ? (uint32_t)(now - armed->due_us) : 0;
    append(armed, FAR_MS);
}

static void on_tick(uv_timer_t *timer);

static void step(const struct event *event)
{
    timer_core_step(core, event, boot_ms(), &out);
    store_carry(timer_store, &out);
    for (size_t i = 0; i < out.count; i++) {
        if (out.list[i].kind == EFFECT_SEND) on_fire(out.list[i].envelope.u.deadline.room);
    }
    store_carry(worker_store, &writes);
    effects_reset(&writes);
    instant_ms at = timer_core_deadline(core), now = boot_ms();
    uv_update_time(&loop);
    uv_timer_start(&tick, on_tick, at > now ? at - now : 0, 0);
}

static void on_tick(uv_timer_t *timer)
{
    (void)timer;
    struct event event = {.kind = EVENT_TICK};
    step(&event);
}

static void on_timer_event(void *user, struct event *event)
{
    (void)user;
    if (core) step(event);
}

static void on_worker_event(void *user, struct event *event)
{
    (void)user;
    if (event->kind != EVENT_STORE) return;
    CHECK(event->store->status == ST_OK);
    if (event->store->kind == STORE_CREATE) {
        rooms[(uint32_t)event->store->room].epoch = event->store->epoch;
        created++;
        return;
    }
    struct armed *armed = &rooms[(uint32_t)event->store->room];
    if (!armed->fired) armed->due_us = (event->store->redis_ms + armed->due_in) * 1000;
    answered++;
}

static void create_all(void)
{
    uint32_t bits = 0;
    for (int i = 0; i < room_count;) {
        while (i < room_count && i - created < AT_A_TIME) {
            while (room_shard(room_id_make(++bits, 0)) != 0) continue;
            rooms[i].room = room_id_make(bits, (uint32_t)i);
            struct store_op *op = &effects_add(&writes, EFFECT_STORE)->op;
            *op = (struct store_op){.kind = STORE_CREATE,
                                    .room = rooms[i].room,
                                    .instance = worker,
                                    .owner_url = "ipc://worker",
                                    .record = slice_text("record"),
                                    .summary = slice_text("summary"),
                                    .deadline_changed = true,
                                    .deadline = {true, 1, FAR_MS}};
            i++;
        }
        store_carry(worker_store, &writes);
        effects_reset(&writes);
        uv_run(&loop, UV_RUN_ONCE);
    }
    while (created < room_count) uv_run(&loop, UV_RUN_ONCE);
}

static void arm_all(void)
{
    uint64_t began = wall_us() + 8000000;
    for (int i = 0; i < DUE; i++) {
        rooms[i].due_in = (began + (uint64_t)i * (1000000 / RATE) - wall_us()) / 1000;
        append(&rooms[i], rooms[i].due_in);
        if (i % AT_A_TIME != AT_A_TIME - 1) continue;
        store_carry(worker_store, &writes);
        effects_reset(&writes);
        while (answered <= i) uv_run(&loop, UV_RUN_ONCE);
    }
}

static int by_size(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

int main(int argc, char **argv)
{
    const char *why;
    struct store_config config = {0};
    room_count = argc > 1 ? atoi(argv[1]) : 200000;
    CHECK(room_count >= DUE);
    rooms = calloc((size_t)room_count, sizeof *rooms);
    late_us = calloc(DUE, sizeof *late_us);
    CHECK(rooms && late_us);
    redis_fixture_start(&server, NULL);
    CHECK(store_config_parse(server.url, NULL, &config, &why) == ST_OK);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &tick);
    worker_store = store_open(&loop, &config, on_worker_event, NULL);
    while (!store_up(worker_store)) uv_run(&loop, UV_RUN_ONCE);
    create_all();
    arm_all();

    struct timer_config timer = {
        .instance = {{2}}, .inbox_url = "ipc://timer", .build = "bench", .shard_count = 1};
    core = timer_core_open(&timer, boot_ms());
    timer_store = store_open(&loop, &config, on_timer_event, NULL);
    clock_t cpu = clock();
    while (fired < DUE || answered < 2 * DUE) uv_run(&loop, UV_RUN_ONCE);
    double busy = (double)(clock() - cpu) / CLOCKS_PER_SEC;

    struct timer_stats stats = timer_core_stats(core);
    const size_t median = DUE / 2, hundredth = DUE / 100;
    qsort(late_us, DUE, sizeof *late_us, by_size);
    printf("%d armed, %d a second due: late by p50 %.1f ms, p99 %.1f ms, most %.1f ms\n",
           room_count, RATE, late_us[median] / 1e3, late_us[DUE - 1 - hundredth] / 1e3,
           late_us[DUE - 1] / 1e3);
    printf("%d fires, %d more than needed, %llu sweeps, %.1f s of CPU\n", fired, repeated,
           (unsigned long long)stats.sweeps, busy);
    uv_timer_stop(&tick);
    uv_close((uv_handle_t *)&tick, NULL);
    store_close(timer_store);
    store_close(worker_store);
    uv_run(&loop, UV_RUN_DEFAULT);
    timer_core_close(core);
    effects_fini(&out);
    effects_fini(&writes);
    redis_fixture_stop(&server);
    free(rooms);
    free(late_us);
    return 0;
}
