/* SPDX-License-Identifier: Apache-2.0
 *
 * Stand-ins for people, gateways and timers. Tickets come at an even rate; each is asked about
 * every half second, as gateways do, until it has its room; then its person comes in and, later,
 * goes. A timer fires each deadline that the store has, and again every second while it stands.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "scale/scale.h"

enum { TICKET_MS = 500, FIRE_AGAIN_MS = 1000, BEAT_SLOTS = 250 / SCALE_SLOT_MS };

/* ---- tickets --------------------------------------------------------------------------------- */

/* The matchmaker of a game's tickets, as rule 15 and the gateways have it. */
static struct scale_node *holder_of(struct scale_world *world, const char *game)
{
    struct id128 ids[SCALE_MATCHMAKERS_MAX];
    struct buf name = {0};
    uint64_t key;
    for (int i = 0; i < world->config.matchmakers; i++) ids[i] = world->nodes[i].instance;
    buf_put_sized(&name, slice_text(game));
    buf_put_sized(&name, slice_text("default"));
    struct id128 hash = hash_128_for("tickets", buf_slice(&name));
    buf_fini(&name);
    memcpy(&key, hash.byte, sizeof key);
    return &world->nodes[rendezvous_pick(key, ids, NULL, world->config.matchmakers)];
}

static void ask_later(struct scale_world *world, uint64_t ticket, instant_ms ms)
{
    scale_send(world, SCALE_ASK, ms)->token = ticket;
}

static void new_id(struct scale_world *world, struct scale_ticket *ticket)
{
    uint64_t drawn[2] = {scale_draw(world), scale_draw(world)};
    memcpy(ticket->id.byte, drawn, sizeof drawn);
}

/* Eight of ten like one game best. */
static const char *favourite(uint64_t number)
{
    return number % 10 == 0 ? "number-baseball" : number % 10 == 5 ? "dobble" : "davinci-code";
}

static void new_ticket(struct scale_world *world)
{
    struct scale_ticket *ticket = calloc(1, sizeof *ticket);
    CHECK(ticket);
    ticket->number = ++world->next_ticket;
    ticket->game = world->config.game ? world->config.game : favourite(ticket->number);
    ticket->since = scale_now(world);
    new_id(world, ticket);
    map_put(&world->tickets, ticket->number, ticket);
    world->counts.tickets++;
    crowd_ask(world, ticket->number);
}

void crowd_ask(struct scale_world *world, uint64_t number)
{
    struct scale_ticket *ticket = map_get(&world->tickets, number);
    if (!ticket) return;
    struct request request = {.kind = REQ_TICKET, .game = ticket->game, .ticket = ticket->id};
    uint64_t drawn[2] = {scale_draw(world), scale_draw(world)};
    memcpy(request.id.byte, drawn, sizeof drawn);
    ticket->asking = true;
    wire_request(world, NULL, holder_of(world, ticket->game), number, &request, 0);
}

/* ---- people ---------------------------------------------------------------------------------- */

static struct scale_message *say(struct scale_world *world, const struct scale_node *to,
                                 uint64_t person, instant_ms after_ms)
{
    struct scale_message *message = scale_send(world, SCALE_ENVELOPE, after_ms);
    message->to = to->index;
    message->life = to->life;
    message->peer = (int)(person % (uint64_t)world->config.gateways);
    return message;
}

static void come_in(struct scale_world *world, const struct scale_ticket *ticket,
                    const struct placed *placed)
{
    const struct scale_node *owner = node_at(world, placed->owner_url);
    struct scale_room *room = map_get(&world->rooms, placed->room);
    if (!owner || !room || room->people++ >= world->config.people_max) return;
    struct scale_message *attach = say(world, owner, ticket->number, 1);
    snprintf(attach->name, sizeof attach->name, "p%llu", (unsigned long long)ticket->number);
    struct id128 player = {{0xaa}};
    memcpy(player.byte + 8, &ticket->number, sizeof ticket->number);
    attach->envelope.kind = ENV_ATTACH;
    attach->envelope.u.attach = (struct env_attach){.room = placed->room,
                                                    .client = ticket->number,
                                                    .player = player,
                                                    .intent = ATTACH_SEAT,
                                                    .window = ticket->number,
                                                    .line = 1};
    if (world->config.stay_ms == INSTANT_NEVER) return;
    struct scale_message *detach = say(world, owner, ticket->number, world->config.stay_ms);
    detach->envelope.kind = ENV_DETACH;
    detach->envelope.u.client = (struct env_client){placed->room, ticket->number};
}

static void count_wait(struct scale_world *world, const struct scale_ticket *ticket)
{
    instant_ms waited = scale_now(world) - ticket->since;
    if (waited >= SCALE_WAIT_MS_MAX) waited = SCALE_WAIT_MS_MAX - 1;
    world->counts.wait_ms[waited]++;
    world->counts.placed++;
}

void crowd_heard(struct scale_world *world, const struct scale_message *message)
{
    struct scale_ticket *ticket = map_get(&world->tickets, message->token);
    if (message->token == 0) return; /* to a gateway's heartbeat, or an order */
    if (!ticket || !ticket->asking) {
        world->counts.twice++;
        return;
    }
    struct reply reply;
    CHECK(reply_decode(buf_slice(&message->bytes), &world->scratch, &reply) == ST_OK);
    ticket->asking = false;
    if (reply.status == ST_OK && !reply.pending) {
        count_wait(world, ticket);
        come_in(world, ticket, &reply.placed);
        free(map_remove(&world->tickets, ticket->number));
        return;
    }
    if (reply.status == ST_UNKNOWN) {
        world->counts.lost++;
        new_id(world, ticket);
    } else if (reply.status != ST_OK) {
        world->counts.refused++;
    }
    ask_later(world, ticket->number, TICKET_MS);
}

/* ---- rooms that are over --------------------------------------------------------------------- */

void crowd_remember(struct scale_world *world, room_id room)
{
    if (world->by_age.count == world->by_age.room) {
        world->by_age.room = world->by_age.room ? 2 * world->by_age.room : 1024;
        world->by_age.list =
            realloc(world->by_age.list, world->by_age.room * sizeof *world->by_age.list);
        CHECK(world->by_age.list);
    }
    world->by_age.list[world->by_age.count++] = room;
}

static struct scale_node *owner_of(struct scale_world *world, room_id room)
{
    struct model_view view;
    if (!model_store_look(world->stores[room_shard(room)], room, &view)) return NULL;
    struct scale_node *node = map128_get(&world->by_instance, view.owner);
    return node && node->up ? node : NULL;
}

/* As an operator does. Its turn comes again: it may be on its way to another worker just now. */
static void close_room(struct scale_world *world, room_id room)
{
    struct order_key key;
    struct scale_node *owner = owner_of(world, room);
    crowd_remember(world, room);
    if (!owner) return;
    struct request request = {.kind = REQ_WORKER_CLOSE, .room = room};
    uint64_t drawn[2] = {scale_draw(world), scale_draw(world)};
    memcpy(request.id.byte, drawn, sizeof drawn);
    request.order.to = owner->instance;
    request.order.number = ++world->orders;
    order_key_from(slice_text(SCALE_KEY), &key);
    order_sign(&key, &request);
    wire_request(world, NULL, owner, 0, &request, 0);
}

static void close_oldest(struct scale_world *world)
{
    size_t most = world->config.rooms_kept, closed = 0;
    while (most && world->rooms.count > most + closed &&
           world->by_age.first < world->by_age.count) {
        room_id room = world->by_age.list[world->by_age.first++];
        if (!map_get(&world->rooms, room)) continue;
        close_room(world, room);
        closed++;
    }
}

/* ---- gateways and timers --------------------------------------------------------------------- */

static void beat(struct scale_world *world, int gateway)
{
    char url[40];
    snprintf(url, sizeof url, "tcp://gateway-%d.inner:7101", gateway);
    struct request request = {.kind = REQ_HEARTBEAT};
    uint64_t drawn[2] = {scale_draw(world), scale_draw(world)};
    memcpy(request.id.byte, drawn, sizeof drawn);
    request.self = (struct member){.kind = SERVICE_GATEWAY,
                                   .instance = {{0xee, (uint8_t)gateway, (uint8_t)(gateway >> 8)}},
                                   .inbox_url = url,
                                   .control_url = "",
                                   .build = "scale"};
    for (int i = 0; i < world->config.matchmakers; i++)
        wire_request(world, NULL, &world->nodes[i], 0, &request, 0);
}

static void fire(struct scale_world *world)
{
    struct heap_node *first;
    while ((first = heap_first(&world->deadlines)) && first->at <= scale_now(world)) {
        const struct scale_room *room = map_get(&world->rooms, first->key);
        const struct scale_node *owner = owner_of(world, first->key);
        heap_set(&world->deadlines, first, scale_now(world) + FIRE_AGAIN_MS);
        if (!owner) continue;
        struct scale_message *fire = say(world, owner, 0, 1);
        fire->envelope.kind = ENV_FIRE;
        fire->envelope.u.deadline =
            (struct env_deadline){.room = first->key, .number = room->number};
        world->counts.fires++;
    }
}

void crowd_slot(struct scale_world *world)
{
    scale_send(world, SCALE_SLOT, SCALE_SLOT_MS);
    fire(world);
    int slot = (int)(scale_now(world) / SCALE_SLOT_MS % BEAT_SLOTS);
    for (int g = slot; g < world->config.gateways; g += BEAT_SLOTS) beat(world, g);
    close_oldest(world);
    if (world->crowd_rests) return;
    world->due_tickets += (uint64_t)world->config.tickets_a_s * SCALE_SLOT_MS;
    for (; world->due_tickets >= 1000; world->due_tickets -= 1000) new_ticket(world);
}
