/* SPDX-License-Identifier: Apache-2.0
 *
 * `sim_main SEED` repeats one run with its whole trace; `sim_main --hours N` goes on with fresh
 * seeds until the time is over or a run fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/check.h"
#include "sim/sim.h"

static bool run(uint64_t seed, bool trace)
{
    struct sim_config config;
    sim_config_draw(&config, seed);
    config.trace = trace;
    struct world *world = sim_open(&config);
    const char *failure = sim_run(world);
    if (failure)
        fprintf(stderr, "FAILED: %s\n", failure);
    else if (trace) {
#define X(name, text) printf("%12llu  %s\n", (unsigned long long)sim_counts(world)->name, text);
        SIM_COUNTS(X)
#undef X
    }
    bool fine = !failure;
    sim_close(world);
    return fine;
}

static int soak(double hours)
{
    time_t end = time(NULL) + (time_t)(hours * 3600);
    uint64_t seed;
    CHECK(getrandom(&seed, sizeof seed, 0) == sizeof seed);
    seed >>= 16;
    unsigned long runs = 0;
    while (time(NULL) < end) {
        if (!run(seed++, false)) return 1;
        if (++runs % 20 == 0)
            printf("%lu runs without a fault, next seed %llu\n", runs, (unsigned long long)seed);
        fflush(stdout);
    }
    printf("%lu runs without a fault\n", runs);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2) return run(strtoull(argv[1], NULL, 0), true) ? 0 : 1;
    if (argc == 3 && !strcmp(argv[1], "--hours")) return soak(atof(argv[2]));
    fprintf(stderr, "usage: %s SEED | --hours N\n", argv[0]);
    return 2;
}
