/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of protobuf by hand, for the few messages that come and go with every action: generated
 * code walks a table for each. What is written is what protobuf-c writes; fields that have their
 * default are left out.
 *
 * Writing: into room that the caller has made, FIELD_HEAD_MAX for each and its bytes; returns what
 * is behind it.
 */
#ifndef WIRE_FIELD_H
#define WIRE_FIELD_H

#include "base/types.h"

enum {
    FIELD_VARINT = 0, /* wire types */
    FIELD_BYTES = 2,
    FIELD_VARINT_MAX = 10,
    FIELD_HEAD_MAX = 2 + FIELD_VARINT_MAX, /* of fields numbered up to 2047, and of lengths */
};

static inline uint8_t *field_varint(uint8_t *at, uint64_t value)
{
    for (; value > 0x7f; value >>= 7) *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *field_head(uint8_t *at, uint32_t number, uint64_t len)
{
    return field_varint(field_varint(at, number << 3 | FIELD_BYTES), len);
}

static inline uint8_t *field_number(uint8_t *at, uint32_t number, uint64_t value)
{
    if (value == 0) return at;
    return field_varint(field_varint(at, number << 3 | FIELD_VARINT), value);
}

/* sint64 */
static inline uint8_t *field_signed(uint8_t *at, uint32_t number, int64_t value)
{
    return field_number(at, number, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static inline uint8_t *field_bytes(uint8_t *at, uint32_t number, struct slice bytes)
{
    if (bytes.len == 0) return at;
    at = field_head(at, number, bytes.len);
    memcpy(at, bytes.at, bytes.len);
    return at + bytes.len;
}

/* Takes a number off the front; false: none of at most nine bytes is there, and *rest is spoilt. */
static inline bool field_take(struct slice *rest, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < rest->len && i < FIELD_VARINT_MAX - 1; i++) {
        *value |= (uint64_t)(rest->at[i] & 0x7f) << 7 * i;
        if (rest->at[i] & 0x80) continue;
        *rest = (struct slice){rest->at + i + 1, rest->len - i - 1};
        return true;
    }
    return false;
}

#endif
