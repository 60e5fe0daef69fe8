/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/patch.h"

enum {
    WINDOW = 4,      /* bytes that are looked up */
    ALIGNED_MIN = 3, /* shorter copies at the cursor cost as much as they save */
    MOVED_MIN = 5,   /* from elsewhere, with a number more */
    AHEAD = 16,      /* bytes that tell where the cursor is to go on */
    SLOTS_BITS = 11, /* 4 KiB: of a usual section most windows keep a slot of their own */
    SLOTS = 1 << SLOTS_BITS,
    VARINT_BYTES_MAX = 4, /* 28 bits: above every length and distance, also four times over */
};

/* ---- writing --------------------------------------------------------------------------------- */

static void put_varint(struct buf *out, uint64_t value)
{
    for (; value > 0x7f; value >>= 7) buf_put_u8(out, (uint8_t)(value | 0x80));
    buf_put_u8(out, (uint8_t)value);
}

static uint32_t load_window(const uint8_t *at)
{
    uint32_t window;
    memcpy(&window, at, WINDOW);
    return window;
}

static size_t slot_of(uint32_t window)
{
    return window * 2654435761U >> (32 - SLOTS_BITS); /* Knuth's multiplicative hash */
}

/* How many bytes are the same from there on. */
static size_t match(struct slice from, size_t at, struct slice to, size_t there)
{
    if (at >= from.len) return 0;
    const uint8_t *a = from.at + at, *b = to.at + there;
    size_t most = from.len - at < to.len - there ? from.len - at : to.len - there;
    size_t len = 0;
    while (len + 8 <= most && memcmp(a + len, b + len, 8) == 0) len += 8; /* one comparison each */
    while (len < most && a[len] == b[len]) len++;
    return len;
}

struct writer {
    struct slice from, to;
    struct buf *out;
    size_t cursor;        /* in `from` */
    size_t told;          /* of `to` */
    uint16_t slot[SLOTS]; /* a window of `from`, by its hash: where it begins, plus one */
    bool indexed;
};

/* Of windows alike the first one is kept. */
static void index_windows(struct writer *writer)
{
    memset(writer->slot, 0, sizeof writer->slot);
    for (size_t at = writer->from.len; at-- > 0;) {
        if (at + WINDOW > writer->from.len) continue;
        writer->slot[slot_of(load_window(writer->from.at + at))] = (uint16_t)(at + 1);
    }
    writer->indexed = true;
}

static size_t find_moved(struct writer *writer, size_t there, size_t *at)
{
    if (there + WINDOW > writer->to.len) return 0;
    if (!writer->indexed) index_windows(writer);
    size_t slot = writer->slot[slot_of(load_window(writer->to.at + there))];
    if (slot == 0) return 0;
    *at = slot - 1;
    return match(writer->from, *at, writer->to, there);
}

static void put_new(struct writer *writer, size_t until)
{
    size_t len = until - writer->told;
    if (len == 0) return;
    put_varint(writer->out, (uint64_t)len << 1);
    buf_put(writer->out, writer->to.at + writer->told, len);
    writer->told += len;
    writer->cursor += len;
}

/* How many of the next bytes are the same in both, each at its place. */
static size_t alike(const struct writer *writer, size_t at, size_t there)
{
    size_t count = 0;
    for (size_t i = 0; i < AHEAD && at + i < writer->from.len && there + i < writer->to.len; i++)
        count += writer->from.at[at + i] == writer->to.at[there + i];
    return count;
}

static void put_move(struct writer *writer, size_t at, size_t len, bool stays)
{
    bool back = at < writer->cursor;
    uint64_t zigzag = back ? 2 * (writer->cursor - at) - 1 : 2 * (at - writer->cursor);
    put_varint(writer->out, (uint64_t)len << 2 | 3);
    put_varint(writer->out, zigzag << 1 | stays);
    writer->cursor = stays ? writer->cursor + len : at + len;
}

/* The end of both needs no copy: what is left comes by itself. */
static void put_copy(struct writer *writer, size_t at, size_t len)
{
    size_t there = writer->told;
    bool last = at + len == writer->from.len && there + len == writer->to.len;
    writer->told += len;
    if (at != writer->cursor && last) {
        put_move(writer, at, 0, false);
    } else if (at != writer->cursor) {
        bool stays =
            alike(writer, writer->cursor + len, there + len) > alike(writer, at + len, there + len);
        put_move(writer, at, len, stays);
        return;
    } else if (!last) {
        put_varint(writer->out, (uint64_t)len << 2 | 1);
    }
    writer->cursor = at + len;
}

/* A window that lost its slot may have been the first of those alike. Moves both back to it. */
static size_t step_back(const struct writer *writer, size_t *there, size_t *at)
{
    size_t len = 0;
    while (*at > 0 && *there > writer->told &&
           writer->from.at[*at - 1] == writer->to.at[*there - 1]) {
        (*at)--;
        (*there)--;
        len++;
    }
    return len;
}

/* The next copy at or after `there`, which is moved on to it; 0: there is none. */
static size_t next_copy(struct writer *writer, size_t *there, size_t *at)
{
    for (; *there < writer->to.len; (*there)++) {
        size_t aligned = writer->cursor + (*there - writer->told), elsewhere = 0;
        size_t len = match(writer->from, aligned, writer->to, *there);
        *at = aligned;
        if (len >= ALIGNED_MIN || (len && *there + len == writer->to.len)) return len;
        len = find_moved(writer, *there, &elsewhere);
        if (len < MOVED_MIN) continue;
        *at = elsewhere;
        return len + step_back(writer, there, at);
    }
    return 0;
}

bool patch_write(struct slice from, struct slice to, struct buf *out)
{
    if (from.len == 0 || from.len >= PATCH_BYTES_MAX || to.len >= PATCH_BYTES_MAX) return false;
    struct writer writer;
    writer.from = from;
    writer.to = to;
    writer.out = out;
    writer.cursor = writer.told = 0;
    writer.indexed = false;
    size_t before = out->len, there = 0, at, len;
    while ((len = next_copy(&writer, &there, &at)) && out->len - before < to.len) {
        put_new(&writer, there);
        put_copy(&writer, at, len);
        there = writer.told;
    }
    put_new(&writer, to.len);
    if (writer.cursor < from.len) put_move(&writer, from.len, 0, false);
    if (out->len - before < to.len) return true;
    out->len = before;
    return false;
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool take_varint(struct slice *rest, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < rest->len && i < VARINT_BYTES_MAX; i++) {
        *value |= (uint64_t)(rest->at[i] & 0x7f) << 7 * i;
        if (rest->at[i] & 0x80) continue;
        *rest = slice_of(rest->at + i + 1, rest->len - i - 1);
        return true;
    }
    return false;
}

/* Takes the next operation off the front and says which bytes it adds. */
static bool take_operation(struct slice from, int64_t *cursor, struct slice *rest,
                           struct slice *adds)
{
    uint64_t n, m = 0;
    if (!take_varint(rest, &n)) return false;
    bool copies = n & 1, moves = (n & 3) == 3;
    uint64_t len = copies ? n >> 2 : n >> 1;
    if (moves && !take_varint(rest, &m)) return false;
    if (len == 0 && (!moves || m & 1)) return false;
    int64_t at = *cursor + ((int64_t)(m >> 2) ^ -(int64_t)(m >> 1 & 1));
    struct slice source = copies ? from : *rest;
    if (!copies) at = 0;
    if (at < 0 || (uint64_t)at > source.len || len > source.len - (uint64_t)at) return false;
    *adds = slice_of(source.at + at, (size_t)len);
    if (!copies) *rest = slice_of(rest->at + len, rest->len - (size_t)len);
    *cursor = (moves && !(m & 1) ? at : *cursor) + (int64_t)len;
    return true;
}

static struct slice left_of(struct slice from, int64_t cursor)
{
    if ((uint64_t)cursor >= from.len) return (struct slice){0};
    return slice_of(from.at + cursor, from.len - (size_t)cursor);
}

enum status patch_apply(struct slice from, struct slice patch, size_t max, struct buf *out)
{
    size_t before = out->len;
    int64_t cursor = 0;
    for (bool more = true; more;) {
        struct slice adds;
        enum status status = ST_OK;
        more = patch.len > 0;
        if (!more)
            adds = left_of(from, cursor);
        else if (!take_operation(from, &cursor, &patch, &adds))
            status = ST_INVALID;
        if (status == ST_OK && adds.len > max - (out->len - before)) status = ST_TOO_LARGE;
        if (status != ST_OK) {
            out->len = before;
            return status;
        }
        buf_put_slice(out, adds);
    }
    return ST_OK;
}
