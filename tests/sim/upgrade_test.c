/* SPDX-License-Identifier: Apache-2.0
 *
 * Old and new binaries side by side (rule 9), while processes die: see upgrade.c.
 */
#include "sim/sim.h"

#include "unit/room/toy.h"
#include "unit/test.h"

#include <stdio.h>

static uint64_t went_over, games;

static void upgrade(uint64_t seed)
{
    struct sim_config config;
    sim_config_draw(&config, seed);
    config.only = &toy_rules_2;
    config.workers = 3;
    config.strangers = 0;
    config.scenes = (struct sim_scenes){.open = false};
    config.upgrade_at = 40 * 1000;
    config.faults.store_crash_every_ms = config.faults.store_forget_every_ms = 0;
    struct world *world = sim_open(&config);
    const char *failure = sim_run(world);
    if (failure) fprintf(stderr, "%s\n", failure);
    assert_null(failure);
    went_over += sim_counts(world)->went_over;
    games += sim_counts(world)->games;
    sim_close(world);
}

static void rooms_play_on_while_every_worker_is_replaced(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) upgrade(seed);
    print_message("%llu games ended, %llu times a room went over to other rules\n",
                  (unsigned long long)games, (unsigned long long)went_over);
    assert_true(games > 100 && went_over > 10);
}

int main(void)
{
    game_register_for_tests(&toy_rules_2);
    return RUN_TESTS(cmocka_unit_test(rooms_play_on_while_every_worker_is_replaced));
}
