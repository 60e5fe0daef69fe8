/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/operate.h"

void order_put(const struct order *from, PB(Order) * to)
{
    static const uint8_t none[ORDER_PROOF_BYTES];
    *to = (PB(Order))PB_INIT(ORDER);
    to->to = pb_id(&from->to);
    to->number = from->number;
    if (memcmp(from->proof, none, sizeof none) != 0)
        to->proof = pb_bytes(slice_of(from->proof, sizeof from->proof));
    to->after = from->after;
    to->seat = from->seat;
    to->reveal = from->reveal;
}

bool order_take(const PB(Order) * from, struct order *to)
{
    if (from == NULL) return true;
    if (from->proof.len != 0 && from->proof.len != sizeof to->proof) return false;
    if (from->proof.len) memcpy(to->proof, from->proof.data, sizeof to->proof);
    to->number = from->number;
    to->after = from->after;
    to->seat = from->seat;
    to->reveal = from->reveal;
    return pb_take_id(from->to, &to->to);
}

/* ---- replies --------------------------------------------------------------------------------- */

static PB(WorkerLoad) * put_load(const struct worker_load *from, struct arena *arena)
{
    PB(WorkerLoad) *to = arena_alloc(arena, sizeof *to);
    *to = (PB(WorkerLoad))PB_INIT(WORKER_LOAD);
    to->rooms = from->rooms;
    to->live = from->live;
    to->unconfirmed = from->unconfirmed;
    to->held = from->held;
    to->people = from->people;
    to->watchers = from->watchers;
    to->oldest_ms = from->oldest_ms;
    to->shards = from->shards;
    to->shards_up = from->shards_up;
    to->backlog_bytes = from->backlog_bytes;
    to->draining = from->draining;
    return to;
}

static PB(RoomLine) * put_line(const struct room_line *from, struct arena *arena)
{
    PB(RoomLine) *to = arena_alloc(arena, sizeof *to);
    *to = (PB(RoomLine))PB_INIT(ROOM_LINE);
    to->room = from->room;
    to->code = pb_text(from->code);
    to->game = pb_text(from->game);
    to->phase = from->phase;
    to->seated = from->seated;
    to->seats = from->seats;
    to->connected = from->connected;
    to->watchers = from->watchers;
    to->epoch = from->epoch;
    to->position = from->position;
    to->unconfirmed = from->unconfirmed;
    to->age_ms = from->age_ms;
    to->games = from->games;
    return to;
}

static PB(RoomShown) * put_shown(const struct room_shown *from, struct arena *arena)
{
    PB(RoomShown) *to = arena_alloc(arena, sizeof *to);
    *to = (PB(RoomShown))PB_INIT(ROOM_SHOWN);
    to->line = put_line(&from->line, arena);
    to->rules_version = from->rules_version;
    to->confirmed = from->confirmed;
    to->due = from->due;
    to->due_in_ms = from->due_in_ms;
    to->room_view = pb_bytes(from->room_view);
    to->presence = pb_bytes(from->presence);
    to->game = pb_bytes(from->game);
    to->n_privates = (size_t)from->private_count;
    to->privates = arena_alloc(arena, to->n_privates * sizeof *to->privates);
    for (size_t i = 0; i < to->n_privates; i++) {
        PB(Private) *one = to->privates[i] = arena_alloc(arena, sizeof *one);
        *one = (PB(Private))PB_INIT(PRIVATE);
        one->seat = from->privates[i].seat;
        one->mine = pb_bytes(from->privates[i].mine);
    }
    return to;
}

void operate_put(const struct reply *from, struct arena *arena, PB(Reply) * to)
{
    to->fault = (PB(OrderFault))from->fault;
    to->more = from->more;
    if (from->kind == REQ_WORKER_STATUS) to->load = put_load(&from->load, arena);
    if (from->shown) to->shown = put_shown(from->shown, arena);
    to->n_lines = (size_t)from->line_count;
    to->lines = arena_alloc(arena, to->n_lines * sizeof *to->lines);
    for (size_t i = 0; i < to->n_lines; i++) to->lines[i] = put_line(&from->lines[i], arena);
}

static void take_load(const PB(WorkerLoad) * from, struct worker_load *to)
{
    static const PB(WorkerLoad) absent = PB_INIT(WORKER_LOAD);
    if (from == NULL) from = &absent;
    *to = (struct worker_load){.rooms = from->rooms,
                               .live = from->live,
                               .unconfirmed = from->unconfirmed,
                               .held = from->held,
                               .people = from->people,
                               .watchers = from->watchers,
                               .oldest_ms = from->oldest_ms,
                               .shards = from->shards,
                               .shards_up = from->shards_up,
                               .backlog_bytes = from->backlog_bytes,
                               .draining = from->draining};
}

static void take_line(const PB(RoomLine) * from, struct room_line *to)
{
    static const PB(RoomLine) absent = PB_INIT(ROOM_LINE);
    if (from == NULL) from = &absent;
    *to = (struct room_line){.room = from->room,
                             .code = from->code,
                             .game = from->game,
                             .phase = from->phase,
                             .seated = from->seated,
                             .seats = from->seats,
                             .connected = from->connected,
                             .watchers = from->watchers,
                             .epoch = from->epoch,
                             .position = from->position,
                             .unconfirmed = from->unconfirmed,
                             .age_ms = from->age_ms,
                             .games = from->games};
}

static enum status take_shown(const PB(RoomShown) * from, struct room_shown *to)
{
    take_line(from->line, &to->line);
    to->rules_version = from->rules_version;
    to->confirmed = from->confirmed;
    to->due = from->due;
    to->due_in_ms = from->due_in_ms;
    to->room_view = pb_take_bytes(from->room_view);
    to->presence = pb_take_bytes(from->presence);
    to->game = pb_take_bytes(from->game);
    if (from->n_privates > WIRE_PRIVATES_MAX) return ST_TOO_LARGE;
    to->private_count = (int)from->n_privates;
    for (int i = 0; i < to->private_count; i++)
        to->privates[i] = (struct update_private){from->privates[i]->seat,
                                                  pb_take_bytes(from->privates[i]->mine)};
    return ST_OK;
}

enum status operate_take(const PB(Reply) * from, struct arena *arena, struct reply *to)
{
    to->fault = (enum order_fault)from->fault;
    to->more = from->more;
    take_load(from->load, &to->load);
    to->line_count = (int)from->n_lines;
    if (to->line_count > 0) to->lines = arena_alloc(arena, from->n_lines * sizeof *to->lines);
    for (int i = 0; i < to->line_count; i++) take_line(from->lines[i], &to->lines[i]);
    if (from->shown == NULL) return ST_OK;
    to->shown = arena_alloc(arena, sizeof *to->shown);
    return take_shown(from->shown, to->shown);
}
