/* SPDX-License-Identifier: Apache-2.0
 *
 * A port for a server of a test. It is drawn from below the ports that the system gives to
 * connections, so that no connection has taken it by the time the server binds it.
 */
#ifndef UNIT_FREE_PORT_H
#define UNIT_FREE_PORT_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of loopback, TCP; 0: none was found. */
static inline int free_port(void)
{
    enum { FIRST = 10000, COUNT = 22000, TRIES = 200 };
    for (int i = 0; i < TRIES; i++) {
        uint32_t chance = 0;
        if (getrandom(&chance, sizeof chance, 0) != sizeof chance) return 0;
        int port = FIRST + (int)(chance % COUNT);
        struct sockaddr_in at = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        bool is_free = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
        close(fd);
        if (is_free) return port;
    }
    return 0;
}

#endif
