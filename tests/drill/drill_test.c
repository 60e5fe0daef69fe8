/* SPDX-License-Identifier: Apache-2.0
 *
 * One drill of each kind, small: a crowd on one cluster, and a verdict after each. Nothing may be
 * lost, doubled, stalled or shown that is not in the log; how long it took is told and not asked.
 * And that a verdict can find what it is there to find: a log is falsified.
 */
#include "drill/brief.h"
#include "unit/test.h"

enum { ROOMS = BRIEF_ROOMS, PACE_MS = BRIEF_PACE_MS };

static struct drill_yard yard;

static int set_up(void **state)
{
    (void)state;
    return brief_open(&yard, DRILL_OWN_REDIS);
}

static int tear_down(void **state)
{
    (void)state;
    drill_yard_close(&yard);
    return 0;
}

static void carry_out(const char *name, int times)
{
    brief_carry_out(&yard, name, times);
}

static void killed_workers_cost_nothing(void **state)
{
    (void)state;
    carry_out("worker-kill", 2);
}

static void killed_gateways_cost_nothing(void **state)
{
    (void)state;
    carry_out("gateway-kill", 2);
}

static void killed_timers_stop_no_room(void **state)
{
    (void)state;
    carry_out("timer-kill", 2);
}

static void killed_matchmakers_stop_no_room(void **state)
{
    (void)state;
    carry_out("matchmaker-kill", 2);
}

static void a_frozen_worker_that_wakes_harms_nothing(void **state)
{
    (void)state;
    carry_out("worker-freeze", 2);
}

static void frozen_gateways_cost_nothing(void **state)
{
    (void)state;
    carry_out("gateway-freeze", 1);
}

static void frozen_timers_stop_no_room(void **state)
{
    (void)state;
    carry_out("timer-freeze", 1);
}

static void frozen_matchmakers_stop_no_room(void **state)
{
    (void)state;
    carry_out("matchmaker-freeze", 1);
}

static void a_worker_told_to_leave_leaves_no_room_behind(void **state)
{
    (void)state;
    carry_out("worker-drain", 2);
}

static void a_worker_with_another_clock_changes_no_deadline(void **state)
{
    (void)state;
    carry_out("worker-clock", 2);
}

static void who_does_not_read_disturbs_nobody(void **state)
{
    (void)state;
    carry_out("deaf-clients", 1);
}

static void everything_is_started_again_while_people_play(void **state)
{
    (void)state;
    carry_out("rolling-restart", 1);
}

/* ---- whether a verdict can fail -------------------------------------------------------------- */

/* A room of one whose last entries are guesses, since a game goes on there; -1: none. */
static int guessing(const uint32_t *games)
{
    for (int r = 0; r < ROOMS; r++) {
        const struct crowd_client *client = yard.crowd->rooms[r].clients;
        const struct ws_view *view = &client->ws.view;
        if (yard.crowd->rooms[r].client_count == 1 && client->act_count >= 3 && !client->waits &&
            view->state == WS_PLAYING && view->game_number == games[r])
            return r;
    }
    return -1;
}

/* Judges, lets the crowd play, falsifies a log with a script (ARGV: code), judges again. */
static void falsify(const char *script, struct verdict_counts *counts)
{
    struct redis_fixture own = drill_redis(&yard);
    uint32_t games[ROOMS];
    assert_true(verdict_reach(&yard.verdict, yard.redis));
    struct verdict_counts before = yard.verdict.counts;
    for (int r = 0; r < ROOMS; r++) games[r] = yard.crowd->rooms[r].clients[0].ws.view.game_number;
    int room = -1;
    for (int i = 0; room < 0 && i < 20; i++) {
        crowd_play(yard.crowd, PACE_MS);
        room = guessing(games);
    }
    assert_true(room >= 0);
    const char *code = yard.crowd->rooms[room].code;
    assert_int_equal(redis_fixture_command(&own, "EVAL %s 0 %s", script, code), 1);
    assert_true(verdict_reach(&yard.verdict, yard.redis));
    *counts = yard.verdict.counts;
    counts->lost -= before.lost;
    counts->doubled -= before.doubled;
    counts->unheld -= before.unheld;
    counts->differing -= before.differing;
}

#define OF_THE_ROOM                                             \
    "local id = redis.call('GET', 'code:{' .. ARGV[1] .. '}') " \
    "local room, log = 'room:{' .. id .. '}', 'log:{' .. id .. '}' "

/* As if the last append had never been. */
static void a_verdict_misses_an_action_that_is_not_in_the_log(void **state)
{
    (void)state;
    struct verdict_counts counts;
    falsify(OF_THE_ROOM "redis.call('RPOP', log) redis.call('HINCRBY', room, 'pos', -1) return 1",
            &counts);
    assert_int_equal(counts.lost, 1);
    assert_int_equal(counts.doubled, 0);
    assert_int_equal(counts.unheld, 1);
    assert_false(verdict_is_clean(&yard.verdict));
}

static void a_verdict_sees_an_action_that_is_in_the_log_twice(void **state)
{
    (void)state;
    struct verdict_counts counts;
    falsify(OF_THE_ROOM "redis.call('RPUSH', log, redis.call('LINDEX', log, -1)) "
                        "redis.call('HINCRBY', room, 'pos', 1) return 1",
            &counts);
    assert_int_equal(counts.doubled, 1);
    assert_true(counts.differing >= 1);
    assert_false(verdict_is_clean(&yard.verdict));
}

#define TEST(name) cmocka_unit_test(name)

/* An argument chooses tests: a name with * and ?. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        TEST(killed_workers_cost_nothing),
        TEST(killed_gateways_cost_nothing),
        TEST(killed_timers_stop_no_room),
        TEST(killed_matchmakers_stop_no_room),
        TEST(a_frozen_worker_that_wakes_harms_nothing),
        TEST(frozen_gateways_cost_nothing),
        TEST(frozen_timers_stop_no_room),
        TEST(frozen_matchmakers_stop_no_room),
        TEST(a_worker_told_to_leave_leaves_no_room_behind),
        TEST(a_worker_with_another_clock_changes_no_deadline),
        TEST(who_does_not_read_disturbs_nobody),
        TEST(everything_is_started_again_while_people_play),
        TEST(a_verdict_misses_an_action_that_is_not_in_the_log),
        TEST(a_verdict_sees_an_action_that_is_in_the_log_twice),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
