/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "ctl/text.h"

static void put_quoted(struct buf *out, const char *text)
{
    buf_put_u8(out, '"');
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            text_add(out, "\\%c", byte);
        else if (byte < ' ' || byte == 0x7f)
            text_add(out, "\\u%04x", byte);
        else
            buf_put_u8(out, byte);
    }
    buf_put_u8(out, '"');
}

static void put_line(const struct json *json)
{
    if (!json->compact) text_add(json->out, "\n%*s", 2 * json->depth, "");
}

/* What stands between the last value and the next. */
static void put_key(struct json *json, const char *key)
{
    if (json->depth > 0) {
        bool *filled = &json->filled[json->depth - 1];
        if (*filled) buf_put_u8(json->out, ',');
        *filled = true;
        put_line(json);
    }
    if (key == NULL) return;
    put_quoted(json->out, key);
    buf_put_slice(json->out, slice_text(json->compact ? ":" : ": "));
}

static void open_bracket(struct json *json, const char *key, char bracket)
{
    CHECK(json->depth < JSON_DEPTH_MAX);
    put_key(json, key);
    buf_put_u8(json->out, (uint8_t)bracket);
    json->filled[json->depth++] = false;
}

void json_object(struct json *json, const char *key)
{
    open_bracket(json, key, '{');
}

void json_list(struct json *json, const char *key)
{
    open_bracket(json, key, '[');
}

void json_end(struct json *json, char bracket)
{
    CHECK(json->depth > 0);
    bool filled = json->filled[--json->depth];
    if (filled) put_line(json);
    buf_put_u8(json->out, (uint8_t)bracket);
    if (json->depth == 0) buf_put_u8(json->out, '\n');
}

void json_text(struct json *json, const char *key, const char *value)
{
    put_key(json, key);
    put_quoted(json->out, value ? value : "");
}

void json_number(struct json *json, const char *key, int64_t value)
{
    put_key(json, key);
    text_add(json->out, "%lld", (long long)value);
}

void json_unsigned(struct json *json, const char *key, uint64_t value)
{
    put_key(json, key);
    text_add(json->out, "%llu", (unsigned long long)value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    put_key(json, key);
    buf_put_slice(json->out, slice_text(value ? "true" : "false"));
}

void json_null(struct json *json, const char *key)
{
    put_key(json, key);
    buf_put_slice(json->out, slice_text("null"));
}

void json_id(struct json *json, const char *key, struct id128 id)
{
    put_key(json, key);
    buf_put_u8(json->out, '"');
    text_id(json->out, id, 32);
    buf_put_u8(json->out, '"');
}

void json_room(struct json *json, const char *key, uint64_t room)
{
    put_key(json, key);
    text_add(json->out, "\"%016llx\"", (unsigned long long)room);
}
