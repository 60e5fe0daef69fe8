/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_table.h"

#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

int table_tile(const char *text)
{
    int color = text[0] == 'b' ? DAVINCI_BLACK : DAVINCI_WHITE;
    assert_true(text[0] == 'b' || text[0] == 'w');
    if (text[1] == 'J') return davinci_tile_of(color, DAVINCI_FACE_JOKER);
    int number = atoi(text + 1);
    assert_in_range(number, 0, 11);
    return davinci_tile_of(color, face(number));
}

/* Calls back is too much for three lists: a cursor over words. False at the end. */
static bool next_word(const char **at, char word[8])
{
    if (*at == NULL) return false;
    while (**at == ' ') (*at)++;
    size_t len = strcspn(*at, " ");
    if (len == 0) return false;
    assert_true(len < 8);
    memcpy(word, *at, len);
    word[len] = 0;
    *at += len;
    return true;
}

static void fill_row(struct davinci_state *state, int seat, const char *text, uint32_t *used)
{
    struct davinci_row *row = &state->row[seat];
    char word[8];
    while (next_word(&text, word)) {
        int tile = table_tile(word);
        assert_false(*used >> tile & 1);
        *used |= 1u << tile;
        row->at[row->len++] =
            (struct davinci_tile){.tile = (uint8_t)tile, .open = word[strlen(word) - 1] == '!'};
    }
}

/* Numbers entered first, left to right, then jokers: a first hand has none. */
static void number_entries(struct davinci_state *state)
{
    int start = DAVINCI_ROW_MAX;
    for (int seat = 0; seat < state->seats; seat++) {
        struct davinci_row *row = &state->row[seat];
        int entry = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < row->len; i++)
                if (davinci_is_joker(row->at[i].tile) == (pass == 1))
                    row->at[i].entry = (uint8_t)++entry;
            if (pass == 0 && entry < start) start = entry;
        }
    }
    state->rules.start_tiles = (uint8_t)start;
}

static bool left_over(const struct davinci_state *state, uint32_t used, int tile)
{
    return !(used >> tile & 1) && (!davinci_is_joker(tile) || state->rules.jokers);
}

static void fill_pool(struct davinci_state *state, const struct davinci_spec *spec, uint32_t used)
{
    for (int color = DAVINCI_BLACK; color <= DAVINCI_WHITE; color++) {
        const char *text = color == DAVINCI_BLACK ? spec->black : spec->white;
        char word[8];
        while (next_word(&text, word)) {
            int tile = table_tile(word);
            assert_true(left_over(state, used, tile));
            state->pile[color][state->pile_len[color]++] = (uint8_t)tile;
            used |= 1u << tile;
        }
        for (int tile = color * 13; tile < color * 13 + 13; tile++)
            if (left_over(state, used, tile))
                state->pile[color][state->pile_len[color]++] = (uint8_t)tile;
    }
}

static void fill_rest(struct davinci_state *state, int seat, uint32_t *used)
{
    for (int tile = 0; tile < DAVINCI_TILES_MAX; tile++) {
        if (!left_over(state, *used, tile)) continue;
        int place =
            davinci_is_joker(tile) ? state->row[seat].len : davinci_row_place(state, seat, tile);
        davinci_row_insert(state, seat, place, tile, true);
        *used |= 1u << tile;
    }
}

void table_set(struct davinci_state *state, const struct davinci_spec *spec)
{
    uint32_t used = 0;
    memset(state, 0, sizeof *state);
    state->rules = (struct davinci_rules){
        .jokers = spec->jokers,
        .white_left = spec->white_left,
        .choose_colors = 1,
        .reveal_own = !spec->none,
        .turn_seconds = 30,
        .history = !spec->no_history,
        .numbers = DAVINCI_NUMBERS,
    };
    while (state->seats < DAVINCI_SEATS_MAX && spec->rows[state->seats]) {
        fill_row(state, state->seats, spec->rows[state->seats], &used);
        state->seats++;
    }
    state->turn_tile = DAVINCI_NO_TILE;
    if (spec->turn_tile) {
        state->turn_tile = (uint8_t)table_tile(spec->turn_tile);
        used |= 1u << state->turn_tile;
    }
    if (spec->rest) fill_rest(state, spec->rest - 1, &used);
    fill_pool(state, spec, used);
    number_entries(state);
    state->winner = DAVINCI_NO_SEAT;
    state->current = (uint8_t)spec->current;
    state->turn = 1;
    davinci_enter(state, spec->phase, TABLE_NOW, false);
    for (int seat = 0; seat < state->seats; seat++)
        if (!davinci_alive(state, seat)) state->out[state->out_count++] = (uint8_t)seat;
    const char *fault = davinci_audit(state);
    if (fault) fail_msg("the table is not sound: %s", fault);
}

void table_open(struct table *table, const struct davinci_spec *spec)
{
    table_close(table);
    table_set(&table->state, spec);
    table->now = TABLE_NOW;
}

void table_start(struct table *table, const struct table_options *options)
{
    struct game_options values;
    struct game_seed seed = {{0}};
    table_close(table);
    game_options_default(&davinci_game, &values);
    values.value[DAVINCI_OPT_JOKERS] = options->jokers;
    values.value[DAVINCI_OPT_TIE_ORDER] = options->white_left;
    values.value[DAVINCI_OPT_START_TILES] = options->start_tiles;
    values.value[DAVINCI_OPT_CHOOSE_COLORS] = !options->no_choice;
    values.value[DAVINCI_OPT_EMPTY_POOL] = !options->none;
    values.value[DAVINCI_OPT_HELPER] = options->helper;
    values.value[DAVINCI_OPT_HISTORY] = !options->no_history;
    if (options->turn_seconds) values.value[DAVINCI_OPT_TURN_SECONDS] = options->turn_seconds;
    memcpy(seed.byte, &options->seed, sizeof options->seed);
    table->now = TABLE_NOW;
    davinci_game.setup(&table->state, &(struct game_setup){
                                          .options = &values,
                                          .seats = options->seats,
                                          .seed = &seed,
                                          .starter = options->starter - 1,
                                          .now = TABLE_NOW,
                                      });
}

void table_close(struct table *table)
{
    game_events_fini(&table->events);
    memset(table, 0, sizeof *table);
}

static enum status apply(struct table *table, const struct game_input *input)
{
    struct game_context context = {.now = table->now,
                                   .hurried = table->hurried,
                                   .left = table->left};
    game_events_clear(&table->events);
    enum status status =
        davinci_game.apply(&table->state, input, &context, &table->events, &table->refusal);
    game_events_seal(&table->events);
    const char *fault = davinci_audit(&table->state);
    if (fault) fail_msg("the state is not sound: %s", fault);
    return status;
}

int table_act(struct table *table, int seat, struct davinci_action action)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    struct game_input input = {.kind = GAME_ACTION, .seat = seat};
    input.action = slice_of(bytes, davinci_write_action(&action, bytes));
    enum status status = apply(table, &input);
    assert_true((status == ST_OK) == (table->refusal.code == 0));
    return (int)table->refusal.code;
}

int table_choose(struct table *table, int seat, int black, int white)
{
    return table_act(table, seat,
                     (struct davinci_action){.kind = DAVINCI_ACT_CHOOSE_START,
                                             .black = (uint32_t)black,
                                             .white = (uint32_t)white});
}

int table_draw(struct table *table, int seat, int color)
{
    return table_act(table, seat,
                     (struct davinci_action){.kind = DAVINCI_ACT_DRAW, .color = color});
}

int table_guess(struct table *table, int seat, int target, int index, int said)
{
    return table_act(table, seat,
                     (struct davinci_action){.kind = DAVINCI_ACT_GUESS,
                                             .target = (uint32_t)target,
                                             .index = (uint32_t)index,
                                             .face = said});
}

int table_continue(struct table *table, int seat)
{
    return table_act(table, seat, (struct davinci_action){.kind = DAVINCI_ACT_CONTINUE});
}

int table_stop(struct table *table, int seat)
{
    return table_act(table, seat, (struct davinci_action){.kind = DAVINCI_ACT_STOP});
}

int table_stop_joker(struct table *table, int seat, int index)
{
    return table_act(
        table, seat,
        (struct davinci_action){.kind = DAVINCI_ACT_STOP, .joker = true, .index = (uint32_t)index});
}

int table_place(struct table *table, int seat, int index)
{
    return table_act(table, seat,
                     (struct davinci_action){.kind = DAVINCI_ACT_PLACE_JOKER,
                                             .index = (uint32_t)index});
}

int table_reveal(struct table *table, int seat, int index)
{
    return table_act(table, seat,
                     (struct davinci_action){.kind = DAVINCI_ACT_REVEAL_OWN,
                                             .index = (uint32_t)index});
}

void table_clock(struct table *table)
{
    assert_true(table->state.deadline != INSTANT_NEVER);
    table->now = table->state.deadline;
    assert_int_equal(apply(table, &(struct game_input){.kind = GAME_CLOCK}), ST_OK);
}

void table_return(struct table *table, int seat)
{
    struct game_input input = {.kind = GAME_PRESENCE, .seat = seat, .connected = true};
    assert_int_equal(apply(table, &input), ST_OK);
}

const char *table_row(const struct table *table, int seat)
{
    static char text[DAVINCI_ROW_MAX * 6];
    const struct davinci_row *row = &table->state.row[seat];
    size_t len = 0;
    text[0] = 0;
    for (int i = 0; i < row->len; i++) {
        int tile = row->at[i].tile;
        char name[4];
        snprintf(name, sizeof name, "%d", davinci_face_of(tile) - 1);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%c%s%s", i ? " " : "",
                                davinci_color_of(tile) == DAVINCI_BLACK ? 'b' : 'w',
                                davinci_is_joker(tile) ? "J" : name, row->at[i].open ? "!" : "");
    }
    return text;
}

struct buf table_view(const struct davinci_state *state, int viewer)
{
    struct buf shared = {0}, mine = {0};
    davinci_game.view(state, &(struct game_viewer){.seat = viewer}, &shared, &mine);
    buf_put_slice(&shared, buf_slice(&mine));
    buf_fini(&mine);
    return shared;
}
