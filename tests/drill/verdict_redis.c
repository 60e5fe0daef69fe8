/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads rooms out of Redis, each in one atomic step.
 */
#include "drill/verdict.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>

#include "base/check.h"

enum { AT_A_TIME = 50, PATIENCE_S = 20, GAMES_MAX = 1024 };

/* ARGV: code, number of the last game that was judged. Keys as libs/store/README.md has them. */
static const char read_room[] =
    "local id = redis.call('GET', 'code:{' .. ARGV[1] .. '}') "
    "if not id then return {} end "
    "local r = redis.call('HMGET', 'room:{' .. id .. '}', 'record', 'owner', 'base', 'game') "
    "if not r[1] then return {} end "
    "local s = redis.call('HMGET', 'snap:{' .. id .. '}', 'pos', 'bytes') "
    "local log = redis.call('LRANGE', 'log:{' .. id .. '}', 0, -1) "
    "for k = 1, #log do log[k] = string.sub(log[k], 7) end " /* behind their stamps */
    "local games = {} "
    "for n = ARGV[2] + 1, tonumber(r[4]) do "
    "  local game = 'game:{' .. id .. '}:' .. string.format('%d', n) "
    "  games[#games + 1] = redis.call('LRANGE', game, 1, -1) "
    "  redis.call('DEL', game) "
    "end "
    "return {r[1], r[2], string.format('%d', r[3] + #log), s[1] or '0', s[2] or '', log, games}";

enum {
    FIELD_RECORD,
    FIELD_OWNER,
    FIELD_POSITION,
    FIELD_SNAP_AT,
    FIELD_SNAP,
    FIELD_LOG,
    FIELD_GAMES
};

static struct slice text_of(const redisReply *reply)
{
    return slice_of(reply->str, reply->len);
}

static struct slice *list_of(const redisReply *reply, size_t *count)
{
    struct slice *list = calloc(reply->elements + 1, sizeof *list);
    CHECK(list);
    *count = reply->elements;
    for (size_t i = 0; i < reply->elements; i++) list[i] = text_of(reply->element[i]);
    return list;
}

static void judge_reply(struct verdict *verdict, int room, const redisReply *reply)
{
    struct verdict_bytes bytes = {0};
    if (reply->elements > FIELD_GAMES) {
        redisReply *const *field = reply->element;
        const redisReply *games = field[FIELD_GAMES];
        bytes.record = text_of(field[FIELD_RECORD]);
        bytes.epoch = strtoull(field[FIELD_OWNER]->str, NULL, 10);
        bytes.position = strtoull(field[FIELD_POSITION]->str, NULL, 10);
        bytes.snapshot_position = strtoull(field[FIELD_SNAP_AT]->str, NULL, 10);
        bytes.snapshot = text_of(field[FIELD_SNAP]);
        bytes.log = list_of(field[FIELD_LOG], &bytes.log_count);
        bytes.games = calloc(games->elements + 1, sizeof *bytes.games);
        CHECK(bytes.games);
        for (; bytes.game_count < games->elements; bytes.game_count++)
            bytes.games[bytes.game_count].list =
                list_of(games->element[bytes.game_count], &bytes.games[bytes.game_count].count);
    }
    verdict_judge(verdict, room, &bytes);
    for (size_t g = 0; g < bytes.game_count; g++) free(bytes.games[g].list);
    free(bytes.games);
    free(bytes.log);
}

/* One batch; nothing is heard by the crowd between the reading and the judging. */
static bool reach_some(struct verdict *verdict, redisContext *redis, int from, int to)
{
    for (int r = from; r < to; r++)
        redisAppendCommand(redis, "EVAL %s 0 %s %d", read_room, verdict->crowd->rooms[r].code,
                           (int)verdict->rooms[r].games);
    for (int r = from; r < to; r++) {
        redisReply *reply = NULL;
        if (redisGetReply(redis, (void **)&reply) != REDIS_OK) return false;
        bool read = reply->type == REDIS_REPLY_ARRAY;
        if (read) judge_reply(verdict, r, reply);
        freeReplyObject(reply);
        if (!read) return false;
    }
    return true;
}

bool verdict_reach(struct verdict *verdict, const char *socket)
{
    redisContext *redis = redisConnectUnix(socket);
    bool reached = redis && !redis->err;
    int rooms = verdict->crowd->plan.rooms;
    if (reached) redisSetTimeout(redis, (struct timeval){.tv_sec = PATIENCE_S});
    for (int r = 0; reached && r < rooms; r += AT_A_TIME) {
        reached = reach_some(verdict, redis, r, r + AT_A_TIME < rooms ? r + AT_A_TIME : rooms);
        crowd_play(verdict->crowd, 0);
    }
    if (redis) redisFree(redis);
    return reached;
}
