/* SPDX-License-Identifier: Apache-2.0
 *
 * A later protocol beside this one (a rolling upgrade): what such a node sends comes from the real
 * encoder, and then gets fields that nobody here knows in every message of it, however deep. Now
 * and then it also sends a kind of envelope or request that is not known here: the batch is refused
 * as a whole, which costs a gap, and the request gets no answer. What it receives lacks its fields,
 * which is nothing but what everybody else sends.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/world.h"

#include "cluster.pb-c.h"

enum {
    LATER_NUMBER = 700, /* of fields */
    LATER_TEXT = 701,
    LATER_KIND = 900, /* of envelopes, of requests */
};

bool newer_speaks(const struct world *world, const struct sim_node *node)
{
    return world->config.newer && (node->life + (uint64_t)node->index) % 2;
}

/* ---- fields that are not known --------------------------------------------------------------- */

enum { VARINT_MAX = 10 };

static uint64_t take_varint(struct slice *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < VARINT_MAX; i++) {
        CHECK(bytes->len > 0);
        uint8_t byte = *bytes->at++;
        bytes->len--;
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) return value;
    }
    CHECK(!"a varint that ends");
    return 0;
}

static size_t write_varint(uint8_t *into, uint64_t value)
{
    size_t len = 0;
    for (; value >= 0x80; value >>= 7) into[len++] = (uint8_t)(value | 0x80);
    into[len++] = (uint8_t)value;
    return len;
}

static void put_varint(struct buf *out, uint64_t value)
{
    uint8_t bytes[VARINT_MAX];
    buf_put(out, bytes, write_varint(bytes, value));
}

static void skip(struct slice *bytes, uint64_t len)
{
    CHECK(len <= bytes->len);
    bytes->at += len;
    bytes->len -= (size_t)len;
}

static void put_message(const ProtobufCMessageDescriptor *descriptor, struct slice bytes,
                        struct buf *out);

/* Its length comes before it and is known after it. */
static void put_inner(const ProtobufCMessageDescriptor *descriptor, struct slice bytes,
                      struct buf *out)
{
    size_t begin = out->len;
    put_message(descriptor, bytes, out);
    uint8_t head[VARINT_MAX];
    size_t len = out->len - begin, head_len = write_varint(head, len);
    buf_extend(out, head_len);
    memmove(out->at + begin + head_len, out->at + begin, len);
    memcpy(out->at + begin, head, head_len);
}

/* The message in a field, or NULL: it holds something else. */
static const ProtobufCMessageDescriptor *inner(const ProtobufCMessageDescriptor *descriptor,
                                               uint64_t tag)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(descriptor, (unsigned)(tag >> 3));
    return field && field->type == PROTOBUF_C_TYPE_MESSAGE ? field->descriptor : NULL;
}

static void put_message(const ProtobufCMessageDescriptor *descriptor, struct slice bytes,
                        struct buf *out)
{
    const uint8_t *copied = bytes.at; /* all before it is in `out` */
    while (bytes.len > 0) {
        uint64_t tag = take_varint(&bytes), len = 0;
        switch (tag & 7) {
        case PROTOBUF_C_WIRE_TYPE_VARINT: take_varint(&bytes); continue;
        case PROTOBUF_C_WIRE_TYPE_64BIT: skip(&bytes, sizeof(uint64_t)); continue;
        case PROTOBUF_C_WIRE_TYPE_32BIT: skip(&bytes, sizeof(uint32_t)); continue;
        case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED: break;
        default: CHECK(!"a wire type of proto3");
        }
        const ProtobufCMessageDescriptor *of = inner(descriptor, tag);
        const uint8_t *before = bytes.at;
        len = take_varint(&bytes);
        if (of) buf_put(out, copied, (size_t)(before - copied));
        const uint8_t *at = bytes.at;
        skip(&bytes, len);
        if (!of) continue;
        put_inner(of, slice_of(at, (size_t)len), out);
        copied = bytes.at;
    }
    if (bytes.at != copied) buf_put(out, copied, (size_t)(bytes.at - copied));
    static const char text[] = "late";
    put_varint(out, LATER_NUMBER << 3 | PROTOBUF_C_WIRE_TYPE_VARINT);
    put_varint(out, 300);
    put_varint(out, LATER_TEXT << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
    put_varint(out, sizeof text - 1);
    buf_put(out, text, sizeof text - 1);
}

static void put_later(struct world *world, const ProtobufCMessageDescriptor *descriptor,
                      struct slice bytes, struct buf *out)
{
    world->counts.unknown_fields++;
    put_message(descriptor, bytes, out);
}

/* ---- kinds that are not known ---------------------------------------------------------------- */

static bool strange(struct world *world)
{
    return fault_strikes(world, FAULT_STRANGE, world->config.faults.strange_ppm, "network");
}

static ProtobufCMessage *unpack(const ProtobufCMessageDescriptor *descriptor, struct slice bytes)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, bytes.len, bytes.at);
    CHECK(message);
    return message;
}

static void put_changed(struct world *world, ProtobufCMessage *message, struct buf *out)
{
    struct buf packed = {0};
    size_t len = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, buf_extend(&packed, len));
    put_later(world, message->descriptor, buf_slice(&packed), out);
    buf_fini(&packed);
    protobuf_c_message_free_unpacked(message, NULL);
}

/* Its last envelope is of a kind that is one of the fields that are not known. */
static void put_strange_batch(struct world *world, struct slice bytes, struct buf *out)
{
    ProtobufCMessage *message = unpack(&madang__v1__cluster__batch__descriptor, bytes);
    Madang__V1__Cluster__Batch *batch = (Madang__V1__Cluster__Batch *)message;
    if (batch->n_envelopes > 0) {
        Madang__V1__Cluster__Envelope **last = &batch->envelopes[batch->n_envelopes - 1];
        protobuf_c_message_free_unpacked(&(*last)->base, NULL);
        *last = malloc(sizeof **last);
        CHECK(*last);
        madang__v1__cluster__envelope__init(*last);
    }
    put_changed(world, message, out);
}

static void put_strange_request(struct world *world, struct slice bytes, struct buf *out)
{
    ProtobufCMessage *message = unpack(&madang__v1__cluster__request__descriptor, bytes);
    Madang__V1__Cluster__Request *request = (Madang__V1__Cluster__Request *)message;
    request->kind = (Madang__V1__Cluster__RequestKind)LATER_KIND;
    put_changed(world, message, out);
}

/* ---- what it sends --------------------------------------------------------------------------- */

void newer_batch(struct world *world, struct slice bytes, struct buf *out)
{
    if (strange(world))
        put_strange_batch(world, bytes, out);
    else
        put_later(world, &madang__v1__cluster__batch__descriptor, bytes, out);
}

void newer_request(struct world *world, struct slice bytes, struct buf *out)
{
    if (strange(world))
        put_strange_request(world, bytes, out);
    else
        put_later(world, &madang__v1__cluster__request__descriptor, bytes, out);
}

void newer_reply(struct world *world, struct slice bytes, struct buf *out)
{
    put_later(world, &madang__v1__cluster__reply__descriptor, bytes, out);
}
