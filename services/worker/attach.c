/* SPDX-License-Identifier: Apache-2.0
 *
 * Coming and going: who has which seat through which connection, who watches, and what those hear
 * who may not. A connection that comes in is greeted with a whole view.
 */
#include "worker/parts.h"

static void refuse_attach(struct worker_core *core, struct owned_room *o, struct id128 peer,
                          uint64_t client, const struct refusal *why, uint64_t position)
{
    struct envelope envelope = {.kind = ENV_ATTACH_REFUSED};
    envelope.u.attach_refused.room = o->id;
    envelope.u.attach_refused.client = client;
    envelope.u.attach_refused.why = *why;
    count_refusal(core, why);
    hold_envelope(core, o, position, peer, &envelope);
}

static void greet(struct worker_core *core, struct owned_room *o, struct viewer *viewer,
                  const struct env_attach *attach)
{
    viewers_tell_attached(core, o, viewer);
    viewer->wants_whole = true;
    bool had = attach->have.epoch != 0 && attach->have.epoch <= o->epoch;
    viewer->have = had ? attach->have.seq : UINT64_MAX;
}

static void attach_watcher(struct worker_core *core, struct owned_room *o, struct id128 peer,
                           const struct env_attach *attach)
{
    struct refusal why = {.code = REASON_BUSY};
    /* It adds nothing to the log, but a view of everything to what waits. */
    if (o->held_count >= WORKER_HELD_MAX) {
        core->refused.held++;
        refuse_attach(core, o, peer, attach->client, &why, 0);
        return;
    }
    why.code = REASON_KICKED;
    if (!room_may_watch(o->room, attach->player)) {
        refuse_attach(core, o, peer, attach->client, &why, room_position(o->room));
        return;
    }
    struct viewer *viewer = viewer_find(o, peer, attach->client);
    if (viewer == NULL && viewers_watching(o) < WORKER_WATCHERS_MAX)
        viewer = viewer_add(o, peer, attach->client);
    if (viewer == NULL) {
        core->refused.watchers++;
        why = (struct refusal){.code = REASON_ROOM_FULL,
                               .params = {WORKER_WATCHERS_MAX},
                               .param_count = 1};
        refuse_attach(core, o, peer, attach->client, &why, room_position(o->room));
        return;
    }
    viewer->player = attach->player;
    viewer->window = attach->window;
    viewer->line = attach->line;
    memcpy(viewer->name, attach->name, strnlen(attach->name, sizeof viewer->name - 1) + 1);
    viewer->name[sizeof viewer->name - 1] = 0;
    o->presence_dirty = true;
    greet(core, o, viewer, attach);
}

/* The same connection as before, or the only one that claims the generation that is in force. */
static bool generation_stands(struct owned_room *o, struct id128 peer,
                              const struct env_attach *attach)
{
    int seat = room_seat_of(o->room, attach->player);
    if (seat < 0 || attach->generation == 0) return false;
    if (attach->generation != room_generation(o->room, seat)) return false;
    const struct viewer *holder = viewer_of_seat(o, seat);
    return holder == NULL ||
           (holder->client == attach->client && id128_equal(holder->gateway, peer));
}

/* An attach that was sent again before its gateway heard the answer names what was known before the
 * first: the connection that holds the seat has what it holds. */
static struct env_attach as_known(struct owned_room *o, struct id128 peer,
                                  const struct env_attach *attach)
{
    struct env_attach known = *attach;
    int seat = room_seat_of(o->room, attach->player);
    const struct viewer *holder = seat < 0 ? NULL : viewer_of_seat(o, seat);
    if (holder == NULL || holder->client != attach->client || !id128_equal(holder->gateway, peer))
        return known;
    known.generation = room_generation(o->room, seat);
    known.take_over = false;
    return known;
}

/* Its gateway has not noticed that it was left, and asks on for a while. After that, who comes with
 * a lower number has a clock that is behind. */
static bool comes_too_late(const struct worker_core *core, const struct owned_room *o,
                           const struct env_attach *attach)
{
    int seat = room_seat_of(o->room, attach->player);
    if (seat < 0 || attach->window == 0 || MUTANT(left_page_wins)) return false;
    return attach->window < room_window(o->room, seat) &&
           core->now < o->seats[seat].bound_at + WORKER_LATE_MS;
}

static void attach_seat(struct worker_core *core, struct owned_room *o, struct id128 peer,
                        const struct env_attach *attach)
{
    const struct refusal busy = {.code = REASON_BUSY}, late = {.code = REASON_OTHER_WINDOW};
    if (comes_too_late(core, o, attach)) {
        refuse_attach(core, o, peer, attach->client, &late, room_position(o->room));
        return;
    }
    struct room_input input = {.kind = ROOM_ATTACH,
                               .seat = -1,
                               .generation = attach->generation,
                               .generation_stands = generation_stands(o, peer, attach),
                               .player = attach->player,
                               .name = slice_text(attach->name),
                               .take_over = attach->take_over,
                               .window = attach->window,
                               .line = attach->line};
    struct room_outcome out;
    bool place = viewer_find(o, peer, attach->client) || !viewers_full(o);
    if (!place || !owned_admits(core, o, true) || !owned_input(core, o, &input, &out)) {
        refuse_attach(core, o, peer, attach->client, &busy, 0);
        return;
    }
    if (out.verdict == ROOM_REFUSED) {
        if (MUTANT(bad_token_keeps_room)) o->visit_by = INSTANT_NEVER;
        refuse_attach(core, o, peer, attach->client, &out.why, out.position);
        return;
    }
    struct viewer *viewer = viewer_find(o, peer, attach->client);
    if (viewer == NULL) viewer = viewer_add(o, peer, attach->client);
    CHECK(viewer != NULL);
    viewer->player = attach->player;
    viewer->window = attach->window;
    viewer->line = attach->line;
    viewer_bind(core, o, viewer, out.seat);
    if (out.verdict == ROOM_ACCEPTED) o->seats[out.seat].bound_at = core->now;
    o->seats[out.seat].rtt_ms = attach->rtt_ms;
    viewers_follow(core, o, &out);
    viewer = viewer_find(o, peer, attach->client);
    if (viewer) greet(core, o, viewer, attach);
}

void on_attach(struct worker_core *core, struct id128 peer, const struct env_attach *attach)
{
    struct owned_room *o = live_room(core, peer, attach->room);
    if (o == NULL) return;
    if (backlog_full(core)) {
        const struct refusal busy = {.code = REASON_BUSY};
        core->refused.backlog++;
        refuse_attach(core, o, peer, attach->client, &busy, 0);
        return;
    }
    const struct env_attach known = as_known(o, peer, attach);
    bool seated = room_seat_of(o->room, attach->player) >= 0;
    if (attach->intent == ATTACH_WATCH && !seated)
        attach_watcher(core, o, peer, attach);
    else
        attach_seat(core, o, peer, &known);
}

/* One seat, one holder: a detach counts for the connection that holds the seat. */
void on_detach(struct worker_core *core, struct id128 peer, const struct env_client *gone)
{
    struct owned_room *o = core_find(core, gone->room);
    if (o == NULL || o->phase != OWNED_LIVE) return;
    core_touch(core, o);
    struct viewer *viewer = viewer_find(o, peer, gone->client);
    if (viewer == NULL) return;
    int seat = viewer->seat;
    viewer_remove(o, viewer);
    o->presence_dirty = true;
    if (seat < 0) return;
    /* Now, or, when too much is unconfirmed, as soon as it can be logged. */
    o->seats[seat].detach_at = core->now;
    viewers_detach_lost(core, o);
}

void on_leave(struct worker_core *core, struct id128 peer, const struct env_client *gone)
{
    struct owned_room *o = live_room(core, peer, gone->room);
    if (o == NULL) return;
    struct viewer *viewer = viewer_find(o, peer, gone->client);
    struct envelope envelope = {.kind = ENV_DROPPED};
    envelope.u.dropped = (struct env_dropped){
        .room = o->id, .client = gone->client, .epoch = o->epoch, .why = DROPPED_LEFT};
    if (viewer == NULL || viewer->seat < 0) {
        if (viewer) viewer_remove(o, viewer);
        o->presence_dirty = true;
        hold_envelope(core, o, 0, peer, &envelope);
        return;
    }
    int seat = viewer->seat;
    struct room_input input = {.kind = ROOM_LEAVE,
                               .seat = seat,
                               .generation = room_generation(o->room, seat)};
    struct room_outcome out;
    if (!owned_admits(core, o, true) || !owned_input(core, o, &input, &out)) {
        on_detach(core, peer, gone);
        return;
    }
    viewer = viewer_find(o, peer, gone->client);
    if (viewer) viewer_remove(o, viewer);
    hold_envelope(core, o, out.position, peer, &envelope);
    viewers_follow(core, o, &out);
}
