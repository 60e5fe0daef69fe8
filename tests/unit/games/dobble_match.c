/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/dobble_match.h"

#include "unit/test.h"

enum { CLOCKS_MAX = 1000, PLAYED_MAX = 400 };

struct game_options match_game_options(const struct match_options *options)
{
    struct game_options out;
    game_options_default(&dobble_game, &out);
    if (options->mini_game) out.value[DOBBLE_OPT_MINI_GAME] = options->mini_game;
    if (options->rounds) out.value[DOBBLE_OPT_ROUNDS] = options->rounds;
    if (options->deck_55) out.value[DOBBLE_OPT_DECK_SIZE] = 55;
    if (options->lockout_ms) out.value[DOBBLE_OPT_LOCKOUT] = options->lockout_ms;
    if (options->lockout_ms < 0) out.value[DOBBLE_OPT_LOCKOUT] = 0;
    out.value[DOBBLE_OPT_LATENCY] = options->light;
    out.value[DOBBLE_OPT_STYLE] = !options->easy;
    out.value[DOBBLE_OPT_SHOW_RTT] = !options->hide_rtt;
    out.value[DOBBLE_OPT_END_AT_FIRST] = options->end_at_first;
    out.value[DOBBLE_OPT_GIVES_CARD] = options->gives_card;
    out.value[DOBBLE_OPT_PRACTICE] = options->practice;
    return out;
}

static void sound(const struct match *match)
{
    const char *fault = dobble_audit(&match->state);
    if (fault) fail_msg("audit: %s", fault);
}

void match_set_up(struct match *match, const struct match_options *options)
{
    struct game_options chosen = match_game_options(options);
    uint32_t n = options->seed;
    struct game_seed seed = {{(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), 0xd0}};
    int seats = options->practice ? 1 : options->seats ? options->seats : 2;
    match_close(match);
    match->now = MATCH_START;
    match->connected = (seat_mask)((1u << seats) - 1);
    struct game_setup setup = {.options = &chosen,
                               .seats = seats,
                               .seed = &seed,
                               .starter = -1,
                               .now = match->now,
                               .connected = match->connected};
    dobble_setup_order(&match->state, &setup, options->order ? options->order : DOBBLE_ORDER);
    sound(match);
}

void match_open(struct match *match, const struct match_options *options)
{
    match_set_up(match, options);
    match_clock(match);
    assert_int_equal(match->state.phase, DOBBLE_PLAYING);
}

void match_close(struct match *match)
{
    game_events_fini(&match->events);
    memset(match, 0, sizeof *match);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static enum status apply(struct match *match, const struct game_input *input)
{
    struct game_context context = {.now = match->now, .connected = match->connected};
    game_events_clear(&match->events);
    enum status status =
        dobble_game.apply(&match->state, input, &context, &match->events, &match->refusal);
    game_events_seal(&match->events);
    sound(match);
    return status;
}

void match_fire(struct match *match)
{
    assert_int_equal(apply(match, &(struct game_input){.kind = GAME_CLOCK, .seat = -1}), ST_OK);
}

void match_clock(struct match *match)
{
    instant_ms deadline = dobble_deadline(&match->state);
    assert_true(deadline != INSTANT_NEVER);
    match->now = deadline;
    match_fire(match);
    assert_true(dobble_deadline(&match->state) > match->now);
}

/* The clock is stamped with its deadline, however late it comes. */
static void clock_first(struct match *match, instant_ms until)
{
    for (int i = 0; dobble_deadline(&match->state) <= until; i++) {
        assert_true(i < CLOCKS_MAX && dobble_deadline(&match->state) != INSTANT_NEVER);
        match_clock(match);
    }
    match->now = until;
}

void match_wait(struct match *match, instant_ms ms)
{
    clock_first(match, match->now + ms);
}

void match_wait_for(struct match *match, enum dobble_phase phase)
{
    for (int i = 0; match->state.phase != phase; i++) {
        assert_true(i < CLOCKS_MAX);
        match_clock(match);
    }
}

void match_presence(struct match *match, int seat, bool connected)
{
    clock_first(match, match->now);
    seat_mask bit = (seat_mask)(1u << seat);
    match->connected = (seat_mask)(connected ? match->connected | bit : match->connected & ~bit);
    assert_int_equal(apply(match, &(struct game_input){.kind = GAME_PRESENCE,
                                                       .seat = seat,
                                                       .connected = connected}),
                     ST_OK);
}

int match_bytes(struct match *match, int seat, struct slice bytes)
{
    clock_first(match, match->now);
    struct dobble_state before = match->state;
    struct game_input input = {
        .kind = GAME_ACTION, .seat = seat, .rtt_ms = match->rtt_ms, .action = bytes};
    if (apply(match, &input) == ST_OK) return 0;
    assert_int_equal(match->events.count, 0);
    assert_true(match_same(&before, &match->state));
    assert_true(match->refusal.code != 0);
    return (int)match->refusal.code;
}

int match_act(struct match *match, int seat, const struct dobble_action *action)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    return match_bytes(match, seat, slice_of(bytes, dobble_write_action(action, bytes)));
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void first_triple(const struct dobble_state *state, struct dobble_claim *claim)
{
    int found = 0;
    claim->art = (uint8_t)dobble_triple(state);
    for (int p = 0; p < DOBBLE_PLACES && found < DOBBLE_TRIPLE; p++)
        if (dobble_bears(state, state->open[p], claim->art)) claim->card[found++] = state->open[p];
}

struct dobble_action match_answer_to(const struct match *match, int seat, int target)
{
    const struct dobble_state *state = &match->state;
    struct dobble_action action;
    struct dobble_claim *claim = &action.claim;
    memset(&action, 0, sizeof action);
    action.triplet = state->rules.mini_game == DOBBLE_TRIPLET;
    if (action.triplet) {
        first_triple(state, claim);
        return action;
    }
    int top = dobble_top(&state->seat[seat].pile), base = dobble_top(&state->centre);
    if (dobble_has_targets(state)) claim->target = (uint8_t)(target + 1);
    if (state->rules.mini_game == DOBBLE_HOT_POTATO) base = dobble_top(&state->seat[target].pile);
    claim->card[0] = (uint8_t)(state->rules.mini_game == DOBBLE_POISONED_GIFT ? 0 : top);
    claim->card[1] = (uint8_t)base;
    if (state->rules.mini_game == DOBBLE_POISONED_GIFT) top = dobble_top(&state->seat[target].pile);
    if (top && base && top != base) claim->art = (uint8_t)dobble_shared(state, top, base);
    return action;
}

struct dobble_action match_answer(const struct match *match, int seat)
{
    seat_mask targets = dobble_targets(&match->state, seat);
    int target = targets ? __builtin_ctz(targets) : (seat + 1) % match->state.seats;
    return match_answer_to(match, seat, target);
}

int match_right(struct match *match, int seat)
{
    clock_first(match, match->now);
    struct dobble_action action = match_answer(match, seat);
    return match_act(match, seat, &action);
}

int match_right_to(struct match *match, int seat, int target)
{
    clock_first(match, match->now);
    struct dobble_action action = match_answer_to(match, seat, target);
    return match_act(match, seat, &action);
}

int match_wrong(struct match *match, int seat)
{
    clock_first(match, match->now);
    struct dobble_action action = match_answer(match, seat);
    action.claim.art = (uint8_t)((action.claim.art + 1) % dobble_cards(&match->state.rules));
    /* In triplet the next picture may lie on all three too, by chance: not with three cards of a
     * plane, which share at most one. */
    return match_act(match, seat, &action);
}

void match_play_out(struct match *match)
{
    for (int i = 0; match->state.phase != DOBBLE_FINISHED; i++) {
        assert_true(i < PLAYED_MAX);
        int seat = i % match->state.seats;
        match_wait(match, 1000);
        if (match->state.phase != DOBBLE_PLAYING || match->state.seat[seat].part != DOBBLE_IN)
            continue;
        assert_int_equal(match_right(match, seat), 0);
        if (match->state.rules.light) match_wait(match, DOBBLE_WINDOW_MS);
    }
}

bool match_same(const struct dobble_state *a, const struct dobble_state *b)
{
    struct buf x = {0}, y = {0};
    dobble_encode(a, &x);
    dobble_encode(b, &y);
    bool same = slice_equal(buf_slice(&x), buf_slice(&y));
    buf_fini(&x);
    buf_fini(&y);
    return same;
}

/* ---- what is seen ---------------------------------------------------------------------------- */

dobble_wire_view *match_view(const struct match *match)
{
    struct buf bytes = {0};
    dobble_game.view(&match->state, &(struct game_viewer){GAME_SPECTATOR, false}, &bytes, NULL);
    dobble_wire_view *view = madang__v1__dobble__view__unpack(NULL, bytes.len, bytes.at);
    assert_non_null(view);
    buf_fini(&bytes);
    return view;
}

dobble_wire_mine *match_mine(const struct match *match, int seat, bool host)
{
    struct buf bytes = {0};
    dobble_game.view(&match->state, &(struct game_viewer){seat, host}, NULL, &bytes);
    dobble_wire_mine *mine =
        madang__v1__dobble__mine__unpack(NULL, bytes.len,
                                         bytes.at ? bytes.at : (const uint8_t *)"");
    assert_non_null(mine);
    buf_fini(&bytes);
    return mine;
}

void match_free_view(dobble_wire_view *view)
{
    madang__v1__dobble__view__free_unpacked(view, NULL);
}

void match_free_mine(dobble_wire_mine *mine)
{
    madang__v1__dobble__mine__free_unpacked(mine, NULL);
}

bool match_told(const struct match *match, Madang__V1__Dobble__Event__KindCase kind)
{
    bool told = false;
    for (int i = 0; i < match->events.count; i++) {
        struct slice bytes = match->events.list[i].shared;
        dobble_wire_event *event = madang__v1__dobble__event__unpack(NULL, bytes.len, bytes.at);
        assert_non_null(event);
        told = told || event->kind_case == kind;
        madang__v1__dobble__event__free_unpacked(event, NULL);
    }
    return told;
}

struct buf match_seen(const struct dobble_state *state)
{
    struct buf all = {0};
    dobble_game.view(state, &(struct game_viewer){GAME_SPECTATOR, false}, &all, NULL);
    for (int seat = 0; seat < state->seats; seat++)
        for (int host = 0; host <= 1; host++)
            dobble_game.view(state, &(struct game_viewer){seat, host}, NULL, &all);
    return all;
}
