/* SPDX-License-Identifier: Apache-2.0
 *
 * Round trips. Each ping carries a nonce that cannot be guessed, so an early answer makes nobody
 * look nearer than they are. The mean moves by a fifth of each sample.
 */
#include "gateway/calls.h"

enum { RTT_MAX_US = 10 * 1000 * 1000, RTT_CHANGE_MS = 3 };

uint32_t gw_rtt_ms(const struct client *client)
{
    if (client->rtt_us == 0) return 0;
    uint32_t ms = (client->rtt_us + 500) / 1000;
    return ms ? ms : 1; /* 0 means unknown */
}

void gw_ping_due(struct gateway_core *core, struct client *client)
{
    client->nonce = gw_random(core) | 1; /* 0: none under way */
    client->ping_sent_at = core->now;
    client->ping_at = core->now + GATEWAY_PING_MS;
    struct server_frame frame = {.kind = SERVER_PING};
    frame.u.ping.nonce = client->nonce;
    frame.u.ping.rtt_ms = gw_rtt_ms(client);
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
