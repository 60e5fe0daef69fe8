/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 1, 17 and 18 at a worker's door: what leaves is of a state that the store has accepted,
 * refusals too, "moved" names an owner that has taken the room, and the room time that a view
 * carries is not before the entry that it shows.
 */
#include "sim/checks.h"
#include "sim/world.h"

/* What the store has lost with a former owner may still be told by it. */
static void check_version(struct world *world, const struct sim_node *node, room_id room,
                          struct version version, const char *what)
{
    const struct shadow *shadow = shadow_of(world, room);
    if (!shadow || !shadow->room || version.epoch <= shadow->lost_epoch) return;
    if (version.seq <= room_seq(shadow->room)) return;
    world_fail(world, "%s: lets %s of version %llu out, the store has accepted %llu",
               node_name(node), what, (unsigned long long)version.seq,
               (unsigned long long)room_seq(shadow->room));
}

static void check_room_time(struct world *world, const struct sim_node *node,
                            const struct env_update *update)
{
    const struct shadow *shadow = shadow_of(world, update->room);
    if (!shadow || !shadow->room || update->version.epoch <= shadow->lost_epoch) return;
    const struct shadow_seq *then = &shadow->seqs[update->version.seq % SIM_SEQS];
    if (then->seq != update->version.seq || update->room_time >= then->at) return;
    world_fail(world, "%s: shows room %llx at %llu, what it shows is of %llu", node_name(node),
               (unsigned long long)update->room, (unsigned long long)update->room_time,
               (unsigned long long)then->at);
}

static void check_moved(struct world *world, const struct sim_node *node,
                        const struct env_moved *moved)
{
    const struct shadow *shadow = shadow_of(world, moved->room);
    if (!shadow || !shadow->room || moved->epoch <= shadow->highest) return;
    world_fail(world, "%s: says moved under epoch %llu, the store has given %llu", node_name(node),
               (unsigned long long)moved->epoch, (unsigned long long)shadow->highest);
}

void check_sent(struct world *world, const struct sim_node *node, const struct envelope *envelope)
{
    if (node->kind != SERVICE_WORKER) return;
    const struct env_update *update = &envelope->u.update;
    const struct env_answer *answer = &envelope->u.answer;
    switch (envelope->kind) {
    case ENV_UPDATE:
        check_version(world, node, update->room, update->version, "a view");
        check_room_time(world, node, update);
        return;
    case ENV_ANSWER:
        check_version(world, node, answer->room, (struct version){answer->epoch, answer->seq},
                      answer->ok ? "an answer" : "a refusal");
        return;
    case ENV_MOVED: check_moved(world, node, &envelope->u.moved); return;
    default: return;
    }
}
