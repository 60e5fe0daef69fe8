/* SPDX-License-Identifier: Apache-2.0
 *
 * What the encoders and decoders of this folder share: short names for the generated types, and an
 * allocator that lets protobuf-c work in an arena with a budget. Not for others: generated types
 * stay in here.
 */
#ifndef WIRE_PB_H
#define WIRE_PB_H

#include "wire/cluster.h"

#include "cluster.pb-c.h"

/* PB(Batch), PB_INIT(BATCH), pb_##batch(unpack) */
#define PB(name)          Madang__V1__Cluster__##name
#define PB_INIT(name)     MADANG__V1__CLUSTER__##name##__INIT
#define PB_ENVELOPE(name) MADANG__V1__CLUSTER__ENVELOPE__KIND_##name
typedef Madang__V1__Version pb_version;
typedef Madang__V1__Refusal pb_refusal;

enum {
    /* What decoding one message may take, whatever its bytes claim: many times what is legal. */
    PB_MEMORY_MAX = 8 * WIRE_BATCH_BYTES_MAX,
};

/* Allocates from an arena and frees nothing; refuses (NULL) when the budget is used up, which fails
 * the decoding. */
struct pb_memory {
    ProtobufCAllocator allocator;
    struct arena *arena;
    size_t left;
};
void pb_memory_init(struct pb_memory *memory, struct arena *arena);

/* Encoding: the generated structs want pointers to mutable memory and leave it alone. */
char *pb_text(const char *text);
ProtobufCBinaryData pb_bytes(struct slice bytes);
ProtobufCBinaryData pb_id(const struct id128 *id); /* borrows; a zero id is absent */
void pb_append(const ProtobufCMessage *message, struct buf *out);
/* Without measuring it first: it takes no more than bound. */
void pb_append_within(const ProtobufCMessage *message, size_t bound, struct buf *out);

/* Decoding: false when the bytes are neither 16 nor none. */
bool pb_take_id(ProtobufCBinaryData bytes, struct id128 *id);
static inline struct slice pb_take_bytes(ProtobufCBinaryData bytes)
{
    return slice_of(bytes.data, bytes.len);
}

#endif
