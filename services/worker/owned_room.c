/* SPDX-License-Identifier: Apache-2.0
 *
 * One room under this owner. Inputs reach libs/room only through owned_input and owned_clock, which
 * stamp them with room time, put the clock first and keep the entry of what was accepted.
 *
 * Room time (rule 18) is time_base + (now - time_since); it stands still while the room is frozen,
 * because Redis does not answer or we did not run: that is nobody's time (rule 21).
 */
#include "worker/parts.h"

#include <sodium.h>
#include <stdlib.h>

enum { CLOCKS_MAX = 64 }; /* deadlines passed in one go before the room is called busy */

struct owned_room *owned_open(struct worker_core *core, room_id id, enum owned_phase phase)
{
    CHECK(map_get(&core->rooms, id) == NULL);
    struct owned_room *o = calloc(1, sizeof *o);
    CHECK(o != NULL);
    o->id = id;
    o->phase = phase;
    o->wake.key = id;
    o->born = core_tag(core);
    o->attempt = o->born;
    o->kept_first = 1;
    o->held_end = &o->held;
    o->retry_at = o->life_retry_at = o->snapshot_retry_at = o->tail_retry_at = INSTANT_NEVER;
    o->unavailable_since = INSTANT_NEVER;
    o->deadline_at = o->visit_by = INSTANT_NEVER;
    for (int s = 0; s < GAME_SEATS_MAX; s++) o->seats[s].detach_at = INSTANT_NEVER;
    map_put(&core->rooms, id, o);
    core_touch(core, o);
    return o;
}

void owned_free(struct worker_core *core, struct owned_room *o)
{
    hold_discard(o);
    append_forget(o);
    snapshot_drop_all(o);
    backlog_forget(core, o);
    buf_fini(&o->summary);
    free(o->kept);
    free(o->viewers);
    free(o->gateways);
    if (o->room) room_close(o->room);
    free(o);
}

void owned_drop(struct worker_core *core, struct owned_room *o)
{
    o->dead = true;
    core_touch(core, o);
}

/* The room is in memory and ours. Whoever the log calls connected is expected back. */
void owned_go_live(struct worker_core *core, struct owned_room *o)
{
    o->phase = OWNED_LIVE;
    o->tries = 0;
    o->life_tag = 0;
    o->life_retry_at = INSTANT_NEVER;
    o->framed_seq = room_seq(o->room);
    o->framed_position = room_position(o->room);
    o->presence_at = core->now;
    if (!core_shard(core, o->id)->up) append_unavailable(core, o);
    viewers_expect_back(core, o);
    viewers_call_in(core, o);
    core_touch(core, o);
}

/* ---- time ------------------------------------------------------------------------------------ */

instant_ms owned_time(const struct worker_core *core, const struct owned_room *o)
{
    if (MUTANT(time_of_the_clock)) return core->now;
    return o->frozen ? o->time_base : o->time_base + (core->now - o->time_since);
}

void owned_set_time(struct worker_core *core, struct owned_room *o, instant_ms time)
{
    o->time_base = time;
    o->time_since = core->now;
}

void owned_freeze(struct worker_core *core, struct owned_room *o)
{
    if (o->frozen) return;
    o->time_base = owned_time(core, o);
    o->frozen = true;
}

void owned_thaw(struct worker_core *core, struct owned_room *o)
{
    if (!o->frozen) return;
    o->time_since = core->now;
    o->frozen = false;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The count of the first bound that is met; NULL: none is. */
static uint64_t *bound_met(struct worker_core *core, const struct owned_room *o, bool own)
{
    uint64_t unconfirmed = room_position(o->room) - o->confirmed;
    uint64_t spare = own ? WORKER_UNCONFIRMED_SPARE : 0;
    if (unconfirmed >= WORKER_UNCONFIRMED_MAX + spare) return &core->refused.unconfirmed;
    if (o->held_count >= WORKER_HELD_MAX) return &core->refused.held;
    if (o->kept_count >= WORKER_KEPT_MAX - WORKER_UNCONFIRMED_SPARE + spare)
        return &core->refused.kept;
    if (o->snapshot_count >= WORKER_SNAPSHOTS_MAX) return &core->refused.snapshots;
    return !own && backlog_full(core) ? &core->refused.backlog : NULL;
}

bool owned_has_room(struct worker_core *core, const struct owned_room *o, bool own)
{
    return bound_met(core, o, own) == NULL;
}

bool owned_admits(struct worker_core *core, const struct owned_room *o, bool own)
{
    uint64_t *met = bound_met(core, o, own);
    if (met) (*met)++;
    return met == NULL;
}

static bool somebody_connected(const struct owned_room *o)
{
    for (int s = 0; s < room_seat_count(o->room); s++)
        if (room_connected(o->room, s)) return true;
    return false;
}

static void note_accepted(struct worker_core *core, struct owned_room *o,
                          const struct room_outcome *out)
{
    append_keep(core, o, out->entry);
    o->changed |= out->changed;
    count_game(core, o, out);
    if (out->game_started) core_note(core, "game.started", o->id, o->epoch, out->position);
    if (out->game_finished) {
        core_note(core, "game.finished", o->id, o->epoch, out->position);
        snapshot_take(core, o, out);
    }
    /* Whoever comes in meanwhile calls it off. */
    o->put_away = (o->put_away || out->put_away) && !somebody_connected(o);
    o->deleted |= out->deleted;
    core_touch(core, o);
}

static void step(struct worker_core *core, struct owned_room *o, struct room_input *input,
                 struct room_outcome *out)
{
    if (input->kind != ROOM_ACT) core_draw(core, input->seed.byte); /* an act starts no game */
    if (MUTANT(same_seed_again)) input->seed = (struct game_seed){{(uint8_t)o->id}};
    input->rules_version = rules_for_start(core, room_game(o->room)->id);
    room_step(o->room, input, out);
    sodium_memzero(input->seed.byte, sizeof input->seed.byte);
    CHECK(!out->game_started || input->kind != ROOM_ACT);
    if (out->verdict == ROOM_ACCEPTED) note_accepted(core, o, out);
}

bool owned_clock(struct worker_core *core, struct owned_room *o)
{
    instant_ms at = owned_time(core, o);
    for (int i = 0; i < CLOCKS_MAX; i++) {
        instant_ms due = room_deadline(o->room, NULL);
        if (due > at) return true;
        if (!owned_has_room(core, o, true)) return false;
        struct room_input input = {.kind = ROOM_CLOCK, .now = due, .seat = -1};
        if (MUTANT(clock_of_the_timer)) input.now = at;
        struct room_outcome out;
        step(core, o, &input, &out);
        if (out.verdict != ROOM_ACCEPTED) return false;
        viewers_follow(core, o, &out);
    }
    return false;
}

bool owned_input(struct worker_core *core, struct owned_room *o, struct room_input *input,
                 struct room_outcome *out)
{
    CHECK(o->phase == OWNED_LIVE);
    if (!MUTANT(clock_comes_last) && !owned_clock(core, o)) return false;
    input->now = owned_time(core, o);
    step(core, o, input, out);
    return true;
}

/* ---- what is due, and settling --------------------------------------------------------------- */

static void sooner(instant_ms *at, instant_ms other)
{
    if (other < *at) *at = other;
}

void owned_wake(struct worker_core *core, struct owned_room *o)
{
    instant_ms at = o->life_retry_at;
    sooner(&at, o->snapshot_retry_at);
    sooner(&at, o->tail_retry_at);
    if (core_shard(core, o->id)->up) sooner(&at, o->retry_at);
    if (o->unavailable_since != INSTANT_NEVER && !o->paused_told)
        sooner(&at, o->unavailable_since + WORKER_PAUSED_MS);
    if (o->phase == OWNED_LIVE && owned_has_room(core, o, true)) {
        sooner(&at, viewers_next_lost(o));
        sooner(&at, o->visit_by);
        if (o->presence_dirty && o->viewer_count > 0 && !o->checking)
            sooner(&at, o->presence_at + WORKER_PRESENCE_MS);
    }
    heap_set(&core->wakes, &o->wake, at);
}

void owned_due(struct worker_core *core, struct owned_room *o)
{
    core_touch(core, o);
    if (o->retry_at <= core->now) o->retry_at = INSTANT_NEVER;
    if (o->snapshot_retry_at <= core->now) o->snapshot_retry_at = INSTANT_NEVER;
    if (o->tail_retry_at <= core->now) {
        o->tail_retry_at = INSTANT_NEVER;
        lease_revalidate(core, o);
    }
    if (o->life_retry_at <= core->now) {
        o->life_retry_at = INSTANT_NEVER;
        if (o->phase < OWNED_LIVE)
            adopt_retry(core, o);
        else
            snapshot_retry_life(core, o);
    }
    if (o->unavailable_since != INSTANT_NEVER && !o->paused_told &&
        o->unavailable_since + WORKER_PAUSED_MS <= core->now) {
        o->paused_told = true;
        o->outage = true;
        hold_tell_paused(core, o, true);
    }
    if (o->phase != OWNED_LIVE) return;
    viewers_detach_lost(core, o);
    if (o->visit_by > core->now) return;
    /* Nobody came for whom it was fetched: it goes back. */
    bool wanted = o->viewer_count > 0 || somebody_connected(o) || room_playing(o->room);
    o->visit_by = wanted ? core->now + WORKER_VISIT_MS : INSTANT_NEVER;
    if (!wanted) o->put_away = true;
}

void owned_settle(struct worker_core *core, struct owned_room *o)
{
    /* A room that was released, or is being, may be the successor's by now, who waits for no lease:
     * nothing of it is shown from here. */
    bool ours = o->phase == OWNED_CREATING || o->phase >= OWNED_LIVE;
    bool shown = o->phase != OWNED_RELEASING;
    if (o->room && ours && o->phase != OWNED_HANDING) {
        /* What may not leave is not composed: a lapse concerns all rooms at once, and thousands of
         * views in one step would make the next lapse. */
        if (shown && !o->checking) hold_views(core, o);
        append_send(core, o);
        if (shown && hold_release(core, o)) {
            hold_views(core, o);
            hold_release(core, o);
        }
        bool due = room_position(o->room) - o->snapshot_queued >= WORKER_SNAPSHOT_ENTRIES;
        if (o->phase == OWNED_LIVE && due && o->snapshot_count == 0) snapshot_take(core, o, NULL);
        snapshot_send(core, o);
        snapshot_end_of_life(core, o);
    }
    backlog_count(core, o);
    owned_wake(core, o);
}
