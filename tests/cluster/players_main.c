/* SPDX-License-Identifier: Apache-2.0
 *
 *     players_main PORT
 *
 * One whole game of every kind at the gateway of that port, for tests that look at a cluster while
 * it is played on. Prints the session tokens of the players, which nobody else is to know.
 */
#include "cluster/whole_game.h"

#include <stdio.h>
#include <stdlib.h>

static void print_token(const struct ws_client *player)
{
    printf("token ");
    for (size_t i = 0; i < player->token_len; i++) printf("%02x", player->token[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int port = argc > 1 ? atoi(argv[1]) : 0;
    for (int g = 0; g < game_count(); g++) {
        const char *fault = whole_game_play(port, game_at(g), print_token);
        printf("%s %s\n", game_at(g)->id, fault ? fault : "played");
        if (fault) return 1;
    }
    return 0;
}
