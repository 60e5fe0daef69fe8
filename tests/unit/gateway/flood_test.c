/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad and too much input, at every state of a connection.
 */
#include "unit/gateway/yard.h"

#include "base/hash.h"

#include <stdlib.h>

enum where { BEFORE_HELLO, IDLE, ASKING, ENTERING, SEATED, WATCHING, LEAVING, WHERES };

static uint64_t at(struct yard *yard, enum where where)
{
    uint64_t socket;
    struct client_frame leave = {.kind = CLIENT_LEAVE};
    switch (where) {
    case BEFORE_HELLO: return yard_connect(yard, "192.0.2.1");
    case IDLE: return yard_guest(yard);
    case SEATED: return yard_seated(yard, 1, 3);
    case WATCHING: return yard_watching(yard);
    case LEAVING:
        socket = yard_seated(yard, 1, 3);
        yard_say(yard, socket, &leave);
        return socket;
    default:
        socket = yard_guest(yard);
        yard_join(yard, socket, (struct client_join){0});
        if (where == ASKING) return socket;
        struct reply reply = {.kind = REQ_RESOLVE,
                              .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
        yard_reply(yard, yard_last_request(yard, REQ_RESOLVE), reply);
        return socket;
    }
}

static void what_is_no_frame_closes_the_connection_at_every_state(void **unused)
{
    (void)unused;
    static const char *const garbage[] = {"\xff\xff\xff", "\x0a", "\x0a\x7fxx",
                                          "\x42\x03\x0a\x05x"};
    for (enum where where = BEFORE_HELLO; where < WHERES; where++)
        for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
            struct yard yard;
            yard_open(&yard);
            uint64_t socket = at(&yard, where);
            yard_forget(&yard);
            yard_say_bytes(&yard, socket, garbage[i], strlen(garbage[i]));
            assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_MALFORMED);
            assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0);
            /* Where the room may know it, it hears that it went. */
            assert_int_equal(yard_count_posts(&yard, ENV_DETACH), where >= ENTERING);
            yard_close(&yard);
        }
}

static void an_oversized_message_closes_the_connection(void **unused)
{
    (void)unused;
    for (enum where where = BEFORE_HELLO; where < WHERES; where++) {
        struct yard yard;
        yard_open(&yard);
        uint64_t socket = at(&yard, where);
        uint8_t bytes[CLIENT_FRAME_BYTES_MAX + 1] = {0};
        yard_say_bytes(&yard, socket, bytes, sizeof bytes);
        assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_TOO_LARGE);
        yard_close(&yard);
    }
}

static void an_unknown_kind_is_refused_and_the_connection_stays(void **unused)
{
    (void)unused;
    static const uint8_t unknown[] = {0x82, 0x06, 0x02, 0x08, 0x01}; /* field 96 */
    for (enum where where = BEFORE_HELLO; where < WHERES; where++) {
        struct yard yard;
        yard_open(&yard);
        uint64_t socket = at(&yard, where);
        yard_forget(&yard);
        yard_say_bytes(&yard, socket, unknown, sizeof unknown);
        assert_int_equal(yard_refused(&yard, socket), REASON_MALFORMED);
        yard_say_bytes(&yard, socket, "", 0);
        assert_int_equal(yard_count(&yard, socket, SERVER_REFUSED), 2);
        assert_int_equal(yard_closed(&yard, socket), 0);
        assert_int_equal(yard.post_count, 0);
        yard_close(&yard);
    }
}

/* P9: a well-formed frame beyond a bound is refused with a reason; only garbage closes. */
static void a_list_beyond_its_bound_is_refused_and_the_connection_stays(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    uint8_t create[3 + 2000] = {0x12, 0xd0, 0x0f}; /* 1000 empty options */
    for (int i = 0; i < 1000; i++) create[3 + 2 * i] = 0x22;
    yard_say_bytes(&yard, socket, create, sizeof create);
    assert_int_equal(yard_refused(&yard, socket), REASON_MALFORMED);
    assert_int_equal(yard_closed(&yard, socket), 0);

    uint64_t seated = yard_seated(&yard, 1, 3);
    uint8_t act[13 + 2000] = {0x42, 0xda, 0x0f, 0x08, 3,    0x10, 7, /* its id */
                              0x2a, 0xd3, 0x0f, 0x0a, 0xd0, 0x0f};
    for (int i = 0; i < 1000; i++) act[13 + 2 * i] = 0x0a;
    yard_say_bytes(&yard, seated, act, sizeof act);
    const struct server_answer *answer = &yard_last(&yard, seated, SERVER_ANSWER)->u.answer;
    assert_int_equal(answer->generation, 3);
    assert_int_equal(answer->counter, 7);
    assert_int_equal(answer->why.code, REASON_MALFORMED);
    assert_int_equal(yard_closed(&yard, seated), 0);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0);
    yard_close(&yard);
}

static void an_act_of_an_unknown_kind_or_too_large_is_answered(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    static const uint8_t nothing[] = {0x42, 0x04, 0x08, 0x03, 0x10, 0x07};
    yard_say_bytes(&yard, socket, nothing, sizeof nothing);
    const struct server_answer *answer = &yard_last(&yard, socket, SERVER_ANSWER)->u.answer;
    assert_int_equal(answer->generation, 3);
    assert_int_equal(answer->counter, 7);
    assert_int_equal(answer->why.code, REASON_MALFORMED);
    static const uint8_t command[] = {0x42, 0x06, 0x10, 0x08, 0x2a, 0x02, 0x78, 0x01};
    yard_say_bytes(&yard, socket, command, sizeof command); /* a command of an unknown kind */
    assert_int_equal(yard_last(&yard, socket, SERVER_ANSWER)->u.answer.counter, 8);

    static uint8_t large[WIRE_ACTION_BYTES_MAX + 1];
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act =
        (struct client_act){.generation = 3, .counter = 9, .bytes = slice_of(large, sizeof large)};
    yard_say(&yard, socket, &frame);
    assert_int_equal(yard_last(&yard, socket, SERVER_ANSWER)->u.answer.counter, 9);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0);
    yard_close(&yard);
}

static void random_bytes_and_broken_frames_never_harm(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct yard yard;
        if (seed % 500 == 0) yard_open(&yard);
        static struct yard kept;
        if (seed % 500 == 0) kept = yard;
        uint64_t socket = at(&kept, (enum where)(seed % WHERES));
        struct client_frame frame = {.kind = CLIENT_JOIN};
        frame.u.join = (struct client_join){.code = YARD_CODE, .name = "민수", .have = {9, 9}};
        struct buf bytes = {0};
        client_frame_encode(&frame, &bytes);
        for (int i = 0; i < 3; i++) {
            uint64_t chance = hash_mix64(seed * 31 + (uint64_t)i);
            bytes.at[chance % bytes.len] ^= (uint8_t)(1u << (chance >> 32) % 8);
        }
        yard_say_bytes(&kept, socket, bytes.at, bytes.len - seed % 3);
        buf_fini(&bytes);
        yard_hang_up(&kept, socket);
        yard_forget(&kept);
        kept.now += 500;
        if (seed % 500 == 499) yard_close(&kept);
    }
}

static void a_client_that_is_a_little_too_fast_is_told_and_a_flood_is_closed(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_pass(&yard, 5000);
    yard_forget(&yard);
    for (uint64_t i = 0; i < 80; i++) yard_act(&yard, socket, 3, 1);
    assert_int_equal(yard_count(&yard, socket, SERVER_ANSWER), 0);
    yard_act(&yard, socket, 3, 2);
    const struct server_answer *answer = &yard_last(&yard, socket, SERVER_ANSWER)->u.answer;
    assert_int_equal(answer->why.code, REASON_TOO_FAST);
    assert_int_equal(answer->counter, 2);
    struct client_frame frame = {.kind = CLIENT_WATCH_ROOMS};
    yard_say(&yard, socket, &frame);
    assert_int_equal(yard_refused(&yard, socket), REASON_TOO_FAST);
    yard_pass(&yard, 1000);
    yard_act(&yard, socket, 3, 3); /* it has waited: fine again */
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.counter, 3);
    for (uint64_t i = 0; i < 400 && !yard_closed(&yard, socket); i++) yard_act(&yard, socket, 3, 1);
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_FLOOD);
    yard_close(&yard);
}

static void a_flood_that_lasts_is_closed_and_a_little_too_much_is_not(void **unused)
{
    (void)unused;
    struct client_frame ping = {.kind = CLIENT_PING};
    for (int each_ms = 5; each_ms <= 20; each_ms *= 4) { /* 200 and 50 a second; 40 are allowed */
        struct yard yard;
        yard_open(&yard);
        uint64_t socket = yard_guest(&yard);
        for (int i = 0; i < 20 * 1000 / each_ms && !yard_closed(&yard, socket); i++) {
            yard_pass(&yard, (instant_ms)each_ms);
            yard_say(&yard, socket, &ping);
        }
        assert_int_equal(yard_closed(&yard, socket), each_ms == 5 ? GATEWAY_CLOSE_FLOOD : 0);
        yard_close(&yard);
    }
}

/* The shell keeps every message that a socket has not taken: their number has a bound as well. */
static void who_does_not_read_small_messages_is_closed_too(void **unused)
{
    (void)unused;
    struct yard yard;
    struct client_frame ping = {.kind = CLIENT_PING};
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_forget(&yard);
    yard.slow[socket] = true;
    for (int i = 0; i < 2 * GATEWAY_MESSAGES_MAX && !yard_closed(&yard, socket); i++) {
        yard_pass(&yard, 30);
        yard_say(&yard, socket, &ping);
    }
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_SLOW);
    assert_true(yard.frame_count < GATEWAY_MESSAGES_MAX);
    yard_close(&yard);
}

static void bytes_are_limited_too(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    static uint8_t large[WIRE_ACTION_BYTES_MAX];
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act =
        (struct client_act){.generation = 3, .counter = 1, .bytes = slice_of(large, sizeof large)};
    int refused = 0;
    for (int i = 0; i < 70; i++) yard_say(&yard, socket, &frame);
    refused = yard_count(&yard, socket, SERVER_ANSWER);
    assert_in_range(refused, 5, 10); /* 64 KiB at once, then 16 KiB/s */
    yard_close(&yard);
}

static void an_address_has_a_bounded_number_of_connections(void **unused)
{
    (void)unused;
    struct yard yard;
    struct gateway_limits limits;
    gateway_limits_default(&limits);
    assert_true(limits.connections_per_address >= 40);
    limits.connections_per_address = 3;
    yard_open_with(&yard, &limits);
    uint64_t first = yard_connect(&yard, "192.0.2.1");
    yard_connect(&yard, "192.0.2.1");
    yard_connect(&yard, "192.0.2.1");
    uint64_t fourth = yard_connect(&yard, "192.0.2.1");
    assert_int_equal(yard_closed(&yard, fourth), GATEWAY_CLOSE_ADDRESS);
    assert_int_equal(yard_closed(&yard, yard_connect(&yard, "192.0.2.2")), 0);
    yard_hang_up(&yard, first);
    assert_int_equal(yard_closed(&yard, yard_connect(&yard, "192.0.2.1")), 0);
    yard_close(&yard);
}

static void an_idle_seated_connection_costs_little(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    struct gateway_stats stats;
    gateway_core_stats(yard.core, &stats);
    assert_true(stats.client_bytes <= 512);
    assert_true(stats.mirror_bytes <= 1024);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_is_no_frame_closes_the_connection_at_every_state),
                     cmocka_unit_test(an_oversized_message_closes_the_connection),
                     cmocka_unit_test(an_unknown_kind_is_refused_and_the_connection_stays),
                     cmocka_unit_test(a_list_beyond_its_bound_is_refused_and_the_connection_stays),
                     cmocka_unit_test(an_act_of_an_unknown_kind_or_too_large_is_answered),
                     cmocka_unit_test(random_bytes_and_broken_frames_never_harm),
                     cmocka_unit_test(
                         a_client_that_is_a_little_too_fast_is_told_and_a_flood_is_closed),
                     cmocka_unit_test(a_flood_that_lasts_is_closed_and_a_little_too_much_is_not),
                     cmocka_unit_test(who_does_not_read_small_messages_is_closed_too),
                     cmocka_unit_test(bytes_are_limited_too),
                     cmocka_unit_test(an_address_has_a_bounded_number_of_connections),
                     cmocka_unit_test(an_idle_seated_connection_costs_little));
}
