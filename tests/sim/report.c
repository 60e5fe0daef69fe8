/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report.h"

#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "sim/play.h"
#include "wire/reason.h"

_Static_assert(sizeof(struct sim_report) % sizeof(uint64_t) == 0, "all of it is counters");

void report_add(struct sim_report *report, const struct sim_report *other)
{
    uint64_t to[sizeof *report / sizeof(uint64_t)], from[sizeof *report / sizeof(uint64_t)];
    memcpy(to, report, sizeof to);
    memcpy(from, other, sizeof from);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) to[i] += from[i];
    memcpy(report, to, sizeof to);
}

/* Of this thread: a machine that is busy elsewhere does not make us slow. */
static uint64_t cpu_us(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

char *report_run(struct sim_report *report, const struct sim_config *config)
{
    uint64_t began = cpu_us();
    struct play play;
    const char *failure = play_run(&play, config);
    char *told = failure ? strdup(failure) : NULL;
    struct sim_report one = {.runs = 1, .simulated_ms = play.world->now, .sum = play.world->counts};
    play_close(&play);
    one.cpu_us = cpu_us() - began;
    report_add(report, &one);
    return told;
}

double report_times_real(const struct sim_report *report)
{
    return report->cpu_us ? 1000.0 * (double)report->simulated_ms / (double)report->cpu_us : 0;
}

double report_events_per_s(const struct sim_report *report)
{
    return report->cpu_us ? 1e6 * (double)report->sum.events / (double)report->cpu_us : 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Why nobody in the simulator can be refused for that reason; NULL: somebody can. */
static const char *why_not(int reason)
{
    switch ((enum reason)reason) {
    case REASON_SET_ASIDE: return "a room that is set aside fails the run";
    case REASON_NO_RULES: return "all binaries play by the same rules (upgrade_test.c has others)";
    default: return NULL;
    }
}

typedef void row_visit(void *context, uint64_t value, const char *text, const char *more);

static void each_row(const struct sim_report *report, row_visit *visit, void *context)
{
    const struct sim_counts *sum = &report->sum;
#define X(name, text) visit(context, sum->name, text, "");
    SIM_COUNTS(X)
#undef X
#define X(name, word, text) visit(context, sum->faults[FAULT_##name], text, " (fault " word ")");
    SIM_FAULTS(X)
#undef X
#define X(name, number) \
    if (!why_not(number)) visit(context, sum->reasons[number], "refusals for the reason ", #name);
    REASON_LIST(X)
#undef X
    for (int i = 0; i < game_count(); i++)
        visit(context, sum->games_of[i], "games finished of ", game_at(i)->id);
}

static void print_unreached(FILE *out)
{
#define X(name, number) \
    if (why_not(number)) fprintf(out, "> cannot be refused here: %s, %s\n", #name, why_not(number));
    REASON_LIST(X)
#undef X
}

static void print_row(void *context, uint64_t value, const char *text, const char *more)
{
    fprintf(context, "> %12llu  %s%s\n", (unsigned long long)value, text, more);
}

void report_print(const struct sim_report *report, FILE *out)
{
    each_row(report, print_row, out);
    print_unreached(out);
    fprintf(out, "> %llu runs: %.0f s simulated in %.1f s of one core, %.0f times real time, ",
            (unsigned long long)report->runs, (double)report->simulated_ms / 1000,
            (double)report->cpu_us / 1e6, report_times_real(report));
    fprintf(out, "%.0f events/s\n", report_events_per_s(report));
}

static void find_missing(void *context, uint64_t value, const char *text, const char *more)
{
    (void)more;
    const char **missing = context;
    if (!value && !*missing) *missing = text;
}

const char *report_missing(const struct sim_report *report)
{
    const char *missing = NULL;
    each_row(report, find_missing, &missing);
    return missing;
}
