/* SPDX-License-Identifier: Apache-2.0
 *
 * What lies open, and what follows from it. Face-down cards are named by nothing here.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"

/* Bit p: picture p is on the card. */
static uint64_t pictures(const struct dobble_state *state, int card)
{
    uint64_t set = 0;
    for (int i = 0; i < dobble_items(&state->rules); i++)
        set |= UINT64_C(1) << state->card[card - 1].art[i];
    return set;
}
_Static_assert(DOBBLE_CARDS_MAX <= 64, "a card's pictures are a set of bits");

bool dobble_bears(const struct dobble_state *state, int card, int art)
{
    if (card < 1 || card > dobble_cards(&state->rules)) return false;
    if (art < 0 || art >= DOBBLE_CARDS_MAX) return false;
    return pictures(state, card) >> art & 1;
}

int dobble_shared(const struct dobble_state *state, int a, int b)
{
    uint64_t both = pictures(state, a) & pictures(state, b);
    CHECK(both != 0); /* any two cards of a plane share a picture */
    return __builtin_ctzll(both);
}

int dobble_triple(const struct dobble_state *state)
{
    uint8_t count[DOBBLE_CARDS_MAX] = {0};
    for (int p = 0; p < DOBBLE_PLACES; p++) {
        if (state->open[p] == DOBBLE_NO_CARD) continue;
        const uint8_t *list = state->card[state->open[p] - 1].art;
        for (int i = 0; i < dobble_items(&state->rules); i++) count[list[i]]++;
    }
    for (int art = 0; art < DOBBLE_CARDS_MAX; art++)
        if (count[art] >= DOBBLE_TRIPLE) return art;
    return -1;
}

int dobble_place_of(const struct dobble_state *state, int card)
{
    for (int p = 0; p < DOBBLE_PLACES; p++)
        if (card != DOBBLE_NO_CARD && state->open[p] == card) return p;
    return -1;
}

int dobble_seen_top(const struct dobble_state *state, int seat)
{
    if (!state->face_up || state->rules.mini_game == DOBBLE_TRIPLET) return DOBBLE_NO_CARD;
    return dobble_top(&state->seat[seat].pile);
}

int dobble_seen_centre(const struct dobble_state *state)
{
    return state->face_up ? dobble_top(&state->centre) : DOBBLE_NO_CARD;
}

int dobble_seen_place(const struct dobble_state *state, int place)
{
    return state->face_up ? state->open[place] : DOBBLE_NO_CARD;
}

bool dobble_has_targets(const struct dobble_state *state)
{
    return state->rules.mini_game == DOBBLE_HOT_POTATO ||
           state->rules.mini_game == DOBBLE_POISONED_GIFT;
}

seat_mask dobble_targets(const struct dobble_state *state, int seat)
{
    seat_mask mask = 0;
    bool on = state->phase == DOBBLE_PLAYING || state->phase == DOBBLE_HINT;
    if (!on || !dobble_has_targets(state) || state->seat[seat].part != DOBBLE_IN) return 0;
    for (int other = 0; other < state->seats; other++)
        if (other != seat && state->seat[other].part == DOBBLE_IN) mask |= (seat_mask)(1u << other);
    return mask;
}

int dobble_answer(const struct dobble_state *state, int seat, int target)
{
    if (!state->face_up || state->seat[seat].part != DOBBLE_IN) return -1;
    int mine = dobble_seen_top(state, seat), centre = dobble_seen_centre(state);
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TRIPLET: return dobble_triple(state);
    case DOBBLE_HOT_POTATO: return dobble_shared(state, mine, dobble_seen_top(state, target));
    case DOBBLE_POISONED_GIFT:
        return centre ? dobble_shared(state, dobble_seen_top(state, target), centre) : -1;
    case DOBBLE_TOWER:
    case DOBBLE_WELL: return centre ? dobble_shared(state, mine, centre) : -1;
    }
    return -1;
}
