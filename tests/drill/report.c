/* SPDX-License-Identifier: Apache-2.0
 *
 * The table and the files.
 */
#include "drill/drill.h"

#include <inttypes.h>

void report_head(FILE *out)
{
    fprintf(out, "> %-36s %5s %6s %6s %7s %7s %7s %9s %5s %7s %7s\n", "fault", "times", "rooms",
            "seen", "p50 ms", "p99 ms", "max ms", "acked", "lost", "doubled", "stalled");
}

void report_line(FILE *out, const struct drill_result *result)
{
    const struct verdict_counts *counts = &result->counts;
    fprintf(out,
            "> %-36s %5d %6d %6zu %7" PRIu32 " %7" PRIu32 " %7" PRIu32 " %9" PRIu64 " %5" PRIu64
            " %7" PRIu64 " %7d%s%s%s\n",
            result->drill->fault, result->injected, result->rooms, result->samples, result->p50_ms,
            result->p99_ms, result->max_ms, result->crowd.acknowledged, counts->lost,
            counts->doubled, result->stalled, result->said[0] ? "  " : "", result->said,
            drill_holds(result) ? "" : "  FAILED");
    fflush(out);
}

void report_faults(FILE *out, const struct drill_yard *yard, const struct drill_result *result)
{
    if (drill_holds(result)) return;
    const struct verdict *verdict = &yard->verdict;
    const struct verdict_counts *counts = &result->counts;
    fprintf(out,
            "! lost %" PRIu64 ", doubled %" PRIu64 ", strange %" PRIu64 ", unheld %" PRIu64
            ", differing %" PRIu64 ", rooms missing %" PRIu64
            ", stalled %d, behind %d, errors logged %d\n",
            counts->lost, counts->doubled, counts->strange, counts->unheld, counts->differing,
            counts->missing, result->stalled, result->behind, result->errors);
    if (result->wrong[0]) fprintf(out, "! %s\n", result->wrong);
    for (uint64_t i = 0; i < verdict->fault_count && i < VERDICT_FAULTS_KEPT; i++)
        fprintf(out, "! %s\n", verdict->faults[i]);
    for (uint64_t i = 0; yard->crowd && i < yard->crowd->counts.faults && i < CROWD_FAULTS_KEPT;
         i++)
        fprintf(out, "! %s\n", yard->crowd->faults[i]);
}

bool report_save(const char *folder, const struct drill_yard *yard,
                 const struct drill_result *result)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s-%d.json", folder, result->drill->name, result->rooms);
    FILE *file = fopen(path, "w");
    if (!file) return false;
    const struct crowd_counts *crowd = &result->crowd;
    const struct verdict_counts *counts = &result->counts;
#define NUMBER(name, value) fprintf(file, ",\n  \"" name "\": %" PRIu64, (uint64_t)(value))
    fprintf(file, "{\n  \"drill\": \"%s\",\n  \"fault\": \"%s\"", result->drill->name,
            result->drill->fault);
    fprintf(file, ",\n  \"holds\": %s,\n  \"said\": \"%s\",\n  \"wrong\": \"%s\"",
            drill_holds(result) ? "true" : "false", result->said, result->wrong);
    fprintf(file, ",\n  \"seconds\": %.1f", result->seconds);
    NUMBER("seed", yard->plan.seed);
    NUMBER("pace_ms", yard->plan.pace_ms);
    NUMBER("runs", result->runs);
    NUMBER("times", result->injected);
    NUMBER("rooms", result->rooms);
    NUMBER("rooms_moved", result->times.moved);
    NUMBER("samples", result->samples);
    NUMBER("p50_ms", result->p50_ms);
    NUMBER("p99_ms", result->p99_ms);
    NUMBER("max_ms", result->max_ms);
    NUMBER("deadlines_seen", result->times.late.count);
    NUMBER("deadline_late_p99_ms", result->late_p99_ms);
    NUMBER("deadline_late_max_ms", result->late_max_ms);
    NUMBER("acknowledged", crowd->acknowledged);
    NUMBER("refused", crowd->refused);
    NUMBER("busy", crowd->busy);
    NUMBER("told_of_a_pause", crowd->paused);
    NUMBER("disordered", crowd->disordered);
    NUMBER("games", crowd->games);
    NUMBER("connections_lost", crowd->lost_connections);
    NUMBER("late_frames", crowd->late_frames);
    NUMBER("faults", crowd->faults);
    NUMBER("entries", counts->entries);
    NUMBER("actions", counts->actions);
    NUMBER("not_replayed", counts->skipped);
    NUMBER("screens", counts->screens);
    NUMBER("lost", counts->lost);
    NUMBER("doubled", counts->doubled);
    NUMBER("strange", counts->strange);
    NUMBER("unheld", counts->unheld);
    NUMBER("differing", counts->differing);
    NUMBER("missing", counts->missing);
    NUMBER("stalled", result->stalled);
    NUMBER("behind", result->behind);
    NUMBER("errors_logged", result->errors);
#undef NUMBER
    fprintf(file, "\n}\n");
    return fclose(file) == 0;
}
