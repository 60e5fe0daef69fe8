/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/rack.h"

#include "cluster/cluster.h"
#include "cluster/ws_socket.h"
#include "ops/system.h"
#include "unit/end_with.h"
#include "unit/free_port.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FLAGS_MAX = 16, FLAG_BYTES = 160, LOOK_MS = 20, SETTLE_MS = 400 };

struct redis_fixture rack_redis;
char rack_matchmaker_url[64];
int rack_port;
static struct process processes[RACK_PROCESSES_MAX];
static int process_count;

/* ---- starting -------------------------------------------------------------------------------- */

struct command {
    char text[FLAGS_MAX][FLAG_BYTES];
    char *words[FLAGS_MAX + 1];
    int count;
};

static void add(struct command *command, const char *flag, const char *value)
{
    assert_true(command->count < FLAGS_MAX);
    char *text = command->text[command->count];
    snprintf(text, FLAG_BYTES, "%s%s", flag, value);
    command->words[command->count++] = text;
    command->words[command->count] = NULL;
}

static void compose(struct command *command, const char *program, int ops_port,
                    const char *const *flags)
{
    char value[FLAG_BYTES];
    const char *build = getenv("BUILD");
    snprintf(value, sizeof value, "%s/bin/madang-%s", build ? build : "build", program);
    add(command, value, "");
    snprintf(value, sizeof value, "http://127.0.0.1:%d", ops_port);
    add(command, "--ops=", value);
    add(command, "--matchmakers=", rack_matchmaker_url);
    if (strcmp(program, "matchmaker") == 0) add(command, "--control=", rack_matchmaker_url);
    if (strcmp(program, "gateway") == 0) {
        snprintf(value, sizeof value, "%d", rack_port);
        add(command, "--port=", value);
        add(command, "--web-dir=", "");
    } else {
        add(command, "--redis=", rack_redis.url);
    }
    for (; flags && *flags; flags++) add(command, *flags, "");
}

static void become(char *const *words, const char *name, pid_t parent)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.log", rack_redis.dir, name);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, 2);
    end_with(parent, SIGKILL);
    execv(words[0], words);
    _exit(127);
}

static void show_log(const char *name)
{
    struct buf bytes = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/%s.log", rack_redis.dir, name);
    if (file_read(path, 1 << 20, &bytes)) {
        size_t shown = bytes.len < 2000 ? bytes.len : 2000;
        print_error("%s:\n%.*s\n", name, (int)shown, (char *)bytes.at + bytes.len - shown);
    }
    buf_fini(&bytes);
}

static bool is_ready(const struct process *process)
{
    struct buf answer = {0};
    int status =
        http_get("127.0.0.1", process->ops_port,
                 "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &answer, 1000);
    buf_fini(&answer);
    return status == 200;
}

struct process *rack_start(const char *program, const char *const *flags)
{
    struct command command = {0};
    assert_true(process_count < RACK_PROCESSES_MAX);
    struct process *process = &processes[process_count];
    *process = (struct process){.ops_port = free_port()};
    snprintf(process->name, sizeof process->name, "%s-%d", program, process_count++);
    compose(&command, program, process->ops_port, flags);
    pid_t parent = getpid();
    process->pid = fork();
    if (process->pid == 0) become(command.words, process->name, parent);
    /* A matchmaker alone has no worker, and says so. */
    bool waits = strcmp(program, "matchmaker") != 0;
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    while (waits && !is_ready(process)) {
        if (clock_boot_ms() > until) {
            show_log(process->name);
            fail_msg("%s does not become ready", process->name);
        }
        sleep_ms(LOOK_MS);
    }
    return process;
}

void rack_open(const char *const *flags)
{
    process_count = 0;
    rack_port = free_port();
    snprintf(rack_matchmaker_url, sizeof rack_matchmaker_url, "tcp://127.0.0.1:%d", free_port());
    redis_fixture_start(&rack_redis, NULL);
    rack_start("matchmaker", flags);
}

struct process *rack_process(const char *program)
{
    size_t len = strlen(program);
    for (int i = 0; i < process_count; i++)
        if (strncmp(processes[i].name, program, len) == 0) return &processes[i];
    fail_msg("no %s was started", program);
    return NULL;
}

void rack_freeze(const struct process *process, bool freeze)
{
    assert_int_equal(kill(process->pid, freeze ? SIGSTOP : SIGCONT), 0);
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool ends(struct process *process)
{
    int status;
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    while (clock_boot_ms() < until) {
        if (waitpid(process->pid, &status, WNOHANG) == process->pid)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        sleep_ms(LOOK_MS);
    }
    kill(process->pid, SIGKILL);
    waitpid(process->pid, &status, 0);
    return false;
}

void rack_stop(struct process *process)
{
    assert_int_equal(kill(process->pid, SIGTERM), 0);
    if (!ends(process)) fail_msg("%s did not end in order", process->name);
    memmove(process, process + 1,
            (size_t)(&processes[--process_count] - process) * sizeof *process);
}

/* The last to start is the first to go. */
int rack_close(void)
{
    bool in_order = true;
    while (process_count > 0) {
        struct process *process = &processes[--process_count];
        bool lived = waitpid(process->pid, NULL, WNOHANG) == 0;
        if (lived) kill(process->pid, SIGTERM);
        if (lived && ends(process)) continue;
        show_log(process->name);
        print_error("%s %s\n", process->name, lived ? "did not end in order" : "had died");
        in_order = false;
    }
    redis_fixture_stop(&rack_redis);
    return in_order ? 0 : -1;
}

/* ---- looking --------------------------------------------------------------------------------- */

void rack_metrics(const struct process *process, struct buf *text)
{
    buf_clear(text);
    int status = http_get("127.0.0.1", process->ops_port,
                          "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", text,
                          RACK_PATIENCE_MS);
    assert_int_equal(status, 200);
    buf_put_u8(text, 0);
}

int64_t rack_metric(const struct process *process, const char *line)
{
    struct buf text = {0};
    char start[128];
    int64_t value = -1;
    snprintf(start, sizeof start, "\n%s", line);
    rack_metrics(process, &text);
    const char *at = strstr((const char *)text.at, start);
    size_t len = at ? strcspn(at + 1, "\n") : 0;
    while (len > 0 && at[len] != ' ') len--; /* the value is the last word */
    if (len > 0) value = strtoll(at + len, NULL, 10);
    buf_fini(&text);
    return value;
}

bool rack_wait_metric(const struct process *process, const char *line, int64_t least, int64_t most)
{
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    for (;;) {
        int64_t value = rack_metric(process, line);
        if (value >= least && value <= most) return true;
        if (clock_boot_ms() > until) return false;
        sleep_ms(LOOK_MS);
    }
}

int64_t rack_queue(const struct process *process, const char *what, const char *queue)
{
    char line[128];
    snprintf(line, sizeof line, "madang_queue_%s{queue=\"%s\"", what, queue);
    int64_t value = rack_metric(process, line);
    if (value < 0) fail_msg("%s does not serve %s", process->name, line);
    return value;
}

static bool wait_for(const struct process *process, const char *what, const char *queue,
                     int64_t least, int64_t most)
{
    instant_ms until = clock_boot_ms() + RACK_PATIENCE_MS;
    int64_t value = -1;
    while (clock_boot_ms() < until) {
        value = rack_queue(process, what, queue);
        if (value >= least && value <= most) return true;
        sleep_ms(LOOK_MS);
    }
    print_error("%s of %s: %lld\n", what, queue, (long long)value);
    return false;
}

bool rack_wait_above(const struct process *process, const char *what, const char *queue,
                     int64_t least)
{
    return wait_for(process, what, queue, least, INT64_MAX);
}

bool rack_wait_below(const struct process *process, const char *what, const char *queue,
                     int64_t most)
{
    return wait_for(process, what, queue, 0, most);
}

static long status_kb(const struct process *process, const char *format)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process->pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) sscanf(line, format, &kb);
    fclose(file);
    assert_true(kb > 0);
    return kb;
}

long rack_memory_kb(const struct process *process)
{
    return status_kb(process, "VmRSS: %ld");
}

void rack_watch_round(struct rack_watch *watch, int *round)
{
    if (*round != 2 && *round != RACK_ROUNDS) return;
    sleep_ms(SETTLE_MS);
    long kb = status_kb(watch->process, watch->peak ? "VmHWM: %ld" : "VmRSS: %ld");
    print_message("    %s after round %d: %ld KB\n", watch->process->name, *round, kb);
    if (*round == 2) watch->second_kb = kb;
    bool flat = kb <= watch->second_kb + watch->second_kb / 20;
    if (!flat && ++watch->tries < RACK_TRIES)
        *round = 0;
    else
        assert_true(flat);
}

/* ---- what the machine takes ---------------------------------------------------------------- */

/* Of its first thread, which is the one that works. */
static int64_t kept_waiting_ns(pid_t pid)
{
    char path[64];
    long long ran, waited = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%lld %lld", &ran, &waited) != 2) waited = 0;
    fclose(file);
    return waited;
}

int64_t rack_kept_waiting_ms(void)
{
    int64_t ns = kept_waiting_ns(getpid()) + kept_waiting_ns(rack_redis.pid);
    for (int i = 0; i < process_count; i++) ns += kept_waiting_ns(processes[i].pid);
    return ns / 1000000;
}

struct rack_span rack_span_begin(void)
{
    return (struct rack_span){clock_boot_ms(), rack_kept_waiting_ms()};
}

int64_t rack_span_ms(const struct rack_span *span)
{
    int64_t whole = (int64_t)(clock_boot_ms() - span->from);
    int64_t taken = rack_kept_waiting_ms() - span->waited_ms;
    return whole > taken ? whole - taken : 0;
}
