/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes as what a browser says, and as what a gateway says. What a decoder takes must
 * encode, and decode to the same again.
 */
#include "base/check.h"
#include "wire/client_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void client(struct slice bytes, struct arena *arena, struct buf *once, struct buf *twice)
{
    struct client_frame decoded;
    if (client_frame_decode(bytes, arena, &decoded) != ST_OK) return;
    client_frame_encode(&decoded, once);
    CHECK(client_frame_decode(buf_slice(once), arena, &decoded) == ST_OK);
    client_frame_encode(&decoded, twice);
    CHECK(slice_equal(buf_slice(once), buf_slice(twice)));
}

static void server(struct slice bytes, struct arena *arena, struct buf *once, struct buf *twice)
{
    struct server_frame decoded;
    if (server_frame_decode(bytes, arena, &decoded) != ST_OK) return;
    server_frame_encode(&decoded, once);
    CHECK(server_frame_decode(buf_slice(once), arena, &decoded) == ST_OK);
    server_frame_encode(&decoded, twice);
    CHECK(slice_equal(buf_slice(once), buf_slice(twice)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const decoders[])(struct slice, struct arena *, struct buf *,
                                    struct buf *) = {client, server};
    for (int i = 0; i < 2; i++) {
        struct arena arena = {0};
        struct buf once = {0}, twice = {0};
        decoders[i](slice_of(data, size), &arena, &once, &twice);
        buf_fini(&once);
        buf_fini(&twice);
        arena_fini(&arena);
    }
    return 0;
}
