/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged bytes. Saves that are cut short, longer or flipped are refused, or are a sound state
 * that plays on. (Hashes of the room find damage; this is about never reaching an assertion or an
 * impossible state by it.) Actions of any bytes are applied or refused like others.
 */
#include "unit/games/conformance_run.h"

enum { FLIPS = 12, CUTS = 6, PLAYED_ON = 6, MANGLED = 12 };

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

static bool check_saves(struct playthrough *play)
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

/* An action with a few bytes changed, put in or left out; or bytes of any kind, as many as there
 * may be. */
static void mangle(struct playthrough *play, const struct run *run, struct input *input)
{
    struct rng *rng = &play->rng;
    int seat = (int)rng_below(rng, (uint32_t)play->seats);
    size_t len = play->game->random_action(run->state, seat, 1, rng, input->bytes);
    if (len == 0 || chance(rng, 3)) {
        len = rng_below(rng, GAME_ACTION_BYTES_MAX + 1);
        for (size_t i = 0; i < len; i++)
            input->bytes[i] = (uint8_t)rng_below(rng, chance(rng, 2) ? 4 : 256);
    }
    for (uint32_t changes = rng_below(rng, 4); len > 0 && changes > 0; changes--)
        input->bytes[rng_below(rng, (uint32_t)len)] = (uint8_t)rng_u32(rng);
    if (len > 0 && chance(rng, 4)) len--;
    input->input =
        (struct game_input){.kind = GAME_ACTION, .seat = seat, .action = slice_of(NULL, len)};
    input->context = play->context;
}

/* Whatever bytes an action has, it is applied, and the state is sound, or it is refused, and
 * nothing has changed. */
static bool check_actions(struct playthrough *play)
{
    struct run run;
    struct outcome outcome = {0};
    run_copy(&run, &play->run);
    for (int i = 0; i < MANGLED && !run_status(&run).finished; i++) {
        struct input input = {0};
        struct buf before = run_encode(&run);
        mangle(play, &run, &input);
        play->game->bound(slice_of(input.bytes, input.input.action.len));
        run_apply(&run, &input, &outcome);
        struct buf after = run_encode(&run);
        const char *sentence = play->game->audit(run.state);
        if (sentence) fault(play->report, "audit, after a mangled action: %s", sentence);
        if (outcome.status != ST_OK && !slice_equal(buf_slice(&before), buf_slice(&after)))
            fault(play->report, "a mangled action that is refused changes the state");
        buf_fini(&before);
        buf_fini(&after);
    }
    run_close(&run);
    game_events_fini(&outcome.events);
    return !play->report->fault[0];
}

bool check_damage(struct playthrough *play)
{
    return check_saves(play) && check_actions(play);
}
