/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults by which somebody learns what the rules hide.
 */
#include "unit/games/broken.h"

#include "games/davinci/davinci.h"

/* The face of the leftmost hidden tile of a seat, 0 for none. */
static uint8_t hidden_face(const struct davinci_state *state, int seat)
{
    int index = davinci_row_first_hidden(state, seat);
    return (uint8_t)(index < 0 ? 0 : davinci_face_of(state->row[seat].at[index].tile));
}

/* ---- views ---------------------------------------------------------------------------------- */

static void view_number(const void *data, const struct game_viewer *viewer, struct buf *shared,
                        struct buf *mine)
{
    davinci_game.view(data, viewer, shared, mine);
    if (shared) buf_put_u8(shared, hidden_face(data, 0));
}

static void number_in_shared_view(struct game *game)
{
    game->view = view_number;
}

static void view_length(const void *data, const struct game_viewer *viewer, struct buf *shared,
                        struct buf *mine)
{
    davinci_game.view(data, viewer, shared, mine);
    for (int i = hidden_face(data, 1); shared && i > 0; i--) buf_put_u8(shared, 0);
}

static void length_of_view(struct game *game)
{
    game->view = view_length;
}

static void view_picks(const void *data, const struct game_viewer *viewer, struct buf *shared,
                       struct buf *mine)
{
    const struct davinci_state *state = data;
    davinci_game.view(data, viewer, shared, mine);
    for (int seat = 0; shared && seat < state->seats; seat++)
        buf_put_u8(shared, state->pick[seat].black);
}

static void picks_before_the_deal(struct game *game)
{
    game->view = view_picks;
}

static void view_pile(const void *data, const struct game_viewer *viewer, struct buf *shared,
                      struct buf *mine)
{
    const struct davinci_state *state = data;
    davinci_game.view(data, viewer, shared, mine);
    if (mine && viewer->host && viewer->seat >= 0) buf_put_u8(mine, state->pile[DAVINCI_BLACK][0]);
}

static void pile_to_the_host(struct game *game)
{
    game->view = view_pile;
}

static void view_spectator(const void *data, const struct game_viewer *viewer, struct buf *shared,
                           struct buf *mine)
{
    struct game_viewer other = *viewer;
    if (other.seat == GAME_SPECTATOR) other.seat = 0;
    davinci_game.view(data, &other, shared, mine);
}

static void seat_to_spectators(struct game *game)
{
    game->view = view_spectator;
}

/* ---- events, refusals, deadlines ------------------------------------------------------------- */

enum { DREW = 1, PUT_HIDDEN_JOKER, REFUSED, RETURNED };

/* Applies with the good engine and says what happened. */
static int apply_good(void *data, const struct game_input *input,
                      const struct game_context *context, struct game_events *events,
                      struct game_refusal *refusal, enum status *status)
{
    struct davinci_state *state = data;
    int held = state->turn_tile;
    bool stopping = state->phase == DAVINCI_AFTER_CORRECT;
    *status = davinci_game.apply(data, input, context, events, refusal);
    if (*status != ST_OK) return REFUSED;
    if (input->kind == GAME_PRESENCE) return RETURNED;
    if (held == DAVINCI_NO_TILE && state->turn_tile != DAVINCI_NO_TILE) return DREW;
    if (held != DAVINCI_NO_TILE && davinci_is_joker(held) && state->turn_tile == DAVINCI_NO_TILE &&
        stopping)
        return PUT_HIDDEN_JOKER;
    return 0;
}

#define APPLY(name, when, fault)                                                              \
    static enum status name##_apply(void *data, const struct game_input *input,               \
                                    const struct game_context *context,                       \
                                    struct game_events *events, struct game_refusal *refusal) \
    {                                                                                         \
        struct davinci_state *state = data;                                                   \
        enum status status;                                                                   \
        if (apply_good(state, input, context, events, refusal, &status) == (when)) {          \
            fault;                                                                            \
        }                                                                                     \
        return status;                                                                        \
    }                                                                                         \
    static void name(struct game *game)                                                       \
    {                                                                                         \
        game->apply = name##_apply;                                                           \
    }

APPLY(tile_in_event, DREW,
      game_events_add(events, slice_of(&state->turn_tile, 1), -1, (struct slice){0}))
APPLY(own_part_to_another, DREW,
      game_events_add(events, (struct slice){0}, (state->current + 1) % state->seats,
                      slice_of(&state->turn_tile, 1)))
APPLY(joker_takes_longer, PUT_HIDDEN_JOKER, state->deadline += 1)
APPLY(joker_has_another_event, PUT_HIDDEN_JOKER, davinci_tell_went_on(events, state->newest_seat))
APPLY(refusal_tells, REFUSED, refusal->params[3] = hidden_face(state, 0); refusal->param_count = 4)
APPLY(return_times_by_hidden, RETURNED,
      if (state->deadline < INSTANT_NEVER - 100) state->deadline += hidden_face(state, 0))

/* ---- automatic actions ----------------------------------------------------------------------- */

/* Says what is there instead of what could be there. */
static void look(const struct davinci_state *state, struct davinci_action *action)
{
    if (action->kind == DAVINCI_ACT_GUESS)
        action->face = davinci_face_of(state->row[action->target].at[action->index].tile);
}

static size_t timeout_truth(const void *data, int seat, uint8_t *bytes)
{
    struct davinci_action action;
    size_t len = davinci_game.timeout_action(data, seat, bytes);
    if (len == 0) return 0;
    davinci_automatic(data, seat, &action);
    look(data, &action);
    return davinci_write_action(&action, bytes);
}

static enum status clock_truth_apply(void *data, const struct game_input *input,
                                     const struct game_context *context, struct game_events *events,
                                     struct game_refusal *refusal)
{
    struct davinci_state *state = data;
    struct game_input act = *input;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    if (input->kind == GAME_CLOCK && state->phase == DAVINCI_GUESS &&
        context->now >= state->deadline) {
        act = (struct game_input){.kind = GAME_ACTION, .seat = state->current};
        act.action = slice_of(bytes, timeout_truth(state, state->current, bytes));
    }
    return davinci_game.apply(data, &act, context, events, refusal);
}

static void timeout_says_the_truth(struct game *game)
{
    game->timeout_action = timeout_truth;
    game->apply = clock_truth_apply;
}

static void clock_says_the_truth(struct game *game)
{
    game->apply = clock_truth_apply;
}

const struct broken broken_secrets[] = {
    {"a hidden number in the shared view", "the content of", number_in_shared_view},
    {"a view whose length depends on a hidden number", "the length of", length_of_view},
    {"first picks shown before the deal", "the content of", picks_before_the_deal},
    {"the front of a pile shown to the host", "the content of", pile_to_the_host},
    {"a seat's own view sent to spectators", "a spectator has a part", seat_to_spectators},
    {"the number of a drawn tile in the event for all", "an event tells", tile_in_event},
    {"a drawn number sent to the next player", "an event tells", own_part_to_another},
    {"a hidden joker that changes the next deadline", "what is hidden", joker_takes_longer},
    {"a hidden joker with an event of its own", "an event tells", joker_has_another_event},
    {"a refusal that names a hidden number", "a refusal tells", refusal_tells},
    {"a return that gains time by a hidden number", "what is hidden", return_times_by_hidden},
    {"automatic guesses that look at the tile", "automatic action", timeout_says_the_truth},
    {"a clock that looks where its announcement does not", "automatic action",
     clock_says_the_truth},
    {0},
};
