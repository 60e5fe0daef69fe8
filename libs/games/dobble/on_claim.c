/* SPDX-License-Identifier: Apache-2.0
 *
 * A claim. It is judged in this order (B8):
 *   1. it can be one of this mini-game     else OTHER_MINI_GAME, NOT_THREE
 *   2. a winner's double tap               swallowed: accepted, and nothing happens
 *   3. phase                               else why not now
 *   4. the seat plays                      else NOT_IN_PLAY
 *   5. no lock                             else LOCKED
 *   6. the named cards lie open            else LATE (also when it is wrong besides)
 *   7. target                              else what is wrong with it
 *   8. the picture                         else wrong: a lock, a logged action like any other
 * Then it wins, or waits in the window.
 */
#include "games/dobble/dobble.h"

enum status dobble_refuse(struct dobble_step *step, enum dobble_reason reason)
{
    step->refusal->code = reason;
    return reason == DOBBLE_MALFORMED ? ST_INVALID : ST_REFUSED;
}

static enum status refuse_for(struct dobble_step *step, enum dobble_reason reason, instant_ms until)
{
    step->refusal->params[0] = (int32_t)(until - step->context->now);
    step->refusal->param_count = 1;
    return dobble_refuse(step, reason);
}

static enum status refuse_phase(struct dobble_step *step)
{
    const struct dobble_state *state = step->state;
    switch ((enum dobble_phase)state->phase) {
    case DOBBLE_COUNTDOWN: return dobble_refuse(step, DOBBLE_IN_COUNTDOWN);
    case DOBBLE_ROUND_END: return dobble_refuse(step, DOBBLE_IN_ROUND_END);
    case DOBBLE_HINT: return refuse_for(step, DOBBLE_IN_HINT, state->phase_ends);
    case DOBBLE_PAUSED: return dobble_refuse(step, DOBBLE_IN_PAUSE);
    case DOBBLE_FINISHED:
    case DOBBLE_PLAYING: break;
    }
    return dobble_refuse(step, DOBBLE_OVER);
}

static bool cards_there(const struct dobble_state *state, int seat,
                        const struct dobble_claim *claim)
{
    int mine = dobble_top(&state->seat[seat].pile), base = dobble_top(&state->centre);
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TRIPLET:
        for (int i = 0; i < DOBBLE_TRIPLE; i++)
            if (dobble_place_of(state, claim->card[i]) < 0) return false;
        return true;
    case DOBBLE_HOT_POTATO:
        if (mine != claim->card[0]) return false;
        if (claim->target == 0 || claim->target > state->seats) return true;
        return dobble_top(&state->seat[claim->target - 1].pile) == claim->card[1];
    case DOBBLE_POISONED_GIFT: return base == claim->card[1];
    case DOBBLE_TOWER:
    case DOBBLE_WELL: return mine == claim->card[0] && base == claim->card[1];
    }
    return false;
}

enum dobble_reason dobble_claim_fault(const struct dobble_state *state, int seat,
                                      const struct dobble_claim *claim)
{
    if (!cards_there(state, seat, claim)) return DOBBLE_LATE;
    if (!dobble_has_targets(state)) return claim->target ? DOBBLE_NO_TARGET_HERE : 0;
    if (claim->target == 0) return DOBBLE_TARGET_NEEDED;
    if (claim->target == seat + 1) return DOBBLE_OWN_TARGET;
    if (claim->target > state->seats) return DOBBLE_TARGET_OUT;
    return state->seat[claim->target - 1].part == DOBBLE_IN ? 0 : DOBBLE_TARGET_OUT;
}

/* Of a claim without a fault. */
static bool is_right(const struct dobble_state *state, const struct dobble_claim *claim)
{
    bool triplet = state->rules.mini_game == DOBBLE_TRIPLET;
    bool gift = state->rules.mini_game == DOBBLE_POISONED_GIFT;
    int first = gift ? dobble_top(&state->seat[claim->target - 1].pile) : claim->card[0];
    return dobble_bears(state, first, claim->art) &&
           dobble_bears(state, claim->card[1], claim->art) &&
           (!triplet || dobble_bears(state, claim->card[2], claim->art));
}

/* B11: the top card goes face down under the draw pile; the first card of a tower is never lost. */
static bool give_card_back(struct dobble_state *state, struct dobble_seat *seat, instant_ms now)
{
    if (!state->rules.gives_card || seat->pile.len <= 1 ||
        seat->given_back >= DOBBLE_GIVEN_BACK_MAX)
        return false;
    dobble_push_under(&state->draw, dobble_pop(&seat->pile));
    seat->given_back++;
    seat->top_since = now;
    return true;
}

static void wrong(struct dobble_step *step, int s, int art)
{
    struct dobble_state *state = step->state;
    struct dobble_seat *seat = &state->seat[s];
    instant_ms now = step->context->now;
    seat->wrong++;
    seat->fast = 0;
    if (state->rules.lockout_ms) seat->locked_until = now + state->rules.lockout_ms;
    bool gave = give_card_back(state, seat, now);
    dobble_tell_wrong(step->events, s, state->rules.lockout_ms ? seat->locked_until : 0, gave, art);
}

/* The same claim again by the seat that won with it, now that its cards are no longer there. */
static bool is_double_tap(const struct dobble_state *state, int seat,
                          const struct dobble_claim *claim)
{
    const struct dobble_claim *won = &state->seat[seat].won;
    if (state->phase == DOBBLE_FINISHED || won->card[1] == DOBBLE_NO_CARD) return false;
    if (memcmp(won, claim, sizeof *won) != 0) return false;
    return state->phase != DOBBLE_PLAYING || !cards_there(state, seat, claim);
}

static enum status judge(struct dobble_step *step, int seat, const struct dobble_claim *claim)
{
    const struct dobble_state *state = step->state;
    instant_ms locked_until = state->seat[seat].locked_until;
    if (state->phase != DOBBLE_PLAYING) return refuse_phase(step);
    if (state->seat[seat].part != DOBBLE_IN) return dobble_refuse(step, DOBBLE_NOT_IN_PLAY);
    if (step->context->now < locked_until) return refuse_for(step, DOBBLE_LOCKED, locked_until);
    enum dobble_reason fault = dobble_claim_fault(state, seat, claim);
    return fault ? dobble_refuse(step, fault) : ST_OK;
}

enum status dobble_on_claim(struct dobble_step *step, int seat, uint32_t rtt_ms,
                            const struct dobble_action *action)
{
    struct dobble_state *state = step->state;
    struct dobble_claim claim = action->claim;
    if (action->triplet != (state->rules.mini_game == DOBBLE_TRIPLET))
        return dobble_refuse(step, DOBBLE_OTHER_MINI_GAME);
    if (action->triplet && (claim.card[0] == claim.card[1] || claim.card[1] == claim.card[2]))
        return dobble_refuse(step, DOBBLE_NOT_THREE);
    if (state->rules.mini_game == DOBBLE_POISONED_GIFT) claim.card[0] = DOBBLE_NO_CARD;
    if (is_double_tap(state, seat, &claim)) {
        step->events->hidden = true;
        return ST_OK;
    }
    enum status status = judge(step, seat, &claim);
    if (status != ST_OK) return status;
    if (!is_right(state, &claim)) {
        wrong(step, seat, claim.art);
    } else if (state->rules.light) {
        dobble_window_enter(step, seat, rtt_ms, &claim);
    } else {
        dobble_win(step, seat, &claim, step->context->now);
        dobble_settle(step, DOBBLE_PLAYED);
    }
    return ST_OK;
}
