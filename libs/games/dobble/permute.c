/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: another world that nobody can tell from this one. Cards that never lay
 * open change places, their pictures lie otherwise, and pictures that nobody has seen are exchanged
 * for one another; of claims that wait in the window, only their own seats know them, and nobody
 * their adjusted times.
 */
#include "games/dobble/dobble.h"

/* Places of cards that never lay open. */
struct places {
    uint8_t *at[DOBBLE_CARDS_MAX];
    int count;
};

static void add(struct places *places, uint8_t *cards, int from, int to)
{
    for (int i = from; i < to; i++) places->at[places->count++] = &cards[i];
}

static int total_correct(const struct dobble_state *state)
{
    int count = 0;
    for (int seat = 0; seat < state->seats; seat++) count += (int)state->seat[seat].correct;
    return count;
}

/* Cards given back lie under those that never left the draw pile (B11). */
static int draw_unseen_from(const struct dobble_state *state)
{
    if (!state->rules.gives_card) return 0;
    int never = state->rules.deck_size - state->seats - 1 - total_correct(state);
    return never > 0 ? state->draw.len - never : state->draw.len;
}

/* What set-up put among the unused cards. */
static int unused_at_first(const struct dobble_state *state)
{
    int count = dobble_cards(&state->rules) - state->rules.deck_size;
    if (state->rules.mini_game == DOBBLE_WELL) count += (state->rules.deck_size - 1) % state->seats;
    return count;
}

static void hidden_places(struct dobble_state *state, struct places *places)
{
    bool well = state->rules.mini_game == DOBBLE_WELL;
    places->count = 0;
    add(places, state->draw.card, draw_unseen_from(state), state->draw.len);
    add(places, state->unused.card, 0, unused_at_first(state));
    for (int s = 0; s < state->seats; s++) {
        struct dobble_seat *seat = &state->seat[s];
        bool top_unseen = seat->pile.len > 0 && seat->top_since == 0;
        bool one_each = well || seat->pile.len == 1;
        if (well && seat->pile.len > 1) add(places, seat->pile.card, 0, seat->pile.len - 1);
        if (top_unseen && one_each && state->rules.mini_game != DOBBLE_TRIPLET)
            add(places, seat->pile.card, seat->pile.len - 1, seat->pile.len);
    }
    if (state->centre.len == 1 && state->centre_since == 0) add(places, state->centre.card, 0, 1);
    for (int p = 0; p < DOBBLE_PLACES; p++)
        if (state->open[p] != DOBBLE_NO_CARD && state->open_since[p] == 0)
            add(places, state->open, p, p + 1);
}

static void shuffle_cards(struct places *places, struct rng *rng)
{
    uint8_t cards[DOBBLE_CARDS_MAX];
    for (int i = 0; i < places->count; i++) cards[i] = *places->at[i];
    rng_shuffle(rng, cards, (size_t)places->count);
    for (int i = 0; i < places->count; i++) *places->at[i] = cards[i];
}

/* Which pictures are on no card that lay open may be any of the others that are on none. */
static void exchange_pictures(struct dobble_state *state, const struct places *places,
                              struct rng *rng)
{
    bool hidden[DOBBLE_CARDS_MAX] = {false}, seen[DOBBLE_CARDS_MAX] = {false};
    uint8_t unseen[DOBBLE_CARDS_MAX], becomes[DOBBLE_CARDS_MAX];
    int cards = dobble_cards(&state->rules), items = dobble_items(&state->rules), count = 0;
    for (int i = 0; i < places->count; i++) hidden[*places->at[i] - 1] = true;
    for (int c = 0; c < cards; c++)
        for (int i = 0; i < items; i++) seen[state->card[c].art[i]] |= !hidden[c];
    for (int art = 0; art < cards; art++) {
        becomes[art] = (uint8_t)art;
        if (!seen[art]) unseen[count++] = (uint8_t)art;
    }
    uint8_t mixed[DOBBLE_CARDS_MAX];
    memcpy(mixed, unseen, (size_t)count);
    rng_shuffle(rng, mixed, (size_t)count);
    for (int i = 0; i < count; i++) becomes[unseen[i]] = mixed[i];
    for (int c = 0; c < cards; c++)
        for (int i = 0; hidden[c] && i < items; i++)
            state->card[c].art[i] = becomes[state->card[c].art[i]];
}

/* Round trips reach nobody's view in the window. */
static bool adjust_anew(struct dobble_state *state, struct rng *rng)
{
    for (int i = 0; i < state->window_len; i++) {
        struct dobble_waiting *waiting = &state->window[i];
        instant_ms most = waiting->at < DOBBLE_ADJUST_MAX_MS ? waiting->at : DOBBLE_ADJUST_MAX_MS;
        waiting->adjusted = waiting->at - rng_below(rng, (uint32_t)most + 1);
    }
    return state->window_len > 0;
}

bool dobble_permute_hidden(void *data, int viewer_seat, struct rng *rng)
{
    struct dobble_state *state = data;
    struct places places;
    (void)viewer_seat; /* nobody knows more of the cards than all do */
    if (state->phase == DOBBLE_FINISHED) return false;
    hidden_places(state, &places);
    bool changed = adjust_anew(state, rng);
    if (places.count == 0) return changed;
    exchange_pictures(state, &places, rng);
    shuffle_cards(&places, rng);
    for (int i = 0; i < places.count; i++)
        dobble_lay_anew(&state->rules, &state->card[*places.at[i] - 1], rng);
    return true;
}
