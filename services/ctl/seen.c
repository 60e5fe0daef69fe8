/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/seen.h"

#include <stdlib.h>

enum { LATE_MS = 1000, BEHIND_MS = 1000, NOT_ENOUGH_PERCENT = 90, READY_STATUS = 200 };

const char *seen_service(enum service_kind kind)
{
    switch (kind) {
    case SERVICE_GATEWAY: return "gateway";
    case SERVICE_MATCHMAKER: return "matchmaker";
    case SERVICE_WORKER: return "worker";
    case SERVICE_TIMER: return "timer";
    }
    return "unknown";
}

bool seen_left(const struct member *member)
{
    return member->silent_ms == MEMBER_DEAD && member->draining && member->rooms == 0;
}

const char *seen_state(const struct seen_member *member, enum text_mark *mark)
{
    bool worker = member->is.kind == SERVICE_WORKER;
    enum text_mark unused;
    if (mark == NULL) mark = &unused;
    *mark = MARK_GOOD;
    if (seen_left(&member->is)) return "left";
    *mark = MARK_BAD;
    if (member->is.silent_ms == MEMBER_DEAD) return "dead";
    if (worker && !member->answered) return "silent";
    if (worker && member->load.shards_up < member->load.shards) return "no redis";
    *mark = MARK_WARN;
    if (member->is.draining) return worker && member->is.rooms == 0 ? "drained" : "draining";
    if (member->ready != 0 && member->ready != READY_STATUS) {
        *mark = MARK_BAD;
        return "not ready";
    }
    if (member->is.silent_ms > LATE_MS) return "late";
    *mark = MARK_GOOD;
    return worker || member->ready == READY_STATUS ? "ready" : "up";
}

void seen_ready(struct seen_member *member, int status, struct slice text)
{
    const uint8_t *end = text.len ? memchr(text.at, '\n', text.len) : NULL;
    size_t len = end ? (size_t)(end - text.at) : text.len;
    if (len >= sizeof member->why) len = sizeof member->why - 1;
    member->ready = status;
    member->why[0] = '\0';
    if (status == READY_STATUS || len == 0) return;
    memcpy(member->why, text.at, len);
    member->why[len] = '\0';
}

static bool begins(struct id128 instance, const char *id)
{
    enum { DIGITS = 2 * sizeof instance.byte };
    struct buf hex = {0};
    size_t len = strlen(id);
    text_id(&hex, instance, DIGITS);
    bool fits = len > 0 && len <= DIGITS && memcmp(hex.at, id, len) == 0;
    buf_fini(&hex);
    return fits;
}

const struct member *seen_named(const struct member *members, int count, enum service_kind kind,
                                const char *id, int *fitting)
{
    const struct member *found = NULL;
    *fitting = 0;
    for (int i = 0; i < count; i++) {
        if (members[i].kind != kind || !begins(members[i].instance, id)) continue;
        found = &members[i];
        ++*fitting;
    }
    return found;
}

static int compare(const void *left, const void *right)
{
    static const int rank[] = {
        [SERVICE_GATEWAY] = 3, [SERVICE_MATCHMAKER] = 0, [SERVICE_WORKER] = 2, [SERVICE_TIMER] = 1};
    const struct seen_member *a = left, *b = right;
    int by_kind = rank[a->is.kind] - rank[b->is.kind];
    return by_kind ? by_kind : id128_compare(a->is.instance, b->is.instance);
}

void seen_sort(struct seen *seen)
{
    if (seen->count > 1) qsort(seen->list, (size_t)seen->count, sizeof *seen->list, compare);
}

void seen_total(const struct seen *seen, struct seen_totals *out)
{
    *out = (struct seen_totals){0};
    for (int i = 0; i < seen->count; i++) {
        const struct seen_member *member = &seen->list[i];
        bool dead = member->is.silent_ms == MEMBER_DEAD;
        out->dead += dead && !seen_left(&member->is);
        if (dead) continue;
        out->services++;
        out->connections += member->is.connections;
        out->draining += member->is.draining;
        if (member->is.kind != SERVICE_WORKER) continue;
        out->silent += !member->answered;
        out->rooms += member->answered ? member->load.rooms : member->is.rooms;
        out->rooms_max += member->is.draining ? 0 : member->is.rooms_max;
        out->people += member->load.people;
        out->watchers += member->load.watchers;
        out->unconfirmed += member->load.unconfirmed;
        if (member->load.oldest_ms > out->oldest_ms) out->oldest_ms = member->load.oldest_ms;
    }
}

static int count_of(const struct seen *seen, enum service_kind kind)
{
    int count = 0;
    for (int i = 0; i < seen->count; i++)
        count += seen->list[i].is.kind == kind && seen->list[i].is.silent_ms != MEMBER_DEAD;
    return count;
}

/* ---- what needs a look ----------------------------------------------------------------------- */

static void put_trouble(struct buf *out, const struct text_style *style, enum text_mark mark,
                        const struct seen_member *member, const char *what, const char *why)
{
    struct buf line = {0};
    text_add(&line, "%s ", seen_service(member->is.kind));
    text_id(&line, member->is.instance, TEXT_ID_SHORT);
    text_add(&line, " %s%s%s", what, *why ? ": " : "", why);
    buf_put_u8(&line, 0);
    text_add(out, "  ");
    text_marked(out, style, mark, "!");
    text_add(out, " ");
    text_safe(out, (char *)line.at);
    text_add(out, "\n");
    buf_fini(&line);
}

static const char *trouble_of(const struct seen_member *member)
{
    enum text_mark mark;
    const char *state = seen_state(member, &mark);
    if (mark == MARK_GOOD) return NULL;
    if (strcmp(state, "dead") == 0) {
        if (member->is.kind == SERVICE_WORKER)
            return "is dead, or was stopped; others adopt its rooms. Its log says why, if it could";
        return "is dead, or was stopped; its log says why, if it could";
    }
    if (strcmp(state, "silent") == 0)
        return "does not answer here; is its control port reached from this machine?";
    if (strcmp(state, "no redis") == 0)
        return "lacks a Redis shard: its rooms wait until Redis answers";
    if (strcmp(state, "not ready") == 0) return "says that it is not ready";
    if (strcmp(state, "late") == 0) return "is late with its heartbeat: is the machine overloaded?";
    if (member->is.kind != SERVICE_WORKER) return "is stopping";
    return member->is.rooms ? "hands its rooms over"
                            : "has handed its rooms over; `madangctl undrain` takes it back";
}

static void put_missing(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    static const struct {
        enum service_kind kind;
        const char *what;
    } needed[] = {
        {SERVICE_GATEWAY, "there is no gateway: nobody can come in"},
        {SERVICE_WORKER, "there is no worker: no room can be played"},
        {SERVICE_TIMER, "there is no timer: games wait for ever for those who do nothing"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (count_of(seen, needed[i].kind) > 0) continue;
        text_add(out, "  ");
        text_marked(out, style, MARK_BAD, "!");
        text_add(out, " %s\n", needed[i].what);
    }
}

void seen_troubles(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    struct seen_totals totals;
    put_missing(seen, style, out);
    for (int i = 0; i < seen->count; i++) {
        enum text_mark mark;
        const struct seen_member *member = &seen->list[i];
        const char *state = seen_state(member, &mark);
        const char *why = strcmp(state, "not ready") == 0 ? member->why : "";
        if (trouble_of(member)) put_trouble(out, style, mark, member, trouble_of(member), why);
        if (member->load.oldest_ms < BEHIND_MS) continue;
        put_trouble(out, style, MARK_BAD, member, "has waited a second and more for Redis", "");
    }
    seen_total(seen, &totals);
    uint64_t full = (uint64_t)totals.rooms_max * NOT_ENOUGH_PERCENT / 100;
    if (totals.rooms_max == 0 || totals.rooms < full) return;
    text_add(out, "  ");
    text_marked(out, style, MARK_WARN, "!");
    text_add(out, " nine of ten places for rooms are taken: start another worker\n");
}

bool seen_well(const struct seen *seen)
{
    struct buf troubles = {0};
    struct text_style plain = {0};
    seen_troubles(seen, &plain, &troubles);
    bool well = troubles.len == 0;
    buf_fini(&troubles);
    return well;
}

void seen_compare(struct seen *seen, const struct seen *before)
{
    int64_t passed_ms = before ? seen->looked_at_ms - before->looked_at_ms : 0;
    for (int i = 0; i < seen->count; i++) {
        struct seen_member *now = &seen->list[i];
        now->cpu_percent = now->actions_per_s = -1;
        for (int j = 0; passed_ms > 0 && j < before->count; j++) {
            const struct seen_member *then = &before->list[j];
            if (!id128_equal(then->is.instance, now->is.instance)) continue;
            if (then->cpu_ms >= 0 && now->cpu_ms >= then->cpu_ms)
                now->cpu_percent = 100 * (now->cpu_ms - then->cpu_ms) / passed_ms;
            if (then->actions >= 0 && now->actions >= then->actions)
                now->actions_per_s = 1000 * (now->actions - then->actions) / passed_ms;
        }
    }
}
