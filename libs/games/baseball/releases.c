/* SPDX-License-Identifier: Apache-2.0
 *
 * For the secrecy tests: what the rules let an input tell one viewer. Everybody learns who has made
 * how many guesses and used how many hints, and who has ended how (N1); who asks learns what was
 * asked; at the end everybody learns everything.
 */
#include "games/baseball/baseball.h"

static void release_counts(const struct baseball_state *after, struct buf *out)
{
    buf_put_u8(out, after->phase);
    buf_put_u8(out, after->cause);
    for (int seat = 0; seat < after->seats; seat++) {
        buf_put_u8(out, after->player[seat].standing);
        buf_put_u8(out, after->player[seat].guesses);
        buf_put_u8(out, after->player[seat].hints);
    }
}

static void release_own(const struct baseball_state *after, const struct baseball_player *player,
                        struct buf *out)
{
    for (int i = 0; i < player->guesses; i++) {
        struct baseball_judged judged =
            baseball_judge(&after->rules, after->secret, player->code[i]);
        buf_put_u8(out, (uint8_t)judged.strikes);
        buf_put_u8(out, (uint8_t)judged.balls);
    }
    for (int i = 0; i < player->hints; i++) {
        int digit = baseball_digit(&after->rules, after->secret, after->hint_at[i]);
        buf_put_u8(out, after->hint_at[i]);
        buf_put_u8(out, (uint8_t)digit);
    }
}

static void release_everything(const struct baseball_state *after, struct buf *out)
{
    buf_put_u32(out, after->secret);
    buf_put(out, after->hint_at, sizeof after->hint_at);
    for (int seat = 0; seat < after->seats; seat++)
        for (int i = 0; i < after->player[seat].guesses; i++)
            buf_put_u32(out, after->player[seat].code[i]);
}

void baseball_releases(const void *data, const struct game_input *input,
                       const struct game_context *context, int viewer_seat, struct buf *out)
{
    struct baseball_state after = *(const struct baseball_state *)data;
    struct game_events events = {0};
    struct game_refusal refusal;
    baseball_game.apply(&after, input, context, &events, &refusal);
    game_events_fini(&events);
    release_counts(&after, out);
    if (viewer_seat >= 0) release_own(&after, &after.player[viewer_seat], out);
    if (after.phase == BASEBALL_FINISHED) release_everything(&after, out);
}
