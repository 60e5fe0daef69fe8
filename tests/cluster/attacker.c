/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/attacker.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

struct cluster attacked;

static const char *const children[] = {"redis", "gateway-0", "matchmaker-0", "worker-0", "timer-0"};
enum { CHILDREN = sizeof children / sizeof *children };
static pid_t pids[CHILDREN];

int attacked_set_up(void **state)
{
    (void)state;
    attacked = (struct cluster){.workers = 1};
    if (!cluster_start(&attacked)) return -1;
    for (int i = 0; i < CHILDREN; i++) pids[i] = cluster_pid(&attacked, children[i]);
    return 0;
}

int attacked_tear_down(void **state)
{
    (void)state;
    bool lived = true;
    for (int i = 0; i < CHILDREN; i++) lived &= cluster_pid(&attacked, children[i]) == pids[i];
    if (!lived) print_error("a process did not live to the end\n");
    bool in_order = cluster_stop(&attacked);
    cluster_remove(&attacked);
    return lived && in_order ? 0 : -1;
}

void greet(struct ws_client *player, const char *from)
{
    int fd = socket_dial(from, HOME, attacked.port, 0);
    assert_true(ws_connect_on(player, fd, HOME, attacked.port, PATIENCE_MS));
    assert_true(ws_hello(player, PATIENCE_MS));
}

void sit_together(struct ws_client *players, int count)
{
    static const char *const names[] = {"민수", "영희", "할머니", "Ben"};
    for (int i = 0; i < count; i++) {
        greet(&players[i], NULL);
        if (i == 0)
            assert_true(ws_create(&players[0], "davinci-code", names[0], NULL, 0, PATIENCE_MS));
        else
            assert_true(ws_join(&players[i], players[0].code, names[i], PATIENCE_MS));
    }
    assert_true(ws_wait(&players[0], ws_has_seated, &count, PATIENCE_MS));
}

void start_game(struct ws_client *players, int count)
{
    assert_true(ws_start(&players[0], PATIENCE_MS));
    for (int i = 0; i < count; i++)
        assert_true(ws_wait(&players[i], ws_is_playing, NULL, PATIENCE_MS));
}

static int open_ms(void)
{
    instant_ms from = clock_boot_ms();
    struct ws_client player;
    greet(&player, NULL);
    assert_true(ws_create(&player, "davinci-code", "민수", NULL, 0, PATIENCE_MS));
    ws_free(&player);
    return (int)(clock_boot_ms() - from);
}

/* What else runs on this machine may take it away for a moment. */
void assert_others_notice_nothing(void)
{
    int ms = open_ms();
    for (int again = 0; ms > AT_ONCE_MS && again < 2; again++) ms = open_ms();
    assert_true(ms <= AT_ONCE_MS);
}

static bool has_pongs(const struct ws_client *player, const void *count)
{
    return player->pongs >= *(const int *)count;
}

int answer_ms(struct ws_client *player)
{
    struct client_frame ping = {.kind = CLIENT_PING};
    int wanted = player->pongs + 1;
    instant_ms from = clock_boot_ms();
    assert_true(ws_send(player, &ping));
    assert_true(ws_wait(player, has_pongs, &wanted, PATIENCE_MS));
    return (int)(clock_boot_ms() - from);
}

void assert_answered_soon(struct ws_client *player)
{
    int ms = answer_ms(player);
    for (int again = 0; ms >= SOON_MS && again < 2; again++) ms = answer_ms(player);
    assert_true(ms < SOON_MS);
}

bool is_open(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

long memory_kb(const char *child)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)cluster_pid(&attacked, child));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kb);
    fclose(file);
    assert_true(kb > 0);
    return kb;
}
