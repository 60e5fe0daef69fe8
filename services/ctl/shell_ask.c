/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions on the control plane, asked in a loop of their own until all are answered.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "ctl/shell.h"
#include "ops/system.h"

static const char *const default_matchmaker = "tcp://127.0.0.1:7100";

/* Copies by way of its bytes: what an event points to is gone when this returns. */
static const struct reply *keep(struct asking *ask, const struct reply *reply)
{
    struct buf bytes = {0};
    struct reply *kept = arena_alloc(&ask->arena, sizeof *kept);
    bool good = reply_encode(reply, &bytes) == ST_OK;
    struct slice lasting = good ? arena_copy(&ask->arena, buf_slice(&bytes)) : (struct slice){0};
    buf_fini(&bytes);
    return good && reply_decode(lasting, &ask->arena, kept) == ST_OK ? kept : NULL;
}

static void on_event(void *context, struct event *event)
{
    struct asking *ask = context;
    if (event->kind != EVENT_REPLY || event->token >= (uint64_t)ask->asked_count) return;
    struct question *question = &ask->asked[event->token];
    bool answered = event->reply && id128_equal(event->reply->id, question->request.id) &&
                    event->reply->kind == question->request.kind;
    if (answered) question->reply = keep(ask, event->reply);
    if (--ask->open == 0) uv_stop(&ask->loop);
}

static int split(struct arena *arena, const char *text, const char **list, int max)
{
    int count = 0;
    char *copy = arena_text(arena, text), *rest;
    for (char *at = strtok_r(copy, ", ", &rest); at && count < max;
         at = strtok_r(NULL, ", ", &rest))
        list[count++] = at;
    return count;
}

bool asking_open(struct asking *ask, const struct ctl *ctl)
{
    const char *matchmakers[CTL_MATCHMAKERS_MAX], *why = NULL;
    const char *named = ctl_setting(ctl, CTL_MATCHMAKERS);
    *ask = (struct asking){.timeout_ms = ctl->timeout_ms, .self = random_id()};
    struct bus_config config = {
        .instance = ask->self,
        .matchmakers = matchmakers,
        .matchmaker_count = split(&ask->arena, named ? named : default_matchmaker, matchmakers,
                                  CTL_MATCHMAKERS_MAX),
        .tls_ca = ctl_setting(ctl, CTL_TLS_CA),
        .tls_identity = ctl_setting(ctl, CTL_TLS_IDENTITY),
        .tls_name = ctl_setting(ctl, CTL_TLS_NAME),
    };
    CHECK(uv_loop_init(&ask->loop) == 0);
    ask->bus = bus_open(&ask->loop, &config, on_event, ask, &why);
    if (ask->bus) return true;
    ctl_fail(CTL_EXIT_USAGE, "matchmakers: %s", why);
    return false;
}

void asking_close(struct asking *ask)
{
    bus_close(ask->bus);
    uv_run(&ask->loop, UV_RUN_DEFAULT);
    uv_loop_close(&ask->loop);
    arena_fini(&ask->arena);
}

int asking_open_keyed(struct asking *ask, const struct ctl *ctl, struct order_key *key)
{
    if (!asking_open(ask, ctl)) return CTL_EXIT_USAGE;
    int code = CTL_EXIT_OK;
    if (asking_members(ask) == NULL)
        code = CTL_EXIT_UNREACHABLE;
    else if (!ctl_key(ctl, key))
        code = CTL_EXIT_FORBIDDEN;
    if (code != CTL_EXIT_OK) asking_close(ask);
    return code;
}

void asking_all(struct asking *ask, struct question *questions, int count)
{
    struct effects effects = {0};
    if (count == 0) return;
    ask->asked = questions;
    ask->asked_count = ask->open = count;
    for (int i = 0; i < count; i++) {
        struct question *question = &questions[i];
        question->reply = NULL;
        if (id128_is_zero(question->request.id)) question->request.id = random_id();
        question->request.from = ask->self;
        struct effect *effect = effects_add(&effects, EFFECT_REQUEST);
        effect->url = question->url;
        effect->token = (uint64_t)i;
        effect->timeout_ms = (uint32_t)ask->timeout_ms;
        effect->request = question->request;
    }
    bus_carry(ask->bus, &effects);
    effects_fini(&effects);
    uv_run(&ask->loop, UV_RUN_DEFAULT);
    ask->asked_count = 0;
}

const struct reply *asking_one(struct asking *ask, const char *url, const struct request *request)
{
    struct question question = {.url = url, .request = *request};
    asking_all(ask, &question, 1);
    return question.reply;
}

void asking_forget(struct asking *ask)
{
    arena_reset(&ask->arena);
}

const struct reply *asking_members(struct asking *ask)
{
    struct request request = {.kind = REQ_STATUS};
    const struct reply *reply = asking_one(ask, NULL, &request);
    if (reply && reply->status == ST_OK) return reply;
    ctl_fail(CTL_EXIT_UNREACHABLE,
             "no matchmaker answers; --matchmakers=URL names one, or --data=FOLDER a cluster of "
             "`madangctl up`");
    return NULL;
}
