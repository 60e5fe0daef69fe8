/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults of time, turns and judgement.
 */
#include "unit/games/broken.h"

#include "games/davinci/davinci.h"

static void status_without_deadline(const void *data, struct game_status *out)
{
    const struct davinci_state *state = data;
    davinci_game.status(data, out);
    if (state->phase == DAVINCI_REVEAL_OWN) out->deadline = INSTANT_NEVER;
}

static void phase_without_deadline(struct game *game)
{
    game->status = status_without_deadline;
}

/* After a hit the clock only grants more time. */
static enum status prolong_apply(void *data, const struct game_input *input,
                                 const struct game_context *context, struct game_events *events,
                                 struct game_refusal *refusal)
{
    struct davinci_state *state = data;
    if (input->kind != GAME_CLOCK || state->phase != DAVINCI_AFTER_CORRECT)
        return davinci_game.apply(data, input, context, events, refusal);
    davinci_enter(state, DAVINCI_AFTER_CORRECT, context->now, false);
    return ST_OK;
}

static void clock_only_prolongs(struct game *game)
{
    game->apply = prolong_apply;
}

static enum status deaf_apply(void *data, const struct game_input *input,
                              const struct game_context *context, struct game_events *events,
                              struct game_refusal *refusal)
{
    const struct davinci_state *state = data;
    if (input->kind == GAME_CLOCK && state->phase == DAVINCI_DRAW) return ST_OK;
    return davinci_game.apply(data, input, context, events, refusal);
}

static void clock_is_not_heard(struct game *game)
{
    game->apply = deaf_apply;
}

static enum status early_apply(void *data, const struct game_input *input,
                               const struct game_context *context, struct game_events *events,
                               struct game_refusal *refusal)
{
    struct game_context early = *context;
    if (input->kind == GAME_CLOCK) early.now++;
    return davinci_game.apply(data, input, &early, events, refusal);
}

static void clock_is_early(struct game *game)
{
    game->apply = early_apply;
}

static enum status refused_clock_apply(void *data, const struct game_input *input,
                                       const struct game_context *context,
                                       struct game_events *events, struct game_refusal *refusal)
{
    struct davinci_state *state = data;
    if (input->kind != GAME_CLOCK || context->now >= state->deadline)
        return davinci_game.apply(data, input, context, events, refusal);
    *refusal = (struct game_refusal){.code = DAVINCI_WRONG_PHASE};
    return ST_REFUSED;
}

static void early_clock_is_refused(struct game *game)
{
    game->apply = refused_clock_apply;
}

static void status_backwards(const void *data, struct game_status *out)
{
    davinci_game.status(data, out);
    if (out->turn) out->turn = 1000000 - out->turn;
}

static void turns_backwards(struct game *game)
{
    game->status = status_backwards;
}

static void status_nobody(const void *data, struct game_status *out)
{
    davinci_game.status(data, out);
    out->to_act |= (seat_mask)(1u << DAVINCI_SEATS_MAX);
}

static void waits_for_nobody(struct game *game)
{
    game->status = status_nobody;
}

static size_t timeout_wrong_phase(const void *data, int seat, uint8_t *bytes)
{
    const struct davinci_state *state = data;
    size_t len = davinci_game.timeout_action(data, seat, bytes);
    if (len == 0 || state->phase != DAVINCI_AFTER_CORRECT) return len;
    return davinci_write_action(&(struct davinci_action){.kind = DAVINCI_ACT_DRAW, .color = -1},
                                bytes);
}

static void automatic_action_is_illegal(struct game *game)
{
    game->timeout_action = timeout_wrong_phase;
}

static void result_second(const void *data, struct game_result *out)
{
    davinci_game.result(data, out);
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        out->seat[seat].rank += out->seat[seat].winner;
}

static void winner_is_second(struct game *game)
{
    game->result = result_second;
}

const struct broken broken_clocks[] = {
    {"a phase without a deadline", "goes on without a deadline", phase_without_deadline},
    {"a phase that the clock only prolongs", "does not end", clock_only_prolongs},
    {"a phase in which the clock is not heard", "the clock", clock_is_not_heard},
    {"a clock that acts before the deadline", "before the deadline", clock_is_early},
    {"an early clock that is refused", "a clock or a presence was refused", early_clock_is_refused},
    {"turns that count backwards", "backwards", turns_backwards},
    {"a seat to act that is not there", "a seat is to act that is not there", waits_for_nobody},
    {"an automatic action that is not legal", "is refused", automatic_action_is_illegal},
    {"a winner of second rank", "a winner of rank", winner_is_second},
    {0},
};
