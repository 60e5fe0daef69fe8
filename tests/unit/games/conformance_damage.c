/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged saves: bytes that are cut short, longer or flipped are refused, or are a sound state
 * that plays on. (Hashes of the room find damage; this is about never reaching an assertion or an
 * impossible state by it.)
 */
#include "unit/games/conformance_run.h"

enum { FLIPS = 12, CUTS = 6, PLAYED_ON = 6 };

/* What was accepted is sound, is saved as the bytes it came from, and can be played on. */
static bool accepted(struct playthrough *play, struct run *run, struct slice bytes)
{
    struct conformance_report *report = play->report;
    struct outcome outcome = {0};
    struct playthrough on = *play;
    const char *sentence = play->game->audit(run->state);
    if (sentence) return fault(report, "damaged bytes became a state: %s", sentence);
    struct buf again = run_encode(run);
    bool same = slice_equal(buf_slice(&again), bytes);
    buf_fini(&again);
    if (!same) return fault(report, "damaged bytes became the state of other bytes");
    for (int i = 0; i < PLAYED_ON; i++) {
        struct input input;
        struct buf view = seen_view(run, GAME_SPECTATOR, false);
        buf_fini(&view);
        input_next(&on, run, &input);
        if (input.input.kind == GAME_ACTION && input.input.seat >= play->seats) continue;
        run_apply(run, &input, &outcome);
    }
    game_events_fini(&outcome.events);
    return true;
}

static bool try_bytes(struct playthrough *play, struct slice bytes, bool may_be_good)
{
    struct run run;
    bool good = true;
    run_open(&run, play->game, play->seats, 0x77);
    play->report->damaged++;
    if (play->game->decode(run.state, bytes) == ST_OK)
        good = may_be_good ? accepted(play, &run, bytes)
                           : fault(play->report, "cut or longer bytes are accepted");
    run_close(&run);
    return good;
}

bool check_damage(struct playthrough *play)
{
    struct buf bytes = run_encode(&play->run);
    bool good = true;
    for (int i = 0; good && i < CUTS; i++)
        good =
            try_bytes(play, slice_of(bytes.at, rng_below(&play->rng, (uint32_t)bytes.len)), false);
    for (int i = 0; good && i < FLIPS; i++) {
        size_t at = rng_below(&play->rng, (uint32_t)bytes.len);
        uint8_t was = bytes.at[at];
        bytes.at[at] = (uint8_t)(was ^ 1u << rng_below(&play->rng, 8));
        good = try_bytes(play, buf_slice(&bytes), true);
        bytes.at[at] = was;
    }
    buf_put_u8(&bytes, (uint8_t)rng_below(&play->rng, 256));
    good = good && try_bytes(play, buf_slice(&bytes), false);
    buf_fini(&bytes);
    return good;
}
