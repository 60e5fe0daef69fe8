/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes into the decoders between services. What one takes must encode, and decode to the
 * same again.
 */
#include "base/check.h"
#include "wire/cluster.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void batch(struct slice bytes, struct arena *arena, struct buf *once, struct buf *twice)
{
    struct batch decoded;
    if (batch_decode(bytes, arena, &decoded) != ST_OK) return;
    CHECK(batch_encode(&decoded, once) == ST_OK);
    CHECK(batch_decode(buf_slice(once), arena, &decoded) == ST_OK);
    CHECK(batch_encode(&decoded, twice) == ST_OK);
    CHECK(slice_equal(buf_slice(once), buf_slice(twice)));
}

static void request(struct slice bytes, struct arena *arena, struct buf *once, struct buf *twice)
{
    struct request decoded;
    if (request_decode(bytes, arena, &decoded) != ST_OK) return;
    CHECK(request_encode(&decoded, once) == ST_OK);
    CHECK(request_decode(buf_slice(once), arena, &decoded) == ST_OK);
    CHECK(request_encode(&decoded, twice) == ST_OK);
    CHECK(slice_equal(buf_slice(once), buf_slice(twice)));
}

static void reply(struct slice bytes, struct arena *arena, struct buf *once, struct buf *twice)
{
    struct reply decoded;
    if (reply_decode(bytes, arena, &decoded) != ST_OK) return;
    CHECK(reply_encode(&decoded, once) == ST_OK);
    CHECK(reply_decode(buf_slice(once), arena, &decoded) == ST_OK);
    CHECK(reply_encode(&decoded, twice) == ST_OK);
    CHECK(slice_equal(buf_slice(once), buf_slice(twice)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const decoders[])(struct slice, struct arena *, struct buf *,
                                    struct buf *) = {batch, request, reply};
    for (int i = 0; i < 3; i++) {
        struct arena arena = {0};
        struct buf once = {0}, twice = {0};
        decoders[i](slice_of(data, size), &arena, &once, &twice);
        buf_fini(&once);
        buf_fini(&twice);
        arena_fini(&arena);
    }
    return 0;
}
