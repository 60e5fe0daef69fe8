/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "unit/test.h"

static void integers_are_little_endian_and_come_back(void **unused)
{
    (void)unused;
    struct buf buf = {0};
    buf_put_u8(&buf, 0xab);
    buf_put_u16(&buf, 0x1234);
    buf_put_u32(&buf, 0xdeadbeef);
    buf_put_u64(&buf, 0x0102030405060708);
    buf_put_i32(&buf, -2);
    static const uint8_t expected[] = {0xab, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 8,    7,   6,
                                       5,    4,    3,    2,    1,    0xfe, 0xff, 0xff, 0xff};
    assert_int_equal(buf.len, sizeof expected);
    assert_memory_equal(buf.at, expected, sizeof expected);

    struct reader reader;
    reader_init(&reader, buf_slice(&buf));
    assert_int_equal(reader_u8(&reader), 0xab);
    assert_int_equal(reader_u16(&reader), 0x1234);
    assert_int_equal(reader_u32(&reader), 0xdeadbeef);
    assert_true(reader_u64(&reader) == 0x0102030405060708);
    assert_int_equal(reader_i32(&reader), -2);
    assert_true(reader_done(&reader));
    buf_fini(&buf);
}

static void a_short_read_yields_zero_and_stays_bad(void **unused)
{
    (void)unused;
    static const uint8_t bytes[] = {1, 2, 3};
    struct reader reader;
    reader_init(&reader, slice_of(bytes, sizeof bytes));
    assert_int_equal(reader_u32(&reader), 0);
    assert_true(reader.bad);
    assert_int_equal(reader_u8(&reader), 0); /* although a byte would be there */
    assert_false(reader_done(&reader));
}

static void a_short_read_of_bytes_leaves_zeroes(void **unused)
{
    (void)unused;
    uint8_t into[4] = {9, 9, 9, 9};
    struct reader reader;
    reader_init(&reader, slice_of("abc", 3));
    assert_false(reader_bytes(&reader, into, sizeof into));
    assert_memory_equal(into, "\0\0\0\0", 4);

    reader_init(&reader, slice_of("abcd", 4));
    assert_true(reader_bytes(&reader, into, sizeof into));
    assert_memory_equal(into, "abcd", 4);
    assert_true(reader_bytes(&reader, into, 0));
    assert_true(reader_done(&reader));
}

static void sized_bytes_come_back_and_respect_the_limit(void **unused)
{
    (void)unused;
    struct buf buf = {0};
    buf_put_sized(&buf, slice_text("마당"));
    buf_put_sized(&buf, (struct slice){0});

    struct reader reader;
    reader_init(&reader, buf_slice(&buf));
    assert_true(slice_equal(reader_sized(&reader, 6), slice_text("마당")));
    assert_int_equal(reader_sized(&reader, 6).len, 0);
    assert_true(reader_done(&reader));

    reader_init(&reader, buf_slice(&buf));
    assert_int_equal(reader_sized(&reader, 5).len, 0);
    assert_true(reader.bad);
    buf_fini(&buf);
}

static void a_length_beyond_the_end_is_bad(void **unused)
{
    (void)unused;
    static const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 1};
    struct reader reader;
    reader_init(&reader, slice_of(bytes, sizeof bytes));
    assert_int_equal(reader_sized(&reader, SIZE_MAX).len, 0);
    assert_true(reader.bad);
}

static void bytes_left_over_are_not_done(void **unused)
{
    (void)unused;
    struct reader reader;
    reader_init(&reader, slice_of("ab", 2));
    reader_u8(&reader);
    assert_false(reader_done(&reader));
    reader_u8(&reader);
    assert_true(reader_done(&reader));
}

static void an_empty_slice_reads_as_done(void **unused)
{
    (void)unused;
    struct reader reader;
    reader_init(&reader, (struct slice){0});
    assert_true(reader_done(&reader));
    reader_u8(&reader);
    assert_true(reader.bad);
}

static void growing_keeps_what_was_written(void **unused)
{
    (void)unused;
    struct buf buf = {0};
    for (uint32_t i = 0; i < 10000; i++) buf_put_u32(&buf, i);
    memset(buf_extend(&buf, 3), 7, 3);
    struct reader reader;
    reader_init(&reader, buf_slice(&buf));
    for (uint32_t i = 0; i < 10000; i++) assert_int_equal(reader_u32(&reader), i);
    for (int i = 0; i < 3; i++) assert_int_equal(reader_u8(&reader), 7);
    assert_true(reader_done(&reader));
    buf_fini(&buf);
}

static void clear_keeps_the_memory_and_fini_gives_it_back(void **unused)
{
    (void)unused;
    struct buf buf = {0};
    buf_put(&buf, "abc", 3);
    size_t room = buf.room;
    buf_clear(&buf);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.room, room);
    buf_fini(&buf);
    assert_null(buf.at);
    assert_int_equal(buf.room, 0);
    buf_fini(&buf); /* twice is allowed */
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(integers_are_little_endian_and_come_back),
                     cmocka_unit_test(a_short_read_yields_zero_and_stays_bad),
                     cmocka_unit_test(a_short_read_of_bytes_leaves_zeroes),
                     cmocka_unit_test(sized_bytes_come_back_and_respect_the_limit),
                     cmocka_unit_test(a_length_beyond_the_end_is_bad),
                     cmocka_unit_test(bytes_left_over_are_not_done),
                     cmocka_unit_test(an_empty_slice_reads_as_done),
                     cmocka_unit_test(growing_keeps_what_was_written),
                     cmocka_unit_test(clear_keeps_the_memory_and_fini_gives_it_back));
}
