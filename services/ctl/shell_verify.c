/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl verify`: finished games, and rooms that live.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ctl/replay.h"
#include "ctl/stored.h"

struct verifying {
    redisContext *redis;
    struct verified *verified;
    uint64_t looked; /* keys that fitted */
};

static bool verify_game(void *with, const char *key)
{
    struct verifying *verifying = with;
    struct stored_key at;
    struct stored_game game = {0};
    char what[STORED_KEY_BYTES_MAX];
    uint64_t position;
    if (!stored_key_read(key, &at)) return true;
    bool answered = stored_load_key(verifying->redis, &at, &game);
    if (answered && game.record.len > 0) { /* else its time was over */
        snprintf(what, sizeof what, "game %u of room %016llx", at.number,
                 (unsigned long long)at.room);
        enum archive_fault fault = archive_verify(game.record, game.entries, game.count, &position);
        verifying->looked++;
        verifying->verified->games++;
        verifying->verified->entries += (uint64_t)game.count;
        verified_add(verifying->verified, what, fault, position);
    }
    stored_unload(&game);
    return answered;
}

/* Record, snapshot and log of one moment, by a script: whoever has the services' rights in Redis
 * may call one, and no MULTI. NULL: not answered. */
static redisReply *read_room(redisContext *redis, room_id room)
{
    static const char script[] = "return {redis.call('HMGET', KEYS[1], 'record', 'base'),"
                                 " redis.call('HMGET', KEYS[2], 'pos', 'bytes'),"
                                 " redis.call('LRANGE', KEYS[3], 0, -1)}";
    unsigned long long id = room;
    redisReply *answer =
        redisCommand(redis, "EVAL %s 3 room:{%016llx} snap:{%016llx} log:{%016llx}", script, id, id,
                     id);
    bool good = answer && answer->type == REDIS_REPLY_ARRAY && answer->elements == 3 &&
                answer->element[0]->elements == 2 && answer->element[1]->elements == 2;
    if (good) return answer;
    ctl_fail(CTL_EXIT_UNREACHABLE, "Redis: %s",
             answer && answer->type == REDIS_REPLY_ERROR ? answer->str : redis->errstr);
    if (answer) freeReplyObject(answer);
    return NULL;
}

static uint64_t number_of(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_STRING ? strtoull(reply->str, NULL, 10) : 0;
}

static struct slice behind_stamp(struct slice entry)
{
    size_t len = entry.len < STORE_STAMP_BYTES ? entry.len : STORE_STAMP_BYTES;
    return slice_of(entry.at + len, entry.len - len);
}

/* As another worker would take it: from the snapshot over the entries behind it. */
static enum archive_fault judge_room(const redisReply *answer, struct verified *verified,
                                     uint64_t *position)
{
    const redisReply *room = answer->element[0], *snapshot = answer->element[1];
    uint64_t from = number_of(snapshot->element[0]);
    struct arena arena = {0};
    struct slice *entries;
    uint64_t count = (uint64_t)stored_list(answer->element[2], 0, &arena, &entries);
    uint64_t end = number_of(room->element[1]) + count;
    enum archive_fault fault = ARCHIVE_GAP;
    for (uint64_t i = 0; i < count; i++) entries[i] = behind_stamp(entries[i]);
    *position = from;
    if (from <= end && end - from <= count) {
        fault =
            archive_verify_room(stored_bytes(room->element[0]), stored_bytes(snapshot->element[1]),
                                entries + (count - (end - from)), (int)(end - from), position);
        verified->entries += end - from;
    }
    arena_fini(&arena);
    return fault;
}

static bool verify_room(void *with, const char *key)
{
    struct verifying *verifying = with;
    unsigned long long id;
    char what[STORED_KEY_BYTES_MAX];
    if (sscanf(key, "room:{%16llx}", &id) != 1) return true;
    redisReply *answer = read_room(verifying->redis, id);
    if (answer == NULL) return false;
    if (stored_bytes(answer->element[0]->element[0]).len > 0) { /* else it is gone meanwhile */
        uint64_t position;
        enum archive_fault fault = judge_room(answer, verifying->verified, &position);
        snprintf(what, sizeof what, "room %016llx", id);
        verifying->looked++;
        verifying->verified->rooms++;
        verified_add(verifying->verified, what, fault, position);
    }
    freeReplyObject(answer);
    return true;
}

/* Everything of a shard, or of one room. */
static int verify_shard(struct verifying *verifying, const struct stored_name *named)
{
    char games[STORED_KEY_BYTES_MAX], rooms[STORED_KEY_BYTES_MAX];
    stored_pattern(named, "game", games);
    stored_pattern(named, "room", rooms);
    bool done = stored_scan(verifying->redis, games, verify_game, verifying) &&
                stored_scan(verifying->redis, rooms, verify_room, verifying);
    return done ? CTL_EXIT_OK : CTL_EXIT_UNREACHABLE;
}

static int verify_file(const char *path, struct verified *verified)
{
    struct stored_game game = {0};
    uint64_t position = 0;
    enum archive_fault fault;
    int code = stored_load_file(path, &game, &fault);
    if (code == CTL_EXIT_OK) {
        if (fault == ARCHIVE_GOOD)
            fault = archive_verify(game.record, game.entries, game.count, &position);
        verified->games++;
        verified->entries += (uint64_t)game.count;
        verified_add(verified, path, fault, position);
    }
    stored_unload(&game);
    return code;
}

static int verify_word(const struct ctl *ctl, const char *word, struct verified *verified)
{
    int code;
    struct stored_name named = stored_name_of(word);
    if (named.file) return verify_file(word, verified);
    struct verifying verifying = {.verified = verified};
    verifying.redis = stored_open(ctl, &named, &code);
    if (verifying.redis == NULL) return code;
    code = verify_shard(&verifying, &named);
    redisFree(verifying.redis);
    if (code == CTL_EXIT_OK && verifying.looked == 0)
        code = ctl_fail(CTL_EXIT_UNKNOWN, "%s: there is no such room, and no game of it is kept",
                        word);
    return code;
}

static int verify_store(const struct ctl *ctl, int64_t only, struct verified *verified)
{
    static struct store_config config;
    int code = CTL_EXIT_OK;
    if (!ctl_shards(ctl, &config)) return CTL_EXIT_USAGE;
    if (only >= config.shard_count)
        return ctl_fail(CTL_EXIT_USAGE, "--shard: shards are numbered from 0 to %d",
                        config.shard_count - 1);
    for (int i = 0; i < config.shard_count; i++) {
        if (only >= 0 && i != only) continue;
        struct verifying verifying = {.redis = redis_open(&config, i, ctl->timeout_ms),
                                      .verified = verified};
        int one = verifying.redis ? verify_shard(&verifying, NULL) : CTL_EXIT_UNREACHABLE;
        if (one != CTL_EXIT_OK) code = one;
        if (verifying.redis) redisFree(verifying.redis);
    }
    return code;
}

int run_verify(struct ctl *ctl)
{
    static struct verified verified;
    int64_t shard;
    int code = CTL_EXIT_OK;
    if (!ctl_arguments_number(&ctl->is, CTL_SHARD, 0, WIRE_SHARDS_MAX - 1, -1, &shard))
        return ctl_fail(CTL_EXIT_USAGE, "%s", ctl->is.error);
    if (ctl->is.word_count == 0) code = verify_store(ctl, shard, &verified);
    for (int i = 0; i < ctl->is.word_count; i++) {
        int one = verify_word(ctl, ctl->is.word[i], &verified);
        if (one != CTL_EXIT_OK) code = one;
    }
    verified.whole = code == CTL_EXIT_OK;
    struct buf out = {0};
    bool nothing = !verified.whole && verified.games + verified.rooms == 0;
    if (ctl_json(ctl))
        verified_json(&verified, &out);
    else if (!nothing)
        verified_text(&verified, &ctl->style, &out);
    ctl_print(&out);
    buf_fini(&out);
    return code == CTL_EXIT_OK && verified.bad ? CTL_EXIT_FAILED : code;
}
