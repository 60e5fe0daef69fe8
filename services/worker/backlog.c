/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits in this worker because Redis has not taken it: entries that are not confirmed, outputs
 * that are held behind them, snapshots. Each room has bounds of its own; thousands of rooms below
 * theirs may still be more than a machine has, so there is one bound for all of them. Beyond it
 * players hear "busy" before the memory grows.
 *
 * And how full every queue of this core is.
 */
#include "worker/parts.h"

static size_t unconfirmed_bytes(const struct owned_room *o)
{
    size_t bytes = 0;
    for (size_t i = o->kept_count; i-- > 0 && o->kept_first + i > o->confirmed;)
        bytes += o->kept[i].len;
    return bytes;
}

void backlog_count(struct worker_core *core, struct owned_room *o)
{
    size_t bytes = o->held_bytes + unconfirmed_bytes(o);
    for (int i = 0; i < o->snapshot_count; i++) bytes += o->snapshots[i].bytes.len;
    core->backlog_bytes = core->backlog_bytes - o->backlog_bytes + bytes;
    o->backlog_bytes = bytes;
}

void backlog_forget(struct worker_core *core, struct owned_room *o)
{
    core->backlog_bytes -= o->backlog_bytes;
    o->backlog_bytes = 0;
}

bool backlog_full(const struct worker_core *core)
{
    return core->backlog_bytes >= core->config.backlog_bytes_max;
}

/* ---- how full it all is ---------------------------------------------------------------------- */

static void see_room(const struct owned_room *o, struct worker_queues *out)
{
    if (o->room) fullness_see(&out->unconfirmed, room_position(o->room) - o->confirmed);
    fullness_see(&out->held, o->held_count);
    fullness_see(&out->kept, o->kept_count);
    fullness_see(&out->snapshots, (uint64_t)o->snapshot_count);
    fullness_see(&out->watchers, (uint64_t)viewers_watching(o));
}

static void see_adoptions(const struct worker_core *core, struct worker_queues *out)
{
    out->takes.depth = (uint64_t)core->takes_open;
    for (int i = 0; i < WORKER_ADOPTIONS_MAX; i++) {
        const struct adoption *adoption = core->adoptions[i];
        if (adoption == NULL) continue;
        out->adoptions.depth++;
        out->takes.depth += (uint64_t)(adoption->room_count - adoption->next);
    }
}

void worker_core_queues(const struct worker_core *core, struct worker_queues *out)
{
    uint64_t rooms_max = core->config.rooms_max;
    *out = (struct worker_queues){
        .rooms = {core->rooms.count, rooms_max, 0},
        .backlog = {core->backlog_bytes, core->config.backlog_bytes_max, 0},
        .unconfirmed.bound = WORKER_UNCONFIRMED_MAX,
        .held.bound = WORKER_HELD_MAX,
        .kept.bound = WORKER_KEPT_MAX,
        .snapshots.bound = WORKER_SNAPSHOTS_MAX,
        .watchers.bound = WORKER_WATCHERS_MAX,
        .peers = {core->peers.count, WORKER_PEERS_MAX, 0},
        .timers = {(uint64_t)core->timers.count, WORKER_TIMERS_MAX, 0},
        .workers = {(uint64_t)core->workers.count, WORKER_SUCCESSORS_MAX, 0},
        .adoptions.bound = WORKER_ADOPTIONS_MAX,
        .takes.bound = (uint64_t)WORKER_ADOPTIONS_MAX * WIRE_ROOMS_MAX,
        .tails = {core->tails.count + (uint64_t)core->tails_open, rooms_max + WORKER_TAILS_MAX, 0},
        .restores = {core->restores.count + (uint64_t)core->restores_open,
                     rooms_max + WORKER_RESTORES_MAX, 0},
        .moved = {core->moved_count, WORKER_MOVED_MAX, 0},
        .orders = {(uint64_t)orders_waiting(core), WORKER_ORDERS_MAX, 0},
    };
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (map_next(&core->rooms, &cursor, &id, &value)) see_room(value, out);
    see_adoptions(core, out);
#define X(name) out->name.refused = core->refused.name;
    WORKER_QUEUES(X)
#undef X
}
