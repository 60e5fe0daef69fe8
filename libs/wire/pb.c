/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/pb.h"

#include "base/check.h"

static void *memory_alloc(void *data, size_t size)
{
    struct pb_memory *memory = data;
    if (size > memory->left) return NULL;
    memory->left -= size;
    return arena_take(memory->arena, size); /* a decoder fills what it asks for */
}

static void memory_free(void *data, void *pointer)
{
    (void)data;
    (void)pointer;
}

void pb_memory_init(struct pb_memory *memory, struct arena *arena)
{
    *memory = (struct pb_memory){
        .allocator = {.alloc = memory_alloc, .free = memory_free, .allocator_data = memory},
        .arena = arena,
        .left = PB_MEMORY_MAX,
    };
}

char *pb_text(const char *text)
{
    return (char *)(text ? text : "");
}

ProtobufCBinaryData pb_bytes(struct slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)bytes.at};
}

ProtobufCBinaryData pb_id(const struct id128 *id)
{
    if (id128_is_zero(*id)) return (ProtobufCBinaryData){0};
    return (ProtobufCBinaryData){.len = sizeof id->byte, .data = (uint8_t *)id->byte};
}

void pb_append(const ProtobufCMessage *message, struct buf *out)
{
    size_t len = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, buf_extend(out, len));
}

void pb_append_within(const ProtobufCMessage *message, size_t bound, struct buf *out)
{
    uint8_t *at = buf_extend(out, bound);
    size_t len = protobuf_c_message_pack(message, at);
    CHECK(len <= bound);
    out->len -= bound - len;
}

bool pb_take_id(ProtobufCBinaryData bytes, struct id128 *id)
{
    if (bytes.len == 0) {
        *id = (struct id128){0};
        return true;
    }
    if (bytes.len != sizeof id->byte) return false;
    memcpy(id->byte, bytes.data, sizeof id->byte);
    return true;
}
