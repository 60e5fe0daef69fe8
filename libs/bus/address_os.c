/* SPDX-License-Identifier: Apache-2.0
 *
 * Which address of this machine others dial. Whoever listens on all of them does not know; but the
 * system knows from which one it would talk to a matchmaker, and whoever reaches the matchmakers is
 * on that network. Nothing is sent to find out.
 */
#include "bus/inside.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_BYTES_MAX = 256, PORT_BYTES_MAX = 8 };

/* The host and port of tcp://host:port, tls+tcp://[host]:port; false: it is no such URL. */
static bool split(const char *url, char host[HOST_BYTES_MAX], char port[PORT_BYTES_MAX])
{
    const char *start = strstr(url, "tcp://");
    if (start == NULL) return false;
    start += strlen("tcp://");
    const char *colon = strrchr(start, ':');
    if (colon == NULL || strlen(colon + 1) >= PORT_BYTES_MAX) return false;
    bool brackets = colon - start >= 2 && start[0] == '[' && colon[-1] == ']';
    size_t len = (size_t)(colon - start) - (brackets ? 2 : 0);
    if (len == 0 || len >= HOST_BYTES_MAX) return false;
    memcpy(host, start + brackets, len);
    host[len] = 0;
    snprintf(port, PORT_BYTES_MAX, "%s", colon + 1);
    return true;
}

static bool is_everywhere(const char *host)
{
    return !strcmp(host, "0.0.0.0") || !strcmp(host, "::") || !strcmp(host, "*");
}

/* Where the way to one of its addresses begins. A datagram socket that is connected sends
 * nothing. */
static bool origin_of_way(const struct addrinfo *to, char out[HOST_BYTES_MAX])
{
    char text[INET6_ADDRSTRLEN];
    struct sockaddr_storage own = {0};
    socklen_t len = sizeof own;
    int fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    bool found =
        connect(fd, to->ai_addr, to->ai_addrlen) == 0 &&
        getsockname(fd, (struct sockaddr *)&own, &len) == 0 &&
        getnameinfo((struct sockaddr *)&own, len, text, sizeof text, NULL, 0, NI_NUMERICHOST) == 0;
    close(fd);
    if (found) snprintf(out, HOST_BYTES_MAX, own.ss_family == AF_INET6 ? "[%s]" : "%s", text);
    return found;
}

static bool own_address(const struct bus_config *config, char out[HOST_BYTES_MAX])
{
    const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
    bool found = false;
    for (int i = 0; i < config->matchmaker_count && !found; i++) {
        char host[HOST_BYTES_MAX], port[PORT_BYTES_MAX];
        struct addrinfo *list = NULL;
        if (!split(config->matchmakers[i], host, port)) continue;
        if (getaddrinfo(host, port, &hints, &list) != 0) continue;
        for (struct addrinfo *at = list; at && !found; at = at->ai_next)
            found = origin_of_way(at, out);
        freeaddrinfo(list);
    }
    return found;
}

bool address_fill_in(const struct bus_config *config, char url[WIRE_URL_BYTES_MAX + 1])
{
    char host[HOST_BYTES_MAX], port[PORT_BYTES_MAX], made[WIRE_URL_BYTES_MAX + 1];
    if (!split(url, host, port) || !is_everywhere(host)) return true;
    if (!own_address(config, host)) return false;
    int scheme = (int)(strstr(url, "://") - url);
    int len = snprintf(made, sizeof made, "%.*s://%s:%s", scheme, url, host, port);
    if (len < 0 || (size_t)len >= sizeof made) return false;
    memcpy(url, made, (size_t)len + 1);
    return true;
}
