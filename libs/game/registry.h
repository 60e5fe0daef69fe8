/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the build puts the list of games: one per folder libs/games/<name>/, which defines
 * `const struct game <name>_game`. The list is generated, so adding a game touches no file but its
 * own.
 */
#ifndef GAME_REGISTRY_H
#define GAME_REGISTRY_H

#include "game/game.h"

enum { GAME_REGISTRY_MAX = 16 };

/* Which game of this program it is, whatever version of it; GAME_REGISTRY_MAX for none of them. */
int game_place(const struct game *game);

/* In display order (that of the folders' names); ends at NULL. A program that links no games has an
 * empty list. */
extern const struct game *const games_of_this_build[];

#endif
