/* SPDX-License-Identifier: Apache-2.0 */
#include "store/answers.h"

#include "base/buf.h"
#include "base/hash.h"
#include "store/arguments.h"

#include <stdlib.h>

/* Walks an array reply; the first item of another kind than expected makes it bad, as in struct
 * reader. */
struct items {
    redisReply *const *at;
    size_t left;
    bool bad;
};

static struct items items_of(const redisReply *array)
{
    if (!array || array->type != REDIS_REPLY_ARRAY) return (struct items){.bad = true};
    return (struct items){.at = array->element, .left = array->elements};
}

static const redisReply *next(struct items *items, int type)
{
    if (items->bad || items->left == 0 || items->at[0]->type != type) {
        items->bad = true;
        return NULL;
    }
    items->left--;
    return *items->at++;
}

static uint64_t next_number(struct items *items)
{
    const redisReply *item = next(items, REDIS_REPLY_INTEGER);
    return item && item->integer > 0 ? (uint64_t)item->integer : 0;
}

static int64_t next_signed(struct items *items)
{
    const redisReply *item = next(items, REDIS_REPLY_INTEGER);
    return item ? item->integer : 0;
}

static struct slice next_bytes(struct items *items)
{
    const redisReply *item = next(items, REDIS_REPLY_STRING);
    return item ? slice_of(item->str, item->len) : (struct slice){0};
}

/* hiredis ends every string with a zero byte. */
static const char *next_text(struct items *items)
{
    const redisReply *item = next(items, REDIS_REPLY_STRING);
    return item ? item->str : "";
}

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hex(struct slice text, uint8_t *into, size_t len)
{
    if (text.len != 2 * len) return false;
    for (size_t i = 0; i < len; i++) {
        int high = hex_digit(text.at[2 * i]), low = hex_digit(text.at[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        into[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Empty: zero. */
static struct id128 read_id(struct items *items, struct slice text)
{
    struct id128 id = {{0}};
    if (text.len && !read_hex(text, id.byte, sizeof id.byte)) items->bad = true;
    return id;
}

static room_id next_room(struct items *items)
{
    uint8_t bytes[8];
    struct slice text = next_bytes(items);
    if (!read_hex(text, bytes, sizeof bytes)) {
        items->bad = true;
        return 0;
    }
    room_id room = 0;
    for (int i = 0; i < 8; i++) room = room << 8 | bytes[i];
    return room;
}

/* "epoch:instance" */
static void next_owner(struct items *items, uint64_t *epoch, struct id128 *owner)
{
    struct slice text = next_bytes(items);
    const uint8_t *colon = text.len ? memchr(text.at, ':', text.len) : NULL;
    if (!colon) {
        items->bad = true;
        return;
    }
    char *end;
    *epoch = strtoull((const char *)text.at, &end, 10);
    if ((const uint8_t *)end != colon) items->bad = true;
    *owner = read_id(items, slice_of(colon + 1, text.len - (size_t)(colon + 1 - text.at)));
}

/* Position, the entry there, and its hash where the log is empty. */
static void next_end(struct items *items, struct store_reply *out)
{
    out->position = next_number(items);
    struct slice entry = next_bytes(items), hash = next_bytes(items);
    out->hash = entry.len ? hash_128(entry) : read_id(items, hash);
}

static void read_take(struct items *items, struct arena *arena, struct store_reply *out)
{
    out->epoch = next_number(items);
    next_end(items, out);
    out->record = next_bytes(items);
    out->snapshot_position = next_number(items);
    out->snapshot = next_bytes(items);
    out->last_entry_redis_ms = next_number(items);
    out->last_lease_redis_ms = next_number(items);
    out->released_redis_ms = next_number(items);
    out->released = out->released_redis_ms != 0;
    out->deadline.number = next_number(items);
    out->deadline.armed = next_number(items) != 0;
    out->deadline.due_in_ms = next_number(items);
    struct items log = items_of(next(items, REDIS_REPLY_ARRAY));
    out->entry_count = (int)log.left;
    out->entries = arena_alloc(arena, log.left * sizeof *out->entries);
    for (int i = 0; i < out->entry_count; i++) out->entries[i] = next_bytes(&log);
    if (log.bad) items->bad = true;
}

static void read_lease(struct items *items, const char *run_id, struct store_reply *out)
{
    struct buf both = {0};
    buf_put_sized(&both, slice_text(run_id));
    buf_put_sized(&both, next_bytes(items));
    out->run_id = hash_128_for("redis run", buf_slice(&both));
    buf_fini(&both);
    out->last_lease_redis_ms = next_number(items);
    out->taken = next_number(items);
}

static void read_find(struct items *items, struct store_reply *out)
{
    next_owner(items, &out->epoch, &out->owner);
    out->owner_url = next_text(items);
    next_end(items, out);
    if (out->kind == STORE_TAIL) {
        out->restored_from = next_number(items);
        return;
    }
    out->room = next_room(items);
    out->summary = next_bytes(items);
}

static void read_owned(struct items *items, struct arena *arena, struct store_reply *out)
{
    bool more = next_number(items) != 0;
    size_t count = items->left / 3;
    out->rooms = arena_alloc(arena, count * sizeof *out->rooms);
    out->epochs = arena_alloc(arena, count * sizeof *out->epochs);
    out->summaries = arena_alloc(arena, count * sizeof *out->summaries);
    for (size_t i = 0; i < count; i++) {
        out->rooms[i] = next_room(items);
        out->epochs[i] = next_number(items);
        out->summaries[i] = next_bytes(items);
    }
    out->room_count = (int)count;
    out->cursor = more && count ? out->rooms[count - 1] : 0;
}

static void read_public(struct items *items, struct arena *arena, struct store_reply *out)
{
    size_t count = items->left / 3;
    uint64_t epoch;
    out->public_rooms = arena_alloc(arena, count * sizeof *out->public_rooms);
    out->public_owners = arena_alloc(arena, count * sizeof *out->public_owners);
    out->summaries = arena_alloc(arena, count * sizeof *out->summaries);
    for (size_t i = 0; i < count; i++) {
        out->public_rooms[i] = next_room(items);
        next_owner(items, &epoch, &out->public_owners[i]);
        out->summaries[i] = next_bytes(items);
    }
    out->public_count = (int)count;
}

static void read_due(struct items *items, struct arena *arena, struct store_reply *out)
{
    out->next_due_in_ms = INT64_MAX;
    if (items->left && items->at[0]->type == REDIS_REPLY_INTEGER)
        out->next_due_in_ms = next_signed(items);
    else
        next_bytes(items);
    size_t count = items->left / 5;
    out->due = arena_alloc(arena, count * sizeof *out->due);
    for (size_t i = 0; i < count; i++) {
        struct store_due *due = &out->due[i];
        due->room = next_room(items);
        due->due_in_ms = next_signed(items);
        due->number = next_number(items);
        next_owner(items, &due->epoch, &due->owner);
        due->owner_url = next_text(items);
    }
    out->due_count = (int)count;
}

static void read_silent(struct items *items, struct arena *arena, struct store_reply *out)
{
    out->owner_count = (int)items->left;
    out->owners = arena_alloc(arena, items->left * sizeof *out->owners);
    for (int i = 0; i < out->owner_count; i++) out->owners[i] = read_id(items, next_bytes(items));
}

static void read_ok(struct items *items, const char *run_id, struct arena *arena,
                    struct store_reply *out)
{
    switch (out->kind) {
    case STORE_CREATE:
    case STORE_RESTORE:
        out->epoch = next_number(items);
        next_end(items, out);
        break;
    case STORE_TAKE: read_take(items, arena, out); break;
    case STORE_APPEND:
    case STORE_RELEASE: next_end(items, out); break;
    case STORE_SNAPSHOT:
    case STORE_FINISH:
    case STORE_ASIDE:
        out->position = next_number(items);
        out->snapshot_position = next_number(items);
        break;
    case STORE_DELETE:
    case STORE_CLAIM: break;
    case STORE_LEASE: read_lease(items, run_id, out); break;
    case STORE_TAIL:
    case STORE_FIND: read_find(items, out); break;
    case STORE_OWNED: read_owned(items, arena, out); break;
    case STORE_PUBLIC: read_public(items, arena, out); break;
    case STORE_DUE: read_due(items, arena, out); break;
    case STORE_CLAIMED:
        out->room = next_room(items);
        out->expected = (uint32_t)next_number(items);
        break;
    case STORE_SILENT: read_silent(items, arena, out); break;
    }
}

static void read_status(struct items *items, struct store_reply *out)
{
    static const struct {
        const char *text;
        enum status status;
    } known[] = {
        {"ok", ST_OK},           {"fenced", ST_FENCED}, {"mismatch", ST_MISMATCH},
        {"unknown", ST_UNKNOWN}, {"exists", ST_EXISTS}, {"stale", ST_STALE},
    };
    struct slice text = next_bytes(items);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!slice_equal(text, slice_text(known[i].text))) continue;
        out->status = known[i].status;
        return;
    }
    items->bad = true;
}

struct store_reply answer_bare(const struct asked *asked, enum status status)
{
    return (struct store_reply){.kind = asked->kind,
                                .tag = asked->tag,
                                .shard = asked->shard,
                                .room = asked->room,
                                .status = status,
                                .owner_url = ""};
}

bool answer_read(const struct asked *asked, const redisReply *answer, const char *run_id,
                 struct arena *arena, struct store_reply *out)
{
    struct items items = items_of(answer);
    *out = answer_bare(asked, ST_UNAVAILABLE);
    read_status(&items, out);
    out->redis_ms = next_number(&items);
    switch (out->status) {
    case ST_OK: read_ok(&items, run_id, arena, out); break;
    case ST_FENCED:
        next_owner(&items, &out->epoch, &out->owner);
        out->owner_url = next_text(&items);
        out->restored_from = next_number(&items);
        break;
    case ST_UNKNOWN:
        if (out->kind == STORE_FIND) out->last_lease_redis_ms = next_number(&items);
        break;
    case ST_MISMATCH: next_end(&items, out); break;
    case ST_EXISTS: out->room = next_room(&items); break;
    case ST_STALE:
        out->position = next_number(&items);
        out->snapshot_position = next_number(&items);
        break;
    default: break;
    }
    if (!items.bad && items.left == 0) return true;
    *out = answer_bare(asked, ST_UNAVAILABLE);
    return false;
}

bool answer_read_append(const struct asked *asked, const redisReply *answer, instant_ms redis_ms,
                        struct store_reply *out)
{
    if (answer->type != REDIS_REPLY_INTEGER) return answer_read(asked, answer, "", NULL, out);
    *out = answer_bare(asked, ST_OK);
    out->redis_ms = redis_ms;
    out->position = (uint64_t)answer->integer;
    out->hash = asked->hash;
    return true;
}
