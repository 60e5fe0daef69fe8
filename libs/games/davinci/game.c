/* SPDX-License-Identifier: Apache-2.0
 *
 * davinci-code as the rooms see it: the options, the door for inputs, status and result.
 */
#include "games/davinci/davinci.h"

#include "base/check.h"

static const struct game_option options[DAVINCI_OPTION_COUNT] = {
    [DAVINCI_OPT_JOKERS] = {.key = "jokers", .kind = GAME_OPTION_SWITCH},
    [DAVINCI_OPT_TIE_ORDER] = {.key = "tieOrder",
                               .kind = GAME_OPTION_CHOICE,
                               .choices = {{0, "black-left"}, {1, "white-left"}}},
    [DAVINCI_OPT_START_TILES] = {.key = "startTiles",
                                 .kind = GAME_OPTION_CHOICE,
                                 .choices = {{0, "auto"}, {3, "3"}, {4, "4"}, {5, "5"}}},
    [DAVINCI_OPT_CHOOSE_COLORS] = {.key = "chooseColors",
                                   .kind = GAME_OPTION_SWITCH,
                                   .default_value = 1},
    [DAVINCI_OPT_EMPTY_POOL] = {.key = "emptyPoolPenalty",
                                .kind = GAME_OPTION_CHOICE,
                                .choices = {{1, "reveal-own"}, {0, "none"}},
                                .default_value = 1},
    [DAVINCI_OPT_TURN_SECONDS] = {.key = "turnSeconds",
                                  .kind = GAME_OPTION_CHOICE,
                                  .choices = {{20, "20"}, {30, "30"}, {45, "45"}, {60, "60"}},
                                  .default_value = 30},
    [DAVINCI_OPT_HELPER] = {.key = "deductionHelper", .kind = GAME_OPTION_SWITCH},
    [DAVINCI_OPT_HISTORY] = {.key = "history", .kind = GAME_OPTION_SWITCH, .default_value = 1},
};

/* D4: every combination plays; a small pool makes a short game. */
static enum game_verdict check(const struct game_options *chosen, int seats, const char **text_key)
{
    int tiles = 2 * (DAVINCI_NUMBERS + (chosen->value[DAVINCI_OPT_JOKERS] != 0));
    if (tiles - seats * davinci_start_tiles(chosen, seats) >= 2 * seats) return GAME_OPTIONS_OK;
    *text_key = "note.davinci-code.short";
    return GAME_OPTIONS_NOTE;
}

enum status davinci_refuse(struct davinci_step *step, enum davinci_reason reason)
{
    step->refusal->code = reason;
    return reason == DAVINCI_MALFORMED ? ST_INVALID : ST_REFUSED;
}

enum status davinci_refuse_with(struct davinci_step *step, enum davinci_reason reason,
                                int32_t param)
{
    step->refusal->params[0] = param;
    step->refusal->param_count = 1;
    return davinci_refuse(step, reason);
}

enum status davinci_act(struct davinci_step *step)
{
    const struct davinci_state *state = step->state;
    if (state->phase == DAVINCI_FINISHED) return davinci_refuse(step, DAVINCI_OVER);
    if (state->phase != DAVINCI_CHOOSE_START && step->action->kind != DAVINCI_ACT_CHOOSE_START &&
        step->seat != state->current)
        return davinci_refuse(step, DAVINCI_NOT_YOUR_TURN);
    switch (step->action->kind) {
    case DAVINCI_ACT_CHOOSE_START: return davinci_on_choose_start(step);
    case DAVINCI_ACT_DRAW: return davinci_on_draw(step);
    case DAVINCI_ACT_GUESS: return davinci_on_guess(step);
    case DAVINCI_ACT_CONTINUE: return davinci_on_continue(step);
    case DAVINCI_ACT_STOP: return davinci_on_stop(step);
    case DAVINCI_ACT_PLACE_JOKER: return davinci_on_place_joker(step);
    case DAVINCI_ACT_REVEAL_OWN: return davinci_on_reveal_own(step);
    }
    return davinci_refuse(step, DAVINCI_MALFORMED);
}

static enum status apply(void *state, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal)
{
    struct davinci_action action;
    struct davinci_step step = {
        .state = state,
        .seat = input->seat,
        .action = &action,
        .context = context,
        .events = events,
        .refusal = refusal,
    };
    memset(refusal, 0, sizeof *refusal);
    switch (input->kind) {
    case GAME_CLOCK: davinci_on_clock(&step); return ST_OK;
    case GAME_PRESENCE: davinci_on_presence(&step, input->connected); return ST_OK;
    case GAME_ACTION:
        CHECK(input->seat >= 0 && input->seat < step.state->seats);
        if (!davinci_read_action(input->action, &action))
            return davinci_refuse(&step, DAVINCI_MALFORMED);
        return davinci_act(&step);
    }
    return davinci_refuse(&step, DAVINCI_MALFORMED);
}

/* A first pick names its own base, the start tiles; everything else is made for one screen (D24).
 */
static bool bound(struct slice bytes)
{
    struct davinci_action action;
    return !davinci_read_action(bytes, &action) || action.kind != DAVINCI_ACT_CHOOSE_START;
}

static void status(const void *data, struct game_status *out)
{
    const struct davinci_state *state = data;
    bool turns = state->phase != DAVINCI_CHOOSE_START && state->phase != DAVINCI_FINISHED;
    *out = (struct game_status){
        .finished = state->phase == DAVINCI_FINISHED,
        .to_act = davinci_to_act(state),
        .deadline = state->deadline,
        .turn = turns ? state->turn : 0,
        .turn_seat = turns ? state->current : -1,
    };
}

static size_t timeout_action(const void *data, int seat, uint8_t *bytes)
{
    const struct davinci_state *state = data;
    if (seat < 0 || seat >= state->seats || !(davinci_to_act(state) >> seat & 1)) return 0;
    struct davinci_action action;
    davinci_automatic(state, seat, &action);
    return davinci_write_action(&action, bytes);
}

/* The winner, then who went out last (spec 6); no points (D27). An abandoned game has no ranks. */
static void result(const void *data, struct game_result *out)
{
    const struct davinci_state *state = data;
    memset(out, 0, sizeof *out);
    out->next_starter = -1;
    if (state->phase != DAVINCI_FINISHED) return;
    out->seat[state->winner] = (struct game_standing){.rank = 1, .winner = true};
    for (int i = 0; i < state->out_count; i++)
        out->seat[state->out[i]].rank = state->out_count - i + 1;
    out->next_starter = state->winner;
}

const struct game davinci_game = {
    .id = "davinci-code",
    .rules_version = 1,
    .seats_min = 2,
    .seats_max = DAVINCI_SEATS_MAX,
    .state_size = sizeof(struct davinci_state),
    .options = options,
    .option_count = DAVINCI_OPTION_COUNT,
    .messages = &davinci_messages,
    .check = check,
    .setup = davinci_setup,
    .apply = apply,
    .bound = bound,
    .status = status,
    .timeout_action = timeout_action,
    .view = davinci_view,
    .result = result,
    .encode = davinci_encode,
    .decode = davinci_decode,
    .random_action = davinci_random_action,
    .permute_hidden = davinci_permute_hidden,
    .releases = davinci_releases,
    .audit = davinci_audit,
};
