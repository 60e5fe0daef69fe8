/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: what the rules let an input tell. After it, the cards that lie open are
 * everybody's, with what is on them and how it lies; and who won what, which a window decides by
 * round trips that nobody sees. It reads piles and parts themselves, not the views that it is there
 * to check.
 */
#include "games/dobble/dobble.h"

static void release_card(const struct dobble_state *after, int card, struct buf *out)
{
    buf_put_u8(out, (uint8_t)card);
    if (card != DOBBLE_NO_CARD) buf_put(out, &after->card[card - 1], sizeof after->card[0]);
}

void dobble_releases(const void *data, const struct game_input *input,
                     const struct game_context *context, int viewer_seat, struct buf *out)
{
    struct dobble_state after = *(const struct dobble_state *)data;
    struct game_events events = {0};
    struct game_refusal refusal;
    (void)viewer_seat;
    dobble_game.apply(&after, input, context, &events, &refusal);
    game_events_fini(&events);
    bool shown = after.phase != DOBBLE_COUNTDOWN && after.phase != DOBBLE_PAUSED;
    for (int s = 0; s < after.seats; s++) {
        const struct dobble_seat *seat = &after.seat[s];
        buf_put_u8(out, seat->pile.len);
        buf_put_u8(out, seat->part);
        buf_put_u8(out, seat->place);
        buf_put_u32(out, seat->correct);
        if (shown && after.rules.mini_game != DOBBLE_TRIPLET)
            release_card(&after, dobble_top(&seat->pile), out);
    }
    if (!shown) return;
    release_card(&after, dobble_top(&after.centre), out);
    for (int p = 0; p < DOBBLE_PLACES; p++) release_card(&after, after.open[p], out);
}
