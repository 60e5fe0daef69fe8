/* SPDX-License-Identifier: Apache-2.0
 *
 * Engines with one deliberate fault each, made from a good one (davinci-code where nothing else is
 * said). The conformance suite must find
 * every one of them: this is what shows that it can.
 */
#ifndef UNIT_GAMES_BROKEN_H
#define UNIT_GAMES_BROKEN_H

#include "game/game.h"

struct broken {
    const char *sentence;            /* what is wrong with it */
    const char *verdict;             /* what the suite's verdict must speak of */
    void (*into)(struct game *game); /* puts the fault into a copy of the good engine */
};

/* Each list ends with an entry without a sentence. */
extern const struct broken broken_secrets[]; /* tell what is hidden */
extern const struct broken broken_states[];  /* lose, change or save wrongly */
extern const struct broken broken_clocks[];  /* stall, act early, or judge wrongly */
extern const struct broken broken_windows[]; /* of dobble: show what waits, or what is to come */

#endif
