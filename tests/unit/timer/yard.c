/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/timer/yard.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

#define REDIS_EPOCH_MS 1700000000000u

enum item_kind { ITEM_STORE, ITEM_FIRE, ITEM_ENVELOPE, ITEM_REPLY };

struct yard_item {
    struct yard_item *next;
    enum item_kind kind;
    instant_ms at;
    int timer, worker;
    struct store_reply store;
    struct envelope envelope;
    uint64_t token;
    enum request_kind request;
    enum status status;
    struct arena arena;
};

struct id128 yard_timer(int timer)
{
    return (struct id128){{0x71, (uint8_t)timer}};
}

const char *yard_timer_url(int timer)
{
    static const char *const urls[YARD_TIMERS] = {"ipc://t0", "ipc://t1"};
    return urls[timer];
}

struct id128 yard_worker(int worker)
{
    return (struct id128){{0x3a, (uint8_t)worker}};
}

static const char *url_of(int worker)
{
    static const char *const urls[YARD_WORKERS] = {"ipc://w0", "ipc://w1", "ipc://w2", "ipc://w3"};
    return urls[worker];
}

static int worker_at(const char *url)
{
    for (int w = 0; w < YARD_WORKERS; w++) {
        if (strcmp(url, url_of(w)) == 0) return w;
    }
    CHECK(!"a url of a worker");
    return -1;
}

/* At the end of the list: what is sent first arrives first. */
static struct yard_item *send(struct yard *yard, enum item_kind kind, int timer, instant_ms after)
{
    struct yard_item *item = calloc(1, sizeof *item);
    CHECK(item != NULL);
    item->kind = kind;
    item->timer = timer;
    item->at = yard->now + after;
    struct yard_item **last = &yard->items;
    while (*last) last = &(*last)->next;
    *last = item;
    return item;
}

static instant_ms redis_now(const struct yard *yard)
{
    return yard->now + REDIS_EPOCH_MS;
}

static struct store_reply store_run(struct yard *yard, const struct store_op *op)
{
    struct arena arena = {0};
    struct store_reply reply;
    model_store_step(yard->store, op, redis_now(yard), &arena, &reply);
    arena_fini(&arena);
    return reply;
}

static void write_down(struct yard *yard, int timer, int worker, room_id room, uint64_t number)
{
    CHECK(yard->sent_count < YARD_SENT_MAX);
    yard->sent[yard->sent_count++] = (struct yard_sent){yard->now, timer, worker, room, number};
}

static void on_request(struct yard *yard, int timer, const struct effect *effect)
{
    struct yard_item *item = send(yard, ITEM_REPLY, timer, 1);
    item->token = effect->token;
    item->request = effect->request.kind;
    item->status = yard->matchmaker_away ? ST_UNAVAILABLE : ST_OK;
    if (effect->request.kind == REQ_HEARTBEAT) {
        yard->heartbeats++;
        if (effect->request.self.draining) yard->draining_told[timer] = true;
        return;
    }
    CHECK(effect->request.kind == REQ_PLACE && effect->url == NULL);
    yard->place_requests++;
    for (int i = 0; i < effect->request.room_count; i++) {
        write_down(yard, timer, -1, effect->request.rooms[i].room, effect->request.rooms[i].epoch);
    }
}

static void on_effect(struct yard *yard, int timer, const struct effect *effect)
{
    struct yard_item *item;
    switch (effect->kind) {
    case EFFECT_STORE:
        item = send(yard, ITEM_STORE, timer, yard->store_ms);
        if (yard->store_away)
            item->store = model_store_unavailable(&effect->op, 0);
        else
            model_store_step(yard->store, &effect->op, redis_now(yard), &item->arena, &item->store);
        break;
    case EFFECT_SEND:
        CHECK(effect->envelope.kind == ENV_FIRE);
        item = send(yard, ITEM_FIRE, timer, 1);
        item->worker = worker_at(effect->url);
        item->envelope = effect->envelope;
        CHECK(id128_equal(effect->peer, yard_worker(item->worker)));
        write_down(yard, timer, item->worker, effect->envelope.u.deadline.room,
                   effect->envelope.u.deadline.number);
        break;
    case EFFECT_REQUEST: on_request(yard, timer, effect); break;
    case EFFECT_EXIT: yard->left[timer] = true; break;
    case EFFECT_WATCH:
    case EFFECT_UNWATCH:
        for (int t = 0; t < YARD_TIMERS; t++)
            if (strcmp(effect->url, yard_timer_url(t)) == 0)
                yard->watches[timer][t] = effect->kind == EFFECT_WATCH;
        break;
    default: CHECK(!"an effect of a timer");
    }
}

void yard_event(struct yard *yard, int timer, const struct event *event)
{
    if (!yard->timers[timer]) return;
    timer_core_step(yard->timers[timer], event, yard->now, &yard->out[timer]);
    for (size_t i = 0; i < yard->out[timer].count; i++)
        on_effect(yard, timer, &yard->out[timer].list[i]);
}

void yard_from_worker(struct yard *yard, int timer, int worker, const struct envelope *envelope)
{
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = yard_worker(worker),
                          .peer_url = url_of(worker),
                          .list = envelope,
                          .count = 1};
    yard_event(yard, timer, &event);
}

void yard_reset_store(struct yard *yard, int timer, bool up)
{
    struct event event = {.kind = EVENT_STORE_RESET, .store_up = up};
    yard_event(yard, timer, &event);
}

/* ---- workers ------------------------------------------------------------------------------- */

void yard_rearm(struct yard *yard, room_id room, int worker, uint64_t number, instant_ms due_in)
{
    struct model_view view;
    CHECK(model_store_look(yard->store, room, &view));
    struct slice bytes = slice_text("entry");
    struct store_entry entry = {bytes, hash_128(bytes)};
    struct store_op op = {.kind = STORE_APPEND,
                          .room = room,
                          .epoch = view.epoch,
                          .instance = yard_worker(worker),
                          .position = view.position,
                          .entries = &entry,
                          .entry_count = 1,
                          .deadline_changed = true};
    op.deadline = (struct store_deadline){due_in != INSTANT_NEVER, number,
                                          due_in == INSTANT_NEVER ? 0 : due_in};
    CHECK(store_run(yard, &op).status == ST_OK);
}

static void on_fire(struct yard *yard, const struct yard_item *item)
{
    const struct env_deadline *fire = &item->envelope.u.deadline;
    enum worker_mood mood = yard->moods[item->worker];
    if (mood == WORKER_SILENT) return;
    if (mood == WORKER_HANDLES) {
        struct model_view view;
        CHECK(model_store_look(yard->store, fire->room, &view));
        if (view.deadline.armed && view.deadline.number == fire->number) {
            yard_rearm(yard, fire->room, item->worker, fire->number + 1, INSTANT_NEVER);
        }
    }
    struct yard_item *answer = send(yard, ITEM_ENVELOPE, item->timer, 1);
    answer->worker = item->worker;
    answer->envelope.kind = ENV_FIRE_ANSWER;
    answer->envelope.u.fire_answer = (struct env_fire_answer){
        .room = fire->room,
        .number = fire->number,
        .over = mood == WORKER_HANDLES || mood == WORKER_OVER,
        .not_owner = mood == WORKER_NOT_OWNER,
        .remaining_ms = mood == WORKER_EARLY ? yard->remaining : 0,
    };
}

/* ---- time ---------------------------------------------------------------------------------- */

static void answer_request(struct yard *yard, const struct yard_item *item)
{
    struct member members[YARD_TIMERS + 1] = {{.kind = SERVICE_WORKER, .instance = yard_worker(0)}};
    struct reply reply = {
        .kind = item->request, .status = item->status, .members = members, .member_count = 1};
    for (int t = 0; t < YARD_TIMERS; t++) {
        if (!yard->timers[t]) continue;
        members[reply.member_count++] = (struct member){.kind = SERVICE_TIMER,
                                                        .instance = yard_timer(t),
                                                        .inbox_url = yard_timer_url(t),
                                                        .draining = yard->draining_told[t]};
    }
    struct event event = {.kind = EVENT_REPLY, .token = item->token, .reply = &reply};
    yard_event(yard, item->timer, &event);
}

static void arrive(struct yard *yard, struct yard_item *item)
{
    struct event event = {.kind = EVENT_STORE, .store = &item->store};
    switch (item->kind) {
    case ITEM_STORE: yard_event(yard, item->timer, &event); break;
    case ITEM_FIRE: on_fire(yard, item); break;
    case ITEM_ENVELOPE: yard_from_worker(yard, item->timer, item->worker, &item->envelope); break;
    case ITEM_REPLY: answer_request(yard, item); break;
    }
    arena_fini(&item->arena);
    free(item);
}

static struct yard_item *take_arrived(struct yard *yard)
{
    for (struct yard_item **at = &yard->items; *at; at = &(*at)->next) {
        if ((*at)->at > yard->now) continue;
        struct yard_item *item = *at;
        *at = item->next;
        return item;
    }
    return NULL;
}

static void pass_1ms(struct yard *yard)
{
    struct yard_item *item;
    yard->now++;
    while ((item = take_arrived(yard)) != NULL) arrive(yard, item);
    for (int t = 0; t < YARD_TIMERS; t++) {
        struct event tick = {.kind = EVENT_TICK};
        for (int turns = 0; yard->timers[t] && timer_core_deadline(yard->timers[t]) <= yard->now;
             turns++) {
            CHECK(turns < 100); /* it comes to rest */
            yard_event(yard, t, &tick);
        }
    }
}

void yard_pass(struct yard *yard, instant_ms ms)
{
    for (instant_ms i = 0; i < ms; i++) pass_1ms(yard);
}

/* ---- rooms --------------------------------------------------------------------------------- */

room_id yard_room(struct yard *yard, uint32_t n, int worker, uint64_t number, instant_ms due_in)
{
    uint32_t bits = n;
    while (room_shard(room_id_make(bits, 1)) != 0) bits += 10007;
    int owner = worker < 0 ? 0 : worker;
    struct store_op op = {.kind = STORE_CREATE,
                          .room = room_id_make(bits, n + 1),
                          .instance = yard_worker(owner),
                          .owner_url = url_of(owner),
                          .deadline_changed = true};
    op.deadline = (struct store_deadline){true, number, due_in};
    struct store_reply reply = store_run(yard, &op);
    CHECK(reply.status == ST_OK);
    struct store_op release = {.kind = STORE_RELEASE,
                               .room = op.room,
                               .epoch = reply.epoch,
                               .instance = yard_worker(owner)};
    if (worker < 0) CHECK(store_run(yard, &release).status == ST_OK);
    return op.room;
}

void yard_take(struct yard *yard, room_id room, int worker)
{
    struct model_view view;
    CHECK(model_store_look(yard->store, room, &view));
    struct store_op op = {.kind = STORE_TAKE,
                          .room = room,
                          .epoch = view.epoch,
                          .instance = yard_worker(worker),
                          .owner_url = url_of(worker)};
    CHECK(store_run(yard, &op).status == ST_OK);
}

int yard_fires(const struct yard *yard, room_id room)
{
    int count = 0;
    for (int i = 0; i < yard->sent_count; i++)
        count += yard->sent[i].room == room && yard->sent[i].worker >= 0;
    return count;
}

instant_ms yard_fire(const struct yard *yard, room_id room, int k)
{
    for (int i = 0; i < yard->sent_count; i++) {
        if (yard->sent[i].room == room && yard->sent[i].worker >= 0 && k-- == 0)
            return yard->sent[i].at;
    }
    return INSTANT_NEVER;
}

int yard_places(const struct yard *yard, room_id room)
{
    int count = 0;
    for (int i = 0; i < yard->sent_count; i++)
        count += yard->sent[i].room == room && yard->sent[i].worker < 0;
    return count;
}

/* ---- life ---------------------------------------------------------------------------------- */

void yard_open(struct yard *yard, int timers)
{
    *yard = (struct yard){.now = 5000, .store_ms = 1, .store = model_store_open(0, 1)};
    for (int t = 0; t < timers; t++) {
        struct timer_config config = {.instance = yard_timer(t),
                                      .inbox_url = yard_timer_url(t),
                                      .build = "test",
                                      .matchmakers = {"ipc://m"},
                                      .matchmaker_count = 1,
                                      .shard_count = 1};
        yard->timers[t] = timer_core_open(&config, yard->now);
    }
    for (int t = 0; t < timers; t++) yard_reset_store(yard, t, true);
    yard_pass(yard, 20); /* they have heard of each other, and found nothing */
}

void yard_close(struct yard *yard)
{
    for (int t = 0; t < YARD_TIMERS; t++) {
        if (yard->timers[t]) timer_core_close(yard->timers[t]);
        effects_fini(&yard->out[t]);
    }
    while (yard->items) {
        struct yard_item *item = yard->items;
        yard->items = item->next;
        arena_fini(&item->arena);
        free(item);
    }
    model_store_close(yard->store);
}
