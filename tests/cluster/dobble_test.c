/* SPDX-License-Identifier: Apache-2.0
 *
 * Dobble over the real cluster: eight people in each mini-game to the end, and what happens between
 * them in fractions of a second: claims at once, late, wrong and doubled, the window of
 * `latencyComp = light` and its timer, a forfeit by disconnect.
 */
#include "cluster/bot_dobble.h"
#include "cluster/party.h"
#include "ops/system.h"
#include "unit/test.h"

#include <stdio.h>

enum { ALL = 8, GAME_MS = 180 * 1000, SOON_MS = 30 * 1000, FAR_MS = 160 };

/* The numbers of dobble.proto. */
enum { TOWER = 1, WELL, HOT_POTATO, POISONED_GIFT, TRIPLET };
enum { PLAYING = 2 };
enum { PLAYED = 1, TOO_FEW = 4 };
enum { LOCKED = 8, LATE = 9 };

static struct bot_dobble_table table_of(const struct ws_client *player)
{
    struct bot_dobble_table table;
    assert_true(bot_dobble_look(player, &table));
    return table;
}

static bool cards_lie_open(const struct ws_client *player, const void *unused)
{
    struct bot_dobble_table table;
    (void)unused;
    return bot_dobble_look(player, &table) && table.phase == PLAYING;
}

static void begin(int count, int mini_game, struct party_option more)
{
    struct party_option options[] = {{"miniGame", mini_game}, more, {NULL, 0}};
    party_start("dobble", count, options);
    for (int i = 0; i < count; i++) assert_true(ws_wait(&party[i], cards_lie_open, NULL, SOON_MS));
}

static const struct party_option nothing = {NULL, 0};

/* ---- whole games ----------------------------------------------------------------------------- */

struct total {
    int cards, correct;
};

static struct total total(void)
{
    struct bot_dobble_table table = table_of(&party[0]);
    struct total all = {0, 0};
    assert_int_equal(table.seats, ALL);
    assert_int_equal(table.ending, PLAYED);
    for (int seat = 0; seat < ALL; seat++) {
        assert_in_range(table.seat[seat].rank, 1, ALL);
        all.cards += table.seat[seat].cards;
        all.correct += table.seat[seat].correct;
    }
    return all;
}

static void expect_a_board(void)
{
    struct bot_dobble_table table = table_of(&party[0]);
    for (int i = 0; i < ALL; i++) {
        int seat = bot_game_seat(&party[i]), rank = table.seat[seat].rank;
        uint32_t points = rank >= 1 && rank <= 3 ? (uint32_t)(4 - rank) : 0;
        assert_int_equal(party[0].view.seats[party[i].seat].games, 1);
        assert_int_equal(party[0].view.seats[party[i].seat].points, points);
    }
}

static void eight_build_towers_until_the_deck_is_claimed(void **state)
{
    (void)state;
    begin(ALL, TOWER, nothing);
    party_play(ALL, GAME_MS);
    assert_int_equal(total().cards, 57);
    assert_int_equal(total().correct, 57 - ALL);
    expect_a_board();
}

static void eight_empty_their_piles_into_the_well(void **state)
{
    (void)state;
    begin(ALL, WELL, nothing);
    party_play(ALL, GAME_MS);
    assert_int_equal(total().cards + total().correct, ALL * (56 / ALL)); /* one begins the well */
    struct bot_dobble_table table = table_of(&party[0]);
    int with_cards = 0;
    for (int seat = 0; seat < ALL; seat++) with_cards += table.seat[seat].cards > 0;
    assert_in_range(with_cards, 0, 1);
}

static void eight_throw_hot_potatoes_for_three_rounds(void **state)
{
    (void)state;
    begin(ALL, HOT_POTATO, (struct party_option){"hotPotatoRounds", 3});
    party_play(ALL, GAME_MS);
    assert_int_equal(total().correct, 3 * (ALL - 1)); /* all but one escape, each round */
    expect_a_board();
}

static void eight_give_poisoned_gifts_until_the_deck_is_given(void **state)
{
    (void)state;
    begin(ALL, POISONED_GIFT, nothing);
    party_play(ALL, GAME_MS);
    assert_int_equal(total().cards, 57);
    assert_int_equal(total().correct, 57 - ALL);
}

static void eight_look_for_triplets_until_there_is_none(void **state)
{
    (void)state;
    begin(ALL, TRIPLET, nothing);
    party_play(ALL, GAME_MS);
    assert_int_equal(total().cards, 3 * total().correct);
    assert_in_range(total().correct, (57 - 9) / 3, 57 / 3);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void claim_of(const struct ws_client *player, struct bot_claim *claim)
{
    assert_true(bot_dobble_find(player, claim));
}

static bool act(struct ws_client *player, const struct bot_claim *claim)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    size_t len = bot_dobble_write(claim, bytes);
    bool ok = ws_act(player, slice_of(bytes, len), PARTY_PATIENCE_MS);
    assert_true(player->answers > 0);
    return ok;
}

static void send(struct ws_client *player, const struct bot_claim *claim)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    ws_send_act(player, false, slice_of(bytes, bot_dobble_write(claim, bytes)));
}

static bool is_answered(const struct ws_client *player, const void *unused)
{
    (void)unused;
    return player->answers > 0;
}

static void expect_refused(const struct ws_client *player, uint32_t reason)
{
    assert_string_equal(player->answer.why.domain, "dobble");
    assert_int_equal(player->answer.why.code, reason);
}

/* Everybody's claim is right and on its way before anybody's answer is. */
static void of_eight_claims_at_once_exactly_one_wins(void **state)
{
    (void)state;
    struct bot_claim claims[ALL];
    begin(ALL, TOWER, nothing);
    for (int round = 0; round < 5; round++) {
        int won = 0;
        party_pump(ALL, 200);
        for (int i = 0; i < ALL; i++) claim_of(&party[i], &claims[i]);
        for (int i = 0; i < ALL; i++) send(&party[(i + round) % ALL], &claims[(i + round) % ALL]);
        for (int i = 0; i < ALL; i++) {
            assert_true(ws_wait(&party[i], is_answered, NULL, PARTY_PATIENCE_MS));
            if (party[i].answer.ok)
                won++;
            else
                expect_refused(&party[i], LATE);
        }
        assert_int_equal(won, 1);
    }
    party_pump(ALL, 200);
    struct bot_dobble_table table = table_of(&party[0]);
    int correct = 0, wrong = 0;
    for (int seat = 0; seat < ALL; seat++) {
        correct += table.seat[seat].correct;
        wrong += table.seat[seat].wrong;
    }
    assert_int_equal(correct, 5);
    assert_int_equal(wrong, 0);
}

static void a_wrong_picture_locks_its_player_for_a_second(void **state)
{
    (void)state;
    struct bot_claim right, wrong;
    begin(2, TOWER, nothing);
    claim_of(&party[1], &right);
    wrong = right;
    wrong.art = (right.art + 1) % 57;
    instant_ms began = clock_boot_ms();
    assert_true(act(&party[1], &wrong)); /* logged like any other action */
    assert_false(act(&party[1], &right));
    expect_refused(&party[1], LOCKED);
    assert_in_range(party[1].answer.why.params[0], 1, 1000);
    party_pump(2, 100);
    struct bot_dobble_table table = table_of(&party[0]);
    int seat = bot_game_seat(&party[1]);
    assert_int_equal(table.seat[seat].wrong, 1);
    assert_true(table.seat[seat].locked_until > 0);
    while (!act(&party[1], &right)) {
        expect_refused(&party[1], LOCKED);
        sleep_ms(20);
    }
    assert_in_range(clock_boot_ms() - began, 990, 3000);
}

static void a_late_claim_costs_nothing(void **state)
{
    (void)state;
    struct bot_claim first, second;
    begin(2, TOWER, nothing);
    claim_of(&party[0], &first);
    claim_of(&party[1], &second);
    assert_true(act(&party[0], &first));
    assert_false(act(&party[1], &second));
    expect_refused(&party[1], LATE);
    party_pump(2, 200);
    claim_of(&party[1], &second);
    assert_true(act(&party[1], &second)); /* no lock */
    party_pump(2, 200);
    struct bot_dobble_table table = table_of(&party[0]);
    for (int seat = 0; seat < 2; seat++) {
        assert_int_equal(table.seat[seat].correct, 1);
        assert_int_equal(table.seat[seat].wrong, 0);
        assert_int_equal(table.seat[seat].cards, 2);
    }
}

static void a_winners_double_tap_is_swallowed(void **state)
{
    (void)state;
    struct bot_claim claim;
    begin(2, TOWER, nothing);
    claim_of(&party[0], &claim);
    assert_true(act(&party[0], &claim));
    struct version version = party[1].version;
    assert_true(act(&party[0], &claim));
    party_pump(2, 200);
    assert_int_equal(table_of(&party[1]).seat[bot_game_seat(&party[0])].correct, 1);
    assert_true(party[1].version.seq <= version.seq + 1); /* the one that won */
}

/* ---- the window ------------------------------------------------------------------------------ */

static bool has_found(const struct ws_client *player, const void *seat)
{
    return table_of(player).seat[*(const int *)seat].correct > 0;
}

/* Nobody does anything after the claim: only the timer can end the window. */
static void the_timer_ends_a_window_and_nobody_sees_anything_before(void **state)
{
    (void)state;
    struct bot_claim claim;
    begin(2, TOWER, (struct party_option){"latencyComp", 1});
    claim_of(&party[0], &claim);
    int seat = bot_game_seat(&party[0]);
    uint64_t seq = party[1].version.seq;
    instant_ms began = clock_boot_ms();
    assert_true(act(&party[0], &claim));
    assert_int_equal(table_of(&party[0]).seat[seat].correct, 0);
    while (clock_boot_ms() < began + 40) {
        ws_pump_all(party, 2);
        assert_int_equal(table_of(&party[1]).seat[seat].correct, 0);
        assert_true(party[1].version.seq == seq);
        sleep_ms(2);
    }
    assert_true(ws_wait(&party[1], has_found, &seat, SOON_MS));
    assert_in_range(clock_boot_ms() - began, 55, 2000);
    assert_true(ws_wait(&party[0], has_found, &seat, SOON_MS));
}

/* Answers pings late for so long that the gateway measures a long way. */
static void go_far_away(struct ws_client *player)
{
    instant_ms until = clock_boot_ms() + SOON_MS;
    while (player->rtt_ms < FAR_MS && clock_boot_ms() < until) {
        sleep_ms(300);
        while (ws_pump(player, 0) == 1) continue;
    }
    assert_true(player->rtt_ms >= FAR_MS);
}

/* A claim by one and then by the other. False when the second came after the window: the machine
 * was too slow for what is to be seen. */
static bool both_claim(struct ws_client *first, struct ws_client *second)
{
    struct bot_claim one, two;
    claim_of(first, &one);
    claim_of(second, &two);
    assert_true(act(first, &one));
    if (act(second, &two)) return true;
    expect_refused(second, LATE);
    return false;
}

/* Of two claims the later one, made by somebody far away, was made earlier. */
static void the_window_makes_up_for_a_long_way(void **state)
{
    (void)state;
    begin(2, TOWER, (struct party_option){"latencyComp", 1});
    go_far_away(&party[1]);
    assert_true(party[0].rtt_ms < FAR_MS / 4);
    int far = bot_game_seat(&party[1]), before, tries = 0;
    do {
        party_pump(2, 200);
        before = table_of(&party[0]).seat[far].correct;
    } while (++tries < 20 && !both_claim(&party[0], &party[1]));
    party_pump(2, 300);
    assert_int_equal(table_of(&party[0]).seat[far].correct, before + 1);
}

/* ---- away ------------------------------------------------------------------------------------ */

static void thirty_seconds_away_forfeit_the_well(void **state)
{
    (void)state;
    begin(3, WELL, nothing);
    int seat = bot_game_seat(&party[2]);
    instant_ms began = clock_boot_ms();
    ws_cut(&party[2]);
    while (!table_of(&party[0]).seat[seat].forfeited && clock_boot_ms() < began + 40 * 1000)
        party_pump(2, 100); /* who answers no pings is away too */
    assert_in_range(clock_boot_ms() - began, 29 * 1000, 36 * 1000);
    party_play(2, GAME_MS);
    struct bot_dobble_table table = table_of(&party[0]);
    assert_int_equal(table.seat[seat].rank, 3);
    assert_int_equal(table.ending, PLAYED);
}

#define TEST(name) cmocka_unit_test_teardown(name, party_leave)

/* An argument chooses tests: a name with * and ?. */
int main(void)
{
    return RUN_TESTS_BETWEEN(
        party_open, party_close, TEST(eight_build_towers_until_the_deck_is_claimed),
        TEST(eight_empty_their_piles_into_the_well),
        TEST(eight_throw_hot_potatoes_for_three_rounds),
        TEST(eight_give_poisoned_gifts_until_the_deck_is_given),
        TEST(eight_look_for_triplets_until_there_is_none),
        TEST(of_eight_claims_at_once_exactly_one_wins),
        TEST(a_wrong_picture_locks_its_player_for_a_second), TEST(a_late_claim_costs_nothing),
        TEST(a_winners_double_tap_is_swallowed),
        TEST(the_timer_ends_a_window_and_nobody_sees_anything_before),
        TEST(the_window_makes_up_for_a_long_way), TEST(thirty_seconds_away_forfeit_the_well));
}
