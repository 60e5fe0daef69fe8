/* SPDX-License-Identifier: Apache-2.0
 *
 * Deadlines and presence. While a window is open its end is the only deadline: everything else
 * waits for these 60 ms. Of what is due at one instant, the window comes first, then who has been
 * away too long, then the phases.
 */
#include "games/dobble/dobble.h"

static instant_ms after(instant_ms since, instant_ms ms)
{
    return since == INSTANT_NEVER ? INSTANT_NEVER : since + ms;
}

static instant_ms sooner(instant_ms a, instant_ms b)
{
    return a < b ? a : b;
}

bool dobble_has_forfeits(const struct dobble_state *state)
{
    return state->rules.mini_game == DOBBLE_WELL || state->rules.mini_game == DOBBLE_HOT_POTATO;
}

static instant_ms forfeits_at(const struct dobble_state *state, int seat)
{
    bool may = dobble_has_forfeits(state) && dobble_in_game(state, seat);
    return may ? after(state->seat[seat].away_since, DOBBLE_FORFEIT_MS) : INSTANT_NEVER;
}

/* A round's end and a hint are short: they end before a pause begins. */
static instant_ms pauses_at(const struct dobble_state *state)
{
    bool may = state->phase == DOBBLE_COUNTDOWN || state->phase == DOBBLE_PLAYING;
    return may ? after(state->few_since, DOBBLE_GRACE_MS) : INSTANT_NEVER;
}

instant_ms dobble_deadline(const struct dobble_state *state)
{
    if (state->phase == DOBBLE_FINISHED) return INSTANT_NEVER;
    if (state->window_len > 0) return dobble_window_end(state);
    instant_ms at = sooner(state->phase_ends, state->hint_at);
    at = sooner(at, pauses_at(state));
    for (int seat = 0; seat < state->seats; seat++) at = sooner(at, forfeits_at(state, seat));
    return at;
}

static void forfeit_the_absent(struct dobble_step *step)
{
    struct dobble_state *state = step->state;
    bool any = false;
    for (int seat = 0; seat < state->seats && state->phase != DOBBLE_FINISHED; seat++) {
        if (forfeits_at(state, seat) > step->context->now) continue;
        dobble_forfeit(step, seat);
        any = true;
    }
    if (any) dobble_settle(step, DOBBLE_TOO_FEW);
}

static void end_phase(struct dobble_step *step)
{
    instant_ms now = step->context->now;
    struct dobble_state *state = step->state;
    bool over = state->phase_ends <= now;
    if (over && state->phase == DOBBLE_HINT) dobble_end_hint(step);
    if (over && state->phase == DOBBLE_ROUND_END) dobble_end_round_end(step);
    if (pauses_at(state) <= now)
        dobble_pause(step);
    else if (state->phase_ends <= now && state->phase == DOBBLE_COUNTDOWN)
        dobble_show(step);
    else if (state->phase_ends <= now && state->phase == DOBBLE_PAUSED)
        dobble_finish(step, DOBBLE_ABSENT);
    else if (state->hint_at <= now)
        dobble_begin_hint(step);
}

void dobble_on_clock(struct dobble_step *step)
{
    struct dobble_state *state = step->state;
    if (step->context->now < dobble_deadline(state)) return;
    if (state->window_len > 0) {
        dobble_window_resolve(step);
        dobble_settle(step, DOBBLE_PLAYED);
    }
    forfeit_the_absent(step);
    end_phase(step);
}

void dobble_on_presence(struct dobble_step *step, int s, bool connected)
{
    struct dobble_state *state = step->state;
    struct dobble_seat *seat = &state->seat[s];
    if (state->phase == DOBBLE_FINISHED) return;
    if (connected == (seat->away_since == INSTANT_NEVER)) return;
    seat->away_since = connected ? INSTANT_NEVER : step->context->now;
    dobble_count_present(state, step->context->now);
    if (state->phase == DOBBLE_PAUSED && state->few_since == INSTANT_NEVER)
        dobble_begin_countdown(step);
}
