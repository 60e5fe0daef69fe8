/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bus does with batches: order, resets, peers that die or do not answer.
 */
#include "unit/bus/place.h"

#include <arpa/inet.h>
#include <nng/nng.h>
#include <nng/protocol/pipeline0/push.h>
#include <stdio.h>
#include <unistd.h>

static void what_one_turn_sends_arrives_as_one_batch_after_a_reset(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    for (uint64_t i = 1; i <= 100; i++) end_send(place->a, bus_inbox_url(place->b->bus), i);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    const struct seen *seen = end_seen(place->b, EVENT_ENVELOPES, 0);
    assert_int_equal(seen->count, 100);
    assert_int_equal(seen->first, 1);
    assert_int_equal(seen->last, 100);
    assert_string_equal(seen->url, bus_inbox_url(place->a->bus));
    assert_true(id128_equal(seen->peer, place->a->instance));
    assert_int_equal(place->b->seen[0].kind, EVENT_PEER_RESET);
    assert_true(id128_equal(place->b->seen[0].peer, place->a->instance));
}

static void batches_of_many_turns_come_in_order_without_a_reset(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    end_send(place->b, bus_inbox_url(place->a->bus), 1);
    uint64_t next = 1;
    for (int turn = 0; turn < 500; turn++) {
        for (int i = 0; i < 3; i++) end_send(place->a, bus_inbox_url(place->b->bus), next++);
        uv_run(&place->loop, UV_RUN_NOWAIT);
    }
    for (int i = 0; i < 100 && bus_counters(place->b->bus)->envelopes_in < next - 1; i++)
        loop_run_ms(&place->loop, 50);
    uint64_t expected = 1;
    for (int i = 0; end_seen(place->b, EVENT_ENVELOPES, i); i++) {
        const struct seen *seen = end_seen(place->b, EVENT_ENVELOPES, i);
        assert_int_equal(seen->first, expected);
        expected += (uint64_t)seen->count;
        assert_int_equal(seen->last, expected - 1);
    }
    assert_int_equal(expected, next);
    assert_int_equal(end_count(place->b, EVENT_PEER_RESET), 1);
}

static void a_peer_that_is_closed_is_gone(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_send(place->a, url, 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    end_send(place->b, bus_inbox_url(place->a->bus), 1);
    assert_true(end_wait(place->a, EVENT_ENVELOPES, 1));
    int resets = end_count(place->a, EVENT_PEER_RESET);
    end_close(place->b);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    const struct seen *gone = end_seen(place->a, EVENT_PEER_GONE, 0);
    assert_string_equal(gone->url, url);
    assert_true(id128_equal(gone->peer, (struct id128){{2}}));
    assert_int_equal(end_count(place->a, EVENT_PEER_RESET), resets + 1);
    /* Said once, and nothing is dialled any more. */
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 1);
}

/* Nothing was ever said there. */
static void the_death_behind_a_watched_inbox_is_told_once(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_watch_inbox(place->a, url, (struct id128){{2}}, true);
    loop_run_ms(&place->loop, 300);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
    end_close(place->b);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_GONE, 0)->url, url);
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 1);
}

static void a_process_that_comes_back_behind_its_url_is_a_new_instance(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_send(place->a, url, 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    end_close(place->b);
    end_open(place->b, &place->loop, 3, url, NULL, NULL, 0);
    /* As a core does: what was sent before a RESET is sent again after it. */
    for (int i = 0; i < 20 && end_count(place->b, EVENT_ENVELOPES) == 0; i++) {
        end_send(place->a, url, 2);
        loop_run_ms(&place->loop, 100);
    }
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    assert_int_equal(end_seen(place->b, EVENT_ENVELOPES, 0)->first, 2);
    assert_int_equal(place->b->seen[0].kind, EVENT_PEER_RESET);
    bool named = false;
    for (int i = 0; i < 20 && !named; i++) {
        loop_run_ms(&place->loop, 100);
        for (int j = 0; j < place->a->count; j++)
            named |= place->a->seen[j].kind == EVENT_PEER_RESET &&
                     id128_equal(place->a->seen[j].peer, (struct id128){{3}});
    }
    assert_true(named);
}

static void nobody_at_the_url_is_told_as_gone(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_close(place->b);
    end_send(place->a, url, 1);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_GONE, 0)->url, url);
}

static void bytes_that_are_no_batch_are_counted_and_dropped(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    nng_socket socket;
    assert_int_equal(nng_push0_open(&socket), 0);
    assert_int_equal(nng_dial(socket, bus_inbox_url(place->b->bus), NULL, 0), 0);
    assert_int_equal(nng_send(socket, "garbage", 7, 0), 0);
    end_send(place->a, bus_inbox_url(place->b->bus), 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    loop_run_ms(&place->loop, 100);
    assert_int_equal(bus_counters(place->b->bus)->unreadable, 1);
    nng_close(socket);
}

/* A listener that accepts and never says a word. */
/* A process that has stopped: its port takes connections and nobody reads. */
static int deaf_listener(char url[64])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listener, 16), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    snprintf(url, 64, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
    return listener;
}

static void send_half_a_megabyte(struct end *end, const char *url)
{
    static uint8_t section[WIRE_SECTION_BYTES_MAX];
    struct effects effects = {0};
    for (int i = 0; i < 30; i++) {
        struct effect *effect = effects_add(&effects, EFFECT_SEND);
        effect->url = url;
        effect->envelope.kind = ENV_UPDATE;
        effect->envelope.u.update.game = slice_of(section, sizeof section);
    }
    bus_carry(end->bus, &effects);
    effects_fini(&effects);
    uv_run(end->loop, UV_RUN_NOWAIT);
}

static void a_peer_that_never_answers_fills_its_outbox_and_the_core_is_told(void **state)
{
    struct place *place = *state;
    char url[64];
    place_open_both(place);
    int listener = deaf_listener(url);
    for (int turn = 0; turn < 40 && end_count(place->a, EVENT_PEER_RESET) == 0; turn++)
        send_half_a_megabyte(place->a, url);
    assert_true(end_wait(place->a, EVENT_PEER_RESET, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_RESET, 0)->url, url);
    assert_true(bus_counters(place->a->bus)->overflows >= 1);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0); /* silence is not death */
    struct bus_queues queues;
    bus_queues(place->a->bus, &queues);
    assert_int_equal(queues.outbox.refused, 1);
    assert_in_range(queues.turn.depth, 400 << 10, 600 << 10);
    close(listener);
}

/* Each is far from full when all together are. */
static void many_peers_that_never_answer_are_bounded_together(void **state)
{
    enum { PEERS = 12, ROUNDS = BUS_OUTBOXES_BYTES_MAX / PEERS / (480 << 10) + 2 };
    struct place *place = *state;
    char urls[PEERS][64];
    int listeners[PEERS];
    struct bus_queues queues;
    place_open_both(place);
    for (int i = 0; i < PEERS; i++) listeners[i] = deaf_listener(urls[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PEERS; i++) send_half_a_megabyte(place->a, urls[i]);
        bus_queues(place->a->bus, &queues);
        assert_true(queues.outboxes.depth <= BUS_OUTBOXES_BYTES_MAX);
        assert_true(queues.outbox.depth < BUS_OUTBOX_BYTES_MAX);
    }
    assert_true(queues.outboxes.refused >= 1);
    assert_int_equal(queues.outbox.refused, 0);
    assert_true(end_wait(place->a, EVENT_PEER_RESET, 1));
    for (int i = 0; i < PEERS; i++) close(listeners[i]);
}

int main(void)
{
    return RUN_TESTS(BOTH(what_one_turn_sends_arrives_as_one_batch_after_a_reset),
                     BOTH(batches_of_many_turns_come_in_order_without_a_reset),
                     BOTH(a_peer_that_is_closed_is_gone),
                     BOTH(the_death_behind_a_watched_inbox_is_told_once),
                     BOTH(a_process_that_comes_back_behind_its_url_is_a_new_instance),
                     BOTH(nobody_at_the_url_is_told_as_gone),
                     BOTH(bytes_that_are_no_batch_are_counted_and_dropped),
                     TCP(a_peer_that_never_answers_fills_its_outbox_and_the_core_is_told),
                     TCP(many_peers_that_never_answer_are_bounded_together));
}
