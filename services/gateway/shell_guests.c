/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections that are no WebSocket (yet), counted by address. The core counts players; whoever
 * sends half a request and waits would pass it by and, in great numbers, take the places in which
 * requests are read. Behind a proxy everybody has the proxy's address: there it keeps this watch.
 */
#include "base/check.h"
#include "base/hash.h"
#include "gateway/edge.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct guest {
    struct id128 key;
    uint32_t connections;
};

/* One customer of an IPv6 provider has a whole /64. */
static struct id128 key_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {.any.sa_family = AF_UNSPEC};
    socklen_t len = sizeof at;
    uint8_t bytes[17] = {0};
    if (getpeername(fd, &at.any, &len) == 0 && at.any.sa_family == AF_INET) {
        bytes[0] = 4;
        memcpy(bytes + 1, &at.v4.sin_addr, 4);
    } else if (at.any.sa_family == AF_INET6) {
        bool v4 = IN6_IS_ADDR_V4MAPPED(&at.v6.sin6_addr);
        bytes[0] = v4 ? 4 : 6;
        memcpy(bytes + 1, &at.v6.sin6_addr.s6_addr[v4 ? 12 : 0], v4 ? 4 : 8);
    }
    return hash_128_for("guest", slice_of(bytes, sizeof bytes));
}

void guest_enter(struct edge *edge, int fd)
{
    if (edge->trust_forwarded) {
        lws_adopt_socket_vhost(edge->vhost, fd);
        return;
    }
    struct id128 key = key_of(fd);
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
