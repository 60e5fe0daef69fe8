/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/matchmaker/bench.h"

#include "game/game.h"
#include "unit/test.h"

/* The matchmaker asks a game for nothing but its name, seats and options. */
static const struct game_option toy_options[] = {
    {.key = "seconds", .kind = GAME_OPTION_NUMBER, .min = 5, .max = 30, .default_value = 10}};
static const struct game toy = {
    .id = "toy", .seats_min = 2, .seats_max = 4, .options = toy_options, .option_count = 1};

const struct id128 W1 = {{1}}, W2 = {{2}}, NOBODY = {{0}};

static void answer_pulse(struct bench *bench)
{
    const struct effect *pulse = bench_find(bench, EFFECT_STORE, STORE_LEASE);
    if (!pulse || bench->store_silent) return;
    struct store_reply reply = {.kind = STORE_LEASE, .tag = pulse->op.tag};
    bench_store(bench, &reply);
}

void bench_open(struct bench *bench)
{
    if (!game_find(slice_text("toy"))) game_register_for_tests(&toy);
    *bench = (struct bench){.now = 1000, .next_token = 1, .w1_alive = true, .w2_alive = true};
    struct matchmaker_config config = {
        .instance = {{9}}, .control_url = "ipc://m", .build = "test", .shard_count = 1};
    bench->core = matchmaker_core_open(&config, bench->now);
    bench_heartbeat(bench, W1);
    answer_pulse(bench);
    bench_heartbeat(bench, W2);
}

void bench_close(struct bench *bench)
{
    matchmaker_core_close(bench->core);
    effects_fini(&bench->out);
}

void bench_step(struct bench *bench, const struct event *event)
{
    matchmaker_core_step(bench->core, event, bench->now, &bench->out);
}

uint64_t bench_request(struct bench *bench, const struct request *request)
{
    struct event event = {.kind = EVENT_REQUEST, .token = bench->next_token++, .request = request};
    memcpy(event.entropy, &event.token, sizeof event.token);
    bench_step(bench, &event);
    return event.token;
}

void bench_heartbeat(struct bench *bench, struct id128 worker)
{
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    bool first = id128_equal(worker, W1);
    request.self = (struct member){.kind = SERVICE_WORKER,
                                   .instance = worker,
                                   .inbox_url = first ? "ipc://w1" : "ipc://w2",
                                   .control_url = first ? "ipc://c1" : "ipc://c2",
                                   .build = "test",
                                   .rooms_max = 100};
    bench_request(bench, &request);
}

void bench_store(struct bench *bench, const struct store_reply *reply)
{
    struct event event = {.kind = EVENT_STORE, .store = reply};
    bench_step(bench, &event);
}

void bench_reply(struct bench *bench, uint64_t token, const struct reply *reply)
{
    struct event event = {.kind = EVENT_REPLY, .token = token, .reply = reply};
    bench_step(bench, &event);
}

const struct effect *bench_find(const struct bench *bench, enum effect_kind kind, int what)
{
    for (size_t i = 0; i < bench->out.count; i++) {
        const struct effect *effect = &bench->out.list[i];
        if (effect->kind != kind) continue;
        if (kind == EFFECT_STORE && (int)effect->op.kind != what) continue;
        if (kind == EFFECT_REQUEST && (int)effect->request.kind != what) continue;
        return effect;
    }
    return NULL;
}

const struct reply *bench_answer(const struct bench *bench, uint64_t token)
{
    for (size_t i = 0; i < bench->out.count; i++)
        if (bench->out.list[i].kind == EFFECT_REPLY && bench->out.list[i].token == token)
            return &bench->out.list[i].reply;
    return NULL;
}

bool bench_run(struct bench *bench, instant_ms ms, enum effect_kind kind, int what)
{
    for (instant_ms passed = 0; passed < ms; passed += MATCHMAKER_TICK_MS) {
        bench->now += MATCHMAKER_TICK_MS;
        if (passed % MATCHMAKER_HEARTBEAT_MS == 0) {
            if (bench->w1_alive) bench_heartbeat(bench, W1);
            if (bench_find(bench, kind, what)) return true;
            answer_pulse(bench);
            if (bench->w2_alive) bench_heartbeat(bench, W2);
            if (bench_find(bench, kind, what)) return true;
            answer_pulse(bench);
        }
        struct event tick = {.kind = EVENT_TICK};
        bench_step(bench, &tick);
        if (bench_find(bench, kind, what)) return true;
        answer_pulse(bench);
    }
    return false;
}
