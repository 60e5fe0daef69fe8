/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/worker/rig.h"

#include "base/check.h"

#include <stdio.h>
#include <string.h>

enum { OVERDUE_MAX = 200 };

const struct id128 GATE1 = {{0xa1}}, GATE2 = {{0xa2}}, TIMER = {{0xb1}}, NOBODY = {{0}};
/* The code 000000 lives on shard 0. */
const room_id ROOM = 7;
struct rig_limits rig_limits = {.rooms_max = 8};

void world_open(struct world *world)
{
    *world = (struct world){.store = model_store_open(0, 1), .redis = 5000000};
    if (game_find(slice_text("toy"))) return;
    game_register_for_tests(&toy_game);
    game_register_for_tests(&toy_rules_2);
}

void world_close(struct world *world)
{
    model_store_close(world->store);
}

void rig_open(struct rig *rig, struct world *world, int number)
{
    rig_open_playing(rig, world, number, NULL, 0);
}

void rig_open_playing(struct rig *rig, struct world *world, int number, const struct rules *plays,
                      int play_count)
{
    memset(rig, 0, sizeof *rig);
    rig->game = "toy";
    rig->world = world;
    rig->instance = (struct id128){{0xc0, (uint8_t)number}};
    rig->now = 1000;
    struct worker_config config = {.instance = rig->instance,
                                   .inbox_url = number == 1 ? "inbox1" : "inbox2",
                                   .control_url = number == 1 ? "control1" : "control2",
                                   .build = "test",
                                   .matchmakers = {"matchmaker"},
                                   .matchmaker_count = 1,
                                   .shards = 1,
                                   .rooms_max = rig_limits.rooms_max,
                                   .backlog_bytes_max = rig_limits.backlog_bytes_max,
                                   .grace_ms = 5000,
                                   .archive_s = 3600,
                                   .plays = plays,
                                   .play_count = play_count};
    order_key_from(slice_text(RIG_KEY), &config.operator_key);
    rig->core = worker_core_open(&config);
    rig_wait(rig, 1);
}

void rig_close(struct rig *rig)
{
    worker_core_close(rig->core);
    effects_fini(&rig->out);
    arena_fini(&rig->arena);
}

/* ---- what comes out -------------------------------------------------------------------------- */

static void keep_op(struct rig *rig, const struct store_op *op)
{
    if (op->kind == rig->swallows) return;
    CHECK(rig->op_count < RIG_OPS_MAX);
    struct store_op *kept = &rig->ops[rig->op_count++];
    *kept = *op;
    kept->owner_url = op->owner_url ? arena_text(&rig->arena, op->owner_url) : NULL;
    kept->code = op->code ? arena_text(&rig->arena, op->code) : NULL;
    kept->record = arena_copy(&rig->arena, op->record);
    kept->summary = arena_copy(&rig->arena, op->summary);
    kept->snapshot = arena_copy(&rig->arena, op->snapshot);
    kept->entries = arena_alloc(&rig->arena, ((size_t)op->entry_count + 1) * sizeof *kept->entries);
    for (int i = 0; i < op->entry_count; i++) {
        kept->entries[i].bytes = arena_copy(&rig->arena, op->entries[i].bytes);
        kept->entries[i].hash = op->entries[i].hash;
    }
}

static void keep_update(struct rig *rig, struct env_update *update)
{
    update->room_view = arena_copy(&rig->arena, update->room_view);
    update->presence = arena_copy(&rig->arena, update->presence);
    update->game = arena_copy(&rig->arena, update->game);
    for (int i = 0; i < update->private_count; i++)
        update->privates[i].mine = arena_copy(&rig->arena, update->privates[i].mine);
    struct update_event *events =
        arena_alloc(&rig->arena, ((size_t)update->event_count + 1) * sizeof *events);
    for (int i = 0; i < update->event_count; i++) {
        events[i] = update->events[i];
        events[i].shared = arena_copy(&rig->arena, events[i].shared);
        events[i].mine = arena_copy(&rig->arena, events[i].mine);
    }
    update->events = events;
}

static void keep_sent(struct rig *rig, const struct effect *effect)
{
    CHECK(rig->sent_count < RIG_SENT_MAX);
    struct envelope *kept = &rig->sent[rig->sent_count].envelope;
    rig->sent[rig->sent_count++].to = effect->peer;
    *kept = effect->envelope;
    if (kept->kind == ENV_UPDATE) keep_update(rig, &kept->u.update);
    if (kept->kind == ENV_MOVED)
        kept->u.moved.to_url = arena_text(&rig->arena, kept->u.moved.to_url);
    if (kept->kind == ENV_ANSWER)
        kept->u.answer.why.domain = kept->u.answer.why.domain ? kept->u.answer.why.domain : "";
}

static void keep_reply(struct rig *rig, const struct effect *effect)
{
    CHECK(rig->reply_count < RIG_REPLIES_MAX);
    struct reply *kept = &rig->replies[rig->reply_count].reply;
    rig->replies[rig->reply_count++].token = effect->token;
    *kept = effect->reply;
    size_t size = (size_t)kept->adopted_count * sizeof *kept->adopted;
    kept->adopted = arena_alloc(&rig->arena, size + 1);
    if (size) memcpy(kept->adopted, effect->reply.adopted, size);
}

static void keep_request(struct rig *rig, const struct effect *effect)
{
    rig->asked = effect->request;
    size_t size = (size_t)effect->request.room_count * sizeof *rig->asked.rooms;
    rig->asked.rooms = arena_alloc(&rig->arena, size + 1);
    if (size) memcpy(rig->asked.rooms, effect->request.rooms, size);
    rig->asked_url = arena_text(&rig->arena, effect->url);
    rig->asked_token = effect->token;
}

static void step(struct rig *rig, struct event *event)
{
    uint64_t heartbeats[8];
    int beats = 0;
    rig->events++;
    memset(event->entropy, rig->said, sizeof event->entropy);
    if (!rig->said) memcpy(event->entropy, &rig->events, sizeof rig->events);
    assert_int_equal(worker_core_step(rig->core, event, rig->now, &rig->out), ST_OK);
    for (size_t i = 0; i < rig->out.count; i++) {
        const struct effect *effect = &rig->out.list[i];
        switch (effect->kind) {
        case EFFECT_SEND: keep_sent(rig, effect); break;
        case EFFECT_STORE: keep_op(rig, &effect->op); break;
        case EFFECT_REPLY: keep_reply(rig, effect); break;
        case EFFECT_REQUEST:
            if (effect->request.kind != REQ_HEARTBEAT) {
                keep_request(rig, effect);
                break;
            }
            rig->said_of_itself = effect->request.self;
            if (rig->heartbeat.kind && beats < 8) heartbeats[beats++] = effect->token;
            break;
        case EFFECT_NOTE: rig->note[rig->notes++ % RIG_SENT_MAX] = effect->text; break;
        case EFFECT_EXIT: rig->exited = true; break;
        default: fail();
        }
    }
    for (int i = 0; i < beats; i++) {
        struct event answer = {.kind = EVENT_REPLY,
                               .token = heartbeats[i],
                               .reply = &rig->heartbeat};
        step(rig, &answer);
    }
}

/* ---- the store ------------------------------------------------------------------------------- */

static void take_op(struct rig *rig, int at, struct store_op *op)
{
    *op = rig->ops[at];
    rig->op_count--;
    memmove(&rig->ops[at], &rig->ops[at + 1], (size_t)(rig->op_count - at) * sizeof *rig->ops);
}

static void tell_reply(struct rig *rig, const struct store_reply *reply)
{
    struct event event = {.kind = EVENT_STORE, .store = reply};
    step(rig, &event);
}

static void carry_out(struct rig *rig)
{
    struct store_op op;
    struct store_reply reply = {0};
    take_op(rig, 0, &op);
    if (rig->answers != RIG_REFUSES)
        model_store_step(rig->world->store, &op, rig->world->redis, &rig->arena, &reply);
    if (rig->answers == RIG_REFUSES || rig->answers == RIG_LOSES)
        reply = model_store_unavailable(&op, 0);
    tell_reply(rig, &reply);
}

static void settle(struct rig *rig)
{
    while (rig->op_count > 0 && rig->answers != RIG_HOLDS) carry_out(rig);
}

void rig_release(struct rig *rig, int count)
{
    enum rig_answers answers = rig->answers;
    if (answers == RIG_HOLDS) rig->answers = RIG_ANSWERS;
    while (count-- > 0 && rig->op_count > 0) carry_out(rig);
    rig->answers = answers;
}

void rig_answer(struct rig *rig, enum store_op_kind kind, const struct store_reply *reply)
{
    struct store_op op;
    struct store_reply filled = *reply;
    int at = 0;
    while (at < rig->op_count && rig->ops[at].kind != kind) at++;
    assert_true(at < rig->op_count);
    take_op(rig, at, &op);
    filled.kind = kind;
    filled.tag = op.tag;
    filled.room = op.room;
    tell_reply(rig, &filled);
    settle(rig);
}

int rig_waiting(const struct rig *rig, enum store_op_kind kind)
{
    int count = 0;
    for (int i = 0; i < rig->op_count; i++) count += rig->ops[i].kind == kind;
    return count;
}

/* ---- what goes in ---------------------------------------------------------------------------- */

void rig_event(struct rig *rig, struct event *event)
{
    step(rig, event);
    settle(rig);
}

void rig_wait(struct rig *rig, instant_ms ms)
{
    instant_ms until = rig->now + ms;
    int overdue = 0; /* turns in a row that leave something due: it spins */
    while (rig->now < until) {
        instant_ms next = worker_core_deadline(rig->core);
        overdue = next <= rig->now ? overdue + 1 : 0;
        assert_true(overdue < OVERDUE_MAX);
        if (next <= rig->now) next = rig->now + 1;
        if (next > until) next = until;
        rig->world->redis += next - rig->now;
        rig->now = next;
        struct event tick = {.kind = EVENT_TICK};
        rig_event(rig, &tick);
    }
}

void rig_sleep(struct rig *rig, instant_ms ms)
{
    rig->now += ms;
    rig->world->redis += ms;
}

void rig_store_reset(struct rig *rig, bool up)
{
    struct event event = {.kind = EVENT_STORE_RESET, .store_up = up};
    rig_event(rig, &event);
}

struct id128 person(int number)
{
    return (struct id128){{0xee, (uint8_t)number}};
}

room_id rig_room(int number)
{
    uint32_t bits = 0;
    while (number > 0)
        if (room_shard(room_id_make(++bits, 0)) == 0) number--;
    return room_id_make(bits, 3);
}

void rig_envelope(struct rig *rig, struct id128 from, const struct envelope *envelope)
{
    struct event event = {.kind = EVENT_ENVELOPES, .peer = from, .list = envelope, .count = 1};
    event.peer_url = id128_equal(from, TIMER)   ? "timer"
                     : id128_equal(from, GATE1) ? "gateway1"
                                                : "gateway2";
    rig_event(rig, &event);
}

uint64_t rig_request(struct rig *rig, const struct request *request)
{
    struct event event = {.kind = EVENT_REQUEST, .token = 9000 + rig->events, .request = request};
    rig_event(rig, &event);
    return event.token;
}

const struct reply *rig_reply(const struct rig *rig, uint64_t token)
{
    for (int i = rig->reply_count - 1; i >= 0; i--)
        if (rig->replies[i].token == token) return &rig->replies[i].reply;
    return NULL;
}

/* ---- looking --------------------------------------------------------------------------------- */

void rig_forget(struct rig *rig)
{
    rig->sent_count = 0;
    rig->notes = 0;
}

int rig_count(const struct rig *rig, enum envelope_kind kind)
{
    int count = 0;
    for (int i = 0; i < rig->sent_count; i++) count += rig->sent[i].envelope.kind == kind;
    return count;
}

const struct envelope *rig_last(const struct rig *rig, enum envelope_kind kind)
{
    for (int i = rig->sent_count - 1; i >= 0; i--)
        if (rig->sent[i].envelope.kind == kind) return &rig->sent[i].envelope;
    return NULL;
}

const struct envelope *rig_last_to(const struct rig *rig, struct id128 to, enum envelope_kind kind)
{
    for (int i = rig->sent_count - 1; i >= 0; i--)
        if (rig->sent[i].envelope.kind == kind && id128_equal(rig->sent[i].to, to))
            return &rig->sent[i].envelope;
    return NULL;
}

bool rig_noted(const struct rig *rig, const char *text)
{
    for (int i = 0; i < rig->notes && i < RIG_SENT_MAX; i++)
        if (strcmp(rig->note[i], text) == 0) return true;
    return false;
}

struct model_view rig_stored(const struct rig *rig, room_id room)
{
    struct model_view view = {0};
    assert_true(model_store_look(rig->world->store, room, &view));
    return view;
}

int rig_listed(const struct rig *rig)
{
    struct arena arena = {0};
    struct store_reply list;
    struct store_op op = {.kind = STORE_PUBLIC, .limit = 10};
    model_store_step(rig->world->store, &op, rig->world->redis, &arena, &list);
    arena_fini(&arena);
    return list.public_count;
}
