/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts that touch the system: the operations port, signals, chance, clock, files, and a whole
 * process that is given a wrong setting.
 */
#include "ops/health.h"
#include "ops/log.h"
#include "ops/probe.h"
#include "ops/settings.h"
#include "ops/signals.h"
#include "ops/system.h"
#include "unit/test.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the operations port ----------------------------------------------------------------------
 * */

/* The whole answer to a GET. The loop need not run: nng's threads answer. */
static void get(int port, const char *path, char *answer, size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[128];
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(s, (struct sockaddr *)&address, sizeof address), 0);
    int len = snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(write(s, request, (size_t)len), len);
    size_t used = 0;
    ssize_t got;
    while ((got = read(s, answer + used, size - 1 - used)) > 0) used += (size_t)got;
    answer[used] = '\0';
    close(s);
}

/* An operations port of its own, any free one. */
struct port {
    uv_loop_t loop;
    struct metrics *metrics;
    struct health *health;
};

static void port_open(struct port *at)
{
    const char *why = NULL;
    assert_int_equal(uv_loop_init(&at->loop), 0);
    at->metrics = metrics_open(PROGRAM_WORKER);
    at->health = health_open(&at->loop, "http://127.0.0.1:0", at->metrics, &why);
    if (at->health == NULL) fail_msg("%s", why);
}

static void port_close(struct port *at)
{
    health_close(at->health);
    uv_run(&at->loop, UV_RUN_DEFAULT);
    metrics_close(at->metrics);
    assert_int_equal(uv_loop_close(&at->loop), 0);
}

static void the_operations_port_tells_life_readiness_and_metrics(void **unused)
{
    (void)unused;
    static char answer[64 << 10];
    struct port at;
    port_open(&at);
    int port = health_port(at.health);
    assert_in_range(port, 1, 65535);

    get(port, "/livez", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 200"));
    get(port, "/readyz", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 503"));
    health_set_ready(at.health, NULL);
    get(port, "/readyz", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 200"));
    assert_non_null(strstr(answer, "\r\n\r\nok\n"));
    health_set_ready(at.health, "no Redis answers");
    get(port, "/readyz", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 503"));
    assert_non_null(strstr(answer, "\r\n\r\nno Redis answers\n"));
    metrics_set(at.metrics, METRIC_worker_held, 11);
    get(port, "/metrics", answer, sizeof answer);
    assert_non_null(strstr(answer, "madang_worker_held 11\n"));
    assert_non_null(strstr(answer, "\nprocess_cpu_seconds_total 0"));
    const char *files = strstr(answer, "\nprocess_open_fds ");
    assert_non_null(files);
    assert_in_range(strtol(files + strlen("\nprocess_open_fds "), NULL, 10), 4, 100);
    get(port, "/", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 404"));

    port_close(&at);
}

static void a_probe_tells_what_the_operations_port_answers(void **unused)
{
    (void)unused;
    char url[64], said[PROBE_WHY_BYTES_MAX];
    struct port at;
    port_open(&at);
    snprintf(url, sizeof url, "http://0.0.0.0:%d", health_port(at.health));

    health_set_ready(at.health, NULL);
    assert_true(probe_ready(url, said));
    assert_string_equal(said, "ok");
    health_set_ready(at.health, "no Redis answers");
    assert_false(probe_ready(url, said));
    assert_string_equal(said, "no Redis answers");

    port_close(&at);
    assert_false(probe_ready(url, said));
    assert_string_equal(said, "nobody answers at the operations port");
}

static void a_probe_of_a_service_without_an_operations_port_fails(void **unused)
{
    (void)unused;
    char said[PROBE_WHY_BYTES_MAX];
    static const char *const none[] = {NULL, "tcp://127.0.0.1:1", "http://localhost",
                                       "http://:9100"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(probe_ready(none[i], said));
        assert_string_equal(said, "no operations port is set");
    }
}

static void a_taken_operations_port_is_said(void **unused)
{
    (void)unused;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d", ntohs(address.sin_port));

    const char *why = NULL;
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct metrics *metrics = metrics_open(PROGRAM_WORKER);
    assert_null(health_open(&loop, url, metrics, &why));
    assert_non_null(why);
    uv_run(&loop, UV_RUN_DEFAULT);
    metrics_close(metrics);
    assert_int_equal(uv_loop_close(&loop), 0);
    close(listener);
}

/* ---- signals ----------------------------------------------------------------------------------
 * */

struct stops {
    int orderly, at_once;
};

static void on_stop(void *context, bool at_once)
{
    struct stops *stops = context;
    if (at_once)
        stops->at_once++;
    else
        stops->orderly++;
}

static void nothing(uv_timer_t *timer)
{
    (void)timer;
}

static void the_first_signal_asks_and_the_second_insists(void **unused)
{
    (void)unused;
    uv_timer_t alive; /* waiting for a signal keeps no loop alive */
    struct stops stops = {0};
    struct signals signals;
    uv_loop_t loop;
    assert_int_equal(uv_loop_init(&loop), 0);
    uv_timer_init(&loop, &alive);
    uv_timer_start(&alive, nothing, 10, 10);
    signals_ignore();
    signals_open(&signals, &loop, on_stop, &stops);
    raise(SIGPIPE); /* does nothing */
    raise(SIGXFSZ);
    raise(SIGHUP);
    raise(SIGTERM);
    for (int i = 0; i < 200 && stops.orderly == 0; i++) uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(stops.orderly, 1);
    assert_int_equal(stops.at_once, 0);
    raise(SIGINT);
    for (int i = 0; i < 200 && stops.at_once == 0; i++) uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(stops.at_once, 1);
    assert_int_equal(stops.orderly, 1);
    signals_close(&signals);
    uv_close((uv_handle_t *)&alive, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* ---- the rest of the system ---------------------------------------------------------------------
 * */

static void chance_differs_and_the_clock_goes_on(void **unused)
{
    (void)unused;
    struct id128 a = random_id(), b = random_id();
    assert_false(id128_is_zero(a));
    assert_false(id128_equal(a, b));
    instant_ms before = clock_boot_ms();
    usleep(20000);
    assert_in_range(clock_boot_ms() - before, 15, 60 * 1000);
    assert_true(files_raise() >= 256);
}

static void files_are_read_up_to_a_bound(void **unused)
{
    (void)unused;
    char path[] = "/tmp/ops-test-XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, "12345", 5), 5);
    close(file);
    struct buf bytes = {0};
    assert_true(file_read(path, 5, &bytes));
    assert_true(slice_equal(buf_slice(&bytes), slice_text("12345")));
    assert_false(file_read(path, 4, &bytes));
    assert_int_equal(bytes.len, 5);
    unlink(path);
    assert_false(file_read(path, 5, &bytes));
    buf_fini(&bytes);
}

/* ---- a whole process ----------------------------------------------------------------------------
 * */

/* What settings_read prints and how it ends the process. */
static int run_settings(const char *argument, int descriptor, char *out, size_t size)
{
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct settings settings;
        char *argv[] = {"madang-worker", (char *)argument, NULL};
        dup2(pipes[1], descriptor);
        settings_read(&settings, PROGRAM_WORKER, argv);
        settings_fini(&settings);
        _exit(77);
    }
    close(pipes[1]);
    size_t used = 0;
    ssize_t got;
    while ((got = read(pipes[0], out + used, size - 1 - used)) > 0) used += (size_t)got;
    out[used] = '\0';
    close(pipes[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_wrong_setting_ends_the_process_with_2_and_a_sentence(void **unused)
{
    (void)unused;
    static char out[32 << 10];
    assert_int_equal(run_settings("--rooms-max=many", STDERR_FILENO, out, sizeof out), 2);
    assert_string_equal(out, "madang-worker: --rooms-max: 'many' is not a whole number\n"
                             "madang-worker --help lists all settings.\n");
    assert_int_equal(run_settings("--rooms-max=5", STDERR_FILENO, out, sizeof out), 77);
    assert_string_equal(out, "");
}

static void help_and_version_end_the_process_with_0(void **unused)
{
    (void)unused;
    static char out[32 << 10];
    assert_int_equal(run_settings("--version", STDOUT_FILENO, out, sizeof out), 0);
    assert_string_equal(out, "madang-worker " MADANG_VERSION "\n");
    assert_int_equal(run_settings("--help", STDOUT_FILENO, out, sizeof out), 0);
    assert_non_null(strstr(out, "--rooms-max=N  (MADANG_ROOMS_MAX)"));
    assert_null(strstr(out, "--port"));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_wrong_setting_ends_the_process_with_2_and_a_sentence),
                     cmocka_unit_test(help_and_version_end_the_process_with_0),
                     cmocka_unit_test(the_operations_port_tells_life_readiness_and_metrics),
                     cmocka_unit_test(a_probe_tells_what_the_operations_port_answers),
                     cmocka_unit_test(a_probe_of_a_service_without_an_operations_port_fails),
                     cmocka_unit_test(a_taken_operations_port_is_said),
                     cmocka_unit_test(the_first_signal_asks_and_the_second_insists),
                     cmocka_unit_test(chance_differs_and_the_clock_goes_on),
                     cmocka_unit_test(files_are_read_up_to_a_bound));
}
