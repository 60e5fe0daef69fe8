/* SPDX-License-Identifier: Apache-2.0
 *
 * A line against the other end of a pair of sockets, which says what a gateway says, in pieces.
 */
#include "bench/line.h"
#include "unit/test.h"

#include <sys/socket.h>
#include <unistd.h>

static struct line line;
static int far;
static int heard_count;
static char heard_last[128];
static size_t heard_wire;

static bool hear(void *context, struct slice message, size_t wire_len)
{
    assert_ptr_equal(context, &line);
    heard_count++;
    heard_wire += wire_len;
    snprintf(heard_last, sizeof heard_last, "%.*s", (int)message.len, (const char *)message.at);
    return true;
}

static int open_pair(void **unused)
{
    (void)unused;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) return -1;
    line = (struct line){.fd = pair[0], .mask = 99};
    far = pair[1];
    heard_count = 0;
    heard_wire = 0;
    return 0;
}

static int close_pair(void **unused)
{
    (void)unused;
    line_cut(&line);
    close(far);
    return 0;
}

static bool say(const void *bytes, size_t len)
{
    assert_int_equal(send(far, bytes, len, 0), (ssize_t)len);
    return line_ready(&line, hear, &line);
}

static const char head[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
static const char two[] = "\x82\x03one\x82\x03two";

static void the_handshake_may_come_in_pieces_and_with_frames_behind_it(void **unused)
{
    (void)unused;
    char all[sizeof head - 1 + sizeof two - 1];
    memcpy(all, head, sizeof head - 1);
    memcpy(all + sizeof head - 1, two, sizeof two - 1);
    for (size_t i = 0; i < sizeof all; i++) {
        assert_true(say(all + i, 1));
        assert_int_equal(line.open, i >= sizeof head - 2);
    }
    assert_int_equal(heard_count, 2);
    assert_string_equal(heard_last, "two");
    assert_int_equal(heard_wire, sizeof two - 1);
    assert_int_equal(line.in.room, 0); /* nothing is kept between frames */
}

static void a_refused_handshake_ends_the_line(void **unused)
{
    (void)unused;
    static const char no[] = "HTTP/1.1 503 Service Unavailable\r\n\r\n";
    assert_false(say(no, sizeof no - 1));
    assert_int_equal(line.fd, -1);
}

static void long_frames_are_read_whole(void **unused)
{
    (void)unused;
    static uint8_t frame[4 + 1000] = {0x82, 126, 1000 >> 8, 1000 & 255};
    line.open = true;
    memset(frame + 4, 'x', 1000);
    assert_true(say(frame, 600));
    assert_int_equal(heard_count, 0);
    assert_true(say(frame + 600, sizeof frame - 600));
    assert_int_equal(heard_count, 1);
    assert_int_equal(heard_wire, sizeof frame);
}

static void what_no_gateway_sends_ends_the_line(void **unused)
{
    static const struct {
        const char *bytes;
        size_t len;
    } wrong[] = {
        {"\x02\x01x", 3}, /* in pieces */
        {"\x82\x81"
         "abcdx",
         7},                                              /* masked */
        {"\x88\x02\x03\xe8", 4},                          /* goodbye */
        {"\x82\x7f\x00\x00\x00\x00\x40\x00\x00\x00", 10}, /* beyond every bound */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        close_pair(unused);
        open_pair(unused);
        line.open = true;
        assert_false(say(wrong[i].bytes, wrong[i].len));
        assert_int_equal(line.fd, -1);
    }
}

static void what_is_said_arrives_masked(void **unused)
{
    (void)unused;
    uint8_t got[300], text[200];
    memset(text, 'y', sizeof text);
    assert_int_equal(line_send(&line, slice_of(text, sizeof text)), 4 + 4 + 200);
    assert_int_equal(recv(far, got, sizeof got, 0), 208);
    assert_int_equal(got[0], 0x82);
    assert_int_equal(got[1], 0x80 | 126);
    assert_int_equal(got[2] << 8 | got[3], 200);
    for (int i = 0; i < 200; i++) assert_int_equal(got[8 + i] ^ got[4 + i % 4], 'y');
}

static void what_the_kernel_does_not_take_waits_and_a_flood_ends_the_line(void **unused)
{
    (void)unused;
    uint8_t text[4096] = {0};
    int sent = 0;
    while (!line.wants_room && sent < 10000)
        sent += line_send(&line, slice_of(text, sizeof text)) > 0;
    assert_true(line.wants_room && line.fd >= 0);
    uint8_t taken[1 << 16];
    while (recv(far, taken, sizeof taken, 0) > 0) continue;
    assert_true(line_ready(&line, hear, &line));
    assert_false(line.wants_room);
    while (line.fd >= 0) line_send(&line, slice_of(text, sizeof text));
    assert_int_equal(line_send(&line, slice_of(text, 1)), 0);
}

#define PAIR(test) cmocka_unit_test_setup_teardown(test, open_pair, close_pair)

int main(void)
{
    return RUN_TESTS(PAIR(the_handshake_may_come_in_pieces_and_with_frames_behind_it),
                     PAIR(a_refused_handshake_ends_the_line), PAIR(long_frames_are_read_whole),
                     PAIR(what_no_gateway_sends_ends_the_line), PAIR(what_is_said_arrives_masked),
                     PAIR(what_the_kernel_does_not_take_waits_and_a_flood_ends_the_line));
}
