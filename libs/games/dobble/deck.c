/* SPDX-License-Identifier: Apache-2.0
 *
 * The deck: the lines of a projective plane. Which line gets which number, which symbol which
 * picture, what is left out and how the rest lies are streams of their own: what players see of
 * one tells nothing of another.
 */
#include "games/dobble/dobble.h"

/* The spec's construction, for a prime order n: the line at infinity, n lines through symbol 0, and
 * n * n lines by slope and intercept. */
void dobble_plane(int order, uint8_t card[][DOBBLE_ITEMS_MAX])
{
    int n = order, at = 0;
    for (int i = 0; i <= n; i++) card[at][i] = (uint8_t)i;
    at++;
    for (int j = 0; j < n; j++, at++) {
        card[at][0] = 0;
        for (int k = 0; k < n; k++) card[at][k + 1] = (uint8_t)(n + 1 + n * j + k);
    }
    for (int slope = 0; slope < n; slope++)
        for (int j = 0; j < n; j++, at++) {
            card[at][0] = (uint8_t)(slope + 1);
            for (int k = 0; k < n; k++)
                card[at][k + 1] = (uint8_t)(n + 1 + n * k + (slope * k + j) % n);
        }
}

static void shuffled(const struct game_seed *seed, const char *purpose, uint8_t *items, int count,
                     int first)
{
    struct rng rng;
    rng_init(&rng, seed, purpose);
    for (int i = 0; i < count; i++) items[i] = (uint8_t)(first + i);
    rng_shuffle(&rng, items, (size_t)count);
}

void dobble_make_deck(struct dobble_state *state, const struct game_seed *seed)
{
    uint8_t line[DOBBLE_CARDS_MAX][DOBBLE_ITEMS_MAX];
    uint8_t picture[DOBBLE_CARDS_MAX], number[DOBBLE_CARDS_MAX];
    int cards = dobble_cards(&state->rules); /* as many lines as symbols */
    dobble_plane(state->rules.order, line);
    shuffled(seed, "dobble pictures", picture, cards, 0);
    shuffled(seed, "dobble numbers", number, cards, 0);
    for (int i = 0; i < cards; i++)
        for (int k = 0; k < dobble_items(&state->rules); k++)
            state->card[number[i]].art[k] = picture[line[i][k]];
}

void dobble_shuffle(struct dobble_state *state, const struct game_seed *seed)
{
    uint8_t deck[DOBBLE_CARDS_MAX], out[DOBBLE_CARDS_MAX];
    int cards = dobble_cards(&state->rules);
    shuffled(seed, "dobble left out", out, cards, 1);
    int left_out = cards - state->rules.deck_size;
    for (int i = 0; i < left_out; i++) dobble_push(&state->unused, out[i]);
    shuffled(seed, "dobble deck", deck, cards, 1);
    for (int i = 0; i < cards; i++) {
        bool is_out = false;
        for (int k = 0; k < left_out; k++) is_out = is_out || out[k] == deck[i];
        if (!is_out) dobble_push(&state->draw, deck[i]);
    }
}
