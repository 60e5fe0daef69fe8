/* SPDX-License-Identifier: Apache-2.0
 *
 * The note that `madangctl up` leaves in its data folder, so that other commands find the cluster
 * of this machine: a line for each setting, "matchmakers tcp://127.0.0.1:40001". Pure.
 */
#ifndef CTL_LOCAL_H
#define CTL_LOCAL_H

#include "base/buf.h"

enum { LOCAL_BYTES_MAX = 16384 };
#define LOCAL_FILE "cluster"

void local_add(struct buf *note, const char *name, const char *value);
/* The note must end with a NUL (see local_end). NULL: it does not say. */
const char *local_find(struct slice note, const char *name);
/* Lines become texts, so that local_find can lend them. */
void local_end(struct buf *note);

#endif
