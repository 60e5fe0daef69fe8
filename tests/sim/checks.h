/* SPDX-License-Identifier: Apache-2.0
 *
 * Where checkers look: at what a service is about to take in, at what leaves it, at what the store
 * has carried out, and once a second. Each looks only at what can break its invariant, so a step
 * costs the same however large the world is. README.md says which rule is whose.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "sim/world.h"

/* What the store has told a worker of a room. */
struct told {
    uint64_t epoch, position;
    bool over;       /* it is another's, or gone: nothing more may be shown */
    bool released;   /* by this worker: what becomes of it is no more its matter */
    uint64_t before; /* the room's own position before this step took in what people do */
};
struct told *told_of(const struct sim_node *node, room_id room); /* NULL: nothing */
/* Whether that worker has heard that the room is its own under that epoch, and nothing since. */
bool told_its_own(const struct sim_node *node, room_id room, uint64_t epoch);
void told_forget(struct sim_node *node);

/* ---- before a worker takes an event in, and when something leaves it ---- */
void check_confirmed_event(struct world *world, struct sim_node *node, const struct event *event);
void check_confirmed(struct world *world, struct sim_node *node, const struct event *event,
                     const struct envelope *envelope);
void check_lease_event(struct world *world, struct sim_node *node, const struct event *event);
void check_lease_op(struct world *world, struct sim_node *node, const struct store_op *op);
void check_lease(struct world *world, struct sim_node *node, const struct event *event,
                 const struct envelope *envelope);
void check_superseded(struct world *world, struct sim_node *node, const struct event *event,
                      const struct envelope *envelope);
void check_sent(struct world *world, const struct sim_node *node, const struct envelope *envelope);
void check_drained(struct world *world, struct sim_node *node);
/* ---- when something leaves a matchmaker ---- */
void check_attempts(struct world *world, struct sim_node *node, const struct effect *effect);

/* ---- when the store has carried out an op ---- */
void check_epoch(struct world *world, struct shadow *shadow, const struct store_op *op,
                 const struct model_view *look);
void check_snapshot(struct world *world, const struct shadow *shadow, const struct store_op *op,
                    const struct store_reply *reply);
/* Before the owner of that room changes. */
void check_adoption(struct world *world, const struct shadow *shadow, const struct store_op *op,
                    const struct model_view *look);

/* Before the shadow follows it, and after. */
void check_owner(struct world *world, const struct store_op *op, const struct store_reply *reply);
void check_once(struct world *world, const struct store_op *op, const struct store_reply *reply);
void check_kept(struct world *world, const struct store_op *op, const struct store_reply *reply);
void check_once_forget(struct world *world);
void check_archive(struct world *world, struct shadow *shadow, const struct store_op *op);
/* The store may have less than before. */
void check_archive_forgotten(struct world *world, struct shadow *shadow);
/* The latest room time that is possible goes on with the world. */
void shadow_time_passes(struct world *world, struct shadow_time *time);
/* A room is about to have another owner, or none. */
void shadow_time_changes_hands(const struct world *world, struct shadow *shadow);
/* Between two owners the store's clock counts (rule 18): by what it was set back from the last
 * entry until the last take, the owner finds less time gone than there was; what it is set back
 * later is not the room's matter. Nobody's room has no other clock. */
instant_ms shadow_time_missing(const struct world *world, const struct shadow *shadow);
void check_outage(struct world *world, const struct store_op *op, const struct store_reply *reply);
void check_entry(struct world *world, struct shadow *shadow, struct slice bytes);
struct room_entry;
void check_action(struct world *world, struct shadow *shadow, const struct room_entry *entry);

/* Before an entry is replayed, and after. */
void check_clock(struct world *world, const struct shadow *shadow, struct slice entry);
void check_presence(struct world *world, const struct shadow *shadow);
void check_alone(struct world *world, const struct shadow *shadow, struct slice entry);
void check_alone_after(struct shadow *shadow);
void check_action_after(struct world *world, struct shadow *shadow);
void check_seats(struct world *world, const struct shadow *shadow, enum room_input_kind kind);

/* ---- after a gateway has taken an event in; what it writes to a socket now is not of an older
 * epoch than that; when it has arrived there ---- */
void check_floor_event(struct sim_node *gateway, const struct event *event);
uint64_t check_floor_now(const struct sim_node *gateway, uint64_t socket);
void check_floor(struct world *world, const struct player *player, const struct server_room *frame);

/* ---- when a player has heard something ---- */
void check_list_of(struct world *world, const struct player *player);
void check_seat(struct world *world, const struct player *player);
void check_shut_out(struct world *world, const struct player *player);
void check_frame(struct world *world, struct player *player, const struct server_room *frame);
void check_ack(struct world *world, struct player *player, const struct server_answer *answer);
void check_outcome(struct world *world, struct player *player, const struct server_answer *answer);

/* ---- once a second ---- */
void check_room_moves(struct world *world); /* promise 5 */
void check_bounds(struct world *world);
void check_watched(struct world *world);
void check_leaving(struct world *world);
void check_newest(struct world *world);
void check_archives_stand(struct world *world);
void check_deadlines(struct world *world);
void check_directory(struct world *world);
void check_presence_of_all(struct world *world);
void check_list(struct world *world);
void check_rest(struct world *world);

/* ---- at the end ---- */
void check_acknowledged(struct world *world); /* promise 2 */
void check_reached_newest(struct world *world);
void check_leaks(struct world *world);

/* ---- checks.c: the calls of the above ---- */
void checks_event(struct world *world, struct sim_node *node, const struct event *event);
void checks_effect(struct world *world, struct sim_node *node, const struct event *event,
                   const struct effect *effect);
void checks_stored(struct world *world, const struct store_op *op, const struct store_reply *reply);
void checks_every_second(struct world *world);
void checks_at_the_end(struct world *world);
/* Something goes wrong with that node until then: whoever believes it dead may be right. */
void node_troubled(struct world *world, struct sim_node *node, instant_ms until);

#endif
