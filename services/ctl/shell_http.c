/* SPDX-License-Identifier: Apache-2.0
 *
 * One GET over a plain socket, with a limit of time: enough for operations ports, and small enough
 * for a probe that runs every second.
 */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/http.h"
#include "ctl/shell.h"
#include "ops/system.h"

enum { ANSWER_BYTES_MAX = 8 << 20, HOST_BYTES_MAX = 256, OPS_AT_ONCE = 64 };

/* Waits until the socket may be read or written. False: the time is over. */
static bool wait_for(int fd, short events, instant_ms until)
{
    for (;;) {
        instant_ms now = clock_boot_ms();
        if (now >= until) return false;
        struct pollfd poll_fd = {.fd = fd, .events = events};
        int ready = poll(&poll_fd, 1, (int)(until - now));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

static bool connect_to(int fd, const struct addrinfo *to, instant_ms until)
{
    if (connect(fd, to->ai_addr, to->ai_addrlen) == 0) return true;
    int error = 0;
    socklen_t len = sizeof error;
    if (errno != EINPROGRESS || !wait_for(fd, POLLOUT, until)) return false;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 && error == 0;
}

static int open_socket(const char *host, int port, instant_ms until)
{
    char service[16];
    struct addrinfo want = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(host, service, &want, &found) != 0) return -1;
    int fd = -1;
    for (const struct addrinfo *to = found; to && fd < 0; to = to->ai_next) {
        fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || connect_to(fd, to, until)) continue;
        close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

static bool send_all(int fd, const char *text, size_t len, instant_ms until)
{
    while (len > 0) {
        ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);
        if (sent > 0) {
            text += sent;
            len -= (size_t)sent;
        } else if (errno != EAGAIN || !wait_for(fd, POLLOUT, until)) {
            return false;
        }
    }
    return true;
}

static bool read_all(int fd, struct buf *answer, instant_ms until)
{
    while (answer->len < ANSWER_BYTES_MAX) {
        uint8_t part[16384];
        if (!wait_for(fd, POLLIN, until)) return false;
        ssize_t got = recv(fd, part, sizeof part, 0);
        if (got == 0) return true;
        if (got < 0 && errno != EAGAIN) return false;
        if (got > 0) buf_put(answer, part, (size_t)got);
    }
    return false;
}

bool http_get(const char *host, int port, const char *path, int64_t timeout_ms, int *status,
              struct buf *body)
{
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    struct buf request = {0}, answer = {0};
    struct slice rest = {0};
    int fd = open_socket(host, port, until);
    if (fd < 0) return false;
    text_add(&request, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, host);
    bool good =
        send_all(fd, (const char *)request.at, request.len, until) && read_all(fd, &answer, until);
    *status = good ? http_status(buf_slice(&answer), &rest) : 0;
    buf_put_slice(body, rest);
    buf_fini(&request);
    buf_fini(&answer);
    close(fd);
    return *status != 0;
}

bool http_reached(const char *host, int port, int64_t timeout_ms)
{
    int fd = open_socket(host, port, clock_boot_ms() + (instant_ms)timeout_ms);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool ctl_ops_get(const struct member *member, const char *path, int64_t timeout_ms, int *status,
                 struct buf *body)
{
    char host[HOST_BYTES_MAX];
    const char *url =
        member->control_url && *member->control_url ? member->control_url : member->inbox_url;
    if (member->ops_port == 0 || member->silent_ms == MEMBER_DEAD) return false;
    return url_host(url, host, sizeof host) &&
           http_get(host, (int)member->ops_port, path, timeout_ms, status, body);
}

struct ops_round {
    struct ops_answer *answers;
    int count;
    const char *path;
    int64_t timeout_ms;
    atomic_int next;
};

static void *ask_ops(void *with)
{
    struct ops_round *round = with;
    for (int i; (i = atomic_fetch_add(&round->next, 1)) < round->count;) {
        struct ops_answer *answer = &round->answers[i];
        if (!ctl_ops_get(answer->of, round->path, round->timeout_ms, &answer->status,
                         &answer->body))
            answer->status = 0;
    }
    return NULL;
}

/* A host that drops what it is sent costs the time limit: others do not wait behind it. */
void ctl_ops_get_all(struct ops_answer *answers, int count, const char *path, int64_t timeout_ms)
{
    struct ops_round round = {answers, count, path, timeout_ms, 0};
    pthread_t threads[OPS_AT_ONCE];
    int started = 0;
    while (started < count && started < OPS_AT_ONCE &&
           pthread_create(&threads[started], NULL, ask_ops, &round) == 0)
        started++;
    ask_ops(&round);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

static const char *const loopback = "127.0.0.1";
enum { OPS_PORT = 9100 };

int run_probe(struct ctl *ctl)
{
    int64_t port;
    int status = 0;
    struct buf body = {0};
    const char *path = ctl->is.flag[CTL_PATH] ? ctl->is.flag[CTL_PATH] : "/readyz";
    if (!ctl_arguments_number(&ctl->is, CTL_PORT, 1, 65535, OPS_PORT, &port))
        return ctl_fail(CTL_EXIT_USAGE, "%s", ctl->is.error);
    if (*path != '/' || strpbrk(path, " \r\n"))
        return ctl_fail(CTL_EXIT_USAGE, "--path: '%.60s' is no path such as /readyz", path);
    bool answered = http_get(loopback, (int)port, path, ctl->timeout_ms, &status, &body);
    buf_put_u8(&body, 0);
    int code = CTL_EXIT_OK;
    if (!answered)
        code = ctl_fail(CTL_EXIT_FAILED, "nobody answers at %s:%d", loopback, (int)port);
    else if (status != 200)
        code = ctl_fail(CTL_EXIT_FAILED, "%s: %d %.*s", path, status,
                        (int)strcspn((char *)body.at, "\n"), (char *)body.at);
    buf_fini(&body);
    return code;
}
