/* SPDX-License-Identifier: Apache-2.0
 *
 * How the reference is dealt what the engine was dealt, and where the two differ.
 */
#include "unit/games/dobble_reference.h"

static void deal(struct dref *ref, const struct dobble_pile *pile, enum dref_where where, int seat,
                 instant_ms since)
{
    for (int i = 0; i < pile->len; i++) {
        struct dref_card *card = &ref->card[pile->card[i]];
        card->where = where;
        card->seat = seat;
        card->order = i;
        if (i == pile->len - 1) card->open_since = since;
    }
}

void dref_start(struct dref *ref, const struct dobble_state *state)
{
    memset(ref, 0, sizeof *ref);
    ref->rules = state->rules;
    ref->cards = state->rules.order * state->rules.order + state->rules.order + 1;
    ref->seats = state->seats;
    ref->phase = DOBBLE_COUNTDOWN;
    ref->round = 1;
    ref->began = state->phase_started;
    ref->silence = ref->few = DREF_NEVER;
    for (int c = 1; c <= ref->cards; c++)
        for (int i = 0; i <= state->rules.order; i++)
            ref->card[c].has[state->card[c - 1].art[i]] = true;
    deal(ref, &state->draw, DREF_DRAW, 0, 0);
    deal(ref, &state->centre, DREF_CENTRE, 0, 0);
    for (int s = 0; s < ref->seats; s++) {
        deal(ref, &state->seat[s].pile, DREF_PILE, s, 0);
        ref->seat[s].part = DOBBLE_IN;
        ref->seat[s].away = DREF_NEVER;
    }
    for (int p = 0; p < 9; p++) {
        if (state->open[p] == 0) continue;
        ref->card[state->open[p]].where = DREF_PLACE;
        ref->card[state->open[p]].order = p;
    }
}

static bool same_pile(const struct dref *ref, const struct dobble_pile *pile, enum dref_where where,
                      int seat)
{
    if (dref_count(ref, where, seat) != pile->len) return false;
    for (int i = 0; i < pile->len; i++) {
        const struct dref_card *card = &ref->card[pile->card[i]];
        if (card->where != where || (where == DREF_PILE && card->seat != seat)) return false;
        if (where != DREF_AWAY && card->order != i) return false;
    }
    return true;
}

static const char *cards_differ(const struct dref *ref, const struct dobble_state *state)
{
    if (!same_pile(ref, &state->draw, DREF_DRAW, 0)) return "the draw pile";
    if (!same_pile(ref, &state->centre, DREF_CENTRE, 0)) return "the centre";
    if (!same_pile(ref, &state->unused, DREF_AWAY, 0)) return "the unused cards";
    for (int s = 0; s < ref->seats; s++)
        if (!same_pile(ref, &state->seat[s].pile, DREF_PILE, s)) return "a pile";
    for (int p = 0; p < 9; p++) {
        const struct dref_card *card = &ref->card[state->open[p]];
        if (state->open[p] && (card->where != DREF_PLACE || card->order != p))
            return "the open places";
    }
    return NULL;
}

/* By sorting: first everybody's figures from the spec's table, then ranks with ties. */
static int rank_of(const struct dref *ref, int seat)
{
    int rank = 1;
    long mine = 0, figure = 0;
    if (ref->seats == 1) return 0;
    for (int turn = 0; turn <= ref->seats; turn++) {
        int s = turn == 0 ? seat : turn - 1;
        const struct dref_seat *player = &ref->seat[s];
        long cards = dref_count(ref, DREF_PILE, s);
        switch (ref->rules.mini_game) {
        case DOBBLE_WELL:
            figure = player->part == DOBBLE_EMPTIED ? player->place : 100 + cards;
            break;
        case DOBBLE_HOT_POTATO: figure = player->penalty; break;
        case DOBBLE_POISONED_GIFT: figure = cards; break;
        default: figure = -cards;
        }
        if (player->part == DOBBLE_FORFEITED) figure = 100000;
        if (turn == 0) mine = figure;
        rank += figure < mine;
    }
    return rank;
}

static const char *seat_differs(const struct dref *ref, const struct dobble_state *state, int s)
{
    const struct dref_seat *is = &ref->seat[s];
    const struct dobble_seat *seat = &state->seat[s];
    if (is->part != seat->part || is->place != seat->place) return "who is in";
    if (is->penalty != seat->penalty) return "penalties";
    if (is->given != seat->given_back) return "cards given back";
    if (is->right != seat->correct || is->wrong != seat->wrong) return "statistics";
    if (is->streak != seat->fast || is->suspected != seat->suspected) return "suspicion";
    if (is->lock != seat->locked_until) return "locks";
    if (is->away != seat->away_since) return "presence";
    if (rank_of(ref, s) != dobble_rank(state, s)) return "ranks";
    return NULL;
}

const char *dref_differs(const struct dref *ref, const struct dobble_state *state)
{
    if (ref->phase != state->phase || ref->began != state->phase_started) return "the phase";
    if (dref_deadline(ref) != dobble_deadline(state)) return "the deadline";
    if (ref->round != state->round || ref->hints != state->hints) return "rounds or hints";
    if (ref->ending != state->ending) return "the ending";
    if (ref->shown != state->face_up) return "whether cards are shown";
    if (ref->waiting != state->window_len) return "the window";
    if (ref->last[0] != state->last_round.round || ref->last[1] != state->last_round.is_void ||
        ref->last[2] != state->last_round.loser || ref->last[3] != state->last_round.cards)
        return "the last round";
    for (int s = 0; s < ref->seats; s++) {
        const char *difference = seat_differs(ref, state, s);
        if (difference) return difference;
    }
    return cards_differ(ref, state);
}
