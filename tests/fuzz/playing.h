/* SPDX-License-Identifier: Apache-2.0
 *
 * A game in the hands of a fuzzer: every choice is read from the fuzzer's bytes (zeroes once they
 * are used up), so that a finding repeats from its file alone.
 */
#ifndef FUZZ_PLAYING_H
#define FUZZ_PLAYING_H

#include "game/game.h"

struct playing {
    const struct game *game;
    void *state;
    int seats;
    struct game_context context;
    struct rng rng; /* for moves that are not bytes of the fuzzer's */
    struct game_events events;
};

/* Game, seats, options, seed and starter from the reader. */
void playing_open(struct playing *playing, struct reader *choices);
void playing_close(struct playing *playing);

/* One input, taken from the reader or made at random; checks what the contract promises of it. */
void playing_step(struct playing *playing, struct reader *choices);
/* One random legal action or clock, whatever the fuzzer's bytes. False when the game is over. */
bool playing_go_on(struct playing *playing);

/* Asks the state everything that a server may ask; CHECKs that it is sound. */
void playing_look(const struct game *game, const void *state, int seats);

#endif
