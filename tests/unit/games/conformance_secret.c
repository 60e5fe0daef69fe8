/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-interference. For a viewer, another world is made of the present one that this viewer may
 * not tell from it (permute_hidden). Both must look alike, byte for byte, and be timed alike; the
 * viewer's own refusals and automatic actions must be the same. Then both worlds get the same
 * inputs, for as long as these release the same to the viewer.
 */
#include "unit/games/conformance_run.h"

enum { FOLLOWED = 8 };

struct worlds {
    struct playthrough *play;
    int viewer;
    struct run here, there;
};

static bool alike(struct worlds *worlds)
{
    struct conformance_report *report = worlds->play->report;
    const struct game *game = worlds->play->game;
    for (int host = 0; host <= 1; host++) {
        struct buf a = seen_view(&worlds->here, worlds->viewer, host);
        struct buf b = seen_view(&worlds->there, worlds->viewer, host);
        bool same = slice_equal(buf_slice(&a), buf_slice(&b));
        bool length = a.len == b.len;
        buf_fini(&a);
        buf_fini(&b);
        if (!same)
            return fault(report, "the %s of seat %d's view tells what is hidden",
                         length ? "content" : "length", worlds->viewer);
    }
    struct game_status a = run_status(&worlds->here), b = run_status(&worlds->there);
    if (!same_status(&a, &b))
        return fault(report, "deadlines or who is to act tell seat %d what is hidden",
                     worlds->viewer);
    if (worlds->viewer < 0) return true;
    uint8_t x[GAME_ACTION_BYTES_MAX], y[GAME_ACTION_BYTES_MAX];
    size_t x_len = game->timeout_action(worlds->here.state, worlds->viewer, x);
    size_t y_len = game->timeout_action(worlds->there.state, worlds->viewer, y);
    if (x_len != y_len || memcmp(x, y, x_len) != 0)
        return fault(report, "the automatic action of seat %d rests on what is hidden",
                     worlds->viewer);
    return true;
}

/* True when the input tells the viewer the same in both worlds. */
static bool releases_same(const struct worlds *worlds, const struct input *input)
{
    const struct game *game = worlds->play->game;
    struct game_input copy = input->input;
    struct buf a = {0}, b = {0};
    if (!game->releases) return true;
    copy.action.at = copy.action.len ? input->bytes : NULL;
    game->releases(worlds->here.state, &copy, &input->context, worlds->viewer, &a);
    game->releases(worlds->there.state, &copy, &input->context, worlds->viewer, &b);
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    return same;
}

/* One input to both worlds. False at a fault; *on is false when the worlds part by right. */
static bool follow(struct worlds *worlds, const struct input *input, bool *on)
{
    struct conformance_report *report = worlds->play->report;
    struct outcome a = {0}, b = {0};
    *on = releases_same(worlds, input);
    if (!*on) return true;
    bool own = input->input.kind != GAME_ACTION || input->input.seat == worlds->viewer;
    run_apply(&worlds->here, input, &a);
    run_apply(&worlds->there, input, &b);
    struct buf x = seen_events(&a, worlds->viewer), y = seen_events(&b, worlds->viewer);
    if (own && (a.status != b.status || !same_refusal(&a.refusal, &b.refusal)))
        fault(report, "a refusal tells seat %d what is hidden", worlds->viewer);
    else if (a.status != b.status)
        *on = false; /* another's choice that the other world does not have */
    else if (!slice_equal(buf_slice(&x), buf_slice(&y)))
        fault(report, "an event tells seat %d what is hidden", worlds->viewer);
    buf_fini(&x);
    buf_fini(&y);
    game_events_fini(&a.events);
    game_events_fini(&b.events);
    if (report->fault[0]) return false;
    report->followed++;
    return !*on || alike(worlds);
}

static bool check_viewer(struct playthrough *play, int viewer)
{
    struct worlds worlds = {.play = play, .viewer = viewer};
    struct playthrough ahead = *play;
    bool good = true, on = true;
    run_copy(&worlds.here, &play->run);
    run_copy(&worlds.there, &play->run);
    if (play->game->permute_hidden(worlds.there.state, viewer, &play->rng)) {
        const char *sentence = play->game->audit(worlds.there.state);
        if (sentence)
            good = fault(play->report, "permute_hidden makes an impossible state: %s", sentence);
        play->report->worlds++;
        good = good && alike(&worlds);
        for (int i = 0; good && on && i < FOLLOWED && !run_status(&worlds.here).finished; i++) {
            struct input input;
            input_next(&ahead, &worlds.here, &input);
            good = follow(&worlds, &input, &on);
        }
    }
    run_close(&worlds.here);
    run_close(&worlds.there);
    return good;
}

bool check_secrets(struct playthrough *play)
{
    for (int viewer = GAME_SPECTATOR; viewer < play->seats; viewer++)
        if (!check_viewer(play, viewer)) return false;
    return true;
}
