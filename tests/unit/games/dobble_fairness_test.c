/* SPDX-License-Identifier: Apache-2.0
 *
 * Fairness as properties: four seats race for one card, with compensation and without.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

/* Receive times, claims and round trips of one window; who wins it. */
struct race {
    instant_ms at[4];
    uint32_t rtt[4];
};

static int winner_of(const struct race *race, bool light, uint32_t seed)
{
    struct match match = {0};
    int order[4] = {0, 1, 2, 3}, winner = -1;
    match_open(&match, &(struct match_options){.seats = 4, .light = light, .seed = seed});
    match_wait(&match, 1000);
    instant_ms start = match.now;
    for (int i = 1; i < 4; i++) /* by arrival */
        for (int k = i; k > 0 && race->at[order[k - 1]] > race->at[order[k]]; k--) {
            int moving = order[k];
            order[k] = order[k - 1];
            order[k - 1] = moving;
        }
    struct dobble_action action[4];
    for (int seat = 0; seat < 4; seat++) action[seat] = match_answer(&match, seat);
    for (int i = 0; i < 4; i++) {
        match.now = start + race->at[order[i]];
        match.rtt_ms = race->rtt[order[i]];
        match_act(&match, order[i], &action[order[i]]);
    }
    match_wait(&match, 100);
    for (int seat = 0; seat < 4; seat++)
        if (match.state.seat[seat].correct) winner = winner < 0 ? seat : 9;
    match_close(&match);
    return winner;
}

static struct race random_race(struct rng *rng)
{
    struct race race;
    for (int seat = 0; seat < 4; seat++) {
        race.at[seat] = rng_below(rng, 90);
        race.rtt[seat] = rng_below(rng, 320);
    }
    return race;
}

static void equal_round_trips_give_the_result_of_no_compensation(void **unused)
{
    (void)unused;
    struct game_seed seed = {{1}};
    struct rng rng;
    rng_init(&rng, &seed, "races");
    for (uint32_t i = 0; i < 400; i++) {
        struct race race = random_race(&rng);
        for (int seat = 1; seat < 4; seat++) race.rtt[seat] = race.rtt[0];
        int off = winner_of(&race, false, i);
        assert_in_range(off, 0, 3);
        assert_int_equal(winner_of(&race, true, i), off);
    }
}

static void arriving_earlier_never_turns_a_win_into_a_loss(void **unused)
{
    (void)unused;
    struct game_seed seed = {{2}};
    struct rng rng;
    rng_init(&rng, &seed, "races");
    for (uint32_t i = 0; i < 600; i++) {
        struct race race = random_race(&rng);
        int winner = winner_of(&race, true, i);
        assert_in_range(winner, 0, 3);
        race.at[winner] = rng_below(&rng, (uint32_t)race.at[winner] + 1);
        /* Not so early that it opens a window of its own in which others now fit: they lost to a
         * later claim, and lose to this one. */
        assert_int_equal(winner_of(&race, true, i), winner);
    }
}

static void round_trips_beyond_160_ms_change_nothing(void **unused)
{
    (void)unused;
    struct game_seed seed = {{3}};
    struct rng rng;
    rng_init(&rng, &seed, "races");
    for (uint32_t i = 0; i < 400; i++) {
        struct race race = random_race(&rng), longer;
        longer = race;
        for (int seat = 0; seat < 4; seat++)
            if (race.rtt[seat] >= 160) longer.rtt[seat] = 160 + rng_below(&rng, 100000);
        assert_int_equal(winner_of(&longer, true, i), winner_of(&race, true, i));
    }
}

static void what_a_client_adds_to_a_claim_is_inert(void **unused)
{
    (void)unused;
    /* An unknown field 15 with a time in it, after a right claim. */
    static const uint8_t sent_at[] = {0x78, 0x80, 0x89, 0x7a};
    struct match plain = {0}, with = {0};
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct match_options options = {.seats = 3, .light = true};
    match_open(&plain, &options);
    match_open(&with, &options);
    struct dobble_action action = match_answer(&plain, 1);
    size_t len = dobble_write_action(&action, bytes);
    assert_int_equal(match_bytes(&plain, 1, slice_of(bytes, len)), 0);
    memcpy(bytes + len, sent_at, sizeof sent_at);
    assert_int_equal(match_bytes(&with, 1, slice_of(bytes, len + sizeof sent_at)), 0);
    assert_true(match_same(&plain.state, &with.state));
    match_close(&plain);
    match_close(&with);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(equal_round_trips_give_the_result_of_no_compensation),
                     cmocka_unit_test(arriving_earlier_never_turns_a_win_into_a_loss),
                     cmocka_unit_test(round_trips_beyond_160_ms_change_nothing),
                     cmocka_unit_test(what_a_client_adds_to_a_claim_is_inert));
}
