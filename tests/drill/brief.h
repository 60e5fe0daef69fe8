/* SPDX-License-Identifier: Apache-2.0
 *
 * A yard small enough for `make test`, and a drill on it that must hold. How long anything took is
 * told and not asked.
 */
#ifndef DRILL_BRIEF_H
#define DRILL_BRIEF_H

#include "drill/drill.h"

enum { BRIEF_ROOMS = 120, BRIEF_PACE_MS = 400 };

/* For set-up functions: 0, or -1 with what is wrong on stderr. */
int brief_open(struct drill_yard *yard, enum drill_store store);
void brief_carry_out(struct drill_yard *yard, const char *name, int times);

#endif
