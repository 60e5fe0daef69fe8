/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole games through all four services while things go wrong. Some seeds are the same each time
 * (those that once failed are among them), some are fresh and printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "unit/test.h"

#include "sim/sim.h"

/* Seeds that found a fault once. */
static const uint64_t found_once[] = {1, 50, 2409210701, 3806348752};

static struct sim_counts reached;

static void add(const struct sim_counts *counts)
{
#define X(name, text) reached.name += counts->name;
    SIM_COUNTS(X)
#undef X
    for (int i = 0; i < game_count(); i++) reached.games_of[i] += counts->games_of[i];
}

static void run(const struct sim_config *config)
{
    struct world *world = sim_open(config);
    const char *failure = sim_run(world);
    if (failure) {
        fprintf(stderr, "%s\n", failure);
        sim_close(world);
        fail();
    }
    add(sim_counts(world));
    sim_close(world);
}

static void run_seed(uint64_t seed)
{
    struct sim_config config;
    sim_config_draw(&config, seed);
    run(&config);
}

static void games_finish_when_nothing_goes_wrong(void **state)
{
    (void)state;
    struct sim_config config;
    sim_config_draw(&config, 7);
    config.faults = (struct sim_faults){.delay_max_ms = 5};
    config.calm_at = 0;
    struct world *world = sim_open(&config);
    const char *failure = sim_run(world);
    if (failure) fprintf(stderr, "%s\n", failure);
    assert_null(failure);
    assert_true(sim_counts(world)->games >= (uint64_t)config.rooms);
    assert_true(sim_counts(world)->rematches > 0);
    sim_close(world);
}

/* The table is full at once; its matchmaker dies with the claim, and nobody waits for the 20 s. */
static void a_match_outlives_its_matchmaker(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct sim_config config;
        sim_config_draw(&config, seed);
        config.rooms = 0;
        config.strangers = game_at((int)(seed % (uint64_t)game_count()))->seats_max;
        config.matchmakers = 1 + (int)(seed % 3);
        config.faults = (struct sim_faults){.delay_max_ms = 5, .claim_crash_ppm = 1000000};
        config.calm_at = 30 * 1000;
        config.end_at = 60 * 1000;
        /* People come within 6 s, a matchmaker is back within 4. */
        config.quick_limit_ms = 11000;
        struct world *world = sim_open(&config);
        const char *failure = sim_run(world);
        if (failure) fprintf(stderr, "%s\n", failure);
        assert_null(failure);
        assert_true(sim_counts(world)->claim_crashes > 0);
        assert_int_equal(sim_counts(world)->matched, config.strangers);
        sim_close(world);
    }
}

static void seeds_that_found_a_fault_stay_clean(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof found_once / sizeof *found_once; i++) run_seed(found_once[i]);
}

static void the_promises_hold_under_known_seeds(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 112; seed++) run_seed(seed);
}

static void the_promises_hold_under_fresh_seeds(void **state)
{
    (void)state;
    uint32_t seed;
    assert_int_equal(getrandom(&seed, sizeof seed, 0), sizeof seed);
    for (int i = 0; i < 6; i++) {
        print_message("seed %u\n", seed + (uint32_t)i);
        run_seed(seed + (uint32_t)i);
    }
}

static void the_same_seed_is_the_same_run(void **state)
{
    (void)state;
    struct sim_counts counts[2];
    for (int i = 0; i < 2; i++) {
        struct sim_config config;
        sim_config_draw(&config, 42);
        struct world *world = sim_open(&config);
        assert_null(sim_run(world));
        counts[i] = *sim_counts(world);
        sim_close(world);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

/* A fault, path or refusal that no run reached is not tested: that is a failure of these tests. */
static void everything_was_reached(void **state)
{
    (void)state;
#define X(name, text)                                                      \
    print_message("%12llu  %s\n", (unsigned long long)reached.name, text); \
    if (!reached.name) fail_msg("never reached: %s", text);
    SIM_COUNTS(X)
#undef X
    for (int i = 0; i < game_count(); i++) {
        print_message("%12llu  games of %s finished\n", (unsigned long long)reached.games_of[i],
                      game_at(i)->id);
        if (!reached.games_of[i]) fail_msg("no game of %s was finished", game_at(i)->id);
    }
}

/* SEED=n: that run alone, with its whole trace. HOURS=n: fresh seeds until the time is over. */
static void the_seed_that_was_asked_for(void **state)
{
    (void)state;
    struct sim_config config;
    sim_config_draw(&config, strtoull(getenv("SEED"), NULL, 0));
    config.trace = true;
    run(&config);
}

static void hours_of_fresh_seeds(void **state)
{
    (void)state;
    time_t end = time(NULL) + (time_t)(atof(getenv("HOURS")) * 3600);
    uint32_t seed;
    assert_int_equal(getrandom(&seed, sizeof seed, 0), sizeof seed);
    for (int runs = 1; time(NULL) < end; runs++) {
        run_seed(seed++);
        if (runs % 100 == 0) print_message("%d runs, next seed %u\n", runs, seed);
    }
}

int main(void)
{
    if (getenv("SEED")) return RUN_TESTS(cmocka_unit_test(the_seed_that_was_asked_for));
    if (getenv("HOURS")) return RUN_TESTS(cmocka_unit_test(hours_of_fresh_seeds));
    return RUN_TESTS(cmocka_unit_test(games_finish_when_nothing_goes_wrong),
                     cmocka_unit_test(a_match_outlives_its_matchmaker),
                     cmocka_unit_test(seeds_that_found_a_fault_stay_clean),
                     cmocka_unit_test(the_promises_hold_under_known_seeds),
                     cmocka_unit_test(the_promises_hold_under_fresh_seeds),
                     cmocka_unit_test(the_same_seed_is_the_same_run),
                     cmocka_unit_test(everything_was_reached));
}
