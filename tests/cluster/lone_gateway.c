/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/lone_gateway.h"

#include "ops/system.h"
#include "unit/end_with.h"
#include "unit/free_port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FLAGS_MAX = 8 };

char lone_folder[64], lone_key_file[128];
int lone_port;
static char binary[512], web_dir[128];

pid_t lone_start(int port, const char *key, const char *log)
{
    return lone_start_with(port, key, log, NULL);
}

pid_t lone_start_with(int port, const char *key, const char *log, const char *const *flags)
{
    pid_t parent = getpid(), pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) return pid;
    end_with(parent, SIGKILL);
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 2);
    char port_flag[32], key_flag[160], web_flag[160];
    snprintf(port_flag, sizeof port_flag, "--port=%d", port);
    snprintf(key_flag, sizeof key_flag, "--key-file=%s", key);
    snprintf(web_flag, sizeof web_flag, "--web-dir=%s", web_dir);
    const char *argv[FLAGS_MAX + 6] = {binary, port_flag, key_flag, web_flag,
                                       "--matchmakers=tcp://127.0.0.1:1"};
    for (int i = 0; flags && i < FLAGS_MAX && flags[i]; i++) argv[5 + i] = flags[i];
    execv(binary, (char *const *)argv);
    _exit(127);
}

int lone_get(const char *request, struct buf *answer)
{
    return http_get("127.0.0.1", lone_port, request, answer, 3000);
}

int lone_get_path(const char *path, const char *header, struct buf *answer)
{
    char request[512];
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s\r\n", path,
             lone_port, header);
    return lone_get(request, answer);
}

bool lone_answers(void)
{
    struct buf answer = {0};
    instant_ms until = clock_boot_ms() + PATIENCE_MS;
    int status = 0;
    while (status == 0 && clock_boot_ms() < until) {
        status = lone_get_path("/healthz", "", &answer);
        if (status == 0) usleep(20 * 1000);
    }
    buf_fini(&answer);
    return status != 0;
}

int lone_wait(pid_t pid)
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

bool lone_file_says(const char *path, const char *text)
{
    struct buf bytes = {0};
    bool found = file_read(path, 1 << 16, &bytes) && bytes.len &&
                 memmem(bytes.at, bytes.len, text, strlen(text)) != NULL;
    buf_fini(&bytes);
    return found;
}

static pid_t gateway;

int lone_set_up(void **unused)
{
    (void)unused;
    const char *build = getenv("BUILD");
    snprintf(binary, sizeof binary, "%s/bin/madang-gateway", build ? build : "build");
    snprintf(lone_folder, sizeof lone_folder, "/tmp/madang-gateway-XXXXXX");
    assert_non_null(mkdtemp(lone_folder));
    snprintf(web_dir, sizeof web_dir, "%s/web", lone_folder);
    snprintf(lone_key_file, sizeof lone_key_file, "%s/key", lone_folder);
    char assets[160], outside[160];
    snprintf(assets, sizeof assets, "%s/assets", web_dir);
    snprintf(outside, sizeof outside, "%s/secret.txt", lone_folder);
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
    snprintf(log, sizeof log, "%s/log", lone_folder);
    lone_port = free_port();
    gateway = lone_start(lone_port, lone_key_file, log);
    return lone_answers() ? 0 : -1;
}

int lone_tear_down(void **unused)
{
    (void)unused;
    kill(gateway, SIGTERM);
    int code = lone_wait(gateway);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", lone_folder);
    return system(command) == 0 && code == 0 ? 0 : -1;
}
