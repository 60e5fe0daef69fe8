/* SPDX-License-Identifier: Apache-2.0
 *
 * `make scale`: a thousand workers, a million rooms, ten thousand tickets a second; or another such
 * cluster (WORKERS= ROOMS= TICKETS=). Writes $BUILD/bench/scale.json, and ends with 1 when
 * something was not as it has to be.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "scale/story.h"

static long number(const char *name, long usual)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : usual;
}

static void write_figures(const struct story_plan *plan, const struct story_figures *figures)
{
    char path[512];
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    snprintf(path, sizeof path, "%s/bench", build);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/bench/scale.json", build);
    FILE *json = fopen(path, "w");
    if (!json) return;
    story_write(json, plan, figures);
    fclose(json);
    printf("> figures: %s\n", path);
}

int main(void)
{
    size_t rooms = (size_t)number("ROOMS", 1000000);
    int workers = (int)number("WORKERS", 1000);
    struct story_plan plan = {.config = {.seed = 1,
                                         .matchmakers = 4,
                                         .workers = workers,
                                         .gateways = 20,
                                         .shards = 4,
                                         .rooms_max = 5000,
                                         .tickets_a_s = (uint32_t)number("TICKETS", 10000),
                                         .people_max = 4,
                                         .stay_ms = 5000},
                              .marks = {rooms / 10, rooms / 2, rooms},
                              .newcomers = workers / 10,
                              .tell = stdout};
    struct story_figures figures;
    const char *wrong = story_run(&plan, &figures);
    write_figures(&plan, &figures);
    if (wrong) fprintf(stderr, "%s\n", wrong);
    return wrong != NULL;
}
