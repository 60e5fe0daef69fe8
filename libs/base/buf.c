/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include "base/check.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void buf_fini(struct buf *buf)
{
    free(buf->at);
    *buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
}

void buf_make_room(struct buf *buf, size_t len)
{
    CHECK(len <= BUF_LEN_MAX && buf->len <= BUF_LEN_MAX - len);
    size_t needed = buf->len + len;
    size_t room = buf->room ? buf->room : FIRST_ROOM;
    while (room < needed) room *= 2;
    uint8_t *at = realloc(buf->at, room);
    CHECK(at != NULL);
    buf->at = at;
    buf->room = room;
}
/* So the room never exceeds the bound. */
_Static_assert((BUF_LEN_MAX & (BUF_LEN_MAX - 1)) == 0 && (int)BUF_LEN_MAX >= (int)FIRST_ROOM,
               "doubling ends at the bound");

uint8_t *buf_extend(struct buf *buf, size_t len)
{
    if (buf->at == NULL)
        buf_make_room(buf, 1); /* a pointer that may be written to, also for nothing */
    return buf_take(buf, len);
}

void buf_put(struct buf *buf, const void *bytes, size_t len)
{
    if (len == 0) return; /* bytes may be NULL */
    memcpy(buf_take(buf, len), bytes, len);
}

void buf_put_slice(struct buf *buf, struct slice bytes)
{
    buf_put(buf, bytes.at, bytes.len);
}

void buf_put_sized(struct buf *buf, struct slice bytes)
{
    CHECK(bytes.len <= UINT32_MAX);
    buf_put_u32(buf, (uint32_t)bytes.len);
    buf_put_slice(buf, bytes);
}

void reader_init(struct reader *reader, struct slice bytes)
{
    static const uint8_t nothing[1];
    /* Never NULL, so that the arithmetic on `at` is defined for an empty slice too. */
    const uint8_t *at = bytes.len ? bytes.at : nothing;
    *reader = (struct reader){.at = at, .end = at + bytes.len};
}

/* The next len bytes, or NULL and bad from then on. */
static const uint8_t *take(struct reader *reader, size_t len)
{
    if (reader->bad || (size_t)(reader->end - reader->at) < len) {
        reader->bad = true;
        return NULL;
    }
    const uint8_t *at = reader->at;
    reader->at += len;
    return at;
}

static uint64_t take_little_endian(struct reader *reader, size_t width)
{
    const uint8_t *at = take(reader, width);
    uint64_t value = 0;
    if (at == NULL) return 0;
    for (size_t i = 0; i < width; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

uint8_t reader_u8(struct reader *reader)
{
    return (uint8_t)take_little_endian(reader, 1);
}

uint16_t reader_u16(struct reader *reader)
{
    return (uint16_t)take_little_endian(reader, 2);
}

uint32_t reader_u32(struct reader *reader)
{
    return (uint32_t)take_little_endian(reader, 4);
}

uint64_t reader_u64(struct reader *reader)
{
    return take_little_endian(reader, 8);
}

int32_t reader_i32(struct reader *reader)
{
    return (int32_t)reader_u32(reader);
}

bool reader_bytes(struct reader *reader, void *into, size_t len)
{
    const uint8_t *at = take(reader, len);
    if (len == 0) return at != NULL;
    if (at == NULL) {
        memset(into, 0, len);
        return false;
    }
    memcpy(into, at, len);
    return true;
}

struct slice reader_sized(struct reader *reader, size_t len_max)
{
    size_t len = reader_u32(reader);
    if (len > len_max) reader->bad = true;
    const uint8_t *at = take(reader, len);
    return at ? slice_of(at, len) : (struct slice){0};
}

bool reader_done(const struct reader *reader)
{
    return !reader->bad && reader->at == reader->end;
}
