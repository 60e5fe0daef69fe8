/* SPDX-License-Identifier: Apache-2.0
 *
 * Fresh seeds on all cores, until the time is over or enough processes were killed.
 */
#ifndef SIM_SOAK_H
#define SIM_SOAK_H

#include "sim/report.h"

struct soak {
    uint64_t first_seed;
    double seconds; /* at most */
    uint64_t kills; /* stop at so many; 0: no matter */
};
/* Prints its progress and what became of it. False: a run failed (it is explained). */
bool soak_run(const struct soak *plan, struct sim_report *total);

#endif
