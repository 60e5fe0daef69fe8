/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain sockets: whoever asks lives for one question, and in an image there is nothing else that
 * could ask it.
 */
#include "ops/probe.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { HOST_BYTES_MAX = 256, ANSWER_BYTES_MAX = 4096 };

/* http://host:port; false: it is nothing that can be asked. */
static bool split(const char *url, char host[HOST_BYTES_MAX], char port[8])
{
    static const char scheme[] = "http://", everywhere[] = "0.0.0.0";
    if (url == NULL || strncmp(url, scheme, sizeof scheme - 1) != 0) return false;
    const char *start = url + sizeof scheme - 1, *colon = strrchr(start, ':');
    if (colon == NULL || colon == start || (size_t)(colon - start) >= HOST_BYTES_MAX) return false;
    snprintf(host, HOST_BYTES_MAX, "%.*s", (int)(colon - start), start);
    if (strcmp(host, everywhere) == 0) snprintf(host, HOST_BYTES_MAX, "127.0.0.1");
    size_t digits = strspn(colon + 1, "0123456789");
    if (digits == 0 || digits > 5) return false;
    snprintf(port, 8, "%.*s", (int)digits, colon + 1);
    return true;
}

static int connect_to(const char *host, const char *port)
{
    const struct timeval patience = {.tv_sec = PROBE_PATIENCE_MS / 1000,
                                     .tv_usec = PROBE_PATIENCE_MS % 1000 * 1000};
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    if (getaddrinfo(host, port, &hints, &list) != 0) return -1;
    int fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool open = fd >= 0 &&
                setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
                setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0 &&
                connect(fd, list->ai_addr, list->ai_addrlen) == 0;
    freeaddrinfo(list);
    if (open) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/* What comes until the other side closes, or the buffer is full. */
static void ask(int fd, char answer[ANSWER_BYTES_MAX])
{
    static const char request[] =
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t used = 0;
    ssize_t got = send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    while (got > 0 && used < ANSWER_BYTES_MAX - 1) {
        got = recv(fd, answer + used, ANSWER_BYTES_MAX - 1 - used, 0);
        if (got > 0) used += (size_t)got;
    }
    answer[used] = 0;
}

bool probe_ready(const char *ops_url, char why[PROBE_WHY_BYTES_MAX])
{
    char host[HOST_BYTES_MAX], port[8], answer[ANSWER_BYTES_MAX];
    snprintf(why, PROBE_WHY_BYTES_MAX, "no operations port is set");
    if (!split(ops_url, host, port)) return false;
    snprintf(why, PROBE_WHY_BYTES_MAX, "nobody answers at the operations port");
    int fd = connect_to(host, port);
    if (fd < 0) return false;
    ask(fd, answer);
    close(fd);
    const char *body = strstr(answer, "\r\n\r\n");
    if (body == NULL) return false;
    snprintf(why, PROBE_WHY_BYTES_MAX, "%.*s", (int)strcspn(body + 4, "\r\n"), body + 4);
    return strncmp(answer, "HTTP/1.1 200", strlen("HTTP/1.1 200")) == 0;
}
