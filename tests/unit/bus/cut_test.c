/* SPDX-License-Identifier: Apache-2.0
 *
 * A way between two that lets nothing through for a while: what was connected stays connected and
 * is of no use. Whoever hears nothing knocks, and dials anew when at last somebody answers.
 */
#include "unit/bus/nng_leak.h"
#include "unit/bus/place.h"
#include "unit/bus/relay.h"
#include "unit/free_port.h"
#include "wire/link.h"

#include <stdio.h>

enum { SETTLED_MS = 500 };

static struct relay to_a, to_b;

/* Each is told the address of the way that leads to the other. */
static void open_end(struct place *place, struct end *end, uint8_t instance, struct relay *way)
{
    char inbox[64];
    int port = free_port();
    snprintf(inbox, sizeof inbox, "tcp://127.0.0.1:%d", port);
    relay_open(way, &place->loop, port);
    struct bus_config config = {.instance = {{instance}},
                                .inbox_url = inbox,
                                .inbox_public_url = way->url};
    end_open_config(end, &place->loop, &config);
}

static void open_both(struct place *place)
{
    open_end(place, place->a, 1, &to_a);
    open_end(place, place->b, 2, &to_b);
    end_send(place->a, to_b.url, 1);
    end_send(place->b, to_a.url, 1);
    assert_true(end_wait(place->a, EVENT_ENVELOPES, 1));
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    loop_run_ms(&place->loop, SETTLED_MS); /* what belongs to the beginning is over */
}

static int close_both(void **state)
{
    relay_close(&to_a);
    relay_close(&to_b);
    return place_close(state);
}

static void what_was_cut_off_is_dialled_anew_when_somebody_answers(void **state)
{
    struct place *place = *state;
    open_both(place);
    int resets = end_count(place->a, EVENT_PEER_RESET);
    relay_cut(&to_a);
    relay_cut(&to_b);
    relay_wall(&to_a);
    relay_wall(&to_b);
    end_send(place->a, to_b.url, 2); /* this one is lost, and the core told so */
    loop_run_ms(&place->loop, LINK_SILENT_MS + 1500);
    assert_int_equal(end_count(place->a, EVENT_PEER_RESET), resets);
    relay_open_up(&to_a);
    relay_open_up(&to_b);
    assert_true(end_wait(place->a, EVENT_PEER_RESET, resets + 1));
    end_send(place->a, to_b.url, 3);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 2));
    assert_int_equal(end_seen(place->b, EVENT_ENVELOPES, 1)->last, 3);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
}

/* A peer that is heard is let alone, whatever else is silent. */
static void nothing_is_dialled_anew_while_there_is_a_word(void **state)
{
    struct place *place = *state;
    open_both(place);
    int ways = to_b.opened, resets = end_count(place->a, EVENT_PEER_RESET);
    loop_run_ms(&place->loop, 2 * LINK_SILENT_MS);
    assert_int_equal(to_b.opened, ways);
    assert_int_equal(end_count(place->a, EVENT_PEER_RESET), resets);
}

/* It is frozen: its system answers, itself it does not. All that it was sent is there still. */
static void a_peer_that_is_merely_silent_keeps_its_pipe(void **state)
{
    struct place *place = *state;
    open_both(place);
    to_a.mute = to_b.mute = true;
    relay_cut(&to_a);
    relay_cut(&to_b);
    int resets = end_count(place->a, EVENT_PEER_RESET);
    loop_run_ms(&place->loop, 3 * LINK_SILENT_MS);
    assert_int_equal(end_count(place->a, EVENT_PEER_RESET), resets);
}

int main(void)
{
#define CUT(test) cmocka_unit_test_setup_teardown(test, place_open_tcp, close_both)
    return RUN_TESTS(CUT(what_was_cut_off_is_dialled_anew_when_somebody_answers),
                     CUT(nothing_is_dialled_anew_while_there_is_a_word),
                     CUT(a_peer_that_is_merely_silent_keeps_its_pipe));
}
