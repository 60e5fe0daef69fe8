/* SPDX-License-Identifier: Apache-2.0
 *
 * The control plane: make a room, take rooms over, say how it stands. Requests are idempotent by
 * their id; one that is resent while it is being worked on is answered twice.
 */
#include "worker/parts.h"

void on_request(struct worker_core *core, const struct event *event)
{
    switch (event->request->kind) {
    case REQ_WORKER_CREATE: create_room(core, event); return;
    case REQ_WORKER_ADOPT: adopt_rooms(core, event); return;
    case REQ_WORKER_STATUS: operate_status(core, event); return;
    case REQ_WORKER_ROOMS:
    case REQ_WORKER_ROOM:
    case REQ_WORKER_DRAIN:
    case REQ_WORKER_UNDRAIN:
    case REQ_WORKER_KICK:
    case REQ_WORKER_CLOSE: orders_take(core, event); return;
    default: operate_answer(core, event)->status = ST_INVALID; return;
    }
}
