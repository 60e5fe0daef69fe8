/* SPDX-License-Identifier: Apache-2.0
 *
 * A game of two to six for the tests of the room: everybody holds a secret number and says numbers
 * in turn; most points win. An action is a byte of kind and a byte of value.
 */
#ifndef UNIT_ROOM_TOY_H
#define UNIT_ROOM_TOY_H

#include "game/game.h"

enum toy_action {
    TOY_SAY = 1, /* bound: on one's turn, adds value to one's points, ends the turn */
    TOY_LOOK,    /* bound: on one's turn, which goes on with a fresh deadline */
    TOY_WAVE,    /* free: anybody at any time, seen by all */
    TOY_WHISPER, /* free, hidden: tells nothing before the next clock */
};
enum { TOY_TURN_MS = 20000, TOY_WHISPER_MS = 60 };
enum toy_reason { TOY_MALFORMED = 1, TOY_NOT_YOUR_TURN, TOY_TOO_MUCH };

/* Options: rounds 1 to 9 (3), fragile (whoever leaves ends it), clash (cannot be started), alone
 * (practice), rtt (shown). */
extern const struct game toy_game;
extern const struct game toy_that_minds_absence;
/* Two versions of one game: by the second everybody begins with points (option bonus, 2), and its
 * bytes begin with a mark of their own. */
extern const struct game toy_rules_1, toy_rules_2;

struct toy_state {
    uint8_t seats, turn_seat, finished, fragile;
    uint32_t turn, turns;
    instant_ms deadline, whisper_until;
    uint8_t secret[6];
    uint16_t points[6];
    uint8_t whispers;
    uint8_t pile[8]; /* never shown */
    uint32_t rtt_ms; /* of all waves */
};

#endif
