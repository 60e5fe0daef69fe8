/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections: opening and closing, what is written to them, and their one timer each.
 */
#include "gateway/calls.h"

#include <stdlib.h>

/* ---- opening and closing --------------------------------------------------------------------- */

static void turn_away(struct gateway_core *core, uint64_t socket, enum gateway_close code,
                      const char *text)
{
    struct effect *effect = effects_add(core->out, EFFECT_SOCKET_CLOSE);
    effect->socket = socket;
    effect->close_code = (uint16_t)code;
    effect->text = text;
    gw_note(core, "client.turned_away", code, core->clients.count, 0);
}

void gw_client_open(struct gateway_core *core, uint64_t socket, const char *address)
{
    if (map_get(&core->clients, socket)) return;
    if (core->draining) {
        turn_away(core, socket, GATEWAY_CLOSE_LEAVING, "this gateway is leaving");
        return;
    }
    if (core->clients.count >= core->config.limits.connections_max) {
        core->refused.clients++;
        turn_away(core, socket, GATEWAY_CLOSE_FULL, "full, try again later");
        return;
    }
    struct address *from = gw_address_enter(core, address);
    if (from == NULL) {
        turn_away(core, socket, GATEWAY_CLOSE_ADDRESS, "too many connections from this address");
        return;
    }
    struct client *client = calloc(1, sizeof *client);
    CHECK(client != NULL);
    client->timer.key = socket;
    client->socket = socket;
    client->address = from;
    client->state = CLIENT_NEW;
    client->seat = -1;
    client->heard_at = core->now;
    client->attach_at = INSTANT_NEVER;
    client->enter_until = INSTANT_NEVER;
    client->ping_at = INSTANT_NEVER;
    client->close_at = INSTANT_NEVER;
    client->slow_at = INSTANT_NEVER;
    map_put(&core->clients, socket, client);
    gw_client_arm(core, client);
}

struct client *gw_client_find(const struct gateway_core *core, uint64_t socket)
{
    return map_get(&core->clients, socket);
}

void gw_client_free(struct client *client)
{
    if (client->task) free(client->task->options);
    free(client->task);
    gw_acts_forget(client);
    free(client->name);
    free(client);
}

void gw_clients_free_gone(struct gateway_core *core)
{
    while (core->gone_clients) {
        struct client *client = core->gone_clients;
        core->gone_clients = client->next_gone;
        gw_client_free(client);
    }
}

/* The socket is no more, or will be none in a moment. */
void gw_client_lost(struct gateway_core *core, struct client *client)
{
    if (client->gone) return;
    client->gone = true;
    if (client->task && client->task->kind == TASK_QUICK) gw_quick_cancel(core, client);
    gw_leave_mirror(core, client, true);
    gw_on_watch(core, client, false);
    gw_address_leave(core, client->address);
    core->outstanding -= client->outstanding;
    heap_remove(&core->client_timers, &client->timer);
    map_remove(&core->clients, client->socket);
    client->next_gone = core->gone_clients;
    core->gone_clients = client;
}

void gw_client_close(struct gateway_core *core, struct client *client, enum gateway_close code,
                     const char *text)
{
    if (client->gone) return;
    turn_away(core, client->socket, code, text);
    gw_client_lost(core, client);
}

void gw_client_set_name(struct client *client, const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = realloc(client->name, size);
    CHECK(copy != NULL);
    client->name = memcpy(copy, name, size);
}

/* ---- leaving --------------------------------------------------------------------------------- */

void gw_clients_drain(struct gateway_core *core)
{
    if (core->draining) return;
    core->draining = true;
    size_t count;
    uint64_t *sockets = map_keys_sorted(&core->clients, &count);
    for (size_t i = 0; i < count; i++) {
        struct client *client = gw_client_find(core, sockets[i]);
        if (client == NULL) continue;
        gw_notice(core, client, NOTICE_GATEWAY_LEAVING);
        uint64_t spread = GATEWAY_DRAIN_LAST_MS - GATEWAY_DRAIN_FIRST_MS;
        client->close_at = core->now + GATEWAY_DRAIN_FIRST_MS + gw_random(core) % spread;
        gw_client_arm(core, client);
    }
    free(sockets);
    gw_note(core, "gateway.leaving", count, 0, 0);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void close_slow(struct gateway_core *core, struct client *client, uint64_t *bound)
{
    (*bound)++;
    gw_client_close(core, client, GATEWAY_CLOSE_SLOW, "does not read");
}

void gw_send_bytes(struct gateway_core *core, struct client *client, struct slice bytes)
{
    if (client->gone) return;
    const struct gateway_limits *limits = &core->config.limits;
    /* A small message costs memory, too. */
    size_t cost = bytes.len + GATEWAY_MESSAGE_BYTES;
    bool full = client->outstanding + cost > limits->outstanding_bytes_max;
    bool greedy = client->outstanding > GATEWAY_SOCKET_SHARE_BYTES;
    if (full && client->outstanding > 0) {
        close_slow(core, client, &core->refused.socket);
        return;
    }
    if (greedy && core->outstanding + cost > limits->all_outstanding_bytes_max) {
        close_slow(core, client, &core->refused.sockets);
        return;
    }
    struct effect *effect = effects_add(core->out, EFFECT_SOCKET_SEND);
    effect->socket = client->socket;
    effect->frame = bytes;
    if (client->outstanding == 0) client->slow_at = core->now + GATEWAY_SLOW_MS;
    client->outstanding += (uint32_t)cost;
    core->outstanding += cost;
}

struct slice gw_encode(struct gateway_core *core, const struct server_frame *frame)
{
    buf_clear(&core->scratch);
    server_frame_encode(frame, &core->scratch);
    return arena_copy(&core->out->arena, buf_slice(&core->scratch));
}

static void count_refusal(struct gateway_core *core, const struct refusal *why)
{
    core->counts.refusals[refusal_reason(why->domain, why->code)]++;
}

void gw_send(struct gateway_core *core, struct client *client, const struct server_frame *frame)
{
    if (frame->kind == SERVER_REFUSED) count_refusal(core, &frame->u.refused.why);
    if (frame->kind == SERVER_ANSWER && !frame->u.answer.ok)
        count_refusal(core, &frame->u.answer.why);
    gw_send_bytes(core, client, gw_encode(core, frame));
}

void gw_refuse_why(struct gateway_core *core, struct client *client, const struct refusal *why,
                   bool retry)
{
    struct server_frame frame = {.kind = SERVER_REFUSED};
    frame.u.refused.why = *why;
    frame.u.refused.retry = retry;
    gw_send(core, client, &frame);
}

void gw_refuse(struct gateway_core *core, struct client *client, enum reason reason)
{
    struct refusal why = {.code = reason};
    gw_refuse_why(core, client, &why, reason == REASON_BUSY || reason == REASON_TOO_FAST);
}

void gw_notice(struct gateway_core *core, struct client *client, enum notice_kind kind)
{
    struct server_frame frame = {.kind = SERVER_NOTICE};
    frame.u.notice = kind;
    gw_send(core, client, &frame);
}

void gw_client_writable(struct gateway_core *core, struct client *client)
{
    core->outstanding -= client->outstanding;
    client->outstanding = 0;
    client->slow_at = INSTANT_NEVER;
    client->frame_outstanding = false;
    gw_public_show(core, client);
    gw_compose(core, client, NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

static instant_ms earlier(instant_ms a, instant_ms b)
{
    return a < b ? a : b;
}

static instant_ms silent_from(const struct gateway_core *core, const struct client *client)
{
    return client->heard_at > core->resumed_at ? client->heard_at : core->resumed_at;
}

static instant_ms patience(const struct client *client)
{
    if (client->state == CLIENT_NEW) return GATEWAY_HELLO_MS;
    return client->ping_every_ms + GATEWAY_SILENCE_MS;
}

void gw_client_arm(struct gateway_core *core, struct client *client)
{
    if (client->gone) return;
    instant_ms at = silent_from(core, client) + patience(client);
    at = earlier(at, client->ping_at);
    at = earlier(at, client->close_at);
    at = earlier(at, client->slow_at);
    at = earlier(at, client->attach_at);
    at = earlier(at, client->enter_until);
    if (client->task) at = earlier(at, earlier(client->task->at, client->task->until));
    at = earlier(at, gw_acts_next(client));
    /* Sooner than needed is well: it is then set anew. Most acts and answers so leave it. */
    bool set = client->timer.index && client->timer.at > core->now;
    if (set && client->timer.at <= at) return;
    heap_set(&core->client_timers, &client->timer, at);
}

void gw_client_due(struct gateway_core *core, struct client *client)
{
    if (core->now >= silent_from(core, client) + patience(client)) {
        if (client->state == CLIENT_NEW)
            gw_client_close(core, client, GATEWAY_CLOSE_NO_HELLO, "no hello");
        else
            gw_client_close(core, client, GATEWAY_CLOSE_SILENT, "silent");
        return;
    }
    if (core->now >= client->close_at) {
        gw_client_close(core, client, GATEWAY_CLOSE_LEAVING, "this gateway is leaving");
        return;
    }
    if (core->now >= client->slow_at) {
        close_slow(core, client, &core->refused.socket);
        return;
    }
    if (core->now >= client->ping_at) gw_ping_due(core, client);
    if (client->task) gw_task_due(core, client);
    gw_attach_due(core, client);
    if (!client->gone) gw_acts_due(core, client);
    gw_client_arm(core, client);
}
