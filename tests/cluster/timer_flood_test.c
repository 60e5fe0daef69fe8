/* SPDX-License-Identifier: Apache-2.0
 *
 * A timer with thousands of rooms that are due, whose owner never answers, and hints by the ten
 * thousand: its memory stays what it was, and a deadline that matters is told on time.
 */
#include "cluster/stranger.h"

#include "ops/system.h"

#include <stdio.h>
#include <unistd.h>

enum {
    FIRST_ROUNDS = 8,
    DUE = 2000,
    HINTS = 8000,
    HINTS_AT_ONCE = 4000,
    TOO_MANY = 100 * 1000,
    STAND_MS = 250, /* fires are repeated meanwhile */
    LATE_MS = 200,  /* on a machine that is full of floods */
};

static struct stranger owner; /* of all those rooms */
static uint32_t code_bits_here;

static int open_all(void **state)
{
    (void)state;
    rack_open(NULL);
    rack_start("timer", NULL);
    stranger_open(&owner, false);
    code_bits_here = 1;
    while (room_shard(room_id_make(code_bits_here, 0)) != 0) code_bits_here++;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    stranger_close(&owner);
    return rack_close();
}

/* ---- rooms that lie in Redis ----------------------------------------------------------------- */

/* Rooms first .. first + count - 1 of that owner, due so many ms from now. */
static void put_rooms(uint32_t first, uint32_t count, int due_in_ms)
{
    static const char script[] =
        "redis.replicate_commands() local t = redis.call('TIME') "
        "local now = t[1] * 1000 + math.floor(t[2] / 1000) "
        "for i = ARGV[2], ARGV[2] + ARGV[3] - 1 do "
        "local id = ARGV[1] .. string.format('%08x', i) "
        "redis.call('HSET', 'room:{' .. id .. '}', 'dl', 1, 'owner', ARGV[4], 'url', ARGV[5]) "
        "redis.call('ZADD', 'deadlines', now + ARGV[6], id) end return 1";
    char bits[16], instance[64] = "5:";
    snprintf(bits, sizeof bits, "%08x", code_bits_here);
    for (int i = 0; i < 16; i++) snprintf(instance + 2 + 2 * i, 3, "%02x", owner.instance.byte[i]);
    assert_int_equal(redis_fixture_command(&rack_redis, "EVAL %s 0 %s %d %d %s %s %d", script, bits,
                                           (int)first, (int)count, instance,
                                           bus_inbox_url(owner.bus), due_in_ms),
                     1);
}

static void remove_all(void)
{
    redis_fixture_command(&rack_redis, "FLUSHALL");
}

/* Hints of rooms that Redis does not know, as far ahead as hints are taken. */
static void say_hints(const char *timer_url, uint32_t first)
{
    static struct envelope hints[HINTS_AT_ONCE];
    for (uint32_t i = 0; i < HINTS_AT_ONCE; i++) {
        hints[i] = (struct envelope){.kind = ENV_HINT};
        hints[i].u.deadline = (struct env_deadline){.room = room_id_make(code_bits_here, first + i),
                                                    .number = 1,
                                                    .due_in_ms = 50};
    }
    stranger_send(&owner, timer_url, hints, HINTS_AT_ONCE);
}

static int64_t fires(void)
{
    return rack_metric(rack_process("timer"), "madang_timer_fires_total");
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void flood(uint32_t first)
{
    int heard = owner.envelopes[ENV_FIRE];
    put_rooms(first, DUE, 0);
    assert_true(stranger_hears(&owner, ENV_FIRE, heard + DUE)); /* and never answered */
    for (uint32_t i = 0; i < HINTS; i += HINTS_AT_ONCE) say_hints(owner.peer_url, first + DUE + i);
    stranger_run(&owner, STAND_MS);
    remove_all();
    assert_true(rack_wait_metric(rack_process("timer"), "madang_timer_tracked", 0, 0));
}

/* How much comes together is chance: the first rounds see the most. */
static void a_flood_of_deadlines_and_hints_leaves_nothing(void **state)
{
    (void)state;
    struct rack_watch watch = {.process = rack_process("timer")};
    for (uint32_t i = 1; i <= FIRST_ROUNDS; i++) flood(i << 16);
    for (int round = 1; round <= RACK_ROUNDS; round++) {
        flood((uint32_t)round << 20);
        rack_watch_round(&watch, &round);
    }
    assert_true(fires() >= RACK_ROUNDS * DUE);
}

/* Further ones than the table holds: whatever they crowd out is found again by the next reading of
 * the set. */
static void hints_beyond_the_table_are_passed_over(void **state)
{
    (void)state;
    const struct process *timer = rack_process("timer");
    rack_freeze(timer, true); /* so that all of them come at once */
    for (uint32_t i = 0; i < TOO_MANY; i += HINTS_AT_ONCE) say_hints(owner.peer_url, i);
    rack_freeze(timer, false);
    assert_true(rack_wait_above(timer, "refused_total", "timer_tracked", 1));
    assert_true(rack_wait_metric(timer, "madang_timer_tracked", 0, 0));
}

static void a_deadline_that_matters_is_told_on_time(void **state)
{
    (void)state;
    int heard;
    do { /* what was said of others has come */
        heard = owner.envelopes[ENV_FIRE];
        stranger_run(&owner, 300);
    } while (owner.envelopes[ENV_FIRE] > heard);
    instant_ms early = clock_boot_ms() + 400 - 5;
    put_rooms(1, 1, 400);
    instant_ms due = clock_boot_ms() + 400;
    struct rack_span span = rack_span_begin();
    while (owner.envelopes[ENV_FIRE] == heard && clock_boot_ms() < due + RACK_PATIENCE_MS)
        stranger_run(&owner, 5);
    assert_true(clock_boot_ms() >= early);
    assert_in_range(rack_span_ms(&span), 0, 400 + LATE_MS);
    remove_all();
}

int main(void)
{
    return RUN_TESTS_BETWEEN(open_all, close_all,
                             cmocka_unit_test(a_flood_of_deadlines_and_hints_leaves_nothing),
                             cmocka_unit_test(hints_beyond_the_table_are_passed_over),
                             cmocka_unit_test(a_deadline_that_matters_is_told_on_time));
}
