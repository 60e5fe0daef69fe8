/* SPDX-License-Identifier: Apache-2.0
 *
 * TLS at the gateway, with certificates made here and openssl's own client: pages and sockets come
 * by it, a renewed certificate is taken while people are connected, one that is no good is not.
 */
#include "cluster/lone_gateway.h"
#include "cluster/run_in.h"

#include "ops/system.h"
#include "unit/end_with.h"
#include "unit/free_port.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_DAYS = 30, SECOND_DAYS = 60, DAY_S = 24 * 3600 };

static int tls_port, ops_port;
static pid_t gateway;
static char log_file[160], certificate[160], key[160];

/* ---- certificates and clients ---------------------------------------------------------------- */

/* NAME.crt and NAME.key, of an elliptic curve or RSA; each its own authority. */
static void certify(const char *name, const char *algorithm, int days)
{
    assert_int_equal(run_in(lone_folder,
                            "openssl req -x509 -newkey %s -nodes -days %d -subj /CN=%s "
                            "-addext subjectAltName=IP:127.0.0.1 -keyout %s.key -out %s.crt && "
                            "chmod 600 %s.key",
                            algorithm, days, name, name, name, name),
                     0);
}

static void put_in_place(const char *name)
{
    assert_int_equal(run_in(lone_folder,
                            "cp %s.crt live.crt && cp %s.key live.key && chmod 600 live.key", name,
                            name),
                     0);
}

/* openssl's client, which trusts `name` alone: a plain connection to what it decrypts. */
static int tunnel(const char *name, pid_t *client)
{
    int ends[2];
    char where[32], trusted[160];
    snprintf(where, sizeof where, "127.0.0.1:%d", tls_port);
    snprintf(trusted, sizeof trusted, "%s/%s.crt", lone_folder, name);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    pid_t parent = getpid();
    *client = fork();
    assert_true(*client >= 0);
    if (*client == 0) {
        end_with(parent, SIGKILL);
        dup2(ends[1], 0);
        dup2(ends[1], 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        execlp("openssl", "openssl", "s_client", "-quiet", "-verify_return_error", "-connect",
               where, "-CAfile", trusted, "-verify_ip", "127.0.0.1", "-alpn", "h2,http/1.1",
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return ends[0];
}

static void end_client(pid_t client)
{
    kill(client, SIGKILL);
    waitpid(client, NULL, 0);
}

/* The answer to a GET by TLS; empty: none came. */
static void get(const char *name, const char *path, struct buf *answer)
{
    pid_t client;
    int fd = tunnel(name, &client);
    char request[256], bytes[4096];
    int len = snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: play.example:%d\r\nConnection: close\r\n\r\n",
                       path, tls_port);
    struct timeval patience = {.tv_sec = PATIENCE_MS / 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    buf_clear(answer);
    socket_put(fd, request, (size_t)len);
    for (ssize_t got; (got = recv(fd, bytes, sizeof bytes, 0)) > 0;)
        buf_put(answer, bytes, (size_t)got);
    close(fd);
    end_client(client);
}

static bool has(const struct buf *answer, const char *text)
{
    return answer->len && memmem(answer->at, answer->len, text, strlen(text)) != NULL;
}

/* Whether a handshake with whoever shows `name` succeeds, after a while. */
static bool shows(const char *name)
{
    struct buf answer = {0};
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    bool shown = false;
    do {
        get(name, "/healthz", &answer);
        shown = has(&answer, "HTTP/1.1 ");
        if (!shown) usleep(50 * 1000);
    } while (!shown && clock_boot_ms() < until);
    buf_fini(&answer);
    return shown;
}

static int times_said(const char *text)
{
    struct buf bytes = {0};
    int times = 0;
    assert_true(file_read(log_file, 1 << 16, &bytes));
    buf_put_u8(&bytes, 0);
    for (const char *at = (const char *)bytes.at; (at = strstr(at, text)) != NULL; at++) times++;
    buf_fini(&bytes);
    return times;
}

/* The gateway is told to read its files again, and says what came of it. */
static void assert_renewed(const char *event)
{
    int times = times_said(event);
    kill(gateway, SIGHUP);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (times_said(event) == times && clock_boot_ms() < until) usleep(20 * 1000);
    assert_int_equal(times_said(event), times + 1);
}

/* ---- the gateway ----------------------------------------------------------------------------- */

/* ops: its flag, or NULL. */
static pid_t start_with(int port, const char *log, const char *ops)
{
    const char *const flags[] = {certificate, key, ops, NULL};
    return lone_start_with(port, lone_key_file, log, flags);
}

static pid_t start(int port, const char *log)
{
    return start_with(port, log, NULL);
}

/* For how many days what the gateway shows is good, by its metric. */
static int days_left(void)
{
    static const char name[] =
        "\nmadang_certificate_expiry_timestamp_seconds{certificate=\"https\"} ";
    struct buf answer = {0};
    const char *request = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert_int_equal(http_get("127.0.0.1", ops_port, request, &answer, 3000), 200);
    buf_put_u8(&answer, 0);
    const char *at = strstr((const char *)answer.at, name);
    assert_non_null(at);
    long long left_s = strtoll(at + strlen(name), NULL, 10) - (long long)time(NULL);
    buf_fini(&answer);
    return (int)((left_s + DAY_S / 2) / DAY_S);
}

static int open_all(void **state)
{
    if (lone_set_up(state) != 0) return -1;
    char ops[64];
    tls_port = free_port();
    ops_port = free_port();
    snprintf(ops, sizeof ops, "--ops=http://127.0.0.1:%d", ops_port);
    snprintf(log_file, sizeof log_file, "%s/log-tls", lone_folder);
    snprintf(certificate, sizeof certificate, "--https-certificate=%s/live.crt", lone_folder);
    snprintf(key, sizeof key, "--https-key=%s/live.key", lone_folder);
    certify("first", "rsa:2048", FIRST_DAYS);
    certify("second", "ec -pkeyopt ec_paramgen_curve:prime256v1", SECOND_DAYS);
    put_in_place("first");
    gateway = start_with(tls_port, log_file, ops);
    return shows("first") ? 0 : -1;
}

static int close_all(void **state)
{
    kill(gateway, SIGTERM);
    return lone_wait(gateway) == 0 && lone_tear_down(state) == 0 ? 0 : -1;
}

static void pages_come_by_tls_and_say_to_come_back_by_it(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    get("first", "/", &answer);
    assert_true(has(&answer, "HTTP/1.1 200 OK"));
    assert_true(has(&answer, "<title>yard</title>"));
    assert_true(has(&answer, "strict-transport-security: max-age="));
    assert_true(has(&answer, " wss://play.example:"));
    assert_false(has(&answer, " ws://"));
    get("second", "/", &answer); /* who trusts another authority gets nothing */
    assert_int_equal(answer.len, 0);
    buf_fini(&answer);
}

static void what_is_no_tls_or_an_old_one_gets_nothing(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    const char *plain = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert_int_equal(http_get("127.0.0.1", tls_port, plain, &answer, 3000), 0);
    buf_fini(&answer);
    static const char *const old[] = {"-tls1", "-tls1_1", "-tls1_2 -cipher AES128-SHA"};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        assert_int_not_equal(
            run_in(lone_folder, "openssl s_client %s -connect 127.0.0.1:%d", old[i], tls_port), 0);
    assert_int_equal(
        run_in(lone_folder, "openssl s_client -tls1_2 -connect 127.0.0.1:%d", tls_port), 0);
    assert_int_equal(
        run_in(lone_folder, "openssl s_client -tls1_3 -connect 127.0.0.1:%d", tls_port), 0);
}

/* All of it is with the gateway at once, most of it decrypted and unread when it is enough. */
static void a_flood_in_one_record_ends_its_own_connection_alone(void **unused)
{
    enum { PINGS = 1500 };
    static const uint8_t ping[] = {0x82, 0x82, 0, 0, 0, 0, 0x52, 0};
    (void)unused;
    struct ws_client flood;
    struct buf bytes = {0};
    pid_t client;
    assert_true(
        ws_connect_on(&flood, tunnel("first", &client), "127.0.0.1", tls_port, PATIENCE_MS));
    assert_true(ws_hello(&flood, PATIENCE_MS));
    for (int i = 0; i < PINGS; i++) buf_put(&bytes, ping, sizeof ping);
    assert_true(socket_put(flood.socket.fd, bytes.at, bytes.len));
    while (ws_pump(&flood, PATIENCE_MS) == 1) continue;
    assert_int_equal(flood.socket.close_code, 1008);
    assert_true(shows("first"));
    buf_fini(&bytes);
    ws_free(&flood);
    end_client(client);
}

static void a_new_certificate_is_shown_and_who_is_connected_stays(void **unused)
{
    (void)unused;
    struct ws_client before, after;
    pid_t clients[2];
    assert_true(
        ws_connect_on(&before, tunnel("first", &clients[0]), "127.0.0.1", tls_port, PATIENCE_MS));
    assert_true(ws_hello(&before, PATIENCE_MS));
    assert_int_equal(days_left(), FIRST_DAYS);
    put_in_place("second");
    assert_int_equal(days_left(), FIRST_DAYS); /* a file that nobody has read is not in use */
    assert_renewed("certificate.loaded");
    assert_int_equal(days_left(), SECOND_DAYS);
    assert_true(
        ws_connect_on(&after, tunnel("second", &clients[1]), "127.0.0.1", tls_port, PATIENCE_MS));
    assert_true(ws_hello(&after, PATIENCE_MS));
    struct client_frame ping = {.kind = CLIENT_PING};
    int pongs = before.pongs;
    assert_true(ws_send(&before, &ping));
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (before.pongs == pongs && clock_boot_ms() < until)
        assert_true(ws_pump(&before, 500) >= 0);
    assert_int_equal(before.pongs, pongs + 1);
    struct buf answer = {0};
    get("first", "/", &answer); /* the old one is shown to nobody any more */
    assert_int_equal(answer.len, 0);
    buf_fini(&answer);
    ws_free(&before);
    ws_free(&after);
    for (int i = 0; i < 2; i++) end_client(clients[i]);
}

static void a_certificate_that_is_no_good_is_told_of_and_not_taken(void **unused)
{
    (void)unused;
    put_in_place("second");
    static const struct {
        const char *damage, *sentence;
    } cases[] = {
        {"cp first.crt live.crt", "https-key: it"},
        {"echo nonsense >live.crt", "https-certificate: it cannot be read"},
        {"cp second.crt live.crt && rm live.key", "https-key: it cannot be read"},
        {"cp second.key live.key && chmod 644 live.key", "https-key: it must be closed to others"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run_in(lone_folder, "%s", cases[i].damage), 0);
        assert_renewed("certificate.refused");
        assert_true(times_said(cases[i].sentence) > 0);
        assert_int_equal(days_left(), SECOND_DAYS);
        assert_true(shows("second"));
        /* A gateway that starts with it says the same, and does not. */
        char log[160];
        snprintf(log, sizeof log, "%s/log-no", lone_folder);
        assert_int_equal(lone_wait(start(free_port(), log)), 2);
        assert_true(lone_file_says(log, cases[i].sentence));
    }
    assert_false(lone_file_says(log_file, "PRIVATE"));
    put_in_place("second");
}

static void two_gateways_share_the_port_with_tls_as_well(void **unused)
{
    (void)unused;
    char log[160];
    snprintf(log, sizeof log, "%s/log-twin", lone_folder);
    pid_t twin = start(tls_port, log);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (!lone_file_says(log, "process.started") && clock_boot_ms() < until) usleep(20 * 1000);
    assert_true(lone_file_says(log, "process.started"));
    kill(twin, SIGTERM);
    assert_int_equal(lone_wait(twin), 0);
    assert_true(shows("second"));
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all, cmocka_unit_test(pages_come_by_tls_and_say_to_come_back_by_it),
        cmocka_unit_test(what_is_no_tls_or_an_old_one_gets_nothing),
        cmocka_unit_test(a_flood_in_one_record_ends_its_own_connection_alone),
        cmocka_unit_test(a_new_certificate_is_shown_and_who_is_connected_stays),
        cmocka_unit_test(a_certificate_that_is_no_good_is_told_of_and_not_taken),
        cmocka_unit_test(two_gateways_share_the_port_with_tls_as_well));
}
