/* SPDX-License-Identifier: Apache-2.0
 *
 * How often people are pinged, and how much silence ends a connection.
 */
#include "unit/gateway/yard.h"

/* Time, second by second; each ping that comes meanwhile is answered. */
static void pass_answering(struct yard *yard, uint64_t socket, instant_ms ms)
{
    int answered = yard_count(yard, socket, SERVER_PING);
    for (; ms > 0; ms -= 1000) {
        yard_pass(yard, 1000);
        if (yard_count(yard, socket, SERVER_PING) == answered) continue;
        answered = yard_count(yard, socket, SERVER_PING);
        struct client_frame pong = {.kind = CLIENT_PONG};
        pong.u.nonce = yard_last(yard, socket, SERVER_PING)->u.ping.nonce;
        yard_say(yard, socket, &pong);
    }
}

static uint32_t next_ping_ms(struct yard *yard, uint64_t socket)
{
    return yard_last(yard, socket, SERVER_PING)->u.ping.next_ms;
}

static void who_rests_is_pinged_rarely_and_silence_ends_a_connection(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t silent = yard_guest(&yard), answering = yard_guest(&yard);
    uint32_t next_ms = next_ping_ms(&yard, silent);
    assert_in_range(next_ms, GATEWAY_REST_PING_MS * 3 / 4 - 250, GATEWAY_REST_PING_MS);
    pass_answering(&yard, answering, (next_ms + GATEWAY_SILENCE_MS) / 1000 * 1000);
    assert_int_equal(yard_closed(&yard, silent), 0);
    pass_answering(&yard, answering, GATEWAY_REST_PING_MS);
    assert_int_equal(yard_closed(&yard, silent), GATEWAY_CLOSE_SILENT);
    yard_forget(&yard);
    pass_answering(&yard, answering, 10 * 60 * 1000);
    assert_int_equal(yard_closed(&yard, answering), 0);
    assert_in_range(yard_count(&yard, answering, SERVER_PING), 13, 18);
    yard_close(&yard);
}

static void show_game(struct yard *yard, uint64_t seq, const char *game)
{
    struct envelope envelope = {.kind = ENV_UPDATE};
    envelope.u.update = (struct env_update){
        .room = yard_room(),
        .version = {100, seq},
        .sections = SECTION_ALL,
        .room_view = slice_of("room", 4),
        .game = slice_of(game, strlen(game)),
    };
    yard_worker_says(yard, &envelope);
}

static void while_a_room_plays_its_people_are_pinged_every_two_seconds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    show_game(&yard, 1, ""); /* it is a lobby */
    assert_true(next_ping_ms(&yard, socket) > GATEWAY_PING_MS);
    yard_forget(&yard);
    show_game(&yard, 2, "begun");
    assert_int_equal(yard_count(&yard, socket, SERVER_PING), 1);
    assert_int_equal(next_ping_ms(&yard, socket), GATEWAY_PING_MS);
    pass_answering(&yard, socket, 20 * 1000);
    assert_int_equal(yard_count(&yard, socket, SERVER_PING), 11);

    uint64_t later = yard_watching(&yard);
    assert_int_equal(next_ping_ms(&yard, later), GATEWAY_PING_MS);

    pass_answering(&yard, socket, GATEWAY_PLAYS_MS);
    assert_true(next_ping_ms(&yard, socket) > GATEWAY_PING_MS);
    yard_close(&yard);
}

static void who_rested_in_silence_has_time_when_the_game_begins(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_pass(&yard, 20 * 1000);
    show_game(&yard, 1, "begun");
    yard_pass(&yard, GATEWAY_PING_MS + GATEWAY_SILENCE_MS - 100);
    assert_int_equal(yard_closed(&yard, socket), 0);
    yard_pass(&yard, 200);
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_SILENT);
    yard_close(&yard);
}

static void silence_does_not_count_while_this_process_stood_still(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard.now += 60 * 1000;
    yard_pass(&yard, 0);
    assert_int_equal(yard_closed(&yard, socket), 0);
    yard_pass(&yard, GATEWAY_REST_PING_MS + GATEWAY_SILENCE_MS);
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_SILENT);
    yard_close(&yard);
}

static void a_round_trip_counts_only_with_the_nonce_that_was_sent(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    uint64_t nonce = yard_last(&yard, socket, SERVER_PING)->u.ping.nonce;
    struct client_frame pong = {.kind = CLIENT_PONG};
    pong.u.nonce = nonce + 1;
    yard_say(&yard, socket, &pong);
    yard_pass(&yard, 80);
    pong.u.nonce = nonce;
    yard_say(&yard, socket, &pong);
    yard_say(&yard, socket, &pong); /* a second time says nothing */
    yard_pass(&yard, GATEWAY_REST_PING_MS);
    assert_int_equal(yard_last(&yard, socket, SERVER_PING)->u.ping.rtt_ms, 80);
    assert_true(yard_last(&yard, socket, SERVER_PING)->u.ping.nonce != nonce);

    struct client_frame ping = {.kind = CLIENT_PING};
    ping.u.client_ms = 12345;
    yard_say(&yard, socket, &ping);
    assert_int_equal(yard_last(&yard, socket, SERVER_PONG)->u.pong.client_ms, 12345);
    assert_true(yard_last(&yard, socket, SERVER_PONG)->u.pong.server_ms == yard.now);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(who_rests_is_pinged_rarely_and_silence_ends_a_connection),
                     cmocka_unit_test(while_a_room_plays_its_people_are_pinged_every_two_seconds),
                     cmocka_unit_test(who_rested_in_silence_has_time_when_the_game_begins),
                     cmocka_unit_test(silence_does_not_count_while_this_process_stood_still),
                     cmocka_unit_test(a_round_trip_counts_only_with_the_nonce_that_was_sent));
}
