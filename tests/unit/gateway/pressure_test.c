/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens at each bound of a gateway: slow sockets are closed, one alone and all together;
 * whoever is told "busy" is not sent from worker to worker.
 */
#include "unit/gateway/yard.h"

static struct gateway_queues queues(const struct yard *yard)
{
    struct gateway_queues now;
    gateway_core_queues(yard->core, &now);
    return now;
}

static void say_ping(struct yard *yard, uint64_t socket)
{
    struct client_frame ping = {.kind = CLIENT_PING};
    yard_say(yard, socket, &ping);
}

/* ---- sockets that do not take what they are given -------------------------------------------- */

static void who_takes_nothing_for_long_is_closed_though_little_waits(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t deaf = yard_guest(&yard), slow = yard_guest(&yard);
    yard.slow[deaf] = yard.slow[slow] = true;
    for (int passed = 0; passed < GATEWAY_SLOW_MS - 5000; passed += 5000) {
        say_ping(&yard, deaf);
        say_ping(&yard, slow);
        yard_pass(&yard, 5000);
    }
    yard_writable(&yard, slow); /* it has taken something after all */
    for (int i = 0; i < 2; i++) {
        say_ping(&yard, deaf);
        say_ping(&yard, slow);
        yard_pass(&yard, 4000);
    }
    assert_int_equal(yard_closed(&yard, deaf), GATEWAY_CLOSE_SLOW);
    assert_int_equal(yard_closed(&yard, slow), 0);
    assert_int_equal(queues(&yard).socket.refused, 1);
    yard_close(&yard);
}

static void sockets_that_do_not_read_are_bounded_together(void **unused)
{
    (void)unused;
    enum { SOCKETS = 40 };
    struct yard yard;
    struct gateway_limits limits;
    gateway_limits_default(&limits);
    limits.all_outstanding_bytes_max = 128 << 10;
    yard_open_with(&yard, &limits);
    uint64_t deaf[SOCKETS];
    for (int i = 0; i < SOCKETS; i++) {
        deaf[i] = yard_guest(&yard);
        yard.slow[deaf[i]] = true;
    }
    uint64_t honest = yard_guest(&yard);
    int closed = 0;
    for (int i = 0; i < 400; i++) {
        yard_pass(&yard, 30);
        for (int k = 0; k < SOCKETS; k++)
            if (!yard_closed(&yard, deaf[k])) say_ping(&yard, deaf[k]);
        assert_true(queues(&yard).sockets.depth <=
                    limits.all_outstanding_bytes_max + SOCKETS * GATEWAY_SOCKET_SHARE_BYTES);
        yard.frame_count = 0;
    }
    for (int k = 0; k < SOCKETS; k++) closed += yard_closed(&yard, deaf[k]) == GATEWAY_CLOSE_SLOW;
    assert_in_range(closed, SOCKETS / 2, SOCKETS);
    assert_int_equal(queues(&yard).sockets.refused, closed);
    assert_int_equal(queues(&yard).socket.refused, 0);
    say_ping(&yard, honest);
    assert_int_equal(yard_count(&yard, honest, SERVER_PONG), 1);
    for (int k = 0; k < SOCKETS; k++) yard_hang_up(&yard, deaf[k]);
    assert_int_equal(queues(&yard).sockets.depth, 0);
    yard_close(&yard);
}

static void who_comes_when_it_is_full_is_turned_away_and_counted(void **unused)
{
    (void)unused;
    struct yard yard;
    struct gateway_limits limits;
    gateway_limits_default(&limits);
    limits.connections_max = 3;
    limits.connections_per_address = 2;
    yard_open_with(&yard, &limits);
    uint64_t first = yard_connect(&yard, "192.0.2.1");
    yard_connect(&yard, "192.0.2.1");
    assert_int_equal(yard_closed(&yard, yard_connect(&yard, "192.0.2.1")), GATEWAY_CLOSE_ADDRESS);
    assert_int_equal(queues(&yard).address.depth, 2);
    assert_int_equal(queues(&yard).address.refused, 1);
    yard_connect(&yard, "192.0.2.2");
    assert_int_equal(yard_closed(&yard, yard_connect(&yard, "192.0.2.3")), GATEWAY_CLOSE_FULL);
    assert_int_equal(queues(&yard).clients.depth, 3);
    assert_int_equal(queues(&yard).clients.bound, 3);
    assert_int_equal(queues(&yard).clients.refused, 1);
    yard_hang_up(&yard, first);
    assert_int_equal(yard_closed(&yard, yard_connect(&yard, "192.0.2.3")), 0);
    yard_close(&yard);
}

/* ---- acts ------------------------------------------------------------------------------------ */

static uint32_t last_reason(struct yard *yard, uint64_t socket)
{
    const struct server_frame *frame = yard_last(yard, socket, SERVER_ANSWER);
    return frame ? frame->u.answer.why.code : 0;
}

static void acts_that_nobody_answers_are_busy_at_the_ninth(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    for (uint64_t c = 1; c <= GATEWAY_ACTS_MAX; c++) yard_act(&yard, socket, 3, c);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 0);
    assert_int_equal(queues(&yard).acts.depth, GATEWAY_ACTS_MAX);
    yard_act(&yard, socket, 3, GATEWAY_ACTS_MAX + 1);
    assert_int_equal(last_reason(&yard, socket), REASON_BUSY);
    assert_int_equal(queues(&yard).acts.refused, 1);
    yard_answer(&yard, socket, 3, 1, true);
    yard_act(&yard, socket, 3, GATEWAY_ACTS_MAX + 1);
    assert_int_equal(last_reason(&yard, socket), 0);
    yard_close(&yard);
}

/* Each is sent twice and its first copy refused: the other may be accepted, so it is remembered. */
static void refusals_that_may_come_twice_are_remembered_within_bounds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_pass(&yard, 3000);
    for (uint64_t c = 1; c <= GATEWAY_GHOSTS_MAX; c++) {
        yard_act(&yard, socket, 3, c);
        yard_act(&yard, socket, 3, c);
        yard_answer_copy(&yard, socket, c, 1, false);
    }
    assert_int_equal(queues(&yard).ghosts.depth, GATEWAY_GHOSTS_MAX);
    yard_act(&yard, socket, 3, 99);
    assert_int_equal(last_reason(&yard, socket), REASON_BUSY);
    assert_int_equal(queues(&yard).ghosts.refused, 1);
    for (uint64_t c = 1; c <= GATEWAY_GHOSTS_MAX; c++) yard_answer(&yard, socket, 3, c, false);
    assert_int_equal(queues(&yard).ghosts.depth, 0);
    int before = yard_count_posts(&yard, ENV_ACT);
    yard_act(&yard, socket, 3, 99);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), before + 1);
    yard_close(&yard);
}

/* ---- a worker that is busy ------------------------------------------------------------------- */

static void a_worker_that_is_busy_keeps_its_room(void **unused)
{
    (void)unused;
    struct yard yard;
    struct envelope busy = {.kind = ENV_ATTACH_REFUSED};
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    busy.u.attach_refused = (struct env_attach_refused){.room = yard_room(),
                                                        .client = socket,
                                                        .why = {.code = REASON_BUSY}};
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL); /* so it attaches again */
    int resolves = yard_count_requests(&yard, REQ_RESOLVE);
    int attaches = yard_count_posts(&yard, ENV_ATTACH);
    for (int i = 0; i < 20; i++) {
        yard_worker_says(&yard, &busy);
        yard_pass(&yard, 500);
    }
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), resolves);
    assert_in_range(yard_count_posts(&yard, ENV_ATTACH) - attaches, 18, 45); /* no storm */
    yard_attached(&yard, socket, 100, 1, 3, 0);
    yard_act(&yard, socket, 3, 1);
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.counter, 1);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(who_takes_nothing_for_long_is_closed_though_little_waits),
                     cmocka_unit_test(sockets_that_do_not_read_are_bounded_together),
                     cmocka_unit_test(who_comes_when_it_is_full_is_turned_away_and_counted),
                     cmocka_unit_test(acts_that_nobody_answers_are_busy_at_the_ninth),
                     cmocka_unit_test(refusals_that_may_come_twice_are_remembered_within_bounds),
                     cmocka_unit_test(a_worker_that_is_busy_keeps_its_room));
}
