/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/toy.h"

#include "base/check.h"

enum { ROUNDS, FRAGILE, CLASH, ALONE, RTT };

static const struct game_option options[] = {
    {.key = "rounds", .kind = GAME_OPTION_NUMBER, .min = 1, .max = 9, .default_value = 3},
    {.key = "fragile", .kind = GAME_OPTION_SWITCH},
    {.key = "clash", .kind = GAME_OPTION_SWITCH},
    {.key = "alone", .kind = GAME_OPTION_SWITCH},
    {.key = "rtt", .kind = GAME_OPTION_SWITCH, .default_value = 1},
};

static enum game_verdict check(const struct game_options *values, int seats, const char **text_key)
{
    if (values->value[CLASH]) {
        *text_key = "refusal.toy.clash";
        return GAME_OPTIONS_REFUSED;
    }
    if (values->value[ALONE] && seats > 1) {
        *text_key = "refusal.toy.alone";
        return GAME_OPTIONS_REFUSED;
    }
    if (values->value[ROUNDS] == 1 && seats == 2) {
        *text_key = "note.toy.short";
        return GAME_OPTIONS_NOTE;
    }
    return GAME_OPTIONS_OK;
}

static void setup(void *state, const struct game_setup *setup)
{
    struct toy_state *toy = state;
    struct rng rng;
    toy->seats = (uint8_t)setup->seats;
    toy->fragile = (uint8_t)setup->options->value[FRAGILE];
    toy->turn = 1;
    toy->turns = (uint32_t)(setup->options->value[ROUNDS] * setup->seats);
    toy->deadline = setup->now + TOY_TURN_MS;
    toy->whisper_until = INSTANT_NEVER;
    rng_init(&rng, setup->seed, "secrets");
    for (int s = 0; s < setup->seats; s++) toy->secret[s] = (uint8_t)(1 + rng_below(&rng, 255));
    rng_init(&rng, setup->seed, "first");
    toy->turn_seat = (uint8_t)(setup->starter >= 0 ? (uint32_t)setup->starter
                                                   : rng_below(&rng, (uint32_t)setup->seats));
    rng_init(&rng, setup->seed, "pile");
    for (size_t i = 0; i < sizeof toy->pile; i++) toy->pile[i] = (uint8_t)rng_u32(&rng);
}

static instant_ms turn_end(const struct toy_state *toy, const struct game_context *context)
{
    bool hurried = context->hurried >> toy->turn_seat & 1;
    return context->now + (hurried ? GAME_HURRY_MS : TOY_TURN_MS);
}

static void tell(struct game_events *events, uint8_t kind, int seat, uint8_t value, uint8_t mine)
{
    uint8_t shared[] = {kind, (uint8_t)seat, value};
    game_events_add(events, slice_of(shared, sizeof shared), seat, slice_of(&mine, mine ? 1 : 0));
}

static void say(struct toy_state *toy, const struct game_context *context, uint8_t value,
                struct game_events *events)
{
    int seat = toy->turn_seat;
    toy->points[seat] = (uint16_t)(toy->points[seat] + value);
    tell(events, TOY_SAY, seat, value, toy->secret[seat]);
    if (toy->turn == toy->turns) {
        toy->finished = 1;
        toy->deadline = INSTANT_NEVER;
        return;
    }
    toy->turn++;
    toy->turn_seat = (uint8_t)((seat + 1) % toy->seats);
    toy->deadline = turn_end(toy, context);
}

static enum status refuse(struct game_refusal *refusal, uint32_t code, int32_t param)
{
    *refusal = (struct game_refusal){.code = code, .params = {param}, .param_count = 1};
    return code == TOY_MALFORMED ? ST_INVALID : ST_REFUSED;
}

static enum status act(struct toy_state *toy, const struct game_input *input,
                       const struct game_context *context, struct game_events *events,
                       struct game_refusal *refusal)
{
    if (input->action.len != 2) return refuse(refusal, TOY_MALFORMED, 0);
    uint8_t kind = input->action.at[0], value = input->action.at[1];
    switch (kind) {
    case TOY_SAY:
    case TOY_LOOK:
        if (input->seat != toy->turn_seat)
            return refuse(refusal, TOY_NOT_YOUR_TURN, toy->turn_seat);
        if (value > 9) return refuse(refusal, TOY_TOO_MUCH, 9);
        if (kind == TOY_SAY) say(toy, context, value, events);
        if (kind == TOY_LOOK) toy->deadline = turn_end(toy, context);
        return ST_OK;
    case TOY_WAVE:
        toy->rtt_ms += input->rtt_ms;
        tell(events, kind, input->seat, value, 0);
        return ST_OK;
    case TOY_WHISPER:
        toy->whispers |= (uint8_t)(1 << input->seat);
        if (toy->whisper_until == INSTANT_NEVER) toy->whisper_until = context->now + TOY_WHISPER_MS;
        events->hidden = true;
        return ST_OK;
    default: return refuse(refusal, TOY_MALFORMED, 0);
    }
}

static void clock_passed(struct toy_state *toy, const struct game_context *context,
                         struct game_events *events)
{
    if (toy->whisper_until <= toy->deadline) {
        tell(events, TOY_WHISPER, 0, toy->whispers, 0);
        toy->whispers = 0;
        toy->whisper_until = INSTANT_NEVER;
        return;
    }
    say(toy, context, 0, events);
}

static void presence(struct toy_state *toy, const struct game_input *input,
                     const struct game_context *context)
{
    if (toy->fragile && context->left) {
        toy->finished = 1;
        toy->deadline = INSTANT_NEVER;
        toy->whisper_until = INSTANT_NEVER;
    } else if (input->connected && input->seat == toy->turn_seat &&
               toy->deadline < context->now + GAME_RETURN_MS) {
        toy->deadline = context->now + GAME_RETURN_MS;
    }
}

static enum status apply(void *state, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal)
{
    struct toy_state *toy = state;
    switch (input->kind) {
    case GAME_ACTION: return act(toy, input, context, events, refusal);
    case GAME_CLOCK: clock_passed(toy, context, events); return ST_OK;
    case GAME_PRESENCE: presence(toy, input, context); return ST_OK;
    }
    return ST_INVALID;
}

static bool bound(struct slice action)
{
    return action.len == 0 || (action.at[0] != TOY_WAVE && action.at[0] != TOY_WHISPER);
}

static void status(const void *state, struct game_status *out)
{
    const struct toy_state *toy = state;
    *out = (struct game_status){
        .finished = toy->finished,
        .to_act = (seat_mask)(toy->finished ? 0 : 1u << toy->turn_seat),
        .deadline = toy->deadline < toy->whisper_until ? toy->deadline : toy->whisper_until,
        .turn = toy->turn,
        .turn_seat = toy->turn_seat,
    };
    if (toy->finished) out->deadline = INSTANT_NEVER;
}

static size_t timeout_action(const void *state, int seat, uint8_t *bytes)
{
    (void)state;
    (void)seat;
    bytes[0] = TOY_SAY;
    bytes[1] = 0;
    return 2;
}

static void view(const void *state, const struct game_viewer *viewer, struct buf *shared,
                 struct buf *mine)
{
    const struct toy_state *toy = state;
    if (mine && viewer->seat >= 0) {
        buf_put_u8(mine, toy->secret[viewer->seat]);
        buf_put_u8(mine, viewer->host);
    }
    if (shared == NULL) return;
    buf_put_u32(shared, toy->turn);
    buf_put_u8(shared, toy->turn_seat);
    buf_put_u64(shared, toy->deadline);
    for (int s = 0; s < toy->seats; s++) buf_put_u16(shared, toy->points[s]);
    for (int s = 0; s < toy->seats && toy->finished; s++) buf_put_u8(shared, toy->secret[s]);
}

static void result(const void *state, struct game_result *out)
{
    const struct toy_state *toy = state;
    *out = (struct game_result){0};
    int best = 0;
    for (int s = 1; s < toy->seats; s++)
        if (toy->points[s] > toy->points[best]) best = s;
    for (int s = 0; s < toy->seats; s++) {
        bool winner = s == best;
        out->seat[s] = (struct game_standing){.rank = winner ? 1 : 2,
                                              .points = winner ? 3 : 1,
                                              .winner = winner};
    }
    out->next_starter = best;
}

static void encode(const void *state, struct buf *out)
{
    const struct toy_state *toy = state;
    buf_put_u8(out, toy->seats);
    buf_put_u8(out, toy->turn_seat);
    buf_put_u8(out, toy->finished);
    buf_put_u8(out, toy->fragile);
    buf_put_u32(out, toy->turn);
    buf_put_u32(out, toy->turns);
    buf_put_u64(out, toy->deadline);
    buf_put_u64(out, toy->whisper_until);
    buf_put(out, toy->secret, sizeof toy->secret);
    for (int s = 0; s < 6; s++) buf_put_u16(out, toy->points[s]);
    buf_put_u8(out, toy->whispers);
    buf_put(out, toy->pile, sizeof toy->pile);
    buf_put_u32(out, toy->rtt_ms);
}

static enum status decode(void *state, struct slice bytes)
{
    struct toy_state *toy = state;
    struct reader in;
    reader_init(&in, bytes);
    toy->seats = reader_u8(&in);
    toy->turn_seat = reader_u8(&in);
    toy->finished = reader_u8(&in);
    toy->fragile = reader_u8(&in);
    toy->turn = reader_u32(&in);
    toy->turns = reader_u32(&in);
    toy->deadline = reader_u64(&in);
    toy->whisper_until = reader_u64(&in);
    reader_bytes(&in, toy->secret, sizeof toy->secret);
    for (int s = 0; s < 6; s++) toy->points[s] = reader_u16(&in);
    toy->whispers = reader_u8(&in);
    reader_bytes(&in, toy->pile, sizeof toy->pile);
    toy->rtt_ms = reader_u32(&in);
    bool sound = toy->seats >= 1 && toy->seats <= 6 && toy->turn_seat < toy->seats;
    return reader_done(&in) && sound ? ST_OK : ST_INVALID;
}

static size_t random_action(const void *state, int seat, int kind, struct rng *rng, uint8_t *bytes)
{
    const struct toy_state *toy = state;
    bool turn = seat == toy->turn_seat;
    if (kind == 2) {
        size_t len = rng_below(rng, 5);
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_u32(rng);
        return len;
    }
    bytes[0] = (uint8_t)(turn ? TOY_SAY + rng_below(rng, 4) : TOY_WAVE + rng_below(rng, 2));
    bytes[1] = (uint8_t)(kind == 0 ? rng_below(rng, 10) : 10 + rng_below(rng, 9));
    if (kind == 1 && rng_below(rng, 2)) bytes[0] = TOY_SAY;
    return 2;
}

/* ---- the same by newer rules ----------------------------------------------------------------- */

enum { BONUS = RTT + 1, MARK_2 = 0xb2 };

static const struct game_option options_2[] = {
    {.key = "rounds", .kind = GAME_OPTION_NUMBER, .min = 1, .max = 9, .default_value = 3},
    {.key = "fragile", .kind = GAME_OPTION_SWITCH},
    {.key = "clash", .kind = GAME_OPTION_SWITCH},
    {.key = "alone", .kind = GAME_OPTION_SWITCH},
    {.key = "rtt", .kind = GAME_OPTION_SWITCH, .default_value = 1},
    {.key = "bonus", .kind = GAME_OPTION_NUMBER, .min = 0, .max = 9, .default_value = 2},
};

static void setup_2(void *state, const struct game_setup *given)
{
    struct toy_state *toy = state;
    setup(state, given);
    for (int s = 0; s < toy->seats; s++) toy->points[s] = (uint16_t)given->options->value[BONUS];
}

static void encode_2(const void *state, struct buf *out)
{
    buf_put_u8(out, MARK_2);
    encode(state, out);
}

static enum status decode_2(void *state, struct slice bytes)
{
    if (bytes.len == 0 || bytes.at[0] != MARK_2) return ST_INVALID;
    return decode(state, slice_of(bytes.at + 1, bytes.len - 1));
}

#define TOY(name)                                                                                  \
    .id = name, .rules_version = 1, .seats_min = 2, .seats_max = 6,                                \
    .state_size = sizeof(struct toy_state), .options = options, .option_count = 5, .check = check, \
    .setup = setup, .apply = apply, .bound = bound, .status = status,                              \
    .timeout_action = timeout_action, .view = view, .result = result, .encode = encode,            \
    .decode = decode, .random_action = random_action, .solo_key = "alone", .rtt_key = "rtt"

const struct game toy_game = {TOY("toy")};
const struct game toy_that_minds_absence = {TOY("toy-absence"), .minds_absence = true};
const struct game toy_rules_1 = {TOY("toy-rules")};
const struct game toy_rules_2 = {
    .id = "toy-rules",
    .rules_version = 2,
    .previous = &toy_rules_1,
    .seats_min = 2,
    .seats_max = 6,
    .state_size = sizeof(struct toy_state),
    .options = options_2,
    .option_count = 6,
    .check = check,
    .setup = setup_2,
    .apply = apply,
    .bound = bound,
    .status = status,
    .timeout_action = timeout_action,
    .view = view,
    .result = result,
    .encode = encode_2,
    .decode = decode_2,
    .random_action = random_action,
    .solo_key = "alone",
    .rtt_key = "rtt",
};
