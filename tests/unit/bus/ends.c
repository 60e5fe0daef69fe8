/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/bus/ends.h"

#include "unit/test.h"

#include <stdlib.h>

static void carry(struct end *end, struct effects *effects)
{
    bus_carry(end->bus, effects);
    effects_fini(effects);
}

static enum request_kind asked(const struct end *end, uint64_t token)
{
    for (int i = 0; i < end->count; i++)
        if (end->seen[i].kind == EVENT_REQUEST && end->seen[i].token == token)
            return end->seen[i].asked;
    return REQ_STATUS;
}

void end_reply(struct end *end, uint64_t token)
{
    struct effects effects = {0};
    struct effect *effect = effects_add(&effects, EFFECT_REPLY);
    effect->token = token;
    effect->reply.kind = asked(end, token);
    effect->reply.id = (struct id128){{9}};
    effect->reply.rooms = end->instance.byte[0];
    carry(end, &effects);
}

static void on_event(void *context, struct event *event)
{
    struct end *end = context;
    assert_in_range(end->count, 0, END_RECORD_MAX - 1);
    struct seen *seen = &end->seen[end->count++];
    *seen = (struct seen){.kind = event->kind, .peer = event->peer, .token = event->token};
    if (event->peer_url) strcpy(seen->url, event->peer_url);
    if (event->kind == EVENT_ENVELOPES) {
        seen->count = event->count;
        seen->first = event->list[0].u.rtt.client;
        seen->last = event->list[event->count - 1].u.rtt.client;
    }
    if (event->kind == EVENT_REPLY) {
        seen->status = event->reply->status;
        seen->rooms = event->reply->rooms;
        assert_non_null(event->reply->placed.owner_url);
    }
    if (event->kind == EVENT_REQUEST) seen->asked = event->request->kind;
    if (event->kind == EVENT_REQUEST && end->answers) end_reply(end, event->token);
}

void end_open_config(struct end *end, uv_loop_t *loop, const struct bus_config *config)
{
    const char *why;
    *end = (struct end){.loop = loop, .instance = config->instance};
    end->bus = bus_open(loop, config, on_event, end, &why);
    if (end->bus == NULL) fail_msg("%s", why);
}

void end_open(struct end *end, uv_loop_t *loop, uint8_t instance, const char *inbox,
              const char *control, const char *const *matchmakers, int matchmaker_count)
{
    struct bus_config config = {
        .instance = {{instance}},
        .inbox_url = inbox,
        .control_url = control,
        .matchmakers = matchmakers,
        .matchmaker_count = matchmaker_count,
    };
    end_open_config(end, loop, &config);
}

void end_close(struct end *end)
{
    bus_close(end->bus);
    end->bus = NULL;
    uv_run(end->loop, UV_RUN_NOWAIT);
}

void end_send(struct end *end, const char *url, uint64_t number)
{
    struct effects effects = {0};
    struct effect *effect = effects_add(&effects, EFFECT_SEND);
    effect->url = url;
    effect->envelope.kind = ENV_RTT;
    effect->envelope.u.rtt.client = number;
    carry(end, &effects);
}

static void ask(struct end *end, enum request_kind kind, const char *url, uint64_t token,
                uint32_t timeout_ms)
{
    struct effects effects = {0};
    struct effect *effect = effects_add(&effects, EFFECT_REQUEST);
    effect->url = url;
    effect->token = token;
    effect->timeout_ms = timeout_ms;
    effect->request.kind = kind;
    effect->request.id = (struct id128){{9}};
    effect->request.self = (struct member){.kind = SERVICE_TIMER,
                                           .instance = end->instance,
                                           .inbox_url = "",
                                           .control_url = "",
                                           .build = ""};
    carry(end, &effects);
}

void end_request(struct end *end, const char *url, uint64_t token, uint32_t timeout_ms)
{
    ask(end, REQ_STATUS, url, token, timeout_ms);
}

void end_heartbeat(struct end *end, const char *url, uint64_t token)
{
    ask(end, REQ_HEARTBEAT, url, token, 2000);
}

void end_watch(struct end *end, const char *url, bool watch)
{
    struct effects effects = {0};
    effects_add(&effects, watch ? EFFECT_WATCH : EFFECT_UNWATCH)->url = url;
    carry(end, &effects);
}

void end_watch_inbox(struct end *end, const char *url, struct id128 peer, bool watch)
{
    struct effects effects = {0};
    struct effect *effect = effects_add(&effects, watch ? EFFECT_WATCH : EFFECT_UNWATCH);
    effect->url = url;
    effect->peer = peer;
    carry(end, &effects);
}

const struct seen *end_seen(const struct end *end, enum event_kind kind, int n)
{
    for (int i = 0; i < end->count; i++)
        if (end->seen[i].kind == kind && n-- == 0) return &end->seen[i];
    return NULL;
}

int end_count(const struct end *end, enum event_kind kind)
{
    int count = 0;
    for (int i = 0; i < end->count; i++) count += end->seen[i].kind == kind;
    return count;
}

bool end_wait(struct end *end, enum event_kind kind, int count)
{
    uint64_t start = uv_hrtime();
    while (end_count(end, kind) < count && uv_hrtime() - start < 30000 * UINT64_C(1000000))
        uv_run(end->loop, UV_RUN_ONCE);
    return end_count(end, kind) >= count;
}

void loop_run_ms(uv_loop_t *loop, int ms)
{
    uint64_t start = uv_hrtime();
    while (uv_hrtime() - start < (uint64_t)ms * 1000000) uv_run(loop, UV_RUN_ONCE);
}

void loop_finish(uv_loop_t *loop)
{
    uv_run(loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(loop), 0);
}
