/* SPDX-License-Identifier: Apache-2.0
 *
 * One process for each core: a world is one thread's, and one that dies takes no other with it.
 * They share nothing but their reports.
 */
#include "sim/soak.h"

#include "unit/end_with.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"

enum { PROCESSES_MAX = 64, TELL_EVERY_S = 30 };

struct shared {
    atomic_bool stop;
    atomic_ullong kills;
    struct sim_report reports[PROCESSES_MAX]; /* each is written by its process alone */
};

static double now_s(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int work(const struct soak *plan, struct shared *shared, int index, int count, double end)
{
    struct sim_report *report = &shared->reports[index];
    for (uint64_t seed = plan->first_seed + (uint64_t)index; now_s() < end;
         seed += (uint64_t)count) {
        if (atomic_load(&shared->stop)) break;
        struct sim_config config;
        if (plan->kills)
            sim_config_draw_deadly(&config, seed);
        else
            sim_config_draw(&config, seed);
        uint64_t before = report->sum.crashes;
        char *failure = report_run(report, &config);
        if (failure) {
            atomic_store(&shared->stop, true);
            fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, failure);
            sim_explain(&config, stderr);
            free(failure);
            return 1;
        }
        uint64_t killed = report->sum.crashes - before;
        if (plan->kills && atomic_fetch_add(&shared->kills, killed) + killed >= plan->kills)
            atomic_store(&shared->stop, true);
    }
    return 0;
}

static void sum_up(const struct shared *shared, int count, struct sim_report *total)
{
    *total = (struct sim_report){0};
    for (int i = 0; i < count; i++) report_add(total, &shared->reports[i]);
}

static void tell(const struct soak *plan, const struct sim_report *total, double passed_s)
{
    printf("> %.0f s: %llu runs from seed %llu on, %llu killed, %llu acknowledged, %llu lost, "
           "%llu doubled\n",
           passed_s, (unsigned long long)total->runs, (unsigned long long)plan->first_seed,
           (unsigned long long)total->sum.crashes, (unsigned long long)total->sum.acks,
           (unsigned long long)total->sum.acts_lost, (unsigned long long)total->sum.acts_twice);
    fflush(stdout);
}

/* Until all have ended. False: one of them has failed. */
static bool wait_for(const struct soak *plan, struct shared *shared, int count, double began)
{
    bool good = true;
    double told = began;
    for (int left = count; left > 0;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0) {
            left--;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
            good = false;
            atomic_store(&shared->stop, true);
            continue;
        }
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
        if (now_s() < told + TELL_EVERY_S) continue;
        told = now_s();
        struct sim_report total;
        sum_up(shared, count, &total);
        tell(plan, &total, told - began);
    }
    return good;
}

bool soak_run(const struct soak *plan, struct sim_report *total)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = cores < 1 ? 1 : cores > PROCESSES_MAX ? PROCESSES_MAX : (int)cores;
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    double began = now_s();
    fflush(NULL);
    pid_t parent = getpid();
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) end_with(parent, SIGKILL);
        if (child == 0) _exit(work(plan, shared, i, count, began + plan->seconds));
    }
    bool good = wait_for(plan, shared, count, began);
    sum_up(shared, count, total);
    tell(plan, total, now_s() - began);
    munmap(shared, sizeof *shared);
    return good;
}
