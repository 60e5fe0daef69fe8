/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults of a game in real time: what waits in a window shows, or cards to come do.
 */
#include "unit/games/broken.h"

#include "games/dobble/dobble.h"

/* ---- the window ------------------------------------------------------------------------------ */

static void view_window(const void *data, const struct game_viewer *viewer, struct buf *shared,
                        struct buf *mine)
{
    const struct dobble_state *state = data;
    dobble_game.view(data, viewer, shared, mine);
    if (shared) buf_put_u8(shared, state->window_len);
}

static void claims_in_the_view(struct game *game)
{
    game->view = view_window;
}

/* The one who waits sees that the claim was right before the others see anything. */
static void view_own_claim(const void *data, const struct game_viewer *viewer, struct buf *shared,
                           struct buf *mine)
{
    const struct dobble_state *state = data;
    bool waits = false;
    dobble_game.view(data, viewer, shared, mine);
    for (int i = 0; i < state->window_len; i++)
        waits = waits || state->window[i].seat == viewer->seat;
    if (mine && viewer->seat >= 0) buf_put_u8(mine, waits);
}

static void own_claim_in_the_view(struct game *game)
{
    game->view = view_own_claim;
}

static enum status tell_apply(void *data, const struct game_input *input,
                              const struct game_context *context, struct game_events *events,
                              struct game_refusal *refusal)
{
    enum status status = dobble_game.apply(data, input, context, events, refusal);
    if (events->hidden) dobble_tell_beaten(events, input->seat);
    return status;
}

static void claims_are_told(struct game *game)
{
    game->apply = tell_apply;
}

static void view_round_trip(const void *data, const struct game_viewer *viewer, struct buf *shared,
                            struct buf *mine)
{
    const struct dobble_state *state = data;
    dobble_game.view(data, viewer, shared, mine);
    if (shared && state->window_len > 0)
        buf_put_u8(shared, (uint8_t)(state->window[0].at - state->window[0].adjusted));
}

static void round_trips_in_the_view(struct game *game)
{
    game->view = view_round_trip;
}

/* ---- what is to come ------------------------------------------------------------------------- */

static void view_next(const void *data, const struct game_viewer *viewer, struct buf *shared,
                      struct buf *mine)
{
    const struct dobble_state *state = data;
    dobble_game.view(data, viewer, shared, mine);
    if (shared) buf_put_u8(shared, (uint8_t)dobble_top(&state->draw));
}

static void next_card_in_the_view(struct game *game)
{
    game->view = view_next;
}

static void view_early(const void *data, const struct game_viewer *viewer, struct buf *shared,
                       struct buf *mine)
{
    struct dobble_state early = *(const struct dobble_state *)data;
    if (early.phase == DOBBLE_COUNTDOWN) early.face_up = 1;
    dobble_game.view(&early, viewer, shared, mine);
}

static void cards_in_the_countdown(struct game *game)
{
    game->view = view_early;
}

/* The look of a card that is sent before the card. */
static void view_look(const void *data, const struct game_viewer *viewer, struct buf *shared,
                      struct buf *mine)
{
    const struct dobble_state *state = data;
    dobble_game.view(data, viewer, shared, mine);
    if (shared && state->draw.len > 0)
        buf_put_u32(shared, dobble_look(&state->card[dobble_top(&state->draw) - 1]));
}

static void look_of_the_next_card(struct game *game)
{
    game->view = view_look;
}

/* The picture of a symbol that nobody has seen yet. */
static void view_picture(const void *data, const struct game_viewer *viewer, struct buf *shared,
                         struct buf *mine)
{
    const struct dobble_state *state = data;
    dobble_game.view(data, viewer, shared, mine);
    if (mine && viewer->seat >= 0 && state->draw.len > 0)
        buf_put_u8(mine, state->card[state->draw.card[0] - 1].art[0]);
}

static void picture_of_the_last_card(struct game *game)
{
    game->view = view_picture;
}

static enum status well_apply(void *data, const struct game_input *input,
                              const struct game_context *context, struct game_events *events,
                              struct game_refusal *refusal)
{
    struct dobble_state *state = data;
    enum status status = dobble_game.apply(data, input, context, events, refusal);
    if (status == ST_OK || state->rules.mini_game != DOBBLE_WELL) return status;
    refusal->params[3] = state->seat[input->seat].pile.card[0];
    refusal->param_count = 4;
    return status;
}

static void refusal_names_a_card_below(struct game *game)
{
    game->apply = well_apply;
}

const struct broken broken_windows[] = {
    {"a view that counts the claims in the window", "notices a hidden input", claims_in_the_view},
    {"an own view that says that a claim waits", "notices a hidden input", own_claim_in_the_view},
    {"a claim in the window that is told", "a hidden input tells events", claims_are_told},
    {"a view with a round trip in it", "notices a hidden input", round_trips_in_the_view},
    {"the next card in the view", "the content of", next_card_in_the_view},
    {"cards that are sent in the countdown", "the content of", cards_in_the_countdown},
    {"the look of a card to come", "the content of", look_of_the_next_card},
    {"a picture that nobody has seen", "the content of", picture_of_the_last_card},
    {"a refusal that names a card lower in the pile", "a refusal tells",
     refusal_names_a_card_below},
    {0},
};
