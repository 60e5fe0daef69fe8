/* SPDX-License-Identifier: Apache-2.0
 *
 * Luck without a memory. Each actor (a service, a player, a kind of fault) has a stream of its own,
 * and what it draws at an instant depends on the seed, the actor, the instant and how often it has
 * drawn at that instant: on nothing before. So a run in which one thing less goes wrong is, for all
 * whom that does not touch, the same run; which is what makes failures short (shrink.c) and twins
 * comparable (twins.c).
 */
#ifndef SIM_CHANCE_H
#define SIM_CHANCE_H

#include "base/types.h"

struct chance {
    uint64_t base;
    instant_ms at;
    uint64_t next; /* state at that instant */
};

/* purpose and number name the actor. */
void chance_init(struct chance *chance, uint64_t seed, const char *purpose, uint64_t number);
uint64_t chance_u64(struct chance *chance, instant_ms now);

#endif
