/* SPDX-License-Identifier: Apache-2.0
 *
 * What a claim on the tower costs on the wire, as far as the game decides it: frames tell of a view
 * what differs from the one before, so little may differ, and what was there must be there byte for
 * byte.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

typedef Madang__V1__Dobble__Card wire_card;
enum { CARD_BYTES = 12, VIEW_BYTES_MAX = 150, FOUND_BYTES_MAX = 6 };

static void exchange(wire_card **a, wire_card **b)
{
    wire_card *kept = *a;
    *a = *b;
    *b = kept;
}

/* Of the view before the claim and the card that was turned up, the view after it is made. */
static void expect_after(const struct match *match, dobble_wire_view *before, int winner)
{
    struct buf is = {0}, should = {0};
    dobble_wire_view *after = match_view(match);
    Madang__V1__Dobble__Seat *seat = before->seats[winner];
    exchange(&seat->top, &before->centre);
    exchange(&before->centre, &after->centre);
    assert_int_equal(before->centre->all.len, CARD_BYTES);
    before->draw_count--;
    seat->cards++;
    seat->correct++;
    dobble_view(&match->state, &(struct game_viewer){GAME_SPECTATOR, false}, &is, NULL);
    size_t len = madang__v1__dobble__view__get_packed_size(before);
    madang__v1__dobble__view__pack(before, buf_extend(&should, len));
    assert_int_equal(is.len, len);
    assert_memory_equal(is.at, should.at, len);
    assert_in_range(len, 1, VIEW_BYTES_MAX);
    buf_fini(&is);
    buf_fini(&should);
    match_free_view(after);
}

static void a_claim_changes_two_cards_and_three_counts_of_the_view(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (uint32_t seed = 0; seed < 20; seed++) {
        match_open(&match, &(struct match_options){.seats = 4, .seed = seed});
        while (match.state.draw.len > 0) {
            int winner = match.state.draw.len * 7 % 4;
            dobble_wire_view *before = match_view(&match);
            match_wait(&match, 1000);
            assert_int_equal(match_right(&match, winner), 0);
            assert_int_equal(match.events.count, 1);
            assert_in_range(match.events.list[0].shared.len, 1, FOUND_BYTES_MAX);
            expect_after(&match, before, winner);
            match_free_view(before);
        }
    }
    match_close(&match);
}

/* The end of a lock that is long over is not sent with every claim. */
static void a_lock_is_gone_from_the_view_when_its_seat_has_won_again(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){0});
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_true(match.state.seat[0].locked_until > match.now);
    match_wait(&match, 1000);
    assert_true(match.state.seat[0].locked_until > 0);
    assert_int_equal(match_right(&match, 0), 0);
    assert_int_equal(match.state.seat[0].locked_until, 0);
    match_close(&match);
}

/* One that a wrong claim has begun while a right one waited goes on. */
static void a_lock_that_is_not_over_outlives_a_win_of_the_window(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.light = true});
    match_wait(&match, 1000);
    assert_int_equal(match_right(&match, 0), 0);
    match_wait(&match, 10);
    assert_int_equal(match_wrong(&match, 0), 0);
    instant_ms until = match.state.seat[0].locked_until;
    match_wait(&match, DOBBLE_WINDOW_MS);
    assert_int_equal(match.state.seat[0].correct, 1);
    assert_true(until > match.now && match.state.seat[0].locked_until == until);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_claim_changes_two_cards_and_three_counts_of_the_view),
                     cmocka_unit_test(a_lock_is_gone_from_the_view_when_its_seat_has_won_again),
                     cmocka_unit_test(a_lock_that_is_not_over_outlives_a_win_of_the_window));
}
