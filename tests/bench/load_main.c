/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-load: starts the processes that play, leads them through the phases, watches the cluster,
 * tells how it goes and reports. See load.h.
 */
#include "bench/load.h"

#include "unit/end_with.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STEP_US = 20 * 1000,
    GATHER_S = 60, /* beyond the ramp, until everybody plays */
    NOBODY_S = 5,  /* until the first one is connected */
    SETTLE_S = 5,
    UNBEGUN = 3,
    USAGE = 2,
};

static double seconds_since(uint64_t us)
{
    return (double)(load_clock_us() - us) / 1e6;
}

struct now {
    uint64_t connected, seated, playing, done, faults;
    bool settled;
};

static struct now look(const struct load_plan *plan, const struct load_shared *shared)
{
    struct now now = {.settled = true};
    for (int p = 0; p < plan->processes; p++) {
        const struct load_share *share = &shared->share[p];
        now.connected += share->connected;
        now.seated += share->seated;
        now.playing += share->playing;
        now.done += share->done;
        now.settled &= __atomic_load_n(&share->settled, __ATOMIC_RELAXED);
        for (int i = 0; i < LOAD_FAULT_COUNT; i++) now.faults += share->faults[i];
    }
    return now;
}

/* ---- progress -------------------------------------------------------------------------------- */

/* One line a second; where somebody looks on, over the one before. */
static void tell(const struct load_plan *plan, const struct load_shared *shared, const char *phase,
                 double left_s)
{
    static uint64_t told_us, done;
    if (plan->quiet || seconds_since(told_us) < 1) return;
    struct now now = look(plan, shared);
    double rate = (double)(now.done - done) / seconds_since(told_us);
    const char *end = isatty(2) ? "\033[K\r" : "\n";
    fprintf(stderr, "%s, %.0f s left: %llu connected, %llu seated, %llu rooms play, %.0f/s%s%s",
            phase, left_s > 0 ? left_s : 0, (unsigned long long)now.connected,
            (unsigned long long)now.seated, (unsigned long long)now.playing, told_us ? rate : 0,
            now.faults ? ", FAULTS" : "", end);
    told_us = load_clock_us();
    done = now.done;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static bool begun(const struct load_plan *plan, const struct now *now)
{
    return now->seated == (uint64_t)(plan->rooms * plan->players + plan->idle) &&
           now->playing == (uint64_t)plan->rooms;
}

static bool somebody(const struct load_plan *plan, const struct now *now)
{
    (void)plan;
    return now->connected > 0;
}

static bool all_settled(const struct load_plan *plan, const struct now *now)
{
    (void)plan;
    return now->settled;
}

typedef bool (*condition)(const struct load_plan *plan, const struct now *now);

/* Until the condition holds, or the time is over. Whether it held; without one, that the time is
 * over without an interruption. */
static bool wait_for(const struct load_plan *plan, const struct load_shared *shared,
                     const char *phase, double most_s, condition holds)
{
    uint64_t from = load_clock_us();
    while (!interrupted) {
        struct now now = look(plan, shared);
        if (holds && holds(plan, &now)) return true;
        if (seconds_since(from) >= most_s) return !holds;
        usleep(STEP_US);
        tell(plan, shared, phase, most_s - seconds_since(from));
    }
    return false;
}

static void set_phase(struct load_shared *shared, enum load_phase phase)
{
    __atomic_store_n(&shared->phase, phase, __ATOMIC_RELEASE);
}

/* An interruption ends the measuring early; what was measured until then is reported. */
static void lead(const struct load_plan *plan, struct load_shared *shared,
                 struct load_outcome *outcome)
{
    uint64_t started = load_clock_us();
    memcpy(outcome->after, outcome->before, sizeof outcome->after);
    outcome->watched_s = 1;
    outcome->began = wait_for(plan, shared, "nobody is connected yet", NOBODY_S, somebody) &&
                     wait_for(plan, shared, "people come", plan->ramp_s + GATHER_S, begun);
    outcome->gathered_s = seconds_since(started);
    if (outcome->began) {
        set_phase(shared, LOAD_WARM);
        wait_for(plan, shared, "warming up", plan->warmup_s, NULL);
        watch_look(outcome->before, outcome->watched);
        double busy_s = watch_machine(&outcome->processors);
        uint64_t from = load_clock_us();
        set_phase(shared, LOAD_MEASURE);
        wait_for(plan, shared, "measuring", plan->duration_s, NULL);
        memcpy(outcome->after, outcome->before, sizeof outcome->after);
        watch_look(outcome->after, outcome->watched);
        outcome->machine_s = watch_machine(&outcome->processors) - busy_s;
        outcome->watched_s = seconds_since(from);
        set_phase(shared, LOAD_SETTLE);
        interrupted = 0;
        wait_for(plan, shared, "settling", SETTLE_S, all_settled);
    }
    set_phase(shared, LOAD_END);
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool start(const struct load_plan *plan, struct load_shared *shared, pid_t *pids)
{
    pid_t parent = getpid();
    for (int p = 0; p < plan->processes; p++) {
        pids[p] = fork();
        if (pids[p] < 0) return false;
        if (pids[p] > 0) continue;
        end_with(parent, SIGKILL);
        signal(SIGINT, SIG_IGN); /* the leader ends it */
        load_run(plan, shared, p);
        _exit(0);
    }
    return true;
}

static bool wait_all(const struct load_plan *plan, const pid_t *pids)
{
    bool well = true;
    for (int p = 0; p < plan->processes; p++) {
        int status;
        well &= waitpid(pids[p], &status, 0) == pids[p] && WIFEXITED(status) &&
                WEXITSTATUS(status) == 0;
    }
    return well;
}

int main(int argc, char **argv)
{
    static struct load_plan plan;
    static struct load_outcome outcome;
    static pid_t pids[LOAD_PROCESSES_MAX];
    int code = load_plan_read(&plan, argc, argv);
    if (code >= 0) return code;
    outcome.watched = watch_find(plan.watch, plan.cluster, outcome.before);
    if (outcome.watched < 0) {
        fprintf(stderr, "madang-load: no such processes to watch\n");
        return USAGE;
    }
    struct load_shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !start(&plan, shared, pids)) {
        perror("madang-load");
        return UNBEGUN;
    }
    signal(SIGINT, on_interrupt);
    lead(&plan, shared, &outcome);
    bool well = wait_all(&plan, pids);
    load_add_up(&plan, shared, &outcome);
    if (!well) fprintf(stderr, "madang-load: one of its processes failed\n");
    bool to_stdout = plan.json && !strcmp(plan.json, "-");
    if (!to_stdout) load_table(&plan, &outcome);
    if (plan.json && !load_json(&plan, &outcome)) perror(plan.json);
    return well ? load_exit(&plan, &outcome) : UNBEGUN;
}
