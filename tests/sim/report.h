/* SPDX-License-Identifier: Apache-2.0
 *
 * What a set of runs reached, and how fast. A fault, a path or a refusal that no run of a set
 * reached is not tested by it, so the set has failed.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "sim/sim.h"

/* Plain numbers: a process may hand it to another through shared memory. */
struct sim_report {
    uint64_t runs, simulated_ms, cpu_us;
    struct sim_counts sum;
};

void report_add(struct sim_report *report, const struct sim_report *other);
/* Runs that config to its end and adds it. Returns NULL, or what broke (malloc'd). */
char *report_run(struct sim_report *report, const struct sim_config *config);
/* The table; each line starts with "> ", which .ci/run-tests shows. */
void report_print(const struct sim_report *report, FILE *out);
/* Something that was never reached; NULL when there is nothing. */
const char *report_missing(const struct sim_report *report);
double report_times_real(const struct sim_report *report);
double report_events_per_s(const struct sim_report *report);

#endif
