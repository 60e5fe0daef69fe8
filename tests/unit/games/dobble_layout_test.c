/* SPDX-License-Identifier: Apache-2.0
 *
 * How cards look and how they are shuffled: the geometry of the six templates, what a look says,
 * and whether every place gets every card equally often.
 */
#include "unit/games/dobble_match.h"
#include "unit/games/dobble_vectors.h"
#include "unit/games/golden.h"
#include "unit/test.h"

#include <math.h>

/* ---- geometry, in thousandths of the card's diameter ----------------------------------------- */

enum { CARD_RADIUS = 500, TOUCH_MIN = 160 /* 48 px on a card of 300 px */ };

static struct dobble_spot spot(int template, int item, int size, int turn)
{
    return dobble_spot((struct dobble_lie){template, item, size, turn});
}

static double distance(struct dobble_spot a, struct dobble_spot b)
{
    return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static void no_two_pictures_overlap_at_any_size_and_turn(void **unused)
{
    (void)unused;
    for (int t = 0; t < DOBBLE_TEMPLATES; t++)
        for (int a = 0; a < DOBBLE_ITEMS_MAX; a++)
            for (int b = 0; b < a; b++)
                for (int size_a = DOBBLE_SIZE_MIN; size_a <= DOBBLE_SIZE_MAX; size_a++)
                    for (int size_b = DOBBLE_SIZE_MIN; size_b <= DOBBLE_SIZE_MAX; size_b++) {
                        struct dobble_spot x = spot(t, a, size_a, 0), y = spot(t, b, size_b, 0);
                        assert_true(distance(x, y) > (x.size + y.size) / 2.0);
                    }
    /* A picture keeps to its circle, which a turn leaves where it is. */
    for (int turn = 0; turn < DOBBLE_TURNS; turn++) {
        struct dobble_spot x = spot(3, 5, 120, 0), y = spot(3, 5, 120, turn);
        assert_true(distance(x, y) == 0 && x.size == y.size);
        assert_int_equal(y.turn, turn);
    }
}

static void every_picture_lies_inside_the_card(void **unused)
{
    (void)unused;
    struct dobble_spot middle = {.x = CARD_RADIUS, .y = CARD_RADIUS};
    for (int t = 0; t < DOBBLE_TEMPLATES; t++)
        for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) {
            struct dobble_spot at = spot(t, i, DOBBLE_SIZE_MAX, 0);
            assert_true(distance(at, middle) + at.size / 2.0 <= CARD_RADIUS);
        }
}

static void touch_circles_of_48_px_on_300_do_not_overlap_and_lie_inside(void **unused)
{
    (void)unused;
    struct dobble_spot middle = {.x = CARD_RADIUS, .y = CARD_RADIUS};
    for (int t = 0; t < DOBBLE_TEMPLATES; t++)
        for (int a = 0; a < DOBBLE_ITEMS_MAX; a++) {
            struct dobble_spot at = spot(t, a, DOBBLE_SIZE_MAX, 0);
            int touch = at.size > TOUCH_MIN ? at.size : TOUCH_MIN;
            assert_true(distance(at, middle) + touch / 2.0 <= CARD_RADIUS);
            for (int b = 0; b < a; b++) {
                struct dobble_spot other = spot(t, b, DOBBLE_SIZE_MAX, 0);
                int wide = other.size > TOUCH_MIN ? other.size : TOUCH_MIN;
                assert_true(distance(at, other) > (touch + wide) / 2.0);
            }
        }
}

static void sizes_are_in_proportion(void **unused)
{
    (void)unused;
    assert_int_equal(spot(0, 0, 100, 0).size, 220);
    assert_int_equal(spot(0, 0, 60, 0).size, 132);
    assert_int_equal(spot(0, 0, 120, 0).size, 264);
}

/* How far from the middle the eight lie, nearest first: what a template looks like from afar. */
static void profile(int template, double out[DOBBLE_ITEMS_MAX])
{
    struct dobble_spot middle = {.x = CARD_RADIUS, .y = CARD_RADIUS};
    for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) {
        double moving = distance(spot(template, i, 100, 0), middle);
        int to = i;
        for (; to > 0 && out[to - 1] > moving; to--) out[to] = out[to - 1];
        out[to] = moving;
    }
}

static void the_six_templates_look_different(void **unused)
{
    (void)unused;
    for (int a = 0; a < DOBBLE_TEMPLATES; a++)
        for (int b = 0; b < a; b++) {
            double x[DOBBLE_ITEMS_MAX], y[DOBBLE_ITEMS_MAX], apart = 0;
            profile(a, x);
            profile(b, y);
            for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) apart += fabs(x[i] - y[i]);
            assert_true(apart > 100);
        }
}

static void looks_are_drawn_as_the_vectors_say(void **unused)
{
    (void)unused;
    struct buf is = {0}, should = golden_read(DOBBLE_VECTORS_FILE);
    dobble_vectors_write(&is);
    golden_same(DOBBLE_VECTORS_FILE, buf_slice(&is), buf_slice(&should));
    buf_fini(&is);
    buf_fini(&should);
}

static void easy_is_the_same_template_with_pictures_of_one_size_and_upright(void **unused)
{
    (void)unused;
    for (uint32_t look = 0; look < DOBBLE_LOOKS; look += 97)
        for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) {
            struct dobble_lie plain = dobble_lie(look, false, i), easy = dobble_lie(look, true, i);
            assert_int_equal(plain.slot, i);
            assert_int_equal(easy.template, plain.template);
            assert_int_equal(easy.slot, i);
            assert_int_equal(easy.size, DOBBLE_SIZE_EASY);
            assert_int_equal(easy.turn, 0);
        }
}

static void layouts_are_fixed_at_the_start(void **unused)
{
    (void)unused;
    struct match match = {0};
    for (int mini = DOBBLE_TOWER; mini <= DOBBLE_TRIPLET; mini++) {
        struct dobble_card before[DOBBLE_CARDS_MAX];
        match_open(&match, &(struct match_options){.mini_game = mini, .seats = 3});
        memcpy(before, match.state.card, sizeof before);
        match_play_out(&match);
        assert_memory_equal(before, match.state.card, sizeof before);
    }
    match_close(&match);
}

/* ---- chance ---------------------------------------------------------------------------------- */

/* The 99.99 % quantile of χ² with n degrees of freedom (Wilson and Hilferty). */
static double chi2_bound(int n)
{
    double spread = 2.0 / (9.0 * n);
    return n * pow(1 - spread + 3.719 * sqrt(spread), 3);
}

struct tally {
    int bins, total;
    int count[57 * 57];
};

static void assert_even(const struct tally *tally)
{
    double expected = (double)tally->total / tally->bins, chi2 = 0;
    for (int i = 0; i < tally->bins; i++) {
        double off = tally->count[i] - expected;
        chi2 += off * off / expected;
    }
    assert_true(chi2 < chi2_bound(tally->bins - 1));
}

static void add(struct tally *tally, int bins, int bin)
{
    assert_in_range(bin, 0, bins - 1);
    tally->bins = bins;
    tally->total++;
    tally->count[bin]++;
}

/* The whole deck in its order, the first card first. */
static int deck_of(const struct dobble_state *state, uint8_t deck[57])
{
    int len = 0;
    for (int s = 0; s < state->seats; s++) deck[len++] = state->seat[s].pile.card[0];
    deck[len++] = state->centre.card[0];
    for (int i = state->draw.len - 1; i >= 0; i--) deck[len++] = state->draw.card[i];
    return len;
}

enum { GAMES = 12000 };

static void every_place_of_the_deck_gets_every_card_and_neighbour_equally_often(void **unused)
{
    (void)unused;
    static struct tally by_place, by_neighbour;
    struct match match = {0};
    for (uint32_t seed = 0; seed < GAMES; seed++) {
        uint8_t deck[57];
        match_set_up(&match, &(struct match_options){.seed = seed});
        assert_int_equal(deck_of(&match.state, deck), 57);
        for (int i = 0; i < 57; i++) {
            add(&by_place, 57 * 57, i * 57 + deck[i] - 1);
            int step = (deck[(i + 1) % 57] - deck[i] + 57) % 57; /* 1 to 56 */
            add(&by_neighbour, 56, step - 1);
        }
    }
    /* Each row of by_place sums to GAMES: fewer degrees than bins, which only widens the bound. */
    assert_even(&by_place);
    assert_even(&by_neighbour);
    match_close(&match);
}

static void numbers_pictures_looks_and_cards_left_out_are_even(void **unused)
{
    (void)unused;
    static struct tally line, art, template, size, turn, slot, out;
    struct match match = {0};
    for (uint32_t seed = 0; seed < GAMES / 4; seed++) {
        match_set_up(&match, &(struct match_options){.deck_55 = true, .seed = seed});
        const struct dobble_card *card = &match.state.card[seed % 57];
        add(&art, 57, card->art[0]);
        uint32_t look = dobble_look(card);
        add(&template, DOBBLE_TEMPLATES, dobble_lie(look, false, 0).template);
        add(&size, 61, dobble_lie(look, false, 2).size - DOBBLE_SIZE_MIN);
        add(&turn, 36, dobble_lie(look, false, 5).turn / 10);
        for (int i = 0; i < 2; i++) add(&out, 57, match.state.unused.card[i] - 1);
        /* Where the picture that card 1 shares with card 2 lies on card 1. */
        int shared = dobble_shared(&match.state, 1, 2), at = 0;
        while (match.state.card[0].art[at] != shared) at++;
        add(&slot, 8, at);
        add(&line, 57, shared);
    }
    assert_even(&line);
    assert_even(&art);
    assert_even(&template);
    assert_even(&size);
    assert_even(&turn);
    assert_even(&slot);
    assert_even(&out);
    match_close(&match);
}

/* Over all looks that there are: what one says of a picture tells nothing of what it says of the
 * others, nor of the template. */
static void what_a_look_says_is_even_and_of_no_two_pictures_alike(void **unused)
{
    (void)unused;
    static struct tally pair_size, pair_turn, size_turn, by_template;
    for (uint32_t look = 0; look < DOBBLE_LOOKS; look++) {
        struct dobble_lie a = dobble_lie(look, false, (int)(look % 8));
        struct dobble_lie b = dobble_lie(look, false, (int)(look + 1) % 8);
        int size_a = (a.size - DOBBLE_SIZE_MIN) / 2, size_b = (b.size - DOBBLE_SIZE_MIN) / 2;
        /* 120 % would be a bin of half the width. */
        if (size_a < 30 && size_b < 30) add(&pair_size, 30 * 30, size_a * 30 + size_b);
        add(&pair_turn, 36 * 36, a.turn / 10 * 36 + b.turn / 10);
        if (size_a < 30) add(&size_turn, 30 * 36, size_a * 36 + a.turn / 10);
        add(&by_template, DOBBLE_TEMPLATES * 36, a.template * 36 + a.turn / 10);
    }
    assert_even(&pair_size);
    assert_even(&pair_turn);
    assert_even(&size_turn);
    assert_even(&by_template);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(no_two_pictures_overlap_at_any_size_and_turn),
        cmocka_unit_test(every_picture_lies_inside_the_card),
        cmocka_unit_test(touch_circles_of_48_px_on_300_do_not_overlap_and_lie_inside),
        cmocka_unit_test(sizes_are_in_proportion),
        cmocka_unit_test(the_six_templates_look_different),
        cmocka_unit_test(looks_are_drawn_as_the_vectors_say),
        cmocka_unit_test(easy_is_the_same_template_with_pictures_of_one_size_and_upright),
        cmocka_unit_test(what_a_look_says_is_even_and_of_no_two_pictures_alike),
        cmocka_unit_test(layouts_are_fixed_at_the_start),
        cmocka_unit_test(every_place_of_the_deck_gets_every_card_and_neighbour_equally_often),
        cmocka_unit_test(numbers_pictures_looks_and_cards_left_out_are_even));
}
