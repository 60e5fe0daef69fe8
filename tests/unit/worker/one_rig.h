/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that need one worker alone: it has room ROOM with a game running (rig_play). Each test
 * gets a new one.
 */
#ifndef UNIT_WORKER_ONE_RIG_H
#define UNIT_WORKER_ONE_RIG_H

#include "unit/worker/rig.h"

extern struct world world;
extern struct rig rig;

int open_rig(void **state);
int close_rig(void **state);
#define ON_A_RIG(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)

/* End of ROOM's log in Redis. */
uint64_t position(void);
/* The last answer to an act since the last forget. */
const struct env_answer *answer(void);

#endif
