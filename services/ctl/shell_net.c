/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/up.h"

enum { PORTS_MAX = 16 };

static bool parse(const char *address, int port, struct sockaddr_in *out)
{
    *out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return inet_pton(AF_INET, address, &out->sin_addr) == 1;
}

/* Without SO_REUSEPORT: any listener there, another Madang's gateway too, makes the port busy. */
enum port_state port_probe(const char *address, int port)
{
    struct sockaddr_in where;
    if (!parse(address, port, &where)) return PORT_BAD_ADDRESS;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return PORT_FORBIDDEN;
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    enum port_state state = PORT_FREE;
    if (bind(fd, (struct sockaddr *)&where, sizeof where) || listen(fd, 1))
        state = errno == EADDRINUSE      ? PORT_BUSY
                : errno == EADDRNOTAVAIL ? PORT_BAD_ADDRESS
                                         : PORT_FORBIDDEN;
    close(fd);
    return state;
}

/* Held open together, so that all are different. */
bool free_ports(int *ports, int count)
{
    int fds[PORTS_MAX], opened = 0;
    for (; opened < count && opened < PORTS_MAX; opened++) {
        struct sockaddr_in where;
        socklen_t len = sizeof where;
        parse("127.0.0.1", 0, &where);
        int fd = fds[opened] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) break;
        if (bind(fd, (struct sockaddr *)&where, len) ||
            getsockname(fd, (struct sockaddr *)&where, &len)) {
            close(fd);
            break;
        }
        ports[opened] = ntohs(where.sin_port);
    }
    for (int i = 0; i < opened; i++) close(fds[i]);
    return opened == count;
}

bool tcp_answers(const char *address, int port)
{
    struct sockaddr_in where;
    if (!parse(strcmp(address, "0.0.0.0") ? address : "127.0.0.1", port, &where)) return false;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    bool yes = connect(fd, (struct sockaddr *)&where, sizeof where) == 0;
    close(fd);
    return yes;
}

/* One PING over the unix socket: true only when Redis has loaded its data and serves. */
bool redis_answers(const char *path)
{
    struct sockaddr_un where = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof where.sun_path) return false;
    memcpy(where.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    struct timeval limit = {.tv_usec = 200 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    char answer[16] = "";
    bool yes = connect(fd, (struct sockaddr *)&where, sizeof where) == 0 &&
               write(fd, "PING\r\n", 6) == 6 && read(fd, answer, sizeof answer - 1) > 0 &&
               strncmp(answer, "+PONG", 5) == 0;
    close(fd);
    return yes;
}

bool lan_address(char out[64])
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list)) return false;
    bool found = false;
    for (struct ifaddrs *at = list; at && !found; at = at->ifa_next) {
        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET) continue;
        if ((at->ifa_flags & IFF_LOOPBACK) || !(at->ifa_flags & IFF_UP)) continue;
        const struct sockaddr_in *address = (const struct sockaddr_in *)(void *)at->ifa_addr;
        found = inet_ntop(AF_INET, &address->sin_addr, out, 64) != NULL;
    }
    freeifaddrs(list);
    return found;
}
