/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there is seen to be there (rule 22): a scene each, in which the checkers of the simulator
 * look on.
 */
#include "sim/scene.h"

enum { SEEDS = 6, SETTLE_MS = 12 * 1000 };

/* The other one takes its people in within the grace. */
static void who_comes_back_after_a_gateway_died_is_there(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.gateways = 2;
        struct world *world = scene_open(&config);
        for (int deaths = 0; deaths < 2; deaths++) {
            scene_run(world, 15 * 1000);
            node_crash(world, scene_node(world, SERVICE_GATEWAY, deaths));
        }
        scene_run(world, 15 * 1000);
        scene_close(world, SETTLE_MS);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(who_comes_back_after_a_gateway_died_is_there));
}
