/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving: the canonical bytes of a state. Only what is in use is written, so equal states have
 * equal bytes; decode takes nothing on trust and leaves the judgement to the audit. A state is
 * hashed at every accepted input, most of it the cards and how they lie: these go out in one piece.
 */
#include "games/dobble/dobble.h"

/* Written first; raised with every change of this file. */
enum { ENCODING = 2 };

static void put_rules(const struct dobble_rules *rules, struct buf *out)
{
    const uint8_t bytes[] = {rules->mini_game, rules->order,        rules->deck_size,
                             rules->rounds,    rules->light,        rules->easy,
                             rules->show_rtt,  rules->end_at_first, rules->gives_card,
                             rules->practice};
    buf_put(out, bytes, sizeof bytes);
    buf_put_u16(out, rules->lockout_ms);
}

static void put_cards(const struct dobble_state *state, struct buf *out)
{
    buf_put(out, state->card, (size_t)dobble_cards(&state->rules) * sizeof state->card[0]);
}

static void put_pile(const struct dobble_pile *pile, struct buf *out)
{
    buf_put_u8(out, pile->len);
    buf_put(out, pile->card, pile->len);
}

static void put_claim(const struct dobble_claim *claim, struct buf *out)
{
    buf_put(out, claim->card, sizeof claim->card);
    buf_put_u8(out, claim->target);
    buf_put_u8(out, claim->art);
}

static void put_seat(const struct dobble_seat *seat, struct buf *out)
{
    put_pile(&seat->pile, out);
    buf_put_u64(out, seat->top_since);
    buf_put_u8(out, seat->part);
    buf_put_u8(out, seat->place);
    buf_put_u16(out, seat->penalty);
    buf_put_u8(out, seat->given_back);
    buf_put_u8(out, seat->fast);
    buf_put_u8(out, seat->suspected);
    buf_put_u32(out, seat->correct);
    buf_put_u32(out, seat->wrong);
    buf_put_u64(out, seat->locked_until);
    buf_put_u64(out, seat->away_since);
    put_claim(&seat->won, out);
}

static void put_table(const struct dobble_state *state, struct buf *out)
{
    put_pile(&state->draw, out);
    put_pile(&state->centre, out);
    put_pile(&state->unused, out);
    buf_put_u64(out, state->centre_since);
    if (state->rules.mini_game != DOBBLE_TRIPLET) return;
    buf_put(out, state->open, sizeof state->open);
    for (int p = 0; p < DOBBLE_PLACES; p++) buf_put_u64(out, state->open_since[p]);
}

static void put_window(const struct dobble_state *state, struct buf *out)
{
    buf_put_u8(out, state->window_len);
    for (int i = 0; i < state->window_len; i++) {
        buf_put_u8(out, state->window[i].seat);
        buf_put_u64(out, state->window[i].at);
        buf_put_u64(out, state->window[i].adjusted);
        put_claim(&state->window[i].claim, out);
    }
}

void dobble_encode(const void *data, struct buf *out)
{
    const struct dobble_state *state = data;
    buf_put_u8(out, ENCODING);
    put_rules(&state->rules, out);
    buf_put_u8(out, state->seats);
    buf_put_u8(out, state->phase);
    buf_put_u8(out, state->ending);
    buf_put_u8(out, state->face_up);
    buf_put_u8(out, state->hints);
    buf_put_u64(out, state->phase_started);
    buf_put_u64(out, state->phase_ends);
    buf_put_u64(out, state->hint_at);
    buf_put_u64(out, state->few_since);
    put_cards(state, out);
    put_table(state, out);
    for (int seat = 0; seat < state->seats; seat++) put_seat(&state->seat[seat], out);
    put_window(state, out);
    buf_put_u8(out, state->round);
    buf_put_u8(out, state->last_round.round);
    buf_put_u8(out, state->last_round.is_void);
    buf_put_u8(out, state->last_round.loser);
    buf_put_u8(out, state->last_round.cards);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void get_rules(struct dobble_rules *rules, struct reader *in)
{
    rules->mini_game = reader_u8(in);
    rules->order = reader_u8(in);
    rules->deck_size = reader_u8(in);
    rules->rounds = reader_u8(in);
    rules->light = reader_u8(in);
    rules->easy = reader_u8(in);
    rules->show_rtt = reader_u8(in);
    rules->end_at_first = reader_u8(in);
    rules->gives_card = reader_u8(in);
    rules->practice = reader_u8(in);
    rules->lockout_ms = reader_u16(in);
    if (rules->order < 2 || rules->order > DOBBLE_ORDER) in->bad = true;
    if (in->bad) rules->order = 0; /* what follows has no size */
}

static void get_cards(struct dobble_state *state, struct reader *in)
{
    size_t cards = in->bad ? 0 : (size_t)dobble_cards(&state->rules);
    reader_bytes(in, (uint8_t *)state->card, cards * sizeof state->card[0]);
}

static void get_pile(struct dobble_pile *pile, struct reader *in)
{
    pile->len = reader_u8(in);
    if (pile->len > DOBBLE_CARDS_MAX) in->bad = true;
    if (in->bad) pile->len = 0;
    reader_bytes(in, pile->card, pile->len);
}

static void get_claim(struct dobble_claim *claim, struct reader *in)
{
    reader_bytes(in, claim->card, sizeof claim->card);
    claim->target = reader_u8(in);
    claim->art = reader_u8(in);
}

static void get_seat(struct dobble_seat *seat, struct reader *in)
{
    get_pile(&seat->pile, in);
    seat->top_since = reader_u64(in);
    seat->part = reader_u8(in);
    seat->place = reader_u8(in);
    seat->penalty = reader_u16(in);
    seat->given_back = reader_u8(in);
    seat->fast = reader_u8(in);
    seat->suspected = reader_u8(in);
    seat->correct = reader_u32(in);
    seat->wrong = reader_u32(in);
    seat->locked_until = reader_u64(in);
    seat->away_since = reader_u64(in);
    get_claim(&seat->won, in);
}

static void get_table(struct dobble_state *state, struct reader *in)
{
    get_pile(&state->draw, in);
    get_pile(&state->centre, in);
    get_pile(&state->unused, in);
    state->centre_since = reader_u64(in);
    if (state->rules.mini_game != DOBBLE_TRIPLET) return;
    reader_bytes(in, state->open, sizeof state->open);
    for (int p = 0; p < DOBBLE_PLACES; p++) state->open_since[p] = reader_u64(in);
}

static void get_window(struct dobble_state *state, struct reader *in)
{
    state->window_len = reader_u8(in);
    if (state->window_len > DOBBLE_SEATS_MAX) in->bad = true;
    if (in->bad) state->window_len = 0;
    for (int i = 0; i < state->window_len; i++) {
        state->window[i].seat = reader_u8(in);
        state->window[i].at = reader_u64(in);
        state->window[i].adjusted = reader_u64(in);
        get_claim(&state->window[i].claim, in);
    }
}

static void get_all(struct dobble_state *state, struct reader *in)
{
    get_rules(&state->rules, in);
    state->seats = reader_u8(in);
    if (state->seats > DOBBLE_SEATS_MAX) in->bad = true;
    state->phase = reader_u8(in);
    state->ending = reader_u8(in);
    state->face_up = reader_u8(in);
    state->hints = reader_u8(in);
    state->phase_started = reader_u64(in);
    state->phase_ends = reader_u64(in);
    state->hint_at = reader_u64(in);
    state->few_since = reader_u64(in);
    get_cards(state, in);
    get_table(state, in);
    for (int seat = 0; !in->bad && seat < state->seats; seat++) get_seat(&state->seat[seat], in);
    get_window(state, in);
    state->round = reader_u8(in);
    state->last_round.round = reader_u8(in);
    state->last_round.is_void = reader_u8(in);
    state->last_round.loser = reader_u8(in);
    state->last_round.cards = reader_u8(in);
}

/* On ST_INVALID the state is all zeroes. */
enum status dobble_decode(void *data, struct slice bytes)
{
    struct dobble_state *state = data;
    struct reader in;
    reader_init(&in, bytes);
    memset(state, 0, sizeof *state);
    if (reader_u8(&in) == ENCODING) {
        get_all(state, &in);
        if (reader_done(&in) && dobble_audit(state) == NULL) return ST_OK;
    }
    memset(state, 0, sizeof *state);
    return ST_INVALID;
}
