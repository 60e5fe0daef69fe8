/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ops/system.h"

enum { PAGE = 500, ROOM_HEX = 16 };

/* ---- what a word names ----------------------------------------------------------------------- */

static bool hex_id(const char *word, room_id *out)
{
    if (strlen(word) != ROOM_HEX || strspn(word, "0123456789abcdefABCDEF") != ROOM_HEX)
        return false;
    *out = strtoull(word, NULL, 16);
    return true;
}

struct stored_name stored_name_of(const char *word)
{
    char code[WIRE_CODE_LEN + 1];
    struct stored_name named = {0};
    if (access(word, F_OK) == 0 || strpbrk(word, "/.")) {
        named.file = true;
    } else if (hex_id(word, &named.room)) {
        named.whole = true;
    } else if (code_normalise(slice_text(word), code)) {
        named.room = room_id_make(code_bits(code), 0);
    } else {
        named.file = true;
    }
    named.shard = room_shard(named.room);
    return named;
}

bool stored_key_read(const char *key, struct stored_key *out)
{
    unsigned long long room;
    unsigned number;
    int end = 0;
    if (sscanf(key, "game:{%16llx}:%u%n", &room, &number, &end) != 2 || key[end]) return false;
    *out = (struct stored_key){room, number};
    return true;
}

void stored_pattern(const struct stored_name *named, const char *kind,
                    char out[STORED_KEY_BYTES_MAX])
{
    const char *end = strcmp(kind, "game") == 0 ? ":*" : "";
    if (named == NULL)
        snprintf(out, STORED_KEY_BYTES_MAX, "%s:{*}%s", kind, end);
    else if (named->whole)
        snprintf(out, STORED_KEY_BYTES_MAX, "%s:{%016llx}%s", kind, (unsigned long long)named->room,
                 end);
    else
        snprintf(out, STORED_KEY_BYTES_MAX, "%s:{%08llx*}%s", kind,
                 (unsigned long long)named->room >> 32, end);
}

/* ---- Redis ----------------------------------------------------------------------------------- */

/* What was asked; NULL and said when it was not answered. The caller frees. */
__attribute__((format(printf, 2, 3))) static redisReply *ask(redisContext *redis,
                                                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    redisReply *reply = redisvCommand(redis, format, args);
    va_end(args);
    if (reply && reply->type != REDIS_REPLY_ERROR) return reply;
    ctl_fail(CTL_EXIT_UNREACHABLE, "Redis: %s", reply ? reply->str : redis->errstr);
    if (reply) freeReplyObject(reply);
    return NULL;
}

struct slice stored_bytes(const redisReply *reply)
{
    bool text = reply && (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS);
    return text ? slice_of(reply->str, (size_t)reply->len) : (struct slice){0};
}

int stored_list(const redisReply *reply, size_t from, struct arena *arena, struct slice **entries)
{
    size_t count = reply->elements > from ? reply->elements - from : 0;
    *entries = arena_alloc(arena, (count + 1) * sizeof **entries);
    for (size_t i = 0; i < count; i++) (*entries)[i] = stored_bytes(reply->element[from + i]);
    return (int)count;
}

bool stored_scan(redisContext *redis, const char *pattern,
                 bool (*each)(void *with, const char *key), void *with)
{
    char cursor[32] = "0";
    do {
        redisReply *page = ask(redis, "SCAN %s MATCH %s COUNT %d", cursor, pattern, PAGE);
        if (page == NULL) return false;
        bool good = page->type == REDIS_REPLY_ARRAY && page->elements == 2 &&
                    page->element[0]->type == REDIS_REPLY_STRING;
        if (good) snprintf(cursor, sizeof cursor, "%s", page->element[0]->str);
        const redisReply *keys = good ? page->element[1] : NULL;
        for (size_t i = 0; good && i < keys->elements; i++)
            good = each(with, keys->element[i]->str);
        freeReplyObject(page);
        if (!good) return false;
    } while (strcmp(cursor, "0") != 0);
    return true;
}

/* A code stands for the room that has it; without one, for whichever rooms had it. */
static void find_id(redisContext *redis, struct stored_name *named)
{
    char code[WIRE_CODE_LEN + 1];
    if (named->whole) return;
    code_write(room_id_bits(named->room), code);
    redisReply *holder = ask(redis, "GET code:{%s}", code);
    if (holder && holder->type == REDIS_REPLY_STRING)
        named->whole = hex_id(holder->str, &named->room);
    if (holder) freeReplyObject(holder);
}

redisContext *stored_open(const struct ctl *ctl, struct stored_name *named, int *code)
{
    static struct store_config config;
    *code = CTL_EXIT_USAGE;
    if (!ctl_shards(ctl, &config)) return NULL;
    *code = CTL_EXIT_UNKNOWN;
    if (named->shard >= config.shard_count) {
        ctl_fail(CTL_EXIT_UNKNOWN, "there is no such room: its shard would be number %d, of %d",
                 named->shard, config.shard_count);
        return NULL;
    }
    *code = CTL_EXIT_UNREACHABLE;
    redisContext *redis = redis_open(&config, named->shard, ctl->timeout_ms);
    if (redis == NULL) return NULL;
    find_id(redis, named);
    *code = CTL_EXIT_OK;
    return redis;
}

/* ---- games ----------------------------------------------------------------------------------- */

void stored_unload(struct stored_game *loaded)
{
    if (loaded->reply) freeReplyObject(loaded->reply);
    arena_fini(&loaded->arena);
}

int stored_load_file(const char *path, struct stored_game *out, enum archive_fault *fault)
{
    struct buf bytes = {0};
    bool read = file_read(path, ARCHIVE_FILE_BYTES_MAX, &bytes);
    if (read)
        *fault = archive_decode(buf_slice(&bytes), &out->arena, &out->record, &out->entries,
                                &out->count);
    buf_fini(&bytes);
    if (read) return CTL_EXIT_OK;
    return ctl_fail(CTL_EXIT_UNKNOWN,
                    "%s: there is no such file that can be read, and it is no room", path);
}

bool stored_load_key(redisContext *redis, const struct stored_key *key, struct stored_game *out)
{
    out->reply =
        ask(redis, "LRANGE game:{%016llx}:%u 0 -1", (unsigned long long)key->room, key->number);
    if (out->reply == NULL) return false;
    out->record = out->reply->elements ? stored_bytes(out->reply->element[0]) : (struct slice){0};
    out->count = stored_list(out->reply, 1, &out->arena, &out->entries);
    return true;
}
