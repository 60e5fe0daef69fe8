/* SPDX-License-Identifier: Apache-2.0
 *
 * The gateway's own edge, as a process without a cluster behind it: HTTP, the WebSocket handshake,
 * close codes, the shared port.
 */
#include "cluster/ws_client.h"

#include "ops/system.h"
#include "unit/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10 * 1000 };

static char folder[64], binary[512], web_dir[128], key_file[128];
static int port;

/* ---- processes ------------------------------------------------------------------------------- */

static int free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    close(fd);
    return ntohs(at.sin_port);
}

/* What it says goes to `log`. */
static pid_t start(int at_port, const char *key, const char *log)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) return pid;
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 2);
    char port_flag[32], key_flag[160], web_flag[160];
    snprintf(port_flag, sizeof port_flag, "--port=%d", at_port);
    snprintf(key_flag, sizeof key_flag, "--key-file=%s", key);
    snprintf(web_flag, sizeof web_flag, "--web-dir=%s", web_dir);
    execl(binary, binary, port_flag, key_flag, web_flag, "--matchmakers=tcp://127.0.0.1:1",
          (char *)NULL);
    _exit(127);
}

static int get(const char *request, struct buf *answer)
{
    return http_get("127.0.0.1", port, request, answer, 3000);
}

static int get_path(const char *path, const char *header, struct buf *answer)
{
    char request[512];
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s\r\n", path, port,
             header);
    return get(request, answer);
}

static bool answers(void)
{
    struct buf answer = {0};
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    int status = 0;
    while (status == 0 && clock_boot_ms() < until) {
        status = get_path("/healthz", "", &answer);
        if (status == 0) usleep(20 * 1000);
    }
    buf_fini(&answer);
    return status != 0;
}

/* The exit code; -1: it had to be killed. */
static int wait_for(pid_t pid)
{
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    int status;
    while (clock_boot_ms() < until) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        usleep(10 * 1000);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return -1;
}

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", web_dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool file_says(const char *path, const char *text)
{
    struct buf bytes = {0};
    bool found = file_read(path, 1 << 16, &bytes) && bytes.len &&
                 memmem(bytes.at, bytes.len, text, strlen(text)) != NULL;
    buf_fini(&bytes);
    return found;
}

static pid_t gateway;

static int set_up(void **unused)
{
    (void)unused;
    const char *build = getenv("BUILD");
    snprintf(binary, sizeof binary, "%s/bin/madang-gateway", build ? build : "build");
    snprintf(folder, sizeof folder, "/tmp/madang-gateway-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(web_dir, sizeof web_dir, "%s/web", folder);
    snprintf(key_file, sizeof key_file, "%s/key", folder);
    char assets[160], outside[160];
    snprintf(assets, sizeof assets, "%s/assets", web_dir);
    snprintf(outside, sizeof outside, "%s/secret.txt", folder);
    assert_int_equal(mkdir(web_dir, 0700), 0);
    assert_int_equal(mkdir(assets, 0700), 0);
    write_text("../secret.txt", "outside");
    write_text("index.html", "<title>yard</title>");
    write_text("icon.svg", "<svg/>");
    write_text(".hidden.txt", "hidden");
    write_text("assets/app-1a2b.js", "plain script");
    write_text("assets/app-1a2b.js.gz", "gzip script");
    write_text("assets/app-1a2b.js.br", "brotli script");
    char log[160];
    snprintf(log, sizeof log, "%s/log", folder);
    port = free_port();
    gateway = start(port, key_file, log);
    return answers() ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    kill(gateway, SIGTERM);
    int code = wait_for(gateway);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && code == 0 ? 0 : -1;
}

/* ---- HTTP ------------------------------------------------------------------------------------ */

static bool has(const struct buf *answer, const char *text)
{
    return answer->len && memmem(answer->at, answer->len, text, strlen(text)) != NULL;
}

static void pages_and_files_are_served_with_their_types(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    static const char *const pages[] = {"/", "/code", "/r/0ABCDE", "/r/0abcde?x=1",
                                        "/rules/davinci-code"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        assert_int_equal(get_path(pages[i], "", &answer), 200);
        assert_true(has(&answer, "content-type: text/html"));
        assert_true(has(&answer, "cache-control: no-cache"));
        assert_true(has(&answer, "content-security-policy: default-src 'none'; script-src 'self'"));
        assert_true(has(&answer, "frame-ancestors 'none'"));
        assert_true(has(&answer, "x-content-type-options: nosniff"));
        assert_true(has(&answer, "referrer-policy: no-referrer"));
        assert_true(has(&answer, "<title>yard</title>"));
    }
    assert_int_equal(get_path("/icon.svg", "", &answer), 200);
    assert_true(has(&answer, "content-type: image/svg+xml"));
    assert_int_equal(get_path("/assets/app-1a2b.js", "", &answer), 200);
    assert_true(has(&answer, "content-type: text/javascript"));
    assert_true(has(&answer, "max-age=31536000, immutable"));
    assert_true(has(&answer, "vary: accept-encoding"));
    assert_true(has(&answer, "plain script"));
    buf_fini(&answer);
}

static void packed_files_go_to_those_who_can_unpack_them(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    static const struct {
        const char *accepts, *body, *encoding;
    } cases[] = {
        {"Accept-Encoding: gzip, deflate, br\r\n", "brotli script", "content-encoding: br"},
        {"Accept-Encoding: gzip\r\n", "gzip script", "content-encoding: gzip"},
        {"Accept-Encoding: br;q=0, gzip;q=0.5\r\n", "gzip script", "content-encoding: gzip"},
        {"Accept-Encoding: brx\r\n", "plain script", "etag"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(get_path("/assets/app-1a2b.js", cases[i].accepts, &answer), 200);
        assert_true(has(&answer, cases[i].body));
        assert_true(has(&answer, cases[i].encoding));
    }
    buf_fini(&answer);
}

static void what_a_browser_has_is_not_sent_again(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    assert_int_equal(get_path("/", "", &answer), 200);
    const char *etag = memmem(answer.at, answer.len, "etag: ", 6);
    assert_non_null(etag);
    char header[128];
    snprintf(header, sizeof header, "If-None-Match: %.34s\r\n", etag + 6);
    assert_int_equal(get_path("/", header, &answer), 304);
    assert_false(has(&answer, "yard"));
    buf_fini(&answer);
}

static void nothing_else_is_reached(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    static const char *const paths[] = {
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/.hidden.txt",
        "/assets/",
        "/assets",
        "/r/",
        "/r/a/b",
        "/assets/app-1a2b.js.br",
        "//secret.txt",
        "/nothing",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int status = get_path(paths[i], "", &answer);
        assert_true(status >= 400 || status == 0);
        assert_false(has(&answer, "outside"));
        assert_false(has(&answer, "hidden"));
        assert_false(has(&answer, "script"));
    }
    buf_fini(&answer);
}

static void only_get_and_head(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    assert_int_equal(get("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &answer), 200);
    assert_true(has(&answer, "content-length: 19"));
    assert_false(has(&answer, "yard"));
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char request[128];
        snprintf(request, sizeof request,
                 "%s / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                 methods[i]);
        assert_int_equal(get(request, &answer), 405);
        assert_true(has(&answer, "allow: GET, HEAD"));
    }
    buf_fini(&answer);
}

/* ---- WebSockets ------------------------------------------------------------------------------ */

static void a_socket_opens_for_pages_of_this_host_alone(void **unused)
{
    (void)unused;
    struct ws_socket socket;
    char own[64];
    snprintf(own, sizeof own, "http://127.0.0.1:%d", port);
    assert_true(ws_socket_open(&socket, "127.0.0.1", port, "/ws", NULL, 2000));
    ws_socket_cut(&socket);
    assert_true(ws_socket_open(&socket, "127.0.0.1", port, "/ws", own, 2000));
    ws_socket_cut(&socket);
    static const char *const others[] = {"https://evil.example", "http://127.0.0.1",
                                         "http://127.0.0.1:1", "null"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(ws_socket_open(&socket, "127.0.0.1", port, "/ws", others[i], 2000));
        assert_int_equal(socket.http_status, 403);
    }
    assert_false(ws_socket_open(&socket, "127.0.0.1", port, "/elsewhere", NULL, 2000));
    assert_int_equal(socket.http_status, 404);
}

static void a_guest_is_welcomed_and_pinged(void **unused)
{
    (void)unused;
    struct ws_client client;
    assert_true(ws_connect(&client, "127.0.0.1", port, 2000));
    assert_true(ws_hello(&client, 2000));
    uint8_t token[WS_TOKEN_BYTES_MAX];
    size_t token_len = client.token_len;
    memcpy(token, client.token, token_len);
    ws_cut(&client);
    assert_true(ws_socket_open(&client.socket, "127.0.0.1", port, "/ws", NULL, 2000));
    assert_true(ws_hello(&client, 2000));
    assert_int_equal(client.token_len, token_len);
    assert_memory_equal(client.token, token, token_len);
    ws_free(&client);
}

static int close_code_after(int kind, bool final, struct slice bytes)
{
    struct ws_client client;
    assert_true(ws_connect(&client, "127.0.0.1", port, 2000));
    assert_true(ws_hello(&client, 2000));
    assert_true(ws_socket_send(&client.socket, kind, final, bytes));
    while (ws_pump(&client, 3000) == 1) continue;
    int code = client.socket.fd < 0 ? client.socket.close_code : 0;
    ws_free(&client);
    return code;
}

static void garbage_is_closed_with_a_proper_code(void **unused)
{
    (void)unused;
    static uint8_t zeroes[200000];
    assert_int_equal(close_code_after(WS_BINARY, true, slice_text("\xff\xff\xff\xff")), 1007);
    assert_int_equal(close_code_after(WS_TEXT, true, slice_text("hello")), 1003);
    assert_int_equal(close_code_after(WS_BINARY, true, slice_of(zeroes, 4097)), 1009);
    assert_int_equal(close_code_after(WS_BINARY, true, slice_of(zeroes, sizeof zeroes)), 1009);
    assert_int_equal(close_code_after(WS_BINARY, false, slice_of(zeroes, 4097)), 1009);
}

static void a_message_in_pieces_is_put_together(void **unused)
{
    (void)unused;
    struct ws_client client;
    assert_true(ws_connect(&client, "127.0.0.1", port, 2000));
    struct client_frame hello = {.kind = CLIENT_HELLO};
    uint8_t token[1000] = {1};
    hello.u.hello =
        (struct client_hello){.protocol = CLIENT_PROTOCOL, .token = slice_of(token, sizeof token)};
    struct buf bytes = {0};
    client_frame_encode(&hello, &bytes);
    for (size_t at = 0; at < bytes.len; at += 7) {
        size_t len = bytes.len - at < 7 ? bytes.len - at : 7;
        assert_true(ws_socket_send(&client.socket, at ? 0 : WS_BINARY, at + len == bytes.len,
                                   slice_of(bytes.at + at, len)));
    }
    buf_fini(&bytes);
    while (!client.welcomed && ws_pump(&client, 3000) == 1) continue;
    assert_true(client.welcomed);
    ws_free(&client);
}

static void many_sockets_come_and_go(void **unused)
{
    (void)unused;
    enum { MANY = 200 };
    static struct ws_client clients[MANY];
    for (int i = 0; i < MANY; i++) assert_true(ws_connect(&clients[i], "127.0.0.1", port, 2000));
    for (int i = 0; i < MANY; i++) assert_true(ws_hello(&clients[i], 5000));
    for (int i = 0; i < MANY; i++) ws_free(&clients[i]);
    assert_true(answers());
}

/* ---- the port -------------------------------------------------------------------------------- */

static void a_port_of_somebody_else_is_a_clear_error(void **unused)
{
    (void)unused;
    char log[160], other_key[160], said[64];
    snprintf(log, sizeof log, "%s/log-2", folder);
    snprintf(other_key, sizeof other_key, "%s/other-key", folder);
    snprintf(said, sizeof said, "port %d is in use", port);
    /* A gateway of another cluster. */
    assert_int_equal(wait_for(start(port, other_key, log)), 1);
    assert_true(file_says(log, said));
    /* A program that shares its port with anybody, and says nothing. */
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0), taken = free_port();
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)taken)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(fd, 8), 0);
    snprintf(said, sizeof said, "port %d is in use", taken);
    assert_int_equal(wait_for(start(taken, key_file, log)), 1);
    assert_true(file_says(log, said));
    close(fd);
}

static void gateways_of_one_cluster_share_the_port_and_one_may_leave(void **unused)
{
    (void)unused;
    char log[160];
    snprintf(log, sizeof log, "%s/log-3", folder);
    pid_t second = start(port, key_file, log);
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    while (!file_says(log, "process.started") && clock_boot_ms() < until) usleep(20 * 1000);
    enum { SOME = 40 };
    static struct ws_client clients[SOME];
    for (int i = 0; i < SOME; i++) {
        assert_true(ws_connect(&clients[i], "127.0.0.1", port, 2000));
        assert_true(ws_hello(&clients[i], 2000));
    }
    kill(second, SIGTERM);
    assert_int_equal(wait_for(second), 0);
    int told = 0, closed = 0;
    for (int i = 0; i < SOME; i++) {
        while (ws_pump(&clients[i], 0) == 1) continue;
        bool leaving = clients[i].notices & 1u << NOTICE_GATEWAY_LEAVING;
        told += leaving;
        if (clients[i].socket.fd >= 0) continue;
        closed++;
        assert_true(leaving);
        assert_int_equal(clients[i].socket.close_code, 1001);
        /* The other one takes it, and knows who it is. */
        uint8_t token[WS_TOKEN_BYTES_MAX];
        memcpy(token, clients[i].token, clients[i].token_len);
        assert_true(ws_socket_open(&clients[i].socket, "127.0.0.1", port, "/ws", NULL, 2000));
        assert_true(ws_hello(&clients[i], 2000));
        assert_memory_equal(clients[i].token, token, clients[i].token_len);
    }
    assert_int_equal(told, closed);
    assert_true(closed > 0 && closed < SOME);
    for (int i = 0; i < SOME; i++) ws_free(&clients[i]);
}

static void a_key_that_others_can_read_is_refused(void **unused)
{
    (void)unused;
    char log[160];
    snprintf(log, sizeof log, "%s/log-4", folder);
    struct stat about;
    assert_int_equal(stat(key_file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_size, 32);
    assert_int_equal(chmod(key_file, 0644), 0);
    assert_int_equal(wait_for(start(free_port(), key_file, log)), 1);
    assert_int_equal(chmod(key_file, 0600), 0);
    assert_true(file_says(log, "0600"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_and_files_are_served_with_their_types),
        cmocka_unit_test(packed_files_go_to_those_who_can_unpack_them),
        cmocka_unit_test(what_a_browser_has_is_not_sent_again),
        cmocka_unit_test(nothing_else_is_reached),
        cmocka_unit_test(only_get_and_head),
        cmocka_unit_test(a_socket_opens_for_pages_of_this_host_alone),
        cmocka_unit_test(a_guest_is_welcomed_and_pinged),
        cmocka_unit_test(garbage_is_closed_with_a_proper_code),
        cmocka_unit_test(a_message_in_pieces_is_put_together),
        cmocka_unit_test(many_sockets_come_and_go),
        cmocka_unit_test(a_port_of_somebody_else_is_a_clear_error),
        cmocka_unit_test(gateways_of_one_cluster_share_the_port_and_one_may_leave),
        cmocka_unit_test(a_key_that_others_can_read_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
