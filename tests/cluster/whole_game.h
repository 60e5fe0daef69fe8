/* SPDX-License-Identifier: Apache-2.0
 *
 * Real clients over real sockets play one whole game; each checks its own views.
 */
#ifndef CLUSTER_WHOLE_GAME_H
#define CLUSTER_WHOLE_GAME_H

#include "cluster/ws_client.h"
#include "game/game.h"

/* Up to four players at the gateway of that port. Tells each of them, once seated, to `met` (NULL:
 * nobody). NULL, or what went wrong. */
const char *whole_game_play(int port, const struct game *game,
                            void (*met)(const struct ws_client *player));

#endif
