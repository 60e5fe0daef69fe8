/* SPDX-License-Identifier: Apache-2.0
 *
 * A gateway core that hears anything from anybody: browsers, workers, matchmakers, the clock. The
 * input is a script: one byte says who speaks, two how many bytes it says, then those. Nothing may
 * break an invariant of the core, and what it sends must be what its peers can read.
 */
#include "base/check.h"
#include "gateway/gateway_core.h"
#include "wire/client_wire.h"

enum { SOCKETS = 4, STEPS_MAX = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct play {
    struct gateway_core *core;
    struct effects out;
    struct arena arena;
    instant_ms now;
    uint64_t last_token, sockets;
};

static void check_sent(const struct effect *effect, struct arena *arena)
{
    struct server_frame frame;
    struct buf bytes = {0};
    struct envelope envelope = effect->envelope;
    struct batch batch = {
        .from = {{1}}, .from_url = "", .number = 1, .list = &envelope, .count = 1};
    switch (effect->kind) {
    case EFFECT_SOCKET_SEND:
        CHECK(server_frame_decode(effect->frame, arena, &frame) == ST_OK);
        break;
    case EFFECT_SEND: CHECK(batch_encode(&batch, &bytes) == ST_OK); break;
    case EFFECT_REQUEST: CHECK(request_encode(&effect->request, &bytes) == ST_OK); break;
    default: break;
    }
    buf_fini(&bytes);
}

static void step(struct play *play, struct event *event)
{
    memset(event->entropy, (int)play->sockets, sizeof event->entropy);
    CHECK(gateway_core_step(play->core, event, play->now, &play->out) == ST_OK);
    for (size_t i = 0; i < play->out.count; i++) {
        const struct effect *effect = &play->out.list[i];
        if (effect->kind == EFFECT_REQUEST && effect->token) play->last_token = effect->token;
        check_sent(effect, &play->arena);
    }
}

static void say(struct play *play, uint8_t who, struct slice bytes)
{
    struct event event = {.socket = 1 + who % SOCKETS,
                          .peer = {{(uint8_t)(who & 3)}},
                          .peer_url = "tcp://a"};
    struct batch batch;
    struct reply reply;
    switch (who >> 4) {
    default:
        event.kind = EVENT_SOCKET_FRAME;
        event.frame = bytes;
        break;
    case 8:
    case 9:
    case 10:
        event.kind = EVENT_ENVELOPES;
        if (batch_decode(bytes, &play->arena, &batch) != ST_OK) return;
        event.list = batch.list;
        event.count = batch.count;
        break;
    case 11:
    case 12:
        event.kind = EVENT_REPLY;
        if (reply_decode(bytes, &play->arena, &reply) != ST_OK) return;
        event.token = play->last_token;
        event.reply = &reply;
        break;
    case 13:
        event.kind = EVENT_TICK;
        play->now += who & 8 ? 5000 : 100;
        break;
    case 14: event.kind = who & 8 ? EVENT_PEER_GONE : EVENT_PEER_RESET; break;
    case 15:
        event.kind = who & 4 ? EVENT_SOCKET_WRITABLE : EVENT_SOCKET_CLOSED;
        event.sockets = &event.socket;
        event.count = 1;
        break;
    }
    step(play, &event);
    if (event.kind != EVENT_SOCKET_CLOSED) return;
    event.kind = EVENT_SOCKET_OPEN;
    event.address = "192.0.2.1";
    step(play, &event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gateway_config config = {.instance = {{9}},
                                    .inbox_url = "tcp://g",
                                    .build = "fuzz",
                                    .matchmakers = {"tcp://m"},
                                    .matchmaker_count = 1,
                                    .key_count = 1};
    gateway_limits_default(&config.limits);
    struct play play = {.now = 1000 * 1000, .core = gateway_core_open(&config, 1000 * 1000)};
    for (uint64_t socket = 1; socket <= SOCKETS; socket++) {
        struct event open = {.kind = EVENT_SOCKET_OPEN, .socket = socket, .address = "192.0.2.1"};
        struct event hello = {.kind = EVENT_SOCKET_FRAME,
                              .socket = socket,
                              .frame = slice_of("\x0a\x02\x08\x01", 4)};
        step(&play, &open);
        if (socket > 1) step(&play, &hello);
    }
    for (int i = 0; i < STEPS_MAX && size >= 3; i++) {
        uint8_t who = data[0];
        size_t len = (size_t)data[1] | (size_t)(data[2] & 15) << 8;
        data += 3;
        size -= 3;
        if (len > size) len = size;
        say(&play, who, slice_of(data, len));
        data += len;
        size -= len;
    }
    gateway_core_close(play.core);
    effects_fini(&play.out);
    arena_fini(&play.arena);
    return 0;
}
