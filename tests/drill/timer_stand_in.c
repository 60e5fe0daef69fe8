/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/timer_stand_in.h"

#include "base/check.h"
#include "base/hash.h"
#include "bus/bus.h"
#include "ops/system.h"
#include "store/store.h"

#include <stdlib.h>
#include <time.h>

enum {
    AT_A_TIME = 2000, /* ops under way */
    FAR_MS = 3600 * 1000,
    HEARTBEAT_MS = 250,
    TIMERS_MAX = 32, /* that were heard in the whole run */
    ROOMS_MAX = 100 * 1000,
};

struct armed {
    room_id room;
    uint64_t epoch, due_us;
    uint32_t late_us;
    uint32_t position; /* entries that were sent */
    uint32_t number;   /* of the deadline that is armed */
    uint32_t due_in;   /* from the append that is under way; 0: none is */
    uint32_t stored;   /* entries, as Redis says at the end */
    uint8_t timer;     /* who is to be told that it is over; 0: nobody */
    bool fired;
};

struct timer {
    struct id128 instance;
    char url[WIRE_URL_BYTES_MAX + 1];
};

struct stand_in {
    uv_loop_t *loop;
    uv_timer_t heart;
    struct id128 instance;
    const char *matchmaker;
    struct bus *bus;
    struct store *store;
    struct effects out, writes;
    struct armed *rooms;
    int room_count, armed, fired, repeated;
    int under_way; /* ops */
    struct timer timers[TIMERS_MAX];
    int timer_count;
    uint64_t last_token;
};

uint64_t wall_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- the store ------------------------------------------------------------------------------- */

/* The low 32 bits of a room here are its index. */
static struct armed *armed_of(struct stand_in *s, room_id room)
{
    uint32_t index = (uint32_t)room;
    CHECK(index < (uint32_t)s->room_count);
    return &s->rooms[index];
}

static struct store_op *op_of(struct stand_in *s, enum store_op_kind kind, const struct armed *room)
{
    struct store_op *op = &effects_add(&s->writes, EFFECT_STORE)->op;
    *op = (struct store_op){
        .kind = kind, .room = room->room, .epoch = room->epoch, .instance = s->instance};
    s->under_way++;
    return op;
}

static void append(struct stand_in *s, struct armed *room, uint32_t due_in)
{
    static const struct slice bytes = {(const uint8_t *)"an entry of the clock", 21};
    static struct store_entry entry;
    if (id128_is_zero(entry.hash)) entry = (struct store_entry){bytes, hash_128(bytes)};
    struct store_op *op = op_of(s, STORE_APPEND, room);
    op->position = room->position++;
    op->entries = &entry;
    op->entry_count = 1;
    op->deadline_changed = true;
    op->deadline = (struct store_deadline){true, ++room->number, due_in};
    room->due_in = due_in;
}

static void send_writes(struct stand_in *s)
{
    store_carry(s->store, &s->writes);
    effects_reset(&s->writes);
}

static void answer(struct stand_in *s, int timer, room_id room, struct env_fire_answer what)
{
    const struct timer *to = &s->timers[timer - 1];
    struct effect *effect = effects_add(&s->out, EFFECT_SEND);
    effect->peer = to->instance;
    effect->url = to->url;
    effect->envelope.kind = ENV_FIRE_ANSWER;
    effect->envelope.u.fire_answer = what;
    effect->envelope.u.fire_answer.room = room;
}

static void on_appended(struct stand_in *s, struct armed *room, instant_ms redis_ms)
{
    if (!room->fired) room->due_us = (redis_ms + room->due_in) * 1000;
    room->due_in = 0;
    if (room->timer == 0) return;
    answer(s, room->timer, room->room,
           (struct env_fire_answer){.number = room->number - 1, .over = true});
    room->timer = 0;
}

static void on_store(void *user, struct event *event)
{
    struct stand_in *s = user;
    if (event->kind != EVENT_STORE) return;
    const struct store_reply *reply = event->store;
    CHECK(reply->status == ST_OK);
    struct armed *room = armed_of(s, reply->room);
    s->under_way--;
    effects_reset(&s->out);
    switch (reply->kind) {
    case STORE_CREATE: room->epoch = reply->epoch; break;
    case STORE_APPEND: on_appended(s, room, reply->redis_ms); break;
    case STORE_TAIL: room->stored = (uint32_t)reply->position; break;
    default: break;
    }
    bus_carry(s->bus, &s->out);
}

/* ---- fires ----------------------------------------------------------------------------------- */

/* Timers are numbered from 1 in the order in which they were first heard. */
static int know(struct stand_in *s, const struct event *event)
{
    for (int i = 0; i < s->timer_count; i++)
        if (id128_equal(s->timers[i].instance, event->peer)) return i + 1;
    CHECK(s->timer_count < TIMERS_MAX && strlen(event->peer_url) <= WIRE_URL_BYTES_MAX);
    struct timer *timer = &s->timers[s->timer_count++];
    timer->instance = event->peer;
    strcpy(timer->url, event->peer_url);
    return s->timer_count;
}

static void on_fire(struct stand_in *s, int timer, const struct env_deadline *fire)
{
    struct armed *room = armed_of(s, fire->room);
    uint64_t now = wall_us();
    if (fire->number != room->number || room->fired) {
        s->repeated++;
        answer(s, timer, fire->room,
               (struct env_fire_answer){.number = fire->number, .over = true});
    } else if (now < room->due_us) {
        answer(s, timer, fire->room,
               (struct env_fire_answer){.number = fire->number,
                                        .remaining_ms = (room->due_us - now + 999) / 1000});
    } else {
        room->fired = true;
        room->late_us = (uint32_t)(now - room->due_us);
        room->timer = (uint8_t)timer;
        s->fired++;
        append(s, room, FAR_MS);
    }
}

static void on_bus(void *user, struct event *event)
{
    struct stand_in *s = user;
    if (event->kind != EVENT_ENVELOPES) return;
    int timer = know(s, event);
    effects_reset(&s->out);
    for (int i = 0; i < event->count; i++)
        if (event->list[i].kind == ENV_FIRE) on_fire(s, timer, &event->list[i].u.deadline);
    bus_carry(s->bus, &s->out);
    send_writes(s);
}

static void on_heart(uv_timer_t *heart)
{
    struct stand_in *s = heart->data;
    effects_reset(&s->out);
    struct effect *effect = effects_add(&s->out, EFFECT_REQUEST);
    effect->url = s->matchmaker;
    effect->token = ++s->last_token;
    effect->timeout_ms = HEARTBEAT_MS;
    effect->request.kind = REQ_HEARTBEAT;
    effect->request.id = random_id();
    effect->request.from = s->instance;
    effect->request.self = (struct member){.kind = SERVICE_WORKER,
                                           .instance = s->instance,
                                           .inbox_url = bus_inbox_url(s->bus),
                                           .control_url = bus_control_url(s->bus),
                                           .build = "drill",
                                           .rooms = ROOMS_MAX,
                                           .rooms_max = ROOMS_MAX};
    bus_carry(s->bus, &s->out);
}

/* ---- what the drill does --------------------------------------------------------------------- */

static void wait_for_less(struct stand_in *s, int count)
{
    while (s->under_way >= count) uv_run(s->loop, UV_RUN_ONCE);
}

void stand_in_create(struct stand_in *s)
{
    uint32_t bits = 0;
    for (int i = 0; i < s->room_count; i++) {
        while (room_shard(room_id_make(++bits, 0)) != 0) continue;
        s->rooms[i].room = room_id_make(bits, (uint32_t)i);
        s->rooms[i].number = 1;
        struct store_op *op = op_of(s, STORE_CREATE, &s->rooms[i]);
        op->owner_url = bus_inbox_url(s->bus);
        op->record = slice_text("record");
        op->summary = slice_text("summary");
        op->deadline_changed = true;
        op->deadline = (struct store_deadline){true, 1, FAR_MS};
        send_writes(s);
        if (s->under_way >= AT_A_TIME) wait_for_less(s, AT_A_TIME / 2);
    }
    wait_for_less(s, 1);
}

uint64_t stand_in_arm(struct stand_in *s, int count, int rate, instant_ms ahead_ms)
{
    uint64_t first_us = wall_us() + ahead_ms * 1000;
    CHECK(count <= s->room_count);
    for (int i = 0; i < count; i++) {
        uint64_t due_us = first_us + (uint64_t)i * 1000000 / (uint64_t)rate, now = wall_us();
        CHECK(due_us > now); /* arming is faster than time passes */
        append(s, &s->rooms[i], (uint32_t)((due_us - now) / 1000));
        if (i % 128 == 127) send_writes(s);
        if (s->under_way >= AT_A_TIME) wait_for_less(s, AT_A_TIME / 2);
    }
    send_writes(s);
    wait_for_less(s, 1);
    return first_us;
}

struct deadline stand_in_deadline(const struct stand_in *s, int room)
{
    const struct armed *armed = &s->rooms[room];
    return (struct deadline){armed->due_us, armed->late_us, armed->fired};
}

int stand_in_fired(const struct stand_in *s)
{
    return s->fired;
}

int stand_in_repeated(const struct stand_in *s)
{
    return s->repeated;
}

void stand_in_check(struct stand_in *s, int count, int *lost, int *doubled)
{
    *lost = *doubled = 0;
    wait_for_less(s, 1);
    for (int i = 0; i < count; i++) {
        op_of(s, STORE_TAIL, &s->rooms[i]);
        send_writes(s);
        if (s->under_way >= AT_A_TIME) wait_for_less(s, AT_A_TIME / 2);
    }
    wait_for_less(s, 1);
    for (int i = 0; i < count; i++) { /* one entry armed it, one is its fire */
        if (s->rooms[i].stored < 2) ++*lost;
        if (s->rooms[i].stored > 2) ++*doubled;
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

struct stand_in *stand_in_open(uv_loop_t *loop, const char *redis, const char *matchmaker,
                               int rooms)
{
    const char *why = NULL;
    struct store_config store = {0};
    struct stand_in *s = calloc(1, sizeof *s);
    CHECK(s != NULL && store_config_parse(redis, NULL, &store, &why) == ST_OK);
    s->loop = loop;
    s->matchmaker = matchmaker;
    s->instance = random_id();
    s->room_count = rooms;
    s->rooms = calloc((size_t)rooms, sizeof *s->rooms);
    struct bus_config bus = {.instance = s->instance,
                             .inbox_url = "tcp://127.0.0.1:0",
                             .control_url = "tcp://127.0.0.1:0",
                             .matchmakers = &s->matchmaker,
                             .matchmaker_count = 1};
    s->bus = bus_open(loop, &bus, on_bus, s, &why);
    s->store = store_open(loop, &store, on_store, s);
    CHECK(s->rooms != NULL && s->bus != NULL && s->store != NULL);
    while (!store_up(s->store)) uv_run(loop, UV_RUN_ONCE);
    CHECK(uv_timer_init(loop, &s->heart) == 0);
    s->heart.data = s;
    CHECK(uv_timer_start(&s->heart, on_heart, 0, HEARTBEAT_MS) == 0);
    return s;
}

void stand_in_close(struct stand_in *s)
{
    uv_close((uv_handle_t *)&s->heart, NULL);
    bus_close(s->bus);
    store_close(s->store);
    uv_run(s->loop, UV_RUN_DEFAULT);
    effects_fini(&s->out);
    effects_fini(&s->writes);
    free(s->rooms);
    free(s);
}
