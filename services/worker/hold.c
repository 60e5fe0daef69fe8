/* SPDX-License-Identifier: Apache-2.0
 *
 * Output commit (rule 1). Every output of a room stands in one queue, in the order in which it was
 * computed, with the position of the state that it follows from. It leaves when Redis has confirmed
 * that position: at once when nothing is pending, after the append's answer otherwise. What no
 * append vouches for needs a fresh lease besides (rule 7).
 */
#include "worker/parts.h"

#include <stdlib.h>

/* ---- the queue ------------------------------------------------------------------------------- */

/* frame: taken; NULL for an envelope. */
static struct output *push(struct worker_core *core, struct owned_room *o, enum output_kind kind,
                           uint64_t position, struct frame *frame)
{
    struct output *output = calloc(1, sizeof *output);
    CHECK(output != NULL);
    output->kind = kind;
    output->position = position;
    output->frame = frame;
    output->cost = sizeof *output + (frame ? frame_cost(frame) : 0);
    output->appended = position > o->confirmed;
    *o->held_end = output;
    o->held_end = &output->next;
    o->held_count++;
    o->held_bytes += output->cost;
    if (kind == OUTPUT_FRAME) o->frame_count++;
    backlog_count(core,
                  o); /* not at the end of the step: one batch may hold thousands of actions */
    core_touch(core, o);
    return output;
}

static void unlink_output(struct owned_room *o, struct output **link)
{
    struct output *output = *link;
    *link = output->next;
    if (output->next == NULL) o->held_end = link;
    o->held_count--;
    o->held_bytes -= output->cost;
    if (output->kind == OUTPUT_FRAME) o->frame_count--;
    if (output->kind == OUTPUT_WHOLE) {
        struct room_gateway *gateway = gateway_find(o, output->gateway);
        if (gateway && gateway->wholes_held > 0) gateway->wholes_held--;
    }
    output->next = NULL;
}

static void free_output(struct output *output)
{
    frame_free(output->frame);
    free(output);
}

static void discard(struct owned_room *o, bool views_alone)
{
    struct output **link = &o->held;
    while (*link) {
        struct output *output = *link;
        if (views_alone && output->kind == OUTPUT_ENVELOPE) {
            link = &output->next;
            continue;
        }
        unlink_output(o, link);
        free_output(output);
    }
}

void hold_discard(struct owned_room *o)
{
    discard(o, false);
}

/* Whoever was to see them sees the whole view next. */
void hold_discard_views(struct owned_room *o)
{
    discard(o, true);
    for (int i = 0; i < o->gateway_count; i++) {
        o->gateways[i].based = false;
        if (o->gateways[i].wants_whole) continue;
        o->gateways[i].wants_whole = true;
        o->gateways[i].have = UINT64_MAX;
    }
}

/* ---- holding --------------------------------------------------------------------------------- */

/* A refusal's domain is a game's id, or nothing. */
static void own_strings(const struct owned_room *o, struct envelope *envelope)
{
    struct refusal *why = NULL;
    if (envelope->kind == ENV_ANSWER) why = &envelope->u.answer.why;
    if (envelope->kind == ENV_ATTACH_REFUSED) why = &envelope->u.attach_refused.why;
    if (why) why->domain = why->domain && why->domain[0] ? o->record.game->id : "";
}

/* Planted faults: what is let out without waiting for its position. */
static bool lets_out(const struct envelope *envelope)
{
    if (envelope->kind == ENV_ATTACH_REFUSED) return MUTANT(turned_away_before_append);
    if (envelope->kind != ENV_ANSWER) return false;
    if (envelope->u.answer.ok) return MUTANT(ack_before_append);
    return MUTANT(refusal_before_append);
}

void hold_envelope(struct worker_core *core, struct owned_room *o, uint64_t position,
                   struct id128 gateway, const struct envelope *envelope)
{
    struct envelope copy = *envelope;
    own_strings(o, &copy);
    if ((position == 0 && room_position(o->room) > 0) || lets_out(envelope)) {
        core_send(core, gateway, &copy);
        return;
    }
    /* What was applied has had its place (owned_has_room). Beyond are answers to repeated
     * questions, which will be asked again. */
    if (o->held_count >= WORKER_HELD_MAX + WORKER_HELD_SPARE) {
        core->refused.held++;
        return;
    }
    struct output *output = push(core, o, OUTPUT_ENVELOPE, position, NULL);
    output->gateway = gateway;
    output->envelope = copy;
}

static void hold_frame(struct worker_core *core, struct owned_room *o, struct frame *frame)
{
    uint64_t position = room_position(o->room);
    if (o->frame_count >= WORKER_FRAMES_MAX) {
        struct output **link = &o->held, **last = NULL;
        for (; *link; link = &(*link)->next)
            if ((*link)->kind == OUTPUT_FRAME) last = link;
        CHECK(last != NULL);
        struct output *former = *last;
        unlink_output(o, last);
        frame_merge(former->frame, frame);
        frame_free(frame);
        frame = former->frame;
        former->frame = NULL;
        free_output(former);
    }
    push(core, o, OUTPUT_FRAME, position, frame);
}

/* A whole view that still waits is superseded by the next one for the same eyes. */
void hold_discard_whole(struct owned_room *o, struct id128 instance, uint64_t client)
{
    for (struct output **link = &o->held; *link; link = &(*link)->next) {
        struct output *output = *link;
        if (output->kind != OUTPUT_WHOLE || output->client != client) continue;
        if (!id128_equal(output->gateway, instance)) continue;
        unlink_output(o, link);
        free_output(output);
        return;
    }
}

static void hold_whole(struct worker_core *core, struct owned_room *o, struct id128 instance,
                       uint64_t client, uint64_t have)
{
    hold_discard_whole(o, instance, client);
    struct frame *frame = frame_whole(o, instance, have);
    struct output *output = push(core, o, OUTPUT_WHOLE, room_position(o->room), frame);
    output->gateway = instance;
    output->client = client;
    struct room_gateway *gateway = gateway_find(o, instance);
    if (gateway) gateway->wholes_held++;
}

/* Several newcomers of a gateway, or one where others lack the base: one view for all of them, with
 * the events that any of them lacks. */
static void join_wishes(struct owned_room *o, struct room_gateway *gateway)
{
    int wishes = 0, viewers = 0;
    uint64_t have = UINT64_MAX;
    for (int i = 0; i < o->viewer_count; i++) {
        const struct viewer *viewer = &o->viewers[i];
        if (!id128_equal(viewer->gateway, gateway->instance)) continue;
        viewers++;
        wishes += viewer->wants_whole;
        if (viewer->wants_whole && viewer->have < have) have = viewer->have;
    }
    bool alone = gateway->based || viewers == 1;
    if (wishes == 0 || (wishes == 1 && alone && !gateway->wants_whole)) return;
    if (!gateway->wants_whole || have < gateway->have) gateway->have = have;
    gateway->wants_whole = true;
    for (int i = 0; i < o->viewer_count; i++)
        if (id128_equal(o->viewers[i].gateway, gateway->instance))
            o->viewers[i].wants_whole = false;
}

void hold_views(struct worker_core *core, struct owned_room *o)
{
    struct frame *frame = frame_of_changes(core, o);
    if (frame) hold_frame(core, o, frame);
    for (int i = 0; i < o->gateway_count; i++) {
        struct room_gateway *gateway = &o->gateways[i];
        join_wishes(o, gateway);
        if (!gateway->wants_whole) continue;
        gateway->wants_whole = false;
        hold_whole(core, o, gateway->instance, 0, gateway->have);
    }
    for (int i = 0; i < o->viewer_count; i++) {
        struct viewer *viewer = &o->viewers[i];
        if (!viewer->wants_whole) continue;
        viewer->wants_whole = false;
        hold_whole(core, o, viewer->gateway, viewer->client, viewer->have);
    }
}

/* ---- letting out ----------------------------------------------------------------------------- */

static void send_update(struct worker_core *core, struct owned_room *o, const struct frame *frame,
                        const uint8_t *lent, struct id128 gateway, uint64_t client, uint64_t base)
{
    struct envelope envelope = {.kind = ENV_UPDATE};
    struct env_update *update = &envelope.u.update;
    frame_update_for(core, o, frame, lent, gateway, client, base, update);
    if (base != 0 && base == frame->seq && update->sections == 0 && update->event_count == 0)
        return;
    core_send(core, gateway, &envelope);
}

static const uint8_t *lend(struct worker_core *core, const struct frame *frame)
{
    return arena_copy(&core->out->arena, buf_slice(&frame->bytes)).at;
}

/* To every gateway that has the base. True when one has none and nothing is on its way to it. */
static bool send_frame(struct worker_core *core, struct owned_room *o, struct frame *frame)
{
    if (frame == NULL) return false;
    bool wanted = false;
    const uint8_t *lent = lend(core, frame);
    for (int i = 0; i < o->gateway_count; i++) {
        struct room_gateway *gateway = &o->gateways[i];
        if (gateway->based && gateway->base != 0) {
            send_update(core, o, frame, lent, gateway->instance, 0, gateway->base);
            gateway->base = frame->seq;
        } else if (gateway->wholes_held == 0) {
            gateway->wants_whole = wanted = true;
            gateway->have = UINT64_MAX;
        }
    }
    frame_free(frame);
    return wanted;
}

static void send_whole(struct worker_core *core, struct owned_room *o, const struct output *output)
{
    const struct frame *frame = output->frame;
    send_update(core, o, frame, lend(core, frame), output->gateway, output->client, 0);
    struct room_gateway *gateway = gateway_find(o, output->gateway);
    if (gateway == NULL || (output->client != 0 && gateway->based)) return;
    gateway->based = true;
    gateway->base = frame->seq;
}

static void send_envelope(struct worker_core *core, struct owned_room *o, struct output *output)
{
    struct envelope *envelope = &output->envelope;
    switch (envelope->kind) {
    case ENV_ATTACHED:
        envelope->u.attached.epoch = o->epoch;
        envelope->u.attached.code = core_lend(core, o->record.code);
        break;
    case ENV_ANSWER: envelope->u.answer.epoch = o->epoch; break;
    case ENV_DROPPED: envelope->u.dropped.epoch = o->epoch; break;
    case ENV_MOVED: envelope->u.moved.epoch = o->epoch; break;
    default: break;
    }
    core_send(core, output->gateway, envelope);
}

bool hold_release(struct worker_core *core, struct owned_room *o)
{
    if (o->checking || o->held == NULL) return false;
    bool fresh = lease_fresh(core, o->id), wanted = false;
    struct frame *folded = NULL;
    uint64_t confirmed = MUTANT(view_before_append) ? room_position(o->room) : o->confirmed;
    while (o->held && o->held->position <= confirmed && (o->held->appended || fresh)) {
        struct output *output = o->held;
        if (output->kind == OUTPUT_WHOLE) {
            wanted |= send_frame(core, o, folded);
            folded = NULL;
        }
        unlink_output(o, &o->held);
        if (output->kind == OUTPUT_FRAME && folded) {
            frame_merge(folded, output->frame);
        } else if (output->kind == OUTPUT_FRAME) {
            folded = output->frame;
            output->frame = NULL;
        } else if (output->kind == OUTPUT_WHOLE) {
            send_whole(core, o, output);
        } else {
            send_envelope(core, o, output);
        }
        free_output(output);
    }
    /* An append vouches at the moment of its answer. What stood behind others then needs the lease
     * like them, also when they are superseded and it is the first. */
    for (struct output *left = o->held; left && left->position <= confirmed; left = left->next)
        left->appended = false;
    return send_frame(core, o, folded) || wanted;
}

/* ---- what follows from no action ------------------------------------------------------------- */

void hold_tell_moved(struct worker_core *core, struct owned_room *o, struct id128 to,
                     const char *url, uint64_t epoch, bool gone)
{
    struct envelope envelope = {.kind = ENV_MOVED};
    envelope.u.moved = (struct env_moved){.room = o->id,
                                          .epoch = epoch,
                                          .to = to,
                                          .gone = gone,
                                          .to_url = core_lend(core, url ? url : "")};
    for (int i = 0; i < o->gateway_count; i++) core_send(core, o->gateways[i].instance, &envelope);
}

void hold_tell_paused(struct worker_core *core, struct owned_room *o, bool paused)
{
    struct envelope envelope = {.kind = ENV_PAUSED};
    envelope.u.paused = (struct env_paused){.room = o->id, .epoch = o->epoch, .paused = paused};
    for (int i = 0; i < o->gateway_count; i++) core_send(core, o->gateways[i].instance, &envelope);
}
