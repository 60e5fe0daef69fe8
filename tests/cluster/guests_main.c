/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays a game of every kind at once on a cluster that somebody else runs, with real clients; each
 * checks its own views.
 *
 *     guests_main HOST PORT
 *
 * Once all games run it says "playing" and waits for a line. Meanwhile whoever started it may break
 * what it likes; who lost the connection comes back, and every game is played to its end. Ends in
 * "N passed, N failed".
 */
#include "cluster/cluster.h"
#include "cluster/table.h"

#include "ops/system.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GAMES_MAX = 16, ROUNDS = 3, GAME_MS = 180 * 1000, BACK_MS = 60 * 1000, LOOK_MS = 20 };

static struct table tables[GAMES_MAX];
static const char *faults[GAMES_MAX];

static const char *begin(struct table *table, const char *host, int port, const struct game *game)
{
    const char *fault = table_seat(table, host, port, game);
    if (!fault) fault = table_start(table);
    for (int round = 0; round < ROUNDS && !fault; round++) {
        int accepted = 0;
        fault = bots_round(table->players, table->count, &accepted);
    }
    return fault;
}

/* Answers what the gateways ask meanwhile. */
static void wait_for_a_line(int games)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    while (poll(&input, 1, LOOK_MS) == 0)
        for (int g = 0; g < games; g++) ws_pump_all(tables[g].players, tables[g].count);
    if (read(STDIN_FILENO, line, sizeof line) < 0) perror("stdin");
}

static bool is_over(const struct table *table)
{
    for (int i = 0; i < table->count; i++)
        if (table->players[i].view.state != WS_RESULT) return false;
    return true;
}

/* In turns, so that nobody is silent for long while others play. */
static void finish(int games)
{
    instant_ms until = clock_boot_ms() + GAME_MS;
    int left = games;
    while (left > 0 && clock_boot_ms() < until) {
        int accepted = 0;
        left = 0;
        for (int g = 0; g < games; g++) {
            if (faults[g] || is_over(&tables[g])) continue;
            left++;
            faults[g] = bots_round(tables[g].players, tables[g].count, &accepted);
        }
        if (!accepted) sleep_ms(LOOK_MS);
    }
    for (int g = 0; g < games; g++)
        if (!faults[g] && !is_over(&tables[g])) faults[g] = "the game did not end in time";
}

int main(int argc, char **argv)
{
    int games = game_count(), failed = 0;
    if (argc != 3 || games > GAMES_MAX) {
        fprintf(stderr, "usage: %s HOST PORT\n", argv[0]);
        return 2;
    }
    for (int g = 0; g < games; g++)
        faults[g] = begin(&tables[g], argv[1], atoi(argv[2]), game_at(g));
    printf("playing\n");
    fflush(stdout);
    wait_for_a_line(games);
    for (int g = 0; g < games; g++)
        if (!faults[g]) faults[g] = table_come_back(&tables[g], BACK_MS);
    finish(games);
    for (int g = 0; g < games; g++) {
        printf("%s: %s\n", game_at(g)->id, faults[g] ? faults[g] : "played to the end");
        failed += faults[g] != NULL;
        table_close(&tables[g]);
    }
    printf("%d passed, %d failed\n", games - failed, failed);
    return failed ? 1 : 0;
}
