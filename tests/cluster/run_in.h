/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of shell in a test's folder: certificates are made so.
 */
#ifndef CLUSTER_RUN_IN_H
#define CLUSTER_RUN_IN_H

/* What it says goes to `said` in that folder. Returns its exit code, -1 when a signal ended it. */
__attribute__((format(printf, 2, 3))) int run_in(const char *folder, const char *format, ...);

#endif
