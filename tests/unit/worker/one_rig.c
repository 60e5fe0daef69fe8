/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/worker/one_rig.h"

struct world world;
struct rig rig;

int open_rig(void **state)
{
    (void)state;
    world_open(&world);
    rig_open(&rig, &world, 1);
    rig_play(&rig);
    return 0;
}

int close_rig(void **state)
{
    (void)state;
    rig_close(&rig);
    world_close(&world);
    return 0;
}

uint64_t position(void)
{
    return rig_stored(&rig, ROOM).position;
}

const struct env_answer *answer(void)
{
    return &rig_last(&rig, ENV_ANSWER)->u.answer;
}
