/* SPDX-License-Identifier: Apache-2.0
 *
 * One whole message from a browser: limits first, then one handler per kind. States are
 * expectations; what does not fit is refused here, in one place.
 */
#include "gateway/calls.h"

/* Frames above the limit, less those within it, until a connection is a flood. */
enum { STRIKES_MAX = 200 };

/* Counts the frame; false when it is above the limits (or, far above them, the client is gone). */
static bool within_limits(struct gateway_core *core, struct client *client, size_t len)
{
    const struct gateway_limits *limits = &core->config.limits;
    uint64_t frame_us = 1000000 / limits->frames_per_s;
    uint64_t byte_us_1024 = (1000000ull << 10) / limits->bytes_per_s;
    bool frames =
        gw_bucket_take(&client->frames, core->now, frame_us, frame_us * limits->frames_burst);
    bool bytes = gw_bucket_take(&client->bytes, core->now, len * byte_us_1024 >> 10,
                                limits->bytes_burst * byte_us_1024 >> 10);
    if (frames && bytes) {
        if (client->strikes) client->strikes--;
        return true;
    }
    if (++client->strikes >= STRIKES_MAX)
        gw_client_close(core, client, GATEWAY_CLOSE_FLOOD, "too many frames");
    return false;
}

static void too_fast(struct gateway_core *core, struct client *client,
                     const struct client_frame *frame)
{
    if (frame->kind == CLIENT_ACT)
        gw_answer_here(core, client, &frame->u.act, REASON_TOO_FAST);
    else if (frame->kind != CLIENT_PONG && frame->kind != CLIENT_PING)
        gw_refuse(core, client, REASON_TOO_FAST);
}

static void on_ping(struct gateway_core *core, struct client *client, uint64_t client_ms)
{
    struct server_frame frame = {.kind = SERVER_PONG};
    frame.u.pong.client_ms = client_ms;
    frame.u.pong.server_ms = core->now;
    gw_send(core, client, &frame);
}

/* After a Resync the client holds nothing to build on. Without a room it crossed a Detached. */
static void on_resync(struct gateway_core *core, struct client *client)
{
    if (client->mirror == NULL) return;
    client->want_whole = true;
    gw_compose(core, client, NULL);
}

/* Whether a frame fits what the connection is doing; acts are answered, not refused. */
static bool in_place(const struct client *client, enum client_kind kind)
{
    switch (kind) {
    case CLIENT_HELLO: return client->state == CLIENT_NEW;
    case CLIENT_CREATE:
    case CLIENT_JOIN:
    case CLIENT_QUICK:
    case CLIENT_LOOK_UP: return client->state == CLIENT_IDLE;
    case CLIENT_LEAVE: return client->state == CLIENT_ENTERING || client->state == CLIENT_IN_ROOM;
    default: return client->state != CLIENT_NEW;
    }
}

static void dispatch(struct gateway_core *core, struct client *client,
                     const struct client_frame *frame)
{
    switch (frame->kind) {
    case CLIENT_HELLO: gw_on_hello(core, client, &frame->u.hello); return;
    case CLIENT_CREATE: gw_on_create(core, client, &frame->u.create); return;
    case CLIENT_JOIN: gw_on_join(core, client, &frame->u.join); return;
    case CLIENT_QUICK: gw_on_quick(core, client, &frame->u.quick); return;
    case CLIENT_CANCEL_QUICK: gw_on_cancel_quick(core, client); return;
    case CLIENT_WATCH_ROOMS: gw_on_watch(core, client, frame->u.watch); return;
    case CLIENT_LEAVE: gw_on_leave(core, client); return;
    case CLIENT_ACT: gw_on_act(core, client, &frame->u.act); return;
    case CLIENT_RESYNC: on_resync(core, client); return;
    case CLIENT_PING: on_ping(core, client, frame->u.client_ms); return;
    case CLIENT_PONG: gw_on_pong(core, client, frame->u.nonce); return;
    case CLIENT_LOOK_UP: gw_on_look_up(core, client, frame->u.code); return;
    }
}

void gw_on_frame(struct gateway_core *core, struct client *client, struct slice bytes)
{
    bool allowed = within_limits(core, client, bytes.len);
    if (client->gone) return;
    struct client_frame frame;
    enum status status = client_frame_decode(bytes, &core->out->arena, &frame);
    if (status == ST_INVALID) {
        gw_client_close(core, client, GATEWAY_CLOSE_MALFORMED, "not a frame");
        return;
    }
    if (status == ST_TOO_LARGE && bytes.len > CLIENT_FRAME_BYTES_MAX) {
        gw_client_close(core, client, GATEWAY_CLOSE_TOO_LARGE, "frame too large");
        return;
    }
    if (client->state != CLIENT_NEW) client->heard_at = core->now;
    if (!allowed) {
        too_fast(core, client, &frame);
    } else if (frame.kind == CLIENT_ACT && client->state != CLIENT_NEW && status != ST_OK) {
        gw_answer_here(core, client, &frame.u.act, REASON_MALFORMED);
    } else if (status != ST_OK) {
        gw_refuse(core, client, REASON_MALFORMED);
    } else if (!in_place(client, frame.kind)) {
        gw_refuse(core, client, REASON_OUT_OF_PLACE);
    } else {
        dispatch(core, client, &frame);
    }
    /* heard_at moves with every frame; the timer may fire early and is then set anew. */
}
