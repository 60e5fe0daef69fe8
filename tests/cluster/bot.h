/* SPDX-License-Identifier: Apache-2.0
 *
 * Players that know nothing but what arrived on their socket. There is one bot a game; a test that
 * plays "every registered game" finds it by the game's id.
 */
#ifndef CLUSTER_BOT_H
#define CLUSTER_BOT_H

#include "cluster/ws_client.h"
#include "game/game.h"

struct bot {
    const char *game;
    /* Writes what this player does now as Action bytes; returns their length, 0: nothing to do. */
    size_t (*move)(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX]);
    /* Holds what the player has against the rules of what it may know. NULL, or a sentence. */
    const char *(*audit)(const struct ws_client *player);
};

/* NULL when nobody plays that game yet. */
const struct bot *bot_find(const char *game);

/* This player's game seat, -1: does not play. */
int bot_game_seat(const struct ws_client *player);

/* Plays with all of them until every one has the result, or the limit is over. The players must be
 * in one room whose game runs. NULL, or what went wrong. */
const char *bots_play(struct ws_client *players, int count, int limit_ms);
/* One round: each takes what has come and acts if it is its turn. Counts the accepted actions. */
const char *bots_round(struct ws_client *players, int count, int *accepted);

#endif
