/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections that are no WebSocket (yet), counted by address. The core counts players; whoever
 * sends half a request and waits would pass it by and, in great numbers, take the places in which
 * requests are read. Behind a trusted proxy everybody has the proxy's address: there it keeps this
 * watch, and what is counted here are the upgrades that it passes on.
 */
#include "base/check.h"
#include "base/hash.h"
#include "gateway/edge.h"
#include "ops/system.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FORWARDED_BYTES = 4096 }; /* as much as libwebsockets takes of all headers together */

struct guest {
    struct id128 key;
    uint32_t connections;
};

/* ---- whose it is ----------------------------------------------------------------------------- */

static struct ip peer_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {.any.sa_family = AF_UNSPEC};
    socklen_t len = sizeof at;
    struct ip ip = {0};
    if (getpeername(fd, &at.any, &len) != 0) return ip;
    if (at.any.sa_family == AF_INET) {
        ip.byte[10] = ip.byte[11] = 0xff;
        memcpy(ip.byte + 12, &at.v4.sin_addr, 4);
    } else if (at.any.sa_family == AF_INET6) {
        memcpy(ip.byte, &at.v6.sin6_addr, sizeof ip.byte);
    }
    return ip;
}

struct ip guest_ip(const struct edge *edge, struct lws *wsi)
{
    char forwarded[FORWARDED_BYTES];
    struct ip peer = peer_of(lws_get_socket_fd(wsi));
    if (lws_hdr_copy(wsi, forwarded, sizeof forwarded, WSI_TOKEN_X_FORWARDED_FOR) <= 0) return peer;
    return visitor_behind(peer, &edge->proxies, forwarded);
}

bool guest_knock(const struct edge *edge, struct lws *wsi)
{
    if (!networks_hold(&edge->proxies, peer_of(lws_get_socket_fd(wsi)))) return true;
    return knocks_take(edge->knocks, guest_ip(edge, wsi), clock_boot_ms());
}

/* ---- how many there are ---------------------------------------------------------------------- */

void guest_enter(struct edge *edge, int fd)
{
    struct ip peer = peer_of(fd);
    if (networks_hold(&edge->proxies, peer)) {
        lws_adopt_socket_vhost(edge->vhost, fd);
        return;
    }
    if (!knocks_take(edge->knocks, peer, clock_boot_ms())) {
        close(fd);
        return;
    }
    peer = ip_customer(peer);
    struct id128 key = hash_128_for("guest", slice_of(peer.byte, sizeof peer.byte));
    struct guest *guest = map128_get(&edge->guests, key);
    if (guest && guest->connections >= edge->guests_max) {
        edge->guests_refused++;
        close(fd);
        return;
    }
    struct lws *wsi = lws_adopt_socket_vhost(edge->vhost, fd); /* closes fd if it cannot */
    if (wsi == NULL) return;
    if (guest == NULL) {
        guest = calloc(1, sizeof *guest);
        CHECK(guest != NULL);
        guest->key = key;
        map128_put(&edge->guests, key, guest);
    }
    guest->connections++;
    lws_set_opaque_user_data(wsi, guest);
}

void guest_leave(struct edge *edge, struct lws *wsi)
{
    struct guest *guest = lws_get_opaque_user_data(wsi);
    if (guest == NULL) return;
    lws_set_opaque_user_data(wsi, NULL);
    CHECK(guest->connections > 0);
    if (--guest->connections == 0) free(map128_remove(&edge->guests, guest->key));
}

struct fullness guests_fullness(const struct edge *edge)
{
    struct fullness now = {.bound = edge->guests_max, .refused = edge->guests_refused};
    size_t cursor = 0;
    struct id128 key;
    void *value;
    while (map128_next(&edge->guests, &cursor, &key, &value))
        fullness_see(&now, ((const struct guest *)value)->connections);
    return now;
}
