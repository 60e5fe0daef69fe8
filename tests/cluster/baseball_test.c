/* SPDX-License-Identifier: Apache-2.0
 *
 * Number baseball over the real cluster: twelve people at once, one of whom comes back in the
 * middle, workers that die, and one who plays alone.
 */
#include "cluster/party.h"
#include "unit/test.h"

#include <signal.h>
#include <stdio.h>

enum { ALL = 12, GAME_MS = 180 * 1000, LOOK_MS = 50 };

static void play_rounds(int count, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        int accepted = 0;
        const char *fault = bots_round(party, count, &accepted);
        if (fault) fail_msg("%s", fault);
        assert_true(accepted > 0);
    }
}

/* After the countdown. */
static void wait_for_play(int count)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    const struct bot *bot = bot_find("number-baseball");
    for (int ms = 0; bot->move(&party[0], bytes) == 0; ms += LOOK_MS) {
        assert_true(ms < PARTY_PATIENCE_MS);
        party_pump(count, LOOK_MS);
    }
}

static void begin(int count)
{
    party_start("number-baseball", count, NULL);
    wait_for_play(count);
}

/* The board counts one game, and points for three ranks. */
static void expect_a_board(int count)
{
    int with_points[4] = {0};
    uint32_t wins = 0;
    for (int i = 0; i < count; i++) {
        uint32_t points = party[0].view.seats[i].points;
        assert_int_equal(party[0].view.seats[i].games, 1);
        assert_in_range(points, 0, 3);
        with_points[points]++;
        wins += party[0].view.seats[i].wins;
    }
    assert_true(with_points[3] >= 1);
    assert_int_equal(wins, with_points[3]);
}

static void twelve_play_to_the_end_and_one_comes_back_in_the_middle(void **state)
{
    (void)state;
    struct buf before = {0};
    struct ws_client *traveller = &party[5];
    begin(ALL);
    play_rounds(ALL, 2);
    party_pump(ALL, 200);
    buf_put_slice(&before, buf_slice(&traveller->mine));
    uint32_t generation = traveller->generation;
    assert_true(before.len > 0);

    ws_cut(traveller);
    buf_clear(&traveller->mine); /* a page that is loaded anew knows nothing */
    traveller->version = (struct version){0};
    assert_true(ws_come_back(traveller, party_cluster.port, PARTY_PATIENCE_MS));
    assert_true(ws_wait(traveller, ws_is_playing, NULL, PARTY_PATIENCE_MS));
    assert_true(traveller->generation > generation);
    assert_true(slice_equal(buf_slice(&before), buf_slice(&traveller->mine)));
    buf_fini(&before);

    party_play(ALL, GAME_MS);
    expect_a_board(ALL);
}

static void a_killed_worker_loses_no_guess_and_keeps_the_secret(void **state)
{
    (void)state;
    begin(4);
    play_rounds(4, 2);
    for (int w = 0; w < party_cluster.workers; w++) {
        char name[32];
        uint64_t counters[4];
        for (int i = 0; i < 4; i++) counters[i] = party[i].counter;
        snprintf(name, sizeof name, "worker-%d", w);
        assert_true(cluster_signal(&party_cluster, name, SIGKILL));
        party_pump(4, 1500);
        int accepted;
        assert_null(bots_round(party, 4, &accepted));
        for (int i = 0; i < 4; i++) assert_true(party[i].counter >= counters[i]);
    }
    party_play(4, GAME_MS); /* the bots hold every judgement against the secret */
    expect_a_board(4);
}

static void alone_it_is_practice_and_counts_nothing(void **state)
{
    (void)state;
    begin(1);
    party_play(1, GAME_MS);
    assert_int_equal(party[0].view.state, WS_RESULT);
    assert_int_equal(party[0].view.seats[0].games, 0);
    assert_int_equal(party[0].view.seats[0].wins, 0);
    assert_int_equal(party[0].view.seats[0].points, 0);
}

static void a_rematch_has_another_secret(void **state)
{
    (void)state;
    struct buf first = {0};
    begin(2);
    party_play(2, GAME_MS);
    buf_put_slice(&first, buf_slice(&party[0].game));
    assert_true(ws_start(&party[party[0].view.host], PARTY_PATIENCE_MS));
    wait_for_play(2);
    party_play(2, GAME_MS);
    assert_int_equal(party[0].view.game_number, 2);
    assert_false(slice_equal(buf_slice(&first), buf_slice(&party[0].game)));
    buf_fini(&first);
}

#define TEST(name) cmocka_unit_test_teardown(name, party_leave)

/* An argument chooses tests: a name with * and ?. */
int main(void)
{
    return RUN_TESTS_BETWEEN(party_open, party_close,
                             TEST(twelve_play_to_the_end_and_one_comes_back_in_the_middle),
                             TEST(a_killed_worker_loses_no_guess_and_keeps_the_secret),
                             TEST(alone_it_is_practice_and_counts_nothing),
                             TEST(a_rematch_has_another_secret));
}
