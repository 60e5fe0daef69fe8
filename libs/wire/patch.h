/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes new bytes of old ones: a row of copies from the old bytes and of bytes that are new,
 * after VCDIFF (RFC 3284, "COPY" and "ADD"), found as there by greedy matching of short windows
 * through a small hash table. It knows nothing of what the bytes mean.
 *
 * A patch is a row of operations, each begun by a varint n (as in protobuf, seven bits a byte):
 *
 *     n & 1 == 0   n >> 1 bytes follow, which are new
 *     n & 3 == 1   n >> 2 bytes are copied from where the cursor stands in the old bytes
 *     n & 3 == 3   a varint m follows, and n >> 2 bytes are copied that lie (m >> 1, a zigzag
 *                  number) away from the cursor. It goes on behind them, or, when m & 1, as after
 *                  new bytes.
 *
 * The cursor begins at 0 and passes over what is copied, and over as many old bytes as are new:
 * what was replaced by something as long costs two numbers and its bytes. What is left of the old
 * bytes behind the cursor comes last. An operation has at least one byte, but for the third kind
 * without m & 1, which may do nothing but move the cursor. services/web/src/net/patch.ts applies
 * the same; both are held against tests/unit/wire/patches.txt.
 */
#ifndef WIRE_PATCH_H
#define WIRE_PATCH_H

#include "base/buf.h"
#include "base/status.h"

enum {
    PATCH_BYTES_MAX = 1 << 16, /* old and new bytes of more are not compared */
};

/* Appends to *out the patch that makes `to` of `from`. False, and nothing appended, when it would
 * not be smaller than `to` is. A function of these two and nothing else. Time rises with their
 * lengths and no faster: a window has one candidate. */
bool patch_write(struct slice from, struct slice to, struct buf *out);

/* Appends to *out what the patch makes of `from`. ST_INVALID: not a patch of these bytes;
 * ST_TOO_LARGE: more than `max` bytes. *out is then as it was. */
enum status patch_apply(struct slice from, struct slice patch, size_t max, struct buf *out);

#endif
