/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/envelope_decode.h"

#include "wire/bounds.h"

static struct version take_version(const pb_version *from)
{
    return from ? (struct version){from->epoch, from->seq} : (struct version){0, 0};
}

static enum status take_refusal(const pb_refusal *from, struct refusal *to)
{
    to->domain = from ? from->domain : "";
    if (from == NULL) return ST_OK;
    if (from->n_params > WIRE_PARAMS_MAX) return ST_TOO_LARGE;
    to->code = from->code;
    to->param_count = (int)from->n_params;
    for (size_t i = 0; i < from->n_params; i++) to->params[i] = from->params[i];
    return ST_OK;
}

static enum status attach(const PB(Attach) * from, struct env_attach *to)
{
    to->room = from->room;
    to->client = from->client;
    if (!pb_take_id(from->player, &to->player)) return ST_INVALID;
    to->name = from->name;
    to->intent = (enum attach_intent)from->intent;
    to->generation = from->generation;
    to->take_over = from->take_over;
    to->window = from->window;
    to->line = from->line;
    to->have = take_version(from->have);
    to->rtt_ms = from->rtt_ms;
    return ST_OK;
}

static enum status client_gone(const PB(ClientGone) * from, struct env_client *to)
{
    to->room = from->room;
    to->client = from->client;
    return ST_OK;
}

static enum status act(const PB(Act) * from, struct env_act *to)
{
    to->room = from->room;
    to->client = from->client;
    to->generation = from->generation;
    to->counter = from->counter;
    to->made_for = from->made_for;
    to->command = from->command;
    to->bytes = pb_take_bytes(from->content);
    to->rtt_ms = from->rtt_ms;
    to->copy = from->copy;
    return ST_OK;
}

static enum status resync(const PB(Resync) * from, struct env_resync *to)
{
    to->room = from->room;
    to->have = take_version(from->have);
    return ST_OK;
}

static enum status rtt(const PB(Rtt) * from, struct env_rtt *to)
{
    to->room = from->room;
    to->client = from->client;
    to->rtt_ms = from->rtt_ms;
    return ST_OK;
}

static enum status attached(const PB(Attached) * from, struct env_attached *to)
{
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->seat = from->seat;
    to->generation = from->generation;
    to->counter = from->counter;
    to->code = from->code;
    return ST_OK;
}

static enum status attach_refused(const PB(AttachRefused) * from, struct env_attach_refused *to)
{
    to->room = from->room;
    to->client = from->client;
    return take_refusal(from->why, &to->why);
}

static void update_parts(const PB(Update) * from, struct arena *arena, struct env_update *to)
{
    to->private_count = (int)from->n_privates;
    for (int i = 0; i < to->private_count; i++) {
        to->privates[i].seat = from->privates[i]->seat;
        to->privates[i].mine = pb_take_bytes(from->privates[i]->mine);
    }
    to->event_count = (int)from->n_events;
    if (to->event_count == 0) return;
    to->events = arena_alloc(arena, from->n_events * sizeof *to->events);
    for (int i = 0; i < to->event_count; i++) {
        const PB(UpdateEvent) *event = from->events[i];
        to->events[i] = (struct update_event){
            .seq = event->seq,
            .shared = pb_take_bytes(event->shared),
            .seat = event->seat,
            .mine = pb_take_bytes(event->mine),
            .room = pb_take_bytes(event->room),
        };
    }
}

static enum status update(const PB(Update) * from, struct arena *arena, struct env_update *to)
{
    if (from->n_privates > WIRE_PRIVATES_MAX || from->n_events > WIRE_EVENTS_MAX)
        return ST_TOO_LARGE;
    to->room = from->room;
    to->version = take_version(from->version);
    to->base = from->since;
    to->game_version = from->game_version;
    to->room_time = from->room_time;
    to->sections = from->sections;
    to->room_view = pb_take_bytes(from->room_view);
    to->presence = pb_take_bytes(from->presence);
    to->game = pb_take_bytes(from->game);
    to->only_client = from->only_client;
    update_parts(from, arena, to);
    return ST_OK;
}

static enum status answer(const PB(Answer) * from, struct env_answer *to)
{
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->generation = from->generation;
    to->counter = from->counter;
    to->ok = from->ok;
    to->seq = from->seq;
    to->copy = from->copy;
    return take_refusal(from->why, &to->why);
}

static enum status dropped(const PB(Dropped) * from, struct env_dropped *to)
{
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->why = (enum dropped_why)from->why;
    return ST_OK;
}

static enum status moved(const PB(Moved) * from, struct env_moved *to)
{
    to->room = from->room;
    to->epoch = from->epoch;
    if (!pb_take_id(from->to, &to->to)) return ST_INVALID;
    to->to_url = from->to_url;
    to->gone = from->gone;
    return ST_OK;
}

static enum status paused(const PB(Paused) * from, struct env_paused *to)
{
    to->room = from->room;
    to->epoch = from->epoch;
    to->paused = from->paused;
    return ST_OK;
}

static enum status deadline(const PB(Deadline) * from, struct env_deadline *to)
{
    to->room = from->room;
    to->number = from->number;
    to->due_in_ms = from->due_in_ms;
    return ST_OK;
}

static enum status fire_answer(const PB(FireAnswer) * from, struct env_fire_answer *to)
{
    to->room = from->room;
    to->number = from->number;
    to->over = from->over;
    to->not_owner = from->not_owner;
    to->remaining_ms = from->remaining_ms;
    return ST_OK;
}

static enum status take(const PB(Envelope) * from, struct arena *arena, struct envelope *to)
{
    to->kind = (enum envelope_kind)from->kind_case;
    switch (to->kind) {
    case ENV_ATTACH: return attach(from->attach, &to->u.attach);
    case ENV_DETACH: return client_gone(from->detach, &to->u.client);
    case ENV_LEAVE: return client_gone(from->leave, &to->u.client);
    case ENV_ACT: return act(from->act, &to->u.act);
    case ENV_RESYNC: return resync(from->resync, &to->u.resync);
    case ENV_RTT: return rtt(from->rtt, &to->u.rtt);
    case ENV_ATTACHED: return attached(from->attached, &to->u.attached);
    case ENV_ATTACH_REFUSED: return attach_refused(from->attach_refused, &to->u.attach_refused);
    case ENV_UPDATE: return update(from->update, arena, &to->u.update);
    case ENV_ANSWER: return answer(from->answer, &to->u.answer);
    case ENV_DROPPED: return dropped(from->dropped, &to->u.dropped);
    case ENV_MOVED: return moved(from->moved, &to->u.moved);
    case ENV_PAUSED: return paused(from->paused, &to->u.paused);
    case ENV_HINT: return deadline(from->hint, &to->u.deadline);
    case ENV_FIRE: return deadline(from->fire, &to->u.deadline);
    case ENV_FIRE_ANSWER: return fire_answer(from->fire_answer, &to->u.fire_answer);
    }
    return ST_INVALID; /* none that this build knows */
}

enum status envelope_take(const PB(Envelope) * from, struct arena *arena, struct envelope *to)
{
    enum status status = take(from, arena, to);
    return status == ST_OK ? bounds_envelope(to) : status;
}
