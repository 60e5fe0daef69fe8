/* SPDX-License-Identifier: Apache-2.0
 *
 * The gateway's own edge: HTTP, the WebSocket handshake, close codes.
 */
#include "cluster/lone_gateway.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

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
        assert_int_equal(lone_get_path(pages[i], "", &answer), 200);
        assert_true(has(&answer, "content-type: text/html"));
        assert_true(has(&answer, "cache-control: no-cache"));
        assert_true(has(&answer, "content-security-policy: default-src 'none'; script-src 'self'"));
        assert_true(has(&answer, "frame-ancestors 'none'"));
        assert_true(has(&answer, "x-content-type-options: nosniff"));
        assert_true(has(&answer, "referrer-policy: no-referrer"));
        assert_true(has(&answer, "<title>yard</title>"));
    }
    assert_int_equal(lone_get_path("/icon.svg", "", &answer), 200);
    assert_true(has(&answer, "content-type: image/svg+xml"));
    assert_int_equal(lone_get_path("/assets/app-1a2b.js", "", &answer), 200);
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
        assert_int_equal(lone_get_path("/assets/app-1a2b.js", cases[i].accepts, &answer), 200);
        assert_true(has(&answer, cases[i].body));
        assert_true(has(&answer, cases[i].encoding));
    }
    buf_fini(&answer);
}

static void what_a_browser_has_is_not_sent_again(void **unused)
{
    (void)unused;
    struct buf answer = {0};
    assert_int_equal(lone_get_path("/", "", &answer), 200);
    const char *etag = memmem(answer.at, answer.len, "etag: ", 6);
    assert_non_null(etag);
    char header[128];
    snprintf(header, sizeof header, "If-None-Match: %.34s\r\n", etag + 6);
    assert_int_equal(lone_get_path("/", header, &answer), 304);
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
        int status = lone_get_path(paths[i], "", &answer);
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
    assert_int_equal(lone_get("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &answer),
                     200);
    assert_true(has(&answer, "content-length: 19"));
    assert_false(has(&answer, "yard"));
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char request[128];
        snprintf(request, sizeof request,
                 "%s / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                 methods[i]);
        assert_int_equal(lone_get(request, &answer), 405);
        assert_true(has(&answer, "allow: GET, HEAD"));
    }
    buf_fini(&answer);
}

/* Whatever is asked, however wrongly. */
static void every_answer_protects_whoever_gets_it(void **unused)
{
    (void)unused;
#define END " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
#define UPGRADE                                                             \
    " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" \
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    static const struct {
        int status;
        const char *request;
    } cases[] = {
        {200, "GET /" END "\r\n"},
        {200, "HEAD /" END "\r\n"},
        {200, "GET /assets/app-1a2b.js" END "\r\n"},
        {404, "GET /nothing" END "\r\n"},
        {405, "POST /" END "Content-Length: 0\r\n\r\n"},
        {400, "GET /ws" END "\r\n"},
        {503, "GET /healthz" END "\r\n"},
        {403, "GET /ws" UPGRADE "Origin: https://evil.example\r\n\r\n"},
        {404, "GET /elsewhere" UPGRADE "\r\n"},
        {403, "GET http://evil.example/" END "\r\n"}, /* by libwebsockets itself */
    };
    static const char *const headers[] = {
        "content-security-policy: default-src 'none'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: DENY",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "permissions-policy: camera=()",
    };
    struct buf answer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = lone_get(cases[i].request, &answer);
        if (status != cases[i].status) fail_msg("%d for %s", status, cases[i].request);
        for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
            if (!has(&answer, headers[k])) fail_msg("no %s for %s", headers[k], cases[i].request);
        assert_false(has(&answer, "strict-transport-security")); /* this one is plain */
    }
    buf_fini(&answer);
}

/* ---- WebSockets ------------------------------------------------------------------------------ */

static void a_socket_opens_for_pages_of_this_host_alone(void **unused)
{
    (void)unused;
    struct ws_socket socket;
    char own[64];
    snprintf(own, sizeof own, "http://127.0.0.1:%d", lone_port);
    assert_true(ws_socket_open(&socket, "127.0.0.1", lone_port, "/ws", NULL, 2000));
    ws_socket_cut(&socket);
    assert_true(ws_socket_open(&socket, "127.0.0.1", lone_port, "/ws", own, 2000));
    ws_socket_cut(&socket);
    static const char *const others[] = {"https://evil.example", "http://127.0.0.1",
                                         "http://127.0.0.1:1", "null"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(ws_socket_open(&socket, "127.0.0.1", lone_port, "/ws", others[i], 2000));
        assert_int_equal(socket.http_status, 403);
    }
    assert_false(ws_socket_open(&socket, "127.0.0.1", lone_port, "/elsewhere", NULL, 2000));
    assert_int_equal(socket.http_status, 404);
}

static uint32_t draw(uint64_t *chance, uint32_t below)
{
    *chance = *chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*chance >> 33) % below;
}

/* Bytes of it changed, left away, put in twice; and perhaps its end is missing. */
static size_t mutilate(char *request, size_t len, size_t size, uint64_t *chance)
{
    for (uint32_t times = 1 + draw(chance, 4); times > 0 && len > 2; times--) {
        size_t at = draw(chance, (uint32_t)len - 1), more = 1 + draw(chance, 200);
        switch (draw(chance, 4)) {
        case 0: request[at] = (char)draw(chance, 256); break;
        case 1: len = at + 1; break;
        case 2:
            memmove(request + at, request + at + 1, len - at - 1);
            len--;
            break;
        default:
            if (len + more > size || at + more > len) break;
            memmove(request + at + more, request + at, len - at);
            len += more;
        }
    }
    return len;
}

static void mutilated_upgrades_harm_nothing(void **unused)
{
    (void)unused;
    enum { REQUESTS = 2000, HOUSES = 8, PENDING = 100 };
    uint64_t chance = 11;
    int pending[PENDING], upgraded = 0;
    struct buf answer = {0};
    for (int i = 0; i < PENDING; i++) pending[i] = -1;
    for (int i = 0; i < REQUESTS; i++) {
        char request[4096], from[32], status[16] = "";
        snprintf(from, sizeof from, "127.0.3.%d", 1 + i % HOUSES);
        int len = ws_socket_request(request, sizeof request, "127.0.0.1", lone_port, "/ws",
                                    i % 3 ? NULL : "https://evil.example");
        size_t sent = mutilate(request, (size_t)len, sizeof request, &chance);
        int *fd = &pending[i % PENDING];
        if (*fd >= 0) { /* it had its time */
            if (recv(*fd, status, sizeof status - 1, MSG_DONTWAIT) > 0)
                upgraded += strncmp(status, "HTTP/1.1 101", 12) == 0;
            close(*fd);
        }
        *fd = socket_dial(from, "127.0.0.1", lone_port, 0);
        if (*fd >= 0) send(*fd, request, sent, MSG_NOSIGNAL);
        /* Whoever is served now comes after them. */
        if (i % PENDING == PENDING - 1) assert_int_equal(lone_get_path("/", "", &answer), 200);
    }
    buf_fini(&answer);
    for (int i = 0; i < PENDING; i++) close(pending[i]);
    assert_true(upgraded > 0 && upgraded < REQUESTS);
    a_socket_opens_for_pages_of_this_host_alone(unused);
}

static void a_guest_is_welcomed_and_pinged(void **unused)
{
    (void)unused;
    struct ws_client client;
    assert_true(ws_connect(&client, "127.0.0.1", lone_port, 2000));
    assert_true(ws_hello(&client, 2000));
    uint8_t token[WS_TOKEN_BYTES_MAX];
    size_t token_len = client.token_len;
    memcpy(token, client.token, token_len);
    ws_cut(&client);
    assert_true(ws_socket_open(&client.socket, "127.0.0.1", lone_port, "/ws", NULL, 2000));
    assert_true(ws_hello(&client, 2000));
    assert_int_equal(client.token_len, token_len);
    assert_memory_equal(client.token + 1, token + 1, 16); /* the player; the rest is renewed */
    ws_free(&client);
}

static int close_code_after(int kind, bool final, struct slice bytes)
{
    struct ws_client client;
    assert_true(ws_connect(&client, "127.0.0.1", lone_port, 2000));
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
    assert_true(ws_connect(&client, "127.0.0.1", lone_port, 2000));
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
    for (int i = 0; i < MANY; i++)
        assert_true(ws_connect(&clients[i], "127.0.0.1", lone_port, 2000));
    for (int i = 0; i < MANY; i++) assert_true(ws_hello(&clients[i], 5000));
    for (int i = 0; i < MANY; i++) ws_free(&clients[i]);
    assert_true(lone_answers());
}

int main(void)
{
    return RUN_TESTS_BETWEEN(lone_set_up, lone_tear_down,
                             cmocka_unit_test(pages_and_files_are_served_with_their_types),
                             cmocka_unit_test(packed_files_go_to_those_who_can_unpack_them),
                             cmocka_unit_test(what_a_browser_has_is_not_sent_again),
                             cmocka_unit_test(nothing_else_is_reached),
                             cmocka_unit_test(only_get_and_head),
                             cmocka_unit_test(every_answer_protects_whoever_gets_it),
                             cmocka_unit_test(a_socket_opens_for_pages_of_this_host_alone),
                             cmocka_unit_test(mutilated_upgrades_harm_nothing),
                             cmocka_unit_test(a_guest_is_welcomed_and_pinged),
                             cmocka_unit_test(garbage_is_closed_with_a_proper_code),
                             cmocka_unit_test(a_message_in_pieces_is_put_together),
                             cmocka_unit_test(many_sockets_come_and_go));
}
