/* SPDX-License-Identifier: Apache-2.0
 *
 * Views: what everybody sees, from a spectator's sight, and what one seat sees beside it. A
 * hidden tile is a colour, an entry number and the values publicly refuted for it; faces are one
 * byte each.
 *
 * Without history ("기억 모드", D3) the refuted values stay out as well: they are the same notes in
 * another form.
 */
#include "games/davinci/davinci.h"

#include "davinci.pb-c.h"

typedef Madang__V1__Davinci__View wire_view;

static Madang__V1__Davinci__Color color_of(int color)
{
    return (Madang__V1__Davinci__Color)(color + 1);
}

static Madang__V1__Davinci__Face face_of(int face)
{
    return (Madang__V1__Davinci__Face)face;
}

/* Everything a View points to, for as long as it is packed. */
struct parts {
    Madang__V1__Davinci__Row row[DAVINCI_SEATS_MAX], *rows[DAVINCI_SEATS_MAX];
    Madang__V1__Davinci__Tile tile[DAVINCI_SEATS_MAX][DAVINCI_ROW_MAX];
    Madang__V1__Davinci__Tile *tiles[DAVINCI_SEATS_MAX][DAVINCI_ROW_MAX];
    Madang__V1__Davinci__HistoryEntry told[DAVINCI_HISTORY_MAX], *history[DAVINCI_HISTORY_MAX];
    uint32_t eliminated[DAVINCI_SEATS_MAX];
    Madang__V1__Davinci__Settings settings;
    Madang__V1__Davinci__Result result;
    Madang__V1__Davinci__Ranked rank[DAVINCI_SEATS_MAX], *ranking[DAVINCI_SEATS_MAX];
    Madang__V1__Davinci__FinalRow final_row[DAVINCI_SEATS_MAX], *final_rows[DAVINCI_SEATS_MAX];
    Madang__V1__Davinci__FinalTile final_tile[DAVINCI_SEATS_MAX][DAVINCI_ROW_MAX];
    Madang__V1__Davinci__FinalTile *final_tiles[DAVINCI_SEATS_MAX][DAVINCI_ROW_MAX];
    Madang__V1__Davinci__FinalTile turn_tile;
};

static void put_settings(const struct davinci_rules *rules, struct parts *parts, wire_view *view)
{
    madang__v1__davinci__settings__init(&parts->settings);
    parts->settings.jokers = rules->jokers;
    parts->settings.white_left = rules->white_left;
    parts->settings.choose_colors = rules->choose_colors;
    parts->settings.reveal_own = rules->reveal_own;
    parts->settings.turn_seconds = rules->turn_seconds;
    parts->settings.helper = rules->helper;
    parts->settings.history = rules->history;
    view->settings = &parts->settings;
}

static void put_rows(const struct davinci_state *state, const struct davinci_sight *sight,
                     struct parts *parts, wire_view *view)
{
    for (int seat = 0; seat < sight->seats; seat++) {
        Madang__V1__Davinci__Row *row = parts->rows[seat] = &parts->row[seat];
        madang__v1__davinci__row__init(row);
        for (int i = 0; i < sight->row[seat].len; i++) {
            const struct davinci_seen_tile *seen = &sight->row[seat].at[i];
            Madang__V1__Davinci__Tile *tile = parts->tiles[seat][i] = &parts->tile[seat][i];
            madang__v1__davinci__tile__init(tile);
            tile->color = color_of(seen->color);
            tile->face = face_of(seen->face);
            tile->entry = seen->entry;
            tile->refuted = state->rules.history ? seen->refuted : 0;
            tile->newest = seen->newest;
        }
        row->tiles = parts->tiles[seat];
        row->n_tiles = (size_t)sight->row[seat].len;
        row->alive = sight->row[seat].alive;
        row->picked = state->pick[seat].made;
        row->guesses = state->guesses[seat];
        row->correct = state->correct[seat];
    }
    view->rows = parts->rows;
    view->n_rows = (size_t)sight->seats;
}

static void put_history(const struct davinci_state *state, struct parts *parts, wire_view *view)
{
    for (int i = 0; i < state->told_len; i++) {
        const struct davinci_told *told = &state->told[i];
        Madang__V1__Davinci__HistoryEntry *entry = parts->history[i] = &parts->told[i];
        madang__v1__davinci__history_entry__init(entry);
        entry->by = told->by;
        entry->target = told->target;
        entry->position = told->position;
        entry->entry = told->entry;
        entry->color = color_of(told->color);
        entry->said = face_of(told->said);
        entry->correct = told->correct;
        entry->automatic = told->automatic;
        entry->turn = told->turn;
    }
    view->history = parts->history;
    view->n_history = state->told_len;
}

/* The winner first, then who went out last (spec 6). */
static void put_ranking(const struct davinci_state *state, struct parts *parts)
{
    for (int i = 0; i < state->seats; i++) {
        int seat = i == 0 ? state->winner : state->out[state->out_count - i];
        Madang__V1__Davinci__Ranked *rank = parts->ranking[i] = &parts->rank[i];
        madang__v1__davinci__ranked__init(rank);
        rank->seat = (uint32_t)seat;
        rank->rank = (uint32_t)i + 1;
        rank->hidden_left = (uint32_t)davinci_row_hidden(state, seat);
        rank->guesses = state->guesses[seat];
        rank->correct = state->correct[seat];
        rank->left = state->left >> seat & 1;
    }
    parts->result.ranking = parts->ranking;
    parts->result.n_ranking = state->seats;
}

static void put_final_tile(Madang__V1__Davinci__FinalTile *out, int tile, bool was_hidden)
{
    madang__v1__davinci__final_tile__init(out);
    out->color = color_of(davinci_color_of(tile));
    out->face = face_of(davinci_face_of(tile));
    out->was_hidden = was_hidden;
}

/* Only here are hidden numbers shown, and only when the game is over (spec 8.6, D13). */
static void put_result(const struct davinci_state *state, struct parts *parts, wire_view *view)
{
    if (state->phase != DAVINCI_FINISHED) return;
    madang__v1__davinci__result__init(&parts->result);
    put_ranking(state, parts);
    parts->result.winner = state->winner;
    for (int seat = 0; seat < state->seats; seat++) {
        const struct davinci_row *row = &state->row[seat];
        Madang__V1__Davinci__FinalRow *out = parts->final_rows[seat] = &parts->final_row[seat];
        madang__v1__davinci__final_row__init(out);
        for (int i = 0; i < row->len; i++) {
            parts->final_tiles[seat][i] = &parts->final_tile[seat][i];
            put_final_tile(parts->final_tiles[seat][i], row->at[i].tile, !row->at[i].open);
        }
        out->tiles = parts->final_tiles[seat];
        out->n_tiles = row->len;
    }
    parts->result.rows = parts->final_rows;
    parts->result.n_rows = state->seats;
    if (state->turn_tile != DAVINCI_NO_TILE) {
        parts->result.turn_tile_seat = state->current;
        put_final_tile(&parts->turn_tile, state->turn_tile, true);
        parts->result.turn_tile = &parts->turn_tile;
    }
    view->result = &parts->result;
}

/* Before the deal the pool counts stay at their starting figures (D5): picks take nothing yet. */
static void put_table(const struct davinci_state *state, const struct davinci_sight *sight,
                      wire_view *view)
{
    view->phase = (Madang__V1__Davinci__Phase)state->phase;
    view->current = state->current;
    view->first = state->first;
    view->turn = state->turn;
    view->phase_started = state->phase_started;
    if (state->phase != DAVINCI_FINISHED) {
        view->deadline = state->deadline;
        view->phase_ends_full = state->deadline - state->phase_started;
    }
    view->pool_black = state->pile_len[DAVINCI_BLACK];
    view->pool_white = state->pile_len[DAVINCI_WHITE];
    if (sight->turn_color >= 0) {
        view->turn_tile = color_of(sight->turn_color);
        view->turn_face = face_of(sight->turn_face);
    }
    view->penalty_switched = state->penalty_switched;
    view->start_tiles = state->rules.start_tiles;
}

static void view_shared(const struct davinci_state *state, struct buf *out)
{
    struct davinci_sight sight;
    struct parts parts;
    wire_view view = MADANG__V1__DAVINCI__VIEW__INIT;
    davinci_see(state, GAME_SPECTATOR, &sight);
    put_table(state, &sight, &view);
    put_settings(&state->rules, &parts, &view);
    put_rows(state, &sight, &parts, &view);
    put_history(state, &parts, &view);
    put_result(state, &parts, &view);
    for (int i = 0; i < state->out_count; i++) parts.eliminated[i] = state->out[i];
    view.eliminated = parts.eliminated;
    view.n_eliminated = state->out_count;
    size_t len = madang__v1__davinci__view__get_packed_size(&view);
    madang__v1__davinci__view__pack(&view, buf_extend(out, len));
}

static void view_mine(const struct davinci_state *state, int seat, struct buf *out)
{
    struct davinci_sight sight;
    Madang__V1__Davinci__Face faces[DAVINCI_ROW_MAX];
    Madang__V1__Davinci__Mine mine = MADANG__V1__DAVINCI__MINE__INIT;
    davinci_see(state, seat, &sight);
    for (int i = 0; i < sight.row[seat].len; i++) faces[i] = face_of(sight.row[seat].at[i].face);
    mine.faces = faces;
    mine.n_faces = (size_t)sight.row[seat].len;
    if (sight.turn_color >= 0 && sight.current == seat) {
        mine.turn_face = face_of(sight.turn_face);
        mine.joker_place_needed = sight.turn_face == DAVINCI_FACE_JOKER;
    }
    mine.pick_black = state->pick[seat].black;
    mine.pick_white = state->pick[seat].white;
    size_t len = madang__v1__davinci__mine__get_packed_size(&mine);
    madang__v1__davinci__mine__pack(&mine, buf_extend(out, len));
}

void davinci_view(const void *data, const struct game_viewer *viewer, struct buf *shared,
                  struct buf *mine)
{
    const struct davinci_state *state = data;
    if (shared) view_shared(state, shared);
    if (mine && viewer->seat >= 0 && viewer->seat < state->seats)
        view_mine(state, viewer->seat, mine);
}
