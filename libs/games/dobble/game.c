/* SPDX-License-Identifier: Apache-2.0
 *
 * dobble as the rooms see it: the options, the door for inputs, status and result.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"

static const struct game_option options[DOBBLE_OPTION_COUNT] = {
    [DOBBLE_OPT_MINI_GAME] = {.key = "miniGame",
                              .kind = GAME_OPTION_CHOICE,
                              .choices = {{DOBBLE_TOWER, "tower"},
                                          {DOBBLE_WELL, "well"},
                                          {DOBBLE_HOT_POTATO, "hotPotato"},
                                          {DOBBLE_POISONED_GIFT, "poisonedGift"},
                                          {DOBBLE_TRIPLET, "triplet"}},
                              .default_value = DOBBLE_TOWER,
                              .depends_key = "practice",
                              .depends_value = 0},
    [DOBBLE_OPT_DECK_SIZE] = {.key = "deckSize",
                              .kind = GAME_OPTION_CHOICE,
                              .choices = {{57, "57"}, {55, "55"}},
                              .default_value = 57},
    [DOBBLE_OPT_ROUNDS] = {.key = "hotPotatoRounds",
                           .kind = GAME_OPTION_CHOICE,
                           .choices = {{3, "3"}, {5, "5"}, {7, "7"}},
                           .default_value = 5,
                           .depends_key = "miniGame",
                           .depends_value = DOBBLE_HOT_POTATO},
    [DOBBLE_OPT_LOCKOUT] = {.key = "wrongLockoutMs",
                            .kind = GAME_OPTION_CHOICE,
                            .choices = {{0, "0"}, {1000, "1000"}, {2000, "2000"}},
                            .default_value = 1000},
    [DOBBLE_OPT_LATENCY] = {.key = "latencyComp",
                            .kind = GAME_OPTION_CHOICE,
                            .choices = {{0, "off"}, {1, "light"}}},
    [DOBBLE_OPT_STYLE] = {.key = "symbolStyle",
                          .kind = GAME_OPTION_CHOICE,
                          .choices = {{0, "easy"}, {1, "classic"}},
                          .default_value = 1},
    [DOBBLE_OPT_SHOW_RTT] = {.key = "showRtt", .kind = GAME_OPTION_SWITCH, .default_value = 1},
    [DOBBLE_OPT_END_AT_FIRST] = {.key = "wellEndAtFirst",
                                 .kind = GAME_OPTION_SWITCH,
                                 .depends_key = "miniGame",
                                 .depends_value = DOBBLE_WELL},
    [DOBBLE_OPT_GIVES_CARD] = {.key = "wrongGivesCard",
                               .kind = GAME_OPTION_SWITCH,
                               .depends_key = "miniGame",
                               .depends_value = DOBBLE_TOWER},
    [DOBBLE_OPT_PRACTICE] = {.key = "practice", .kind = GAME_OPTION_SWITCH},
};

/* B2 and B23. Every other combination plays. */
static enum game_verdict check(const struct game_options *chosen, int seats, const char **text_key)
{
    struct dobble_rules rules;
    dobble_set_rules(&rules, chosen, seats);
    if (rules.practice && seats > 1) {
        *text_key = "refusal.dobble.practice_alone";
        return GAME_OPTIONS_REFUSED;
    }
    if (!rules.practice && seats < 2) {
        *text_key = "refusal.dobble.two_players";
        return GAME_OPTIONS_REFUSED;
    }
    if (rules.mini_game == DOBBLE_HOT_POTATO && rules.rounds < chosen->value[DOBBLE_OPT_ROUNDS]) {
        *text_key = "note.dobble.rounds";
        return GAME_OPTIONS_NOTE;
    }
    if (rules.practice && chosen->value[DOBBLE_OPT_MINI_GAME] != DOBBLE_TOWER) {
        *text_key = "note.dobble.practice_tower";
        return GAME_OPTIONS_NOTE;
    }
    return GAME_OPTIONS_OK;
}

static enum status apply(void *state, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal)
{
    struct dobble_action action;
    struct dobble_step step = {state, context, events, refusal};
    memset(refusal, 0, sizeof *refusal);
    switch (input->kind) {
    case GAME_CLOCK: dobble_on_clock(&step); return ST_OK;
    case GAME_PRESENCE: dobble_on_presence(&step, input->seat, input->connected); return ST_OK;
    case GAME_ACTION:
        CHECK(input->seat >= 0 && input->seat < step.state->seats);
        if (!dobble_read_action(input->action, &action))
            return dobble_refuse(&step, DOBBLE_MALFORMED);
        return dobble_on_claim(&step, input->seat, input->rtt_ms, &action);
    }
    return dobble_refuse(&step, DOBBLE_MALFORMED);
}

/* A claim names the cards it compares (B7); what cannot be read is made for one screen. */
static bool bound(struct slice bytes)
{
    struct dobble_action action;
    return !dobble_read_action(bytes, &action);
}

/* Everybody may act and nobody must: there are no turns, and the game waits for no one. */
static void status(const void *data, struct game_status *out)
{
    const struct dobble_state *state = data;
    *out = (struct game_status){
        .finished = state->phase == DOBBLE_FINISHED,
        .deadline = dobble_deadline(state),
        .turn_seat = -1,
    };
}

/* The clock does nothing for anybody (spec 8.5). */
static size_t timeout_action(const void *state, int seat, uint8_t *bytes)
{
    (void)state;
    (void)seat;
    bytes[0] = 0;
    return 0;
}

static void result(const void *data, struct game_result *out)
{
    const struct dobble_state *state = data;
    memset(out, 0, sizeof *out);
    out->next_starter = -1;
    if (state->phase != DOBBLE_FINISHED) return;
    for (int seat = state->seats - 1; seat >= 0; seat--) {
        int rank = dobble_rank(state, seat);
        bool winner = rank == 1 && state->seat[seat].part != DOBBLE_FORFEITED;
        out->seat[seat] = (struct game_standing){.rank = rank,
                                                 .points = dobble_points(state, seat),
                                                 .winner = winner};
        if (winner) out->next_starter = seat;
    }
}

const struct game dobble_game = {
    .id = "dobble",
    .rules_version = 2, /* no room plays version 1, which was never out: nothing before this */
    .seats_min = 2,
    .seats_max = DOBBLE_SEATS_MAX,
    .state_size = sizeof(struct dobble_state),
    .options = options,
    .option_count = DOBBLE_OPTION_COUNT,
    .minds_absence = true,
    .solo_key = "practice",
    .rtt_key = "showRtt",
    .messages = &dobble_messages,
    .check = check,
    .setup = dobble_setup,
    .apply = apply,
    .bound = bound,
    .status = status,
    .timeout_action = timeout_action,
    .view = dobble_view,
    .result = result,
    .encode = dobble_encode,
    .decode = dobble_decode,
    .random_action = dobble_random_action,
    .permute_hidden = dobble_permute_hidden,
    .releases = dobble_releases,
    .audit = dobble_audit,
};
