/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/matchmaker/bench.h"

#include "game/game.h"

/* The matchmaker asks a game for nothing but its name, seats and options. */
static const struct game_option toy_options[] = {
    {.key = "seconds", .kind = GAME_OPTION_NUMBER, .min = 5, .max = 30, .default_value = 10}};
static const struct game toy = {
    .id = "toy", .seats_min = 2, .seats_max = 4, .options = toy_options, .option_count = 1};

struct bench bench;

uint32_t bench_versions[2], bench_shards_away[2];

const struct id128 W1 = {{1}}, W2 = {{2}}, SELF = {{9}}, NOBODY = {{0}};

void bench_answer_pulse(struct bench *b)
{
    const struct effect *pulse = bench_find(b, EFFECT_STORE, STORE_LEASE);
    if (!pulse || b->store_silent) return;
    struct store_reply reply = {.kind = STORE_LEASE,
                                .tag = pulse->op.tag,
                                .redis_ms = 5000 + b->now};
    bench_store(b, &reply);
    b->pulsed = reply.redis_ms;
}

void bench_open(struct bench *b)
{
    if (!game_find(slice_text("toy"))) game_register_for_tests(&toy);
    *b = (struct bench){.now = 1000, .next_token = 1, .w1_alive = true, .w2_alive = true};
    struct matchmaker_config config = {
        .instance = SELF, .control_url = "ipc://m", .build = "test", .shard_count = 1};
    b->core = matchmaker_core_open(&config, b->now);
    bench_heartbeat(b, W1);
    bench_answer_pulse(b);
    bench_heartbeat(b, W2);
}

void bench_close(struct bench *b)
{
    matchmaker_core_close(b->core);
    effects_fini(&b->out);
}

void bench_step(struct bench *b, const struct event *event)
{
    matchmaker_core_step(b->core, event, b->now, &b->out);
}

uint64_t bench_request(struct bench *b, const struct request *request)
{
    struct event event = {.kind = EVENT_REQUEST, .token = b->next_token++, .request = request};
    memcpy(event.entropy, &event.token, sizeof event.token);
    bench_step(b, &event);
    return event.token;
}

void bench_heartbeat(struct bench *b, struct id128 worker)
{
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    bool first = id128_equal(worker, W1);
    request.self = (struct member){.kind = SERVICE_WORKER,
                                   .instance = worker,
                                   .inbox_url = first ? "ipc://w1" : "ipc://w2",
                                   .control_url = first ? "ipc://c1" : "ipc://c2",
                                   .build = "test",
                                   .rooms_max = 4096,
                                   .shards_away = bench_shards_away[first ? 0 : 1]};
    struct rules plays = {"toy", bench_versions[first ? 0 : 1]};
    request.self.plays = &plays;
    request.self.play_count = plays.version ? 1 : 0;
    bench_request(b, &request);
}

void bench_store(struct bench *b, const struct store_reply *reply)
{
    struct store_reply whole = *reply;
    whole.last_lease_redis_ms = b->pulsed;
    struct event event = {.kind = EVENT_STORE, .store = &whole};
    bench_step(b, &event);
}

void bench_reply(struct bench *b, uint64_t token, const struct reply *reply)
{
    struct event event = {.kind = EVENT_REPLY, .token = token, .reply = reply};
    bench_step(b, &event);
}

const struct effect *bench_find(const struct bench *b, enum effect_kind kind, int what)
{
    for (size_t i = 0; i < b->out.count; i++) {
        const struct effect *effect = &b->out.list[i];
        if (effect->kind != kind) continue;
        if (kind == EFFECT_STORE && (int)effect->op.kind != what) continue;
        if (kind == EFFECT_REQUEST && (int)effect->request.kind != what) continue;
        return effect;
    }
    return NULL;
}

const struct reply *bench_answer(const struct bench *b, uint64_t token)
{
    for (size_t i = 0; i < b->out.count; i++)
        if (b->out.list[i].kind == EFFECT_REPLY && b->out.list[i].token == token)
            return &b->out.list[i].reply;
    return NULL;
}

bool bench_run(struct bench *b, instant_ms ms, enum effect_kind kind, int what)
{
    for (instant_ms passed = 0; passed < ms; passed += MATCHMAKER_TICK_MS) {
        b->now += MATCHMAKER_TICK_MS;
        if (passed % MATCHMAKER_HEARTBEAT_MS == 0) {
            if (b->w1_alive) bench_heartbeat(b, W1);
            if (bench_find(b, kind, what)) return true;
            bench_answer_pulse(b);
            if (b->w2_alive) bench_heartbeat(b, W2);
            if (bench_find(b, kind, what)) return true;
            bench_answer_pulse(b);
        }
        struct event tick = {.kind = EVENT_TICK};
        bench_step(b, &tick);
        if (bench_find(b, kind, what)) return true;
        bench_answer_pulse(b);
    }
    return false;
}

const struct effect *bench_question(const struct bench *b)
{
    const struct effect *question = bench_find(b, EFFECT_STORE, STORE_FIND);
    assert_non_null(question);
    return question;
}

int bench_set_up(void **state)
{
    (void)state;
    bench_open(&bench);
    return 0;
}

int bench_tear_down(void **state)
{
    (void)state;
    bench_close(&bench);
    return 0;
}
