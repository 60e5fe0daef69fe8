/* SPDX-License-Identifier: Apache-2.0
 *
 * What browsers say to gateways, there and back.
 */
#include "unit/test.h"
#include "wire/client_wire.h"
#include "wire/reason.h"

#include <string.h>

static enum status there_and_back(const struct client_frame *frame, struct arena *arena,
                                  struct client_frame *out)
{
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    enum status status = client_frame_decode(buf_slice(&bytes), arena, out);
    if (bytes.at) memset(bytes.at, 0xee, bytes.len); /* nothing may point into it */
    buf_fini(&bytes);
    return status;
}

static void every_client_frame_comes_back_as_it_was(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct client_frame frame, out;

    frame = (struct client_frame){.kind = CLIENT_HELLO};
    frame.u.hello = (struct client_hello){
        .protocol = 7, .token = slice_of("\0token", 6), .window = 1ull << 63, .line = 4};
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_int_equal(out.kind, CLIENT_HELLO);
    assert_int_equal(out.u.hello.protocol, 7);
    assert_true(slice_equal(out.u.hello.token, slice_of("\0token", 6)));
    assert_true(out.u.hello.window == 1ull << 63);
    assert_int_equal(out.u.hello.line, 4);

    frame = (struct client_frame){.kind = CLIENT_CREATE};
    frame.u.create = (struct client_create){.game = "toy",
                                            .name = "민수",
                                            .is_public = true,
                                            .options = {{"size", -3}, {"history", 1}},
                                            .option_count = 2};
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_string_equal(out.u.create.game, "toy");
    assert_string_equal(out.u.create.name, "민수");
    assert_true(out.u.create.is_public);
    assert_int_equal(out.u.create.option_count, 2);
    assert_string_equal(out.u.create.options[0].key, "size");
    assert_int_equal(out.u.create.options[0].value, -3);
    assert_int_equal(out.u.create.options[1].value, 1);

    frame = (struct client_frame){.kind = CLIENT_JOIN};
    frame.u.join = (struct client_join){.code = "0ABCDE",
                                        .name = "영희",
                                        .spectate = true,
                                        .have = {1ull << 60, 77},
                                        .take_over = true,
                                        .window = 1ull << 63,
                                        .generation = 12};
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_string_equal(out.u.join.code, "0ABCDE");
    assert_true(out.u.join.spectate && out.u.join.take_over);
    assert_true(out.u.join.window == 1ull << 63);
    assert_true(out.u.join.have.epoch == 1ull << 60);
    assert_int_equal(out.u.join.have.seq, 77);
    assert_int_equal(out.u.join.generation, 12);

    frame = (struct client_frame){.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = 3, .counter = 1ull << 40, .made_for = 9, .bytes = slice_of("\0\1\2", 3)};
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_int_equal(out.u.act.generation, 3);
    assert_true(out.u.act.counter == 1ull << 40);
    assert_int_equal(out.u.act.made_for, 9);
    assert_false(out.u.act.command);
    assert_true(slice_equal(out.u.act.bytes, slice_of("\0\1\2", 3)));
    frame.u.act.command = true;
    frame.u.act.bytes = slice_of("\x1a\x02\x08\x05", 4); /* kick { seat 5 } */
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_true(out.u.act.command);
    assert_true(slice_equal(out.u.act.bytes, slice_of("\x1a\x02\x08\x05", 4)));

    static const enum client_kind plain[] = {CLIENT_CANCEL_QUICK, CLIENT_LEAVE, CLIENT_RESYNC};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        frame = (struct client_frame){.kind = plain[i]};
        assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
        assert_int_equal(out.kind, plain[i]);
    }
    frame = (struct client_frame){.kind = CLIENT_QUICK};
    frame.u.quick = (struct client_quick){"toy", "나"};
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_string_equal(out.u.quick.game, "toy");
    assert_string_equal(out.u.quick.name, "나");
    frame = (struct client_frame){.kind = CLIENT_WATCH_ROOMS};
    frame.u.watch = true;
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_true(out.u.watch);
    frame = (struct client_frame){.kind = CLIENT_PING};
    frame.u.client_ms = 5;
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_int_equal(out.u.client_ms, 5);
    frame = (struct client_frame){.kind = CLIENT_PONG};
    frame.u.nonce = UINT64_MAX;
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_true(out.u.nonce == UINT64_MAX);
    frame = (struct client_frame){.kind = CLIENT_LOOK_UP};
    frame.u.code = "abc";
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    assert_string_equal(out.u.code, "abc");
    arena_fini(&arena);
}

static void bounds_of_a_client_frame(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct client_frame out;
    static uint8_t bytes[CLIENT_FRAME_BYTES_MAX + 1];
    assert_int_equal(client_frame_decode(slice_of(bytes, sizeof bytes), &arena, &out),
                     ST_TOO_LARGE);
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act.bytes = slice_of(bytes, WIRE_ACTION_BYTES_MAX);
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_OK);
    frame.u.act.bytes.len++;
    assert_int_equal(there_and_back(&frame, &arena, &out), ST_TOO_LARGE);

    /* create { options {} } x 17 */
    struct buf many = {0};
    buf_put_u8(&many, 0x12);
    buf_put_u8(&many, 2 * (WIRE_OPTIONS_MAX + 1));
    for (int i = 0; i <= WIRE_OPTIONS_MAX; i++) buf_put(&many, "\x22\x00", 2);
    assert_int_equal(client_frame_decode(buf_slice(&many), &arena, &out), ST_TOO_LARGE);
    many.at[1] -= 2;
    many.len -= 2;
    assert_int_equal(client_frame_decode(buf_slice(&many), &arena, &out), ST_OK);
    assert_int_equal(out.u.create.option_count, WIRE_OPTIONS_MAX);
    assert_string_equal(out.u.create.options[0].key, ""); /* never NULL */
    assert_string_equal(out.u.create.name, "");
    buf_fini(&many);
    arena_fini(&arena);
}

/* A message of `inner` in field `tag` (length-delimited). */
static void wrap(struct buf *inner, uint8_t tag)
{
    struct buf outer = {0};
    buf_put_u8(&outer, tag);
    buf_put_u8(&outer, (uint8_t)(inner->len | 0x80));
    buf_put_u8(&outer, (uint8_t)(inner->len >> 7));
    buf_put_slice(&outer, buf_slice(inner));
    buf_fini(inner);
    *inner = outer;
}

/* Whatever fits into a frame and is well-formed can be read, so that it is refused (or ignored) for
 * what it says, however much memory its parts take. */
static void the_fullest_frames_are_read_and_judged(void **unused)
{
    (void)unused;
    static const struct {
        const char *item; /* two bytes, as often as they fit */
        uint8_t wraps[3];
        enum status status;
        enum client_kind kind;
    } full[] = {
        {"\x22\x00", {0x12}, ST_TOO_LARGE, CLIENT_CREATE},          /* create { options {} ... } */
        {"\x0a\x00", {0x0a, 0x2a, 0x42}, ST_TOO_LARGE, CLIENT_ACT}, /* act { room { options } } */
        {"\x7a\x00", {0x12}, ST_OK, CLIENT_CREATE},                 /* unknown fields */
        {"\x7a\x00", {0x22, 0x2a, 0x42}, ST_OK, CLIENT_ACT},        /* of a start command */
        {"\x7a\x00", {0}, ST_UNKNOWN, 0},
        {"\x12\x00", {0}, ST_OK, CLIENT_CREATE}, /* create {} over and over */
    };
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        struct arena arena = {0};
        struct client_frame out;
        struct buf bytes = {0};
        while (bytes.len + 2 + 3 * sizeof full->wraps <= CLIENT_FRAME_BYTES_MAX)
            buf_put(&bytes, full[i].item, 2);
        for (size_t w = 0; w < sizeof full->wraps && full[i].wraps[w]; w++)
            wrap(&bytes, full[i].wraps[w]);
        assert_int_equal(client_frame_decode(buf_slice(&bytes), &arena, &out), full[i].status);
        assert_int_equal(out.kind, full[i].kind);
        buf_fini(&bytes);
        arena_fini(&arena);
    }
}

static void what_is_unknown_is_told_from_what_cannot_be_read(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct client_frame out;
    static const struct {
        const char *bytes;
        size_t len;
        enum status status;
        int kind;
    } cases[] = {
        {"", 0, ST_UNKNOWN, 0},
        {"\x82\x06\x00", 3, ST_UNKNOWN, 0},              /* a kind of later days */
        {"\x42\x02\x10\x05", 4, ST_UNKNOWN, CLIENT_ACT}, /* an act that is neither */
        {"\x42\x04\x2a\x02\x78\x01", 6, ST_UNKNOWN, CLIENT_ACT},
        {"\x0a\x04\x08\x01\x98\x06", 6, ST_INVALID, 0}, /* a field without its end */
        {"\x0a\x05\x08\x01", 4, ST_INVALID, 0},
        {"\xff", 1, ST_INVALID, 0},
        {"\x0a\x05\x08\x01\x98\x06\x01", 7, ST_OK, CLIENT_HELLO}, /* an unknown field */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice bytes = slice_of(cases[i].bytes, cases[i].len);
        assert_int_equal(client_frame_decode(bytes, &arena, &out), cases[i].status);
        if (cases[i].status != ST_INVALID) assert_int_equal(out.kind, cases[i].kind);
    }
    arena_fini(&arena);
}

/* Other builds write in other orders, and fields that this one does not know. */
static void what_comes_often_is_read_however_it_is_written(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct client_frame out;
#define READ(bytes) client_frame_decode(slice_of(bytes, sizeof(bytes) - 1), &arena, &out)
    assert_int_equal(READ("\x42\x09\x10\x05\x08\x03\x22\x03one"), ST_OK);
    assert_int_equal(out.kind, CLIENT_ACT);
    assert_int_equal(out.u.act.generation, 3);
    assert_int_equal(out.u.act.counter, 5);
    assert_true(slice_equal(out.u.act.bytes, slice_of("one", 3)));
    assert_int_equal(READ("\x42\x09\x08\x03\x78\x01\x10\x05\x22\x01x"), ST_OK);
    assert_int_equal(out.u.act.generation, 3);
    assert_int_equal(out.u.act.counter, 5);
    assert_true(slice_equal(out.u.act.bytes, slice_of("x", 1)));
    assert_int_equal(READ("\x42\x08\x22\x01x\x22\x03two"), ST_OK); /* the last one counts */
    assert_true(slice_equal(out.u.act.bytes, slice_of("two", 3)));
    assert_int_equal(READ("\x42\x06\x08\x03\x22\x05xx"), ST_INVALID);
    assert_int_equal(READ("\x42\x05\x08\x03"), ST_INVALID);
    assert_int_equal(READ("\x42\x02\x08\x03"), ST_UNKNOWN); /* an act of nothing */
    assert_int_equal(READ("\x5a\x02\x08\x07"), ST_OK);
    assert_int_equal(out.kind, CLIENT_PONG);
    assert_int_equal(out.u.nonce, 7);
    assert_int_equal(READ("\x5a\x04\x78\x01\x08\x09"), ST_OK);
    assert_int_equal(out.u.nonce, 9);
    assert_int_equal(READ("\x5a\x00"), ST_OK);
    assert_int_equal(out.u.nonce, 0);
    assert_int_equal(READ("\x52\x02\x08\x01\x5a\x02\x08\x02"), ST_OK); /* two: the last */
    assert_int_equal(out.kind, CLIENT_PONG);
    assert_int_equal(out.u.nonce, 2);
#undef READ
    arena_fini(&arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(every_client_frame_comes_back_as_it_was),
                     cmocka_unit_test(bounds_of_a_client_frame),
                     cmocka_unit_test(the_fullest_frames_are_read_and_judged),
                     cmocka_unit_test(what_is_unknown_is_told_from_what_cannot_be_read),
                     cmocka_unit_test(what_comes_often_is_read_however_it_is_written));
}
