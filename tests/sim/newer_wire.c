/* SPDX-License-Identifier: Apache-2.0
 *
 * A later protocol beside this one (a rolling upgrade): what such a node sends is packed by the
 * real encoder, unpacked again, given fields that nobody here knows in every message of it, however
 * deep, and packed anew. Now and then it also sends a kind of envelope or request that is not known
 * here: the batch is refused as a whole, which costs a gap, and the request gets no answer. What it
 * receives lacks its fields, which is nothing but what everybody else sends.
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

static void put_unknown(ProtobufCMessageUnknownField *field, uint32_t number,
                        ProtobufCWireType type, const uint8_t *bytes, size_t len)
{
    *field = (ProtobufCMessageUnknownField){
        .tag = number, .wire_type = type, .len = len, .data = malloc(len)};
    CHECK(field->data);
    memcpy(field->data, bytes, len);
}

static void add_fields(ProtobufCMessage *message)
{
    static const uint8_t number[] = {0xac, 0x02}, text[] = {4, 'l', 'a', 't', 'e'};
    CHECK(message->n_unknown_fields == 0);
    message->unknown_fields = calloc(2, sizeof *message->unknown_fields);
    CHECK(message->unknown_fields);
    message->n_unknown_fields = 2;
    put_unknown(&message->unknown_fields[0], LATER_NUMBER, PROTOBUF_C_WIRE_TYPE_VARINT, number,
                sizeof number);
    put_unknown(&message->unknown_fields[1], LATER_TEXT, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, text,
                sizeof text);
}

static void add_everywhere(ProtobufCMessage *message);

static void add_in_field(ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    uint8_t *base = (uint8_t *)message;
    if (field->type != PROTOBUF_C_TYPE_MESSAGE) return;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count;
        ProtobufCMessage **list;
        memcpy(&count, base + field->quantifier_offset, sizeof count);
        memcpy(&list, base + field->offset, sizeof list);
        for (size_t i = 0; i < count; i++) add_everywhere(list[i]);
        return;
    }
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        uint32_t is;
        memcpy(&is, base + field->quantifier_offset, sizeof is);
        if (is != field->id) return;
    }
    ProtobufCMessage *inner;
    memcpy(&inner, base + field->offset, sizeof inner);
    if (inner) add_everywhere(inner);
}

static void add_everywhere(ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++)
        add_in_field(message, &message->descriptor->fields[i]);
    add_fields(message);
}

static ProtobufCMessage *unpack(const ProtobufCMessageDescriptor *descriptor, struct slice bytes)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, bytes.len, bytes.at);
    CHECK(message);
    return message;
}

static void pack(struct world *world, ProtobufCMessage *message, struct buf *out)
{
    world->counts.unknown_fields++;
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(size + 1);
    CHECK(bytes);
    protobuf_c_message_pack(message, bytes);
    buf_put_slice(out, slice_of(bytes, size));
    free(bytes);
    protobuf_c_message_free_unpacked(message, NULL);
}

static bool strange(struct world *world)
{
    return fault_strikes(world, FAULT_STRANGE, world->config.faults.strange_ppm, "network");
}

/* An envelope whose kind is one of the fields that are not known. */
static void make_strange(Madang__V1__Cluster__Batch *batch)
{
    if (batch->n_envelopes == 0) return;
    Madang__V1__Cluster__Envelope *last = batch->envelopes[batch->n_envelopes - 1];
    protobuf_c_message_free_unpacked(&last->base, NULL);
    last = malloc(sizeof *last);
    CHECK(last);
    madang__v1__cluster__envelope__init(last);
    batch->envelopes[batch->n_envelopes - 1] = last;
}

void newer_batch(struct world *world, struct slice bytes, struct buf *out)
{
    ProtobufCMessage *message = unpack(&madang__v1__cluster__batch__descriptor, bytes);
    if (strange(world)) make_strange((Madang__V1__Cluster__Batch *)message);
    add_everywhere(message);
    pack(world, message, out);
}

void newer_request(struct world *world, struct slice bytes, struct buf *out)
{
    ProtobufCMessage *message = unpack(&madang__v1__cluster__request__descriptor, bytes);
    Madang__V1__Cluster__Request *request = (Madang__V1__Cluster__Request *)message;
    if (strange(world)) request->kind = (Madang__V1__Cluster__RequestKind)LATER_KIND;
    add_everywhere(message);
    pack(world, message, out);
}

void newer_reply(struct world *world, struct slice bytes, struct buf *out)
{
    ProtobufCMessage *message = unpack(&madang__v1__cluster__reply__descriptor, bytes);
    add_everywhere(message);
    pack(world, message, out);
}
