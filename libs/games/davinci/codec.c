/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving: the canonical bytes of a state. Only what is in use is written, so equal states have
 * equal bytes; decode takes nothing on trust and leaves the judgement to the audit.
 */
#include "games/davinci/davinci.h"

/* Written first; raised with every change of this file. */
enum { ENCODING = 1 };

static void put_rules(const struct davinci_rules *rules, struct buf *out)
{
    buf_put_u8(out, rules->jokers);
    buf_put_u8(out, rules->white_left);
    buf_put_u8(out, rules->choose_colors);
    buf_put_u8(out, rules->reveal_own);
    buf_put_u8(out, rules->turn_seconds);
    buf_put_u8(out, rules->helper);
    buf_put_u8(out, rules->history);
    buf_put_u8(out, rules->start_tiles);
    buf_put_u8(out, rules->numbers);
}

static void put_pool(const struct davinci_state *state, struct buf *out)
{
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++) {
        buf_put_u8(out, state->pile_len[color]);
        buf_put(out, state->pile[color], state->pile_len[color]);
    }
    buf_put_u8(out, state->merged_len);
    buf_put(out, state->merged, state->merged_len);
    if (state->phase == DAVINCI_CHOOSE_START)
        buf_put(out, state->joker_seed.byte, sizeof state->joker_seed.byte);
}

static void put_seat(const struct davinci_state *state, int seat, struct buf *out)
{
    const struct davinci_row *row = &state->row[seat];
    buf_put_u8(out, row->len);
    for (int i = 0; i < row->len; i++) {
        buf_put_u8(out, row->at[i].tile);
        buf_put_u8(out, row->at[i].open);
        buf_put_u8(out, row->at[i].entry);
        buf_put_u16(out, row->at[i].refuted);
    }
    buf_put_u8(out, state->pick[seat].made);
    buf_put_u8(out, state->pick[seat].black);
    buf_put_u8(out, state->pick[seat].white);
    buf_put_u32(out, state->guesses[seat]);
    buf_put_u32(out, state->correct[seat]);
}

static void put_told(const struct davinci_told *told, struct buf *out)
{
    buf_put_u8(out, told->by);
    buf_put_u8(out, told->target);
    buf_put_u8(out, told->position);
    buf_put_u8(out, told->entry);
    buf_put_u8(out, told->color);
    buf_put_u8(out, told->said);
    buf_put_u8(out, told->correct);
    buf_put_u8(out, told->automatic);
    buf_put_u32(out, told->turn);
}

void davinci_encode(const void *data, struct buf *out)
{
    const struct davinci_state *state = data;
    buf_put_u8(out, ENCODING);
    put_rules(&state->rules, out);
    buf_put_u8(out, state->seats);
    buf_put_u8(out, state->phase);
    buf_put_u8(out, state->first);
    buf_put_u8(out, state->current);
    buf_put_u32(out, state->turn);
    buf_put_u64(out, state->phase_started);
    buf_put_u64(out, state->deadline);
    buf_put_u8(out, state->extended);
    put_pool(state, out);
    buf_put_u8(out, state->turn_tile);
    for (int seat = 0; seat < state->seats; seat++) put_seat(state, seat, out);
    buf_put_u8(out, state->newest_seat);
    buf_put_u8(out, state->newest_entry);
    buf_put_u8(out, state->out_count);
    buf_put(out, state->out, state->out_count);
    buf_put_u8(out, state->winner);
    buf_put_u16(out, state->left);
    buf_put_u8(out, state->penalty_switched);
    buf_put_u8(out, state->idle_turns);
    buf_put_u8(out, state->progress);
    buf_put_u8(out, state->told_len);
    for (int i = 0; i < state->told_len; i++) put_told(&state->told[i], out);
}

/* A length that must fit an array: otherwise everything from here on is damaged. */
static uint8_t get_len(struct reader *in, size_t max)
{
    uint8_t len = reader_u8(in);
    if (len > max) in->bad = true;
    return in->bad ? 0 : len;
}

static void get_rules(struct davinci_rules *rules, struct reader *in)
{
    rules->jokers = reader_u8(in);
    rules->white_left = reader_u8(in);
    rules->choose_colors = reader_u8(in);
    rules->reveal_own = reader_u8(in);
    rules->turn_seconds = reader_u8(in);
    rules->helper = reader_u8(in);
    rules->history = reader_u8(in);
    rules->start_tiles = reader_u8(in);
    rules->numbers = reader_u8(in);
}

static void get_pool(struct davinci_state *state, struct reader *in)
{
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++) {
        state->pile_len[color] = get_len(in, DAVINCI_PILE_MAX);
        reader_bytes(in, state->pile[color], state->pile_len[color]);
    }
    state->merged_len = get_len(in, DAVINCI_TILES_MAX);
    reader_bytes(in, state->merged, state->merged_len);
    if (state->phase == DAVINCI_CHOOSE_START)
        reader_bytes(in, state->joker_seed.byte, sizeof state->joker_seed.byte);
}

static void get_seat(struct davinci_state *state, int seat, struct reader *in)
{
    struct davinci_row *row = &state->row[seat];
    row->len = get_len(in, DAVINCI_ROW_MAX);
    for (int i = 0; i < row->len; i++) {
        row->at[i].tile = reader_u8(in);
        row->at[i].open = reader_u8(in);
        row->at[i].entry = reader_u8(in);
        row->at[i].refuted = reader_u16(in);
    }
    state->pick[seat].made = reader_u8(in);
    state->pick[seat].black = reader_u8(in);
    state->pick[seat].white = reader_u8(in);
    state->guesses[seat] = reader_u32(in);
    state->correct[seat] = reader_u32(in);
}

static void get_told(struct davinci_told *told, struct reader *in)
{
    told->by = reader_u8(in);
    told->target = reader_u8(in);
    told->position = reader_u8(in);
    told->entry = reader_u8(in);
    told->color = reader_u8(in);
    told->said = reader_u8(in);
    told->correct = reader_u8(in);
    told->automatic = reader_u8(in);
    told->turn = reader_u32(in);
}

static void get_all(struct davinci_state *state, struct reader *in)
{
    get_rules(&state->rules, in);
    state->seats = get_len(in, DAVINCI_SEATS_MAX);
    state->phase = reader_u8(in);
    state->first = reader_u8(in);
    state->current = reader_u8(in);
    state->turn = reader_u32(in);
    state->phase_started = reader_u64(in);
    state->deadline = reader_u64(in);
    state->extended = reader_u8(in);
    get_pool(state, in);
    state->turn_tile = reader_u8(in);
    for (int seat = 0; seat < state->seats; seat++) get_seat(state, seat, in);
    state->newest_seat = reader_u8(in);
    state->newest_entry = reader_u8(in);
    state->out_count = get_len(in, DAVINCI_SEATS_MAX);
    reader_bytes(in, state->out, state->out_count);
    state->winner = reader_u8(in);
    state->left = reader_u16(in);
    state->penalty_switched = reader_u8(in);
    state->idle_turns = reader_u8(in);
    state->progress = reader_u8(in);
    state->told_len = get_len(in, DAVINCI_HISTORY_MAX);
    for (int i = 0; i < state->told_len; i++) get_told(&state->told[i], in);
}

/* On ST_INVALID the state is all zeroes. */
enum status davinci_decode(void *data, struct slice bytes)
{
    struct davinci_state *state = data;
    struct reader in;
    reader_init(&in, bytes);
    memset(state, 0, sizeof *state);
    if (reader_u8(&in) == ENCODING) {
        get_all(state, &in);
        if (reader_done(&in) && davinci_audit(state) == NULL) return ST_OK;
    }
    memset(state, 0, sizeof *state);
    return ST_INVALID;
}
