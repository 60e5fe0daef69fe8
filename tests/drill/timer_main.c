/* SPDX-License-Identifier: Apache-2.0
 *
 * The drill of the timers: two real madang-timer processes, a real matchmaker that tells each
 * of the other, a real Redis, and a stand-in for the workers. Many deadlines are armed, 5,000
 * of them are due each second, and again and again one timer is killed with SIGKILL; a new one
 * takes its place at once.
 *
 *     timer_main [armed] [kills] [runs]      default 1,000,000, 5 and 1
 *
 * Prints how late deadlines were fired, by Redis' clock: in the second after a kill, and outside of
 * kills (from AFTERMATH_MS after each, when the twin knows that it is alone); of several runs the
 * medians too, which go to $BUILD/drill/timers.json. Ends with 1 when a deadline was lost, or
 * logged twice.
 */
#include "base/check.h"
#include "bus/bus.h"
#include "drill/timer_stand_in.h"
#include "unit/end_with.h"
#include "unit/free_port.h"
#include "unit/store/redis_fixture.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    RATE = 5000,
    KILLS_MAX = 20,
    RUNS_MAX = 15,
    CALM_MS =
        3000, /* before the first kill, and between the end of an aftermath and the next kill */
    AFTERMATH_MS = 1500, /* a killed timer has its share until the matchmaker calls it silent */
    AHEAD_MS = 12000,    /* from arming to the first deadline: arming and starting take that long */
    LATEST_MS = 5000,    /* after the last deadline */
    TIMERS = 2,
    US = 1000,
};

static uv_loop_t loop;
static struct redis_fixture redis;
static struct stand_in *stand_in;
static char matchmaker_url[64];
static pid_t matchmaker, timers[TIMERS];
static uint64_t killed_us[KILLS_MAX];
static int kills;

/* Of one run, or the median of each over several; counts are added up. */
enum { CALM_P50, CALM_P99, CALM_MOST, AFTER_P50, AFTER_P99, AFTER_MOST, FIGURES };
struct outcome {
    uint32_t late_us[FIGURES];
    int calm, after; /* fires */
    int never, lost, doubled, repeated;
};

/* ---- processes ------------------------------------------------------------------------------- */

/* build/tests/drill/timer_main runs build/bin/madang-*. */
static void find_binary(char out[PATH_MAX], const char *name)
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 64);
    CHECK(len > 0);
    out[len] = 0;
    for (int i = 0; i < 3; i++) *strrchr(out, '/') = 0;
    strcat(out, "/bin/madang-");
    strcat(out, name);
}

static pid_t start(const char *name, const char *extra)
{
    char binary[PATH_MAX], store[128], others[96];
    find_binary(binary, name);
    snprintf(store, sizeof store, "--redis=%s", redis.url);
    snprintf(others, sizeof others, "--matchmakers=%s", matchmaker_url);
    pid_t parent = getpid(), pid = fork();
    CHECK(pid >= 0);
    if (pid > 0) return pid;
    end_with(parent, SIGKILL);
    execl(binary, binary, store, others, "--log-level=error", extra, (char *)NULL);
    _exit(127);
}

static void stop(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void on_time(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
}

static void run_until(uint64_t us)
{
    uv_timer_t timer;
    bool over = false;
    uint64_t now = wall_us();
    CHECK(uv_timer_init(&loop, &timer) == 0);
    timer.data = &over;
    uv_update_time(&loop);
    uv_timer_start(&timer, on_time, us > now ? (us - now) / US : 0, 0);
    while (!over) uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void kill_one(int which)
{
    killed_us[kills++] = wall_us();
    stop(timers[which]);
    timers[which] = start("timer", NULL);
}

/* ---- what came of it ------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void measure(uint32_t *figures, uint32_t *late_us, int count)
{
    if (count == 0) return;
    qsort(late_us, (size_t)count, sizeof *late_us, by_size);
    figures[0] = late_us[count / 2];
    figures[1] = late_us[((size_t)count - 1) * 99 / 100];
    figures[2] = late_us[count - 1];
}

/* Microseconds since the last kill before that; UINT64_MAX: there was none. */
static uint64_t since_kill(uint64_t us)
{
    uint64_t since = UINT64_MAX;
    for (int i = 0; i < kills; i++)
        if (killed_us[i] <= us) since = us - killed_us[i];
    return since;
}

static struct outcome judge(int due)
{
    struct outcome outcome = {.repeated = stand_in_repeated(stand_in)};
    uint32_t *calm = calloc((size_t)due, sizeof *calm), *after = calloc((size_t)due, sizeof *after);
    CHECK(calm != NULL && after != NULL);
    for (int i = 0; i < due; i++) {
        struct deadline deadline = stand_in_deadline(stand_in, i);
        uint64_t since = since_kill(deadline.due_us);
        outcome.never += !deadline.fired;
        if (!deadline.fired) continue;
        if (since <= 1000 * US) after[outcome.after++] = deadline.late_us;
        if (since > AFTERMATH_MS * US) calm[outcome.calm++] = deadline.late_us;
    }
    stand_in_check(stand_in, due, &outcome.lost, &outcome.doubled);
    measure(outcome.late_us + CALM_P50, calm, outcome.calm);
    measure(outcome.late_us + AFTER_P50, after, outcome.after);
    free(calm);
    free(after);
    return outcome;
}

static struct outcome merge(const struct outcome *runs, int count)
{
    struct outcome sum = {0};
    for (int f = 0; f < FIGURES; f++) {
        uint32_t values[RUNS_MAX];
        for (int i = 0; i < count; i++) values[i] = runs[i].late_us[f];
        qsort(values, (size_t)count, sizeof *values, by_size);
        sum.late_us[f] = values[count / 2];
    }
    for (int i = 0; i < count; i++) {
        sum.calm += runs[i].calm;
        sum.after += runs[i].after;
        sum.never += runs[i].never;
        sum.lost += runs[i].lost;
        sum.doubled += runs[i].doubled;
        sum.repeated += runs[i].repeated;
    }
    return sum;
}

static void print_row(const char *when, const uint32_t *late_us, int count)
{
    printf("  %-28s %7d fires, late by p50 %5.1f ms, p99 %5.1f ms, most %6.1f ms\n", when, count,
           late_us[0] / 1e3, late_us[1] / 1e3, late_us[2] / 1e3);
}

static void print(const struct outcome *outcome)
{
    print_row("outside of kills", outcome->late_us + CALM_P50, outcome->calm);
    print_row("in the second after a kill", outcome->late_us + AFTER_P50, outcome->after);
    printf("  %d never fired, %d lost, %d logged twice; %d fires more than needed\n",
           outcome->never, outcome->lost, outcome->doubled, outcome->repeated);
    fflush(stdout);
}

static void save(const struct outcome *outcome, int armed, int planned, int runs)
{
    const char *build = getenv("BUILD");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/drill", build && *build ? build : "build");
    mkdir(path, 0755);
    strcat(path, "/timers.json");
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file,
            "{\n  \"drill\": \"timers\",\n  \"runs\": %d,\n  \"armed\": %d,\n"
            "  \"due_per_second\": %d,\n  \"kills\": %d,\n  \"fires\": %d,\n"
            "  \"p50_us\": %" PRIu32 ",\n  \"p99_us\": %" PRIu32 ",\n  \"max_us\": %" PRIu32
            ",\n  \"after_kill_p99_us\": %" PRIu32 ",\n  \"after_kill_max_us\": %" PRIu32
            ",\n  \"never_fired\": %d,\n  \"lost\": %d,\n  \"doubled\": %d\n}\n",
            runs, armed, RATE, planned * runs, outcome->calm, outcome->late_us[CALM_P50],
            outcome->late_us[CALM_P99], outcome->late_us[CALM_MOST], outcome->late_us[AFTER_P99],
            outcome->late_us[AFTER_MOST], outcome->never, outcome->lost, outcome->doubled);
    CHECK(fclose(file) == 0);
}

/* A cluster of its own for each run. */
static struct outcome carry_out(int armed, int due, int planned)
{
    char control[96];
    kills = 0;
    snprintf(matchmaker_url, sizeof matchmaker_url, "tcp://127.0.0.1:%d", free_port());
    snprintf(control, sizeof control, "--control=%s", matchmaker_url);
    redis_fixture_start(&redis, NULL);
    CHECK(uv_loop_init(&loop) == 0);
    matchmaker = start("matchmaker", control);
    stand_in = stand_in_open(&loop, redis.url, matchmaker_url, armed);
    stand_in_create(stand_in);
    uint64_t first_us = stand_in_arm(stand_in, due, RATE, AHEAD_MS);
    for (int i = 0; i < TIMERS; i++) timers[i] = start("timer", NULL);

    for (int i = 0; i < planned; i++) {
        uint64_t offset_ms = CALM_MS + (uint64_t)i * (AFTERMATH_MS + CALM_MS);
        run_until(first_us + offset_ms * US);
        kill_one(i % TIMERS);
    }
    uint64_t end_us = first_us + (uint64_t)due * 1000000 / RATE;
    run_until(end_us);
    while (stand_in_fired(stand_in) < due && wall_us() < end_us + LATEST_MS * US)
        uv_run(&loop, UV_RUN_ONCE);
    struct outcome outcome = judge(due);

    stand_in_close(stand_in);
    for (int i = 0; i < TIMERS; i++) stop(timers[i]);
    stop(matchmaker);
    redis_fixture_stop(&redis);
    uv_loop_close(&loop);
    return outcome;
}

int main(int argc, char **argv)
{
    struct outcome runs[RUNS_MAX];
    int armed = argc > 1 ? atoi(argv[1]) : 1000000, planned = argc > 2 ? atoi(argv[2]) : 5;
    int count = argc > 3 ? atoi(argv[3]) : 1;
    int due = RATE / 1000 * (CALM_MS + planned * (AFTERMATH_MS + CALM_MS));
    CHECK(planned >= 0 && planned <= KILLS_MAX && count >= 1 && count <= RUNS_MAX);
    if (armed < due) armed = due;
    printf("%d armed, %d a second due, %d kills of a timer\n", armed, RATE, planned);
    for (int i = 0; i < count; i++) {
        runs[i] = carry_out(armed, due, planned);
        print(&runs[i]);
    }
    struct outcome sum = merge(runs, count);
    if (count > 1) {
        printf("medians of %d runs\n", count);
        print(&sum);
    }
    save(&sum, armed, planned, count);
    return sum.never || sum.lost || sum.doubled;
}
