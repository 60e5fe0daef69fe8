/* SPDX-License-Identifier: Apache-2.0
 *
 * The port. Gateways of one cluster on one host share it (SO_REUSEPORT: the kernel spreads
 * connections over them). The kernel would also let a gateway of another cluster in, so whoever
 * listens there already is asked for its cluster first.
 */
#include "base/check.h"
#include "gateway/edge.h"
#include "ops/system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ACCEPT_MAX = 64, /* in one turn of the loop */
    BACKLOG = 1024,
    PROBE_MS = 8000,         /* one of ours that the machine starves answers late */
    UNSENT_BYTES = 16 << 10, /* in the kernel before a socket counts as not writable */
    SEND_BYTES = 64 << 10,
};

struct place {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at;
    socklen_t len;
};

static bool place_of(const char *bind_to, int port, struct place *out)
{
    *out = (struct place){0};
    if (inet_pton(AF_INET, bind_to, &out->at.v4.sin_addr) == 1) {
        out->at.v4.sin_family = AF_INET;
        out->at.v4.sin_port = htons((uint16_t)port);
        out->len = sizeof out->at.v4;
        return true;
    }
    if (inet_pton(AF_INET6, bind_to, &out->at.v6.sin6_addr) == 1) {
        out->at.v6.sin6_family = AF_INET6;
        out->at.v6.sin6_port = htons((uint16_t)port);
        out->len = sizeof out->at.v6;
        return true;
    }
    return false;
}

/* Where a listener at that place is reached from here. */
static struct place reached_at(struct place place)
{
    if (place.at.any.sa_family == AF_INET && place.at.v4.sin_addr.s_addr == htonl(INADDR_ANY))
        place.at.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (place.at.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&place.at.v6.sin6_addr))
        place.at.v6.sin6_addr = in6addr_loopback;
    return place;
}

/* ---- who is there already -------------------------------------------------------------------- */

static bool wait_for(int fd, short what, instant_ms until)
{
    instant_ms now = clock_boot_ms();
    struct pollfd one = {.fd = fd, .events = what};
    return now < until && poll(&one, 1, (int)(until - now)) == 1;
}

static const char request[] =
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

static size_t ask(int fd, instant_ms until, char *into, size_t size)
{
    size_t got = 0;
    into[0] = '\0';
    if (!wait_for(fd, POLLOUT, until)) return 0;
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
        return 0;
    while (got < size - 1 && wait_for(fd, POLLIN, until)) {
        ssize_t more = recv(fd, into + got, size - 1 - got, 0);
        if (more <= 0) break;
        got += (size_t)more;
        into[got] = '\0';
        if (strstr(into, "\r\n\r\n")) break;
    }
    return got;
}

static size_t ask_by_tls(int fd, char *into, size_t size)
{
    const struct timeval patience = {.tv_sec = PROBE_MS / 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return https_ask(fd, request, into, size);
}

/* While keys are changed it may be known by either. */
static bool is_of_ours(const struct edge *edge, const char *answer)
{
    for (int i = 0; i < edge->cluster_count; i++) {
        char header[64];
        snprintf(header, sizeof header, "x-madang-cluster: %s\r\n", edge->clusters[i]);
        if (strcasestr(answer, header)) return true;
    }
    return false;
}

/* True when nobody listens there, or a gateway of this cluster does. One that ends while it is
 * asked says nothing: whoever listens then is asked again. */
static bool may_listen(const struct edge *edge, const struct place *place)
{
    struct place there = reached_at(*place);
    char answer[2048];
    instant_ms until = clock_boot_ms() + PROBE_MS;
    do {
        int fd = socket(there.at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) return true; /* listening will fail and say why */
        bool nobody = connect(fd, &there.at.any, there.len) != 0;
        size_t got = 0;
        if (!nobody)
            got = edge->https ? ask_by_tls(fd, answer, sizeof answer)
                              : ask(fd, until, answer, sizeof answer);
        close(fd);
        if (nobody) return true;
        if (got) return is_of_ours(edge, answer);
        usleep(10 * 1000);
    } while (clock_boot_ms() < until);
    return false;
}

/* ---- listening ------------------------------------------------------------------------------- */

static int listen_at(const struct place *place)
{
    int on = 1, off = 0;
    int fd = socket(place->at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    bool set = setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
               setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
    if (set && place->at.any.sa_family == AF_INET6)
        set = setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0;
    if (set && bind(fd, &place->at.any, place->len) == 0 && listen(fd, BACKLOG) == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static void tune(int fd)
{
    int on = 1, unsent = UNSENT_BYTES, send_bytes = SEND_BYTES;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
}

static void on_door(uv_poll_t *door, int status, int events)
{
    struct edge *edge = door->data;
    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPT_MAX; i++) {
        int fd = accept4(edge->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == ECONNABORTED || errno == EINTR)) continue;
        if (fd < 0 && errno != EAGAIN) {
            /* No descriptors: they wait in the backlog until the next tick. */
            uv_poll_stop(&edge->door);
            edge->door_waits = true;
        }
        if (fd < 0) return;
        tune(fd);
        guest_enter(edge, fd);
    }
}

static const char *reason_of(int error, int port)
{
    static char sentence[128];
    if (error == EADDRINUSE)
        snprintf(sentence, sizeof sentence, "port %d is in use", port);
    else
        snprintf(sentence, sizeof sentence, "cannot listen on port %d: %s", port, strerror(error));
    return sentence;
}

bool door_open(struct edge *edge, const char *bind_to, int port, const char **why)
{
    struct place place;
    if (!place_of(bind_to, port, &place)) {
        *why = "the address to bind to is not an IP address";
        return false;
    }
    if (!may_listen(edge, &place)) {
        *why = reason_of(EADDRINUSE, port);
        return false;
    }
    edge->listener = listen_at(&place);
    if (edge->listener < 0) {
        *why = reason_of(errno, port);
        return false;
    }
    CHECK(uv_poll_init(&edge->shell->loop, &edge->door, edge->listener) == 0);
    edge->door.data = edge;
    edge->door_open = true;
    CHECK(uv_poll_start(&edge->door, UV_READABLE, on_door) == 0);
    return true;
}

void door_retry(struct edge *edge)
{
    if (!edge->door_open || !edge->door_waits) return;
    edge->door_waits = false;
    CHECK(uv_poll_start(&edge->door, UV_READABLE, on_door) == 0);
}

/* Those who have connected but not been accepted yet are let in, to be told that this one
 * leaves. */
void door_close(struct edge *edge)
{
    if (!edge->door_open) return;
    on_door(&edge->door, 0, UV_READABLE);
    uv_poll_stop(&edge->door);
    uv_close((uv_handle_t *)&edge->door, NULL);
    close(edge->listener);
    edge->door_open = false;
}
