/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/baseball_field.h"

#include "unit/games/baseball_text.h"
#include "unit/test.h"

uint32_t field_code(const struct field *field, const char *text)
{
    uint32_t code = 0;
    int32_t param;
    assert_int_equal(baseball_read_code(&field->state.rules, slice_text(text), &code, &param), 0);
    return code;
}

/* The places named first, then the others in ascending order. */
static void set_hints(struct baseball_state *state, const char *places)
{
    uint32_t named = 0;
    int count = 0;
    for (; places[count]; count++) {
        state->hint_at[count] = (uint8_t)(places[count] - '0');
        named |= 1u << state->hint_at[count];
    }
    for (int place = 0; place < state->rules.digits; place++)
        if (!(named >> place & 1)) state->hint_at[count++] = (uint8_t)place;
    assert_int_equal(count, state->rules.digits);
}

static void assert_sound(const struct field *field)
{
    const char *fault = baseball_audit(&field->state);
    if (fault) fail_msg("the state is not sound: %s", fault);
}

static void choose(struct game_options *options, const char *key, int32_t value)
{
    assert_int_equal(game_options_set(&baseball_game, options, slice_text(key), value), ST_OK);
}

void field_open(struct field *field, const struct field_spec *spec)
{
    struct game_options options;
    struct game_seed seed = {{0}};
    field_close(field);
    game_options_default(&baseball_game, &options);
    if (spec->secret) choose(&options, "digits", (int32_t)strlen(spec->secret));
    if (spec->digits) choose(&options, "digits", spec->digits);
    if (spec->guesses > 0) choose(&options, "guesses", spec->guesses);
    if (spec->guesses < 0) choose(&options, "guessLimit", 0);
    if (spec->minutes) choose(&options, "timeLimit", spec->minutes < 0 ? 0 : spec->minutes);
    if (spec->no_hints) choose(&options, "hints", 0);
    memcpy(seed.byte, &spec->seed, sizeof spec->seed);
    field->now = FIELD_NOW;
    field->connected = (seat_mask)(((1u << spec->seats) - 1) & ~(uint32_t)spec->absent);
    baseball_game.setup(&field->state, &(struct game_setup){.options = &options,
                                                            .seats = spec->seats,
                                                            .seed = &seed,
                                                            .starter = -1,
                                                            .now = FIELD_NOW,
                                                            .connected = field->connected});
    if (spec->secret) field->state.secret = field_code(field, spec->secret);
    if (spec->hints) set_hints(&field->state, spec->hints);
    assert_sound(field);
}

void field_play(struct field *field, const struct field_spec *spec)
{
    field_open(field, spec);
    field_clock(field);
}

void field_close(struct field *field)
{
    game_events_fini(&field->events);
    memset(field, 0, sizeof *field);
}

static enum status apply(struct field *field, const struct game_input *input)
{
    struct game_context context = {.now = field->now,
                                   .connected = field->connected,
                                   .left = field->left};
    game_events_clear(&field->events);
    enum status status =
        baseball_game.apply(&field->state, input, &context, &field->events, &field->refusal);
    game_events_seal(&field->events);
    assert_sound(field);
    return status;
}

int field_act(struct field *field, int seat, const struct baseball_action *action)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct baseball_state before = field->state;
    struct game_input input = {.kind = GAME_ACTION, .seat = seat};
    input.action = slice_of(bytes, baseball_write_action(action, bytes));
    enum status status = apply(field, &input);
    assert_true((status == ST_OK) == (field->refusal.code == 0));
    if (status != ST_OK) {
        assert_true(field_same_state(&before, &field->state));
        assert_int_equal(field->events.count, 0);
    }
    return (int)field->refusal.code;
}

int field_guess(struct field *field, int seat, const char *text)
{
    struct baseball_action action = {.kind = BASEBALL_ACT_GUESS, .text_len = strlen(text)};
    assert_true(action.text_len <= sizeof action.text);
    memcpy(action.text, text, action.text_len);
    return field_act(field, seat, &action);
}

int field_hint(struct field *field, int seat)
{
    return field_hint_number(field, seat, field->state.player[seat].hints + 1u);
}

int field_hint_number(struct field *field, int seat, uint32_t number)
{
    return field_act(field, seat,
                     &(struct baseball_action){.kind = BASEBALL_ACT_HINT, .number = number});
}

int field_give_up(struct field *field, int seat)
{
    return field_act(field, seat,
                     &(struct baseball_action){.kind = BASEBALL_ACT_GIVE_UP,
                                               .number = field->state.player[seat].guesses});
}

void field_clock(struct field *field)
{
    field_clock_late(field, 0);
}

void field_clock_late(struct field *field, uint64_t ms)
{
    assert_true(baseball_deadline(&field->state) != INSTANT_NEVER);
    field->now = baseball_deadline(&field->state) + ms;
    assert_int_equal(apply(field, &(struct game_input){.kind = GAME_CLOCK, .seat = -1}), ST_OK);
}

static void presence(struct field *field, int seat, bool connected)
{
    struct game_input input = {.kind = GAME_PRESENCE, .seat = seat, .connected = connected};
    field->connected &= (seat_mask) ~(1u << seat);
    field->connected |= (seat_mask)((uint32_t)connected << seat);
    assert_int_equal(apply(field, &input), ST_OK);
}

void field_goes(struct field *field, int seat)
{
    presence(field, seat, false);
}

void field_returns(struct field *field, int seat)
{
    presence(field, seat, true);
}

struct game_status field_status(const struct field *field)
{
    struct game_status status;
    baseball_game.status(&field->state, &status);
    return status;
}

struct game_result field_result(const struct field *field)
{
    struct game_result result;
    baseball_game.result(&field->state, &result);
    return result;
}

struct buf field_view(const struct baseball_state *state, int viewer)
{
    struct buf shared = {0}, mine = {0};
    baseball_game.view(state, &(struct game_viewer){.seat = viewer}, &shared, &mine);
    buf_put_sized(&shared, buf_slice(&mine));
    buf_fini(&mine);
    return shared;
}

bool field_same_state(const struct baseball_state *a, const struct baseball_state *b)
{
    struct buf x = {0}, y = {0};
    baseball_encode(a, &x);
    baseball_encode(b, &y);
    bool same = slice_equal(buf_slice(&x), buf_slice(&y));
    buf_fini(&x);
    buf_fini(&y);
    return same;
}

/* ---- expectations ---------------------------------------------------------------------------- */

static struct buf everybody(const struct field *field)
{
    struct buf shared = {0}, text = {0};
    baseball_game.view(&field->state, &(struct game_viewer){GAME_SPECTATOR, false}, &shared,
                       &shared);
    baseball_text_view(&text, buf_slice(&shared));
    buf_put_u8(&text, 0);
    buf_fini(&shared);
    return text;
}

void expect_everybody(const struct field *field, const char *part)
{
    struct buf text = everybody(field);
    if (!strstr((const char *)text.at, part))
        fail_msg("\"%s\" is not in what everybody sees:\n%s", part, text.at);
    buf_fini(&text);
}

void expect_nobody(const struct field *field, const char *part)
{
    struct buf text = everybody(field);
    if (strstr((const char *)text.at, part))
        fail_msg("\"%s\" is in what everybody sees:\n%s", part, text.at);
    buf_fini(&text);
}

void expect_alone(const struct field *field, int seat, const char *line)
{
    struct buf shared = {0}, mine = {0}, text = {0};
    baseball_game.view(&field->state, &(struct game_viewer){seat, false}, &shared, &mine);
    baseball_text_mine(&text, buf_slice(&shared), buf_slice(&mine));
    buf_put_u8(&text, 0);
    assert_string_equal((const char *)text.at, line);
    buf_fini(&shared);
    buf_fini(&mine);
    buf_fini(&text);
}

void expect_told(const struct field *field, const char *lines)
{
    struct buf text = {0};
    baseball_text_events(&text, &field->events);
    buf_put_u8(&text, 0);
    assert_string_equal((const char *)text.at, lines);
    buf_fini(&text);
}

void expect_until(const struct field *field, uint64_t ms)
{
    assert_int_equal(baseball_deadline(&field->state) - field->now, ms);
}

void expect_alike(const struct baseball_state *a, const struct baseball_state *b, int viewer)
{
    struct buf x = field_view(a, viewer), y = field_view(b, viewer);
    assert_true(slice_equal(buf_slice(&x), buf_slice(&y)));
    buf_fini(&x);
    buf_fini(&y);
}
