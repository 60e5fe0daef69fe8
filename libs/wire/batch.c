/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/batch.h"

#include "wire/bounds.h"
#include "wire/envelope_decode.h"
#include "wire/pb.h"

enum status batch_append_head(const struct batch *batch, struct buf *out)
{
    enum status status = bounds_batch_head(batch);
    if (status != ST_OK) return status;
    PB(Batch) head = PB_INIT(BATCH);
    head.from = pb_id(&batch->from);
    head.to = pb_id(&batch->to);
    head.from_url = pb_text(batch->from_url);
    head.stream = batch->stream;
    head.number = batch->number;
    pb_append(&head.base, out);
    return ST_OK;
}

enum status batch_encode(const struct batch *batch, struct buf *out)
{
    size_t start = out->len;
    enum status status = batch_append_head(batch, out);
    for (int i = 0; i < batch->count && status == ST_OK; i++) {
        status = batch_append_envelope(&batch->list[i], out);
        if (out->len - start > WIRE_BATCH_BYTES_MAX) status = ST_TOO_LARGE;
    }
    if (status != ST_OK) out->len = start;
    return status;
}

static enum status take_envelopes(const PB(Batch) * from, struct arena *arena, struct batch *to)
{
    to->count = (int)from->n_envelopes;
    if (to->count == 0) return ST_OK;
    to->list = arena_alloc(arena, from->n_envelopes * sizeof *to->list);
    for (int i = 0; i < to->count; i++) {
        enum status status = envelope_take(from->envelopes[i], arena, &to->list[i]);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

enum status batch_decode(struct slice bytes, struct arena *arena, struct batch *out)
{
    *out = (struct batch){0};
    if (bytes.len > WIRE_BATCH_BYTES_MAX) return ST_TOO_LARGE;
    struct pb_memory memory;
    pb_memory_init(&memory, arena);
    const PB(Batch) *from =
        madang__v1__cluster__batch__unpack(&memory.allocator, bytes.len, bytes.at);
    if (from == NULL) return ST_INVALID;
    if (from->n_envelopes > WIRE_BATCH_ENVELOPES_MAX) return ST_TOO_LARGE;

    struct batch batch = {.from_url = from->from_url,
                          .stream = from->stream,
                          .number = from->number};
    if (!pb_take_id(from->from, &batch.from) || !pb_take_id(from->to, &batch.to)) return ST_INVALID;
    enum status status = take_envelopes(from, arena, &batch);
    if (status == ST_OK) status = bounds_batch_head(&batch);
    if (status == ST_OK) *out = batch;
    return status;
}
