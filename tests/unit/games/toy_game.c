/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/toy_game.h"

enum { SEATS = 6, CARDS = 24, ROUNDS_MAX = 2 };
enum { REASON_UNREADABLE = 1, REASON_NOT_YOU, REASON_OVER, REASON_NO_PILE };

struct toy_state {
    uint8_t seats, cards, rounds, seconds, open;
    uint8_t turn; /* turns taken; the seat is turn % seats */
    uint8_t card[SEATS];
    uint8_t pile_len, pile[CARDS]; /* [0] is the top */
    instant_ms started, deadline;
};

static const struct game_option options[] = {
    [TOY_OPT_LONG] = {.key = "long", .kind = GAME_OPTION_SWITCH},
    [TOY_OPT_CARDS] = {.key = "cards",
                       .kind = GAME_OPTION_NUMBER,
                       .min = 8,
                       .max = CARDS,
                       .default_value = 12,
                       .default_by = "long",
                       .defaults = {{12, "0"}, {24, "1"}}},
    [TOY_OPT_SECONDS] = {.key = "seconds",
                         .kind = GAME_OPTION_CHOICE,
                         .default_value = 10,
                         .choices = {{5, "quick"}, {10, "calm"}}},
    [TOY_OPT_OPEN] = {.key = "open",
                      .kind = GAME_OPTION_SWITCH,
                      .depends_key = "long",
                      .depends_value = 1},
};

static enum game_verdict check(const struct game_options *chosen, int seats, const char **text_key)
{
    if (chosen->value[TOY_OPT_CARDS] >= 2 * seats) return GAME_OPTIONS_OK;
    *text_key = "refusal.toy.few_cards";
    return GAME_OPTIONS_REFUSED;
}

static bool finished(const struct toy_state *state)
{
    return state->turn == state->seats * state->rounds;
}

static int mover(const struct toy_state *state)
{
    return state->turn % state->seats;
}

static void setup(void *data, const struct game_setup *setup)
{
    struct toy_state *state = data;
    struct rng rng;
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)setup->seats;
    state->rounds = (uint8_t)(1 + setup->options->value[TOY_OPT_LONG]);
    state->cards = (uint8_t)setup->options->value[TOY_OPT_CARDS];
    state->seconds = (uint8_t)setup->options->value[TOY_OPT_SECONDS];
    state->open = setup->options->value[TOY_OPT_LONG] && setup->options->value[TOY_OPT_OPEN];
    uint8_t deck[CARDS];
    for (int i = 0; i < state->cards; i++) deck[i] = (uint8_t)(i + 1);
    rng_init(&rng, setup->seed, "toy deck");
    rng_shuffle(&rng, deck, state->cards);
    memcpy(state->card, deck, state->seats);
    state->pile_len = (uint8_t)(state->cards - state->seats);
    memcpy(state->pile, deck + state->seats, state->pile_len);
    state->started = setup->now;
    state->deadline = setup->now + state->seconds * 1000u;
}

static void move_on(struct toy_state *state, instant_ms now)
{
    state->turn++;
    state->started = now;
    state->deadline = finished(state) ? INSTANT_NEVER : now + state->seconds * 1000u;
}

static enum status refuse(struct game_refusal *refusal, uint32_t code)
{
    *refusal = (struct game_refusal){.code = code};
    return code == REASON_UNREADABLE ? ST_INVALID : ST_REFUSED;
}

static enum status act(struct toy_state *state, int seat, struct slice action, instant_ms now,
                       struct game_events *events, struct game_refusal *refusal)
{
    if (action.len != 1 || (action.at[0] != TOY_KEEP && action.at[0] != TOY_TAKE))
        return refuse(refusal, REASON_UNREADABLE);
    if (finished(state)) return refuse(refusal, REASON_OVER);
    if (seat != mover(state)) return refuse(refusal, REASON_NOT_YOU);
    if (action.at[0] == TOY_TAKE && state->pile_len == 0) return refuse(refusal, REASON_NO_PILE);
    uint8_t shared[2] = {(uint8_t)seat, action.at[0]};
    bool take = action.at[0] == TOY_TAKE;
    if (take) {
        state->card[seat] = state->pile[0];
        memmove(state->pile, state->pile + 1, --state->pile_len);
        state->pile[state->pile_len] = 0;
    }
    game_events_add(events, slice_of(shared, 2), take ? seat : -1,
                    slice_of(&state->card[seat], take ? 1 : 0));
    move_on(state, now);
    return ST_OK;
}

static enum status apply(void *data, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal)
{
    static const uint8_t keep = TOY_KEEP;
    struct toy_state *state = data;
    if (input->kind == GAME_ACTION)
        return act(state, input->seat, input->action, context->now, events, refusal);
    if (input->kind == GAME_CLOCK && !finished(state) && context->now >= state->deadline)
        return act(state, mover(state), slice_of(&keep, 1), context->now, events, refusal);
    return ST_OK;
}

static bool bound(struct slice action)
{
    (void)action;
    return true;
}

static void status(const void *data, struct game_status *out)
{
    const struct toy_state *state = data;
    bool over = finished(state);
    *out = (struct game_status){
        .finished = over,
        .to_act = (seat_mask)(over ? 0 : 1u << mover(state)),
        .deadline = state->deadline,
        .turn = over ? 0 : state->turn + 1u,
        .turn_seat = over ? -1 : mover(state),
    };
}

static size_t timeout_action(const void *data, int seat, uint8_t *bytes)
{
    const struct toy_state *state = data;
    if (finished(state) || seat != mover(state)) return 0;
    bytes[0] = TOY_KEEP;
    return 1;
}

static void view(const void *data, const struct game_viewer *viewer, struct buf *shared,
                 struct buf *mine)
{
    const struct toy_state *state = data;
    if (mine && viewer->seat >= 0) buf_put_u8(mine, state->card[viewer->seat]);
    if (shared == NULL) return;
    buf_put_u8(shared, state->turn);
    buf_put_u8(shared, state->pile_len);
    buf_put_u64(shared, state->deadline);
    for (int seat = 0; seat < state->seats; seat++)
        buf_put_u8(shared, finished(state) ? state->card[seat] : 0);
}

static void result(const void *data, struct game_result *out)
{
    const struct toy_state *state = data;
    memset(out, 0, sizeof *out);
    out->next_starter = -1;
    for (int seat = 0; finished(state) && seat < state->seats; seat++) {
        int rank = 1;
        for (int other = 0; other < state->seats; other++)
            rank += state->card[other] > state->card[seat];
        out->seat[seat] =
            (struct game_standing){.rank = rank, .points = rank == 1 ? 1 : 0, .winner = rank == 1};
        if (rank == 1) out->next_starter = seat;
    }
}

static void encode(const void *data, struct buf *out)
{
    const struct toy_state *state = data;
    const uint8_t head[] = {state->seats,   state->cards, state->rounds,
                            state->seconds, state->open,  state->turn};
    buf_put(out, head, sizeof head);
    buf_put(out, state->card, state->seats);
    buf_put_u8(out, state->pile_len);
    buf_put(out, state->pile, state->pile_len);
    buf_put_u64(out, state->started);
    buf_put_u64(out, state->deadline);
}

static const char *audit(const void *data)
{
    const struct toy_state *state = data;
    if (state->seats < 2 || state->seats > SEATS || state->cards > CARDS)
        return "wrong numbers of seats or cards";
    if (state->rounds < 1 || state->rounds > ROUNDS_MAX ||
        state->turn > state->seats * state->rounds)
        return "a turn that is not there";
    if ((state->seconds != 5 && state->seconds != 10) || state->open > 1)
        return "an option out of bounds";
    if (state->pile_len > state->cards - state->seats) return "a pile that is too high";
    uint32_t seen = 0;
    for (int i = 0; i < state->seats + state->pile_len; i++) {
        int card = i < state->seats ? state->card[i] : state->pile[i - state->seats];
        if (card < 1 || card > state->cards || seen >> card & 1)
            return "a card that is not there, or is there twice";
        seen |= 1u << card;
    }
    if (state->started >> 53) return "a turn began in no possible time";
    if (state->deadline !=
        (finished(state) ? INSTANT_NEVER : state->started + state->seconds * 1000u))
        return "a deadline at the wrong time";
    return NULL;
}

static enum status decode(void *data, struct slice bytes)
{
    struct toy_state *state = data;
    struct reader in;
    memset(state, 0, sizeof *state);
    reader_init(&in, bytes);
    state->seats = reader_u8(&in);
    state->cards = reader_u8(&in);
    state->rounds = reader_u8(&in);
    state->seconds = reader_u8(&in);
    state->open = reader_u8(&in);
    state->turn = reader_u8(&in);
    if (state->seats > SEATS) return ST_INVALID;
    reader_bytes(&in, state->card, state->seats);
    state->pile_len = reader_u8(&in);
    if (state->pile_len > CARDS) return ST_INVALID;
    reader_bytes(&in, state->pile, state->pile_len);
    state->started = reader_u64(&in);
    state->deadline = reader_u64(&in);
    return reader_done(&in) && audit(state) == NULL ? ST_OK : ST_INVALID;
}

static size_t random_action(const void *data, int seat, int kind, struct rng *rng, uint8_t *bytes)
{
    const struct toy_state *state = data;
    if (kind == 0 && (finished(state) || seat != mover(state))) return 0;
    bytes[0] =
        (uint8_t)(kind == 0 ? 1 + rng_below(rng, state->pile_len ? 2 : 1) : rng_below(rng, 4));
    bytes[1] = (uint8_t)rng_u32(rng);
    return kind == 2 ? 2 : 1;
}

/* All cards that the viewer does not hold are dealt anew. */
static bool permute_hidden(void *data, int viewer_seat, struct rng *rng)
{
    struct toy_state *state = data;
    uint8_t hidden[SEATS + CARDS];
    size_t count = 0;
    if (finished(state)) return false;
    for (int seat = 0; seat < state->seats; seat++)
        if (seat != viewer_seat) hidden[count++] = state->card[seat];
    memcpy(hidden + count, state->pile, state->pile_len);
    count += state->pile_len;
    rng_shuffle(rng, hidden, count);
    for (int seat = state->seats - 1; seat >= 0; seat--)
        if (seat != viewer_seat) state->card[seat] = hidden[--count];
    memcpy(state->pile, hidden, state->pile_len);
    return true;
}

/* The taker sees the top of the pile; at the end everybody sees every card. */
static void releases(const void *data, const struct game_input *input,
                     const struct game_context *context, int viewer_seat, struct buf *out)
{
    const struct toy_state *state = data;
    bool last = state->turn + 1 == state->seats * state->rounds;
    (void)context;
    if (input->kind == GAME_ACTION && input->action.len == 1 && input->action.at[0] == TOY_TAKE &&
        (input->seat == viewer_seat || last))
        buf_put_u8(out, state->pile[0]);
    if (last && input->kind != GAME_PRESENCE) buf_put(out, state->card, state->seats);
}

const struct game toy_game = {
    .id = "toy",
    .rules_version = 1,
    .seats_min = 2,
    .seats_max = SEATS,
    .state_size = sizeof(struct toy_state),
    .options = options,
    .option_count = 4,
    .check = check,
    .setup = setup,
    .apply = apply,
    .bound = bound,
    .status = status,
    .timeout_action = timeout_action,
    .view = view,
    .result = result,
    .encode = encode,
    .decode = decode,
    .random_action = random_action,
    .permute_hidden = permute_hidden,
    .releases = releases,
    .audit = audit,
};
