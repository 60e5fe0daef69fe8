/* SPDX-License-Identifier: Apache-2.0
 *
 * What is counted for metrics: plain numbers, looked at from outside. What has a note of its own
 * (rooms adopted, fenced, ...) is counted by that; here is what happens too often for notes, and
 * what took how long.
 */
#include "worker/parts.h"

#include "wire/trace.h"

static int place_of(const struct owned_room *o)
{
    return game_place(o->record.game);
}

void count_refusal(struct worker_core *core, const struct refusal *why)
{
    core->counts.refusals[refusal_reason(why->domain, why->code)]++;
}

static void trace_judged(struct worker_core *core, const struct owned_room *o, uint64_t trace,
                         const struct room_outcome *out)
{
    switch (out->verdict) {
    case ROOM_ACCEPTED: core_note(core, "act.accepted", trace, o->id, out->position); return;
    case ROOM_REPEATED: core_note(core, "act.repeated", trace, o->id, out->position); return;
    case ROOM_REFUSED: core_note(core, "act.refused", trace, o->id, out->position); return;
    case ROOM_SAME: return;
    }
}

void count_judged(struct worker_core *core, struct owned_room *o, int seat,
                  const struct env_act *act, const struct room_outcome *out)
{
    uint64_t trace = trace_of_act(o->id, seat, act->generation, act->counter, act->client);
    if (core->config.traces) trace_judged(core, o, trace, out);
    if (out->verdict == ROOM_REPEATED) core->counts.repeated++;
    if (out->verdict != ROOM_ACCEPTED) return;
    core->counts.actions[place_of(o)]++;
    append_trace(o, out->position, trace);
}

void count_game(struct worker_core *core, const struct owned_room *o,
                const struct room_outcome *out)
{
    if (out->game_started) core->counts.games_started[place_of(o)]++;
    if (out->game_finished) core->counts.games_finished[place_of(o)]++;
}

void count_durable(struct worker_core *core, const struct owned_room *o,
                   const struct kept_entry *entry)
{
    instant_ms took_ms = core->now - entry->made_at;
    histogram_add(&core->counts.durable_ms, &histogram_action_ms, took_ms);
    if (core->config.traces) core_note(core, "act.durable", entry->trace, o->id, took_ms);
}

void count_unowned(struct worker_core *core, instant_ms unowned_ms)
{
    histogram_add(&core->counts.unowned_ms, &histogram_outage_ms, unowned_ms);
}

void count_paused(struct worker_core *core, const struct owned_room *o)
{
    histogram_add(&core->counts.paused_ms, &histogram_outage_ms, core->now - o->unavailable_since);
}

/* ---- looked at from outside ------------------------------------------------------------------ */

static void see_room(const struct worker_core *core, const struct owned_room *o,
                     struct worker_stats *out)
{
    bool live = o->phase == OWNED_LIVE;
    enum worker_room_phase phase = !live                   ? WORKER_ROOM_MOVING
                                   : room_playing(o->room) ? WORKER_ROOM_PLAYING
                                                           : WORKER_ROOM_WAITING;
    out->by_game[place_of(o)][phase]++;
    out->live += live;
    out->held += o->held_count;
    if (o->room == NULL) return;
    uint64_t unconfirmed = room_position(o->room) - o->confirmed;
    out->unconfirmed += (uint32_t)unconfirmed;
    if (unconfirmed == 0) return;
    instant_ms age_ms = core->now - append_made_at(o, o->confirmed + 1, core->now);
    if (age_ms > out->oldest_unconfirmed_ms) out->oldest_unconfirmed_ms = age_ms;
}

void worker_core_stats(const struct worker_core *core, struct worker_stats *out)
{
    *out = (struct worker_stats){.rooms = (uint32_t)core->rooms.count,
                                 .restored = core->restored,
                                 .lost = core->lost,
                                 .draining = core->draining};
    size_t cursor = 0;
    uint64_t id;
    void *room;
    while (map_next(&core->rooms, &cursor, &id, &room)) see_room(core, room, out);
}

const struct worker_counts *worker_core_counts(const struct worker_core *core)
{
    return &core->counts;
}
