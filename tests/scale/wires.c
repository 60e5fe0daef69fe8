/* SPDX-License-Identifier: Apache-2.0
 *
 * Control requests and answers on their way, as bytes, and the store behind its network. An op is
 * carried out when it is sent and answered a moment later.
 */
#include <stdlib.h>

#include "base/check.h"
#include "scale/scale.h"

enum { CROWD = -1 };

struct route {
    int from; /* node, or CROWD */
    uint32_t life;
    uint64_t token;
    enum service_kind asks;
};

/* A network between machines of one place, and a loop turn. */
static instant_ms delay(struct scale_world *world)
{
    return 1 + scale_draw(world) % 2;
}

static uint64_t route_to(struct scale_world *world, const struct scale_node *from, uint64_t token,
                         enum service_kind asks)
{
    struct route *route = malloc(sizeof *route);
    CHECK(route);
    *route = (struct route){from ? from->index : CROWD, from ? from->life : 0, token, asks};
    map_put(&world->routes, ++world->next_route, route);
    return world->next_route;
}

void wire_request(struct scale_world *world, struct scale_node *from, struct scale_node *to,
                  uint64_t token, const struct request *request, instant_ms timeout_ms)
{
    if (from) map_put(&from->asked, token, from);
    if (to) {
        struct scale_message *message = scale_send(world, SCALE_REQUEST, delay(world));
        message->to = to->index;
        message->life = to->life;
        message->token = route_to(world, from, token, request->self.kind);
        CHECK(request_encode(request, &message->bytes) == ST_OK);
    }
    /* What a heartbeat is not answered concerns nobody. */
    if (!from || request->kind == REQ_HEARTBEAT) return;
    struct scale_message *silence = scale_send(world, SCALE_REPLY, timeout_ms);
    silence->to = from->index;
    silence->life = from->life;
    silence->token = token;
}

static void count(struct scale_world *world, const struct route *route, enum request_kind kind,
                  size_t bytes)
{
    if (kind != REQ_HEARTBEAT) return;
    if (route->asks == SERVICE_WORKER) {
        world->counts.replies++;
        world->counts.reply_bytes += bytes;
    } else if (route->asks == SERVICE_GATEWAY) {
        world->counts.gateway_replies++;
        world->counts.gateway_reply_bytes += bytes;
    }
}

void wire_answer(struct scale_world *world, const struct effect *effect)
{
    struct route *route = map_remove(&world->routes, effect->token);
    if (!route) {
        world->counts.twice++;
        return;
    }
    bool to_crowd = route->from == CROWD;
    struct scale_message *message =
        scale_send(world, to_crowd ? SCALE_HEARD : SCALE_REPLY, delay(world));
    message->to = route->from;
    message->life = route->life;
    message->token = route->token;
    CHECK(reply_encode(&effect->reply, &message->bytes) == ST_OK);
    count(world, route, effect->reply.kind, message->bytes.len);
    free(route);
}

/* ---- the store ------------------------------------------------------------------------------- */

/* The deadline as the store has it, for the crowd's timer. */
static void follow(struct scale_world *world, struct model_store *store, const struct store_op *op)
{
    struct scale_room *room = map_get(&world->rooms, op->room);
    struct model_view view;
    if (!room || !model_store_look(store, op->room, &view)) return;
    room->number = view.deadline.number;
    heap_set(&world->deadlines, &room->deadline,
             view.deadline.armed ? view.deadline.due_in_ms : INSTANT_NEVER);
}

static void made(struct scale_world *world, room_id id)
{
    if (map_get(&world->rooms, id)) return;
    struct scale_room *room = calloc(1, sizeof *room);
    CHECK(room);
    room->deadline.key = id;
    map_put(&world->rooms, id, room);
    crowd_remember(world, id);
    world->counts.created++;
}

static void gone(struct scale_world *world, room_id id)
{
    struct scale_room *room = map_remove(&world->rooms, id);
    if (!room) return;
    heap_remove(&world->deadlines, &room->deadline);
    free(room);
    world->counts.closed++;
}

void wire_store(struct scale_world *world, struct scale_node *node, const struct store_op *op)
{
    struct model_store *store = world->stores[store_op_shard(op)];
    struct scale_message *message = scale_send(world, SCALE_STORE, delay(world));
    message->to = node->index;
    message->life = node->life;
    model_store_step(store, op, scale_now(world), &message->arena, &message->reply);
    if (message->reply.status != ST_OK) return;
    if (op->kind == STORE_CREATE) made(world, op->room);
    if (op->kind == STORE_DELETE) gone(world, op->room);
    if (op->deadline_changed) follow(world, store, op);
}
