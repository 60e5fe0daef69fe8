/* SPDX-License-Identifier: Apache-2.0
 *
 * Round trips. Each ping carries a nonce that cannot be guessed, so an early answer makes nobody
 * look nearer than they are. The mean moves by a fifth of each sample.
 *
 * Pings are also how either side knows that the other is there. A room that plays needs round trips
 * every two seconds; people who only sit somewhere are many, and each ping wakes a phone. They are
 * pinged more than once a minute, so that no proxy on the way takes the connection for unused. Each
 * ping says when the next one comes: so the client knows how much silence means that the connection
 * is dead, and asks for itself only when a ping is late.
 */
#include "gateway/calls.h"

enum {
    RTT_MAX_US = 10 * 1000 * 1000,
    RTT_CHANGE_MS = 3,
    /* Pings of people who rest are due together, so that one turn of the loop sends many. */
    TOGETHER_MS = 250,
};

uint32_t gw_rtt_ms(const struct client *client)
{
    if (client->rtt_us == 0) return 0;
    uint32_t ms = (client->rtt_us + 500) / 1000;
    return ms ? ms : 1; /* 0 means unknown */
}

static bool plays(const struct gateway_core *core, const struct client *client)
{
    return client->mirror && core->now < client->mirror->plays_until;
}

/* Whoever came at once (after a gateway was lost) is spread by chance; the nonce has enough. */
static instant_ms next_at(const struct gateway_core *core, const struct client *client)
{
    if (plays(core, client)) return core->now + GATEWAY_PING_MS;
    instant_ms sooner = (client->nonce >> 32) % (GATEWAY_REST_PING_MS / 4);
    instant_ms at = core->now + GATEWAY_REST_PING_MS - sooner;
    return at - at % TOGETHER_MS;
}

void gw_ping_soon(struct gateway_core *core, struct client *client)
{
    if (!plays(core, client) || client->ping_at <= core->now + GATEWAY_PING_MS) return;
    client->ping_at = core->now;
    gw_client_arm(core, client);
}

void gw_ping_due(struct gateway_core *core, struct client *client)
{
    client->nonce = gw_random(core) | 1; /* 0: none under way */
    client->ping_sent_at = core->now;
    client->ping_at = next_at(core, client);
    uint32_t every_ms = (uint32_t)(client->ping_at - core->now);
    if (plays(core, client) && client->ping_every_ms > every_ms) client->heard_at = core->now;
    client->ping_every_ms = every_ms;
    struct server_frame frame = {.kind = SERVER_PING};
    frame.u.ping.nonce = client->nonce;
    frame.u.ping.rtt_ms = gw_rtt_ms(client);
    frame.u.ping.next_ms = every_ms;
    gw_send(core, client, &frame);
}

static void tell_room(struct gateway_core *core, struct client *client)
{
    uint32_t rtt_ms = gw_rtt_ms(client);
    uint32_t told_ms = client->rtt_told_ms;
    uint32_t change = rtt_ms > told_ms ? rtt_ms - told_ms : told_ms - rtt_ms;
    if (client->state != CLIENT_IN_ROOM || client->waits_attach || client->seat < 0) return;
    if (client->rtt_told_at && core->now - client->rtt_told_at < GATEWAY_RTT_MS) return;
    if (change < RTT_CHANGE_MS) return;
    client->rtt_told_at = core->now;
    client->rtt_told_ms = rtt_ms;
    struct envelope envelope = {.kind = ENV_RTT};
    envelope.u.rtt = (struct env_rtt){client->mirror->room, client->socket, rtt_ms};
    gw_mirror_send(core, client->mirror, &envelope);
}

void gw_on_pong(struct gateway_core *core, struct client *client, uint64_t nonce)
{
    if (client->nonce == 0 || nonce != client->nonce) return;
    client->nonce = 0;
    instant_ms took_ms = core->now - client->ping_sent_at;
    uint32_t sample_us = took_ms * 1000 < RTT_MAX_US ? (uint32_t)(took_ms * 1000) : RTT_MAX_US;
    if (sample_us == 0) sample_us = 500; /* below the clock's resolution */
    if (client->rtt_us == 0)
        client->rtt_us = sample_us;
    else
        client->rtt_us = (uint32_t)((4ull * client->rtt_us + sample_us) / 5);
    tell_room(core, client);
}
