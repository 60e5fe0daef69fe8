/* SPDX-License-Identifier: Apache-2.0
 *
 * Our envelopes to bytes. The generated structs live on the stack and borrow from the envelope.
 */
#include "wire/batch.h"
#include "wire/bounds.h"
#include "wire/pb.h"

/* Everything one envelope may need; each part is initialised by the one that uses it. */
struct scratch {
    PB(Envelope) envelope;
    union {
        PB(Attach) attach;
        PB(ClientGone) client;
        PB(Act) act;
        PB(Resync) resync;
        PB(Rtt) rtt;
        PB(Attached) attached;
        PB(AttachRefused) attach_refused;
        PB(Update) update;
        PB(Answer) answer;
        PB(Dropped) dropped;
        PB(Moved) moved;
        PB(Paused) paused;
        PB(Deadline) deadline;
        PB(FireAnswer) fire_answer;
    } body;
    pb_version version;
    pb_refusal refusal;
    PB(Private) privates[WIRE_PRIVATES_MAX], *private_list[WIRE_PRIVATES_MAX];
    PB(UpdateEvent) events[WIRE_EVENTS_MAX], *event_list[WIRE_EVENTS_MAX];
};

static pb_version *version_of(struct scratch *scratch, struct version version)
{
    if (version.epoch == 0 && version.seq == 0) return NULL;
    scratch->version = (pb_version)MADANG__V1__VERSION__INIT;
    scratch->version.epoch = version.epoch;
    scratch->version.seq = version.seq;
    return &scratch->version;
}

static pb_refusal *refusal_of(struct scratch *scratch, const struct refusal *why)
{
    scratch->refusal = (pb_refusal)MADANG__V1__REFUSAL__INIT;
    scratch->refusal.domain = pb_text(why->domain);
    scratch->refusal.code = why->code;
    scratch->refusal.n_params = (size_t)why->param_count;
    scratch->refusal.params = (int32_t *)why->params;
    return &scratch->refusal;
}

static void attach(struct scratch *scratch, const struct env_attach *from)
{
    PB(Attach) *to = &scratch->body.attach;
    *to = (PB(Attach))PB_INIT(ATTACH);
    to->room = from->room;
    to->client = from->client;
    to->player = pb_id(&from->player);
    to->name = pb_text(from->name);
    to->intent = (PB(Intent))from->intent;
    to->generation = from->generation;
    to->take_over = from->take_over;
    to->window = from->window;
    to->line = from->line;
    to->have = version_of(scratch, from->have);
    to->rtt_ms = from->rtt_ms;
    scratch->envelope.attach = to;
}

static PB(ClientGone) * client_gone(struct scratch *scratch, const struct env_client *from)
{
    PB(ClientGone) *to = &scratch->body.client;
    *to = (PB(ClientGone))PB_INIT(CLIENT_GONE);
    to->room = from->room;
    to->client = from->client;
    return to;
}

static void act(struct scratch *scratch, const struct env_act *from)
{
    PB(Act) *to = &scratch->body.act;
    *to = (PB(Act))PB_INIT(ACT);
    to->room = from->room;
    to->client = from->client;
    to->generation = from->generation;
    to->counter = from->counter;
    to->made_for = from->made_for;
    to->command = from->command;
    to->content = pb_bytes(from->bytes);
    to->rtt_ms = from->rtt_ms;
    to->copy = from->copy;
    scratch->envelope.act = to;
}

static void resync(struct scratch *scratch, const struct env_resync *from)
{
    PB(Resync) *to = &scratch->body.resync;
    *to = (PB(Resync))PB_INIT(RESYNC);
    to->room = from->room;
    to->have = version_of(scratch, from->have);
    scratch->envelope.resync = to;
}

static void rtt(struct scratch *scratch, const struct env_rtt *from)
{
    PB(Rtt) *to = &scratch->body.rtt;
    *to = (PB(Rtt))PB_INIT(RTT);
    to->room = from->room;
    to->client = from->client;
    to->rtt_ms = from->rtt_ms;
    scratch->envelope.rtt = to;
}

static void attached(struct scratch *scratch, const struct env_attached *from)
{
    PB(Attached) *to = &scratch->body.attached;
    *to = (PB(Attached))PB_INIT(ATTACHED);
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->seat = from->seat;
    to->generation = from->generation;
    to->counter = from->counter;
    to->code = pb_text(from->code);
    scratch->envelope.attached = to;
}

static void attach_refused(struct scratch *scratch, const struct env_attach_refused *from)
{
    PB(AttachRefused) *to = &scratch->body.attach_refused;
    *to = (PB(AttachRefused))PB_INIT(ATTACH_REFUSED);
    to->room = from->room;
    to->client = from->client;
    to->why = refusal_of(scratch, &from->why);
    scratch->envelope.attach_refused = to;
}

static void update_parts(struct scratch *scratch, const struct env_update *from, PB(Update) * to)
{
    for (int i = 0; i < from->private_count; i++) {
        PB(Private) *part = scratch->private_list[i] = &scratch->privates[i];
        *part = (PB(Private))PB_INIT(PRIVATE);
        part->seat = from->privates[i].seat;
        part->mine = pb_bytes(from->privates[i].mine);
    }
    for (int i = 0; i < from->event_count; i++) {
        PB(UpdateEvent) *part = scratch->event_list[i] = &scratch->events[i];
        *part = (PB(UpdateEvent))PB_INIT(UPDATE_EVENT);
        part->seq = from->events[i].seq;
        part->shared = pb_bytes(from->events[i].shared);
        part->seat = from->events[i].seat;
        part->mine = pb_bytes(from->events[i].mine);
        part->room = pb_bytes(from->events[i].room);
    }
    to->n_privates = (size_t)from->private_count;
    to->privates = scratch->private_list;
    to->n_events = (size_t)from->event_count;
    to->events = scratch->event_list;
}

static void update(struct scratch *scratch, const struct env_update *from)
{
    PB(Update) *to = &scratch->body.update;
    *to = (PB(Update))PB_INIT(UPDATE);
    to->room = from->room;
    to->version = version_of(scratch, from->version);
    to->since = from->base;
    to->game_version = from->game_version;
    to->room_time = from->room_time;
    to->sections = from->sections;
    to->room_view = pb_bytes(from->room_view);
    to->presence = pb_bytes(from->presence);
    to->game = pb_bytes(from->game);
    to->only_client = from->only_client;
    update_parts(scratch, from, to);
    scratch->envelope.update = to;
}

static void answer(struct scratch *scratch, const struct env_answer *from)
{
    PB(Answer) *to = &scratch->body.answer;
    *to = (PB(Answer))PB_INIT(ANSWER);
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->generation = from->generation;
    to->counter = from->counter;
    to->ok = from->ok;
    to->why = from->ok ? NULL : refusal_of(scratch, &from->why);
    to->seq = from->seq;
    to->copy = from->copy;
    scratch->envelope.answer = to;
}

static void dropped(struct scratch *scratch, const struct env_dropped *from)
{
    PB(Dropped) *to = &scratch->body.dropped;
    *to = (PB(Dropped))PB_INIT(DROPPED);
    to->room = from->room;
    to->client = from->client;
    to->epoch = from->epoch;
    to->why = (PB(DroppedWhy))from->why;
    scratch->envelope.dropped = to;
}

static void moved(struct scratch *scratch, const struct env_moved *from)
{
    PB(Moved) *to = &scratch->body.moved;
    *to = (PB(Moved))PB_INIT(MOVED);
    to->room = from->room;
    to->epoch = from->epoch;
    to->to = pb_id(&from->to);
    to->to_url = pb_text(from->to_url);
    to->gone = from->gone;
    scratch->envelope.moved = to;
}

static void paused(struct scratch *scratch, const struct env_paused *from)
{
    PB(Paused) *to = &scratch->body.paused;
    *to = (PB(Paused))PB_INIT(PAUSED);
    to->room = from->room;
    to->epoch = from->epoch;
    to->paused = from->paused;
    scratch->envelope.paused = to;
}

static PB(Deadline) * deadline(struct scratch *scratch, const struct env_deadline *from)
{
    PB(Deadline) *to = &scratch->body.deadline;
    *to = (PB(Deadline))PB_INIT(DEADLINE);
    to->room = from->room;
    to->number = from->number;
    to->due_in_ms = from->due_in_ms;
    return to;
}

static void fire_answer(struct scratch *scratch, const struct env_fire_answer *from)
{
    PB(FireAnswer) *to = &scratch->body.fire_answer;
    *to = (PB(FireAnswer))PB_INIT(FIRE_ANSWER);
    to->room = from->room;
    to->number = from->number;
    to->over = from->over;
    to->not_owner = from->not_owner;
    to->remaining_ms = from->remaining_ms;
    scratch->envelope.fire_answer = to;
}

static void fill(struct scratch *scratch, const struct envelope *from)
{
    switch (from->kind) {
    case ENV_ATTACH: attach(scratch, &from->u.attach); break;
    case ENV_DETACH: scratch->envelope.detach = client_gone(scratch, &from->u.client); break;
    case ENV_LEAVE: scratch->envelope.leave = client_gone(scratch, &from->u.client); break;
    case ENV_ACT: act(scratch, &from->u.act); break;
    case ENV_RESYNC: resync(scratch, &from->u.resync); break;
    case ENV_RTT: rtt(scratch, &from->u.rtt); break;
    case ENV_ATTACHED: attached(scratch, &from->u.attached); break;
    case ENV_ATTACH_REFUSED: attach_refused(scratch, &from->u.attach_refused); break;
    case ENV_UPDATE: update(scratch, &from->u.update); break;
    case ENV_ANSWER: answer(scratch, &from->u.answer); break;
    case ENV_DROPPED: dropped(scratch, &from->u.dropped); break;
    case ENV_MOVED: moved(scratch, &from->u.moved); break;
    case ENV_PAUSED: paused(scratch, &from->u.paused); break;
    case ENV_HINT: scratch->envelope.hint = deadline(scratch, &from->u.deadline); break;
    case ENV_FIRE: scratch->envelope.fire = deadline(scratch, &from->u.deadline); break;
    case ENV_FIRE_ANSWER: fire_answer(scratch, &from->u.fire_answer); break;
    }
}

/* What all numbers of a part take at most, with the tags and lengths of everything in it. */
enum {
    ACT_NUMBERS = 96,
    ANSWER_NUMBERS = 160,
    UPDATE_NUMBERS = 160,
    PRIVATE_NUMBERS = 32,
    EVENT_NUMBERS = 64
};

static size_t update_bound(const struct env_update *update)
{
    size_t bound = UPDATE_NUMBERS + update->room_view.len + update->presence.len + update->game.len;
    for (int i = 0; i < update->private_count; i++)
        bound += PRIVATE_NUMBERS + update->privates[i].mine.len;
    for (int i = 0; i < update->event_count; i++) {
        const struct update_event *event = &update->events[i];
        bound += EVENT_NUMBERS + event->shared.len + event->mine.len + event->room.len;
    }
    return bound;
}

/* For the three kinds that an action takes; 0: it is measured. */
static size_t bound_of(const struct envelope *envelope)
{
    switch (envelope->kind) {
    case ENV_ACT: return ACT_NUMBERS + envelope->u.act.bytes.len;
    case ENV_ANSWER: return ANSWER_NUMBERS + WIRE_NAME_BYTES_MAX;
    case ENV_UPDATE: return update_bound(&envelope->u.update);
    default: return 0;
    }
}

enum status batch_append_envelope(const struct envelope *envelope, struct buf *out)
{
    enum status status = bounds_envelope(envelope);
    if (status != ST_OK) return status;

    struct scratch scratch;
    scratch.envelope = (PB(Envelope))PB_INIT(ENVELOPE);
    fill(&scratch, envelope);
    /* The kinds of the oneof are numbered as ours are. */
    scratch.envelope.kind_case = (PB(Envelope__KindCase))envelope->kind;

    PB(Batch) piece = PB_INIT(BATCH);
    PB(Envelope) * list[] = {&scratch.envelope};
    piece.n_envelopes = 1;
    piece.envelopes = list;
    size_t bound = bound_of(envelope);
    if (bound > 0)
        pb_append_within(&piece.base, bound, out);
    else
        pb_append(&piece.base, out);
    return ST_OK;
}

_Static_assert((int)PB_ENVELOPE(ATTACH) == ENV_ATTACH &&
                   (int)PB_ENVELOPE(FIRE_ANSWER) == ENV_FIRE_ANSWER &&
                   (int)PB_ENVELOPE(UPDATE) == ENV_UPDATE &&
                   (int)PB_ENVELOPE(ATTACHED) == ENV_ATTACHED,
               "the kinds of cluster.proto are those of cluster.h");
