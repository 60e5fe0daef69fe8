/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing byte buffer, and a cursor that reads one back. The writer aborts (CHECK) when memory
 * ends or the buffer would pass its bound; the reader never reads past the end: after the first
 * short read it is `bad`, yields zeroes and stays bad, so a decoder checks once at the end.
 *
 * Integers are little-endian, fixed width. This is the canonical encoding of states and snapshots;
 * what crosses between processes is protobuf (libs/wire).
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/types.h"

enum { BUF_LEN_MAX = 64 << 20 }; /* far above every message and state; past it is a fault of ours */

struct buf {
    uint8_t *at;
    size_t len, room;
};

/* A zeroed struct is an empty buffer. fini frees and zeroes; clear keeps the memory. */
void buf_fini(struct buf *buf);
void buf_clear(struct buf *buf);
void buf_put(struct buf *buf, const void *bytes, size_t len);
void buf_put_slice(struct buf *buf, struct slice bytes); /* bytes alone, no length */
void buf_put_sized(struct buf *buf, struct slice bytes); /* u32 length, then the bytes */
/* Makes room for `len` more bytes, counts them as written and lends them. */
uint8_t *buf_extend(struct buf *buf, size_t len);
/* For room that is not there yet. */
void buf_make_room(struct buf *buf, size_t len);
/* The same as buf_extend, for len above 0. */
static inline uint8_t *buf_take(struct buf *buf, size_t len)
{
    if (len > buf->room - buf->len) buf_make_room(buf, len);
    uint8_t *at = buf->at + buf->len;
    buf->len += len;
    return at;
}

/* States are written a byte here and four there, at every input: these are no calls. */
static inline void buf_put_u8(struct buf *buf, uint8_t value)
{
    *buf_take(buf, 1) = value;
}
static inline void buf_put_u16(struct buf *buf, uint16_t value)
{
    uint8_t *at = buf_take(buf, 2);
    for (int i = 0; i < 2; i++) at[i] = (uint8_t)(value >> (8 * i));
}
/* Into room that was lent; returns what is behind it. */
static inline uint8_t *buf_write_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
    return at + 4;
}
static inline void buf_put_u32(struct buf *buf, uint32_t value)
{
    buf_write_u32(buf_take(buf, 4), value);
}
static inline void buf_put_u64(struct buf *buf, uint64_t value)
{
    uint8_t *at = buf_take(buf, 8);
    for (int i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}
static inline void buf_put_i32(struct buf *buf, int32_t value)
{
    buf_put_u32(buf, (uint32_t)value);
}

static inline struct slice buf_slice(const struct buf *buf)
{
    return (struct slice){buf->at, buf->len};
}

struct reader {
    const uint8_t *at, *end;
    bool bad;
};

void reader_init(struct reader *reader, struct slice bytes);
uint8_t reader_u8(struct reader *reader);
uint16_t reader_u16(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);
int32_t reader_i32(struct reader *reader);
bool reader_bytes(struct reader *reader, void *into, size_t len);
/* Borrows from the input; longer than len_max is bad. */
struct slice reader_sized(struct reader *reader, size_t len_max);
/* True when nothing went wrong and every byte was used. */
bool reader_done(const struct reader *reader);

#endif
