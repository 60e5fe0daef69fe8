/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 1 and 2: what a worker lets out of a room follows from a state that the store has told it
 * to be in the log, under the epoch that it was told is its own; a refusal too. Once it has heard
 * that the room is another's, or is gone, it shows nothing of it.
 */
#include <stdlib.h>

#include "base/check.h"
#include "room/room.h"
#include "sim/checks.h"
#include "wire/reason.h"
#include "worker/parts.h"

struct told *told_of(const struct sim_node *node, room_id room)
{
    return map_get(&node->told, room);
}

bool told_its_own(const struct sim_node *node, room_id room, uint64_t epoch)
{
    const struct told *told = told_of(node, room);
    return told && !told->over && !told->released && told->epoch == epoch;
}

static struct told *told_at(struct sim_node *node, room_id room)
{
    struct told *told = told_of(node, room);
    if (told) return told;
    told = calloc(1, sizeof *told);
    CHECK(told);
    map_put(&node->told, room, told);
    return told;
}

void told_forget(struct sim_node *node)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&node->told, &cursor, &room, &value)) free(value);
    map_fini(&node->told);
    node->told = (struct map){0};
}

/* ---- what it is told ------------------------------------------------------------------------- */

static void on_mine(struct sim_node *node, const struct store_reply *reply)
{
    struct told *told = told_at(node, reply->room);
    if (reply->epoch < told->epoch) return; /* of a former life of the room here */
    *told = (struct told){.epoch = reply->epoch, .position = reply->position};
}

static void on_end(struct sim_node *node, const struct store_reply *reply)
{
    struct told *told = told_of(node, reply->room);
    if (!told) return;
    bool others = reply->kind == STORE_TAIL &&
                  (reply->epoch != told->epoch || !id128_equal(reply->owner, node->instance));
    if (others)
        told->over |= reply->epoch > told->epoch;
    else if (reply->kind == STORE_TAIL || reply->position > told->position)
        told->position = reply->position;
}

static void on_reply(struct sim_node *node, const struct store_reply *reply)
{
    struct told *told = told_of(node, reply->room);
    bool takes =
        reply->kind == STORE_CREATE || reply->kind == STORE_TAKE || reply->kind == STORE_RESTORE;
    bool ends = reply->kind == STORE_APPEND || reply->kind == STORE_TAIL;
    if (reply->status == ST_OK && takes)
        on_mine(node, reply);
    else if (reply->status == ST_OK && reply->kind == STORE_RELEASE && told)
        told->released = true;
    else if (reply->status == ST_OK && ends)
        on_end(node, reply);
    else if (reply->status == ST_FENCED && told)
        told->over |= reply->epoch > told->epoch;
}

/* ---- what it takes in ------------------------------------------------------------------------ */

static const struct owned_room *owned(const struct sim_node *node, room_id id)
{
    const struct owned_room *o = map_get(&node->core.worker->rooms, id);
    return o && o->room ? o : NULL;
}

static void on_envelope(struct sim_node *node, const struct envelope *envelope)
{
    if (envelope->kind != ENV_ACT && envelope->kind != ENV_ATTACH) return;
    room_id room = envelope->kind == ENV_ACT ? envelope->u.act.room : envelope->u.attach.room;
    struct told *told = told_of(node, room);
    const struct owned_room *o = owned(node, room);
    if (told && o) told->before = room_position(o->room);
}

void check_confirmed_event(struct world *world, struct sim_node *node, const struct event *event)
{
    (void)world;
    if (event->kind == EVENT_STORE) on_reply(node, event->store);
    if (event->kind != EVENT_ENVELOPES) return;
    for (int i = 0; i < event->count; i++) on_envelope(node, &event->list[i]);
}

/* ---- what leaves ----------------------------------------------------------------------------- */

static void confirmed(struct world *world, const struct sim_node *node, room_id room,
                      const struct told *told, struct version version)
{
    if (!told || told->over || version.epoch != told->epoch) {
        world_fail(world, "%s: shows room %llx at epoch %llu, which is not its own",
                   node_name(node), (unsigned long long)room, (unsigned long long)version.epoch);
        return;
    }
    const struct shadow *shadow = shadow_of(world, room);
    if (!shadow || shadow->lost_epoch >= told->epoch) return;
    if (told->position > shadow->position || told->position + SIM_SEQS <= shadow->position) return;
    const struct shadow_entry *entry = &shadow->entries[told->position % SIM_SEQS];
    if (entry->position == told->position && version.seq > entry->seq)
        world_fail(world, "%s: shows room %llx at version %llu, it was told of %llu",
                   node_name(node), (unsigned long long)room, (unsigned long long)version.seq,
                   (unsigned long long)entry->seq);
}

/* An answer to what came in just now: it was judged against a state that is not older than the one
 * before. "Busy" follows from no state. */
static void refused(struct world *world, const struct sim_node *node, const struct event *event,
                    const struct told *told, const struct env_answer *answer)
{
    if (event->kind != EVENT_ENVELOPES || !told || told->position >= told->before) return;
    if (answer->why.code == REASON_BUSY) return;
    for (int i = 0; i < event->count; i++) {
        const struct env_act *act = &event->list[i].u.act;
        if (event->list[i].kind != ENV_ACT || act->client != answer->client) continue;
        if (act->room != answer->room || act->counter != answer->counter) continue;
        world_fail(world, "%s: refuses action %llu in room %llx at once, %llu entries wait",
                   node_name(node), (unsigned long long)act->counter, (unsigned long long)act->room,
                   (unsigned long long)(told->before - told->position));
    }
}

static void turned_away(struct world *world, const struct sim_node *node, const struct event *event,
                        const struct told *told, const struct env_attach_refused *refused)
{
    if (event->kind != EVENT_ENVELOPES || !told || told->position >= told->before) return;
    if (refused->why.code == REASON_BUSY) return;
    for (int i = 0; i < event->count; i++) {
        const struct env_attach *attach = &event->list[i].u.attach;
        if (event->list[i].kind != ENV_ATTACH || attach->client != refused->client) continue;
        if (attach->room != refused->room) continue;
        world_fail(world, "%s: turns somebody away from room %llx at once (%u), %llu entries wait",
                   node_name(node), (unsigned long long)attach->room, refused->why.code,
                   (unsigned long long)(told->before - told->position));
    }
}

void check_confirmed(struct world *world, struct sim_node *node, const struct event *event,
                     const struct envelope *envelope)
{
    const struct env_update *update = &envelope->u.update;
    const struct env_answer *answer = &envelope->u.answer;
    const struct env_attached *attached = &envelope->u.attached;
    switch (envelope->kind) {
    case ENV_UPDATE:
        confirmed(world, node, update->room, told_of(node, update->room), update->version);
        return;
    case ENV_ANSWER:
        if (answer->ok)
            confirmed(world, node, answer->room, told_of(node, answer->room),
                      (struct version){answer->epoch, answer->seq});
        else
            refused(world, node, event, told_of(node, answer->room), answer);
        return;
    case ENV_ATTACH_REFUSED:
        turned_away(world, node, event, told_of(node, envelope->u.attach_refused.room),
                    &envelope->u.attach_refused);
        return;
    case ENV_ATTACHED:
        confirmed(world, node, attached->room, told_of(node, attached->room),
                  (struct version){attached->epoch, 0});
        return;
    default: return;
    }
}
