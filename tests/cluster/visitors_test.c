/* SPDX-License-Identifier: Apache-2.0
 *
 * What one address may do at a gateway, and whose address it is behind a proxy.
 */
#include "cluster/lone_gateway.h"

#include "ops/system.h"
#include "unit/free_port.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROXY    "127.0.0.5" /* that the gateway is told to believe */
#define STRANGER "127.0.0.6"

enum {
    HANDSHAKES_PER_S = 5,
    HANDSHAKES_BURST = 50,
    CONNECTIONS_MAX = 3,
    TRIES = 300,
    CLOSE_ADDRESS = 4004,
    TOO_MANY = 429,
    SETTLE_MS = 300,
};

static int port, ops_port;
static pid_t gateway;

/* ---- a gateway with little patience ---------------------------------------------------------- */

static bool is_up(void)
{
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    int fd = -1;
    while (fd < 0 && clock_boot_ms() < until) {
        fd = socket_dial(PROXY, "127.0.0.1", port, 0);
        if (fd < 0) usleep(20 * 1000);
    }
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static int open_all(void **state)
{
    char ops[64], log[160];
    const char *const flags[] = {"--address-handshakes-max=5", "--address-connections-max=3",
                                 "--proxies=127.0.0.5/32, fd00::/8", ops, NULL};
    if (lone_set_up(state) != 0) return -1;
    port = free_port();
    ops_port = free_port();
    snprintf(ops, sizeof ops, "--ops=http://127.0.0.1:%d", ops_port);
    snprintf(log, sizeof log, "%s/log-strict", lone_folder);
    gateway = lone_start_with(port, lone_key_file, log, flags);
    return is_up() ? 0 : -1;
}

static int close_all(void **state)
{
    kill(gateway, SIGTERM);
    return lone_wait(gateway) == 0 && lone_tear_down(state) == 0 ? 0 : -1;
}

static long refused_handshakes(void)
{
    static const char wanted[] = "\nmadang_gateway_handshakes_refused_total ";
    struct buf answer = {0};
    assert_int_equal(http_get("127.0.0.1", ops_port,
                              "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                              &answer, PATIENCE_MS),
                     200);
    buf_put_u8(&answer, 0);
    const char *at = strstr((const char *)answer.at, wanted);
    assert_non_null(at);
    long value = strtol(at + sizeof wanted - 1, NULL, 10);
    buf_fini(&answer);
    return value;
}

/* ---- connections ----------------------------------------------------------------------------- */

static bool stays_open(int fd)
{
    char byte;
    return fd >= 0 && recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static void more_connections_a_second_than_an_address_may_make_are_closed(void **unused)
{
    (void)unused;
    static int fds[TRIES];
    instant_ms from = clock_boot_ms();
    for (int i = 0; i < TRIES; i++) {
        fds[i] = socket_dial("127.0.0.2", "127.0.0.1", port, 0);
        /* The number of those that are open is another limit. */
        if (i % CONNECTIONS_MAX == CONNECTIONS_MAX - 1)
            for (int k = i - CONNECTIONS_MAX + 1; k <= i; k++) {
                close(fds[k]);
                usleep(1000);
            }
    }
    int seconds = (int)((clock_boot_ms() - from) / 1000) + 1;
    long least = TRIES - HANDSHAKES_BURST - HANDSHAKES_PER_S * (seconds + 1), refused = -1;
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    do { /* metrics are not of this moment */
        usleep(2 * SETTLE_MS * 1000);
        refused = refused_handshakes();
    } while (refused < least && clock_boot_ms() < until);
    assert_in_range(refused, least, TRIES);
    int late = socket_dial("127.0.0.2", "127.0.0.1", port, 0);
    int other = socket_dial("127.0.0.3", "127.0.0.1", port, 0);
    usleep(SETTLE_MS * 1000);
    assert_true(stays_open(other));
    close(late);
    close(other);
}

static void more_connections_than_an_address_may_hold_are_closed(void **unused)
{
    (void)unused;
    int fds[CONNECTIONS_MAX + 1], other = socket_dial("127.0.0.8", "127.0.0.1", port, 0);
    for (int i = 0; i <= CONNECTIONS_MAX; i++)
        fds[i] = socket_dial("127.0.0.7", "127.0.0.1", port, 0);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (stays_open(fds[CONNECTIONS_MAX]) && clock_boot_ms() < until) usleep(10 * 1000);
    for (int i = 0; i <= CONNECTIONS_MAX; i++)
        assert_int_equal(stays_open(fds[i]), i < CONNECTIONS_MAX);
    assert_true(stays_open(other));
    for (int i = 0; i <= CONNECTIONS_MAX; i++) close(fds[i]);
    close(other);
}

/* ---- behind a proxy -------------------------------------------------------------------------- */

struct visit {
    int fd, status, close_code;
};

static void wait_at_most(int fd, int ms)
{
    struct timeval patience = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

/* What stands behind the head of an answer; NULL: it is not whole yet. */
static const char *behind_head(const char *answer, size_t len)
{
    const char *end = memmem(answer, len, "\r\n\r\n", 4);
    return end ? end + 4 : NULL;
}

/* A WebSocket from that address, with that X-Forwarded-For (NULL: without). One that is to be
 * closed is waited for. */
static struct visit visit(const char *from, const char *forwarded, bool closes)
{
    struct visit visit = {.fd = socket_dial(from, "127.0.0.1", port, 0)};
    char request[2048], answer[4096] = "";
    const char *frame = NULL;
    size_t got = 0;
    ssize_t more = 1;
    int len = ws_socket_request(request, sizeof request, "127.0.0.1", port, "/ws", NULL);
    if (forwarded)
        len += snprintf(request + len - 2, sizeof request - (size_t)len,
                        "X-Forwarded-For: %s\r\n\r\n", forwarded) -
               2;
    socket_put(visit.fd, request, (size_t)len);
    while (more > 0 && (frame == NULL || answer + got - frame < 4)) {
        wait_at_most(visit.fd, frame == NULL || closes ? PATIENCE_MS : SETTLE_MS);
        more = recv(visit.fd, answer + got, sizeof answer - 1 - got, 0);
        if (more > 0) got += (size_t)more;
        frame = behind_head(answer, got);
    }
    if (strncmp(answer, "HTTP/1.1 ", 9) == 0) visit.status = (int)strtol(answer + 9, NULL, 10);
    if (frame && answer + got - frame >= 4 && (uint8_t)frame[0] == 0x88)
        visit.close_code = (uint8_t)frame[2] << 8 | (uint8_t)frame[3];
    return visit;
}

static void assert_let_in(struct visit visit)
{
    assert_int_equal(visit.status, 101);
    assert_int_equal(visit.close_code, 0);
}

static void behind_a_proxy_of_ours_each_browser_is_itself(void **unused)
{
    (void)unused;
    struct visit house[CONNECTIONS_MAX + 1], neighbour, liar, stranger, bare;
    for (int i = 0; i <= CONNECTIONS_MAX; i++)
        house[i] = visit(PROXY, "203.0.113.1", i == CONNECTIONS_MAX);
    for (int i = 0; i < CONNECTIONS_MAX; i++) assert_let_in(house[i]);
    assert_int_equal(house[CONNECTIONS_MAX].close_code, CLOSE_ADDRESS);
    neighbour = visit(PROXY, "203.0.113.2", false);
    assert_let_in(neighbour);
    /* What the browser itself wrote stands in front, and helps it nothing. */
    liar = visit(PROXY, "198.51.100.9, 203.0.113.1", true);
    assert_int_equal(liar.close_code, CLOSE_ADDRESS);
    /* Nor does it make somebody else of one who comes without a proxy, */
    stranger = visit(STRANGER, "203.0.113.1", false);
    assert_let_in(stranger);
    bare = visit(PROXY, NULL, false);
    assert_let_in(bare);
    for (int i = 0; i <= CONNECTIONS_MAX; i++) close(house[i].fd);
    close(neighbour.fd);
    close(liar.fd);
    close(stranger.fd);
    close(bare.fd);
}

/* or let a stranger be a hundred addresses. */
static void a_stranger_is_one_address_whatever_it_claims(void **unused)
{
    (void)unused;
    struct visit visits[CONNECTIONS_MAX + 1];
    for (int i = 0; i <= CONNECTIONS_MAX; i++) {
        char claim[32];
        snprintf(claim, sizeof claim, "203.0.113.%d", 100 + i);
        visits[i] = visit("127.0.0.9", claim, i == CONNECTIONS_MAX);
    }
    for (int i = 0; i < CONNECTIONS_MAX; i++) assert_let_in(visits[i]);
    assert_int_not_equal(visits[CONNECTIONS_MAX].status, 0);
    assert_int_equal(visits[CONNECTIONS_MAX].close_code, CLOSE_ADDRESS);
    for (int i = 0; i <= CONNECTIONS_MAX; i++) close(visits[i].fd);
}

static void a_browser_behind_a_proxy_that_comes_too_often_is_told(void **unused)
{
    (void)unused;
    int told = 0;
    for (int i = 0; i < HANDSHAKES_BURST + 80; i++) {
        int fd = socket_dial(PROXY, "127.0.0.1", port, 0);
        char request[1024], answer[16] = "";
        int len = ws_socket_request(request, sizeof request, "127.0.0.1", port, "/ws", NULL);
        len += snprintf(request + len - 2, sizeof request - (size_t)len,
                        "X-Forwarded-For: 2001:db8:1:2::%d\r\n\r\n", i) -
               2;
        socket_put(fd, request, (size_t)len);
        if (recv(fd, answer, sizeof answer - 1, 0) > 12)
            told += strtol(answer + 9, NULL, 10) == TOO_MANY;
        close(fd);
    }
    assert_true(told > 0); /* one customer has many addresses of IPv6 */
    struct visit other = visit(PROXY, "2001:db8:1:3::1", false);
    assert_let_in(other);
    close(other.fd);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all,
        cmocka_unit_test(more_connections_a_second_than_an_address_may_make_are_closed),
        cmocka_unit_test(more_connections_than_an_address_may_hold_are_closed),
        cmocka_unit_test(behind_a_proxy_of_ours_each_browser_is_itself),
        cmocka_unit_test(a_stranger_is_one_address_whatever_it_claims),
        cmocka_unit_test(a_browser_behind_a_proxy_that_comes_too_often_is_told));
}
