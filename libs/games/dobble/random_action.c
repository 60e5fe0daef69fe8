/* SPDX-License-Identifier: Apache-2.0
 *
 * Random actions for the conformance suite and for bots of tests: legal ones (most of them right),
 * near misses and garbage.
 */
#include "games/dobble/dobble.h"

static int below(struct rng *rng, int bound)
{
    return (int)rng_below(rng, (uint32_t)bound);
}

static int pick_seat(seat_mask mask, struct rng *rng)
{
    int seat;
    do {
        seat = below(rng, DOBBLE_SEATS_MAX);
    } while (!(mask >> seat & 1));
    return seat;
}

/* Three open cards with one picture, taken at random among those that bear it. */
static void pick_triple(const struct dobble_state *state, struct rng *rng,
                        struct dobble_claim *claim)
{
    int art = dobble_triple(state), found = 0, from = below(rng, DOBBLE_PLACES);
    for (int i = 0; i < DOBBLE_PLACES && found < DOBBLE_TRIPLE; i++) {
        int card = state->open[(from + i) % DOBBLE_PLACES];
        if (dobble_bears(state, card, art)) claim->card[found++] = (uint8_t)card;
    }
    claim->art = (uint8_t)art;
}

/* False when the seat has nothing to claim now. */
static bool legal(const struct dobble_state *state, int seat, struct rng *rng,
                  struct dobble_action *out)
{
    struct dobble_claim *claim = &out->claim;
    if (state->phase != DOBBLE_PLAYING || state->seat[seat].part != DOBBLE_IN) return false;
    out->triplet = state->rules.mini_game == DOBBLE_TRIPLET;
    if (out->triplet) {
        pick_triple(state, rng, claim);
    } else {
        int target = dobble_has_targets(state) ? pick_seat(dobble_targets(state, seat), rng) : -1;
        bool potato = state->rules.mini_game == DOBBLE_HOT_POTATO;
        bool gift = state->rules.mini_game == DOBBLE_POISONED_GIFT;
        claim->target = (uint8_t)(target + 1);
        claim->card[0] = (uint8_t)(gift ? DOBBLE_NO_CARD : dobble_top(&state->seat[seat].pile));
        claim->card[1] = (uint8_t)dobble_top(potato ? &state->seat[target].pile : &state->centre);
        claim->art = (uint8_t)dobble_answer(state, seat, target);
    }
    if (below(rng, 6) == 0) claim->art = (uint8_t)below(rng, dobble_cards(&state->rules));
    return true;
}

/* Cards that lie open or did, targets at and past the bounds, pictures at the end of the list. */
static void near_miss(const struct dobble_state *state, int seat, struct rng *rng,
                      struct dobble_action *out)
{
    struct dobble_claim *claim = &out->claim;
    if (below(rng, 3) > 0) legal(state, seat, rng, out);
    switch (below(rng, 6)) {
    case 0: claim->card[below(rng, DOBBLE_TRIPLE)] = (uint8_t)below(rng, 60); break;
    case 1: claim->target = (uint8_t)below(rng, state->seats + 2); break;
    case 2: claim->target = (uint8_t)(seat + 1); break;
    case 3: claim->art = (uint8_t)(54 + below(rng, 6)); break;
    case 4: out->triplet = !out->triplet; break;
    case 5: *claim = state->seat[below(rng, state->seats)].won; break;
    }
}

size_t dobble_random_action(const void *data, int seat, int kind, struct rng *rng, uint8_t *bytes)
{
    const struct dobble_state *state = data;
    struct dobble_action action;
    memset(&action, 0, sizeof action);
    if (kind == 2) {
        size_t len = 1 + rng_below(rng, 24);
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_below(rng, 256);
        return len;
    }
    if (kind == 1)
        near_miss(state, seat, rng, &action);
    else if (!legal(state, seat, rng, &action))
        return 0;
    return dobble_write_action(&action, bytes);
}
