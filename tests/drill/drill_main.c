/* SPDX-License-Identifier: Apache-2.0
 *
 * All drills, or one, on a cluster of their own, and the table of what came of them. Settings are
 * variables (make drill KILLS=500 ROOMS=1000):
 *
 *   FAULT=a,b   those drills alone      ROOMS=n   rooms that play
 *   KILLS=n     how often each injects  PACE=ms   between two actions of a room
 *   SEED=n      of what is drawn        RUNS=n    of each drill; the table ends in medians
 *   BUILD=dir   the files lie in dir/drill
 */
#include "drill/drill.h"

#include "ops/system.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { ROOMS = 1000, PACE_MS = 1000 };

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static uint64_t draw_seed(void)
{
    uint64_t seed;
    random_fill(&seed, sizeof seed);
    return seed % 1000000000;
}

static void folder_of(char *path, size_t size)
{
    const char *build = getenv("BUILD");
    snprintf(path, size, "%s/drill", build && *build ? build : "build");
    mkdir(path, 0755);
}

static bool carry_out(struct drill_yard *yard, const struct drill *drill, const char *folder)
{
    static struct drill_result runs[DRILL_RUNS_MAX];
    struct drill_result sum;
    int count = (int)number("RUNS", 1);
    if (count < 1 || count > DRILL_RUNS_MAX) count = 1;
    for (int i = 0; i < count; i++) {
        drill_carry_out(yard, drill, (int)number("KILLS", (uint64_t)drill->times), &runs[i]);
        report_line(stdout, &runs[i]);
        report_faults(stdout, yard, &runs[i]);
    }
    sum = runs[0];
    if (count > 1) {
        drill_merge(runs, count, &sum);
        report_line(stdout, &sum);
    }
    if (!report_save(folder, yard, &sum)) printf("  %s cannot be written\n", folder);
    for (int i = 0; i < count; i++) drill_result_fini(&runs[i]);
    return drill_holds(&sum);
}

/* The yard that is open serves every drill on such a store. */
static bool move_to(struct drill_yard *yard, enum drill_store store, uint64_t seed)
{
    if (yard->crowd && yard->store == store) return true;
    drill_yard_close(yard);
    *yard = (struct drill_yard){
        .store = store,
        .cluster = {.gateways = 2, .matchmakers = 2, .workers = 2, .timers = 2},
        .plan = {.rooms = (int)number("ROOMS", ROOMS),
                 .pace_ms = (uint32_t)number("PACE", PACE_MS),
                 .seed = seed},
    };
    return drill_yard_open(yard);
}

/* wanted: names with commas between; NULL or empty: all. */
static bool is_wanted(const char *wanted, const char *name)
{
    if (!wanted || !*wanted) return true;
    size_t len = strlen(name);
    for (const char *at = wanted; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == len && strncmp(at, name, len) == 0) return true;
    }
    return false;
}

int main(void)
{
    const char *wanted = getenv("FAULT");
    char folder[256];
    folder_of(folder, sizeof folder);
    int chosen = 0;
    for (int i = 0; drill_at(i); i++) chosen += is_wanted(wanted, drill_at(i)->name);
    if (chosen == 0) {
        printf("there is no drill %s; there are:\n", wanted);
        for (int i = 0; drill_at(i); i++) printf("  %s\n", drill_at(i)->name);
        return 2;
    }
    char rooms_max[16]; /* one worker must be able to hold them all */
    snprintf(rooms_max, sizeof rooms_max, "%d", (int)number("ROOMS", ROOMS) + ROOMS);
    setenv("MADANG_ROOMS_MAX", rooms_max, 1);
    uint64_t seed = number("SEED", draw_seed());
    struct drill_yard yard = {0};
    int passed = 0, failed = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    report_head(stdout);
    for (int i = 0; drill_at(i); i++) {
        const struct drill *drill = drill_at(i);
        if (!is_wanted(wanted, drill->name)) continue;
        if (move_to(&yard, drill->store, seed) && carry_out(&yard, drill, folder)) {
            passed++;
            continue;
        }
        if (yard.trouble[0]) printf("%s: %s\n", drill->name, yard.trouble);
        failed++;
    }
    drill_yard_close(&yard);
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
