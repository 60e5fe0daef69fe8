/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/stranger.h"

#include "ops/system.h"
#include "wire/reason.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void take_reply(struct stranger *stranger, const struct reply *reply)
{
    assert_true((int)reply->status < STRANGER_STATUSES);
    stranger->replies[reply->status]++;
    stranger->busy += reply->reason == REASON_BUSY;
    stranger->full += reply->reason == REASON_NO_CAPACITY;
    stranger->placed = reply->placed;
    snprintf(stranger->owner_url, sizeof stranger->owner_url, "%s",
             reply->placed.owner_url ? reply->placed.owner_url : "");
}

static void on_event(void *context, struct event *event)
{
    struct stranger *stranger = context;
    if (event->kind == EVENT_REPLY) take_reply(stranger, event->reply);
    if (event->kind == EVENT_PEER_RESET) stranger->resets++;
    if (event->kind != EVENT_ENVELOPES) return;
    snprintf(stranger->peer_url, sizeof stranger->peer_url, "%s", event->peer_url);
    for (int i = 0; i < event->count; i++) stranger->envelopes[event->list[i].kind]++;
}

static int deaf_port(char url[64])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    snprintf(url, 64, "tcp://127.0.0.1:%d", ntohs(at.sin_port));
    return fd;
}

void stranger_open(struct stranger *stranger, bool deaf)
{
    char url[64];
    const char *why = "", *matchmakers[] = {rack_matchmaker_url};
    *stranger = (struct stranger){.deaf = -1};
    random_fill(stranger->instance.byte, sizeof stranger->instance.byte);
    if (deaf) stranger->deaf = deaf_port(url);
    assert_int_equal(uv_loop_init(&stranger->loop), 0);
    struct bus_config config = {.instance = stranger->instance,
                                .inbox_url = "tcp://127.0.0.1:0",
                                .inbox_public_url = deaf ? url : NULL,
                                .matchmakers = matchmakers,
                                .matchmaker_count = 1};
    stranger->bus = bus_open(&stranger->loop, &config, on_event, stranger, &why);
    if (stranger->bus == NULL) fail_msg("%s", why);
}

void stranger_close(struct stranger *stranger)
{
    bus_close(stranger->bus);
    uv_run(&stranger->loop, UV_RUN_DEFAULT);
    uv_loop_close(&stranger->loop);
    if (stranger->deaf >= 0) close(stranger->deaf);
}

void stranger_run(struct stranger *stranger, int ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)ms;
    do {
        uv_run(&stranger->loop, ms ? UV_RUN_ONCE : UV_RUN_NOWAIT); /* the bus ticks */
    } while (clock_boot_ms() < until);
}

struct id128 stranger_id(struct stranger *stranger)
{
    struct id128 id = stranger->instance;
    uint64_t number = ++stranger->asked;
    memcpy(id.byte + 8, &number, sizeof number);
    return id;
}

/* ---- requests -------------------------------------------------------------------------------- */

void stranger_ask(struct stranger *stranger, const struct request *request, uint32_t timeout_ms)
{
    struct effects effects = {0};
    struct effect *effect = effects_add(&effects, EFFECT_REQUEST);
    effect->timeout_ms = timeout_ms;
    effect->request = *request;
    effect->request.id = stranger_id(stranger);
    effect->request.from = stranger->instance;
    bus_carry(stranger->bus, &effects);
    effects_fini(&effects);
}

bool stranger_hear_out(struct stranger *stranger)
{
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    while (bus_requests_open(stranger->bus) > 0 && clock_boot_ms() < until)
        uv_run(&stranger->loop, UV_RUN_ONCE);
    return bus_requests_open(stranger->bus) == 0;
}

bool stranger_find(struct stranger *stranger, const char *code)
{
    struct request request = {.kind = REQ_RESOLVE, .code = code};
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    do { /* "not yet" and "busy" are answers, too */
        stranger->owner_url[0] = 0;
        stranger_ask(stranger, &request, 2000);
        if (!stranger_hear_out(stranger)) return false;
    } while (stranger->owner_url[0] == 0 && clock_boot_ms() < until);
    return stranger->owner_url[0] != 0;
}

/* ---- envelopes ------------------------------------------------------------------------------- */

void stranger_send(struct stranger *stranger, const char *url, const struct envelope *list,
                   int count)
{
    struct effects effects = {0};
    for (int i = 0; i < count; i++) {
        struct effect *effect = effects_add(&effects, EFFECT_SEND);
        effect->url = url;
        effect->envelope = list[i];
    }
    bus_carry(stranger->bus, &effects);
    effects_fini(&effects);
    stranger_run(stranger, 0);
}

bool stranger_hears(struct stranger *stranger, enum envelope_kind kind, int count)
{
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    while (stranger->envelopes[kind] < count && clock_boot_ms() < until)
        uv_run(&stranger->loop, UV_RUN_ONCE);
    return stranger->envelopes[kind] >= count;
}
