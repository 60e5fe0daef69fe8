/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties that hold after every step of seeded random games: logs, saves, timers, presence.
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

/* ---- random games ---------------------------------------------------------------------------- */

struct moment {
    const struct baseball_state *before;
    struct field *field;
    struct rng *rng;
    int seat;    /* who did something; -1: nobody */
    bool action; /* accepted or refused, told by field->refusal */
};
typedef void each_step(const struct moment *moment);

static void random_step(struct field *field, struct rng *rng, struct moment *moment)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct baseball_action action;
    int seat = (int)rng_below(rng, field->state.seats);
    moment->seat = seat;
    if (rng_below(rng, 120) == 0 || field->state.phase == BASEBALL_COUNTDOWN) {
        moment->seat = -1;
        field_clock(field);
        return;
    }
    instant_ms later = field->now + rng_below(rng, 500);
    if (later < baseball_deadline(&field->state)) field->now = later;
    if (rng_below(rng, 12) == 0) {
        if (field->connected >> seat & 1)
            field_goes(field, seat);
        else
            field_returns(field, seat);
        return;
    }
    size_t len =
        baseball_random_action(&field->state, seat, rng_below(rng, 10) ? 0 : 1, rng, bytes);
    if (len == 0 || !baseball_read_action(slice_of(bytes, len), &action)) return;
    moment->action = true;
    field_act(field, seat, &action);
}

static void play(int games, each_step *call)
{
    int finished = 0;
    for (uint32_t number = 0; number < (uint32_t)games; number++) {
        struct field field = {0};
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 6}};
        struct rng rng;
        rng_init(&rng, &seed, "properties");
        field_open(&field, &(struct field_spec){.seats = 1 + (int)number % 5,
                                                .digits = 3 + (int)number % 3,
                                                .guesses = number % 4 ? 0 : FIELD_NONE,
                                                .minutes = 10,
                                                .seed = number});
        for (int i = 0; i < 800 && field.state.phase != BASEBALL_FINISHED; i++) {
            struct baseball_state before = field.state;
            struct moment moment = {.before = &before, .field = &field, .rng = &rng};
            random_step(&field, &rng, &moment);
            call(&moment);
        }
        finished += field.state.phase == BASEBALL_FINISHED;
        field_close(&field);
    }
    assert_true(finished * 2 > games);
}

static void check_log(const struct moment *m)
{
    const struct baseball_state *state = &m->field->state;
    for (int seat = 0; seat < state->seats; seat++) {
        const struct baseball_player *player = &state->player[seat],
                                     *was = &m->before->player[seat];
        for (int i = 0; i < player->guesses; i++) {
            for (int k = 0; k < i; k++) assert_true(player->code[i] != player->code[k]);
            if (i < was->guesses) assert_int_equal(player->code[i], was->code[i]);
        }
        assert_in_range(player->guesses - was->guesses, 0, seat == m->seat);
        assert_in_range(player->hints - was->hints, 0, seat == m->seat);
        if (was->standing != BASEBALL_AT_IT) {
            assert_int_equal(player->guesses, was->guesses);
            assert_int_equal(player->hints, was->hints);
            assert_int_equal(player->standing, was->standing);
            assert_true(player->ended == was->ended);
        }
    }
}

static void guesses_are_distinct_and_none_is_accepted_after_an_end(void **unused)
{
    (void)unused;
    play(300, check_log);
}

/* With the others' logs emptied, a seat's own part of the view stays as it is. */
static void check_own_part(const struct moment *m)
{
    const struct baseball_state *state = &m->field->state;
    for (int seat = 0; seat < state->seats; seat++) {
        struct buf shared = {0}, mine = {0}, again = {0};
        struct baseball_state other = *state;
        for (int k = 0; k < state->seats; k++)
            if (k != seat) other.player[k].guesses = other.player[k].hints = 0;
        baseball_game.view(state, &(struct game_viewer){seat, false}, &shared, &mine);
        baseball_game.view(&other, &(struct game_viewer){seat, false}, &shared, &again);
        assert_true(slice_equal(buf_slice(&mine), buf_slice(&again)));
        buf_fini(&shared);
        buf_fini(&mine);
        buf_fini(&again);
    }
}

static void what_a_seat_alone_sees_depends_on_its_own_log_and_the_secret(void **unused)
{
    (void)unused;
    play(60, check_own_part);
}

static void check_saved(const struct moment *m)
{
    struct buf bytes = {0};
    struct baseball_state loaded;
    memset(&loaded, 0x3c, sizeof loaded);
    baseball_encode(&m->field->state, &bytes);
    assert_int_equal(baseball_decode(&loaded, buf_slice(&bytes)), ST_OK);
    assert_true(field_same_state(&loaded, &m->field->state));
    for (int viewer = GAME_SPECTATOR; viewer < loaded.seats; viewer++)
        expect_alike(&loaded, &m->field->state, viewer);
    buf_fini(&bytes);
}

static void a_game_that_was_saved_and_loaded_looks_the_same_to_everybody(void **unused)
{
    (void)unused;
    play(100, check_saved);
}

/* ---- timers ---------------------------------------------------------------------------------- */

static void fire(struct field *field, instant_ms now)
{
    struct game_context context = {.now = now, .connected = field->connected};
    struct game_events events = {0};
    struct game_refusal refusal;
    baseball_game.apply(&field->state, &(struct game_input){.kind = GAME_CLOCK, .seat = -1},
                        &context, &events, &refusal);
    game_events_fini(&events);
}

static void check_timer(const struct moment *m)
{
    struct field copy = *m->field;
    instant_ms deadline = baseball_deadline(&copy.state);
    if (copy.state.phase == BASEBALL_FINISHED) {
        fire(&copy, copy.now + 1000000);
        assert_true(field_same_state(&copy.state, &m->field->state));
        return;
    }
    assert_true(deadline != INSTANT_NEVER && deadline > m->field->now);
    fire(&copy, deadline - 1);
    assert_true(field_same_state(&copy.state, &m->field->state));
    struct field late = copy;
    fire(&copy, deadline);
    fire(&late, deadline + 5000); /* late, with the same outcome */
    assert_true(field_same_state(&copy.state, &late.state));
    late = copy;
    fire(&late, deadline); /* twice */
    assert_true(field_same_state(&copy.state, &late.state));
}

static void a_fire_early_late_or_twice_changes_nothing_that_the_deadline_did_not(void **unused)
{
    (void)unused;
    play(150, check_timer);
}

static void a_game_of_absent_players_ends_after_two_deadlines(void **unused)
{
    (void)unused;
    struct field field = {0};
    for (int seats = 1; seats <= 12; seats++) {
        field_open(&field, &(struct field_spec){.seats = seats,
                                                .minutes = FIELD_NONE,
                                                .absent = (seat_mask)((1u << seats) - 1)});
        field_clock(&field);
        field_clock(&field);
        assert_true(field_status(&field).finished);
        assert_int_equal(field.now - FIELD_NOW, 60000);
    }
    field_close(&field);
}

/* ---- presence ------------------------------------------------------------------------------- */

static void check_commutes(const struct moment *m)
{
    struct baseball_state before = *m->before;
    struct game_refusal refusal;
    if (!m->action || m->field->refusal.code || before.seats < 2) return;
    /* Somebody else goes and comes at the same instant, before the action or after it. */
    int other = (m->seat + 1) % before.seats;
    seat_mask without = m->field->connected & (seat_mask) ~(1u << other);
    seat_mask with = m->field->connected | (seat_mask)(1u << other);
    if ((without & baseball_at_it(&m->field->state)) == 0) return; /* an absence that counts */
    struct baseball_state first = before;
    const seat_mask comings[] = {without, with, m->field->connected};
    for (int i = 0; i < 3; i++) {
        struct game_events events = {0};
        struct game_input input = {.kind = GAME_PRESENCE,
                                   .seat = other,
                                   .connected = comings[i] >> other & 1};
        struct game_context context = {.now = m->field->now, .connected = comings[i]};
        baseball_game.apply(&first, &input, &context, &events, &refusal);
        assert_int_equal(events.count, 0);
        game_events_fini(&events);
    }
    if (before.quiet_since == INSTANT_NEVER) assert_true(field_same_state(&first, &before));
}

static void comings_and_goings_of_others_change_nothing(void **unused)
{
    (void)unused;
    play(200, check_commutes);
}

static void a_short_absence_of_everybody_leaves_no_trace(void **unused)
{
    (void)unused;
    struct field field = {0};
    field_play(&field, &(struct field_spec){.seats = 2, .secret = "3702"});
    assert_int_equal(field_guess(&field, 0, "0123"), 0);
    struct baseball_state before = field.state;
    field_goes(&field, 0);
    field_goes(&field, 1);
    field.now += 9999;
    field_returns(&field, 1);
    field_returns(&field, 0);
    assert_true(field_same_state(&before, &field.state));
    field_close(&field);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(guesses_are_distinct_and_none_is_accepted_after_an_end),
                     cmocka_unit_test(what_a_seat_alone_sees_depends_on_its_own_log_and_the_secret),
                     cmocka_unit_test(a_game_that_was_saved_and_loaded_looks_the_same_to_everybody),
                     cmocka_unit_test(
                         a_fire_early_late_or_twice_changes_nothing_that_the_deadline_did_not),
                     cmocka_unit_test(a_game_of_absent_players_ends_after_two_deadlines),
                     cmocka_unit_test(comings_and_goings_of_others_change_nothing),
                     cmocka_unit_test(a_short_absence_of_everybody_leaves_no_trace));
}
