/* SPDX-License-Identifier: Apache-2.0
 *
 * All randomness of a game: ChaCha20 streams derived from one 256-bit seed, one stream per purpose,
 * so that what a player sees of one (the seats) tells nothing of another (the deck).
 */
#ifndef GAME_RNG_H
#define GAME_RNG_H

#include "base/types.h"

struct game_seed {
    uint8_t byte[32];
};

struct rng {
    uint8_t key[32];
    uint64_t block; /* next 64-byte block */
    uint8_t bytes[64];
    uint8_t used;
};

/* key = BLAKE2b(seed, purpose). */
void rng_init(struct rng *rng, const struct game_seed *seed, const char *purpose);
uint32_t rng_u32(struct rng *rng);
/* Uniform in 0 .. bound-1 by rejection (no modulo bias); bound > 0. */
uint32_t rng_below(struct rng *rng, uint32_t bound);
/* Fisher-Yates over count items of one byte each. */
void rng_shuffle(struct rng *rng, uint8_t *items, size_t count);

#endif
