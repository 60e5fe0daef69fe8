/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of it: added up, judged, told.
 */
#include "bench/load.h"

#include <stdio.h>

enum { SOUND = 0, FAULTY = 1, UNBEGUN = 3, LIMITED = 4, TROUBLED = 5 };
enum { DOUBTS_MAX = 5, LAG_US = 5000 };
static const double busy = 0.9;           /* of a core: then the generator itself is measured */
static const double crowded = 0.1;        /* of a core, taken by neither the cluster nor this */
static const double most_in_flight = 0.8; /* of those asked for, on average, at least */

static const char *const error_keys[] = {
#define X(name, key, text) key,
    LOAD_ERRORS(X)
#undef X
};
static const char *const error_texts[] = {
#define X(name, key, text) text,
    LOAD_ERRORS(X)
#undef X
};
static const char *const fault_keys[] = {
#define X(name, key, text) key,
    LOAD_FAULTS(X)
#undef X
};
static const char *const fault_texts[] = {
#define X(name, key, text) text,
    LOAD_FAULTS(X)
#undef X
};
static const char *const traffic_keys[] = {"acts_up", "views_down", "answers_down", "rest_up",
                                           "rest_down"};

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_figures(struct load_figures *all, const struct load_figures *one)
{
    all->accepted += one->accepted;
    all->sent += one->sent;
    all->games += one->games;
    all->returns += one->returns;
    all->starved += one->starved;
    all->unsent += one->unsent;
    for (int i = 0; i < LOAD_ERROR_COUNT; i++) all->errors[i] += one->errors[i];
    for (int i = 0; i < LOAD_TRAFFICS; i++) {
        all->traffic[i].frames += one->traffic[i].frames;
        all->traffic[i].bytes += one->traffic[i].bytes;
    }
    latency_merge(&all->own, &one->own);
    latency_merge(&all->last, &one->last);
    latency_merge(&all->back, &one->back);
    latency_merge(&all->turn, &one->turn);
    all->cpu_us += one->cpu_us;
    all->memory_kb += one->memory_kb;
    if (one->measured_us > all->measured_us) all->measured_us = one->measured_us;
}

void load_add_up(const struct load_plan *plan, const struct load_shared *shared,
                 struct load_outcome *out)
{
    int said = 0;
    for (int p = 0; p < plan->processes; p++) {
        const struct load_share *share = &shared->share[p];
        add_figures(&out->all, &share->figures);
        for (int i = 0; i < LOAD_FAULT_COUNT; i++) out->faults[i] += share->faults[i];
        for (int i = 0; i < LOAD_FAULTS_KEPT && said < LOAD_FAULTS_KEPT; i++)
            if (share->said[i][0]) out->said[said++] = share->said[i];
        double cores = share->figures.measured_us
                           ? (double)share->figures.cpu_us / (double)share->figures.measured_us
                           : 0;
        if (cores > out->busiest) out->busiest = cores;
    }
}

static double seconds(const struct load_outcome *outcome)
{
    return outcome->all.measured_us ? (double)outcome->all.measured_us / 1e6 : 1;
}

static double each(const struct load_outcome *outcome, double sum)
{
    return outcome->all.accepted ? sum / (double)outcome->all.accepted : 0;
}

/* As many were on their way on average as came in the time that one took. */
static double in_flight(const struct load_outcome *outcome)
{
    return (double)outcome->all.last.sum_us / 1e6 / seconds(outcome);
}

static double used_s(const struct load_outcome *outcome, int i)
{
    return outcome->after[i].gone ? 0 : outcome->after[i].cpu_s - outcome->before[i].cpu_s;
}

static double used_user_s(const struct load_outcome *outcome, int i)
{
    return outcome->after[i].gone ? 0 : outcome->after[i].user_s - outcome->before[i].user_s;
}

static double all_used_s(const struct load_outcome *outcome)
{
    double sum = 0;
    for (int i = 0; i < outcome->watched; i++) sum += used_s(outcome, i);
    return sum;
}

/* Cores that others took meanwhile; known when the whole cluster is watched. Times of processes are
 * counted in hundredths of a second. */
static double others(const struct load_outcome *outcome)
{
    double ours_s = all_used_s(outcome) + (double)outcome->all.cpu_us / 1e6;
    double others_s = outcome->machine_s - ours_s;
    return outcome->watched && others_s > 0 ? others_s / outcome->watched_s : 0;
}

/* ---- judgement ------------------------------------------------------------------------------- */

int load_doubts(const struct load_plan *plan, const struct load_outcome *outcome,
                char doubts[][160], int max)
{
    const struct load_figures *all = &outcome->all;
    uint64_t lag_us = latency_at(&all->turn, 990000);
    int count = 0;
    if (!outcome->began) return 0;
    if (outcome->busiest > busy && count < max)
        snprintf(doubts[count++], 160,
                 "the load generator was the limit: one of its processes took %.0f %% of a core",
                 100 * outcome->busiest);
    if (lag_us > LAG_US && count < max)
        snprintf(doubts[count++], 160,
                 "the load generator was late: what came waited up to %.1f ms for it (p99)",
                 (double)lag_us / 1e3);
    if (others(outcome) > crowded && count < max)
        snprintf(doubts[count++], 160,
                 "others were on the machine: %.2f of its %d cores went to them", others(outcome),
                 outcome->processors);
    if (all->starved * 100 > all->sent && count < max)
        snprintf(doubts[count++], 160,
                 "the plan was the limit: %llu actions were due while the rooms were between two "
                 "games; more --rooms",
                 (unsigned long long)all->starved);
    if (plan->in_flight && in_flight(outcome) < most_in_flight * plan->in_flight && count < max)
        snprintf(doubts[count++], 160,
                 "the plan was the limit: %.0f of %d actions were on their way on average; more "
                 "--rooms",
                 in_flight(outcome), plan->in_flight);
    return count;
}

int load_exit(const struct load_plan *plan, const struct load_outcome *outcome)
{
    char doubts[DOUBTS_MAX][160];
    for (int i = 0; i < LOAD_FAULT_COUNT; i++)
        if (outcome->faults[i]) return FAULTY;
    if (!outcome->began) return UNBEGUN;
    if (load_doubts(plan, outcome, doubts, DOUBTS_MAX)) return LIMITED;
    for (int i = 0; i < LOAD_ERROR_COUNT; i++)
        if (outcome->all.errors[i]) return TROUBLED;
    return SOUND;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_latency(const char *name, const struct latency *of)
{
    if (of->count == 0) return;
    printf("  %-34s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f\n", name, (double)latency_mean(of) / 1e3,
           (double)latency_at(of, 500000) / 1e3, (double)latency_at(of, 900000) / 1e3,
           (double)latency_at(of, 990000) / 1e3, (double)latency_at(of, 999000) / 1e3,
           (double)of->most_us / 1e3);
}

static void put_latencies(const struct load_outcome *outcome)
{
    const struct load_figures *all = &outcome->all;
    printf("\n  %-34s %9s %9s %9s %9s %9s %9s\n", "milliseconds", "mean", "p50", "p90", "p99",
           "p99.9", "most");
    put_latency("sent to own receipt", &all->own);
    put_latency("sent to the last player's frame", &all->last);
    put_latency("cut off to seated again", &all->back);
}

static void put_traffic(const struct load_outcome *outcome)
{
    static const char *const names[] = {"actions, up", "views, down", "answers, down",
                                        "all else, up", "all else, down"};
    printf("\n  %-34s %9s %9s\n", "for each accepted action", "frames", "bytes");
    for (int i = 0; i < LOAD_TRAFFICS; i++)
        printf("  %-34s %9.3f %9.1f\n", names[i],
               each(outcome, (double)outcome->all.traffic[i].frames),
               each(outcome, (double)outcome->all.traffic[i].bytes));
}

static void put_watched(const struct load_outcome *outcome)
{
    if (outcome->watched == 0) return;
    printf("\n  %-22s %9s %9s %9s %12s %9s\n", "process", "CPU s", "% a core", "us/action",
           "resident MB", "peak MB");
    for (int i = 0; i < outcome->watched; i++) {
        const struct watched *one = &outcome->after[i];
        double cpu_s = used_s(outcome, i);
        printf("  %-22s %9.2f %9.1f %9.1f %12.1f %9.1f%s\n", one->name, cpu_s,
               100 * cpu_s / outcome->watched_s, each(outcome, 1e6 * cpu_s),
               (double)one->memory_kb / 1024, (double)one->peak_kb / 1024,
               one->gone ? " (it ended)" : "");
    }
    printf("  %-22s %9.2f %9.1f %9.1f\n", "all of them", all_used_s(outcome),
           100 * all_used_s(outcome) / outcome->watched_s,
           each(outcome, 1e6 * all_used_s(outcome)));
}

static void put_trouble(const struct load_plan *plan, const struct load_outcome *outcome)
{
    char doubts[DOUBTS_MAX][160];
    int count = load_doubts(plan, outcome, doubts, DOUBTS_MAX);
    printf("\n");
    for (int i = 0; i < LOAD_ERROR_COUNT; i++)
        if (outcome->all.errors[i])
            printf("  %llu %s\n", (unsigned long long)outcome->all.errors[i], error_texts[i]);
    for (int i = 0; i < count; i++) printf("  %s\n", doubts[i]);
    for (int i = 0; i < LOAD_FAULT_COUNT; i++)
        if (outcome->faults[i])
            printf("  NEVER: %s, %llu times\n", fault_texts[i],
                   (unsigned long long)outcome->faults[i]);
    for (int i = 0; i < LOAD_FAULTS_KEPT && outcome->said[i]; i++)
        printf("    %s\n", outcome->said[i]);
    if (!outcome->began) printf("  not everybody came to play: nothing was measured\n");
}

void load_table(const struct load_plan *plan, const struct load_outcome *outcome)
{
    const struct load_figures *all = &outcome->all;
    printf("%s: %d rooms of %d, %d idle, ", plan->game, plan->rooms, plan->players, plan->idle);
    if (plan->rate > 0)
        printf("open loop, %.0f actions a second\n", plan->rate);
    else
        printf("closed loop, %d in flight\n", plan->in_flight ? plan->in_flight : plan->rooms);
    printf("  %.0f accepted actions a second (%llu in %.1f s, %llu games ended), %.1f in flight\n",
           (double)all->accepted / seconds(outcome), (unsigned long long)all->accepted,
           seconds(outcome), (unsigned long long)all->games, in_flight(outcome));
    if (all->unsent)
        printf("  %llu actions were due and never sent; their waits are in the latencies\n",
               (unsigned long long)all->unsent);
    put_latencies(outcome);
    put_traffic(outcome);
    put_watched(outcome);
    printf("\n  the load generator: %.0f %% of a core (its busiest process), %.1f us an action, "
           "%.1f MB, turns of %.2f ms (p99)\n",
           100 * outcome->busiest, each(outcome, (double)all->cpu_us),
           (double)all->memory_kb / 1024, (double)latency_at(&all->turn, 990000) / 1e3);
    put_trouble(plan, outcome);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Nothing that is written here holds a quote but what a fault is told with: room codes and fixed
 * texts, and the names of processes. */
static void json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
        if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ') fputc(*text, file);
    fputc('"', file);
}

static void json_latency(FILE *file, const char *name, const struct latency *of)
{
    fprintf(file,
            "  \"%s\": {\"count\": %llu, \"mean\": %.3f, \"p50\": %.3f, \"p90\": %.3f, \"p99\": "
            "%.3f, \"p999\": %.3f, \"most\": %.3f},\n",
            name, (unsigned long long)of->count, (double)latency_mean(of) / 1e3,
            (double)latency_at(of, 500000) / 1e3, (double)latency_at(of, 900000) / 1e3,
            (double)latency_at(of, 990000) / 1e3, (double)latency_at(of, 999000) / 1e3,
            (double)of->most_us / 1e3);
}

static void json_counts(FILE *file, const char *name, const char *const *keys,
                        const uint64_t *counts, int count)
{
    fprintf(file, "  \"%s\": {", name);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\"%s\": %llu", i ? ", " : "", keys[i], (unsigned long long)counts[i]);
    fprintf(file, "},\n");
}

static void json_plan(FILE *file, const struct load_plan *plan)
{
    fprintf(file,
            "  \"game\": \"%s\", \"rooms\": %d, \"players\": %d, \"idle\": %d, \"rate\": %g, "
            "\"in_flight_max\": %d,\n  \"processes\": %d, \"warm_up_s\": %g, \"duration_s\": %g, "
            "\"storm_s\": %g, \"storm_percent\": %d, \"seed\": \"%llu\",\n",
            plan->game, plan->rooms, plan->players, plan->idle, plan->rate,
            plan->in_flight ? plan->in_flight : plan->rooms, plan->processes, plan->warmup_s,
            plan->duration_s, plan->storm_s, plan->storm_percent, (unsigned long long)plan->seed);
}

static void json_figures(FILE *file, const struct load_outcome *outcome)
{
    const struct load_figures *all = &outcome->all;
    fprintf(file, "  \"gathered_s\": %.3f,\n", outcome->gathered_s);
    fprintf(file,
            "  \"measured_s\": %.3f, \"accepted\": %llu, \"accepted_per_s\": %.1f, \"sent\": %llu, "
            "\"unsent\": %llu,\n  \"starved\": %llu, \"games\": %llu, \"returns\": %llu, "
            "\"in_flight\": %.2f,\n",
            seconds(outcome), (unsigned long long)all->accepted,
            (double)all->accepted / seconds(outcome), (unsigned long long)all->sent,
            (unsigned long long)all->unsent, (unsigned long long)all->starved,
            (unsigned long long)all->games, (unsigned long long)all->returns, in_flight(outcome));
    json_latency(file, "own_ms", &all->own);
    json_latency(file, "last_ms", &all->last);
    json_latency(file, "back_ms", &all->back);
    fprintf(file, "  \"per_action\": {");
    for (int i = 0; i < LOAD_TRAFFICS; i++)
        fprintf(file, "%s\"%s\": {\"frames\": %.3f, \"bytes\": %.2f}", i ? ", " : "",
                traffic_keys[i], each(outcome, (double)all->traffic[i].frames),
                each(outcome, (double)all->traffic[i].bytes));
    fprintf(file, "},\n");
    json_counts(file, "errors", error_keys, all->errors, LOAD_ERROR_COUNT);
    json_counts(file, "never", fault_keys, outcome->faults, LOAD_FAULT_COUNT);
}

static void json_calls(FILE *file, const struct load_outcome *outcome, int i)
{
    static const char *const keys[] = {
#define X(kind, key) key,
        CALLS(X)
#undef X
    };
    const struct watched *before = &outcome->before[i], *after = &outcome->after[i];
    if (!before->calls_counted || !after->calls_counted) return;
    fprintf(file, ",\n     \"calls_per_action\": {");
    for (int k = 0; k < CALL_KINDS; k++)
        fprintf(file, "%s\"%s\": %.4f", k ? ", " : "", keys[k],
                each(outcome, (double)(after->calls[k] - before->calls[k])));
    fprintf(file, "}");
}

static void json_watched(FILE *file, const struct load_outcome *outcome)
{
    fprintf(file, "  \"cpu_us_per_action\": %.2f, \"others_cores\": %.3f,\n  \"watched\": [",
            each(outcome, 1e6 * all_used_s(outcome)), others(outcome));
    for (int i = 0; i < outcome->watched; i++) {
        const struct watched *one = &outcome->after[i];
        fprintf(file, "%s\n    {\"name\": ", i ? "," : "");
        json_text(file, one->name);
        fprintf(file,
                ", \"cpu_s\": %.2f, \"user_s\": %.2f, \"cores\": %.4f, \"memory_kb\": %llu, "
                "\"peak_kb\": %llu, \"ended\": %s",
                used_s(outcome, i), used_user_s(outcome, i),
                used_s(outcome, i) / outcome->watched_s, (unsigned long long)one->memory_kb,
                (unsigned long long)one->peak_kb, one->gone ? "true" : "false");
        json_calls(file, outcome, i);
        fprintf(file, "}");
    }
    fprintf(file, "],\n");
}

static void json_generator(FILE *file, const struct load_plan *plan,
                           const struct load_outcome *outcome)
{
    char doubts[DOUBTS_MAX][160];
    int count = load_doubts(plan, outcome, doubts, DOUBTS_MAX);
    const struct load_figures *all = &outcome->all;
    json_latency(file, "turn_ms", &all->turn);
    fprintf(file,
            "  \"generator\": {\"cores\": %.3f, \"us_per_action\": %.2f, \"memory_kb\": %llu},",
            outcome->busiest, each(outcome, (double)all->cpu_us),
            (unsigned long long)all->memory_kb);
    fprintf(file, "\n  \"doubts\": [");
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s", i ? ", " : "");
        json_text(file, doubts[i]);
    }
    fprintf(file, "],\n  \"began\": %s, \"exit\": %d\n", outcome->began ? "true" : "false",
            load_exit(plan, outcome));
}

bool load_json(const struct load_plan *plan, const struct load_outcome *outcome)
{
    bool here = !strcmp(plan->json, "-");
    FILE *file = here ? stdout : fopen(plan->json, "w");
    if (!file) return false;
    fprintf(file, "{\n");
    json_plan(file, plan);
    json_figures(file, outcome);
    if (outcome->watched) json_watched(file, outcome);
    json_generator(file, plan, outcome);
    fprintf(file, "}\n");
    return here ? fflush(file) == 0 : fclose(file) == 0;
}
