/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: what the rules let an input tell one viewer. It reads the tiles
 * themselves, not the sight or the views that it is there to check.
 */
#include "games/davinci/davinci.h"

/* The automatic guess of an absent player is said aloud, and what it rests on is that player's
 * own. */
static void release_automatic(const struct davinci_state *state, const struct game_context *context,
                              struct buf *out)
{
    if (state->phase != DAVINCI_GUESS || context->now < state->deadline) return;
    struct davinci_action action;
    davinci_automatic(state, state->current, &action);
    buf_put_u8(out, (uint8_t)action.target);
    buf_put_u8(out, (uint8_t)action.index);
    buf_put_u8(out, (uint8_t)action.face);
}

/* A refused first pick is told how much is left (D5). */
static void release_limits(const struct davinci_state *state, struct buf *out)
{
    int most[2];
    if (state->phase != DAVINCI_CHOOSE_START) return;
    davinci_pick_limits(state, most);
    buf_put_u8(out, (uint8_t)most[DAVINCI_BLACK]);
    buf_put_u8(out, (uint8_t)most[DAVINCI_WHITE]);
}

/* The table afterwards: colours in their order, what lies open, one's own tiles; at the end
 * everything. */
static void release_table(const struct davinci_state *after, int viewer, struct buf *out)
{
    bool over = after->phase == DAVINCI_FINISHED;
    for (int seat = 0; seat < after->seats; seat++)
        for (int i = 0; i < after->row[seat].len; i++) {
            const struct davinci_tile *tile = &after->row[seat].at[i];
            bool known = tile->open || seat == viewer || over;
            buf_put_u8(out, (uint8_t)davinci_color_of(tile->tile));
            buf_put_u8(out, (uint8_t)(known ? davinci_face_of(tile->tile) : 0));
        }
    if (after->turn_tile == DAVINCI_NO_TILE) return;
    bool known = after->current == viewer || over || after->phase == DAVINCI_PLACE_JOKER;
    buf_put_u8(out, (uint8_t)davinci_color_of(after->turn_tile));
    buf_put_u8(out, (uint8_t)(known ? davinci_face_of(after->turn_tile) : 0));
}

/* Where the turn tile went: everybody sees it put there. */
static void release_place(const struct davinci_state *before, const struct davinci_state *after,
                          struct buf *out)
{
    const struct davinci_row *row = &after->row[before->current];
    for (int i = 0; before->turn_tile != DAVINCI_NO_TILE && i < row->len; i++)
        if (row->at[i].tile == before->turn_tile) buf_put_u8(out, (uint8_t)i);
}

void davinci_releases(const void *data, const struct game_input *input,
                      const struct game_context *context, int viewer_seat, struct buf *out)
{
    const struct davinci_state *state = data;
    struct davinci_state after = *state;
    struct game_events events = {0};
    struct game_refusal refusal;
    davinci_game.apply(&after, input, context, &events, &refusal);
    game_events_fini(&events);
    if (input->kind == GAME_CLOCK) release_automatic(state, context, out);
    if (input->kind == GAME_ACTION && input->seat == viewer_seat) release_limits(state, out);
    release_table(&after, viewer_seat, out);
    release_place(state, &after, out);
}
