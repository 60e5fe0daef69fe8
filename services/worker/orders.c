/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operator orders, and who is one. An order that changes a room is an input like any other:
 * it stands in the log, and its answer leaves when Redis has confirmed it (rule 1). The last orders
 * are kept by their ids, so one that comes again (nng resends) is answered and not carried out
 * twice (rule 14).
 */
#include "worker/parts.h"

/* ---- who may --------------------------------------------------------------------------------- */

/* To look at a room as a spectator sees it takes no more than to know its code. */
static bool is_open(const struct request *request)
{
    return request->kind == REQ_WORKER_ROOM && !request->order.reveal;
}

static enum order_fault prove(struct worker_core *core, const struct request *request)
{
    const struct order *order = &request->order;
    if (!id128_equal(order->to, core->config.instance)) return ORDER_NOT_ME;
    if (is_open(request)) return ORDER_FINE;
    if (!core->config.operator_key.there) return ORDER_KEYLESS;
    if (!order_proves(&core->config.operator_key, request)) return ORDER_WRONG_KEY;
    bool again = order->number == core->order_number && id128_equal(request->id, core->order_id);
    if (order->number <= core->order_number && !again) return ORDER_STALE;
    core->order_number = order->number;
    core->order_id = request->id;
    return ORDER_FINE;
}

/* ---- those that were given ------------------------------------------------------------------- */

static void answer_kept(struct worker_core *core, struct order_kept *kept, enum order_fault fault)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    kept->waits = false;
    kept->fault = fault;
    effect->token = kept->token;
    effect->reply.kind = kept->kind;
    effect->reply.id = kept->request;
    effect->reply.status = fault == ORDER_FINE ? ST_OK : ST_REFUSED;
    effect->reply.fault = fault;
}

int orders_waiting(const struct worker_core *core)
{
    int count = 0;
    for (int i = 0; i < WORKER_ORDERS_MAX; i++) count += core->orders[i].waits;
    return count;
}

void orders_settle(struct worker_core *core)
{
    for (int i = 0; i < WORKER_ORDERS_MAX; i++) {
        struct order_kept *kept = &core->orders[i];
        if (!kept->waits) continue;
        const struct owned_room *o = core_find(core, kept->room);
        if (o == NULL || o->dead || o->epoch != kept->epoch)
            answer_kept(core, kept, ORDER_NOT_HERE);
        else if (o->confirmed >= kept->position)
            answer_kept(core, kept, ORDER_FINE);
    }
}

/* True: the same order has come before. */
static bool given_before(struct worker_core *core, const struct event *event)
{
    for (int i = 0; i < WORKER_ORDERS_MAX; i++) {
        struct order_kept *kept = &core->orders[i];
        if (kept->kind == 0 || !id128_equal(kept->request, event->request->id)) continue;
        kept->token = event->token;
        if (!kept->waits) answer_kept(core, kept, kept->fault);
        return true;
    }
    return false;
}

/* ---- rooms ----------------------------------------------------------------------------------- */

static enum order_fault fault_of(const struct refusal *why)
{
    if (why->code == REASON_NOT_SEATED) return ORDER_NOT_SEATED;
    return why->code == REASON_ROOM_CLOSED ? ORDER_CLOSING : ORDER_BUSY;
}

/* ORDER_FINE: it stands in the log, and waits for Redis. */
static enum order_fault apply(struct worker_core *core, const struct event *event)
{
    const struct request *request = event->request;
    bool shut = request->kind == REQ_WORKER_CLOSE;
    struct order_kept *kept = &core->orders[core->order_next];
    struct owned_room *o = core_find(core, request->room);
    if (o == NULL || o->phase != OWNED_LIVE) return ORDER_NOT_HERE;
    if (!members_replay_orders(core)) return ORDER_OLD_WORKERS;
    if (!shut && request->order.seat >= GAME_SEATS_MAX) return ORDER_NOT_SEATED;
    if (kept->waits) core->refused.orders++;
    if (kept->waits || !owned_admits(core, o, false)) return ORDER_BUSY;

    struct room_input input = {.kind = shut ? ROOM_SHUT : ROOM_PUT_OUT,
                               .seat = shut ? -1 : (int)request->order.seat};
    struct room_outcome out;
    if (!owned_input(core, o, &input, &out)) return ORDER_BUSY;
    if (out.verdict != ROOM_ACCEPTED) return fault_of(&out.why);
    viewers_follow(core, o, &out);
    core_note(core, shut ? "operator.closed" : "operator.kicked", o->id, o->epoch, out.position);
    core->order_next = (core->order_next + 1) % WORKER_ORDERS_MAX;
    *kept = (struct order_kept){.request = request->id,
                                .kind = request->kind,
                                .token = event->token,
                                .waits = true,
                                .room = o->id,
                                .epoch = o->epoch,
                                .position = out.position};
    return ORDER_FINE;
}

static void change_room(struct worker_core *core, const struct event *event)
{
    enum order_fault fault = apply(core, event);
    if (fault != ORDER_FINE) operate_refuse(core, event, fault);
}

/* ---- the worker ------------------------------------------------------------------------------ */

static void change_drain(struct worker_core *core, const struct event *event)
{
    bool begin = event->request->kind == REQ_WORKER_DRAIN;
    if (core->leaving) {
        operate_refuse(core, event, ORDER_LEAVING);
        return;
    }
    if (begin && !core->draining && !members_any_fit(core)) {
        operate_refuse(core, event, ORDER_ALONE);
        return;
    }
    if (begin)
        drain_begin(core, false);
    else
        drain_end(core);
    operate_answer(core, event)->rooms = (uint32_t)core->rooms.count;
}

void orders_take(struct worker_core *core, const struct event *event)
{
    enum order_fault fault = prove(core, event->request);
    if (fault != ORDER_FINE) {
        core_note(core, "operator.refused", 0, (uint64_t)event->request->kind, (uint64_t)fault);
        operate_refuse(core, event, fault);
        return;
    }
    switch (event->request->kind) {
    case REQ_WORKER_ROOMS: operate_rooms(core, event); return;
    case REQ_WORKER_ROOM: operate_room(core, event); return;
    case REQ_WORKER_DRAIN:
    case REQ_WORKER_UNDRAIN: change_drain(core, event); return;
    default: break;
    }
    if (!given_before(core, event)) change_room(core, event);
}
