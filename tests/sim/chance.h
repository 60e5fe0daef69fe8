/* SPDX-License-Identifier: Apache-2.0
 *
 * Luck without a memory. What somebody draws depends on the seed, who it is, the instant and what
 * it is about (what has just happened to it, to whom it sends): on nothing that was drawn before or
 * for somebody else. So a run in which one thing less goes wrong is, for all whom that does not
 * touch, the same run; which is what makes failures short (shrink.c) and twins comparable
 * (twins.c).
 */
#ifndef SIM_CHANCE_H
#define SIM_CHANCE_H

#include "base/types.h"

enum { CHANCE_ROOM = 256 }; /* of the table below, at first */

/* What a draw is about, in the low byte, where it is not what happens (enum happening_kind); above
 * it, whom. */
enum { ABOUT_ACT = 101, ABOUT_FRAME, ABOUT_TOWARD, ABOUT_LINE_IN, ABOUT_LINE_OUT, ABOUT_LINE_SLOW };

enum actor { ACTOR_SETTING, ACTOR_FAULT, ACTOR_NODE, ACTOR_PLAYER };

struct chance {
    uint64_t state;
};

/* How often each was begun at this instant, so that the same thing twice draws twice. */
struct chance_begun {
    instant_ms until;
    uint64_t key;
    uint64_t times;
};
struct chance_table {
    struct chance_begun *list;
    size_t count, room; /* room: a power of two */
    instant_ms until;   /* of those that count; the others are empty */
};

#endif
