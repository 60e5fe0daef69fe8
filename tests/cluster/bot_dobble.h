/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of dobble ask its bot beside letting it play: the claim it would make, so that a test
 * can make it late, wrong or twice; and what its view says.
 */
#ifndef CLUSTER_BOT_DOBBLE_H
#define CLUSTER_BOT_DOBBLE_H

#include "cluster/bot.h"

struct bot_claim {
    bool triplet;
    uint32_t cards[3]; /* mine (0 in the gift game), the base; or the three */
    uint32_t target;   /* seat + 1, 0 for none */
    uint32_t art;
};

/* The right claim for what the player sees; false when there is nothing to claim now. */
bool bot_dobble_find(const struct ws_client *player, struct bot_claim *claim);
/* As Action bytes; returns their length. */
size_t bot_dobble_write(const struct bot_claim *claim, uint8_t bytes[GAME_ACTION_BYTES_MAX]);

struct bot_dobble_table {
    int phase, ending, seats; /* the numbers of dobble.proto */
    struct {
        int cards, correct, wrong, rank;
        uint64_t locked_until;
        bool forfeited;
    } seat[8];
};
/* What the player's view says. False before the first one. */
bool bot_dobble_look(const struct ws_client *player, struct bot_dobble_table *out);

#endif
