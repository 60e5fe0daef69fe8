/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed runs: one room in a small world in which nothing goes wrong by itself, so that a test
 * can make one thing go wrong at the moment at which a rule matters. Whatever breaks fails the
 * test.
 */
#ifndef SIM_SCENE_H
#define SIM_SCENE_H

#include "unit/test.h"

#include "sim/player.h"

/* Three people, a gateway, a matchmaker, three workers and a timer; quick messages, no faults. */
struct sim_config scene_config(uint64_t seed);
/* Opens it and runs until the room plays. */
struct world *scene_open(const struct sim_config *config);
/* Nobody moves any more: the clock plays. */
void scene_hold_still(struct world *world);
/* So much longer. */
void scene_run(struct world *world, instant_ms ms);
/* Runs on for so long without anything in the way, asks what must hold at the end, and closes. */
void scene_close(struct world *world, instant_ms rest_ms);

struct shadow *scene_room(struct world *world);
struct sim_node *scene_owner(struct world *world);
struct sim_node *scene_node(struct world *world, enum service_kind kind, int number);
/* It is killed and does not come back. */
void scene_kill(struct world *world, struct sim_node *node);
/* What `from` sends to nodes of that kind is lost for so long. */
void scene_cut(struct world *world, const struct sim_node *from, enum service_kind to,
               instant_ms ms);
/* Nothing gets from the node to another, nor back. */
void scene_cut_off(struct world *world, const struct sim_node *node, instant_ms ms);

#endif
