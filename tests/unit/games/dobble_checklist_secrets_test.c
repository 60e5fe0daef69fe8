/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the spec's checklist, section 10: what nobody may see, replay, and suspicion.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

#include "base/hash.h"

/* Cards that lie open now, by the rules and not by see.c. */
static uint64_t lying_open(const struct dobble_state *state)
{
    uint64_t mask = 0;
    if (state->phase == DOBBLE_COUNTDOWN || state->phase == DOBBLE_PAUSED) return 0;
    for (int s = 0; s < state->seats && state->rules.mini_game != DOBBLE_TRIPLET; s++) {
        const struct dobble_pile *pile = &state->seat[s].pile;
        if (pile->len) mask |= UINT64_C(1) << pile->card[pile->len - 1];
    }
    if (state->centre.len) mask |= UINT64_C(1) << state->centre.card[state->centre.len - 1];
    for (int p = 0; p < DOBBLE_PLACES; p++)
        if (state->open[p]) mask |= UINT64_C(1) << state->open[p];
    return mask;
}

static void seen(const struct dobble_state *state, const Madang__V1__Dobble__Card *card,
                 uint64_t *shown)
{
    if (card == NULL || card->all.len == 0) return;
    int number = card->all.data[0];
    assert_true(lying_open(state) >> number & 1);
    *shown |= UINT64_C(1) << number;
    assert_int_equal(card->all.len, 1 + sizeof state->card[0]);
    assert_memory_equal(card->all.data + 1, &state->card[number - 1], sizeof state->card[0]);
}

/* On how many of these cards a picture is. */
static int bearers(const struct dobble_state *state, uint64_t cards, uint32_t art)
{
    int count = 0;
    for (int card = 1; card <= 57; card++)
        count += cards >> card & 1 && dobble_bears(state, card, (int)art);
    return count;
}

static void look(const struct match *match, uint64_t *ever)
{
    dobble_wire_view *view = match_view(match);
    uint64_t shown = 0;
    seen(&match->state, view->centre, &shown);
    for (size_t i = 0; i < view->n_places; i++) seen(&match->state, view->places[i], &shown);
    for (size_t i = 0; i < view->n_seats; i++) seen(&match->state, view->seats[i]->top, &shown);
    if (match->state.phase == DOBBLE_PLAYING || match->state.phase == DOBBLE_HINT)
        assert_true(shown == lying_open(&match->state)); /* and nothing is missing */
    for (int i = 0; i < match->events.count; i++) {
        struct slice bytes = match->events.list[i].shared;
        dobble_wire_event *event = madang__v1__dobble__event__unpack(NULL, bytes.len, bytes.at);
        if (event->kind_case == DOBBLE_TOLD(FOUND)) /* on two cards that were seen before */
            assert_true(bearers(&match->state, *ever, event->found->art) >= 2);
        madang__v1__dobble__event__free_unpacked(event, NULL);
    }
    *ever |= shown;
    match_free_view(view);
}

static void no_view_or_event_tells_of_a_card_that_does_not_lie_open(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (uint32_t seed = 0; seed < 100; seed++) {
        struct game_seed key = {{(uint8_t)seed, 7}};
        struct rng rng;
        uint64_t ever = 0;
        rng_init(&rng, &key, "looking");
        match_set_up(&match, &(struct match_options){.mini_game = 1 + (int)seed % 5,
                                                     .seats = 2 + (int)seed / 5 % 7,
                                                     .gives_card = true,
                                                     .light = seed % 2,
                                                     .seed = seed});
        look(&match, &ever);
        for (int i = 0; i < 200 && match.state.phase != DOBBLE_FINISHED; i++) {
            uint8_t bytes[GAME_ACTION_BYTES_MAX];
            int seat = (int)rng_below(&rng, match.state.seats);
            if (rng_below(&rng, 20) == 0)
                match_presence(&match, seat, rng_below(&rng, 2));
            else if (rng_below(&rng, 6) == 0)
                match_clock(&match);
            look(&match, &ever);
            size_t len = dobble_random_action(&match.state, seat, 0, &rng, bytes);
            if (dobble_deadline(&match.state) <= match.now + 300) continue;
            match.now += rng_below(&rng, 300);
            if (len) match_bytes(&match, seat, slice_of(bytes, len));
            look(&match, &ever);
        }
    }
    match_close(&match);
}

static void the_same_seed_and_log_give_the_same_game(void **unused)
{
    (void)unused;
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        struct match a = {0}, b = {0};
        struct match_options options = {
            .mini_game = mini, .seats = 3, .light = mini % 2, .seed = 4};
        match_open(&a, &options);
        match_open(&b, &options);
        for (int i = 0; a.state.phase != DOBBLE_FINISHED; i++) {
            match_wait(&a, 900);
            match_wait(&b, 900);
            int seat = i % 3;
            assert_int_equal(i % 7 ? match_right(&a, seat) : match_wrong(&a, seat),
                             i % 7 ? match_right(&b, seat) : match_wrong(&b, seat));
            assert_true(
                id128_equal(game_hash(&dobble_game, &a.state), game_hash(&dobble_game, &b.state)));
        }
        match_close(&a);
        match_close(&b);
    }
}

static size_t suspects(const struct match *match, int seat, bool host)
{
    dobble_wire_mine *mine = match_mine(match, seat, host);
    size_t count = mine->n_suspects;
    if (count) assert_int_equal(mine->suspects[0], 0);
    match_free_mine(mine);
    return count;
}

static void five_hits_in_a_row_below_200_ms_are_shown_to_the_host_alone(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    for (int hit = 0; hit < 5; hit++) {
        assert_int_equal(suspects(&match, 1, true), 0);
        match_wait(&match, 199);
        assert_int_equal(match_right(&match, 0), 0);
    }
    assert_int_equal(suspects(&match, 1, true), 1);
    assert_int_equal(suspects(&match, 0, true), 1);
    assert_int_equal(suspects(&match, 0, false), 0);
    assert_int_equal(suspects(&match, 1, false), 0);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(no_view_or_event_tells_of_a_card_that_does_not_lie_open),
                     cmocka_unit_test(the_same_seed_and_log_give_the_same_game),
                     cmocka_unit_test(five_hits_in_a_row_below_200_ms_are_shown_to_the_host_alone));
}
