/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast the simulator is, faults and checkers on: a seed is worth what it covers in a minute.
 * Measured in the time that this thread was given, so a busy machine makes it slower by its caches
 * alone; what must hold is a generous part of what is reached.
 */
#include <stdlib.h>

#include "unit/test.h"

#include "sim/report.h"

#ifdef __SANITIZE_ADDRESS__ /* it only has to run */
enum { SEEDS = 1, HUMAN_S = 120, LOADED_S = 5, TIMES_REAL_LEAST = 1, EVENTS_LEAST = 1000 };
#else
enum { SEEDS = 5, HUMAN_S = 600, LOADED_S = 60, TIMES_REAL_LEAST = 300, EVENTS_LEAST = 40000 };
#endif

/* Two gateways, three workers, two matchmakers, two timers; all faults that can come together. */
static void draw(struct sim_config *config, uint64_t seed, int rooms, instant_ms length)
{
    sim_config_draw(config, seed);
    config->rooms = rooms;
    config->players_per_room = 4;
    config->strangers = 0;
    config->scenes = (struct sim_scenes){.options_ppm = 100000};
    config->viewer = -1;
    config->gateways = config->matchmakers = config->timers = 2;
    config->workers = 3;
    config->faults.loss_ppm = config->faults.twice_ppm = config->faults.slow_ppm = 1000;
    config->faults.crash_every_ms = config->faults.pause_every_ms = 20000;
    config->faults.cut_every_ms = config->faults.store_cut_every_ms = 20000;
    config->faults.store_crash_every_ms = config->faults.store_promote_every_ms = 0;
    config->faults.store_forget_every_ms = 0;
    config->faults.player_cut_every_ms = 30000;
    config->calm_at = length - 60 * 1000;
    config->end_at = length;
}

static int by_value(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

struct pace {
    instant_ms look_min_ms, look_max_ms;
    uint32_t away_once_in;
};

/* The median over the seeds of what `figure` says of one run. */
static double measure(int rooms, instant_ms length, struct pace pace,
                      double (*figure)(const struct sim_report *report), struct sim_report *all)
{
    double figures[SEEDS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct sim_config config;
        struct sim_report one = {.runs = 0};
        draw(&config, 21 + seed, rooms, length);
        config.look_min_ms = pace.look_min_ms;
        config.look_max_ms = pace.look_max_ms;
        config.away_once_in = pace.away_once_in;
        char *failure = report_run(&one, &config);
        if (failure) fail_msg("seed %llu: %s", (unsigned long long)seed, failure);
        figures[seed] = figure(&one);
        report_add(all, &one);
    }
    qsort(figures, SEEDS, sizeof *figures, by_value);
    return figures[SEEDS / 2];
}

static void five_rooms_at_human_pace(void **state)
{
    (void)state;
    struct sim_report all = {.runs = 0};
    double times =
        measure(5, HUMAN_S * 1000, (struct pace){500, 4000, 60}, report_times_real, &all);
    print_message("> human pace: %.0f times real time, %.0f events/s, %llu actions\n", times,
                  report_events_per_s(&all), (unsigned long long)all.sum.acks);
    assert_true(all.sum.games > 0);
    assert_true(times >= TIMES_REAL_LEAST);
}

static void five_rooms_whose_players_act_as_fast_as_they_can(void **state)
{
    (void)state;
    struct sim_report all = {.runs = 0};
    double events =
        measure(5, LOADED_S * 1000 + 60 * 1000, (struct pace){5, 25, 0}, report_events_per_s, &all);
    print_message("> under load: %.0f times real time, %.0f events/s, %llu actions\n",
                  report_times_real(&all), events, (unsigned long long)all.sum.acks);
    assert_true(events >= EVENTS_LEAST);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(five_rooms_at_human_pace),
                     cmocka_unit_test(five_rooms_whose_players_act_as_fast_as_they_can));
}
