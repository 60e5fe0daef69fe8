/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a verdict finds what it is there to find: a log is falsified, a memory is, a cluster
 * stands still. A drill that cannot fail tells nothing.
 */
#include "drill/brief.h"
#include "unit/test.h"

#include <signal.h>

enum { ROOMS = BRIEF_ROOMS, PACE_MS = BRIEF_PACE_MS, PACES_MAX = 20 };

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

static struct verdict_counts before;

/* One person alone whose last entries are guesses, since a game goes on there, and whose screens
 * are kept; NULL: nobody. */
static struct crowd_client *guessing(const uint32_t *games)
{
    for (int r = 0; r < ROOMS; r++) {
        const struct crowd_room *room = &yard.crowd->rooms[r];
        const struct ws_view *view = &room->clients[0].ws.view;
        if (room->close && room->client_count == 1 && room->clients[0].act_count >= 3 &&
            !room->clients[0].waits && view->state == WS_PLAYING && view->game_number == games[r])
            return &room->clients[0];
    }
    return NULL;
}

/* Judges, and lets the crowd play until there is somebody to falsify. */
static struct crowd_client *play_on(void)
{
    uint32_t games[ROOMS];
    struct crowd_client *client = NULL;
    assert_true(verdict_reach(&yard.verdict, yard.redis));
    before = yard.verdict.counts;
    for (int r = 0; r < ROOMS; r++) games[r] = yard.crowd->rooms[r].clients[0].ws.view.game_number;
    for (int i = 0; !client && i < PACES_MAX; i++) {
        crowd_play(yard.crowd, PACE_MS);
        client = guessing(games);
    }
    assert_non_null(client);
    return client;
}

/* What the next verdict adds. */
static struct verdict_counts judge(void)
{
    assert_true(verdict_reach(&yard.verdict, yard.redis));
    struct verdict_counts counts = yard.verdict.counts;
    counts.lost -= before.lost;
    counts.doubled -= before.doubled;
    counts.strange -= before.strange;
    counts.unheld -= before.unheld;
    counts.differing -= before.differing;
    return counts;
}

static void a_verdict_on_what_happened_is_clean(void **state)
{
    (void)state;
    play_on();
    struct verdict_counts counts = judge();
    assert_true(verdict_is_clean(&yard.verdict));
    assert_true(counts.screens > 0 && counts.actions > ROOMS);
}

static void a_verdict_sees_a_screen_that_never_was(void **state)
{
    (void)state;
    struct crowd_client *client = play_on();
    client->shown[client->shown_count - 1].hash.byte[0] ^= 1;
    assert_int_equal(judge().unheld, 1);
    assert_false(verdict_is_clean(&yard.verdict));
}

static void a_verdict_sees_an_action_that_nobody_made(void **state)
{
    (void)state;
    struct crowd_client *client = play_on();
    client->acts[client->act_count - 1].hash ^= 1;
    assert_int_equal(judge().strange, 1);
}

static void frames_of_a_former_owner_are_counted(void **state)
{
    (void)state;
    struct crowd_client *client = play_on();
    client->room->floor = client->room->epoch + 1;
    crowd_play(yard.crowd, 2 * PACE_MS);
    assert_true(yard.crowd->counts.late_frames > 0);
    client->room->floor = 0;
}

static void rooms_that_stand_still_are_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_true(cluster_signal(&yard.cluster, i ? "worker-1" : "worker-0", SIGSTOP));
    crowd_play(yard.crowd, PACE_MS);
    instant_ms since = yard.crowd->now;
    crowd_play(yard.crowd, 4 * PACE_MS);
    int stalled = crowd_stalled(yard.crowd, since);
    for (int i = 0; i < 2; i++)
        assert_true(cluster_signal(&yard.cluster, i ? "worker-1" : "worker-0", SIGCONT));
    assert_true(stalled > ROOMS / 2);
    crowd_mark(yard.crowd);
    assert_true(crowd_play_until(yard.crowd, crowd_is_calm, DRILL_CALM_MS));
}

/* ---- logs that lie --------------------------------------------------------------------------- */

/* By a script (ARGV: code). */
static struct verdict_counts falsify(const char *script)
{
    struct redis_fixture own = drill_redis(&yard);
    const struct crowd_client *client = play_on();
    assert_int_equal(redis_fixture_command(&own, "EVAL %s 0 %s", script, client->room->code), 1);
    return judge();
}

#define OF_THE_ROOM                                             \
    "local id = redis.call('GET', 'code:{' .. ARGV[1] .. '}') " \
    "local log = 'log:{' .. id .. '}' "

/* As if the last append had never been. */
static void a_verdict_misses_an_action_that_is_not_in_the_log(void **state)
{
    (void)state;
    struct verdict_counts counts = falsify(OF_THE_ROOM "redis.call('RPOP', log) return 1");
    assert_int_equal(counts.lost, 1);
    assert_int_equal(counts.doubled, 0);
    assert_int_equal(counts.unheld, 1);
}

static void a_verdict_sees_an_action_that_is_in_the_log_twice(void **state)
{
    (void)state;
    struct verdict_counts counts =
        falsify(OF_THE_ROOM "redis.call('RPUSH', log, redis.call('LINDEX', log, -1)) return 1");
    assert_int_equal(counts.doubled, 1);
    assert_true(counts.differing >= 1);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    return RUN_TESTS_BETWEEN(set_up, tear_down, TEST(a_verdict_on_what_happened_is_clean),
                             TEST(a_verdict_sees_a_screen_that_never_was),
                             TEST(a_verdict_sees_an_action_that_nobody_made),
                             TEST(frames_of_a_former_owner_are_counted),
                             TEST(rooms_that_stand_still_are_counted),
                             TEST(a_verdict_misses_an_action_that_is_not_in_the_log),
                             TEST(a_verdict_sees_an_action_that_is_in_the_log_twice));
}
