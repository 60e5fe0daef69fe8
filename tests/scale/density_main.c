/* SPDX-License-Identifier: Apache-2.0
 *
 * What a playing room costs a worker, for each game.
 *   density_main [rooms [game]]
 */
#include "scale/density.h"

#include <stdlib.h>

static void measure(const char *game, size_t rooms)
{
    struct density of;
    density_measure(game, rooms, &of);
    printf("> all at once: metrics %.1f ms, connection lost %.1f ms, back %.1f ms\n", of.metrics_ms,
           of.lost_ms, of.back_ms);
    printf("> %s: %u rooms, %u of them playing, %.1f people each: %.0f bytes each\n", game,
           of.rooms, of.playing, of.people, of.bytes);
}

int main(int argc, char **argv)
{
    size_t rooms = argc > 1 ? (size_t)atol(argv[1]) : 1000;
    for (int g = 0; g < game_count(); g++)
        if (argc <= 2 || !strcmp(argv[2], game_at(g)->id)) measure(game_at(g)->id, rooms);
    return 0;
}
