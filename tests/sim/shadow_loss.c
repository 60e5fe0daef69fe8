/* SPDX-License-Identifier: Apache-2.0
 *
 * What a store that forgets may cost (the durability table): nothing while the room's owner lives,
 * who has it all and writes it again; what the store has forgotten, where nobody owned the room, or
 * its owner ends before it is back, or somebody else has the store's word that the room is theirs
 * and writes to it. Nothing else, and nothing of any other room.
 *
 * Until then the shadow remains what was ever accepted, and everything is held against that.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"
#include "sim/player.h"

enum { RETURN_MS = 8000 };

static void lose(struct world *world, struct shadow *shadow, const char *why)
{
    world_trace(world, "room %llx: what the store forgot is lost: %s",
                (unsigned long long)shadow->id, why);
    world->counts.losses++;
    shadow->lost_epoch = shadow->highest;
    shadow_reopen(world, shadow);
    players_lost(world, shadow);
}

static struct sim_node *node_of(struct world *world, struct id128 instance)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].up && id128_equal(world->nodes[i].instance, instance))
            return &world->nodes[i];
    return NULL;
}

/* It may have taken the room without ever hearing so. */
static bool knows(struct sim_node *node, const struct shadow *shadow)
{
    const struct told *told = told_of(node, shadow->id);
    return told && !told->over && told->epoch == shadow->epoch;
}

static void forgot(struct world *world, struct shadow *shadow)
{
    struct model_view look = {.position = 0};
    check_archive_forgotten(world, shadow);
    bool there = model_store_look(world->store, shadow->id, &look);
    shadow->deleted = false; /* or that is what it has forgotten */
    if (!shadow->room && !shadow->forgotten) return;
    bool same = there && look.position == shadow->position && look.epoch == shadow->epoch &&
                id128_equal(look.owner, shadow->owner);
    if (same && !shadow->forgotten) return;
    struct sim_node *keeper = node_of(world, shadow->owner);
    if (!shadow->forgotten && keeper && !knows(keeper, shadow)) keeper = NULL;
    if (!shadow->forgotten && keeper) {
        shadow->keeper = keeper->index;
        shadow->keeper_life = keeper->life;
        shadow->keeper_instance = keeper->instance;
    }
    shadow->forgotten_at = world->now;
    shadow->let_go = there && id128_is_zero(look.owner);
    shadow->followed = there ? look.position : 0;
    shadow->epoch = there ? look.epoch : 0;
    shadow->forgotten |= keeper != NULL;
    if (!shadow->forgotten) lose(world, shadow, "nobody owned it");
}

void loss_begin(struct world *world)
{
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) forgot(world, shadow_of(world, rooms[i]));
    free(rooms);
    check_once_forget(world);
}

void loss_node_ended(struct world *world, const struct sim_node *node)
{
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) {
        struct shadow *shadow = shadow_of(world, rooms[i]);
        if (shadow->forgotten && shadow->keeper == node->index)
            lose(world, shadow, "its owner ended as well");
    }
    free(rooms);
}

static void on_forgotten(struct world *world, struct shadow *shadow, const struct model_view *look)
{
    bool keeps = id128_equal(look->owner, shadow->keeper_instance);
    if (keeps && look->position >= shadow->position) {
        shadow->forgotten = false;
        world->counts.returned++;
    } else if (!keeps && look->epoch > shadow->highest) {
        if (id128_is_zero(shadow->owner) && !shadow->let_go)
            world_fail(world, "room %llx: was let go of while the store lacked a part",
                       (unsigned long long)shadow->id);
        lose(world, shadow, "somebody else took it");
    }
}

/* Of two that write a room again the later owner's counts, whatever the other did meanwhile. */
void loss_look(struct world *world, struct shadow *shadow, const struct store_op *op,
               const struct model_view *look)
{
    bool again = op->kind == STORE_RESTORE && look->epoch != shadow->epoch && shadow->room;
    if (shadow->forgotten)
        on_forgotten(world, shadow, look);
    else if (again && shadow->lost_epoch)
        lose(world, shadow, "a later owner wrote it again");
}

bool loss_allowed(struct world *world, struct shadow *shadow)
{
    if (!shadow->forgotten || id128_equal(shadow->owner, shadow->keeper_instance)) return false;
    lose(world, shadow, "somebody else wrote to it");
    return true;
}

void check_returned(struct world *world)
{
    size_t count = 0;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct shadow *shadow = shadow_of(world, rooms[i]);
        if (!shadow->forgotten || !world_calm(world)) continue;
        if (world->now > world->config.calm_at + RETURN_MS &&
            world->now > shadow->forgotten_at + RETURN_MS)
            world_fail(world, "room %llx: the store forgot a part %llu ms ago, its owner is %s",
                       (unsigned long long)shadow->id,
                       (unsigned long long)(world->now - shadow->forgotten_at),
                       node_name(&world->nodes[shadow->keeper]));
    }
    free(rooms);
}
