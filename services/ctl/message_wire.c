/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk over the fields of a message by protobuf-c's own description of it. Three writers: lines
 * with indentation, one line, JSON.
 */
#include "ctl/message.h"

#include "base/check.h"

#include <protobuf-c/protobuf-c.h>

typedef ProtobufCMessageDescriptor message_descriptor;
typedef ProtobufCFieldDescriptor field_descriptor;

enum { HEX_BYTES_MAX = 64 };

static size_t size_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return 8;
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return 4;
    }
}

/* Where the field's value is, and how many there are of it. */
static size_t find_values(const ProtobufCMessage *message, const field_descriptor *field,
                          const uint8_t **at)
{
    const uint8_t *base = (const uint8_t *)message;
    *at = base + field->offset;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = *(const size_t *)(const void *)(base + field->quantifier_offset);
        *at = *(const uint8_t *const *)(const void *)*at;
        return count;
    }
    bool one_of = field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
    if (one_of && *(const uint32_t *)(const void *)(base + field->quantifier_offset) != field->id)
        return 0;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return *(const void *const *)(const void *)*at != NULL;
    if (one_of) return 1;
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const char *text = *(const char *const *)(const void *)*at;
        return text && *text;
    }
    if (field->type == PROTOBUF_C_TYPE_BYTES)
        return ((const ProtobufCBinaryData *)(const void *)*at)->len > 0;
    static const uint8_t zero[8];
    return memcmp(*at, zero, size_of(field->type)) != 0;
}

static int64_t signed_at(const void *at, ProtobufCType type)
{
    return size_of(type) == 8 ? *(const int64_t *)at : *(const int32_t *)at;
}

static uint64_t unsigned_at(const void *at, ProtobufCType type)
{
    return size_of(type) == 8 ? *(const uint64_t *)at : *(const uint32_t *)at;
}

/* PHASE_PICKING is told as "picking": the part that all values of the enum share is left out. */
static void put_enum(struct buf *out, const field_descriptor *field, int32_t number)
{
    const ProtobufCEnumDescriptor *all = field->descriptor;
    const ProtobufCEnumValue *value = NULL, *first = NULL;
    for (unsigned i = 0; i < all->n_values; i++) {
        if (all->values[i].value == number) value = &all->values[i];
        if (all->values[i].value == 0) first = &all->values[i];
    }
    if (value == NULL) {
        text_add(out, "%d", number);
        return;
    }
    size_t shared = 0;
    const char *rest = first ? strstr(first->name, "UNSPECIFIED") : NULL;
    if (rest && strncmp(first->name, value->name, (size_t)(rest - first->name)) == 0)
        shared = (size_t)(rest - first->name);
    for (const char *at = value->name + shared; *at; at++)
        buf_put_u8(out, (uint8_t)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
}

static void put_bytes(struct buf *out, struct slice bytes)
{
    for (size_t i = 0; i < bytes.len && i < HEX_BYTES_MAX; i++) text_add(out, "%02x", bytes.at[i]);
    if (bytes.len > HEX_BYTES_MAX) text_add(out, "...");
}

/* A value that is no message, as text that needs no quotes among people. */
static void put_scalar(struct buf *out, const field_descriptor *field, const void *at)
{
    const ProtobufCBinaryData *bytes = at;
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        text_add(out, "%lld", (long long)signed_at(at, field->type));
        return;
    case PROTOBUF_C_TYPE_BOOL:
        text_add(out, *(const protobuf_c_boolean *)at ? "yes" : "no");
        return;
    case PROTOBUF_C_TYPE_ENUM: put_enum(out, field, *(const int32_t *)at); return;
    case PROTOBUF_C_TYPE_STRING: text_safe(out, *(const char *const *)at); return;
    case PROTOBUF_C_TYPE_BYTES: put_bytes(out, slice_of(bytes->data, bytes->len)); return;
    case PROTOBUF_C_TYPE_FLOAT: text_add(out, "%g", (double)*(const float *)at); return;
    case PROTOBUF_C_TYPE_DOUBLE: text_add(out, "%g", *(const double *)at); return;
    default: text_add(out, "%llu", (unsigned long long)unsigned_at(at, field->type)); return;
    }
}

static const ProtobufCMessage *message_at(const uint8_t *at, size_t index)
{
    return ((const ProtobufCMessage *const *)(const void *)at)[index];
}

/* ---- one line -------------------------------------------------------------------------------- */

static void put_line(struct buf *out, const ProtobufCMessage *message)
{
    bool first = true;
    text_add(out, "{");
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const field_descriptor *field = &message->descriptor->fields[i];
        const uint8_t *at;
        size_t count = find_values(message, field, &at);
        bool list = field->label == PROTOBUF_C_LABEL_REPEATED;
        if (count == 0) continue;
        text_add(out, "%s%s: %s", first ? "" : ", ", field->name, list ? "[" : "");
        first = false;
        for (size_t v = 0; v < count; v++) {
            if (v) text_add(out, ", ");
            if (field->type == PROTOBUF_C_TYPE_MESSAGE)
                put_line(out, message_at(at, v));
            else
                put_scalar(out, field, at + v * size_of(field->type));
        }
        if (list) text_add(out, "]");
    }
    text_add(out, "}");
}

/* Whether a message holds others: if not it stands on one line. */
static bool is_flat(const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const uint8_t *at;
        const field_descriptor *field = &message->descriptor->fields[i];
        if (field->type == PROTOBUF_C_TYPE_MESSAGE && find_values(message, field, &at) > 0)
            return false;
    }
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_lines(struct buf *out, int indent, const ProtobufCMessage *message);

static void put_nested(struct buf *out, int indent, const char *name,
                       const ProtobufCMessage *message)
{
    text_add(out, "%*s%s", indent, "", name);
    if (is_flat(message)) {
        text_add(out, " ");
        put_line(out, message);
        text_add(out, "\n");
        return;
    }
    text_add(out, "\n");
    put_lines(out, indent + 2, message);
}

static void put_scalars(struct buf *out, const field_descriptor *field, const uint8_t *at,
                        size_t count)
{
    bool list = field->label == PROTOBUF_C_LABEL_REPEATED;
    if (list) text_add(out, "[");
    for (size_t v = 0; v < count; v++) {
        if (v) text_add(out, ", ");
        put_scalar(out, field, at + v * size_of(field->type));
    }
    text_add(out, list ? "]\n" : "\n");
}

static void put_lines(struct buf *out, int indent, const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const field_descriptor *field = &message->descriptor->fields[i];
        const uint8_t *at;
        size_t count = find_values(message, field, &at);
        if (count == 0) continue;
        if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
            text_add(out, "%*s%s: ", indent, "", field->name);
            put_scalars(out, field, at, count);
            continue;
        }
        for (size_t v = 0; v < count; v++) {
            struct buf name = {0};
            bool list = field->label == PROTOBUF_C_LABEL_REPEATED;
            if (list)
                text_add(&name, "%s[%zu]:", field->name, v);
            else
                text_add(&name, "%s:", field->name);
            buf_put_u8(&name, 0);
            put_nested(out, indent, (const char *)name.at, message_at(at, v));
            buf_fini(&name);
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_object(struct json *json, const char *key, const ProtobufCMessage *message);

static void put_value(struct json *json, const char *key, const field_descriptor *field,
                      const uint8_t *at, size_t index)
{
    const void *value = at + index * size_of(field->type);
    struct buf text = {0};
    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE: put_object(json, key, message_at(at, index)); return;
    case PROTOBUF_C_TYPE_BOOL: json_bool(json, key, *(const protobuf_c_boolean *)value); return;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32: json_number(json, key, signed_at(value, field->type)); return;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_UINT64: json_unsigned(json, key, unsigned_at(value, field->type)); return;
    default: break;
    }
    put_scalar(&text, field, value);
    buf_put_u8(&text, 0);
    json_text(json, key, (const char *)text.at);
    buf_fini(&text);
}

static void put_object(struct json *json, const char *key, const ProtobufCMessage *message)
{
    json_object(json, key);
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const field_descriptor *field = &message->descriptor->fields[i];
        const uint8_t *at;
        size_t count = find_values(message, field, &at);
        if (field->label != PROTOBUF_C_LABEL_REPEATED) {
            /* Scripts are spared the question whether what is missing is zero. */
            bool always = field->type != PROTOBUF_C_TYPE_MESSAGE &&
                          !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF);
            if (count || always) put_value(json, field->name, field, at, 0);
            continue;
        }
        if (count == 0) continue;
        json_list(json, field->name);
        for (size_t v = 0; v < count; v++) put_value(json, NULL, field, at, v);
        json_end(json, ']');
    }
    json_end(json, '}');
}

/* ---- from bytes ------------------------------------------------------------------------------ */

static ProtobufCMessage *unpack(const void *descriptor, struct slice bytes)
{
    return descriptor ? protobuf_c_message_unpack(descriptor, NULL, bytes.len, bytes.at) : NULL;
}

void message_text(struct buf *out, int indent, const void *descriptor, struct slice bytes)
{
    ProtobufCMessage *message = unpack(descriptor, bytes);
    if (message == NULL) {
        text_add(out, "%*s", indent, "");
        put_bytes(out, bytes);
        text_add(out, "\n");
        return;
    }
    put_lines(out, indent, message);
    protobuf_c_message_free_unpacked(message, NULL);
}

void message_line(struct buf *out, const void *descriptor, struct slice bytes)
{
    ProtobufCMessage *message = unpack(descriptor, bytes);
    if (message == NULL) {
        put_bytes(out, bytes);
        return;
    }
    put_line(out, message);
    protobuf_c_message_free_unpacked(message, NULL);
}

void message_json(struct json *json, const char *key, const void *descriptor, struct slice bytes)
{
    ProtobufCMessage *message = unpack(descriptor, bytes);
    if (message) {
        put_object(json, key, message);
        protobuf_c_message_free_unpacked(message, NULL);
        return;
    }
    struct buf hex = {0};
    put_bytes(&hex, bytes);
    buf_put_u8(&hex, 0);
    json_text(json, key, (const char *)hex.at);
    buf_fini(&hex);
}
