/* SPDX-License-Identifier: Apache-2.0
 *
 * What somebody can do who means harm, against real processes: others must not notice.
 */
#include "cluster/cluster.h"
#include "cluster/ws_client.h"
#include "ops/system.h"
#include "unit/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 10 * 1000,
    AT_ONCE_MS = 2000,

    HALVES = 600,
    ADDRESS_MAX = 400,
};

static struct cluster cluster;

static int set_up(void **state)
{
    (void)state;
    cluster = (struct cluster){.workers = 1};
    return cluster_start(&cluster) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    bool in_order = cluster_stop(&cluster);
    cluster_remove(&cluster);
    return in_order ? 0 : -1;
}

/* A connection from another address than that of the players. */
static int connect_from(const char *address)
{
    struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(inet_pton(AF_INET, address, &from.sin_addr), 1);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons((uint16_t)cluster.port);
    assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static bool is_open(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static int open_of(const int *fds, int count)
{
    int open = 0;
    for (int i = 0; i < count; i++) open += is_open(fds[i]);
    return open;
}

static void create_room(void)
{
    struct ws_client player = {0};
    assert_true(ws_connect(&player, "127.0.0.1", cluster.port, AT_ONCE_MS));
    assert_true(ws_hello(&player, AT_ONCE_MS));
    assert_true(ws_create(&player, "davinci-code", "민수", NULL, 0, PATIENCE_MS));
    ws_free(&player);
}

/* They wait for the end of a request that never comes. */
static void half_requests_of_one_address_keep_nobody_out(void **state)
{
    (void)state;
    static const char half[] = "GET / HTTP/1.1\r\nX: ";
    int fds[HALVES];
    for (int i = 0; i < HALVES; i++) {
        fds[i] = connect_from("127.0.0.2");
        send(fds[i], half, sizeof half - 1, MSG_NOSIGNAL);
    }
    create_room();
    int open = open_of(fds, HALVES);
    assert_true(open > 0 && open <= ADDRESS_MAX);
    for (int i = 0; i < HALVES; i++) close(fds[i]);
    sleep_ms(500);
    int again = connect_from("127.0.0.2");
    sleep_ms(200);
    assert_true(is_open(again));
    close(again);
}

/* It is told so and then no longer read. */
static void a_flood_is_cut(void **state)
{
    (void)state;
    struct ws_client flood = {0};
    struct client_frame ping = {.kind = CLIENT_PING};
    assert_true(ws_connect(&flood, "127.0.0.1", cluster.port, PATIENCE_MS));
    assert_true(ws_hello(&flood, PATIENCE_MS));
    for (int i = 0; i < 2000 && ws_send(&flood, &ping); i++) continue;
    create_room();
    while (ws_pump(&flood, PATIENCE_MS) > 0) continue;
    assert_int_equal(flood.socket.close_code, 1008);
    ws_free(&flood);
}

/* Nothing is tried again and again, and nothing is left running. */
static void a_wrong_setting_is_told_at_once(void **state)
{
    (void)state;
    struct cluster wrong = {0};
    setenv("MADANG_GRACE", "never", 1);
    bool started = cluster_start(&wrong);
    unsetenv("MADANG_GRACE");
    assert_false(started);
    assert_true(cluster_said(&wrong, "does not take its settings"));
    assert_false(cluster_said(&wrong, "runs again"));
    cluster_remove(&wrong);
}

/* They were told to end with their supervisor, but for a moment Redis still writes and a gateway
 * still listens: the next start waits for them. */
static void a_start_after_a_killed_supervisor_waits_for_its_children(void **state)
{
    (void)state;
    struct cluster killed = {0};
    assert_true(cluster_start(&killed));
    char path[200];
    snprintf(path, sizeof path, "%s/children.lock", killed.data);
    int lock = open(path, O_RDWR | O_CLOEXEC);
    assert_true(lock >= 0);
    assert_int_equal(kill(killed.supervisor, SIGKILL), 0);
    assert_int_equal(waitpid(killed.supervisor, NULL, 0), killed.supervisor);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), -1);
    close(lock);
    assert_true(cluster_start(&killed));
    assert_true(cluster_stop(&killed));
    cluster_remove(&killed);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_requests_of_one_address_keep_nobody_out),
        cmocka_unit_test(a_flood_is_cut),
        cmocka_unit_test(a_wrong_setting_is_told_at_once),
        cmocka_unit_test(a_start_after_a_killed_supervisor_waits_for_its_children),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
