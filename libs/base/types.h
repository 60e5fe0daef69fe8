/* SPDX-License-Identifier: Apache-2.0
 *
 * The few types that everything shares: instants, 128-bit ids, borrowed bytes.
 */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Milliseconds on some timeline; which one (room time, CLOCK_BOOTTIME, Redis TIME) is said where it
 * is used. */
typedef uint64_t instant_ms;
#define INSTANT_NEVER UINT64_MAX

/* Sixteen random bytes: an instance, a request, a ticket, a player. Never shown to another player.
 */
struct id128 {
    uint8_t byte[16];
};

static inline bool id128_equal(struct id128 a, struct id128 b)
{
    return memcmp(a.byte, b.byte, 16) == 0;
}
static inline int id128_compare(struct id128 a, struct id128 b)
{
    return memcmp(a.byte, b.byte, 16);
}
static inline bool id128_is_zero(struct id128 a)
{
    static const struct id128 zero;
    return id128_equal(a, zero);
}

/* Bytes that belong to somebody else. len 0 means none; at may then be NULL. */
struct slice {
    const uint8_t *at;
    size_t len;
};

static inline struct slice slice_of(const void *at, size_t len)
{
    return (struct slice){at, len};
}
static inline struct slice slice_text(const char *text)
{
    return (struct slice){(const uint8_t *)text, strlen(text)};
}
static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

#endif
