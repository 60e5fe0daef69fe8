/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving: the canonical bytes of a state. Only what is in use is written, so equal states have
 * equal bytes; decode takes nothing on trust and leaves the judgement to the audit. Strikes and
 * balls are not saved, so no save can disagree with the secret about them.
 */
#include "games/baseball/baseball.h"

/* Written first; raised with every change of this file. */
enum { ENCODING = 1 };

/* A code takes three bytes: twelve players with 120 guesses each must fit a saved state. */
enum { CODE_BYTES = 3, PLAYER_BYTES = 3 + 8 + CODE_BYTES * BASEBALL_GUESSES_MAX };
_Static_assert(BASEBALL_SEATS_MAX *PLAYER_BYTES + 128 <= GAME_ENCODED_BYTES_MAX,
               "a full game fits");

static void put_code(uint32_t code, struct buf *out)
{
    buf_put_u16(out, (uint16_t)code);
    buf_put_u8(out, (uint8_t)(code >> 16));
}

static void put_player(const struct baseball_player *player, struct buf *out)
{
    buf_put_u8(out, player->standing);
    buf_put_u8(out, player->hints);
    buf_put_u64(out, player->ended);
    buf_put_u8(out, player->guesses);
    for (int i = 0; i < player->guesses; i++) put_code(player->code[i], out);
}

void baseball_encode(const void *data, struct buf *out)
{
    const struct baseball_state *state = data;
    buf_put_u8(out, ENCODING);
    buf_put_u8(out, state->rules.digits);
    buf_put_u8(out, state->rules.symbols);
    buf_put_u8(out, state->rules.guess_limit);
    buf_put_u8(out, state->rules.hints_most);
    buf_put_u16(out, state->rules.time_limit_s);
    buf_put_u8(out, state->seats);
    buf_put_u8(out, state->phase);
    buf_put_u8(out, state->cause);
    buf_put_u64(out, state->starts);
    buf_put_u64(out, state->ends);
    buf_put_u64(out, state->quiet_since);
    put_code(state->secret, out);
    buf_put(out, state->hint_at, state->rules.digits);
    buf_put_u16(out, state->left);
    for (int seat = 0; seat < state->seats; seat++) put_player(&state->player[seat], out);
}

/* A length that must fit an array: otherwise everything from here on is damaged. */
static uint8_t get_len(struct reader *in, size_t max)
{
    uint8_t len = reader_u8(in);
    if (len > max) in->bad = true;
    return in->bad ? 0 : len;
}

static uint32_t get_code(struct reader *in)
{
    uint32_t low = reader_u16(in);
    return low | (uint32_t)reader_u8(in) << 16;
}

static void get_player(struct baseball_player *player, struct reader *in)
{
    player->standing = reader_u8(in);
    player->hints = reader_u8(in);
    player->ended = reader_u64(in);
    player->guesses = get_len(in, BASEBALL_GUESSES_MAX);
    for (int i = 0; i < player->guesses; i++) player->code[i] = get_code(in);
}

static void get_all(struct baseball_state *state, struct reader *in)
{
    state->rules.digits = get_len(in, BASEBALL_DIGITS_MAX);
    state->rules.symbols = reader_u8(in);
    state->rules.guess_limit = reader_u8(in);
    state->rules.hints_most = reader_u8(in);
    state->rules.time_limit_s = reader_u16(in);
    state->seats = get_len(in, BASEBALL_SEATS_MAX);
    state->phase = reader_u8(in);
    state->cause = reader_u8(in);
    state->starts = reader_u64(in);
    state->ends = reader_u64(in);
    state->quiet_since = reader_u64(in);
    state->secret = get_code(in);
    reader_bytes(in, state->hint_at, state->rules.digits);
    state->left = reader_u16(in);
    for (int seat = 0; seat < state->seats; seat++) get_player(&state->player[seat], in);
}

/* On ST_INVALID the state is all zeroes. */
enum status baseball_decode(void *data, struct slice bytes)
{
    struct baseball_state *state = data;
    struct reader in;
    reader_init(&in, bytes);
    memset(state, 0, sizeof *state);
    if (reader_u8(&in) == ENCODING) {
        get_all(state, &in);
        if (reader_done(&in) && baseball_audit(state) == NULL) return ST_OK;
    }
    memset(state, 0, sizeof *state);
    return ST_INVALID;
}
