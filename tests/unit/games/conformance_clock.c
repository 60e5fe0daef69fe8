/* SPDX-License-Identifier: Apache-2.0
 *
 * Time: every phase ends by the clock alone, in a bounded number of deadlines; a fire before the
 * deadline does nothing; and the automatic action of each seat is what the clock does.
 */
#include "unit/games/conformance_run.h"

enum { FIRES_MAX = 400 };

static bool ends_by_clock(struct playthrough *play)
{
    struct run run;
    struct outcome outcome = {0};
    struct playthrough absent = *play;
    struct conformance_report *report = play->report;
    absent.context.connected = 0;
    run_copy(&run, &play->run);
    int fires = 0;
    for (; fires < FIRES_MAX && !run_status(&run).finished && !report->fault[0]; fires++) {
        struct input input;
        instant_ms was = run_status(&run).deadline;
        if (was == INSTANT_NEVER) {
            fault(report, "the game goes on without a deadline");
            break;
        }
        input_clock(&absent, &run, &input);
        run_apply(&run, &input, &outcome);
        absent.context.now = input.context.now;
        struct game_status status = run_status(&run);
        if (!status.finished && status.deadline <= was)
            fault(report, "the clock does not move the game on");
        const char *sentence = play->game->audit(run.state);
        if (sentence) fault(report, "audit, after the clock: %s", sentence);
    }
    if (fires == FIRES_MAX)
        fault(report, "a game of absent players does not end in %d deadlines", fires);
    run_close(&run);
    game_events_fini(&outcome.events);
    return !report->fault[0];
}

static bool early_fires_do_nothing(struct playthrough *play)
{
    struct run run;
    struct outcome outcome = {0};
    struct input input;
    input_clock(play, &play->run, &input);
    if (input.context.now <= play->context.now) return true;
    input.context.now = chance(&play->rng, 2) ? input.context.now - 1 : play->context.now;
    run_copy(&run, &play->run);
    run_apply(&run, &input, &outcome);
    struct buf before = run_encode(&play->run), after = run_encode(&run);
    bool still = slice_equal(buf_slice(&before), buf_slice(&after)) && outcome.events.count == 0;
    buf_fini(&before);
    buf_fini(&after);
    run_close(&run);
    game_events_fini(&outcome.events);
    return still || fault(play->report, "a clock before the deadline changes something");
}

/* The automatic action of one seat, as an input at the deadline. False when there is none. */
static bool timeout_input(struct playthrough *play, const struct run *run, int seat,
                          struct input *out)
{
    uint8_t again[GAME_ACTION_BYTES_MAX];
    input_clock(play, &play->run, out);
    memset(out->bytes, 0x11, sizeof out->bytes);
    memset(again, 0xee, sizeof again);
    size_t len = play->game->timeout_action(run->state, seat, out->bytes);
    size_t len_again = play->game->timeout_action(run->state, seat, again);
    out->input =
        (struct game_input){.kind = GAME_ACTION, .seat = seat, .action = slice_of(NULL, len)};
    if (len == 0 || len > GAME_ACTION_BYTES_MAX)
        return fault(play->report, "seat %d has no automatic action", seat);
    if (len != len_again || memcmp(out->bytes, again, len) != 0)
        return fault(play->report, "the automatic action of seat %d differs from itself", seat);
    return true;
}

/* Plays the automatic actions of everybody who is to act, one by one, and compares with the
 * clock: who acts next, until when, and whether the game is over. (Events and statistics may tell
 * the two apart: automatic moves are marked.) */
static bool timeouts_are_what_the_clock_does(struct playthrough *play)
{
    struct run by_hand, by_clock;
    struct outcome outcome = {0};
    struct input input;
    seat_mask to_act = run_status(&play->run).to_act;
    run_copy(&by_hand, &play->run);
    run_copy(&by_clock, &play->run);
    for (int seat = 0; seat < play->seats; seat++) {
        if (!(to_act >> seat & 1)) continue;
        if (!timeout_input(play, &by_hand, seat, &input)) break;
        run_apply(&by_hand, &input, &outcome);
        if (outcome.status != ST_OK)
            fault(play->report, "the automatic action of seat %d is refused", seat);
    }
    input_clock(play, &play->run, &input);
    run_apply(&by_clock, &input, &outcome);
    struct game_status a = run_status(&by_hand), b = run_status(&by_clock);
    if (to_act && !same_status(&a, &b))
        fault(play->report, "the clock does something else than the automatic action");
    run_close(&by_hand);
    run_close(&by_clock);
    game_events_fini(&outcome.events);
    return !play->report->fault[0];
}

bool check_clock(struct playthrough *play)
{
    return early_fires_do_nothing(play) && timeouts_are_what_the_clock_does(play) &&
           ends_by_clock(play);
}
