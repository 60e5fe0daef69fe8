/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl doctor`: looks at this machine, at Redis and at each service.
 */
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "ctl/doctor.h"
#include "ctl/http.h"
#include "ctl/inforce.h"
#include "ctl/seen.h"
#include "ctl/shell.h"
#include "ops/certificate.h"

enum { WHO_BYTES_MAX = 64, DAY_S = 24 * 3600 };

/* ---- this machine ---------------------------------------------------------------------------- */

static int64_t wall_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void look_here(struct doctor *doctor)
{
    struct rlimit files;
    struct timex kernel = {0};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        doctor_files(doctor, "here", 0, (uint64_t)files.rlim_max);
    doctor_clock_kept(doctor, adjtimex(&kernel) != TIME_ERROR && !(kernel.status & STA_UNSYNC));
}

/* ---- Redis ----------------------------------------------------------------------------------- */

/* "" where it is not allowed, or there is none. */
static const char *config_get(struct doctor *doctor, redisContext *redis, const char *name)
{
    const char *value = "";
    redisReply *reply = redisCommand(redis, "CONFIG GET %s", name);
    if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
        reply->element[1]->type == REDIS_REPLY_STRING)
        value = arena_text(&doctor->arena, reply->element[1]->str);
    if (reply) freeReplyObject(reply);
    return value;
}

static void look_at_clock(struct doctor *doctor, redisContext *redis, const char *where)
{
    int64_t before = wall_us();
    redisReply *reply = redisCommand(redis, "TIME");
    int64_t after = wall_us();
    if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2) {
        int64_t there = strtoll(reply->element[0]->str, NULL, 10) * 1000000 +
                        strtoll(reply->element[1]->str, NULL, 10);
        doctor_clock(doctor, where, (there - (before + after) / 2) / 1000, (after - before) / 2000);
    }
    if (reply) freeReplyObject(reply);
}

static void look_at_redis(struct doctor *doctor, redisContext *redis, const char *where)
{
    struct doctor_redis set = {
        .maxmemory_policy = config_get(doctor, redis, "maxmemory-policy"),
        .appendfsync = config_get(doctor, redis, "appendfsync"),
        .list_compress_depth = config_get(doctor, redis, "list-compress-depth"),
    };
    redisReply *info = redisCommand(redis, "INFO");
    bool told = info && info->type == REDIS_REPLY_STRING;
    if (told)
        doctor_redis(doctor, where, slice_of(info->str, (size_t)info->len), &set);
    else
        doctor_redis_missing(doctor, where);
    if (info) freeReplyObject(info);
    look_at_clock(doctor, redis, where);
}

/* False: said on standard error. */
static bool look_at_shards(struct doctor *doctor, const struct ctl *ctl)
{
    static struct store_config config;
    if (!ctl_shards(ctl, &config)) return false;
    for (int i = 0; i < config.shard_count; i++) {
        struct buf where = {0};
        redis_where(&where, &config, i);
        buf_put_u8(&where, 0);
        redisContext *redis = redis_open(&config, i, ctl->timeout_ms);
        if (redis)
            look_at_redis(doctor, redis, (const char *)where.at);
        else
            doctor_redis_missing(doctor, (const char *)where.at);
        if (redis) redisFree(redis);
        buf_fini(&where);
    }
    return true;
}

/* ---- certificates ---------------------------------------------------------------------------- */

/* Whole days, and -1 as soon as it is over. */
static int64_t days_until(int64_t ends_s)
{
    int64_t left_s = ends_s - wall_us() / 1000000;
    return left_s < 0 ? left_s / DAY_S - 1 : left_s / DAY_S;
}

static void look_at_certificate(struct doctor *doctor, const char *file, bool with_key)
{
    struct certificate is;
    for (int i = 0; i < doctor->count; i++) /* services share them */
        if (strcmp(doctor->checks[i].where, file) == 0) return;
    certificate_read(file, with_key, &is);
    struct doctor_certificate seen = {.fault = is.fault,
                                      .days_left = days_until(is.ends_s),
                                      .early = is.early,
                                      .has_key = is.has_key,
                                      .key_fits = is.key_fits};
    doctor_certificate(doctor, file, &seen);
}

/* Those that services name, where they lie on this machine. */
static void look_at_settings(struct doctor *doctor, struct slice text)
{
    struct inforce told = {0};
    inforce_read(&told, text, &doctor->arena);
    for (int i = 0; i < told.count; i++) {
        const struct inforce_setting *setting = &told.list[i];
        bool identity = strcmp(setting->flag, "tls-identity") == 0;
        bool file = identity || strcmp(setting->flag, "tls-ca") == 0 ||
                    strcmp(setting->flag, "https-certificate") == 0;
        if (file && *setting->value && access(setting->value, R_OK) == 0)
            look_at_certificate(doctor, setting->value, identity);
    }
}

static void look_at_named(struct doctor *doctor, const struct ctl *ctl)
{
    const char *ca = ctl_setting(ctl, CTL_TLS_CA), *own = ctl_setting(ctl, CTL_TLS_IDENTITY);
    const char *named = ctl->is.flag[CTL_CERTIFICATE];
    if (ca) look_at_certificate(doctor, ca, false);
    if (own) look_at_certificate(doctor, own, true);
    if (named) look_at_certificate(doctor, named, false);
}

/* Those that a service has read, by its own word: also where their files lie on another machine. */
static void look_at_those_in_use(struct doctor *doctor, const char *who, struct slice metrics)
{
    static const char *const uses[] = {"https", "identity", "authority"};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char name[96];
        double ends_s;
        snprintf(name, sizeof name,
                 "madang_certificate_expiry_timestamp_seconds{certificate=\"%s\"}", uses[i]);
        if (metric_value(metrics, name, &ends_s))
            doctor_certificate_in_use(doctor, who, uses[i], days_until((int64_t)ends_s));
    }
}

/* ---- services -------------------------------------------------------------------------------- */

static void look_at_port(struct doctor *doctor, const char *who, const char *url, int64_t limit_ms)
{
    char host[256];
    if (url == NULL || !url_host(url, host, sizeof host) || url_port(url) < 0) return;
    doctor_port(doctor, who, url, http_reached(host, url_port(url), limit_ms));
}

static void look_at_ops(struct doctor *doctor, const char *who, const struct member *member,
                        int64_t limit_ms)
{
    struct buf text = {0};
    int status = 0;
    double open = 0, most = 0;
    bool told = ctl_ops_get(member, "/readyz", limit_ms, &status, &text);
    doctor_ready(doctor, who, member->ops_port == 0 ? -1 : told ? status : 0, buf_slice(&text));
    if (told) {
        buf_clear(&text);
        if (ctl_ops_get(member, "/metrics", limit_ms, &status, &text) && status == 200) {
            if (metric_value(buf_slice(&text), "process_open_fds", &open) &&
                metric_value(buf_slice(&text), "process_max_fds", &most))
                doctor_files(doctor, who, (uint64_t)open, (uint64_t)most);
            look_at_those_in_use(doctor, who, buf_slice(&text));
        }
        buf_clear(&text);
        if (ctl_ops_get(member, "/config", limit_ms, &status, &text) && status == 200)
            look_at_settings(doctor, buf_slice(&text));
    }
    buf_fini(&text);
}

static void look_at_member(struct doctor *doctor, const struct member *member, int64_t limit_ms)
{
    struct buf who = {0};
    text_add(&who, "%s ", seen_service(member->kind));
    text_id(&who, member->instance, TEXT_ID_SHORT);
    buf_put_u8(&who, 0);
    if (member->silent_ms == MEMBER_DEAD) {
        doctor_dead(doctor, (const char *)who.at);
    } else {
        look_at_port(doctor, (const char *)who.at, member->control_url, limit_ms);
        look_at_port(doctor, (const char *)who.at, member->inbox_url, limit_ms);
        look_at_ops(doctor, (const char *)who.at, member, limit_ms);
    }
    buf_fini(&who);
}

static void look_at_all(struct doctor *doctor, const struct reply *members, int64_t limit_ms)
{
    static const enum service_kind kinds[] = {SERVICE_MATCHMAKER, SERVICE_TIMER, SERVICE_WORKER,
                                              SERVICE_GATEWAY};
    const char *build = NULL, *other = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int alive = 0;
        for (int i = 0; i < members->member_count; i++) {
            const struct member *member = &members->members[i];
            if (member->kind != kinds[k] || seen_left(member)) continue;
            look_at_member(doctor, member, limit_ms);
            alive += member->silent_ms != MEMBER_DEAD;
            if (build && member->build && strcmp(build, member->build) != 0) other = member->build;
            if (build == NULL) build = member->build;
        }
        if (alive == 0) doctor_missing(doctor, seen_service(kinds[k]));
    }
    if (other) doctor_versions(doctor, build, other);
}

int run_doctor(struct ctl *ctl)
{
    static struct doctor doctor;
    struct asking ask;
    struct buf out = {0};
    if (!asking_open(&ask, ctl)) return CTL_EXIT_USAGE;
    int code = CTL_EXIT_USAGE;
    look_here(&doctor);
    if (look_at_shards(&doctor, ctl)) {
        look_at_named(&doctor, ctl);
        const struct reply *members = asking_members(&ask);
        if (members)
            look_at_all(&doctor, members, ctl->timeout_ms);
        else
            doctor_missing(&doctor, "matchmaker");
        code = doctor_well(&doctor) ? CTL_EXIT_OK : CTL_EXIT_FAILED;
        if (ctl_json(ctl))
            doctor_json(&doctor, &out);
        else
            doctor_text(&doctor, &ctl->style, &out);
        ctl_print(&out);
    }
    buf_fini(&out);
    doctor_fini(&doctor);
    asking_close(&ask);
    return code;
}
