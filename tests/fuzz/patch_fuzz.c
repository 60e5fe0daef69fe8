/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes as a patch, and as two sections of which one is made into the other. What is
 * applied stays within its bounds, what is written makes what it is for.
 */
#include "base/check.h"
#include "wire/patch.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MADE_MAX = 600 };

/* Of its own memory, so that a step beyond its end is seen. */
static struct slice own(struct slice bytes)
{
    uint8_t *copy = malloc(bytes.len ? bytes.len : 1);
    CHECK(copy != NULL);
    if (bytes.len) memcpy(copy, bytes.at, bytes.len);
    return slice_of(copy, bytes.len);
}

static void apply(struct slice from, struct slice patch)
{
    struct buf made = {0};
    buf_put_u8(&made, 0xa5);
    enum status status = patch_apply(from, patch, MADE_MAX, &made);
    CHECK(status == ST_OK || status == ST_INVALID || status == ST_TOO_LARGE);
    CHECK(made.len >= 1 && made.len <= 1 + MADE_MAX && made.at[0] == 0xa5);
    CHECK(status == ST_OK || made.len == 1);
    buf_fini(&made);
}

static void write(struct slice from, struct slice to)
{
    struct buf patch = {0}, made = {0};
    if (patch_write(from, to, &patch)) {
        CHECK(patch.len < to.len);
        CHECK(patch_apply(from, buf_slice(&patch), to.len, &made) == ST_OK);
        CHECK(slice_equal(buf_slice(&made), to));
    } else {
        CHECK(patch.len == 0);
    }
    buf_fini(&patch);
    buf_fini(&made);
}

/* The first byte says where the others are cut in two. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    size_t cut = (size - 1) * data[0] / 256;
    struct slice from = own(slice_of(data + 1, cut));
    struct slice other = own(slice_of(data + 1 + cut, size - 1 - cut));
    apply(from, other);
    write(from, other);
    free((void *)from.at);
    free((void *)other.at);
    return 0;
}
