/* SPDX-License-Identifier: Apache-2.0
 *
 * number-baseball as the rooms see it: the options, the door for inputs, status and result.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"

static const struct game_option options[BASEBALL_OPTION_COUNT] = {
    [BASEBALL_OPT_DIGITS] = {.key = "digits",
                             .kind = GAME_OPTION_CHOICE,
                             .choices = {{3, "3"}, {4, "4"}, {5, "5"}},
                             .default_value = 4},
    [BASEBALL_OPT_GUESS_LIMIT] = {.key = "guessLimit",
                                  .kind = GAME_OPTION_SWITCH,
                                  .default_value = 1},
    [BASEBALL_OPT_GUESSES] = {.key = "guesses",
                              .kind = GAME_OPTION_NUMBER,
                              .min = 5,
                              .max = 20,
                              .default_value = 10,
                              .default_by = "digits",
                              .defaults = {{9, "3"}, {10, "4"}, {12, "5"}},
                              .depends_key = "guessLimit",
                              .depends_value = 1},
    [BASEBALL_OPT_TIME_LIMIT] = {.key = "timeLimit", /* minutes */
                                 .kind = GAME_OPTION_CHOICE,
                                 .choices = {{3, "3"}, {5, "5"}, {10, "10"}, {0, "none"}},
                                 .default_value = 5},
    [BASEBALL_OPT_HINTS] = {.key = "hints", .kind = GAME_OPTION_SWITCH, .default_value = 1},
};

/* N2: something must end the game of who guesses and guesses. */
static enum game_verdict check(const struct game_options *chosen, int seats, const char **text_key)
{
    (void)seats;
    if (chosen->value[BASEBALL_OPT_GUESS_LIMIT] || chosen->value[BASEBALL_OPT_TIME_LIMIT])
        return GAME_OPTIONS_OK;
    *text_key = "note.number-baseball.endless";
    return GAME_OPTIONS_REFUSED;
}

enum status baseball_refuse(struct baseball_step *step, enum baseball_reason reason)
{
    step->refusal->code = reason;
    return reason == BASEBALL_MALFORMED ? ST_INVALID : ST_REFUSED;
}

enum status baseball_refuse_with(struct baseball_step *step, enum baseball_reason reason,
                                 int32_t param)
{
    step->refusal->params[0] = param;
    step->refusal->param_count = 1;
    return baseball_refuse(step, reason);
}

/* Hands one read action of a seat that is still at it to its handler. */
static enum status act(struct baseball_step *step)
{
    const struct baseball_state *state = step->state;
    if (state->phase == BASEBALL_FINISHED) return baseball_refuse(step, BASEBALL_OVER);
    if (state->phase == BASEBALL_COUNTDOWN) return baseball_refuse(step, BASEBALL_NOT_YET);
    if (state->player[step->seat].standing != BASEBALL_AT_IT)
        return baseball_refuse(step, BASEBALL_ENDED);
    switch (step->action->kind) {
    case BASEBALL_ACT_GUESS: return baseball_on_guess(step);
    case BASEBALL_ACT_HINT: return baseball_on_hint(step);
    case BASEBALL_ACT_GIVE_UP: return baseball_on_give_up(step);
    }
    return baseball_refuse(step, BASEBALL_MALFORMED);
}

static enum status apply(void *state, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal)
{
    struct baseball_action action;
    struct baseball_step step = {
        .state = state,
        .seat = input->seat,
        .action = &action,
        .context = context,
        .events = events,
        .refusal = refusal,
    };
    memset(refusal, 0, sizeof *refusal);
    switch (input->kind) {
    case GAME_CLOCK: baseball_on_clock(&step); return ST_OK;
    case GAME_PRESENCE: baseball_note_absence(state, context); return ST_OK;
    case GAME_ACTION:
        CHECK(input->seat >= 0 && input->seat < step.state->seats);
        if (!baseball_read_action(input->action, &action))
            return baseball_refuse(&step, BASEBALL_MALFORMED);
        return act(&step);
    }
    return baseball_refuse(&step, BASEBALL_MALFORMED);
}

/* Everything names its own base: a guess itself, a hint its number, giving up the guesses made. */
static bool bound(struct slice bytes)
{
    struct baseball_action action;
    return !baseball_read_action(bytes, &action);
}

static void status(const void *data, struct game_status *out)
{
    const struct baseball_state *state = data;
    *out = (struct game_status){
        .finished = state->phase == BASEBALL_FINISHED,
        .to_act = state->phase == BASEBALL_PLAYING ? baseball_at_it(state) : 0,
        .deadline = baseball_deadline(state),
        .turn_seat = -1,
    };
}

/* The clock ends the game for who is still at it; what a player can do to that effect is to give
 * up. */
static size_t timeout_action(const void *data, int seat, uint8_t *bytes)
{
    const struct baseball_state *state = data;
    struct game_status now;
    status(state, &now);
    if (seat < 0 || seat >= state->seats || !(now.to_act >> seat & 1)) return 0;
    struct baseball_action action = {.kind = BASEBALL_ACT_GIVE_UP,
                                     .number = state->player[seat].guesses};
    return baseball_write_action(&action, bytes);
}

static void result(const void *data, struct game_result *out)
{
    const struct baseball_state *state = data;
    struct baseball_ranked ranked[BASEBALL_SEATS_MAX];
    memset(out, 0, sizeof *out);
    out->next_starter = -1;
    if (state->phase != BASEBALL_FINISHED) return;
    baseball_rank(state, ranked);
    for (int i = 0; i < state->seats; i++)
        out->seat[ranked[i].seat] = (struct game_standing){
            .rank = ranked[i].rank,
            .points = ranked[i].points,
            .winner = ranked[i].rank == 1,
        };
}

const struct game baseball_game = {
    .id = "number-baseball",
    .rules_version = 1,
    .seats_min = 1,
    .seats_max = BASEBALL_SEATS_MAX,
    .state_size = sizeof(struct baseball_state),
    .options = options,
    .option_count = BASEBALL_OPTION_COUNT,
    .minds_absence = true,
    .messages = &baseball_messages,
    .check = check,
    .setup = baseball_setup,
    .apply = apply,
    .bound = bound,
    .status = status,
    .timeout_action = timeout_action,
    .view = baseball_view,
    .result = result,
    .encode = baseball_encode,
    .decode = baseball_decode,
    .random_action = baseball_random_action,
    .permute_hidden = baseball_permute_hidden,
    .releases = baseball_releases,
    .audit = baseball_audit,
};
