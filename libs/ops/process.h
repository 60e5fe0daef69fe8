/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process takes of its machine, under the names that every Prometheus client uses.
 */
#ifndef OPS_PROCESS_H
#define OPS_PROCESS_H

#include "base/buf.h"

/* Appends memory, CPU time, files and start time for /metrics, read from /proc when asked. From any
 * thread. */
void process_render(struct buf *out);

#endif
