/* SPDX-License-Identifier: Apache-2.0
 *
 * Redis by TLS through a local stunnel, with the configuration that .github/SECURITY.md gives and
 * the commands it makes certificates with: rooms are kept there, and a game is played.
 */
#include "cluster/rack.h"
#include "cluster/run_in.h"
#include "cluster/whole_game.h"
#include "ops/system.h"
#include "unit/end_with.h"
#include "unit/free_port.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char page[] = ".github/SECURITY.md";
static char folder[64];
static pid_t stunnel;

/* ---- what the page says ---------------------------------------------------------------------- */

/* Appends the page from `begin` up to the end of that block. */
static void take_block(const char *begin, struct buf *out)
{
    struct buf text = {0};
    assert_true(file_read(page, 1 << 20, &text));
    buf_put_u8(&text, 0);
    const char *at = strstr((const char *)text.at, begin);
    assert_non_null(at);
    const char *end = strstr(at, "```");
    assert_non_null(end);
    buf_put(out, at, (size_t)(end - at));
    buf_fini(&text);
}

static void replace(struct buf *text, const char *from, const char *to)
{
    struct buf made = {0};
    int times = 0;
    buf_put_u8(text, 0);
    const char *at = (const char *)text->at;
    for (const char *next; (next = strstr(at, from)) != NULL; times++) {
        buf_put(&made, at, (size_t)(next - at));
        buf_put_slice(&made, slice_text(to));
        at = next + strlen(from);
    }
    buf_put_slice(&made, slice_text(at));
    assert_true(times > 0);
    buf_fini(text);
    *text = made;
}

static void write_file(const char *name, const struct buf *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text->at, 1, text->len, file), text->len);
    fclose(file);
}

/* As the page says it, in the folder. */
static void make_certificates(void)
{
    struct buf commands = {0};
    take_block("openssl req -x509", &commands);
    write_file("certify", &commands);
    buf_fini(&commands);
    assert_int_equal(run_in(folder, "sh -e ./certify"), 0);
}

/* ---- Redis and stunnel ----------------------------------------------------------------------- */

static void listen_by_tls(int port)
{
    redis_fixture_command(&rack_redis,
                          "CONFIG SET tls-ca-cert-file %s/ca.pem "
                          "tls-cert-file %s/id.crt tls-key-file %s/id.key tls-port %d",
                          folder, folder, folder, port);
}

static void start_stunnel(int port)
{
    struct buf text = {0};
    char where[64], own[80], path[160];
    snprintf(where, sizeof where, "127.0.0.1:%d", port);
    snprintf(own, sizeof own, "%s/", folder);
    buf_put_slice(&text, slice_text("foreground = yes\npid =\ndebug = 3\n"));
    take_block("[redis]", &text);
    replace(&text, "redis.example.org:6380", where);
    replace(&text, "redis.example.org", "madang"); /* for which that certificate is */
    replace(&text, "/etc/madang/", own);
    replace(&text, "/run/stunnel/", own);
    write_file("stunnel.conf", &text);
    buf_fini(&text);
    snprintf(path, sizeof path, "%s/stunnel.conf", folder);
    pid_t parent = getpid();
    stunnel = fork();
    assert_true(stunnel >= 0);
    if (stunnel > 0) return;
    end_with(parent, SIGKILL);
    execlp("stunnel4", "stunnel4", path, (char *)NULL);
    _exit(127);
}

static int open_all(void **state)
{
    (void)state;
    char flag[128];
    int port = free_port();
    snprintf(folder, sizeof folder, "/tmp/madang-stunnel-XXXXXX");
    assert_non_null(mkdtemp(folder));
    make_certificates();
    snprintf(flag, sizeof flag, "--redis=unix://%s/redis.sock", folder);
    const char *const flags[] = {flag, NULL};
    rack_open(flags);
    listen_by_tls(port);
    start_stunnel(port);
    rack_start("worker", flags);
    rack_start("timer", flags);
    rack_start("gateway", NULL);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    char command[128];
    int closed = rack_close();
    kill(stunnel, SIGKILL);
    waitpid(stunnel, NULL, 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? closed : -1;
}

static void a_game_is_kept_in_a_redis_that_is_reached_by_tls(void **state)
{
    (void)state;
    const char *fault = whole_game_play(rack_port, game_at(0), NULL);
    if (fault) fail_msg("%s", fault);
    assert_true(redis_fixture_command(&rack_redis, "KEYS game:*") > 0);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(open_all, close_all,
                             cmocka_unit_test(a_game_is_kept_in_a_redis_that_is_reached_by_tls));
}
