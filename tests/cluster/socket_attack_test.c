/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections that wait for ever, do not read, or say far too much: each comes to its end, and
 * others do not notice.
 */
#include "cluster/attacker.h"
#include "gateway/gateway_core.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PATIENCE_MAX_MS = 20 * 1000, /* the longest that the gateway has: for an answer to be taken */
    SLACK_MS = 4000,
    EACH = 40, /* connections of a kind */
    GROWTH_KB = 6 * 1024,
    WINDOW_BYTES = 4096,
    FLOODS = 8,
};

/* ---- those who wait for ever ----------------------------------------------------------------- */

enum kind {
    SAYS_NOTHING,
    DRIPS_HEADERS,
    DRIPS_A_BODY,
    GET_WITH_A_BODY,
    READS_NO_ANSWER,
    HALF_UPGRADE,
    NO_HELLO,
    HALF_FRAME,
    KINDS
};

static int waiting[KINDS][EACH];

static void say(int fd, const char *text)
{
    assert_true(socket_put(fd, text, strlen(text)));
}

static int upgraded(void)
{
    struct ws_socket socket;
    int fd = socket_dial(NEXT_DOOR, HOME, attacked.port, 0);
    assert_true(ws_socket_open_on(&socket, fd, HOME, attacked.port, "/ws", NULL, PATIENCE_MS));
    fd = dup(socket.fd);
    ws_socket_cut(&socket);
    return fd;
}

static void half_upgrade(int fd)
{
    char request[1024];
    int len = ws_socket_request(request, sizeof request, HOME, attacked.port, "/ws", NULL);
    assert_true(socket_put(fd, request, (size_t)len / 2));
}

static int begin(enum kind kind)
{
    static const char half_frame[] = "\x82\xfe\x01"; /* two bytes of length to come: one is there */
    bool plain = kind != NO_HELLO && kind != HALF_FRAME;
    int fd = plain ? socket_dial(NEXT_DOOR, HOME, attacked.port, WINDOW_BYTES) : upgraded();
    assert_true(fd >= 0);
    switch (kind) {
    case DRIPS_HEADERS: say(fd, "GET / HTTP/1.1\r\nX: "); break;
    case DRIPS_A_BODY:
        say(fd, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
        break;
    case GET_WITH_A_BODY:
        say(fd, "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        break;
    case READS_NO_ANSWER:
        for (int i = 0; i < 100; i++) say(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        break;
    case HALF_UPGRADE: half_upgrade(fd); break;
    case HALF_FRAME: assert_true(socket_put(fd, half_frame, sizeof half_frame - 1)); break;
    default: break;
    }
    return fd;
}

static void drip(enum kind kind)
{
    for (int i = 0; i < EACH; i++) send(waiting[kind][i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Whether the other side has ended it; what it said before is read. */
static bool has_ended(int fd)
{
    char bytes[4096];
    ssize_t got;
    while ((got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) continue;
    return got == 0 || !is_open(fd);
}

static int ended(enum kind kind)
{
    int count = 0;
    for (int i = 0; i < EACH; i++) count += has_ended(waiting[kind][i]);
    return count;
}

static void who_waits_for_ever_is_let_go(void **state)
{
    (void)state;
    struct ws_client friends[2] = {0};
    sit_together(friends, 2);
    instant_ms silent_until =
        clock_boot_ms() + GATEWAY_REST_PING_MS + GATEWAY_SILENCE_MS + SLACK_MS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < EACH; i++) waiting[kind][i] = begin(kind);
    instant_ms until = clock_boot_ms() + PATIENCE_MAX_MS + SLACK_MS;
    while (clock_boot_ms() < until) {
        drip(DRIPS_HEADERS);
        drip(DRIPS_A_BODY);
        drip(GET_WITH_A_BODY);
        assert_answered_soon(&friends[0]);
        sleep_ms(200);
    }
    for (enum kind kind = 0; kind < KINDS; kind++) {
        int count = ended(kind);
        if (count != EACH) print_error("kind %d: %d of %d\n", (int)kind, count, EACH);
        assert_int_equal(count, EACH);
        for (int i = 0; i < EACH; i++) close(waiting[kind][i]);
    }
    assert_others_notice_nothing();
    /* And so is the second friend, who has not said a word since: a phone without a network. */
    while (clock_boot_ms() < silent_until) sleep_ms(200);
    while (ws_pump(&friends[1], 1000) == 1) continue;
    assert_int_equal(friends[1].socket.close_code, 4003);
    for (int i = 0; i < 2; i++) ws_free(&friends[i]);
}

/* ---- who does not read ----------------------------------------------------------------------- */

static bool can_send(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLOUT};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLOUT);
}

static struct ws_client deaf[EACH];

/* One more question of each that is still there; how many those are. */
static int ask_all(const struct client_frame *frame)
{
    int open = 0;
    for (int i = 0; i < EACH; i++) {
        if (deaf[i].socket.fd < 0) continue;
        if (can_send(deaf[i].socket.fd) && !ws_send(&deaf[i], frame))
            ws_socket_cut(&deaf[i].socket);
        open += deaf[i].socket.fd >= 0;
    }
    return open;
}

/* They ask for more and more, in the end in the smallest messages that there are. */
static void who_never_reads_is_closed_and_costs_little(void **state)
{
    (void)state;
    struct client_frame ping = {.kind = CLIENT_PING}, resync = {.kind = CLIENT_RESYNC};
    struct ws_client friends[2] = {0};
    sit_together(friends, 2);
    start_game(friends, 2);
    for (int i = 0; i < EACH; i++) {
        int fd = socket_dial(NEXT_DOOR, HOME, attacked.port, WINDOW_BYTES);
        assert_true(ws_connect_on(&deaf[i], fd, HOME, attacked.port, PATIENCE_MS));
        assert_true(ws_hello(&deaf[i], PATIENCE_MS));
        assert_true(ws_watch(&deaf[i], friends[0].code, "구경꾼", PATIENCE_MS));
    }
    long before = memory_kb("gateway-0");
    int open = EACH;
    for (int tick = 0; open && tick < 60 * 40; tick++) {
        open = ask_all(tick < 200 ? &resync : &ping);
        if (tick % 40 == 0) {
            assert_answered_soon(&friends[0]);
            assert_answered_soon(&friends[1]);
            assert_true(memory_kb("gateway-0") < before + GROWTH_KB);
        }
        sleep_ms(25);
    }
    assert_int_equal(open, 0);
    for (int i = 0; i < EACH; i++) ws_free(&deaf[i]);
    assert_null(bots_play(friends, 2, GAME_MS));
    for (int i = 0; i < 2; i++) ws_free(&friends[i]);
}

/* ---- too much, too small --------------------------------------------------------------------- */

static void put_frame(struct buf *out, int kind, bool final, struct slice bytes)
{
    buf_put_u8(out, (uint8_t)(kind | (final ? 0x80 : 0)));
    buf_put_u8(out, (uint8_t)(0x80 | bytes.len)); /* below 126; the mask is zero */
    buf_put_u32(out, 0);
    buf_put_slice(out, bytes);
}

static void put_message(struct buf *out, const struct client_frame *frame)
{
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    put_frame(out, WS_BINARY, true, buf_slice(&bytes));
    buf_fini(&bytes);
}

/* Each byte in a segment of its own. */
static void a_message_may_come_byte_by_byte(void **state)
{
    (void)state;
    struct ws_client slow;
    struct buf bytes = {0};
    struct client_frame look = {.kind = CLIENT_LOOK_UP};
    look.u.code = "ZZZZZZ";
    greet(&slow, NEXT_DOOR);
    put_message(&bytes, &look);
    for (size_t i = 0; i < bytes.len; i++) {
        assert_true(socket_put(slow.socket.fd, bytes.at + i, 1));
        sleep_ms(5);
    }
    assert_true(ws_wait(&slow, ws_is_refused, NULL, PATIENCE_MS));
    assert_int_equal(slow.refused, REASON_NO_SUCH_ROOM);
    buf_fini(&bytes);
    ws_free(&slow);
}

/* The closing code; 0: it is not closed after a while. What cannot be sent any more is not. */
static int closed_with(struct ws_client *player, const struct buf *bytes, int times)
{
    for (int i = 0; i < times && socket_put(player->socket.fd, bytes->at, bytes->len); i++)
        while (ws_pump(player, 0) == 1) continue;
    while (ws_pump(player, AT_ONCE_MS) == 1) continue;
    return player->socket.close_code;
}

static void thousands_of_small_messages_in_one_piece_end_their_connection(void **state)
{
    (void)state;
    struct ws_client flood;
    struct buf bytes = {0};
    struct client_frame ping = {.kind = CLIENT_PING};
    for (int i = 0; i < 10000; i++) put_message(&bytes, &ping);
    greet(&flood, NEXT_DOOR);
    assert_int_equal(closed_with(&flood, &bytes, 1), 1008);
    assert_others_notice_nothing();
    buf_fini(&bytes);
    ws_free(&flood);
}

/* Five times what is allowed, for ever. */
static void a_flood_that_lasts_is_cut(void **state)
{
    (void)state;
    struct ws_client flood;
    struct client_frame ping = {.kind = CLIENT_PING};
    greet(&flood, NEXT_DOOR);
    bool open = true;
    for (int i = 0; open && i < 10 * 200; i++) {
        open = ws_send(&flood, &ping);
        if (ws_pump(&flood, 5) < 0) open = false;
    }
    assert_false(open);
    assert_int_equal(flood.socket.close_code, 1008);
    ws_free(&flood);
}

static void pieces_of_nothing_end_their_connection(void **state)
{
    (void)state;
    struct ws_client flood;
    struct buf bytes = {0};
    greet(&flood, NEXT_DOOR);
    put_frame(&bytes, WS_BINARY, false, slice_text(""));
    for (int i = 0; i < 5000; i++) put_frame(&bytes, 0, false, slice_text(""));
    assert_int_equal(closed_with(&flood, &bytes, 1), 1009);
    buf_fini(&bytes);
    ws_free(&flood);
}

/* They never reach the core and are not counted there. */
static void control_frames_hold_nobody_up(void **state)
{
    (void)state;
    struct ws_client friends[2] = {0};
    struct buf bytes = {0};
    uint8_t payload[125] = {0};
    int floods[FLOODS];
    sit_together(friends, 2);
    start_game(friends, 2);
    for (int i = 0; i < 200; i++)
        put_frame(&bytes, i % 2 ? WS_PONG : WS_PING, true, slice_of(payload, sizeof payload));
    for (int i = 0; i < FLOODS; i++) floods[i] = upgraded();
    long before = memory_kb("gateway-0");
    instant_ms now = clock_boot_ms(), until = now + 3000, ask_at = now;
    for (; now < until; now = clock_boot_ms()) {
        char pongs[65536];
        for (int i = 0; i < FLOODS; i++) {
            send(floods[i], bytes.at, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);
            while (i % 2 && recv(floods[i], pongs, sizeof pongs, MSG_DONTWAIT) > 0) continue;
        }
        if (now < ask_at) continue;
        ask_at = now + 100;
        assert_answered_soon(&friends[0]);
        assert_true(memory_kb("gateway-0") < before + GROWTH_KB);
    }
    for (int i = 0; i < FLOODS; i++) close(floods[i]);
    for (int i = 0; i < 2; i++) ws_free(&friends[i]);
    buf_fini(&bytes);
}

/* ---- the last word --------------------------------------------------------------------------- */

/* Reads until nothing comes for a moment. True: the last frame is a closing one, and whole. */
static bool ends_with_closing(struct ws_client *player)
{
    struct pollfd one = {.fd = player->socket.fd, .events = POLLIN};
    struct buf *bytes = &player->socket.in;
    uint8_t more[4096];
    ssize_t got = 1;
    while (got > 0 && poll(&one, 1, SOON_MS) == 1) {
        got = recv(one.fd, more, sizeof more, 0);
        if (got > 0) buf_put(bytes, more, (size_t)got);
    }
    size_t at = 0;
    int last = 0;
    while (at + 4 <= bytes->len) {
        const uint8_t *head = bytes->at + at;
        last = head[0] & 0x0f;
        at += head[1] == 126 ? 4 + (size_t)(head[2] << 8 | head[3]) : 2 + (size_t)head[1];
    }
    return last == WS_CLOSE && at == bytes->len;
}

/* Whatever the room has for it meanwhile (RFC 6455, 5.5.1). */
static void nothing_follows_a_closing_frame(void **state)
{
    static const struct {
        int kind;
        bool final;
    } faults[] = {{WS_TEXT, true}, {0, true}, {3, true}, {WS_PING, false}};
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct ws_client friends[2] = {0};
        struct buf bytes = {0};
        sit_together(friends, 2);
        while (ws_pump(&friends[1], 100) == 1) continue;
        put_frame(&bytes, faults[i].kind, faults[i].final, slice_text("x"));
        assert_true(socket_put(friends[1].socket.fd, bytes.at, bytes.len));
        for (int k = 0; k < 3; k++) {
            const uint8_t rename[] = {0x3a, 0x03, 0x0a, 0x01, (uint8_t)('a' + k)};
            assert_true(ws_command(&friends[0], slice_of(rename, sizeof rename), PATIENCE_MS));
        }
        assert_true(ends_with_closing(&friends[1]));
        buf_fini(&bytes);
        for (int k = 0; k < 2; k++) ws_free(&friends[k]);
    }
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        attacked_set_up, attacked_tear_down, cmocka_unit_test(who_waits_for_ever_is_let_go),
        cmocka_unit_test(who_never_reads_is_closed_and_costs_little),
        cmocka_unit_test(a_message_may_come_byte_by_byte),
        cmocka_unit_test(thousands_of_small_messages_in_one_piece_end_their_connection),
        cmocka_unit_test(a_flood_that_lasts_is_cut),
        cmocka_unit_test(control_frames_hold_nobody_up),
        cmocka_unit_test(pieces_of_nothing_end_their_connection),
        cmocka_unit_test(nothing_follows_a_closing_frame));
}
