/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest game that has everything: hidden cards, options that follow and depend on each
 * other, turns, deadlines, events with a part of one's own. Everybody holds a card; in turn each
 * keeps it or takes the top of the pile instead; then all are shown and the highest wins. Adding
 * it touches no other file.
 */
#ifndef UNIT_GAMES_TOY_GAME_H
#define UNIT_GAMES_TOY_GAME_H

#include "game/game.h"

extern const struct game toy_game;

/* An action is one of these bytes. */
enum toy_action { TOY_KEEP = 1, TOY_TAKE = 2 };
enum toy_option { TOY_OPT_LONG, TOY_OPT_CARDS, TOY_OPT_SECONDS, TOY_OPT_OPEN };

#endif
