/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting up. All randomness of a game is drawn here; afterwards every card comes from the top of
 * the draw pile. No rule tells one seat from another, so the seats need no stream: who gets which
 * card is the deck's.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"

void dobble_set_rules(struct dobble_rules *rules, const struct game_options *options, int seats)
{
    const int32_t *value = options->value;
    bool practice = value[DOBBLE_OPT_PRACTICE] != 0;
    int mini_game = practice ? DOBBLE_TOWER : value[DOBBLE_OPT_MINI_GAME];
    int deck = value[DOBBLE_OPT_DECK_SIZE];
    int most = deck / seats, rounds = value[DOBBLE_OPT_ROUNDS]; /* B2 */
    *rules = (struct dobble_rules){
        .mini_game = (uint8_t)mini_game,
        .order = DOBBLE_ORDER,
        .deck_size = (uint8_t)deck,
        .rounds = (uint8_t)(mini_game != DOBBLE_HOT_POTATO ? 1
                            : rounds < most                ? rounds
                                                           : most),
        .light = value[DOBBLE_OPT_LATENCY] != 0 && !practice,
        .easy = value[DOBBLE_OPT_STYLE] == 0,
        .show_rtt = value[DOBBLE_OPT_SHOW_RTT] != 0,
        .end_at_first = mini_game == DOBBLE_WELL && value[DOBBLE_OPT_END_AT_FIRST] != 0,
        .gives_card = mini_game == DOBBLE_TOWER && value[DOBBLE_OPT_GIVES_CARD] != 0,
        .practice = practice,
        .lockout_ms = (uint16_t)value[DOBBLE_OPT_LOCKOUT],
    };
}

static void deal_each(struct dobble_state *state, int count)
{
    for (int k = 0; k < count; k++)
        for (int seat = 0; seat < state->seats; seat++)
            dobble_push(&state->seat[seat].pile, dobble_pop(&state->draw));
}

/* Cards already used are not used again: they and what is left of the piles are spent. */
void dobble_deal_round(struct dobble_state *state)
{
    state->hints = 0;
    for (int s = 0; s < state->seats; s++) {
        struct dobble_seat *seat = &state->seat[s];
        dobble_move(&state->unused, &seat->pile);
        seat->top_since = 0;
        seat->place = 0;
        memset(&seat->won, 0, sizeof seat->won);
        if (seat->part == DOBBLE_ESCAPED) seat->part = DOBBLE_IN;
        if (seat->part == DOBBLE_IN) dobble_push(&seat->pile, dobble_pop(&state->draw));
    }
}

void dobble_fill_places(struct dobble_state *state, instant_ms now)
{
    for (int p = 0; p < DOBBLE_PLACES && state->draw.len > 0; p++) {
        if (state->open[p] != DOBBLE_NO_CARD) continue;
        state->open[p] = (uint8_t)dobble_pop(&state->draw);
        state->open_since[p] = now;
    }
}

static void deal(struct dobble_state *state)
{
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER:
    case DOBBLE_POISONED_GIFT:
        deal_each(state, 1);
        dobble_push(&state->centre, dobble_pop(&state->draw));
        break;
    case DOBBLE_WELL:
        dobble_push(&state->centre, dobble_pop(&state->draw));
        deal_each(state, (state->rules.deck_size - 1) / state->seats);
        dobble_move(&state->unused, &state->draw);
        break;
    case DOBBLE_HOT_POTATO: dobble_deal_round(state); break;
    case DOBBLE_TRIPLET: dobble_fill_places(state, 0); break;
    }
}

static void begin(struct dobble_state *state, const struct game_setup *setup)
{
    for (int s = 0; s < state->seats; s++) {
        state->seat[s].part = DOBBLE_IN;
        state->seat[s].away_since = setup->connected >> s & 1 ? INSTANT_NEVER : setup->now;
    }
    state->round = 1;
    state->phase = DOBBLE_COUNTDOWN;
    state->phase_started = setup->now;
    state->phase_ends = setup->now + DOBBLE_COUNTDOWN_MS;
    state->hint_at = INSTANT_NEVER;
    state->few_since = INSTANT_NEVER;
    dobble_count_present(state, setup->now);
}

void dobble_setup_order(struct dobble_state *state, const struct game_setup *setup, int order)
{
    CHECK(setup->seats >= 1 && setup->seats <= DOBBLE_SEATS_MAX);
    memset(state, 0, sizeof *state);
    dobble_set_rules(&state->rules, setup->options, setup->seats);
    state->seats = (uint8_t)setup->seats;
    if (order != DOBBLE_ORDER) {
        CHECK(order >= 2 && order < DOBBLE_ORDER);
        state->rules.order = (uint8_t)order;
        state->rules.deck_size = (uint8_t)dobble_cards(&state->rules);
        int most = state->rules.deck_size / state->seats;
        if (state->rules.rounds > most) state->rules.rounds = (uint8_t)most;
    }
    CHECK(state->rules.deck_size > state->seats && state->rules.rounds >= 1);
    dobble_make_deck(state, setup->seed);
    dobble_make_layouts(state, setup->seed);
    dobble_shuffle(state, setup->seed);
    begin(state, setup);
    deal(state);
}

void dobble_setup(void *state, const struct game_setup *setup)
{
    dobble_setup_order(state, setup, DOBBLE_ORDER);
}
