/* SPDX-License-Identifier: Apache-2.0
 *
 * Rulings on options, set-up and triplet, by their numbers.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

/* ---- B1, B2: options ------------------------------------------------------------------------- */

static void b1_sizes_go_from_60_to_120_percent_and_turns_from_0_to_359(void **unused)
{
    (void)unused;
    struct match match = {0};
    bool size[200] = {false}, turn[400] = {false};
    for (uint32_t seed = 0; seed < 40; seed++) {
        match_set_up(&match, &(struct match_options){.seed = seed});
        for (int c = 0; c < 57; c++)
            for (int i = 0; i < 8; i++) {
                struct dobble_lie lie = dobble_lie(dobble_look(&match.state.card[c]), false, i);
                size[lie.size] = true;
                turn[lie.turn] = true;
            }
    }
    for (int i = 0; i < 200; i++) assert_int_equal(size[i], i >= 60 && i <= 120);
    for (int i = 0; i < 400; i++) assert_int_equal(turn[i], i < 360);
    match_close(&match);
}

static const char *verdict(const struct match_options *options, int seats, enum game_verdict want)
{
    struct game_options chosen = match_game_options(options);
    const char *text = "";
    assert_int_equal(dobble_game.check(&chosen, seats, &text), want);
    return text;
}

static void b2_rounds_are_limited_by_the_deck_with_a_note(void **unused)
{
    (void)unused;
    struct match_options options = {.mini_game = DOBBLE_HOT_POTATO, .rounds = 7, .deck_55 = true};
    assert_string_equal(verdict(&options, 8, GAME_OPTIONS_NOTE), "note.dobble.rounds");
    verdict(&options, 7, GAME_OPTIONS_OK);
    struct match match = {0};
    options.seats = 8;
    match_open(&match, &options);
    assert_int_equal(match.state.rules.rounds, 6);
    match_play_out(&match);
    assert_int_equal(match.state.round, 6);
    assert_int_equal(match.state.unused.len + match.state.draw.len, 57 - 8);
    options.deck_55 = false;
    verdict(&options, 8, GAME_OPTIONS_OK);
    match_open(&match, &options);
    assert_int_equal(match.state.rules.rounds, 7);
    match_close(&match);
}

static void b2_a_start_that_cannot_be_is_refused(void **unused)
{
    (void)unused;
    struct match_options practice = {.practice = true}, plain = {0};
    assert_string_equal(verdict(&practice, 2, GAME_OPTIONS_REFUSED),
                        "refusal.dobble.practice_alone");
    assert_string_equal(verdict(&plain, 1, GAME_OPTIONS_REFUSED), "refusal.dobble.two_players");
    verdict(&practice, 1, GAME_OPTIONS_OK);
    practice.mini_game = DOBBLE_WELL;
    assert_string_equal(verdict(&practice, 1, GAME_OPTIONS_NOTE), "note.dobble.practice_tower");
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++)
        for (int seats = 2; seats <= 8; seats++)
            verdict(&(struct match_options){.mini_game = mini}, seats, GAME_OPTIONS_OK);
}

static void options_are_shown_where_their_mini_game_has_a_use_for_them(void **unused)
{
    (void)unused;
    static const struct {
        enum dobble_option option;
        const char *key, *depends;
        int value;
    } rows[] = {
        {DOBBLE_OPT_ROUNDS, "hotPotatoRounds", "miniGame", DOBBLE_HOT_POTATO},
        {DOBBLE_OPT_END_AT_FIRST, "wellEndAtFirst", "miniGame", DOBBLE_WELL},
        {DOBBLE_OPT_GIVES_CARD, "wrongGivesCard", "miniGame", DOBBLE_TOWER},
        {DOBBLE_OPT_MINI_GAME, "miniGame", "practice", 0},
        {DOBBLE_OPT_DECK_SIZE, "deckSize", NULL, 0},
        {DOBBLE_OPT_LOCKOUT, "wrongLockoutMs", NULL, 0},
        {DOBBLE_OPT_LATENCY, "latencyComp", NULL, 0},
        {DOBBLE_OPT_STYLE, "symbolStyle", NULL, 0},
        {DOBBLE_OPT_SHOW_RTT, "showRtt", NULL, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct game_option *option = &dobble_game.options[rows[i].option];
        assert_string_equal(option->key, rows[i].key);
        if (rows[i].depends == NULL) {
            assert_null(option->depends_key);
            continue;
        }
        assert_string_equal(option->depends_key, rows[i].depends);
        assert_int_equal(option->depends_value, rows[i].value);
    }
}

/* ---- B18: numbers and pictures --------------------------------------------------------------- */

static void b18_numbers_of_cards_are_shuffled_for_each_game(void **unused)
{
    (void)unused;
    struct match a = {0}, b = {0};
    int alike = 0;
    match_set_up(&a, &(struct match_options){.seed = 1});
    match_set_up(&b, &(struct match_options){.seed = 2});
    for (int c = 0; c < 57; c++) alike += memcmp(a.state.card[c].art, b.state.card[c].art, 8) == 0;
    assert_true(alike <= 1);
    /* Which number comes first in the deck has nothing to do with what is on it. */
    assert_int_not_equal(dobble_top(&a.state.centre), dobble_top(&b.state.centre));
    match_close(&a);
    match_close(&b);
}

static void b18_only_pictures_on_open_cards_are_sent(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.seats = 2});
    dobble_wire_view *view = match_view(&match);
    size_t sent = view->centre->all.len;
    for (size_t s = 0; s < view->n_seats; s++) sent += view->seats[s]->top->all.len;
    assert_int_equal(sent, 3 * (1 + 8 + 3));
    assert_int_equal(view->draw_count, 54); /* a number and nothing else */
    match_free_view(view);
    match_close(&match);
}

static void each_purpose_has_a_stream_of_its_own(void **unused)
{
    (void)unused;
    struct match plain = {0}, easy = {0}, without_two = {0};
    match_set_up(&plain, &(struct match_options){.seed = 3});
    match_set_up(&easy, &(struct match_options){.seed = 3, .easy = true});
    match_set_up(&without_two, &(struct match_options){.seed = 3, .deck_55 = true});
    /* Easy: the same cards in the same order, and their looks; these are read otherwise. */
    assert_memory_equal(&plain.state.draw, &easy.state.draw, sizeof plain.state.draw);
    assert_memory_equal(plain.state.card, easy.state.card, sizeof plain.state.card);
    /* B24: two cards left out, by a stream that moves nothing else. */
    assert_memory_equal(plain.state.card, without_two.state.card, sizeof plain.state.card);
    const struct dobble_pile *out = &without_two.state.unused;
    int at = without_two.state.draw.len;
    for (int i = plain.state.draw.len - 1; i >= 0; i--) {
        int card = plain.state.draw.card[i];
        if (card == out->card[0] || card == out->card[1]) continue;
        bool dealt = card == dobble_top(&without_two.state.centre) ||
                     card == dobble_top(&without_two.state.seat[0].pile) ||
                     card == dobble_top(&without_two.state.seat[1].pile);
        if (!dealt) assert_int_equal(card, without_two.state.draw.card[--at]);
    }
    assert_int_equal(at, 0);
    match_close(&plain);
    match_close(&easy);
    match_close(&without_two);
}

/* ---- B22: triplet ---------------------------------------------------------------------------- */

static void b22_nine_cards_always_hold_three_with_one_picture(void **unused)
{
    (void)unused;
    struct match match = {0};
    struct game_seed seed = {{22}};
    struct rng rng;
    rng_init(&rng, &seed, "nine cards");
    match_set_up(&match, &(struct match_options){.mini_game = DOBBLE_TRIPLET});
    for (int i = 0; i < 200000; i++) {
        uint8_t card[57];
        for (int c = 0; c < 57; c++) card[c] = (uint8_t)(c + 1);
        for (int p = 0; p < DOBBLE_PLACES; p++) {
            int other = p + (int)rng_below(&rng, (uint32_t)(57 - p));
            uint8_t drawn = card[other];
            card[other] = card[p];
            match.state.open[p] = card[p] = drawn;
        }
        assert_true(dobble_triple(&match.state) >= 0);
    }
    match_close(&match);
}

static void b22_a_claim_names_three_different_open_cards_and_a_picture_on_all(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match, &(struct match_options){.mini_game = DOBBLE_TRIPLET, .seats = 3});
    match_wait(&match, 1000);
    struct dobble_action right = match_answer(&match, 0), action = right;
    action.claim.card[1] = action.claim.card[0];
    assert_int_equal(match_act(&match, 0, &action), DOBBLE_NOT_THREE);
    action = right;
    action.triplet = false;
    assert_int_equal(match_act(&match, 0, &action), DOBBLE_OTHER_MINI_GAME);
    action = right;
    action.claim.card[2] = match.state.draw.card[0];
    assert_int_equal(match_act(&match, 0, &action), DOBBLE_LATE);
    assert_int_equal(match.state.seat[0].wrong, 0);
    assert_int_equal(match_wrong(&match, 0), 0);
    assert_int_equal(match_right(&match, 0), DOBBLE_LOCKED);
    int place = dobble_place_of(&match.state, right.claim.card[0]);
    assert_int_equal(match_act(&match, 1, &right), 0);
    assert_int_equal(match.state.seat[1].pile.len, 3);
    assert_int_equal(match.state.draw.len, 57 - 9 - 3);
    assert_int_not_equal(match.state.open[place], right.claim.card[0]); /* refilled */
    assert_int_not_equal(match.state.open[place], DOBBLE_NO_CARD);
    assert_int_equal(match_act(&match, 2, &right), DOBBLE_LATE);
    match_close(&match);
}

static void b22_it_ends_when_the_pile_is_empty_and_no_three_are_left(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (uint32_t seed = 0; seed < 30; seed++) {
        match_open(&match, &(struct match_options){
                               .mini_game = DOBBLE_TRIPLET, .deck_55 = seed % 2, .seed = seed});
        match_play_out(&match);
        assert_int_equal(match.state.ending, DOBBLE_PLAYED);
        assert_int_equal(match.state.draw.len, 0);
        assert_int_equal(dobble_triple(&match.state), -1);
        int more = match.state.seat[1].pile.len > match.state.seat[0].pile.len;
        assert_int_equal(dobble_rank(&match.state, more), 1);
    }
    match_close(&match);
}

static void b22_windows_on_overlapping_triples_are_one(void **unused)
{
    (void)unused;
    struct match match = {0};
    match_open(&match,
               &(struct match_options){.mini_game = DOBBLE_TRIPLET, .seats = 3, .light = true});
    match_wait(&match, 1000);
    struct dobble_action action = match_answer(&match, 0);
    assert_int_equal(match_act(&match, 0, &action), 0);
    match_wait(&match, 20);
    match.rtt_ms = 100;
    assert_int_equal(match_act(&match, 1, &action), 0);
    assert_int_equal(match.state.window_len, 2);
    match_wait(&match, 40);
    assert_int_equal(match.state.seat[1].pile.len, 3);
    assert_int_equal(match.state.seat[0].pile.len, 0);
    match_close(&match);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(b1_sizes_go_from_60_to_120_percent_and_turns_from_0_to_359),
                     cmocka_unit_test(b2_rounds_are_limited_by_the_deck_with_a_note),
                     cmocka_unit_test(b2_a_start_that_cannot_be_is_refused),
                     cmocka_unit_test(options_are_shown_where_their_mini_game_has_a_use_for_them),
                     cmocka_unit_test(b18_numbers_of_cards_are_shuffled_for_each_game),
                     cmocka_unit_test(b18_only_pictures_on_open_cards_are_sent),
                     cmocka_unit_test(each_purpose_has_a_stream_of_its_own),
                     cmocka_unit_test(b22_nine_cards_always_hold_three_with_one_picture),
                     cmocka_unit_test(
                         b22_a_claim_names_three_different_open_cards_and_a_picture_on_all),
                     cmocka_unit_test(b22_it_ends_when_the_pile_is_empty_and_no_three_are_left),
                     cmocka_unit_test(b22_windows_on_overlapping_triples_are_one));
}
