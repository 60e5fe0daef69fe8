/* SPDX-License-Identifier: Apache-2.0
 *
 * The port and the key: gateways of one cluster share them, others are told.
 */
#include "cluster/lone_gateway.h"

#include "ops/system.h"
#include "unit/free_port.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_port_of_somebody_else_is_a_clear_error(void **unused)
{
    (void)unused;
    char log[160], other_key[160], said[64];
    snprintf(log, sizeof log, "%s/log-2", lone_folder);
    snprintf(other_key, sizeof other_key, "%s/other-key", lone_folder);
    snprintf(said, sizeof said, "port %d is in use", lone_port);
    /* A gateway of another cluster. */
    assert_int_equal(lone_wait(lone_start(lone_port, other_key, log)), 1);
    assert_true(lone_file_says(log, said));
    /* A program that shares its port with anybody, and says nothing. */
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0), taken = free_port();
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)taken)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(fd, 8), 0);
    snprintf(said, sizeof said, "port %d is in use", taken);
    assert_int_equal(lone_wait(lone_start(taken, lone_key_file, log)), 1);
    assert_true(lone_file_says(log, said));
    close(fd);
}

static void gateways_of_one_cluster_share_the_port_and_one_may_leave(void **unused)
{
    (void)unused;
    char log[160];
    snprintf(log, sizeof log, "%s/log-3", lone_folder);
    pid_t second = lone_start(lone_port, lone_key_file, log);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (!lone_file_says(log, "process.started") && clock_boot_ms() < until) usleep(20 * 1000);
    enum { SOME = 40 };
    static struct ws_client clients[SOME];
    for (int i = 0; i < SOME; i++) {
        assert_true(ws_connect(&clients[i], "127.0.0.1", lone_port, 2000));
        assert_true(ws_hello(&clients[i], 2000));
    }
    kill(second, SIGTERM);
    assert_int_equal(lone_wait(second), 0);
    int told = 0, closed = 0;
    for (int i = 0; i < SOME; i++) {
        while (ws_pump(&clients[i], 0) == 1) continue;
        bool leaving = clients[i].notices & 1u << NOTICE_GATEWAY_LEAVING;
        told += leaving;
        if (clients[i].socket.fd >= 0) continue;
        closed++;
        assert_true(leaving);
        assert_int_equal(clients[i].socket.close_code, 1001);
        /* The other one takes it, and knows who it is. */
        uint8_t token[WS_TOKEN_BYTES_MAX];
        memcpy(token, clients[i].token, clients[i].token_len);
        assert_true(ws_socket_open(&clients[i].socket, "127.0.0.1", lone_port, "/ws", NULL, 2000));
        assert_true(ws_hello(&clients[i], 2000));
        assert_memory_equal(clients[i].token + 1, token + 1, 16);
    }
    assert_int_equal(told, closed);
    assert_true(closed > 0 && closed < SOME);
    for (int i = 0; i < SOME; i++) ws_free(&clients[i]);
}

static void a_key_that_others_can_read_is_refused(void **unused)
{
    (void)unused;
    char log[160];
    snprintf(log, sizeof log, "%s/log-4", lone_folder);
    struct stat about;
    assert_int_equal(stat(lone_key_file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_size, 32);
    const mode_t refused[] = {0644, 0660};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(chmod(lone_key_file, refused[i]), 0);
        assert_int_equal(lone_wait(lone_start(free_port(), lone_key_file, log)), 1);
    }
    assert_int_equal(chmod(lone_key_file, 0600), 0);
    assert_true(lone_file_says(log, "0600"));
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        lone_set_up, lone_tear_down, cmocka_unit_test(a_port_of_somebody_else_is_a_clear_error),
        cmocka_unit_test(gateways_of_one_cluster_share_the_port_and_one_may_leave),
        cmocka_unit_test(a_key_that_others_can_read_is_refused));
}
