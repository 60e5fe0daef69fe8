/* SPDX-License-Identifier: Apache-2.0
 *
 * What services say to each other, cut short or with bits turned: no decoder does harm.
 */
#include "unit/test.h"
#include "unit/wire/sample.h"

#include <stdlib.h>

enum { ROUNDS = 200 };

/* ---- bytes that nobody meant ----------------------------------------------------------------- */

/* All three decoders; what one of them takes must also encode again. */
static void decode_all(struct slice bytes, struct arena *arena)
{
    struct buf buf = {0};
    struct batch batch;
    struct request request;
    struct reply reply;
    if (batch_decode(bytes, arena, &batch) == ST_OK)
        assert_int_equal(batch_encode(&batch, &buf), ST_OK);
    if (request_decode(bytes, arena, &request) == ST_OK)
        assert_int_equal(request_encode(&request, &buf), ST_OK);
    if (reply_decode(bytes, arena, &reply) == ST_OK)
        assert_int_equal(reply_encode(&reply, &buf), ST_OK);
    buf_fini(&buf);
    arena_reset(arena);
}

/* A copy that ends where the bytes end, so that a sanitizer sees a read beyond. */
static void decode_copy(struct slice bytes, struct arena *arena)
{
    struct buf copy = {0};
    buf_put_slice(&copy, bytes);
    if (copy.at) copy.at = realloc(copy.at, copy.len);
    decode_all(buf_slice(&copy), arena);
    buf_fini(&copy);
}

static void sample_any(struct sample *sample, struct buf *out)
{
    struct batch batch;
    struct request request;
    struct reply reply;
    buf_clear(out);
    switch (sample_below(sample, 3)) {
    case 0:
        sample_batch(sample, &batch);
        batch.count = batch.count < 4 ? batch.count : 4;
        assert_int_equal(batch_encode(&batch, out), ST_OK);
        break;
    case 1:
        sample_request(sample, REQ_HEARTBEAT, &request);
        assert_int_equal(request_encode(&request, out), ST_OK);
        break;
    default:
        sample_reply(sample, REQ_STATUS, &reply);
        assert_int_equal(reply_encode(&reply, out), ST_OK);
    }
}

static void truncated_bytes_do_no_harm(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 6};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int i = 0; i < 12; i++) {
        sample_any(&sample, &buf);
        size_t step = 1 + buf.len / 400;
        for (size_t len = 0; len < buf.len; len += step) decode_copy(slice_of(buf.at, len), &arena);
        arena_reset(&sample.arena);
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void flipped_bits_do_no_harm(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 7};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int i = 0; i < 60; i++) {
        sample_any(&sample, &buf);
        for (int j = 0; j < 60; j++) {
            size_t at = sample_u64(&sample) % buf.len;
            uint8_t bit = (uint8_t)(1u << sample_below(&sample, 8));
            buf.at[at] ^= bit;
            decode_copy(buf_slice(&buf), &arena);
            if (sample_below(&sample, 4)) buf.at[at] ^= bit; /* now and then they add up */
        }
        arena_reset(&sample.arena);
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(truncated_bytes_do_no_harm),
                     cmocka_unit_test(flipped_bits_do_no_harm));
}
