/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that need two workers in one world: the first has room ROOM with a game running
 * (rig_play), the second nothing. Each test gets new ones.
 */
#ifndef UNIT_WORKER_TWO_RIGS_H
#define UNIT_WORKER_TWO_RIGS_H

#include "unit/worker/rig.h"

extern struct world world;
extern struct rig first, second;

int open_rigs(void **state);
int close_rigs(void **state);
#define ON_RIGS_OPENED(name, open) cmocka_unit_test_setup_teardown(name, open, close_rigs)
#define ON_RIGS(name)              ON_RIGS_OPENED(name, open_rigs)

#endif
