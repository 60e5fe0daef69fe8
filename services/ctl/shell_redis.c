/* SPDX-License-Identifier: Apache-2.0
 *
 * A connection to Redis of our own, one command at a time: for what no service is asked, finished
 * games and how Redis itself is set up. It only reads.
 */
#include <hiredis/hiredis.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctl/shell.h"
#include "ops/system.h"

enum { PASSWORD_FILE_BYTES_MAX = 256 };

static const char *const default_shard = "tcp://127.0.0.1:6379";

/* ---- which shards ---------------------------------------------------------------------------- */

/* A secret as text in bytes, nothing when it is not given: from the environment, or the first line
 * of the file that a flag names. */
static bool read_password(const struct ctl *ctl, const char *variable, enum ctl_flag_id in_file,
                          struct buf *bytes)
{
    const char *given = getenv(variable), *file = ctl_setting(ctl, in_file);
    if (file && !file_read(file, PASSWORD_FILE_BYTES_MAX, bytes)) {
        ctl_fail(CTL_EXIT_USAGE, "%s: it cannot be read", file);
        return false;
    }
    if (file == NULL && given && *given) buf_put_slice(bytes, slice_text(given));
    if (bytes->len == 0) return true;
    buf_put_u8(bytes, 0);
    char *text = (char *)bytes->at;
    text[strcspn(text, "\r\n")] = 0;
    return true;
}

static void wipe(struct buf *password)
{
    if (password->at) sodium_memzero(password->at, password->len);
    buf_fini(password);
}

/* NULL, or what is wrong. */
static const char *read_shards(const struct ctl *ctl, const char *password,
                               const char *sentinel_password, struct store_config *out)
{
    const char *named = ctl_setting(ctl, CTL_REDIS), *user = ctl_setting(ctl, CTL_REDIS_USER);
    const char *why = NULL;
    if (ctl->is.from_flag[CTL_REDIS] && strchr(named, '@'))
        return "a password is never on a command line, where others can read it; it is in "
               "MADANG_REDIS, MADANG_REDIS_PASSWORD, or a file (--redis-password-file)";
    if (store_config_parse(named ? named : default_shard, password, out, &why) != ST_OK) return why;
    if (sentinel_password && store_config_sentinel_password(out, sentinel_password) != ST_OK)
        return "a Sentinel's password has 127 bytes at most";
    if (user && store_config_user(out, user) != ST_OK)
        return "a user has 63 bytes at most, and a password";
    return NULL;
}

bool ctl_shards(const struct ctl *ctl, struct store_config *out)
{
    struct buf redis = {0}, sentinels = {0};
    bool read = read_password(ctl, "MADANG_REDIS_PASSWORD", CTL_REDIS_PASSWORD_FILE, &redis) &&
                read_password(ctl, "MADANG_REDIS_SENTINEL_PASSWORD",
                              CTL_REDIS_SENTINEL_PASSWORD_FILE, &sentinels);
    const char *why =
        read ? read_shards(ctl, (const char *)redis.at, (const char *)sentinels.at, out) : NULL;
    if (why) ctl_fail(CTL_EXIT_USAGE, "redis: %s", why);
    wipe(&redis);
    wipe(&sentinels);
    return read && why == NULL;
}

static void put_address(struct buf *out, const struct store_address *at)
{
    bool colon = strchr(at->host, ':') != NULL;
    text_add(out, colon ? "[%s]:%d" : "%s:%d", at->host, at->port);
}

void redis_where(struct buf *out, const struct store_config *config, int shard)
{
    const struct store_shard *is = &config->shards[shard];
    if (is->sentinel_count == 0 && is->path[0]) {
        text_add(out, "unix://%s", is->path);
        return;
    }
    text_add(out, is->sentinel_count ? "sentinel://" : "tcp://");
    if (is->sentinel_count == 0) put_address(out, &is->at);
    for (int i = 0; i < is->sentinel_count; i++) {
        if (i) text_add(out, ",");
        put_address(out, &is->sentinels[i]);
    }
    if (is->sentinel_count) text_add(out, "/%s", is->name);
}

/* ---- a connection ---------------------------------------------------------------------------- */

static redisContext *connect_to(const struct store_address *at, const char *path, int64_t ms)
{
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    redisContext *redis = path ? redisConnectUnixWithTimeout(path, limit)
                               : redisConnectWithTimeout(at->host, at->port, limit);
    if (redis && redis->err == 0 && redisSetTimeout(redis, limit) == REDIS_OK) return redis;
    if (redis) redisFree(redis);
    return NULL;
}

/* Whether a command was answered, and not by an error. */
static bool good(redisReply *reply)
{
    bool is = reply && reply->type != REDIS_REPLY_ERROR;
    if (reply) freeReplyObject(reply);
    return is;
}

static bool log_in(redisContext *redis, const char *user, const char *password)
{
    if (!password[0]) return true;
    return good(user[0] ? redisCommand(redis, "AUTH %s %s", user, password)
                        : redisCommand(redis, "AUTH %s", password));
}

/* Where one Sentinel says that the primary is. */
static bool ask_sentinel(const struct store_shard *shard, const struct store_address *sentinel,
                         int64_t timeout_ms, struct store_address *out)
{
    redisContext *redis = connect_to(sentinel, NULL, timeout_ms);
    if (redis == NULL) return false;
    redisReply *reply = NULL;
    if (log_in(redis, shard->sentinel_user, shard->sentinel_password))
        reply = redisCommand(redis, "SENTINEL get-master-addr-by-name %s", shard->name);
    bool told = reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
                reply->element[0]->type == REDIS_REPLY_STRING &&
                reply->element[1]->type == REDIS_REPLY_STRING &&
                (size_t)reply->element[0]->len < sizeof out->host;
    if (told) {
        memcpy(out->host, reply->element[0]->str, (size_t)reply->element[0]->len + 1);
        out->port = (int)strtol(reply->element[1]->str, NULL, 10);
    }
    if (reply) freeReplyObject(reply);
    redisFree(redis);
    return told;
}

static redisContext *connect_shard(const struct store_shard *shard, int64_t timeout_ms)
{
    struct store_address at = shard->at;
    bool known = shard->sentinel_count == 0;
    for (int i = 0; i < shard->sentinel_count && !known; i++)
        known = ask_sentinel(shard, &shard->sentinels[i], timeout_ms, &at);
    if (!known) return NULL;
    return connect_to(&at, shard->sentinel_count == 0 && shard->path[0] ? shard->path : NULL,
                      timeout_ms);
}

redisContext *redis_open(const struct store_config *config, int shard, int64_t timeout_ms)
{
    const struct store_shard *is = &config->shards[shard];
    struct buf where = {0};
    redis_where(&where, config, shard);
    buf_put_u8(&where, 0);
    const char *why = NULL;
    redisContext *redis = connect_shard(is, timeout_ms);
    if (redis == NULL)
        why = "nobody answers";
    else if (!log_in(redis, is->user, is->password))
        why = "it does not take user and password";
    else if (is->db && !good(redisCommand(redis, "SELECT %d", is->db)))
        why = "it has no such database";
    else if (!good(redisCommand(redis, "PING")))
        why = "it wants a password, is loading, or does not answer in time";
    if (why) {
        ctl_fail(CTL_EXIT_UNREACHABLE, "Redis at %s: %s", (char *)where.at, why);
        if (redis) redisFree(redis);
        redis = NULL;
    }
    buf_fini(&where);
    return redis;
}
