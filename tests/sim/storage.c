/* SPDX-License-Identifier: Apache-2.0
 *
 * Ops on their way to the model of Redis, and answers on their way back. A connection keeps the
 * order both ways. One that breaks answers all that was outstanding "unknown", then tells that it
 * is lost, as libs/store does. What was on its way then may still be carried out, later than its
 * sender thinks and behind what a new connection brought.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"

enum { ON_THE_WAY_MAX_MS = 2, RETRY_MS = 100, PATIENCE_MS = 2000, SYNC_MS = 1000 };

instant_ms storage_now(const struct world *world)
{
    return world->now + world->server.clock;
}

static struct happening *for_node(struct world *world, const struct sim_node *node,
                                  enum happening_kind kind, instant_ms at)
{
    struct happening *what = world_schedule(world, kind, at);
    what->at = node->index;
    what->life = node->life;
    what->token = node->store.number;
    return what;
}

/* ---- on its way there ------------------------------------------------------------------------ */

static struct store_op *copy_op(const struct store_op *op, struct arena *arena)
{
    struct store_op *copy = arena_alloc(arena, sizeof *copy);
    *copy = *op;
    copy->owner_url = op->owner_url ? arena_text(arena, op->owner_url) : NULL;
    copy->code = op->code ? arena_text(arena, op->code) : NULL;
    copy->record = arena_copy(arena, op->record);
    copy->summary = arena_copy(arena, op->summary);
    copy->snapshot = arena_copy(arena, op->snapshot);
    copy->entries = arena_alloc(arena, (size_t)op->entry_count * sizeof *copy->entries);
    for (int i = 0; i < op->entry_count; i++) {
        copy->entries[i].bytes = arena_copy(arena, op->entries[i].bytes);
        copy->entries[i].hash = op->entries[i].hash;
    }
    return copy;
}

static void not_sent(struct world *world, struct sim_node *node, const struct store_op *op)
{
    struct happening *answer = for_node(world, node, HAPPEN_STORE_REPLY, world->now);
    answer->token = 0;
    answer->reply = calloc(1, sizeof *answer->reply);
    CHECK(answer->reply);
    *answer->reply = model_store_unavailable(op, 0);
}

static void remember_asked(struct store_line *line, const struct store_op *op)
{
    if (line->asked_count == line->asked_room) {
        line->asked_room = line->asked_room ? 2 * line->asked_room : 16;
        line->asked = realloc(line->asked, line->asked_room * sizeof *line->asked);
        CHECK(line->asked);
    }
    line->asked[line->asked_count++] = (struct asked_op){op->kind, op->tag, op->shard, op->room};
}

static instant_ms on_the_way(struct world *world)
{
    const struct sim_faults *faults = &world->config.faults;
    instant_ms ms = chance_between(world, 0, ON_THE_WAY_MAX_MS);
    return fault_strikes(world, FAULT_SLOW, faults->slow_ppm, "store") ? ms + faults->slow_ms : ms;
}

void storage_op(struct world *world, struct sim_node *node, const struct store_op *op)
{
    struct store_line *line = &node->store;
    if (op->kind == STORE_CLAIM &&
        fault_strikes(world, FAULT_CLAIM, world->config.faults.claim_crash_ppm, node_name(node)))
        for_node(world, node, HAPPEN_KILL, world->now + ON_THE_WAY_MAX_MS);
    if (!line->up) {
        not_sent(world, node, op);
        return;
    }
    remember_asked(line, op);
    instant_ms at = world->now + on_the_way(world);
    if (world->now < world->server.slow_until) at += world->server.slow_ms;
    if (at < line->last_op) at = line->last_op;
    if (at < line->deaf_until) at = line->deaf_until;
    line->last_op = at;
    struct happening *arrives = for_node(world, node, HAPPEN_STORE_OP, at);
    arrives->op = copy_op(op, happening_arena(world, arrives));
}

/* ---- there ----------------------------------------------------------------------------------- */

static bool writes(const struct store_op *op)
{
    return op->kind != STORE_TAIL && op->kind != STORE_OWNED && op->kind != STORE_FIND &&
           op->kind != STORE_PUBLIC && op->kind != STORE_DUE && op->kind != STORE_CLAIMED &&
           op->kind != STORE_SILENT;
}

static void count(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    bool told = op->kind != STORE_TAKE && reply->status == ST_FENCED;
    told |= op->kind == STORE_TAIL && reply->epoch > op->epoch;
    if (told) world->counts.fenced++;
    if (op->kind == STORE_TAKE && reply->status == ST_OK) world->counts.adoptions++;
    if (op->kind == STORE_RESTORE && reply->status == ST_OK) world->counts.restored++;
}

static void carry_out(struct world *world, const struct store_op *op, struct arena *arena,
                      struct store_reply *reply)
{
    if (world->server.mood == STORE_MISCONF && writes(op)) {
        *reply = model_store_unavailable(op, 0);
        return;
    }
    model_store_step(world->store, op, storage_now(world), arena, reply);
    count(world, op, reply);
    check_owner(world, op, reply);
    check_outage(world, op, reply);
    check_once(world, op, reply);
    shadow_follow(world, op);
    check_kept(world, op, reply);
    checks_stored(world, op, reply);
    if (world->server.mood == STORE_WAIT_SHORT && writes(op))
        *reply = model_store_unavailable(op, 0);
}

static void answer(struct world *world, struct sim_node *node, struct happening *op)
{
    struct store_line *line = &node->store;
    instant_ms at = world->now + on_the_way(world);
    if (at < line->last_reply) at = line->last_reply;
    if (at < line->mute_until) at = line->mute_until;
    line->last_reply = at;
    struct happening *reply = for_node(world, node, HAPPEN_STORE_REPLY, at);
    reply->reply = op->reply;
    reply->arena = op->arena;
    op->reply = NULL;
    op->arena = (struct arena){0};
}

void storage_arrives(struct world *world, struct happening *what)
{
    struct sim_node *node = &world->nodes[what->at];
    const struct store_line *line = &node->store;
    if (world->server.down) return;                /* and so is every connection */
    if (world->now < world->server.frozen_until) { /* it lies in the socket, in its order */
        world_put_off(world, what, world->server.frozen_until);
        return;
    }
    bool given_up =
        what->life != node->life || !node->up || what->token != line->number || line->broken;
    if (given_up && chance_below(world, 2)) return;
    if (world->server.mood == STORE_READONLY && writes(what->op)) {
        if (!given_up) storage_break(world, node);
        return;
    }
    what->reply = calloc(1, sizeof *what->reply);
    CHECK(what->reply);
    carry_out(world, what->op, &what->arena, what->reply);
    if (given_up)
        world->counts.late_ops++;
    else
        answer(world, node, what);
}

/* ---- connections ----------------------------------------------------------------------------- */

static void connect_at(struct world *world, struct sim_node *node, instant_ms at)
{
    for_node(world, node, HAPPEN_STORE_BACK, at);
}

void storage_connect(struct world *world, struct sim_node *node)
{
    node->store = (struct store_line){.number = node->store.number + 1};
    connect_at(world, node, world->now + chance_between(world, 1, 30));
}

void storage_close(struct sim_node *node)
{
    free(node->store.asked);
    node->store.asked = NULL;
    node->store.asked_count = node->store.asked_room = 0;
    node->store.up = false;
}

void storage_break(struct world *world, struct sim_node *node)
{
    if (!node->up || !node->store.up || node->store.broken) return;
    node->store.broken = true;
    node_troubled(world, node, world->now);
    for_node(world, node, HAPPEN_STORE_LOST, world->now);
}

void storage_silent(struct world *world, struct sim_node *node, instant_ms ms)
{
    if (!node->up || !node->store.up || ms <= PATIENCE_MS + RETRY_MS) return;
    instant_ms at = world->now + PATIENCE_MS + chance_between(world, 0, RETRY_MS);
    for_node(world, node, HAPPEN_STORE_LOST, at);
}

static void on_lost(struct world *world, struct sim_node *node)
{
    struct store_line *line = &node->store;
    if (!line->broken && line->asked_count == 0) return; /* nobody waits */
    world_trace(world, "%s: connection to the store breaks", node_name(node));
    struct asked_op *asked = line->asked;
    size_t asked_count = line->asked_count;
    *line = (struct store_line){.number = line->number + 1,
                                .deaf_until = line->deaf_until,
                                .mute_until = line->mute_until};
    for (size_t i = 0; i < asked_count; i++) {
        struct store_reply unknown = {.kind = asked[i].kind,
                                      .tag = asked[i].tag,
                                      .shard = asked[i].shard,
                                      .room = asked[i].room,
                                      .status = ST_UNAVAILABLE,
                                      .owner_url = ""};
        struct event event = {.kind = EVENT_STORE, .store = &unknown};
        node_event(world, node, &event);
    }
    free(asked);
    struct event down = {.kind = EVENT_STORE_RESET, .store_up = false};
    node_event(world, node, &down);
    connect_at(world, node, world->now + chance_between(world, 20, 2500));
}

static void on_back(struct world *world, struct sim_node *node)
{
    const struct store_server *server = &world->server;
    struct store_line *line = &node->store;
    bool far = world->now < line->deaf_until || world->now < line->mute_until;
    if (server->down || server->mood == STORE_READONLY || world->now < server->frozen_until ||
        far) {
        connect_at(world, node, world->now + RETRY_MS);
        return;
    }
    line->up = true;
    line->since = world->now;
    struct event up = {.kind = EVENT_STORE_RESET, .store_up = true};
    node_event(world, node, &up);
}

static void on_reply(struct world *world, struct sim_node *node, const struct happening *what)
{
    struct store_line *line = &node->store;
    if (what->token) {
        if (what->token != line->number || line->broken) return;
        CHECK(line->asked_count > 0 && line->asked[0].tag == what->reply->tag);
        memmove(line->asked, line->asked + 1, --line->asked_count * sizeof *line->asked);
    }
    struct event event = {.kind = EVENT_STORE, .store = what->reply};
    node_event(world, node, &event);
}

void storage_happening(struct world *world, struct sim_node *node, struct happening *what)
{
    switch (what->kind) {
    case HAPPEN_STORE_REPLY: on_reply(world, node, what); return;
    case HAPPEN_STORE_LOST:
        if (what->token == node->store.number && node->store.up) on_lost(world, node);
        return;
    default: on_back(world, node);
    }
}
