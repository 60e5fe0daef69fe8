/* SPDX-License-Identifier: Apache-2.0
 *
 * Heartbeats to every configured matchmaker; their answers say which matchmakers and workers there
 * are, and which worker has fallen silent or is gone. Whether a configured matchmaker is alive, its
 * own answers say, and nobody else's.
 */
#include "gateway/calls.h"

#include <stdlib.h>

enum {
    MEMBER_FORGET_MS = 3000, /* in nobody's list for so long */
    WORKER_SILENT_MS = 1500, /* a lease and two heartbeats */
    MATCHMAKER_SILENT_MS = 1000,
};

void gw_members_beat(struct gateway_core *core)
{
    core->beat_at = core->now + GATEWAY_HEARTBEAT_MS;
    for (int i = 0; i < core->config.matchmaker_count; i++) {
        if (core->beat_token[i]) continue; /* the last one is still under way */
        struct request *request = gw_ask(core, ASK_HEARTBEAT, (uint64_t)i, core->matchmaker_url[i],
                                         REQ_HEARTBEAT, gw_random_id(core), &core->beat_token[i]);
        request->self = (struct member){
            .kind = SERVICE_GATEWAY,
            .instance = core->config.instance,
            .inbox_url = core->inbox_url,
            .control_url = "",
            .build = core->build,
            .ops_port = core->ops_port,
            .connections = (uint32_t)core->clients.count,
            .draining = core->draining,
        };
    }
}

static bool is_configured(const struct gateway_core *core, const char *url)
{
    for (int i = 0; url && i < core->config.matchmaker_count; i++)
        if (!strcmp(core->matchmaker_url[i], url)) return true;
    return false;
}

/* Another process answers at its address. */
static void forget_former(struct gateway_core *core, const struct member *self)
{
    size_t cursor = 0;
    struct id128 id;
    void *value;
    while (map128_next(&core->members, &cursor, &id, &value)) {
        const struct member_known *known = value;
        bool former = known->kind == SERVICE_MATCHMAKER && !id128_equal(id, self->instance) &&
                      !strcmp(known->url, self->control_url);
        if (former) free(map128_remove(&core->members, id));
    }
}

static struct member_known *know(struct gateway_core *core, const struct member *member)
{
    const char *url = member->kind == SERVICE_MATCHMAKER ? member->control_url : member->inbox_url;
    struct member_known *known = map128_get(&core->members, member->instance);
    if (url == NULL || url[0] == '\0' || strlen(url) > WIRE_URL_BYTES_MAX) return NULL;
    if (known == NULL) {
        if (core->members.count >= WIRE_MEMBERS_MAX) {
            core->refused.members++;
            return NULL;
        }
        known = calloc(1, sizeof *known);
        CHECK(known != NULL);
        known->instance = member->instance;
        map128_put(&core->members, known->instance, known);
    }
    known->kind = member->kind;
    known->draining = member->draining;
    memcpy(known->url, url, strlen(url) + 1);
    return known;
}

/* first: of the list; who answers names itself first. */
static void take_member(struct gateway_core *core, const struct member *member, bool first)
{
    if (member->kind != SERVICE_MATCHMAKER && member->kind != SERVICE_WORKER) return;
    if (member->kind == SERVICE_MATCHMAKER && is_configured(core, member->control_url)) {
        if (!first) return;
        forget_former(core, member);
    }
    struct member_known *known = know(core, member);
    if (known == NULL) return;
    known->heard_at = core->now;
    bool silent = member->silent_ms > WORKER_SILENT_MS;
    if (silent && !known->silent && member->kind == SERVICE_WORKER)
        gw_mirrors_of_peer(core, member->instance, NULL, true);
    known->silent = silent;
}

void gw_member_spoke(struct gateway_core *core, struct id128 instance)
{
    struct member_known *known = map128_get(&core->members, instance);
    if (known) known->spoke_at = core->now;
}

/* What was sent to it has arrived, or the stream would have broken: it waits its turn there. Sent
 * again it would only make the turn longer, and a room that is taken from who is behind makes
 * everybody wait. */
static bool is_behind(const struct gateway_core *core, struct id128 owner)
{
    const struct member_known *known = map128_get(&core->members, owner);
    return known && !known->silent && known->spoke_at &&
           core->now - known->spoke_at < GATEWAY_SPEAKS_MS;
}

instant_ms gw_resend_ms(const struct gateway_core *core, struct id128 owner, uint32_t tries)
{
    uint32_t doublings = tries < 3 ? tries : 3;
    return (instant_ms)GATEWAY_RESEND_MS << (is_behind(core, owner) ? doublings : 0);
}

bool gw_tried_enough(const struct gateway_core *core, struct id128 owner, uint32_t tries)
{
    return tries > (is_behind(core, owner) ? GATEWAY_BEHIND_MAX : GATEWAY_RESENDS_MAX);
}

/* In no list any more. Our own silence is nobody's: only a fresh answer counts. */
static bool is_absent(const struct gateway_core *core, const struct member_known *known)
{
    instant_ms from = known->heard_at > core->resumed_at ? known->heard_at : core->resumed_at;
    return core->now - from > MEMBER_FORGET_MS;
}

static bool any_absent(const struct gateway_core *core)
{
    size_t cursor = 0;
    struct id128 id;
    void *known;
    while (map128_next(&core->members, &cursor, &id, &known))
        if (is_absent(core, known)) return true;
    return false;
}

/* Whoever is absent is gone; they go in the order of their names. */
static void forget_absent(struct gateway_core *core)
{
    size_t count;
    if (!any_absent(core)) return; /* nearly always */
    struct id128 *ids = map128_keys_sorted(&core->members, &count);
    for (size_t i = 0; i < count; i++) {
        struct member_known *known = map128_get(&core->members, ids[i]);
        if (!is_absent(core, known)) continue;
        if (known->kind == SERVICE_WORKER && !known->silent)
            gw_mirrors_of_peer(core, ids[i], NULL, true);
        free(map128_remove(&core->members, ids[i]));
    }
    free(ids);
}

void gw_members_reply(struct gateway_core *core, uint64_t index, const struct reply *reply)
{
    CHECK(index < GATEWAY_MATCHMAKERS_MAX);
    core->beat_token[index] = 0;
    if (reply->status != ST_OK) return;
    core->answered_at = core->now;
    for (int i = 0; i < reply->member_count; i++) take_member(core, &reply->members[i], i == 0);
    forget_absent(core);
}

bool gw_member_silent(const struct gateway_core *core, const struct member_known *matchmaker)
{
    instant_ms from = matchmaker->heard_at;
    if (core->resumed_at > from) from = core->resumed_at;
    return core->now - from > MATCHMAKER_SILENT_MS;
}

const struct member_known *gw_members_for_tickets(const struct gateway_core *core, const char *game)
{
    size_t count;
    struct id128 *all = map128_keys_sorted(&core->members, &count), ids[WIRE_MEMBERS_MAX];
    int matchmakers = 0;
    for (size_t i = 0; i < count; i++) {
        const struct member_known *known = map128_get(&core->members, all[i]);
        if (known->kind != SERVICE_MATCHMAKER || known->draining) continue;
        if (!gw_member_silent(core, known)) ids[matchmakers++] = all[i];
    }
    free(all);
    struct buf name = {0};
    buf_put_sized(&name, slice_text(game));
    buf_put_sized(&name, slice_text("default")); /* the class of its options */
    struct id128 hash = hash_128_for("tickets", buf_slice(&name));
    buf_fini(&name);
    uint64_t key;
    memcpy(&key, hash.byte, sizeof key);
    int picked = rendezvous_pick(key, ids, NULL, matchmakers);
    return picked < 0 ? NULL : map128_get(&core->members, ids[picked]);
}

void gw_members_fini(struct gateway_core *core)
{
    size_t cursor = 0;
    struct id128 instance;
    void *known;
    while (map128_next(&core->members, &cursor, &instance, &known)) free(known);
    map128_fini(&core->members);
}
