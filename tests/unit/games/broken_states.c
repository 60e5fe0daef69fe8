/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults of the state: things lost, changed by a refusal, saved wrongly, or different in an equal
 * run.
 */
#include "unit/games/broken.h"

#include "games/davinci/davinci.h"

static int tiles_in_rows(const struct davinci_state *state)
{
    int count = 0;
    for (int seat = 0; seat < state->seats; seat++) count += state->row[seat].len;
    return count;
}

#define APPLY(name, fault)                                                                    \
    static enum status name##_apply(void *data, const struct game_input *input,               \
                                    const struct game_context *context,                       \
                                    struct game_events *events, struct game_refusal *refusal) \
    {                                                                                         \
        struct davinci_state *state = data;                                                   \
        int placed = tiles_in_rows(state);                                                    \
        enum status status = davinci_game.apply(state, input, context, events, refusal);      \
        placed = state->phase == DAVINCI_FINISHED ? 0 : tiles_in_rows(state) - placed;        \
        fault;                                                                                \
        return status;                                                                        \
    }                                                                                         \
    static void name(struct game *game)                                                       \
    {                                                                                         \
        game->apply = name##_apply;                                                           \
    }

static void drop_a_tile(struct davinci_state *state)
{
    if (state->pile_len[DAVINCI_BLACK] > 0) state->pile_len[DAVINCI_BLACK]--;
}

/* The newest tile goes to the right end, wherever it belongs. */
static void misplace(struct davinci_state *state)
{
    struct davinci_row *row = &state->row[state->newest_seat];
    for (int i = 0; i + 1 < row->len; i++)
        if (row->at[i].entry == row->len) {
            struct davinci_tile tile = row->at[i];
            row->at[i] = row->at[i + 1];
            row->at[i + 1] = tile;
        }
}

/* A counter outside of the state, as the address of a table or a clock would be. */
static unsigned calls;

static void keep_history(struct davinci_state *state)
{
    if (state->guesses[0] > 0 && !state->rules.history && state->told_len == 0)
        state->told[state->told_len++] =
            (struct davinci_told){.target = 1, .entry = 1, .said = 1, .turn = 1};
}

APPLY(forgets_a_tile, if (placed > 0) drop_a_tile(state))
APPLY(misplaces_a_tile, if (placed == 1) misplace(state))
APPLY(refusal_counts, if (status == ST_REFUSED) state->guesses[input->seat]++)
APPLY(refusal_is_told, if (status != ST_OK) davinci_tell_went_on(events, input->seat))
APPLY(refusal_without_reason, if (status != ST_OK) refusal->code = 0)
APPLY(order_of_calls,
      if (status == ST_OK && state->phase != DAVINCI_FINISHED) state->deadline += calls++ & 1)
APPLY(history_though_off, keep_history(state))
APPLY(moves_when_over,
      if (state->phase == DAVINCI_FINISHED) state->correct[0] = ++state->guesses[0])

static void setup_unclean(void *data, const struct game_setup *setup)
{
    struct davinci_state *state = data;
    uint8_t was = state->extended & 1;
    davinci_game.setup(data, setup);
    state->extended = was;
}

static void memory_not_cleared(struct game *game)
{
    game->setup = setup_unclean;
}

static void encode_partly(const void *data, struct buf *out)
{
    struct davinci_state state = *(const struct davinci_state *)data;
    for (int seat = 0; seat < state.seats; seat++)
        for (int i = 0; i < state.row[seat].len; i++) state.row[seat].at[i].refuted = 0;
    davinci_game.encode(&state, out);
}

static void field_not_saved(struct game *game)
{
    game->encode = encode_partly;
}

static void encode_address(const void *data, struct buf *out)
{
    davinci_game.encode(data, out);
    buf_put_u8(out, (uint8_t)((uintptr_t)data >> 4));
}

static enum status decode_address(void *data, struct slice bytes)
{
    if (bytes.len == 0) return ST_INVALID;
    return davinci_game.decode(data, slice_of(bytes.at, bytes.len - 1));
}

static void address_is_saved(struct game *game)
{
    game->encode = encode_address;
    game->decode = decode_address;
}

static enum status decode_any_length(void *data, struct slice bytes)
{
    enum status status = davinci_game.decode(data, bytes);
    return status == ST_OK ? ST_OK : decode_address(data, bytes);
}

static void longer_saves_are_read(struct game *game)
{
    game->decode = decode_any_length;
}

/* Takes every byte of the helper switch for on or off. */
static enum status decode_lenient(void *data, struct slice bytes)
{
    enum { HELPER_AT = 6 };
    uint8_t copy[GAME_ENCODED_BYTES_MAX];
    if (bytes.len <= HELPER_AT || bytes.len > sizeof copy) return ST_INVALID;
    memcpy(copy, bytes.at, bytes.len);
    copy[HELPER_AT] = copy[HELPER_AT] != 0;
    return davinci_game.decode(data, slice_of(copy, bytes.len));
}

static void damage_is_overlooked(struct game *game)
{
    game->decode = decode_lenient;
}

const struct broken broken_states[] = {
    {"a tile forgotten on insertion", ": a tile is missing", forgets_a_tile},
    {"a tile put at the wrong place", ": a row is not sorted", misplaces_a_tile},
    {"a refusal that counts as a guess", "a refusal changes the state", refusal_counts},
    {"a refusal that is told to all", "a refusal tells events", refusal_is_told},
    {"a refusal without a reason", "without a reason", refusal_without_reason},
    {"a result that depends on how often the code ran", "another state in an equal run",
     order_of_calls},
    {"history kept though it is off", ": history", history_though_off},
    {"a finished game that moves", "moves a finished game", moves_when_over},
    {"memory that set-up does not clear", "another state in other memory", memory_not_cleared},
    {"a field that is not saved", "two equal runs look different", field_not_saved},
    {"an address that is saved", "other memory", address_is_saved},
    {"a save that is read though it is longer", "cut or longer bytes", longer_saves_are_read},
    {"damage that is overlooked", "the state of other bytes", damage_is_overlooked},
    {0},
};
