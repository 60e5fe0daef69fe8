/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock: what happens to a seat that does not answer. Everything it decides for a seat comes
 * from that seat's own sight; the one exception is how far a first pick must be clamped (D5, D6).
 */
#include "games/davinci/davinci.h"

#include "base/check.h"

/* D6: half and half, one more black when odd, as far as there are tiles. The picks of earlier
 * absent seats, in the order of dealing, count as made. */
static void pick_half(const struct davinci_state *state, int seat, struct davinci_action *out)
{
    struct davinci_state after = *state;
    for (int i = 0; i < state->seats; i++) {
        int other = (state->first + i) % state->seats;
        struct davinci_pick *pick = &after.pick[other];
        if (pick->made) continue;
        int most[2], each = state->rules.start_tiles;
        davinci_pick_limits(&after, most);
        int black = (each + 1) / 2;
        if (black > most[DAVINCI_BLACK]) black = most[DAVINCI_BLACK];
        if (each - black > most[DAVINCI_WHITE]) black = each - most[DAVINCI_WHITE];
        *pick = (struct davinci_pick){1, (uint8_t)black, (uint8_t)(each - black)};
        if (other == seat) break;
    }
    out->kind = DAVINCI_ACT_CHOOSE_START;
    out->black = after.pick[seat].black;
    out->white = after.pick[seat].white;
}

/* D18: the living opponent with the fewest hidden tiles (ties: next in turn order), the leftmost
 * hidden tile, the smallest candidate. The truth is always a candidate, so there is one. */
static void guess_smallest(const struct davinci_sight *sight, struct davinci_action *out)
{
    int target = -1;
    for (int i = 1; i < sight->seats; i++) {
        int seat = (sight->viewer + i) % sight->seats;
        if (sight->row[seat].alive &&
            (target < 0 || sight->row[seat].hidden < sight->row[target].hidden))
            target = seat;
    }
    CHECK(target >= 0);
    int index = 0;
    while (sight->row[target].at[index].face != DAVINCI_FACE_HIDDEN) index++;
    uint16_t faces = davinci_candidates(sight, target, index);
    CHECK(faces != 0);
    out->kind = DAVINCI_ACT_GUESS;
    out->target = (uint32_t)target;
    out->index = (uint32_t)index;
    out->face = __builtin_ctz(faces);
}

void davinci_automatic(const struct davinci_state *state, int seat, struct davinci_action *out)
{
    struct davinci_sight sight;
    davinci_see(state, seat, &sight);
    *out = (struct davinci_action){.color = -1};
    switch ((enum davinci_phase)state->phase) {
    case DAVINCI_CHOOSE_START: pick_half(state, seat, out); break;
    case DAVINCI_DRAW:
        out->kind = DAVINCI_ACT_DRAW;
        if (state->rules.choose_colors)
            out->color = state->pile_len[DAVINCI_WHITE] > state->pile_len[DAVINCI_BLACK]
                             ? DAVINCI_WHITE
                             : DAVINCI_BLACK;
        break;
    case DAVINCI_GUESS: guess_smallest(&sight, out); break;
    case DAVINCI_AFTER_CORRECT:
        out->kind = DAVINCI_ACT_STOP;
        out->joker = sight.turn_color >= 0 && sight.turn_face == DAVINCI_FACE_JOKER;
        out->index = out->joker ? (uint32_t)sight.row[seat].len : 0;
        break;
    case DAVINCI_PLACE_JOKER:
        out->kind = DAVINCI_ACT_PLACE_JOKER;
        out->index = (uint32_t)sight.row[seat].len;
        break;
    case DAVINCI_REVEAL_OWN:
        out->kind = DAVINCI_ACT_REVEAL_OWN;
        out->index = (uint32_t)davinci_row_first_hidden(state, seat);
        break;
    case DAVINCI_FINISHED: break;
    }
}

static void act_for(struct davinci_step *step, int seat)
{
    struct davinci_action action;
    davinci_automatic(step->state, seat, &action);
    step->seat = seat;
    step->automatic = true;
    step->action = &action;
    CHECK(davinci_act(step) == ST_OK);
}

/* A fire before the deadline, or after the end, changes nothing. */
void davinci_on_clock(struct davinci_step *step)
{
    struct davinci_state *state = step->state;
    if (state->phase == DAVINCI_FINISHED || step->context->now < state->deadline) return;
    if (state->phase != DAVINCI_CHOOSE_START) {
        act_for(step, state->current);
        return;
    }
    seat_mask missing = davinci_to_act(state);
    for (int i = 0; i < state->seats; i++) {
        int seat = (state->first + i) % state->seats;
        if (missing >> seat & 1) act_for(step, seat);
    }
}

/* D21: who comes back while the game waits for them has 10 s, once a turn. Every phase is at
 * least that long, so this never passes the phase's full length from now. */
void davinci_on_presence(struct davinci_step *step, bool connected)
{
    struct davinci_state *state = step->state;
    _Static_assert((int)GAME_RETURN_MS <= (int)DAVINCI_STEP_MS, "never beyond the phase");
    if (!connected || state->extended || !(davinci_to_act(state) >> step->seat & 1)) return;
    instant_ms least = step->context->now + GAME_RETURN_MS;
    if (state->deadline >= least) return;
    state->deadline = least;
    state->extended = 1;
}
