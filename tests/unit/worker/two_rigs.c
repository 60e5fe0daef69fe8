/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/worker/two_rigs.h"

struct rig first, second; /* their world is that of one_rig.c */

int open_rigs(void **state)
{
    (void)state;
    world_open(&world);
    rig_open(&first, &world, 1);
    rig_open(&second, &world, 2);
    rig_play(&first);
    return 0;
}

int close_rigs(void **state)
{
    (void)state;
    rig_close(&first);
    rig_close(&second);
    world_close(&world);
    return 0;
}
