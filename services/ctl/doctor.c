/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    REDIS_MAJOR_MIN = 6, /* users and passwords are AUTH's since then */
    FULL_PERCENT = 90,
    CLOCK_WARN_MS = 1000,
    CLOCK_BAD_MS = 60 * 1000,
    FILES_MIN = 4096,
    CERTIFICATE_WARN_DAYS = 14,
    GAP = 2,
    STATE_WIDTH = 4 + GAP,
    WHERE_WIDTH_MAX = 36, /* what is longer, such as a list of Sentinels, sticks out */
};

__attribute__((format(printf, 6, 7))) static void add(struct doctor *doctor, const char *subject,
                                                      const char *where, enum doctor_state state,
                                                      const char *todo, const char *format, ...)
{
    char found[256];
    va_list args;
    if (doctor->count == DOCTOR_CHECKS_MAX) return;
    va_start(args, format);
    vsnprintf(found, sizeof found, format, args);
    va_end(args);
    doctor->checks[doctor->count++] = (struct doctor_check){
        .subject = subject,
        .where = arena_text(&doctor->arena, where),
        .state = state,
        .found = arena_text(&doctor->arena, found),
        .todo = state == DOCTOR_GOOD ? NULL : todo,
    };
}

void doctor_fini(struct doctor *doctor)
{
    arena_fini(&doctor->arena);
}

bool doctor_well(const struct doctor *doctor)
{
    for (int i = 0; i < doctor->count; i++)
        if (doctor->checks[i].state == DOCTOR_BAD) return false;
    return true;
}

/* ---- Redis ----------------------------------------------------------------------------------- */

bool doctor_info(struct slice info, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);
    for (size_t at = 0; at < info.len;) {
        const uint8_t *line = info.at + at;
        const uint8_t *end = memchr(line, '\n', info.len - at);
        size_t left = end ? (size_t)(end - line) : info.len - at;
        at += left + 1;
        if (left <= len || memcmp(line, name, len) != 0 || line[len] != ':') continue;
        size_t value = left - len - 1;
        if (value > 0 && line[left - 1] == '\r') value--;
        if (value >= size) return false;
        memcpy(out, line + len + 1, value);
        out[value] = '\0';
        return true;
    }
    return false;
}

static uint64_t info_number(struct slice info, const char *name)
{
    char text[32];
    return doctor_info(info, name, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

static bool info_is(struct slice info, const char *name, const char *value)
{
    char text[64];
    return doctor_info(info, name, text, sizeof text) && strcmp(text, value) == 0;
}

static const char redis[] = "redis";

void doctor_redis_missing(struct doctor *doctor, const char *where)
{
    add(doctor, redis, where, DOCTOR_BAD,
        "start Redis, or correct --redis, its user and its password; rooms wait until it answers",
        "cannot be used from this machine");
}

static void judge_server(struct doctor *doctor, const char *where, struct slice info)
{
    char version[32] = "?", role[32] = "?";
    doctor_info(info, "redis_version", version, sizeof version);
    doctor_info(info, "role", role, sizeof role);
    bool old = strtoull(version, NULL, 10) < REDIS_MAJOR_MIN;
    add(doctor, redis, where, old ? DOCTOR_BAD : DOCTOR_GOOD, "use Redis 6 or later", "version %s",
        version);
    bool primary = strcmp(role, "master") == 0;
    add(doctor, redis, where, primary ? DOCTOR_GOOD : DOCTOR_BAD,
        "name the primary, or let Sentinels name it (sentinel://...)", "is a %s",
        primary ? "primary" : role);
    if (info_is(info, "loading", "1"))
        add(doctor, redis, where, DOCTOR_BAD, "wait; rooms go on when it has loaded",
            "is still loading its data");
}

static void judge_memory(struct doctor *doctor, const char *where, struct slice info,
                         const struct doctor_redis *set)
{
    static const char *const evicts =
        "set maxmemory-policy noeviction: any other throws rooms away when memory is short";
    uint64_t used = info_number(info, "used_memory"), most = info_number(info, "maxmemory");
    const char *policy = set->maxmemory_policy;
    char told[64] = "";
    if (!*policy && doctor_info(info, "maxmemory_policy", told, sizeof told)) policy = told;
    bool keeps = strcmp(policy, "noeviction") == 0;
    add(doctor, redis, where,
        keeps  ? DOCTOR_GOOD
        : most ? DOCTOR_BAD
               : DOCTOR_WARN,
        evicts, "maxmemory-policy is %s", *policy ? policy : "unknown");
    if (most == 0)
        add(doctor, redis, where, DOCTOR_WARN,
            "set maxmemory below what the machine has: then Redis refuses writes, and rooms wait, "
            "before the system ends it",
            "no maxmemory is set; %llu MB are used", (unsigned long long)used >> 20);
    else
        add(doctor, redis, where, used >= most / 100 * FULL_PERCENT ? DOCTOR_BAD : DOCTOR_GOOD,
            "give it more memory, or add a shard", "%llu of %llu MB are used",
            (unsigned long long)used >> 20, (unsigned long long)most >> 20);
}

static void judge_keeping(struct doctor *doctor, const char *where, struct slice info,
                          const struct doctor_redis *set)
{
    bool aof = info_is(info, "aof_enabled", "1");
    add(doctor, redis, where, aof ? DOCTOR_GOOD : DOCTOR_WARN,
        "set appendonly yes, unless losing all rooms with this process is acceptable (README, "
        "durability)",
        "appendonly is %s", aof ? "yes" : "no");
    if (aof && *set->appendfsync)
        add(doctor, redis, where, strcmp(set->appendfsync, "no") ? DOCTOR_GOOD : DOCTOR_WARN,
            "set appendfsync everysec or always", "appendfsync is %s", set->appendfsync);
    if (aof && (info_is(info, "aof_last_write_status", "err") ||
                info_is(info, "aof_last_bgrewrite_status", "err")))
        add(doctor, redis, where, DOCTOR_BAD, "look at its disk: is it full? Redis' log says more",
            "its log could not be written");
    if (info_is(info, "rdb_last_bgsave_status", "err"))
        add(doctor, redis, where, DOCTOR_BAD,
            "look at its disk and memory (vm.overcommit_memory): Redis refuses writes meanwhile",
            "its last snapshot failed");
    if (*set->list_compress_depth)
        add(doctor, redis, where, strcmp(set->list_compress_depth, "0") ? DOCTOR_GOOD : DOCTOR_WARN,
            "set list-compress-depth 1: finished games take a third of the memory then",
            "list-compress-depth is %s", set->list_compress_depth);
}

void doctor_redis(struct doctor *doctor, const char *where, struct slice info,
                  const struct doctor_redis *set)
{
    uint64_t clients = info_number(info, "connected_clients");
    uint64_t most = info_number(info, "maxclients");
    judge_server(doctor, where, info);
    judge_memory(doctor, where, info, set);
    judge_keeping(doctor, where, info, set);
    if (most)
        add(doctor, redis, where, clients >= most / 100 * FULL_PERCENT ? DOCTOR_BAD : DOCTOR_GOOD,
            "raise maxclients", "%llu of %llu connections", (unsigned long long)clients,
            (unsigned long long)most);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

void doctor_clock(struct doctor *doctor, const char *where, int64_t ahead_ms, int64_t unsure_ms)
{
    int64_t off = ahead_ms < 0 ? -ahead_ms : ahead_ms;
    off = off > unsure_ms ? off - unsure_ms : 0;
    enum doctor_state state = DOCTOR_GOOD;
    if (off >= CLOCK_WARN_MS) state = DOCTOR_WARN;
    if (off >= CLOCK_BAD_MS) state = DOCTOR_BAD;
    add(doctor, "clock", where, state,
        "keep both machines' clocks (NTP): games do not depend on them, but orders of operators "
        "and the times in logs do",
        "%lld ms %s this machine's", (long long)(ahead_ms < 0 ? -ahead_ms : ahead_ms),
        ahead_ms < 0 ? "behind" : "ahead of");
}

void doctor_clock_kept(struct doctor *doctor, bool kept)
{
    add(doctor, "clock", "here", kept ? DOCTOR_GOOD : DOCTOR_WARN,
        "run chrony or systemd-timesyncd, unless the host of this container does",
        kept ? "is kept right" : "nobody keeps it right, says the kernel");
}

/* ---- services -------------------------------------------------------------------------------- */

void doctor_files(struct doctor *doctor, const char *where, uint64_t used, uint64_t most)
{
    if (most == 0) return;
    enum doctor_state state = DOCTOR_GOOD;
    if (most < FILES_MIN) state = DOCTOR_WARN;
    if (used >= most / 100 * FULL_PERCENT) state = DOCTOR_BAD;
    static const char *const raise =
        "raise the limit of open files (LimitNOFILE=, ulimit -n): each connection is one";
    if (used == 0)
        add(doctor, "files", where, state, raise, "%llu may be open", (unsigned long long)most);
    else
        add(doctor, "files", where, state, raise, "%llu of %llu open", (unsigned long long)used,
            (unsigned long long)most);
}

void doctor_port(struct doctor *doctor, const char *where, const char *url, bool reached)
{
    add(doctor, "port", where, reached ? DOCTOR_GOOD : DOCTOR_BAD,
        "is it listened on there, and does a firewall stand between? Others may see the same",
        "%s %s", url, reached ? "is reached" : "is not reached from this machine");
}

void doctor_ready(struct doctor *doctor, const char *where, int status, struct slice text)
{
    static const char ready[] = "ready";
    if (status == -1) {
        add(doctor, ready, where, DOCTOR_WARN, "give it --ops=http://ADDRESS:PORT, to be watched",
            "has no operations port");
        return;
    }
    size_t len = 0;
    while (len < text.len && text.at[len] != '\n') len++;
    if (status == 0)
        add(doctor, ready, where, DOCTOR_WARN, "look from where the operations ports are reached",
            "its operations port is not reached from this machine");
    else
        add(doctor, ready, where, status == 200 ? DOCTOR_GOOD : DOCTOR_BAD,
            "it says why; when that stays so, its log has more", "%.*s", (int)len,
            len ? (const char *)text.at : "");
}

void doctor_dead(struct doctor *doctor, const char *where)
{
    add(doctor, "ready", where, DOCTOR_BAD, "its log says why, if it could; start it again",
        "is dead, or was stopped");
}

void doctor_versions(struct doctor *doctor, const char *one, const char *other)
{
    add(doctor, "version", "services", DOCTOR_WARN,
        "finish the upgrade: what the newer ones can do waits for the older ones",
        "both %s and %s are there", one, other);
}

void doctor_missing(struct doctor *doctor, const char *service)
{
    add(doctor, "ready", service, DOCTOR_BAD, "start one; a cluster needs one of each",
        "there is none");
}

/* ---- certificates ---------------------------------------------------------------------------- */

static const char certificate[] = "certificate";

static enum doctor_state judge_days(int64_t days_left)
{
    if (days_left < 0) return DOCTOR_BAD;
    return days_left < CERTIFICATE_WARN_DAYS ? DOCTOR_WARN : DOCTOR_GOOD;
}

void doctor_certificate(struct doctor *doctor, const char *file,
                        const struct doctor_certificate *seen)
{
    if (seen->fault) {
        add(doctor, certificate, file, DOCTOR_BAD, "a PEM file is needed that this user may read",
            "%s", seen->fault);
        return;
    }
    if (seen->has_key && !seen->key_fits)
        add(doctor, certificate, file, DOCTOR_BAD, "put the key of this certificate beside it",
            "the key in it is another's");
    enum doctor_state state = seen->early ? DOCTOR_BAD : judge_days(seen->days_left);
    if (seen->early)
        add(doctor, certificate, file, state, "is the clock right?", "is not valid yet");
    else if (seen->days_left < 0)
        add(doctor, certificate, file, state, "renew it now: peers refuse it",
            "ended %lld days ago", (long long)-seen->days_left);
    else
        add(doctor, certificate, file, state, "renew it", "is valid for %lld days",
            (long long)seen->days_left);
}

void doctor_certificate_in_use(struct doctor *doctor, const char *where, const char *which,
                               int64_t days_left)
{
    static const char *const renew =
        "renew its file, then restart the service; a gateway reads that of --https-certificate "
        "again on SIGHUP";
    enum doctor_state state = judge_days(days_left);
    if (days_left < 0)
        add(doctor, certificate, where, state, renew, "what it uses as %s ended %lld days ago",
            which, (long long)-days_left);
    else
        add(doctor, certificate, where, state, renew, "what it uses as %s is valid for %lld days",
            which, (long long)days_left);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const char *const states[] = {"good", "warn", "bad"};

static int count_of(const struct doctor *doctor, enum doctor_state state)
{
    int count = 0;
    for (int i = 0; i < doctor->count; i++) count += doctor->checks[i].state == state;
    return count;
}

static void widen(int *width, const char *text)
{
    int wide = text_width(text);
    if (wide > *width && wide <= WHERE_WIDTH_MAX) *width = wide;
}

static void put_padded(struct buf *out, const char *text, int width)
{
    int spare = width - text_width(text);
    text_add(out, "%s%*s", text, (spare > 0 ? spare : 0) + GAP, "");
}

void doctor_text(const struct doctor *doctor, const struct text_style *style, struct buf *out)
{
    static const enum text_mark marks[] = {MARK_GOOD, MARK_WARN, MARK_BAD};
    int subjects = 0, places = 0;
    for (int i = 0; i < doctor->count; i++) {
        widen(&subjects, doctor->checks[i].subject);
        widen(&places, doctor->checks[i].where);
    }
    for (int i = 0; i < doctor->count; i++) {
        const struct doctor_check *check = &doctor->checks[i];
        text_marked(out, style, marks[check->state], states[check->state]);
        text_add(out, "%*s", STATE_WIDTH - text_width(states[check->state]), "");
        put_padded(out, check->subject, subjects);
        put_padded(out, check->where, places);
        text_safe(out, check->found);
        text_add(out, "\n");
        if (check->todo) text_add(out, "      %s\n", check->todo);
    }
    text_add(out, "\n%d good, %d worth a thought, %d bad\n", count_of(doctor, DOCTOR_GOOD),
             count_of(doctor, DOCTOR_WARN), count_of(doctor, DOCTOR_BAD));
}

void doctor_json(const struct doctor *doctor, struct buf *out)
{
    struct json json = {.out = out};
    json_object(&json, NULL);
    json_bool(&json, "well", doctor_well(doctor));
    json_list(&json, "checks");
    for (int i = 0; i < doctor->count; i++) {
        const struct doctor_check *check = &doctor->checks[i];
        json_object(&json, NULL);
        json_text(&json, "subject", check->subject);
        json_text(&json, "where", check->where);
        json_text(&json, "state", states[check->state]);
        json_text(&json, "found", check->found);
        if (check->todo) json_text(&json, "todo", check->todo);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
}
