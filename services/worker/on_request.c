/* SPDX-License-Identifier: Apache-2.0
 *
 * The control plane: make a room, take rooms over, say how it stands. Requests are idempotent by
 * their id; one that is resent while it is being worked on is answered twice.
 */
#include "worker/parts.h"

static struct reply *answer(struct worker_core *core, const struct event *event, enum status status)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    effect->token = event->token;
    effect->reply.kind = event->request->kind;
    effect->reply.id = event->request->id;
    effect->reply.status = status;
    return &effect->reply;
}

void on_request(struct worker_core *core, const struct event *event)
{
    switch (event->request->kind) {
    case REQ_WORKER_CREATE: create_room(core, event); return;
    case REQ_WORKER_ADOPT: adopt_rooms(core, event); return;
    case REQ_WORKER_STATUS: answer(core, event, ST_OK)->rooms = (uint32_t)core->rooms.count; return;
    default: answer(core, event, ST_INVALID); return;
    }
}
