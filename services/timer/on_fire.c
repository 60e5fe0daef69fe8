/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done about a room at its time: a fire to its owner, repeated with growing pauses; a
 * placement when it has no owner or none that answers. And what workers say: hints of earlier
 * deadlines, answers to fires.
 */
#include "base/check.h"
#include "timer/timer_state.h"

/* After the first fire: the moments of the repeats, then that of the first placement. */
static const instant_ms repeat_after_ms[] = {100, 300, 700, TIMER_PLACE_MS};
enum {
    REPEATS = sizeof repeat_after_ms / sizeof *repeat_after_ms,
    COVER_LISTED_MS = TIMER_COVER_MS / 2
};

static void wait_until(struct timer_core *core, struct tracked *entry, instant_ms at)
{
    heap_set(&core->heap, &entry->node, at);
}

static void send_fire(struct timer_core *core, struct tracked *entry)
{
    struct effect *effect = effects_add(core->out, EFFECT_SEND);
    effect->peer = entry->owner;
    effect->url = arena_text(&core->out->arena, entry->owner_url);
    effect->envelope.kind = ENV_FIRE;
    effect->envelope.u.deadline =
        (struct env_deadline){.room = entry->room, .number = entry->number};
    if (entry->fires > 0) {
        core->stats.repeats++;
    } else {
        core->stats.fires++;
        if (entry->rank > 0)
            core->stats.covers++;
        else
            histogram_add(&core->stats.lateness_ms, &histogram_action_ms,
                          core->now - entry->node.at);
        entry->first = core->now;
    }
    entry->fires++;
}

void fire_want_place(struct timer_core *core, struct tracked *entry)
{
    wait_until(core, entry, core->now + TIMER_PLACE_MS);
    if (entry->epoch == 0) return; /* only a hint told of it: a sweep will tell the epoch */
    if (core->wanted_count == WIRE_ROOMS_MAX) {
        core->refused_wanted++;
        wait_until(core, entry, core->now + TIMER_RETRY_MS);
        return;
    }
    core->wanted[core->wanted_count++] = (struct placement){entry->room, entry->epoch};
    if (core->wanted_count > core->wanted_most) core->wanted_most = core->wanted_count;
    core->stats.places++;
}

/* A sweep that began when it was late already has listed it still. */
static bool seen_late(const struct tracked *entry)
{
    if (MUTANT(fire_lost_with_timer)) return false;
    return entry->listed >= entry->due + COVER_LISTED_MS;
}

void fire_on_listed(struct timer_core *core, struct tracked *entry)
{
    bool twins = entry->rank > 0 && entry->fires == 0 && !entry->waits;
    if (twins && seen_late(entry) && core->now >= rooms_turn(entry))
        wait_until(core, entry, core->now);
}

/* One thing at its time; sets the time of the next. */
static void act(struct timer_core *core, struct tracked *entry)
{
    entry->waits = false;
    if (entry->rank > 0 && entry->fires == 0 && !seen_late(entry)) {
        /* The twin's share, and perhaps done: a sweep that still lists it late must say that it is
         * not. */
        wait_until(core, entry, core->now + TIMER_SWEEP_MS / 2);
        return;
    }
    if (id128_is_zero(entry->owner)) {
        fire_want_place(core, entry);
        return;
    }
    send_fire(core, entry);
    if (entry->fires > REPEATS)
        fire_want_place(core, entry);
    else
        wait_until(core, entry, entry->first + repeat_after_ms[entry->fires - 1]);
}

void fire_tick(struct timer_core *core)
{
    for (int acts = 0; acts < TIMER_ACTS_MAX; acts++) {
        struct heap_node *node = heap_first(&core->heap);
        if (!node || node->at > core->now) return;
        act(core, rooms_find(core, node->key));
    }
}

/* ---- placements ------------------------------------------------------------------------------ */

void fire_send_places(struct timer_core *core)
{
    if (core->wanted_count == 0) return;
    bool sent = false;
    for (int i = 0; i < TIMER_PLACES_MAX; i++) {
        if (core->places[i]) continue;
        struct request *request = core_request(core, REQ_PLACE, NULL, &core->places[i]);
        request->room_count = core->wanted_count;
        request->rooms =
            arena_alloc(&core->out->arena, (size_t)core->wanted_count * sizeof *request->rooms);
        for (int r = 0; r < core->wanted_count; r++) {
            request->rooms[r].room = core->wanted[r].room;
            request->rooms[r].epoch = core->wanted[r].epoch;
        }
        sent = true;
        break;
    }
    if (!sent) core->refused_places += (uint64_t)core->wanted_count;
    /* With all requests under way, those rooms are asked for again when their time comes. */
    core->wanted_count = 0;
}

bool fire_on_reply(struct timer_core *core, uint64_t token)
{
    for (int i = 0; i < TIMER_PLACES_MAX; i++) {
        if (core->places[i] != token) continue;
        core->places[i] = 0;
        return true;
    }
    return false;
}

/* ---- what workers say ------------------------------------------------------------------------ */

static void on_hint(struct timer_core *core, const struct event *event,
                    const struct env_deadline *hint)
{
    int shard = room_shard(hint->room);
    core->stats.hints++;
    if (shard >= core->config.shard_count || hint->due_in_ms > TIMER_AHEAD_MS)
        return; /* a sweep will list it */
    if (!event->peer_url || strlen(event->peer_url) > WIRE_URL_BYTES_MAX) return;
    struct tracked *entry = rooms_find(core, hint->room);
    if (entry && entry->number >= hint->number) return;
    if (!entry) entry = rooms_add(core, hint->room, shard);
    if (!entry) return;
    if (!id128_equal(entry->owner, event->peer))
        rooms_set_owner(entry, event->peer, event->peer_url, 0);
    entry->listed = 0;
    rooms_arm(core, entry, hint->number, core->now + hint->due_in_ms);
    rooms_keep(core, entry); /* the running sweep may have passed the place where it stands now */
}

static void on_answer(struct timer_core *core, const struct event *event,
                      const struct env_fire_answer *answer)
{
    struct tracked *entry = rooms_find(core, answer->room);
    core->stats.answers++;
    if (!entry || entry->number != answer->number || !id128_equal(entry->owner, event->peer))
        return;
    entry->fires = 0;
    entry->waits = true;
    if (answer->not_owner) {
        entry->doubted = true;
        wait_until(core, entry, core->now + TIMER_PLACE_MS);
        due_hurry(core, entry->shard);
    } else if (answer->over) {
        wait_until(core, entry, core->now + TIMER_OVER_MS);
    } else {
        instant_ms left = answer->remaining_ms ? answer->remaining_ms : 1;
        entry->due = left < INSTANT_NEVER - core->now ? core->now + left : INSTANT_NEVER - 1;
        wait_until(core, entry, entry->due);
    }
}

void fire_on_envelopes(struct timer_core *core, const struct event *event)
{
    for (int i = 0; i < event->count; i++) {
        const struct envelope *envelope = &event->list[i];
        if (envelope->kind == ENV_HINT) on_hint(core, event, &envelope->u.deadline);
        if (envelope->kind == ENV_FIRE_ANSWER) on_answer(core, event, &envelope->u.fire_answer);
    }
}
