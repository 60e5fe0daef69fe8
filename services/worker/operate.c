/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operator asks: how the worker stands, which rooms it has, how one of them looks. A look
 * changes nothing. What is shown of a room is what its `view` writes for a spectator or, on a
 * proven wish, for each seat: no other way leads out of a game (rule 24), and it leaves under the
 * same condition as a view (rules 1 and 7).
 */
#include "worker/parts.h"

#include <stdlib.h>

struct reply *operate_answer(struct worker_core *core, const struct event *event)
{
    struct effect *effect = effects_add(core->out, EFFECT_REPLY);
    effect->token = event->token;
    effect->reply.kind = event->request->kind;
    effect->reply.id = event->request->id;
    return &effect->reply;
}

void operate_refuse(struct worker_core *core, const struct event *event, enum order_fault fault)
{
    struct reply *reply = operate_answer(core, event);
    reply->status = ST_REFUSED;
    reply->fault = fault;
}

/* ---- the worker ------------------------------------------------------------------------------ */

static void add_people(const struct owned_room *o, struct worker_load *load)
{
    int watching = viewers_watching(o);
    load->watchers += (uint32_t)watching;
    load->people += (uint32_t)(o->viewer_count - watching);
}

void operate_status(struct worker_core *core, const struct event *event)
{
    struct worker_stats stats;
    worker_core_stats(core, &stats);
    struct reply *reply = operate_answer(core, event);
    reply->rooms = stats.rooms;
    reply->load = (struct worker_load){
        .rooms = stats.rooms,
        .live = stats.live,
        .unconfirmed = stats.unconfirmed,
        .held = stats.held,
        .oldest_ms = (uint32_t)stats.oldest_unconfirmed_ms,
        .shards = (uint32_t)core->config.shards,
        .backlog_bytes = core->backlog_bytes,
        .draining = core->draining,
    };
    for (int i = 0; i < core->config.shards; i++) reply->load.shards_up += core->shards[i].leased;
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (map_next(&core->rooms, &cursor, &id, &value)) add_people(value, &reply->load);
}

/* ---- its rooms ------------------------------------------------------------------------------- */

static int seats_connected(const struct room *room)
{
    int count = 0;
    for (int s = 0; s < room_seat_count(room); s++) count += room_connected(room, s);
    return count;
}

static void describe(struct worker_core *core, const struct owned_room *o, struct room_line *line)
{
    struct room_summary summary;
    uint64_t unused;
    *line = (struct room_line){.room = o->id, .code = "", .game = "", .epoch = o->epoch};
    if (o->room == NULL) return;
    room_summary_of(o->room, &summary);
    line->code = core_lend(core, summary.code);
    line->game = summary.game;
    line->phase = o->phase == OWNED_LIVE ? room_phase_number(o->room) : 0;
    line->seated = summary.seated;
    line->seats = summary.seats;
    line->connected = (uint32_t)seats_connected(o->room);
    line->watchers = (uint32_t)viewers_watching(o);
    line->position = room_position(o->room);
    line->unconfirmed = (uint32_t)(line->position - o->confirmed);
    line->age_ms = owned_time(core, o);
    line->games = room_last_game(o->room, &unused);
}

/* How many ids lie at or below `after`: where the page begins. */
static size_t page_begin(const uint64_t *ids, size_t count, room_id after)
{
    size_t low = 0, high = after == 0 ? 0 : count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ids[middle] <= after)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void operate_rooms(struct worker_core *core, const struct event *event)
{
    size_t count;
    uint64_t *ids = map_keys_sorted(&core->rooms, &count);
    size_t at = page_begin(ids, count, event->request->order.after);
    struct reply *reply = operate_answer(core, event);
    size_t left = count - at;
    if (left > 0)
        reply->lines = arena_alloc(&core->out->arena, WIRE_LINES_MAX * sizeof *reply->lines);
    for (; at < count && reply->line_count < WIRE_LINES_MAX; at++)
        describe(core, map_get(&core->rooms, ids[at]), &reply->lines[reply->line_count++]);
    reply->more = at < count;
    free(ids);
}

/* ---- one of them ----------------------------------------------------------------------------- */

static struct slice lend(struct worker_core *core, struct buf *bytes)
{
    struct slice lent = arena_copy(&core->out->arena, buf_slice(bytes));
    buf_clear(bytes);
    return lent;
}

static void show(struct worker_core *core, struct owned_room *o, bool reveal,
                 struct room_shown *out)
{
    struct buf bytes = {0};
    describe(core, o, &out->line);
    out->rules_version = room_game(o->room)->rules_version;
    out->confirmed = o->confirmed;
    instant_ms due = room_deadline(o->room, NULL), at = owned_time(core, o);
    out->due = due != INSTANT_NEVER;
    out->due_in_ms = out->due && due > at ? due - at : 0;
    room_write_view(o->room, &bytes);
    out->room_view = lend(core, &bytes);
    room_write_presence(o->room, o->rtt_shown, (uint32_t)viewers_watching(o), NULL, 0, &bytes);
    out->presence = lend(core, &bytes);
    room_write_game(o->room, &bytes);
    out->game = lend(core, &bytes);
    seat_mask seated = room_taken(o->room);
    for (int s = 0; reveal && out->game.len > 0 && s < room_seat_count(o->room); s++) {
        if (!(seated >> s & 1)) continue;
        room_write_mine(o->room, s, &bytes);
        out->privates[out->private_count++] = (struct update_private){s, lend(core, &bytes)};
    }
    buf_fini(&bytes);
}

void operate_room(struct worker_core *core, const struct event *event)
{
    struct owned_room *o = core_find(core, event->request->room);
    if (o == NULL || o->phase != OWNED_LIVE) {
        operate_refuse(core, event, ORDER_NOT_HERE);
        return;
    }
    bool confirmed = room_position(o->room) == o->confirmed && !o->checking;
    if (!confirmed || !lease_fresh(core, o->id)) {
        operate_refuse(core, event, ORDER_UNCONFIRMED);
        return;
    }
    bool reveal = event->request->order.reveal;
    struct room_shown *shown = arena_alloc(&core->out->arena, sizeof *shown);
    show(core, o, reveal, shown);
    operate_answer(core, event)->shown = shown;
    if (reveal) core_note(core, "operator.revealed", o->id, o->epoch, room_position(o->room));
}
