/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the reference and the engine: what the one is dealt by the other, and whether they agree.
 */
#include "unit/games/davinci_reference.h"

#define SAME(condition, sentence)          \
    do {                                   \
        if (!(condition)) return sentence; \
    } while (0)

static int number_of(int tile)
{
    return davinci_is_joker(tile) ? -1 : davinci_face_of(tile) - 1;
}

void reference_start(struct reference *ref, const struct davinci_state *state)
{
    memset(ref, 0, sizeof *ref);
    ref->rules = &state->rules;
    ref->seats = state->seats;
    ref->phase = state->phase;
    ref->first = state->first;
    ref->current = state->current;
    ref->turn = (int)state->turn;
    ref->deadline = state->deadline;
    ref->winner = -1;
    ref->newest = -1;
    for (int seat = 0; seat < 4; seat++) ref->pick[seat][0] = ref->pick[seat][1] = -1;
    for (int i = 0; i < 26; i++) {
        ref->tile[i].color = davinci_color_of(i);
        ref->tile[i].number = number_of(i);
    }
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < state->pile_len[color]; i++) {
            ref->tile[state->pile[color][i]].where = REF_POOL;
            ref->tile[state->pile[color][i]].order = i;
        }
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++) {
            struct ref_tile *tile = &ref->tile[state->row[seat].at[i].tile];
            tile->where = REF_ROW;
            tile->seat = seat;
            tile->order = i;
            tile->entry = state->row[seat].at[i].entry;
        }
    ref->colors_left = state->merged_len;
    for (int i = 0; i < state->merged_len; i++) ref->colors[i] = state->merged[i];
}

void reference_learn_jokers(struct reference *ref, const struct davinci_state *state)
{
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < state->pile_len[color]; i++)
            if (davinci_is_joker(state->pile[color][i])) {
                /* Between the tiles before and after it, whose order stays as it was dealt. */
                struct ref_tile *joker = &ref->tile[state->pile[color][i]];
                int before = -1;
                if (i > 0) before = ref->tile[state->pile[color][i - 1]].order;
                for (int k = 0; k < 26; k++)
                    if (ref->tile[k].where == REF_POOL && ref->tile[k].color == color &&
                        &ref->tile[k] != joker && ref->tile[k].order > before)
                        ref->tile[k].order++;
                joker->order = before + 1;
            }
}

static const char *same_pool(const struct reference *ref, const struct davinci_state *state)
{
    for (int color = 0; color < 2; color++) {
        int last = -1, count = 0;
        for (int i = 0; i < state->pile_len[color]; i++) {
            const struct ref_tile *tile = &ref->tile[state->pile[color][i]];
            SAME(tile->where == REF_POOL && tile->order > last, "the pool");
            last = tile->order;
        }
        for (int i = 0; i < 26; i++)
            count += ref->tile[i].where == REF_POOL && ref->tile[i].color == color;
        SAME(count == state->pile_len[color], "the size of the pool");
    }
    SAME(ref->colors_left == state->merged_len, "the merged order");
    for (int i = 0; i < ref->colors_left; i++)
        SAME(ref->colors[i] == state->merged[i], "the merged order");
    return NULL;
}

static const char *same_rows(const struct reference *ref, const struct davinci_state *state)
{
    int in_rows = 0, in_engine = 0;
    for (int i = 0; i < 26; i++) in_rows += ref->tile[i].where == REF_ROW;
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++, in_engine++) {
            const struct davinci_tile *is = &state->row[seat].at[i];
            const struct ref_tile *tile = &ref->tile[is->tile];
            SAME(tile->where == REF_ROW && tile->seat == seat && tile->order == i,
                 "the place of a tile");
            SAME(tile->open == (is->open != 0), "whether a tile lies open");
            SAME(tile->entry == is->entry, "the entry number of a tile");
            for (int n = 0; n <= 12; n++)
                SAME(is->open || tile->refuted[n] == (is->refuted >> (n + 1) & 1),
                     "a refuted value");
        }
    SAME(in_rows == in_engine, "the number of tiles in rows");
    SAME(ref->newest < 0 ? state->newest_entry == 0
                         : state->newest_entry == ref->tile[ref->newest].entry &&
                               state->newest_seat == ref->tile[ref->newest].seat,
         "the newest tile");
    return NULL;
}

static const char *same_seats(const struct reference *ref, const struct davinci_state *state)
{
    for (int seat = 0; seat < state->seats; seat++) {
        SAME((uint32_t)ref->said[seat] == state->guesses[seat], "the number of guesses");
        SAME((uint32_t)ref->right[seat] == state->correct[seat], "the number of hits");
        if (state->phase == DAVINCI_CHOOSE_START)
            SAME((ref->pick[seat][0] >= 0) == (state->pick[seat].made != 0), "who has picked");
        SAME(ref->out[seat] == !davinci_alive(state, seat), "who is out");
    }
    SAME(ref->outs == state->out_count, "how many are out");
    for (int i = 0; i < ref->outs; i++)
        SAME(ref->order_out[i] == state->out[i], "the order of eliminations");
    SAME(ref->winner == (state->winner == DAVINCI_NO_SEAT ? -1 : state->winner), "the winner");
    return NULL;
}

const char *reference_differs(const struct reference *ref, const struct davinci_state *state)
{
    int hand = DAVINCI_NO_TILE;
    for (int i = 0; i < 26; i++)
        if (ref->tile[i].where == REF_HAND) hand = i;
    SAME(ref->phase == state->phase, "the phase");
    SAME(ref->current == state->current && ref->turn == (int)state->turn, "whose turn it is");
    SAME(ref->deadline == state->deadline, "the deadline");
    SAME(hand == state->turn_tile, "the turn tile");
    SAME(ref->penalty == (state->penalty_switched != 0) && ref->idle == state->idle_turns,
         "idle turns");
    const char *difference = same_pool(ref, state);
    if (!difference) difference = same_rows(ref, state);
    if (!difference) difference = same_seats(ref, state);
    return difference;
}
