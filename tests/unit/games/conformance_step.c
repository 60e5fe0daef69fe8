/* SPDX-License-Identifier: Apache-2.0
 *
 * At each step: two runs stay equal, a refusal changes nothing, the state is sound and is saved
 * and loaded whole.
 */
#include "unit/games/conformance_run.h"

static bool same_encoding(const struct run *a, const struct run *b)
{
    struct buf x = run_encode(a), y = run_encode(b);
    bool same = slice_equal(buf_slice(&x), buf_slice(&y));
    buf_fini(&x);
    buf_fini(&y);
    return same;
}

static bool check_status(struct playthrough *play, const struct run *run)
{
    struct conformance_report *report = play->report;
    struct game_status status = run_status(run);
    if (status.to_act >> play->seats) return fault(report, "a seat is to act that is not there");
    if (status.finished && status.to_act)
        return fault(report, "a finished game waits for somebody");
    if (!status.finished && status.deadline == INSTANT_NEVER)
        return fault(report, "the game goes on without a deadline");
    if (!status.finished && status.deadline <= play->context.now)
        return fault(report, "the next deadline is not later than now");
    if (status.turn_seat >= play->seats)
        return fault(report, "the turn of a seat that is not there");
    if (status.turn_seat >= 0 && status.turn == 0)
        return fault(report, "a turn of somebody, but no turn");
    return true;
}

static bool check_sound(struct playthrough *play, const struct run *run)
{
    const char *sentence = play->game->audit(run->state);
    if (sentence) return fault(play->report, "audit: %s", sentence);
    return check_status(play, run);
}

/* Saves the run and goes on with what was loaded, in other memory. */
static bool check_codec(struct playthrough *play, struct run *run)
{
    struct buf bytes = run_encode(run), again;
    struct run loaded;
    run_open(&loaded, play->game, play->seats, 0x3c);
    enum status status = play->game->decode(loaded.state, buf_slice(&bytes));
    again = run_encode(status == ST_OK ? &loaded : run);
    bool same = slice_equal(buf_slice(&bytes), buf_slice(&again));
    bool small = bytes.len <= GAME_ENCODED_BYTES_MAX;
    buf_fini(&bytes);
    buf_fini(&again);
    run_close(run);
    *run = loaded;
    if (status != ST_OK) return fault(play->report, "a state that was saved cannot be loaded");
    if (!same) return fault(play->report, "a loaded state is saved as other bytes");
    if (!small) return fault(play->report, "a saved state is too large");
    return true;
}

/* Each part is the same when the other one is not wanted. */
static bool parts_alone(const struct run *run, int viewer, bool host)
{
    const struct game_viewer who = {viewer, host};
    struct buf shared = {0}, mine = {0}, shared_alone = {0}, mine_alone = {0};
    run->game->view(run->state, &who, &shared, &mine);
    run->game->view(run->state, &who, &shared_alone, NULL);
    run->game->view(run->state, &who, NULL, &mine_alone);
    bool same = slice_equal(buf_slice(&shared), buf_slice(&shared_alone)) &&
                slice_equal(buf_slice(&mine), buf_slice(&mine_alone));
    buf_fini(&shared);
    buf_fini(&mine);
    buf_fini(&shared_alone);
    buf_fini(&mine_alone);
    return same;
}

static bool check_views(struct playthrough *play)
{
    int viewer = (int)rng_below(&play->rng, (uint32_t)play->seats + 1) - 1;
    bool host = chance(&play->rng, 2);
    struct buf a = seen_view(&play->run, viewer, host), b = seen_view(&play->twin, viewer, host);
    struct buf shared = {0}, mine = {0};
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    play->game->view(play->run.state, &(struct game_viewer){GAME_SPECTATOR, host}, &shared, &mine);
    bool own = mine.len > 0, small = a.len <= GAME_VIEW_BYTES_MAX;
    bool parts = parts_alone(&play->run, viewer, host);
    buf_fini(&a);
    buf_fini(&b);
    buf_fini(&shared);
    buf_fini(&mine);
    if (!same) return fault(play->report, "two equal runs look different to seat %d", viewer);
    if (own) return fault(play->report, "a spectator has a part of the view alone");
    if (!small) return fault(play->report, "a view is too large");
    return parts || fault(play->report, "a part of the view differs when it alone is wanted");
}

static bool check_refused(struct playthrough *play, const struct input *input,
                          const struct outcome *outcome, const struct run *before)
{
    struct conformance_report *report = play->report;
    report->refused++;
    if (input->input.kind != GAME_ACTION) return fault(report, "a clock or a presence was refused");
    if (outcome->status != ST_REFUSED && outcome->status != ST_INVALID)
        return fault(report, "an action ends in status %d", outcome->status);
    if (outcome->events.count) return fault(report, "a refusal tells events");
    if (outcome->refusal.code == 0) return fault(report, "a refusal without a reason");
    if (outcome->refusal.param_count < 0 || outcome->refusal.param_count > GAME_REFUSAL_PARAMS_MAX)
        return fault(report, "a refusal has %d parameters", outcome->refusal.param_count);
    if (!same_encoding(before, &play->run)) return fault(report, "a refusal changes the state");
    return true;
}

static bool same_outcome(struct playthrough *play, const struct outcome *a, const struct outcome *b)
{
    bool same = a->status == b->status && same_refusal(&a->refusal, &b->refusal);
    for (int viewer = GAME_SPECTATOR; same && viewer < play->seats; viewer++) {
        struct buf x = seen_events(a, viewer), y = seen_events(b, viewer);
        same = slice_equal(buf_slice(&x), buf_slice(&y));
        buf_fini(&x);
        buf_fini(&y);
    }
    return same || fault(play->report, "the same input ends differently in an equal run");
}

/* Nobody may notice a hidden input: no events, no end, and every view stays as it was. */
static bool check_hidden(struct playthrough *play, const struct outcome *outcome,
                         const struct run *before)
{
    if (!outcome->events.hidden) return true;
    play->report->hidden++;
    if (outcome->events.count) return fault(play->report, "a hidden input tells events");
    if (run_status(&play->run).finished) return fault(play->report, "a hidden input ends the game");
    for (int viewer = GAME_SPECTATOR; viewer < play->seats; viewer++)
        for (int host = 0; host <= 1; host++) {
            struct buf was = seen_view(before, viewer, host);
            struct buf is = seen_view(&play->run, viewer, host);
            bool same = slice_equal(buf_slice(&was), buf_slice(&is));
            buf_fini(&was);
            buf_fini(&is);
            if (!same) return fault(play->report, "seat %d notices a hidden input", viewer);
        }
    return true;
}

static bool check_applied(struct playthrough *play, const struct input *input,
                          const struct outcome *outcome, const struct run *before)
{
    struct game_status was = run_status(before), is = run_status(&play->run);
    if (input->input.kind == GAME_ACTION && input->legal) {
        play->report->legal++;
        play->report->legal_accepted += outcome->status == ST_OK;
    }
    if (outcome->status != ST_OK) return check_refused(play, input, outcome, before);
    if (is.turn < was.turn && !is.finished)
        return fault(play->report, "turns are counted backwards");
    if (input->input.kind == GAME_CLOCK && input->context.now < was.deadline &&
        (outcome->events.count || !same_encoding(before, &play->run)))
        return fault(play->report, "a clock before the deadline changes something");
    return check_hidden(play, outcome, before);
}

bool check_start(struct playthrough *play)
{
    if (!same_encoding(&play->run, &play->twin))
        return fault(play->report, "the same set-up gives another state in other memory");
    return check_sound(play, &play->run) && check_codec(play, &play->twin) && check_views(play);
}

bool check_step(struct playthrough *play, const struct input *input)
{
    struct outcome outcome = {0}, other = {0};
    struct run before;
    run_copy(&before, &play->run);
    run_apply(&play->run, input, &outcome);
    run_apply(&play->twin, input, &other);
    bool good =
        check_applied(play, input, &outcome, &before) && same_outcome(play, &outcome, &other);
    if (good && !same_encoding(&play->run, &play->twin))
        good = fault(play->report, "the same input gives another state in an equal run");
    good = good && check_sound(play, &play->run) && check_views(play);
    if (good && chance(&play->rng, 4)) good = check_codec(play, &play->twin);
    run_close(&before);
    game_events_fini(&outcome.events);
    game_events_fini(&other.events);
    return good;
}

static bool check_result(struct playthrough *play)
{
    struct game_result result;
    int first = 0, ranked = 0;
    memset(&result, 0xa5, sizeof result);
    play->game->result(play->run.state, &result);
    for (int seat = 0; seat < play->seats; seat++) {
        const struct game_standing *standing = &result.seat[seat];
        if (standing->rank < 0 || standing->rank > play->seats)
            return fault(play->report, "rank %d", standing->rank);
        if (standing->winner && standing->rank != 1)
            return fault(play->report, "a winner of rank %d", standing->rank);
        first += standing->rank == 1;
        ranked += standing->rank > 0;
    }
    if (ranked > 0 && first == 0) return fault(play->report, "ranks without a first");
    if (result.next_starter < -1 || result.next_starter >= play->seats)
        return fault(play->report, "the next starter is nobody");
    return true;
}

/* Nothing moves a finished game. */
bool check_end(struct playthrough *play)
{
    if (!run_status(&play->run).finished) return true;
    play->report->finished++;
    for (int i = 0; i < 8; i++) {
        struct input input;
        struct run before;
        struct outcome outcome = {0};
        input_next(play, &play->run, &input);
        run_copy(&before, &play->run);
        run_apply(&play->run, &input, &outcome);
        bool still = same_encoding(&before, &play->run) && outcome.events.count == 0;
        run_close(&before);
        game_events_fini(&outcome.events);
        if (!still) return fault(play->report, "an input moves a finished game");
    }
    return check_result(play);
}
