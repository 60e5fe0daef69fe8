/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks a running service whether it is ready, from beside it: what `madang-worker --probe` does in
 * a container whose image holds no other client.
 */
#ifndef OPS_PROBE_H
#define OPS_PROBE_H

#include <stdbool.h>

enum { PROBE_PATIENCE_MS = 2000, PROBE_WHY_BYTES_MAX = 256 };

/* ops_url: the service's own setting, NULL for none; 0.0.0.0 in it is asked by loopback. Blocks
 * for PROBE_PATIENCE_MS a step at most. why: what it answered ("ok"), or why it did not. */
bool probe_ready(const char *ops_url, char why[PROBE_WHY_BYTES_MAX]);

#endif
