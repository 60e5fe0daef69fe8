/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole games through all four services while things go wrong. Some seeds are the same each time
 * (those that once failed are among them), some are fresh and printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "unit/test.h"

#include "sim/soak.h"
#include "sim/world.h"

/* Seeds that found a fault once. */
static const uint64_t found_once[] = {1,          50,         700000221, 2409210701, 3296026736,
                                      3806348752, 900000103,  307,       1834562387, 2708652891,
                                      2577594919, 2996966313, 1628827961};

/* Fresh seeds for so long, on all cores. */
#ifdef __SANITIZE_ADDRESS__
enum { KNOWN_SEEDS = 2, NIGHTS = 1, FRESH_S = 2, REACHES_ALL = 0 /* too few */ };
#else
enum { KNOWN_SEEDS = 100, NIGHTS = 10, FRESH_S = 60, REACHES_ALL = 1 };
#endif

static struct sim_report reached;

static void run(const struct sim_config *config)
{
    char *failure = report_run(&reached, config);
    if (!failure) return;
    fprintf(stderr, "%s\n  repeat it: make sim SEED=%llu%s\n", failure,
            (unsigned long long)config->seed, config->drawn);
    free(failure);
    sim_explain(config, stderr);
    fail();
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
        config.scenes = (struct sim_scenes){.open = false};
        config.strangers = game_at((int)(seed % (uint64_t)game_count()))->seats_max;
        config.matchmakers = 1 + (int)(seed % 3);
        config.faults = (struct sim_faults){.delay_max_ms = 5, .claim_crash_ppm = 1000000};
        config.calm_at = 30 * 1000;
        config.end_at = 60 * 1000;
        /* People come within 6 s; a matchmaker is back within 4.2, and each of up to three may die
         * in its turn. With an empty seat a table would wait for 20. */
        config.quick_limit_ms = 19000;
        struct world *world = sim_open(&config);
        const char *failure = sim_run(world);
        if (failure) fprintf(stderr, "%s\n", failure);
        assert_null(failure);
        assert_true(sim_counts(world)->faults[FAULT_CLAIM] > 0);
        assert_int_equal(sim_counts(world)->matched, config.strangers);
        sim_close(world);
    }
}

static void seeds_that_found_a_fault_stay_clean(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof found_once / sizeof *found_once; i++) run_seed(found_once[i]);
}

static void rooms_rest_while_nobody_is_there_and_end_after_a_day(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= NIGHTS; seed++) {
        struct sim_config config;
        sim_config_draw_night(&config, seed);
        run(&config);
    }
}

static void the_promises_hold_under_known_seeds(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 100 + KNOWN_SEEDS; seed++) run_seed(seed);
}

static uint64_t fresh_seed(void)
{
    uint32_t seed;
    assert_int_equal(getrandom(&seed, sizeof seed, 0), sizeof seed);
    return seed;
}

static void the_promises_hold_under_fresh_seeds(void **state)
{
    (void)state;
    struct sim_report fresh;
    struct soak soak = {.first_seed = fresh_seed(), .seconds = FRESH_S};
    bool clean = soak_run(&soak, &fresh);
    report_add(&reached, &fresh);
    assert_true(clean);
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

static void everything_was_reached(void **state)
{
    (void)state;
    report_print(&reached, stdout);
    const char *missing = report_missing(&reached);
    if (missing && REACHES_ALL) fail_msg("never reached: %s", missing);
}

/* SEED=n: that run alone, with its whole trace. With FAULTS=crash:3,... these alone happen; with
 * CALM=ms none after that instant. KILLS and NIGHT draw it so. */
static void the_seed_that_was_asked_for(void **state)
{
    (void)state;
    struct sim_config config;
    struct fault_list only = {0};
    uint64_t seed = strtoull(getenv("SEED"), NULL, 0);
    if (getenv("KILLS"))
        sim_config_draw_deadly(&config, seed);
    else if (getenv("NIGHT"))
        sim_config_draw_night(&config, seed);
    else
        sim_config_draw(&config, seed);
    if (getenv("FAULTS")) {
        if (!fault_list_read(getenv("FAULTS"), &only)) fail_msg("FAULTS=crash:3,loss:17 or none");
        config.only_faults = &only;
    }
    if (getenv("CALM")) {
        instant_ms after = config.end_at - config.calm_at;
        config.calm_at = strtoull(getenv("CALM"), NULL, 0);
        config.end_at = config.calm_at + after;
    }
    config.trace = stderr;
    run(&config);
    fault_list_fini(&only);
}

/* HOURS=h: fresh seeds until the time is over. KILLS=n: until so many processes were killed. */
static void fresh_seeds_on_all_cores(void **state)
{
    (void)state;
    struct soak soak = {.first_seed = fresh_seed(), .seconds = 3600};
    if (getenv("HOURS")) soak.seconds = 3600 * atof(getenv("HOURS"));
    if (getenv("KILLS")) soak.kills = strtoull(getenv("KILLS"), NULL, 0);
    bool clean = soak_run(&soak, &reached);
    report_print(&reached, stdout);
    assert_true(clean);
    assert_true(reached.sum.crashes >= soak.kills);
}

int main(void)
{
    if (getenv("SEED")) return RUN_TESTS(cmocka_unit_test(the_seed_that_was_asked_for));
    if (getenv("HOURS") || getenv("KILLS"))
        return RUN_TESTS(cmocka_unit_test(fresh_seeds_on_all_cores));
    return RUN_TESTS(cmocka_unit_test(games_finish_when_nothing_goes_wrong),
                     cmocka_unit_test(a_match_outlives_its_matchmaker),
                     cmocka_unit_test(seeds_that_found_a_fault_stay_clean),
                     cmocka_unit_test(rooms_rest_while_nobody_is_there_and_end_after_a_day),
                     cmocka_unit_test(the_promises_hold_under_known_seeds),
                     cmocka_unit_test(the_promises_hold_under_fresh_seeds),
                     cmocka_unit_test(the_same_seed_is_the_same_run),
                     cmocka_unit_test(everything_was_reached));
}
