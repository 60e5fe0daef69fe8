/* SPDX-License-Identifier: Apache-2.0
 *
 * A run from its beginning to its end: alone, or with its twin when its config names a viewer.
 */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include "sim/twins.h"

struct play {
    struct world *world; /* whose failure and counts are the run's */
    struct twins twins;
    bool paired;
};

/* Returns what broke, or NULL: lent until the play is closed. */
const char *play_run(struct play *play, const struct sim_config *config);
void play_close(struct play *play);

#endif
