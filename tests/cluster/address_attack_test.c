/* SPDX-License-Identifier: Apache-2.0
 *
 * What one address can do to the others: connections that are no WebSocket yet, and a flood.
 */
#include "cluster/attacker.h"

#include <sys/socket.h>
#include <unistd.h>

enum {
    HALVES = 1500,
    KNOCKS_BURST = 1000, /* connections of an address at once; then a hundred a second */
    KNOCKS_PER_S = 100,
};

static int open_of(const int *fds, int count)
{
    int open = 0;
    for (int i = 0; i < count; i++) open += is_open(fds[i]);
    return open;
}

/* They wait for the end of a request that never comes. */
static void half_requests_of_one_address_keep_nobody_out(void **state)
{
    (void)state;
    static const char half[] = "GET / HTTP/1.1\r\nX: ";
    static int fds[HALVES];
    instant_ms from = clock_boot_ms();
    for (int i = 0; i < HALVES; i++) {
        fds[i] = socket_dial(NEXT_DOOR, HOME, attacked.port, 0);
        assert_true(fds[i] >= 0);
        send(fds[i], half, sizeof half - 1, MSG_NOSIGNAL);
    }
    assert_others_notice_nothing();
    int open = open_of(fds, HALVES), seconds = (int)((clock_boot_ms() - from) / 1000) + 1;
    assert_true(open > 0 && open <= KNOCKS_BURST + KNOCKS_PER_S * seconds);
    for (int i = 0; i < HALVES; i++) close(fds[i]);
    sleep_ms(1500); /* that address is waited for */
    int again = socket_dial(NEXT_DOOR, HOME, attacked.port, 0);
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
    greet(&flood, NULL);
    for (int i = 0; i < 2000 && ws_send(&flood, &ping); i++) continue;
    assert_others_notice_nothing();
    while (ws_pump(&flood, PATIENCE_MS) > 0) continue;
    assert_int_equal(flood.socket.close_code, 1008);
    ws_free(&flood);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(attacked_set_up, attacked_tear_down,
                             cmocka_unit_test(half_requests_of_one_address_keep_nobody_out),
                             cmocka_unit_test(a_flood_is_cut));
}
