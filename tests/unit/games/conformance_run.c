/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/conformance_run.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool fault(struct conformance_report *report, const char *format, ...)
{
    if (report->fault[0]) return false;
    va_list list;
    va_start(list, format);
    vsnprintf(report->fault, sizeof report->fault, format, list);
    va_end(list);
    return false;
}

void run_open(struct run *run, const struct game *game, int seats, int fill)
{
    size_t size = (game->state_size + 15) & ~(size_t)15;
    *run = (struct run){game, seats, aligned_alloc(16, size)};
    CHECK(run->state != NULL);
    memset(run->state, fill, size);
}

void run_copy(struct run *to, const struct run *from)
{
    run_open(to, from->game, from->seats, 0x5a);
    memcpy(to->state, from->state, from->game->state_size);
}

void run_close(struct run *run)
{
    free(run->state);
    run->state = NULL;
}

struct buf run_encode(const struct run *run)
{
    struct buf bytes = {0};
    run->game->encode(run->state, &bytes);
    return bytes;
}

struct game_status run_status(const struct run *run)
{
    struct game_status status;
    memset(&status, 0xa5, sizeof status);
    run->game->status(run->state, &status);
    return status;
}

void run_apply(struct run *run, const struct input *input, struct outcome *out)
{
    struct game_input copy = input->input;
    copy.action.at = copy.action.len ? input->bytes : NULL;
    memset(&out->refusal, 0, sizeof out->refusal);
    game_events_clear(&out->events);
    out->status = run->game->apply(run->state, &copy, &input->context, &out->events, &out->refusal);
    game_events_seal(&out->events);
}

/* ---- random inputs -------------------------------------------------------------------------- */

static void flip_flags(struct playthrough *play)
{
    seat_mask bit = (seat_mask)(1u << rng_below(&play->rng, (uint32_t)play->seats));
    if (chance(&play->rng, 2))
        play->context.hurried ^= bit;
    else
        play->context.left ^= bit;
}

static void presence(struct playthrough *play, struct input *out)
{
    int seat = (int)rng_below(&play->rng, (uint32_t)play->seats);
    play->context.connected ^= (seat_mask)(1u << seat);
    out->input.kind = GAME_PRESENCE;
    out->input.seat = seat;
    out->input.connected = play->context.connected >> seat & 1;
}

static bool action(struct playthrough *play, const struct run *run, struct input *out)
{
    uint32_t dice = rng_below(&play->rng, 100);
    int kind = dice < 80 ? 0 : dice < 95 ? 1 : 2;
    int seat = (int)rng_below(&play->rng, (uint32_t)play->seats);
    seat_mask to_act = run_status(run).to_act;
    while (kind == 0 && to_act != 0 && !(to_act >> seat & 1)) seat = (seat + 1) % play->seats;
    size_t len = play->game->random_action(run->state, seat, kind, &play->rng, out->bytes);
    if (len == 0) return false;
    out->legal = kind == 0;
    out->input.kind = GAME_ACTION;
    out->input.seat = seat;
    out->input.rtt_ms = rng_below(&play->rng, 400);
    out->input.action = slice_of(NULL, len);
    return true;
}

/* Room time moves on, mostly a little, sometimes to just before, at or after the deadline. */
static instant_ms later(struct playthrough *play, instant_ms deadline)
{
    instant_ms now = play->context.now;
    if (chance(&play->rng, 10) && deadline > now && deadline != INSTANT_NEVER)
        return deadline - 1 + rng_below(&play->rng, 3);
    return now + rng_below(&play->rng, 2000);
}

/* Before an input at or after the deadline comes the clock at the deadline, as in a room. */
void input_next(struct playthrough *play, const struct run *run, struct input *out)
{
    instant_ms deadline = run_status(run).deadline;
    instant_ms now = later(play, deadline);
    memset(out, 0, sizeof *out);
    if (chance(&play->rng, 30)) flip_flags(play);
    if (now >= deadline) {
        input_clock(play, run, out);
        play->context.now = out->context.now;
        return;
    }
    play->context.now = now;
    if (chance(&play->rng, 12))
        presence(play, out);
    else if (chance(&play->rng, 40) || !action(play, run, out))
        out->input = (struct game_input){.kind = GAME_CLOCK, .seat = -1};
    out->context = play->context;
}

void input_clock(const struct playthrough *play, const struct run *run, struct input *out)
{
    instant_ms deadline = run_status(run).deadline;
    memset(out, 0, sizeof *out);
    out->context = play->context;
    if (deadline > out->context.now) out->context.now = deadline;
    out->input = (struct game_input){.kind = GAME_CLOCK, .seat = -1};
}

/* ---- what a viewer gets --------------------------------------------------------------------- */

struct buf seen_view(const struct run *run, int viewer, bool host)
{
    struct buf all = {0}, mine = {0};
    run->game->view(run->state, &(struct game_viewer){viewer, host}, &all, &mine);
    buf_put_u32(&all, (uint32_t)all.len);
    buf_put_slice(&all, buf_slice(&mine));
    buf_fini(&mine);
    return all;
}

struct buf seen_events(const struct outcome *outcome, int viewer)
{
    struct buf all = {0};
    for (int i = 0; i < outcome->events.count; i++) {
        const struct game_event *event = &outcome->events.list[i];
        buf_put_sized(&all, event->shared);
        if (viewer >= 0 && event->seat == viewer) buf_put_sized(&all, event->mine);
    }
    return all;
}

bool same_refusal(const struct game_refusal *a, const struct game_refusal *b)
{
    if (a->code != b->code || a->param_count != b->param_count) return false;
    for (int i = 0; i < a->param_count; i++)
        if (a->params[i] != b->params[i]) return false;
    return true;
}

bool same_status(const struct game_status *a, const struct game_status *b)
{
    return a->finished == b->finished && a->to_act == b->to_act && a->deadline == b->deadline &&
           a->turn == b->turn && a->turn_seat == b->turn_seat;
}
