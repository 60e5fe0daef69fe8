/* SPDX-License-Identifier: Apache-2.0
 *
 * What gateways and timers send. A room that is not here is answered with "moved"; one that is
 * being handed over stays silent until it can say whither: the gateway keeps its clients' actions
 * and sends them again under their ids.
 */
#include "worker/parts.h"

static void say_moved(struct worker_core *core, struct id128 peer, room_id room)
{
    struct envelope envelope = {.kind = ENV_MOVED};
    envelope.u.moved.room = room;
    envelope.u.moved.to_url = "";
    const struct moved_room *moved = drain_moved(core, room);
    if (moved) {
        envelope.u.moved.epoch = moved->epoch;
        envelope.u.moved.to = moved->to;
        envelope.u.moved.to_url = core_lend(core, moved->url);
    }
    core_send(core, peer, &envelope);
}

/* Come in again: this worker has the room but does not know that client. */
static void say_attach_again(struct worker_core *core, struct owned_room *o, struct id128 peer)
{
    const struct envelope envelope = viewers_here(core, o);
    hold_envelope(core, o, room_position(o->room), peer, &envelope);
}

struct owned_room *live_room(struct worker_core *core, struct id128 peer, room_id id)
{
    struct owned_room *o = core_find(core, id);
    if (o == NULL) {
        say_moved(core, peer, id);
        return NULL;
    }
    core_touch(core, o);
    if (o->phase == OWNED_LIVE) return o;
    gateway_add(o, peer);
    return NULL;
}

/* ---- acts ------------------------------------------------------------------------------------ */

static void answer_act(struct worker_core *core, struct owned_room *o, struct id128 peer,
                       const struct env_act *act, const struct room_outcome *out)
{
    struct envelope envelope = {.kind = ENV_ANSWER};
    struct env_answer *answer = &envelope.u.answer;
    *answer = (struct env_answer){.room = o->id,
                                  .client = act->client,
                                  .epoch = o->epoch,
                                  .generation = act->generation,
                                  .counter = act->counter,
                                  .seq = out->seq,
                                  .copy = act->copy};
    answer->ok = out->verdict != ROOM_REFUSED;
    if (!answer->ok) {
        answer->why = out->why;
        count_refusal(core, &out->why);
    }
    hold_envelope(core, o, out->position, peer, &envelope);
}

/* position 0: a refusal that follows from no state. */
static void refuse_act(struct worker_core *core, struct owned_room *o, struct id128 peer,
                       const struct env_act *act, enum reason reason, uint64_t position)
{
    struct room_outcome out = {.verdict = ROOM_REFUSED,
                               .why = {.code = reason},
                               .position = position,
                               .seq = room_seq(o->room)};
    answer_act(core, o, peer, act, &out);
}

/* At once, past the answers that wait. So an action that was accepted, whose answer may be among
 * those, is not busy: it hears nothing but that answer. */
static void refuse_busy(struct worker_core *core, struct owned_room *o, struct id128 peer,
                        const struct env_act *act, int seat)
{
    bool accepted = seat >= 0 && act->counter <= room_counter(o->room, seat);
    if (!accepted || MUTANT(accepted_called_busy)) refuse_act(core, o, peer, act, REASON_BUSY, 0);
}

static bool displaced(const struct owned_room *o, struct id128 peer, uint64_t client)
{
    for (int s = 0; s < room_seat_count(o->room); s++)
        if (o->seats[s].former_client == client && id128_equal(o->seats[s].former_gateway, peer))
            return true;
    return false;
}

static void on_act(struct worker_core *core, struct id128 peer, const struct env_act *act)
{
    struct owned_room *o = live_room(core, peer, act->room);
    if (o == NULL) return;
    struct viewer *viewer = viewer_find(o, peer, act->client);
    if (viewer == NULL) {
        if (displaced(o, peer, act->client))
            refuse_act(core, o, peer, act, REASON_OTHER_WINDOW, room_position(o->room));
        else
            say_attach_again(core, o, peer);
        return;
    }
    if (viewer->seat < 0 && !act->command) {
        refuse_act(core, o, peer, act, REASON_NOT_SEATED, room_position(o->room));
        return;
    }
    if (!owned_admits(core, o, false)) {
        refuse_busy(core, o, peer, act, viewer->seat);
        return;
    }
    if (viewer->seat >= 0 && act->rtt_ms) o->seats[viewer->seat].rtt_ms = act->rtt_ms;

    struct room_input input = {.kind = act->command ? ROOM_COMMAND : ROOM_ACT,
                               .seat = viewer->seat,
                               .generation = act->generation,
                               .counter = act->counter,
                               .made_for = act->made_for,
                               .bytes = act->bytes,
                               .rtt_ms = act->rtt_ms};
    input.player = viewer->player;
    input.window = viewer->window;
    input.line = viewer->line;
    input.name = slice_text(viewer->name);
    struct room_outcome out;
    if (!owned_input(core, o, &input, &out)) {
        refuse_busy(core, o, peer, act, viewer->seat);
        return;
    }
    count_judged(core, o, input.seat, act, &out);
    answer_act(core, o, peer, act, &out);
    viewers_follow(core, o, &out);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void on_resync(struct worker_core *core, struct id128 peer, const struct env_resync *resync)
{
    struct owned_room *o = live_room(core, peer, resync->room);
    if (o == NULL) return;
    struct room_gateway *gateway = gateway_find(o, peer);
    if (gateway == NULL) {
        say_attach_again(core, o, peer);
        return;
    }
    bool had = resync->have.epoch != 0 && resync->have.epoch <= o->epoch;
    uint64_t have = had ? resync->have.seq : UINT64_MAX;
    /* Two requests in one turn get what the older version of both lacks. */
    if (!gateway->wants_whole || have < gateway->have) gateway->have = have;
    gateway->wants_whole = true;
}

static void on_rtt(struct worker_core *core, struct id128 peer, const struct env_rtt *rtt)
{
    struct owned_room *o = core_find(core, rtt->room);
    if (o == NULL || o->phase != OWNED_LIVE) return;
    const struct viewer *viewer = viewer_find(o, peer, rtt->client);
    if (viewer == NULL || viewer->seat < 0) return;
    struct seat_binding *seat = &o->seats[viewer->seat];
    if (seat->rtt_ms == rtt->rtt_ms) return;
    seat->rtt_ms = rtt->rtt_ms;
    if (!room_shows_rtt(o->room)) return;
    o->presence_dirty = true;
    core_touch(core, o);
}

static void on_fire(struct worker_core *core, struct id128 peer, const struct env_deadline *fire)
{
    struct envelope envelope = {.kind = ENV_FIRE_ANSWER};
    struct env_fire_answer *answer = &envelope.u.fire_answer;
    *answer = (struct env_fire_answer){.room = fire->room, .number = fire->number};
    struct owned_room *o = core_find(core, fire->room);
    if (o == NULL || o->phase != OWNED_LIVE) {
        answer->not_owner = o == NULL;
        answer->remaining_ms = o == NULL ? 0 : WORKER_RETRY_MIN_MS;
        core_send(core, peer, &envelope);
        return;
    }
    core_touch(core, o);
    uint64_t number;
    instant_ms due = room_deadline(o->room, &number);
    if (MUTANT(fire_after_turn) && due != INSTANT_NEVER && number != fire->number) {
        owned_set_time(core, o, due); /* it is taken for the present one's */
        number = fire->number;
    }
    instant_ms at = owned_time(core, o);
    bool other = due > at && number != fire->number;
    bool over = other && !append_on_other_fire(core, o);
    if (over || due == INSTANT_NEVER) {
        answer->over = true;
    } else if (due > at) {
        answer->remaining_ms = due - at;
    } else if (owned_admits(core, o, true) && owned_clock(core, o)) {
        answer->over = true;
    } else {
        answer->remaining_ms = WORKER_RETRY_MIN_MS;
    }
    hold_envelope(core, o, room_position(o->room), peer, &envelope);
}

static void on_envelope(struct worker_core *core, struct id128 peer, const struct envelope *e)
{
    switch (e->kind) {
    case ENV_ATTACH: on_attach(core, peer, &e->u.attach); return;
    case ENV_DETACH: on_detach(core, peer, &e->u.client); return;
    case ENV_LEAVE: on_leave(core, peer, &e->u.client); return;
    case ENV_ACT: on_act(core, peer, &e->u.act); return;
    case ENV_RESYNC: on_resync(core, peer, &e->u.resync); return;
    case ENV_RTT: on_rtt(core, peer, &e->u.rtt); return;
    case ENV_FIRE: on_fire(core, peer, &e->u.deadline); return;
    default: core_note(core, "envelope.refused", 0, (uint64_t)e->kind, 0); return;
    }
}

void on_envelopes(struct worker_core *core, const struct event *event)
{
    if (peer_know(core, event->peer, event->peer_url) == NULL) {
        core->refused.peers++;
        core_note(core, "peer.refused", 0, core->peers.count, 0);
        return;
    }
    for (int i = 0; i < event->count; i++) on_envelope(core, event->peer, &event->list[i]);
}
