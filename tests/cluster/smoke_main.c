/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster on free ports plays one whole game of every registered game with real clients over real
 * sockets; each client checks its own views. Ends in "N games finished".
 */
#include "cluster/cluster.h"
#include "cluster/whole_game.h"

#include "ops/system.h"

#include <stdio.h>

int main(void)
{
    struct cluster cluster = {.gateways = 2, .matchmakers = 2, .timers = 2};
    int finished = 0, failed = 0;
    instant_ms began = clock_boot_ms();
    if (!cluster_start(&cluster)) {
        printf("the cluster did not start\n");
        failed++;
    }
    for (int g = 0; g < game_count() && !failed; g++) {
        const char *fault = whole_game_play(cluster.port, game_at(g), NULL);
        if (fault) {
            printf("%s: %s\n", game_at(g)->id, fault);
            failed++;
        } else {
            finished++;
        }
    }
    if (!cluster_stop(&cluster)) {
        printf("the cluster did not stop in order\n");
        failed++;
    }
    if (failed == 0)
        cluster_remove(&cluster);
    else
        printf("logs: %s\n", cluster.data);
    printf("%d games finished in %.1f s\n", finished, (double)(clock_boot_ms() - began) / 1000);
    printf("%d passed, %d failed\n", finished, failed);
    return failed ? 1 : 0;
}
