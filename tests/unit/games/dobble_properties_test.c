/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties that hold after every step of seeded random games.
 */
#include "unit/games/dobble_match.h"
#include "unit/test.h"

#include "base/hash.h"

#include <stdio.h>

/* One claim of a game: what was, who did what, what is. */
struct moment {
    const struct dobble_state *before, *after;
    const struct dobble_action *action;
    int seat, reason;
    instant_ms now;
};
typedef void each_claim(const struct moment *moment, void *data);

enum { LIGHT = 1, FLAKY = 2 };

static struct match_options options_of(uint32_t number, int what)
{
    return (struct match_options){
        .mini_game = 1 + (int)number % 5,
        .seats = 2 + (int)number / 5 % 7,
        .deck_55 = number / 35 % 2,
        .light = (what & LIGHT) && number / 70 % 2,
        .lockout_ms = number % 2 ? -1 : 0,
        .gives_card = number % 3 == 0,
        .seed = number,
    };
}

static void play_one(struct match *match, uint32_t number, int what, each_claim *call, void *data)
{
    struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 5}};
    struct match_options options = options_of(number, what);
    struct rng rng;
    rng_init(&rng, &seed, "properties");
    match_open(match, &options);
    for (int i = 0; i < 400 && match->state.phase != DOBBLE_FINISHED; i++) {
        uint8_t bytes[GAME_ACTION_BYTES_MAX];
        struct dobble_action action;
        int seat = (int)rng_below(&rng, match->state.seats);
        if (what & FLAKY && rng_below(&rng, 40) == 0)
            match_presence(match, seat, rng_below(&rng, 2));
        match_wait(match, rng_below(&rng, 300));
        struct dobble_state before = match->state;
        int kind = rng_below(&rng, 100) < 85 ? 0 : 1;
        size_t len = dobble_random_action(&before, seat, kind, &rng, bytes);
        if (len == 0 && match->state.phase != DOBBLE_FINISHED) match_clock(match);
        if (len == 0 || !dobble_read_action(slice_of(bytes, len), &action)) continue;
        match->rtt_ms = rng_below(&rng, 300);
        int reason = match_act(match, seat, &action);
        call(&(struct moment){&before, &match->state, &action, seat, reason, match->now}, data);
    }
}

static void play(int games, int what, each_claim *call, void *data)
{
    struct match match = {0};
    for (uint32_t number = 0; number < (uint32_t)games; number++)
        play_one(&match, number, what, call, data);
    match_close(&match);
}

/* ---- cards ----------------------------------------------------------------------------------- */

static void count_pile(const struct dobble_pile *pile, int times[58])
{
    for (int i = 0; i < pile->len; i++) times[pile->card[i]]++;
}

static void count_cards(const struct moment *m, void *data)
{
    int times[58] = {0};
    (void)data;
    count_pile(&m->after->draw, times);
    count_pile(&m->after->centre, times);
    count_pile(&m->after->unused, times);
    for (int s = 0; s < m->after->seats; s++) count_pile(&m->after->seat[s].pile, times);
    for (int p = 0; p < DOBBLE_PLACES; p++)
        if (m->after->open[p]) times[m->after->open[p]]++;
    for (int c = 1; c <= 57; c++) assert_int_equal(times[c], 1);
}

static void every_card_is_there_exactly_once(void **unused)
{
    (void)unused;
    play(400, LIGHT | FLAKY, count_cards, NULL);
}

static void saved_states_are_small(const struct moment *m, void *data)
{
    struct buf bytes = {0};
    size_t *most = data;
    dobble_encode(m->after, &bytes);
    if (bytes.len > *most) *most = bytes.len;
    buf_fini(&bytes);
}

static void a_saved_state_has_at_most_1400_bytes(void **unused)
{
    (void)unused;
    size_t most = 0;
    play(200, LIGHT | FLAKY, saved_states_are_small, &most);
    assert_in_range(most, 1000, 1400);
}

static uint32_t total(const struct dobble_state *state)
{
    uint32_t count = 0;
    for (int s = 0; s < state->seats; s++) count += state->seat[s].correct;
    return count;
}

/* Without compensation a right claim wins at once: the first one on a base is the only one. */
static void first_wins(const struct moment *m, void *data)
{
    (void)data;
    if (m->reason != 0) return;
    uint32_t won = m->after->seat[m->seat].correct - m->before->seat[m->seat].correct;
    uint32_t wrong = m->after->seat[m->seat].wrong - m->before->seat[m->seat].wrong;
    bool nothing = match_same(m->before, m->after);
    assert_int_equal(won + wrong + nothing, 1);
    assert_int_equal(total(m->after) - total(m->before), won);
    if (won == 0) return;
    struct match match = {.state = *m->after, .now = m->now};
    for (int other = 0; other < m->after->seats; other++) {
        struct dobble_action same = *m->action;
        if (other == m->seat) continue;
        if (m->after->rules.mini_game == DOBBLE_HOT_POTATO) continue; /* others' own cards */
        same.claim.card[0] = m->after->rules.mini_game == DOBBLE_TRIPLET
                                 ? same.claim.card[0]
                                 : (uint8_t)dobble_top(&m->after->seat[other].pile);
        assert_int_not_equal(match_act(&match, other, &same), 0);
    }
    match_close(&match);
}

static void at_most_one_claim_wins_a_base_and_it_is_the_first(void **unused)
{
    (void)unused;
    play(300, 0, first_wins, NULL);
}

/* A wrong claim touches the sender's lock and figures, and with wrongGivesCard the sender's top
 * card: everything else is as before. What is late or refused touches nothing (match_act). */
static void wrong_touches_little(const struct moment *m, void *data)
{
    struct dobble_state expected = *m->before;
    struct dobble_seat *seat = &expected.seat[m->seat];
    const struct dobble_seat *is = &m->after->seat[m->seat];
    (void)data;
    if (is->wrong == seat->wrong) return;
    seat->wrong++;
    seat->fast = 0;
    if (expected.rules.lockout_ms) seat->locked_until = m->now + expected.rules.lockout_ms;
    if (is->given_back > seat->given_back) {
        seat->given_back++;
        dobble_push_under(&expected.draw, dobble_pop(&seat->pile));
        seat->top_since = m->now;
    }
    assert_true(match_same(&expected, m->after));
}

static void wrong_claims_touch_the_senders_lock_and_figures_alone(void **unused)
{
    (void)unused;
    play(300, LIGHT, wrong_touches_little, NULL);
}

/* ---- hot potato ------------------------------------------------------------------------------ */

static void moved_whole(const struct moment *m, void *data)
{
    int *moved = data;
    const struct dobble_seat *was = &m->before->seat[m->seat], *is = &m->after->seat[m->seat];
    if (m->before->rules.mini_game != DOBBLE_HOT_POTATO) return;
    if (is->correct == was->correct) {
        if (was->part != DOBBLE_IN && m->reason == 0) assert_true(match_same(m->before, m->after));
        return;
    }
    assert_int_equal(was->part, DOBBLE_IN); /* who has escaped claims nothing, nor is a target */
    int target = m->action->claim.target - 1;
    assert_int_equal(m->before->seat[target].part, DOBBLE_IN);
    const struct dobble_pile *under = &m->before->seat[target].pile;
    const struct dobble_pile *all = &m->after->seat[target].pile;
    assert_int_equal(all->len, under->len + was->pile.len);
    assert_memory_equal(all->card, under->card, under->len);
    assert_memory_equal(all->card + under->len, was->pile.card, was->pile.len);
    assert_int_equal(is->pile.len, 0);
    (*moved)++;
}

static void a_moved_pile_keeps_its_order_and_who_escaped_is_out(void **unused)
{
    (void)unused;
    int moved = 0;
    play(400, 0, moved_whole, &moved);
    assert_true(moved > 500);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void shift(instant_ms *at, instant_ms by)
{
    if (*at != 0 && *at != INSTANT_NEVER) *at += by;
}

/* Every instant of a state, later by a constant. */
static void shift_all(struct dobble_state *state, instant_ms by)
{
    shift(&state->phase_started, by);
    shift(&state->phase_ends, by);
    shift(&state->hint_at, by);
    shift(&state->few_since, by);
    shift(&state->centre_since, by);
    for (int p = 0; p < DOBBLE_PLACES; p++) shift(&state->open_since[p], by);
    for (int s = 0; s < state->seats; s++) {
        shift(&state->seat[s].top_since, by);
        shift(&state->seat[s].locked_until, by);
        shift(&state->seat[s].away_since, by);
    }
    for (int i = 0; i < state->window_len; i++) {
        shift(&state->window[i].at, by);
        shift(&state->window[i].adjusted, by);
    }
}

static void shifted(const struct moment *m, void *data)
{
    enum { BY = 123456789 };
    struct match match = {.state = *m->before, .now = m->now + BY};
    struct match here = {.state = *m->before, .now = m->now};
    struct dobble_state expected;
    (void)data;
    shift_all(&match.state, BY);
    match.rtt_ms = here.rtt_ms = 90;
    int reason = match_act(&here, m->seat, m->action);
    expected = here.state;
    shift_all(&expected, BY);
    assert_int_equal(match_act(&match, m->seat, m->action), reason);
    assert_true(match_same(&expected, &match.state));
    match_close(&match);
    match_close(&here);
}

static void adding_a_constant_to_all_times_shifts_only_times(void **unused)
{
    (void)unused;
    play(100, LIGHT, shifted, NULL);
}

/* ---- seats ----------------------------------------------------------------------------------- */

static int turned(int seat, int seats)
{
    return (seat + 1) % seats;
}

static void turn_claim(struct dobble_claim *claim, int seats)
{
    if (claim->target >= 1 && claim->target <= seats)
        claim->target = (uint8_t)(turned(claim->target - 1, seats) + 1);
}

/* Everybody one seat further. */
static struct dobble_state turn_seats(const struct dobble_state *state)
{
    struct dobble_state out = *state;
    for (int s = 0; s < state->seats; s++) {
        out.seat[turned(s, state->seats)] = state->seat[s];
        turn_claim(&out.seat[turned(s, state->seats)].won, state->seats);
    }
    for (int i = 0; i < state->window_len; i++) {
        out.window[i].seat = (uint8_t)turned(state->window[i].seat, state->seats);
        turn_claim(&out.window[i].claim, state->seats);
    }
    if (state->last_round.round && !state->last_round.is_void)
        out.last_round.loser = (uint8_t)turned(state->last_round.loser, state->seats);
    return out;
}

static void seats_turn(const struct moment *m, void *data)
{
    int seats = m->before->seats;
    struct match match = {.state = turn_seats(m->before), .now = m->now};
    struct match here = {.state = *m->before, .now = m->now};
    struct dobble_action action = *m->action;
    (void)data;
    turn_claim(&action.claim, seats);
    int reason = match_act(&here, m->seat, m->action);
    assert_int_equal(match_act(&match, turned(m->seat, seats), &action), reason);
    struct dobble_state expected = turn_seats(&here.state);
    assert_true(match_same(&expected, &match.state));
    for (int s = 0; s < seats; s++)
        assert_int_equal(dobble_rank(&match.state, turned(s, seats)), dobble_rank(&here.state, s));
    match_close(&match);
    match_close(&here);
}

static void turning_the_seats_turns_the_game(void **unused)
{
    (void)unused;
    play(100, LIGHT, seats_turn, NULL);
}

/* ---- the rules as they are ------------------------------------------------------------------- */

static void nothing(const struct moment *moment, void *data)
{
    (void)moment;
    (void)data;
}

/* A change here is a change of rules or of the encoding: raise rules_version with it. */
static void two_hundred_games_are_what_they_always_were(void **unused)
{
    (void)unused;
    struct buf all = {0};
    struct match match = {0};
    char text[33];
    for (uint32_t number = 0; number < 200; number++) {
        play_one(&match, number, LIGHT | FLAKY, nothing, NULL);
        dobble_encode(&match.state, &all);
    }
    struct id128 hash = hash_128(buf_slice(&all));
    for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", hash.byte[i]);
    buf_fini(&all);
    match_close(&match);
    assert_int_equal(dobble_game.rules_version, 2);
    assert_string_equal(text, "41858d3bb76febb93e352e50b2cebeb9");
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(every_card_is_there_exactly_once),
                     cmocka_unit_test(a_saved_state_has_at_most_1400_bytes),
                     cmocka_unit_test(at_most_one_claim_wins_a_base_and_it_is_the_first),
                     cmocka_unit_test(wrong_claims_touch_the_senders_lock_and_figures_alone),
                     cmocka_unit_test(a_moved_pile_keeps_its_order_and_who_escaped_is_out),
                     cmocka_unit_test(adding_a_constant_to_all_times_shifts_only_times),
                     cmocka_unit_test(turning_the_seats_turns_the_game),
                     cmocka_unit_test(two_hundred_games_are_what_they_always_were));
}
