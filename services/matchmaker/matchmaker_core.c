/* SPDX-License-Identifier: Apache-2.0
 *
 * Dispatch: one event to one handler, and the questions that are open.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

struct matchmaker_core *matchmaker_core_open(const struct matchmaker_config *config, instant_ms now)
{
    struct matchmaker_core *core = calloc(1, sizeof *core);
    CHECK(core);
    CHECK(config->shard_count > 0 && config->shard_count <= WIRE_SHARDS_MAX);
    CHECK(config->shards_open >= 0 && config->shards_open <= config->shard_count);
    core->config = *config;
    core->now = core->last_step = core->uninterrupted = now;
    core->tick_at = core->heartbeat_at = now;
    core->next_tag = 1;
    for (int s = 0; s < config->shard_count; s++) core->shards[s].asked = INSTANT_NEVER;
    return core;
}

static void pending_free(struct pending *pending)
{
    free(pending->rooms);
    free(pending);
}

void matchmaker_core_close(struct matchmaker_core *core)
{
    if (!core) return;
    size_t cursor = 0;
    uint64_t tag;
    void *value;
    while (map_next(&core->pendings, &cursor, &tag, &value)) {
        struct pending *pending = value;
        creation_free(pending->creation);
        pending_free(pending);
    }
    map_fini(&core->pendings);
    tickets_fini(core);
    place_fini(core);
    sweep_fini(core);
    members_fini(core);
    free(core);
}

static struct pending *pending_new(struct matchmaker_core *core, enum pending_kind kind,
                                   uint64_t *tag)
{
    if (core->pendings.count >= MATCHMAKER_PENDING_MAX) {
        core->refused.pending++;
        return NULL;
    }
    struct pending *pending = calloc(1, sizeof *pending);
    CHECK(pending);
    pending->kind = kind;
    pending->asked = core->now;
    *tag = core->next_tag++;
    map_put(&core->pendings, *tag, pending);
    return pending;
}

struct pending *ask_store(struct matchmaker_core *core, enum pending_kind kind,
                          struct store_op **op, enum store_op_kind what)
{
    uint64_t tag;
    struct pending *pending = pending_new(core, kind, &tag);
    if (!pending) return NULL;
    *op = &effects_add(core->out, EFFECT_STORE)->op;
    (*op)->kind = what;
    (*op)->tag = tag;
    (*op)->instance = core->config.instance;
    return pending;
}

struct id128 draw_id(struct matchmaker_core *core)
{
    uint8_t bytes[sizeof core->entropy + sizeof core->next_tag];
    memcpy(bytes, core->entropy, sizeof core->entropy);
    memcpy(bytes + sizeof core->entropy, &core->next_tag, sizeof core->next_tag);
    core->next_tag++;
    return hash_128(slice_of(bytes, sizeof bytes));
}

struct pending *ask_peer(struct matchmaker_core *core, enum pending_kind kind, const char *url,
                         struct request **request, enum request_kind what)
{
    uint64_t tag;
    struct id128 id = draw_id(core);
    struct pending *pending = pending_new(core, kind, &tag);
    if (!pending) return NULL;
    struct effect *effect = effects_add(core->out, EFFECT_REQUEST);
    effect->url = arena_text(&core->out->arena, url);
    effect->token = tag;
    effect->timeout_ms = MATCHMAKER_REQUEST_MS;
    effect->request.kind = what;
    effect->request.id = id;
    effect->request.from = core->config.instance;
    *request = &effect->request;
    return pending;
}

struct reply *answer(struct matchmaker_core *core, const struct waiter *waiter)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    effect->token = waiter->token;
    effect->reply.kind = waiter->kind;
    effect->reply.id = waiter->id;
    return &effect->reply;
}

void note(struct matchmaker_core *core, const char *text, uint64_t a, uint64_t b)
{
    struct effect *effect = effects_add(core->out, EFFECT_NOTE);
    effect->text = text;
    effect->value[0] = a;
    effect->value[1] = b;
}

static void on_place(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    for (int i = 0; i < request->room_count; i++)
        place_resolve(core, NULL, request->rooms[i].room, request->rooms[i].epoch, NULL);
    answer(core, &waiter);
}

static void on_resolve(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    char code[WIRE_CODE_LEN + 1] = "";
    bool by_code = request->code && *request->code;
    if (by_code && !code_normalise(slice_text(request->code), code)) {
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_NO_SUCH_ROOM);
        return;
    }
    place_resolve(core, code, request->room, request->stale_epoch, &waiter);
}

static void on_request(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    switch (request->kind) {
    case REQ_HEARTBEAT:
        member_heard(core, &request->self);
        members_reply(core, &request->self, answer(core, &waiter));
        return;
    case REQ_CREATE: create_start(core, request, token); return;
    case REQ_RESOLVE: on_resolve(core, request, token); return;
    case REQ_LOOK_UP: directory_look_up(core, request, token); return;
    case REQ_PUBLIC: directory_public(core, request, token); return;
    case REQ_TICKET: ticket_poll(core, request, token); return;
    case REQ_TICKET_CANCEL: ticket_cancel(core, request, token); return;
    case REQ_PLACE: on_place(core, request, token); return;
    case REQ_STATUS: members_reply(core, &(struct member){0}, answer(core, &waiter)); return;
    case REQ_WORKER_CREATE:
    case REQ_WORKER_ADOPT:
    case REQ_WORKER_STATUS:
    case REQ_WORKER_ROOMS:
    case REQ_WORKER_ROOM:
    case REQ_WORKER_DRAIN:
    case REQ_WORKER_UNDRAIN:
    case REQ_WORKER_KICK:
    case REQ_WORKER_CLOSE: break;
    }
    answer_refused(core, &waiter, ST_INVALID, REASON_MALFORMED);
}

static struct pending *take_pending(struct matchmaker_core *core, uint64_t tag)
{
    return map_remove(&core->pendings, tag);
}

static void on_reply(struct matchmaker_core *core, const struct event *event)
{
    struct pending *asked = take_pending(core, event->token);
    if (!asked) return;
    switch (asked->kind) {
    case PENDING_ADOPT: adopt_on_reply(core, asked, event->reply); break;
    case PENDING_CREATE: create_on_worker(core, asked, event->reply); break;
    case PENDING_MATCH_CREATE: match_on_worker(core, asked, event->reply); break;
    default: break; /* a heartbeat's answer */
    }
    pending_free(asked);
}

/* Our own lease is how we see it: last is what the store remembers of it. */
static void compare_lease(struct matchmaker_core *core, struct shard_view *shard, instant_ms last)
{
    if (last >= shard->renewed) return;
    if (core->now >= shard->forgot_until)
        note(core, "store.forgot", (uint64_t)(shard - core->shards), 0);
    shard->forgot_until = core->now + MATCHMAKER_REPAIR_MS;
}

bool store_forgot(struct matchmaker_core *core, const struct store_reply *unknown)
{
    if (unknown->shard < 0 || unknown->shard >= core->config.shard_count) return false;
    struct shard_view *shard = &core->shards[unknown->shard];
    compare_lease(core, shard, unknown->last_lease_redis_ms);
    return core->now < shard->forgot_until;
}

bool store_forgot_lately(const struct matchmaker_core *core, int shard)
{
    return core->now < core->shards[shard].forgot_until;
}

static void on_pulse(struct matchmaker_core *core, const struct pending *asked,
                     const struct store_reply *reply)
{
    struct shard_view *shard = &core->shards[asked->shard];
    shard->asked = INSTANT_NEVER;
    bool down = reply->status != ST_OK;
    if (down || core->now - asked->asked > MATCHMAKER_TICK_GAP_MS + MATCHMAKER_HEARTBEAT_MS)
        members_interrupted(core);
    shard->down = down;
    if (down) return;
    compare_lease(core, shard, reply->last_lease_redis_ms);
    shard->renewed = reply->redis_ms;
    shard->renewed_at = core->now;
}

static void on_store(struct matchmaker_core *core, const struct store_reply *reply)
{
    struct pending *asked = take_pending(core, reply->tag);
    if (!asked) return;
    switch (asked->kind) {
    case PENDING_LEASE: on_pulse(core, asked, reply); break;
    case PENDING_PUBLIC: directory_on_public(core, asked, reply); break;
    case PENDING_OWNED: sweep_on_owned(core, asked, reply); break;
    case PENDING_FIND: place_on_find(core, asked, reply); break;
    case PENDING_LOOK_UP: directory_on_find(core, asked, reply); break;
    case PENDING_CREATE_FIND: create_on_find(core, asked, reply); break;
    case PENDING_TICKET: ticket_on_claimed(core, asked, reply); break;
    case PENDING_MATCH_LOOK: match_on_look(core, asked, reply); break;
    case PENDING_MATCH_FREE: match_on_free(core, asked, reply); break;
    case PENDING_MATCH_CLAIM: match_on_claim(core, asked, reply); break;
    case PENDING_MATCH_MADE: match_on_made(core, asked, reply); break;
    case PENDING_SILENT: silent_on_owners(core, asked, reply); break;
    default: break;
    }
    pending_free(asked);
}

/* Our pulse on each shard tells whether the store answers while we judge others' silence. */
static void pulse(struct matchmaker_core *core)
{
    for (int s = 0; s < core->config.shard_count; s++) {
        struct shard_view *shard = &core->shards[s];
        if (shard->asked != INSTANT_NEVER) {
            if (core->now - shard->asked > MATCHMAKER_TICK_GAP_MS + MATCHMAKER_HEARTBEAT_MS)
                members_interrupted(core);
            continue;
        }
        if (core->now < shard->next_pulse) continue;
        struct store_op *op;
        struct pending *asked = ask_store(core, PENDING_LEASE, &op, STORE_LEASE);
        if (!asked) return;
        asked->shard = op->shard = s;
        shard->asked = core->now;
        shard->next_pulse = core->now + MATCHMAKER_HEARTBEAT_MS;
    }
}

static void greet_peers(struct matchmaker_core *core)
{
    if (core->now < core->heartbeat_at) return;
    core->heartbeat_at = core->now + MATCHMAKER_HEARTBEAT_MS;
    for (int i = 0; i < core->config.peer_count; i++) {
        if (!strcmp(core->config.peers[i], core->config.control_url)) continue;
        struct request *request;
        if (!ask_peer(core, PENDING_HEARTBEAT, core->config.peers[i], &request, REQ_HEARTBEAT))
            return;
        request->self = member_self(core);
    }
}

static void on_tick(struct matchmaker_core *core)
{
    if (core->now < core->tick_at) return;
    core->tick_at = core->now + MATCHMAKER_TICK_MS;
    pulse(core);
    greet_peers(core);
    members_judge(core);
    sweep_tick(core);
    silent_tick(core);
    directory_tick(core);
    tickets_tidy(core);
    match_tick(core);
    if (core->now >= core->tidy_at) {
        core->tidy_at = core->now + 4 * MATCHMAKER_ATTEMPT_MS;
        place_tidy(core);
    }
}

enum status matchmaker_core_step(struct matchmaker_core *core, const struct event *event,
                                 instant_ms now, struct effects *out)
{
    effects_reset(out);
    core->out = out;
    if (now > core->now) core->now = now;
    memcpy(core->entropy, event->entropy, sizeof core->entropy);
    if (core->now - core->last_step > MATCHMAKER_TICK_GAP_MS) members_interrupted(core);
    core->last_step = core->now;
    switch (event->kind) {
    case EVENT_REQUEST: on_request(core, event->request, event->token); break;
    case EVENT_REPLY: on_reply(core, event); break;
    case EVENT_STORE: on_store(core, event->store); break;
    case EVENT_STORE_RESET:
        core->shards[event->shard].down = !event->store_up;
        if (event->store_up) core->shards[event->shard].next_pulse = core->now;
        members_interrupted(core);
        break;
    case EVENT_PEER_GONE: member_gone(core, event->peer_url, event->peer); break;
    case EVENT_DRAIN:
        core->leaving = true;
        effects_add(out, EFFECT_EXIT);
        break;
    default: break; /* a tick: below. A matchmaker has no data plane */
    }
    on_tick(core);
    adopt_flush(core);
    return ST_OK;
}

instant_ms matchmaker_core_deadline(const struct matchmaker_core *core)
{
    return core->tick_at;
}

const char *matchmaker_core_unready(const struct matchmaker_core *core)
{
    for (int s = 0; s < core->config.shard_count; s++)
        if (core->shards[s].down) return "the store does not answer";
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    for (int i = 0; i < workers->count; i++)
        if (!workers->list[i]->dead && !workers->list[i]->is.draining) return NULL;
    return "no worker is known";
}

uint32_t matchmaker_core_awaited(const struct matchmaker_core *core)
{
    return core->awaited;
}

uint32_t matchmaker_core_members(const struct matchmaker_core *core, enum service_kind kind)
{
    uint32_t count = 0;
    for (int i = 0; i < core->member_count; i++)
        count += core->members[i]->is.kind == kind && !core->members[i]->dead;
    return count;
}

void matchmaker_core_queues(const struct matchmaker_core *core, struct matchmaker_queues *out)
{
    *out = (struct matchmaker_queues){
        .pending = {core->pendings.count, MATCHMAKER_PENDING_MAX, 0},
        .placements = {core->placements.count, MATCHMAKER_PLACEMENTS_MAX, 0},
        .waiters = {core->waiter_count, MATCHMAKER_WAITERS_MAX, 0},
        .tickets = {core->tickets.count, MATCHMAKER_TICKETS_MAX, 0},
        .sweeps = {core->sweep_count, MATCHMAKER_SWEEPS_MAX, 0},
        .members = {(uint64_t)core->member_count, WIRE_MEMBERS_MAX, 0},
    };
#define X(name) out->name.refused = core->refused.name;
    MATCHMAKER_QUEUES(X)
#undef X
}
