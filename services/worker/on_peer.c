/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes on the other side of the data plane: gateways and timers, known by instance and the
 * URL of their inbox.
 */
#include "worker/parts.h"

#include <stdlib.h>

/* Behind a URL there is one process at a time: a new one there means that the former is dead. */
static void bury_former(struct worker_core *core, const char *url)
{
    size_t cursor = 0;
    struct id128 instance;
    void *value;
    while (map128_next(&core->peers, &cursor, &instance, &value)) {
        const struct peer *peer = value;
        if (strcmp(peer->url, url) != 0) continue;
        on_peer_gone(core, instance);
        return;
    }
}

/* The peer is remembered by its instance, so that answers find its inbox. */
struct peer *peer_know(struct worker_core *core, struct id128 instance, const char *url)
{
    struct peer *peer = map128_get(&core->peers, instance);
    size_t len = url ? strlen(url) : 0;
    if (len == 0 || len >= sizeof peer->url) return peer;
    if (peer == NULL) {
        bury_former(core, url);
        if (core->peers.count >= WORKER_PEERS_MAX || id128_is_zero(instance)) return NULL;
        peer = calloc(1, sizeof *peer);
        CHECK(peer != NULL);
        peer->instance = instance;
        map128_put(&core->peers, instance, peer);
    }
    memcpy(peer->url, url, len + 1);
    return peer;
}

/* What was under way to us is lost, and perhaps what was under way from us: next comes all. A
 * gateway may not have heard of rooms that came here: its people would wait until they are asked
 * about, one by one. */
void on_peer_reset(struct worker_core *core, const struct event *event)
{
    size_t count;
    struct id128 peer = event->peer;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    for (size_t i = 0; i < count; i++) {
        struct owned_room *o = core_find(core, ids[i]);
        struct room_gateway *gateway = o ? gateway_find(o, peer) : NULL;
        if (gateway) gateway->based = false;
    }
    free(ids);
    members_tell_again(core, peer, event->peer_url);
}

/* It may have slept, or be cut off from those who called it dead. Then it does not know that its
 * people count as gone: it has to bring them in again. */
static void say_farewell(struct worker_core *core, const struct owned_room *o, struct id128 peer)
{
    const struct envelope envelope = viewers_here(core, o);
    core_send(core, peer, &envelope);
}

void on_peer_gone(struct worker_core *core, struct id128 peer)
{
    size_t count;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    for (size_t i = 0; i < count; i++) {
        struct owned_room *o = core_find(core, ids[i]);
        if (o == NULL || gateway_find(o, peer) == NULL) continue;
        say_farewell(core, o, peer);
        viewers_lose_gateway(core, o, peer);
        core_touch(core, o);
    }
    free(ids);
    free(map128_remove(&core->peers, peer));
}
