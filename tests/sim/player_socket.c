/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated browser's connection.
 */
#include "sim/checks.h"
#include "sim/player.h"

#include "base/check.h"

enum { SOCKET_MAX_MS = 40, ODD_PROTOCOL_PPM = 20000, SLOW_MIN_MS = 200, SLOW_MAX_MS = 5000 };

/* When what is put on a line then arrives, in its order, however much else is on it: the line is as
 * slow as that span of time makes it, and nothing arrives before the last of the span before might
 * have. */
static instant_ms on_line(const struct world *world, const struct player *player, uint64_t about,
                          instant_ms then, instant_ms low, instant_ms high)
{
    uint64_t span = then / high;
    uint32_t bound = (uint32_t)(high - low + 1);
    instant_ms took =
        low + chance_lasting(world, ACTOR_PLAYER, player->index, span << 8 | about, bound);
    instant_ms before =
        low + chance_lasting(world, ACTOR_PLAYER, player->index, (span - 1) << 8 | about, bound);
    instant_ms at = then + took, last = span * high + before;
    return at > last ? at : last;
}

/* What others are shown of a room may differ between twins, and how often. The round trips of a
 * browser are everybody's to see, so they must not depend on what lies before a ping. */
static bool compared(const struct world *world, const struct player *player)
{
    return player->group == world->puppets;
}

static instant_ms read_at(struct world *world, const struct player *player)
{
    if (!compared(world, player)) {
        instant_ms at = world->now + chance_between(world, 0, SOCKET_MAX_MS);
        if (at < player->last_out) at = player->last_out;
        bool slow = world->now < player->slow_until;
        return slow ? at + chance_between(world, SLOW_MIN_MS, SLOW_MAX_MS) : at;
    }
    instant_ms at = on_line(world, player, ABOUT_LINE_OUT, world->now, 0, SOCKET_MAX_MS);
    if (!player->slow_until) return at;
    instant_ms then = world->now < player->slow_until ? world->now : player->slow_until - 1;
    instant_ms slow = on_line(world, player, ABOUT_LINE_SLOW, then, SLOW_MIN_MS, SLOW_MAX_MS);
    return at > slow ? at : slow;
}

static struct happening *to_gateway(struct world *world, struct player *player,
                                    enum happening_kind kind)
{
    instant_ms at = compared(world, player)
                        ? on_line(world, player, ABOUT_LINE_IN, world->now, 0, SOCKET_MAX_MS)
                        : world->now + chance_between(world, 0, SOCKET_MAX_MS);
    if (at < player->last_in) at = player->last_in;
    player->last_in = at;
    struct happening *what = world_schedule(world, kind, at);
    what->at = player->gateway;
    what->life = player->gateway_life;
    what->socket = player->socket;
    what->peer = player->group % 256;
    return what;
}

void player_send(struct world *world, struct player *player, const struct client_frame *frame)
{
    if (!player->socket) return;
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    happening_bytes(to_gateway(world, player, HAPPEN_SOCKET_FRAME), buf_slice(&bytes));
    buf_fini(&bytes);
}

void player_send_garbage(struct world *world, struct player *player)
{
    uint8_t bytes[64];
    size_t len = 1 + chance_below(world, sizeof bytes);
    chance_bytes(world, bytes, len);
    if (player->socket)
        happening_bytes(to_gateway(world, player, HAPPEN_SOCKET_FRAME), slice_of(bytes, len));
}

void player_forget_socket(struct player *player)
{
    player->socket = 0;
    player->welcomed = player->attached = false;
    player->asked_at = player->list_at = 0;
}

/* The browser lets go of its socket; the gateway hears of it now or later. */
void player_drop_socket(struct world *world, struct player *player, instant_ms later_ms)
{
    if (!player->socket) return;
    player->last_in = world->now + later_ms;
    to_gateway(world, player, HAPPEN_SOCKET_CLOSED);
    player->last_in = 0;
    player_forget_socket(player);
}

void player_open_socket(struct world *world, struct player *player)
{
    int first = (int)chance_below(world, (uint32_t)world->config.gateways);
    struct sim_node *gateway = NULL;
    for (int i = 0; i < world->node_count && !gateway; i++) {
        struct sim_node *node = &world->nodes[(first + i) % world->node_count];
        if (node->kind == SERVICE_GATEWAY && node->up) gateway = node;
    }
    if (!gateway) return;
    player->socket = world->next_socket++;
    player->gateway = gateway->index;
    player->gateway_life = gateway->life;
    player->last_in = player->last_out = 0;
    player->unread = 0;
    player->opened_at = world->now;
    to_gateway(world, player, HAPPEN_SOCKET_OPEN);
    world_trace(world, "%s: connects to %s", player->name, node_name(gateway));
    struct client_frame hello = {.kind = CLIENT_HELLO};
    hello.u.hello.protocol = CLIENT_PROTOCOL;
    if (player->kind == PLAYER_HOSTILE && chance_ppm(world, ODD_PROTOCOL_PPM))
        hello.u.hello.protocol += 1000;
    hello.u.hello.token = slice_of(player->token, player->token_len);
    if (player->reload || player->window == 0) {
        player->window = player->socket; /* a page that was loaded anew */
        player->line = 0;
    }
    hello.u.hello.window = player->window;
    hello.u.hello.line = ++player->line;
    player_send(world, player, &hello);
}

void player_cut(struct world *world, int index)
{
    struct player *player = &world->players[index];
    if (!player->socket) return;
    /* A page that was loaded anew and not yet seated stays one. */
    player->reload |= chance_below(world, 3) == 0;
    world_trace(world, "%s: %s", player->name, player->reload ? "reloads" : "loses the connection");
    player_drop_socket(world, player, chance_below(world, 2) ? chance_between(world, 0, 3000) : 0);
}

static void tell_taken(struct world *world, const struct player *player, instant_ms at)
{
    struct happening *taken = world_schedule(world, HAPPEN_SOCKET_TAKEN, at);
    taken->at = player->gateway;
    taken->life = player->gateway_life;
    taken->socket = player->socket;
}

void player_slow_down(struct world *world, int index)
{
    struct player *player = &world->players[index];
    player->slow_until = world->now + fault_ms(world, 1000, 60000);
    world_trace(world, "%s: reads slowly", player->name);
}

/* A socket has taken what it was given when the browser has read all of it. */
void player_has_read(struct world *world, struct player *player)
{
    if (--player->unread == 0) tell_taken(world, player, world->now);
}

void player_socket_sent(struct world *world, struct sim_node *gateway, uint64_t socket,
                        struct slice frame)
{
    uint64_t floor = check_floor_now(gateway, socket);
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (player->socket != socket) continue;
        if (player->tape) {
            buf_put_u64(player->tape, world->now);
            buf_put_sized(player->tape, frame);
            if (world->config.also_write) world->config.also_write(world, i, player->tape);
        }
        struct chance others = chance_begin(world, ACTOR_PLAYER, i, ABOUT_FRAME);
        instant_ms at = read_at(world, player);
        if (at < player->last_out) at = player->last_out;
        if (world->now < player->slow_until) player->reads_until = at;
        player->last_out = at;
        player->unread++;
        struct happening *arrives = world_schedule(world, HAPPEN_PLAYER_FRAME, at);
        arrives->at = i;
        arrives->socket = socket;
        arrives->token = floor;
        happening_bytes(arrives, frame);
        world->chance = others;
    }
}

void player_socket_closed(struct world *world, struct sim_node *gateway, uint64_t socket)
{
    map_remove(&gateway->sockets, socket);
    for (int i = 0; i < world->player_count; i++) {
        if (world->players[i].socket != socket) continue;
        if (world->players[i].tape) buf_put_u64(world->players[i].tape, world->now);
        instant_ms at = world->now + 1; /* behind what was written, if that is read soon */
        if (at < world->players[i].last_out) at = world->players[i].last_out;
        if (at > world->now + SOCKET_MAX_MS) at = world->now + SOCKET_MAX_MS;
        struct happening *closed = world_schedule(world, HAPPEN_PLAYER_CLOSED, at);
        closed->at = i;
        closed->socket = socket;
    }
}

void player_gateway_died(struct world *world, struct sim_node *gateway)
{
    for (int i = 0; i < world->player_count; i++)
        if (world->players[i].socket && world->players[i].gateway == gateway->index)
            player_socket_closed(world, gateway, world->players[i].socket);
}
