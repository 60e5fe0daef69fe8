/* SPDX-License-Identifier: Apache-2.0
 *
 * What every game must fulfil, without naming one: seeded random playthroughs (80 % legal
 * actions, 15 % near misses, 5 % garbage, clocks, presence and flags between them) and what must
 * hold at each step. A verdict is a sentence, so that the suite can be shown to find what it
 * claims to find (broken_engines_test.c).
 *
 *   conformance_step.c     two runs stay equal; refusals change nothing; states are sound, saved
 * and loaded whole   conformance_clock.c    every phase ends by the clock alone; early fires do
 * nothing; time-outs are what they say   conformance_damage.c   damaged saves are refused or
 * sound; arbitrary bytes are refused   conformance_secret.c   worlds that a viewer may not tell
 * apart look alike, now and in the steps that follow
 */
#ifndef UNIT_GAMES_CONFORMANCE_H
#define UNIT_GAMES_CONFORMANCE_H

#include "game/game.h"

struct conformance_plan {
    uint32_t first; /* playthroughs are numbered: number n is the same in every run */
    int playthroughs;
};

struct conformance_report {
    char fault[400];      /* empty: nothing was found */
    uint32_t playthrough; /* in which it was found */
    int step;
    /* What was done, so that a suite that plays nothing cannot pass. */
    long steps, finished, legal, legal_accepted, refused, hidden, worlds, followed, damaged;
};

/* Stops at the first fault. True when there is none. */
bool conformance_run(const struct game *game, struct conformance_plan plan,
                     struct conformance_report *report);

#endif
