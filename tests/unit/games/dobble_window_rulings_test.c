/* SPDX-License-Identifier: Apache-2.0
 *
 * Ruling B9: the compensation window.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

/* ---- B9: compensation ------------------------------------------------------------------------ */

static void b9_nobody_sees_anything_of_a_claim_until_the_window_ends(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3, .light = true});
        match_wait(&match, 1000);
        struct buf before = match_seen(&match.state);
        assert_int_equal(match_right(&match, 0), 0);
        assert_true(match.events.hidden);
        assert_int_equal(match.events.count, 0);
        struct buf within = match_seen(&match.state);
        assert_true(slice_equal(buf_slice(&before), buf_slice(&within)));
        match_wait(&match, DOBBLE_WINDOW_MS - 1);
        assert_int_equal(match.state.window_len, 1);
        match_wait(&match, 1);
        assert_false(match.events.hidden);
        assert_true(match_told(&match, DOBBLE_TOLD(FOUND)));
        buf_fini(&before);
        buf_fini(&within);
    }
    match_close(&match);
}

static void b9_wrong_claims_lock_at_once_and_leave_the_window_alone(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 3, .light = true});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match_wrong(&match, 1), 0);
    assert_true(match_told(&match, DOBBLE_TOLD(WRONG)));
    assert_int_equal(match_right(&match, 1), DOBBLE_LOCKED); /* a lock keeps one out */
    assert_int_equal(match_wrong(&match, 0), 0);             /* and the one inside stays inside */
    assert_int_equal(match.state.window_len, 1);
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.seat[0].pile.len, 2);
    match_close(&match);
}

static void b9_a_second_claim_changes_nothing_and_a_disconnect_keeps_the_first(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 3, .light = true});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    match_wait(&match, 10);
    match.rtt_ms = 160;
    struct dobble_state before = match.state;
    assert_int_equal(match_right(&match, 0), 0);
    assert_true(match_same(&before, &match.state));
    match_presence(&match, 0, false);
    assert_int_equal(match.state.window_len, 1);
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.seat[0].pile.len, 2);
    match_close(&match);
}

static void b9_order_is_by_adjusted_time_then_receive_time_then_arrival(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t rtt[3];
        instant_ms gap;
        int winner;
    } cases[] = {
        {{0, 0, 0}, 0, 0},       /* same ms: arrival */
        {{0, 20, 20}, 10, 0},    /* adjusted alike: the one received first */
        {{0, 22, 44}, 10, 2},    /* -2 against -1 and 0 */
        {{0, 0, 160}, 10, 2},    /* the longest way that counts */
        {{160, 160, 160}, 1, 0}, /* alike for all: as without */
        {{0, 40, 1000}, 25, 2},  /* capped at 80 ms: still -30 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct match match = {0};
        match_open(&match, &(struct match_options){.seats = 3, .light = true});
        match_wait(&match, 1000);
        for (int seat = 0; seat < 3; seat++) {
            match.rtt_ms = cases[i].rtt[seat];
            assert_int_equal(match_right(&match, seat), 0);
            if (seat < 2) match_wait(&match, cases[i].gap);
        }
        match_wait(&match, DOBBLE_WINDOW_MS);
        for (int seat = 0; seat < 3; seat++)
            assert_int_equal(match.state.seat[seat].pile.len, seat == cases[i].winner ? 2 : 1);
        match_close(&match);
    }
}

static void b9_each_is_judged_again_so_independent_transfers_both_succeed(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_HOT_POTATO, .seats = 5, .light = true});
    match_wait(&match, 1000);
    assert_int_equal(match_right_to(&match, 0, 1), 0);
    assert_int_equal(match_right_to(&match, 2, 3), 0);
    assert_int_equal(match_right_to(&match, 4, 1), 0); /* 1 will hold another card by then */
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.seat[0].part, DOBBLE_ESCAPED);
    assert_int_equal(match.state.seat[2].part, DOBBLE_ESCAPED);
    assert_int_equal(match.state.seat[4].part, DOBBLE_IN);
    assert_int_equal(match.state.seat[1].pile.len, 2);
    assert_int_equal(match.state.seat[3].pile.len, 2);
    assert_true(match_told(&match, DOBBLE_TOLD(BEATEN)));
    match_close(&match);
}

/* All that the window's end tells, when seat 0 wins and the others' round trips are these. */
static void told_with(uint32_t rtt_1, uint32_t rtt_2, struct buf *out)
{
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 3, .light = true});
    match_wait(&match, 1000);
    for (int seat = 0; seat < 3; seat++) {
        match.rtt_ms = (uint32_t[]){160, rtt_1, rtt_2}[seat];
        assert_int_equal(match_right(&match, seat), 0);
    }
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.events.count, 3);
    for (int i = 0; i < match.events.count; i++) buf_put_sized(out, match.events.list[i].shared);
    match_close(&match);
}

static void b9_the_order_of_those_who_were_beaten_tells_nothing_of_their_round_trips(void **unused)
{
    (void)unused;
    struct buf a = {0}, b = {0};
    told_with(20, 80, &a);
    told_with(80, 20, &b);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.at, b.at, a.len);
    buf_fini(&a);
    buf_fini(&b);
}

static void b9_an_early_late_or_repeated_timer_message_changes_nothing(void **unused)
{
    (void)unused;
    struct match match = {0}, other = {0};
    struct match_options options = {.seats = 2, .light = true};
    match_open(&match, &options);
    match_open(&other, &options);
    match_wait(&match, 1000);
    match_wait(&other, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match_right(&other, 0), 0);
    match.now += 30;
    match_fire(&match); /* early */
    assert_int_equal(match.state.window_len, 1);
    match.now -= 30;
    match_wait(&match, DOBBLE_WINDOW_MS);
    match_fire(&match); /* again */
    /* In the other game no message comes at all: the next claim brings the clock with it. */
    other.now += 500;
    struct dobble_action late = match_answer(&other, 1);
    assert_int_equal(match_act(&other, 1, &late), DOBBLE_LATE);
    assert_true(match_same(&match.state, &other.state));
    match_close(&match);
    match_close(&other);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(b9_nobody_sees_anything_of_a_claim_until_the_window_ends),
        cmocka_unit_test(b9_wrong_claims_lock_at_once_and_leave_the_window_alone),
        cmocka_unit_test(b9_a_second_claim_changes_nothing_and_a_disconnect_keeps_the_first),
        cmocka_unit_test(b9_order_is_by_adjusted_time_then_receive_time_then_arrival),
        cmocka_unit_test(b9_each_is_judged_again_so_independent_transfers_both_succeed),
        cmocka_unit_test(b9_the_order_of_those_who_were_beaten_tells_nothing_of_their_round_trips),
        cmocka_unit_test(b9_an_early_late_or_repeated_timer_message_changes_nothing));
}
